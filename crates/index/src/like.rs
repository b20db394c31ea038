//! Words like a word: what somebody who mistyped may have meant.

use tantivy::InvertedIndexReader;

use crate::error::Error;
use crate::fields::STEM_MARK;

/// Words of the index within one or two edits of a word, the most frequent first.
///
/// The first letter is taken for right, as it mostly is: that keeps the search to one part of the dictionary.
pub(crate) fn like(
    postings: &InvertedIndexReader,
    word: &str,
    most: usize,
) -> Result<Vec<(String, u32)>, Error> {
    let Some(first) = word.chars().next().filter(|it| *it != STEM_MARK) else {
        return Ok(Vec::new());
    };
    let letters: Vec<char> = word.chars().collect();
    let edits = match letters.len() {
        0..=2 => return Ok(Vec::new()),
        3..=5 => 1,
        _ => 2,
    };
    let low = first.to_string();
    let mut terms = postings.terms().range().ge(low.as_bytes()).into_stream()?;
    let mut found: Vec<(usize, u32, String)> = Vec::new();
    while terms.advance() {
        let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
        if !term.starts_with(first) {
            break;
        }
        if let Some(distance) = distance(&letters, term, edits).filter(|it| *it > 0) {
            found.push((distance, terms.value().doc_freq, term.to_owned()));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    found.truncate(most);
    Ok(found.into_iter().map(|it| (it.2, it.1)).collect())
}

/// How many letters have to be put in, left out, changed or swapped with their neighbours; nothing above `most`.
fn distance(word: &[char], other: &str, most: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().collect();
    if word.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut rows =
        [vec![0; other.len() + 1], (0..=other.len()).collect(), vec![0; other.len() + 1]];
    for (at, letter) in word.iter().enumerate() {
        let [before, last, next] = &mut rows;
        next[0] = at + 1;
        for (there, with) in other.iter().enumerate() {
            let mut cost = (last[there] + usize::from(letter != with))
                .min(last[there + 1] + 1)
                .min(next[there] + 1);
            if at > 0 && there > 0 && *letter == other[there - 1] && word[at - 1] == *with {
                cost = cost.min(before[there - 1] + 1);
            }
            next[there + 1] = cost;
        }
        if next.iter().min().is_some_and(|it| *it > most) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][other.len()]).filter(|it| *it <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, other: &str, expected: Option<usize>) {
        let letters: Vec<char> = word.chars().collect();
        assert_eq!(distance(&letters, other, 2), expected);
    }

    #[test]
    fn edits_are_counted() {
        check("museum", "museum", Some(0));
        check("musuem", "museum", Some(1));
        check("musem", "museum", Some(1));
        check("mueseum", "museum", Some(1));
        check("baekry", "bakery", Some(1));
        check("bxkexy", "bakery", Some(2));
        check("castle", "museum", None);
        check("", "", Some(0));
    }
}
