//! A number of 64 bits that is nearly the same for texts that are nearly the same.

use xxhash_rust::xxh3::xxh3_64;

use crate::words::each_word;

/// Words are taken three at a time, so that their order counts.
const SHINGLE: usize = 3;

/// The simhash of the texts, one after the other (Charikar 2002; Manku, Jain and Das Sarma 2007).
///
/// Texts that differ in a few words differ in a few bits, other texts in about half of the 64.
/// Case and punctuation do not matter. Without words it is 0.
pub fn fingerprint<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut shingles = Shingles::default();
    for text in texts {
        each_word(text, |word| shingles.add(xxh3_64(word.as_bytes())));
    }
    shingles.fingerprint()
}

/// The shingles of a text whose words are given one by one, as their hashes.
#[derive(Default)]
pub(crate) struct Shingles {
    votes: Votes,
    last: [u64; SHINGLE],
    count: usize,
}

impl Shingles {
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.last.rotate_left(1);
        self.last[SHINGLE - 1] = word;
        self.count += 1;
        if self.count >= SHINGLE {
            self.votes.cast(combined(&self.last));
        }
    }

    pub(crate) fn fingerprint(mut self) -> u64 {
        // A text of one or two words is a shingle of its own.
        if (1..SHINGLE).contains(&self.count) {
            self.votes.cast(combined(&self.last));
        }
        self.votes.elected()
    }
}

fn combined(words: &[u64; SHINGLE]) -> u64 {
    let bytes = words.map(u64::to_le_bytes);
    xxh3_64(bytes.as_flattened())
}

/// How often each bit was set, and how often hashes were cast.
///
/// The counts of the 64 bits lie crosswise: the first number has the lowest digit of all counts, the
/// next one the second. So a hash is added to all of them at once, with a carry as on paper.
#[derive(Default)]
struct Votes {
    digits: [u64; 32],
    cast: u64,
}

impl Votes {
    fn cast(&mut self, hash: u64) {
        self.cast += 1;
        let mut carry = hash;
        for digit in &mut self.digits {
            let next = *digit & carry;
            *digit ^= carry;
            carry = next;
            if carry == 0 {
                return;
            }
        }
    }

    fn elected(&self) -> u64 {
        (0..64).fold(0, |all, bit| {
            let digits = self.digits.iter().enumerate();
            let set: u64 = digits.map(|(place, it)| (it >> bit & 1) << place).sum();
            // More often set than not.
            all | u64::from(set * 2 > self.cast) << bit
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "The old harbour lies at the mouth of the river, where ships from the whole \
        north used to take in salt and timber before the railway came and the trade went inland. \
        Today its warehouses are flats, and the last crane is a monument that children climb.";

    fn of(text: &str) -> u64 {
        fingerprint(std::iter::once(text))
    }

    fn distance(a: &str, b: &str) -> u32 {
        (of(a) ^ of(b)).count_ones()
    }

    #[test]
    fn case_and_punctuation_do_not_matter() {
        assert_eq!(distance(TEXT, &TEXT.to_uppercase().replace(',', " –")), 0);
    }

    #[test]
    fn nearly_the_same_text_has_nearly_the_same_fingerprint() {
        assert!(distance(TEXT, &TEXT.replace("monument", "landmark")) <= 12);
    }

    #[test]
    fn another_text_has_another_fingerprint() {
        let other = "Our bakery opens at six. We have rye bread, rolls with poppy seeds and cakes \
            for every occasion; on Sundays there is breakfast until noon, with eggs from the farm \
            next door, and in summer you can sit in the yard under the lime tree.";
        assert!((20..=44).contains(&distance(TEXT, other)));
    }

    #[test]
    fn the_order_of_words_matters() {
        let turned: Vec<_> = TEXT.split(' ').rev().collect();
        assert!(distance(TEXT, &turned.join(" ")) > 12);
    }

    #[test]
    fn no_words_have_no_fingerprint_and_one_word_has() {
        assert_eq!(of(" – "), 0);
        assert_ne!(of("harbour"), of("bakery"));
    }

    /// The same without haste.
    fn plain(texts: &[&str]) -> u64 {
        let words: Vec<u64> = texts
            .iter()
            .flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()))
            .filter(|word| !word.is_empty())
            .map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>())
            .map(|word| xxh3_64(word.as_bytes()))
            .collect();
        let shingles: Vec<u64> = match words[..] {
            [] => Vec::new(),
            [one] => vec![combined(&[0, 0, one])],
            [one, two] => vec![combined(&[0, one, two])],
            _ => words.windows(3).map(|it| combined(&[it[0], it[1], it[2]])).collect(),
        };
        (0..64).fold(0, |all, bit| {
            let votes: i64 = shingles.iter().map(|it| (it >> bit & 1) as i64 * 2 - 1).sum();
            all | u64::from(votes > 0) << bit
        })
    }

    #[track_caller]
    fn check(texts: &[&str]) {
        assert_eq!(fingerprint(texts.iter().copied()), plain(texts), "{texts:?}");
    }

    #[test]
    fn it_is_the_same_as_without_haste() {
        check(&[TEXT]);
        check(&["", "ΑΣ", "İstanbul Straße 5½", "e\u{301}a", "–", "中文 字"]);
        check(&["one", "two"]);
        check(&[&TEXT.repeat(100), "x"]);
    }

    proptest! {
        #[test]
        fn it_is_the_same_for_any_texts(
            texts in prop::collection::vec("[a-zA-Z0-9 .,ÄßİΣ中½\u{301}\u{2014}]{0,40}|\\PC{0,20}", 0..6),
        ) {
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            check(&texts);
        }
    }
}
