//! Where in a long text an address may be: at numbers that have a street or a postcode beside them.

use std::ops::Range;

use crate::address::street_word::{compound, is_lying, is_month, roles};

/// How much of the text around a number is looked at, in bytes. Four lines of an address fit in easily; a fixed size
/// keeps the work for a text proportional to its length.
pub(crate) const BEFORE: usize = 140;
pub(crate) const AFTER: usize = 260;

/// A number in a text beside which an address may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The bytes of the number.
    pub(crate) number: Range<usize>,
    /// The bytes around it that are worth reading.
    pub(crate) window: Range<usize>,
}

/// The next anchor at or after a byte.
pub(crate) fn next(text: &str, from: usize) -> Option<Anchor> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|it| it + at) {
        let end = start + bytes[start..].iter().take_while(|it| it.is_ascii_digit()).count();
        if is_promising(text, start..end) {
            return Some(Anchor { number: start..end, window: window(text, start, end) });
        }
        at = end;
    }
    None
}

fn window(text: &str, start: usize, end: usize) -> Range<usize> {
    let first = (start.saturating_sub(BEFORE)..=start)
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(start);
    let last = (end..=(end + AFTER).min(text.len()))
        .rev()
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(end);
    // A window that begins within a word would see half of it.
    let whole = if first == 0 {
        0
    } else {
        text[first..start].find(char::is_whitespace).map_or(start, |it| first + it)
    };
    whole..last
}

/// A few looks at the letters around the number; most numbers in a text are none of a house.
fn is_promising(text: &str, number: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    if number.len() > 5 || is_measured(bytes, &number) {
        return false;
    }
    words_before(text, number.start)
        || words_after(text, number.end)
        || (is_coded(bytes, number.end) && !is_counted(text, &number))
}

/// True beside a month, or after another number: days, years and parts of telephone numbers.
fn is_counted(text: &str, number: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let after_number = number.start >= 2 && bytes[number.start - 2].is_ascii_digit();
    let letters = |it: char| !it.is_alphanumeric();
    let next =
        text[number.end..].trim_start_matches([' ', '.', ',']).split(letters).next().unwrap_or("");
    let before = text[..number.start].trim_end_matches([' ', '.', ',']);
    let before = before.rsplit(letters).next().unwrap_or("");
    after_number || [next, before].into_iter().any(|word| with_folded(word, is_month))
}

/// Dates, times, prices, decimals and telephone numbers have marks or digits right beside them.
fn is_measured(bytes: &[u8], number: &Range<usize>) -> bool {
    let before = number.start.checked_sub(1).map_or(b' ', |it| bytes[it]);
    let digit_before = number.start >= 2 && bytes[number.start - 2].is_ascii_digit();
    let after = bytes.get(number.end).copied().unwrap_or(b' ');
    let digit_after = bytes.get(number.end + 1).is_some_and(u8::is_ascii_digit);
    let joined = digit_before && matches!(before, b'.' | b',' | b':' | b'-' | b'/');
    let marked = matches!(before, b'+' | b'$' | b'=' | b'_' | b'@' | b'%' | b'&');
    let decimal = digit_after && matches!(after, b'.' | b',' | b':');
    let padded = bytes[number.start] == b'0';
    let copyright = bytes[..number.start].ends_with("© ".as_bytes());
    joined
        || marked
        || decimal
        || padded
        || copyright
        || matches!(after, b'%' | b'_' | b'=')
        || is_date(bytes, number.end)
}

/// `12/05/2024` from its first number on.
fn is_date(bytes: &[u8], end: usize) -> bool {
    let rest = &bytes[end..(end + 4).min(bytes.len())];
    let mark = |it: &u8| matches!(it, b'/' | b'.' | b'-');
    match rest {
        [a, b, c, ..] if mark(a) && b.is_ascii_digit() && mark(c) => true,
        [a, b, c, d] => mark(a) && b.is_ascii_digit() && c.is_ascii_digit() && mark(d),
        _ => false,
    }
}

/// How many words on either side of a number are looked at.
const WORDS: usize = 6;

/// True if a word before the number is that of a street or of a box.
fn words_before(text: &str, end: usize) -> bool {
    let mut rest = &text[text.floor_char_boundary(end.saturating_sub(BEFORE / 2))..end];
    for nth in 0..WORDS {
        let word_end = rest.trim_end_matches(|it: char| !it.is_alphanumeric());
        if rest[word_end.len()..].contains('\n')
            || (nth > 0 && rest[word_end.len()..].contains([',', ';', ':']))
        {
            return false;
        }
        let start = word_end
            .rfind(|it: char| !it.is_alphanumeric())
            .map_or(0, |it| it + word_end[it..].chars().next().map_or(1, char::len_utf8));
        let word = &word_end[start..];
        if word.is_empty() {
            return false;
        }
        let capital = word.starts_with(char::is_uppercase);
        let says = with_folded(word, |folded| {
            let it = roles(folded);
            let leads = it.may_lead() && (nth > 0 || !it.weak);
            let ends = nth < 2 && (it.may_end() || compound(folded).is_some());
            leads
                || ends
                || (capital && nth > 0 && is_lying(folded))
                || (nth < 2 && is_boxed(folded))
        });
        if says {
            return true;
        }
        rest = &rest[..start];
    }
    false
}

fn is_boxed(word: &str) -> bool {
    matches!(
        word,
        "box"
            | "postfach"
            | "postbus"
            | "postboks"
            | "boks"
            | "bp"
            | "cp"
            | "apartado"
            | "apdo"
            | "postale"
            | "correos"
            | "postal"
            | "pocztowa"
            | "poczt"
            | "postilokero"
            | "pl"
            | "pb"
            | "bag"
            | "postbox"
            | "pf"
    )
}

/// True if a word for a street follows on the same line.
fn words_after(text: &str, start: usize) -> bool {
    let end = text.floor_char_boundary((start + 70).min(text.len()));
    let line = &text[start..end];
    let line = &line[..line
        .find(['\n', '.', ';'])
        .unwrap_or(line.len())
        .max(usize::from(line.starts_with('.')))];
    let words = line.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.take(WORDS).any(|word| {
        with_folded(word, |folded| {
            let it = roles(folded);
            it.may_lead() || it.may_end() || compound(folded).is_some_and(|(_, strong)| strong)
        })
    })
}

/// True if a number as long as a postcode follows soon, or a code of letters and digits on the same line or the next.
fn is_coded(bytes: &[u8], end: usize) -> bool {
    // Number, floor and door fit in before a postcode: `4, 2. tv, DK-8000`.
    const NEAR: usize = 20;
    const LINES: usize = 60;
    let near = &bytes[end..(end + NEAR).min(bytes.len())];
    let mut runs = near.split(|it| !it.is_ascii_digit());
    runs.any(|run| (3..=6).contains(&run.len()))
        || has_lettered_code(&bytes[end..(end + LINES).min(bytes.len())])
}

/// `6XE`, `2T6` after a blank: the second half of a British or Canadian code.
fn has_lettered_code(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|it| {
        it[0] == b' '
            && it[1].is_ascii_digit()
            && it[2].is_ascii_uppercase()
            && it[3].is_ascii_alphanumeric()
            && !it[3].is_ascii_lowercase()
    })
}

/// Folds a word without allocating where it is plain ASCII.
fn with_folded<T>(word: &str, then: impl FnOnce(&str) -> T) -> T {
    let mut buffer = [0; 24];
    if word.is_ascii() && word.len() <= buffer.len() {
        let lower = &mut buffer[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        return then(std::str::from_utf8(lower).unwrap_or(""));
    }
    then(&text::fold(word))
}
