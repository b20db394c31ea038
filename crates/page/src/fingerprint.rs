//! A number of 64 bits that is nearly the same for texts that are nearly the same.

use xxhash_rust::xxh3::xxh3_64;

/// Words are taken three at a time, so that their order counts.
const SHINGLE: usize = 3;

/// The simhash of the texts, one after the other (Charikar 2002; Manku, Jain and Das Sarma 2007).
///
/// Texts that differ in a few words differ in a few bits, other texts in about half of the 64.
/// Case and punctuation do not matter. Without words it is 0.
pub fn fingerprint<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut votes = Votes([0; 64]);
    let mut last = [0_u64; SHINGLE];
    let mut count = 0_usize;
    let mut lower = String::new();
    for word in texts.flat_map(words) {
        last.rotate_left(1);
        last[SHINGLE - 1] = hash(word, &mut lower);
        count += 1;
        if count >= SHINGLE {
            votes.cast(combined(&last));
        }
    }
    // A text of one or two words is a shingle of its own.
    if (1..SHINGLE).contains(&count) {
        votes.cast(combined(&last));
    }
    votes.elected()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn hash(word: &str, lower: &mut String) -> u64 {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(word.chars().flat_map(char::to_lowercase));
    }
    xxh3_64(lower.as_bytes())
}

fn combined(words: &[u64; SHINGLE]) -> u64 {
    let bytes = words.map(u64::to_le_bytes);
    xxh3_64(bytes.as_flattened())
}

/// How often each bit was set, less how often it was not.
struct Votes([i32; 64]);

impl Votes {
    fn cast(&mut self, hash: u64) {
        for (bit, votes) in self.0.iter_mut().enumerate() {
            *votes += ((hash >> bit) & 1) as i32 * 2 - 1;
        }
    }

    fn elected(&self) -> u64 {
        self.0.iter().enumerate().fold(0, |all, (bit, &votes)| all | (u64::from(votes > 0) << bit))
    }
}

#[cfg(test)]
mod tests {
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
}
