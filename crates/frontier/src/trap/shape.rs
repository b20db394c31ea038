//! What a piece of a URL looks like: a number, an id, words.

/// From so many letters on, a mixture of letters and digits is an id and not a word.
const SHORTEST_ID: usize = 16;

/// Whether the piece is made by a machine to be unlike all others: a hash, a UUID, a random number.
pub(super) fn is_id(piece: &str) -> bool {
    let is_hex = |it: u8| it.is_ascii_hexdigit() || it == b'-';
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let has_both = letters > 0 && digits > 0;
    let is_hash = has_both && letters + digits >= 8 && digits >= 2 && piece.bytes().all(is_hex);
    // A title in a path has few digits and its words are parted.
    let is_random = digits >= 3
        && letters >= 3
        && letters + digits == piece.len()
        && piece.len() >= SHORTEST_ID;
    is_hash || is_random
}

/// Whether the piece is a number and nothing else.
pub(super) fn is_number(piece: &str) -> bool {
    !piece.is_empty() && piece.bytes().all(|it| it.is_ascii_digit())
}

/// Whether the piece is the title of something, in words with signs between them.
pub(super) fn is_title(piece: &str) -> bool {
    let words = piece.split(['-', '_', '+', '.', ',']).filter(|it| !it.is_empty()).count();
    // Longer than the longest word of a navigation, and letters beyond ASCII count threefold.
    words >= 3 || piece.len() > 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(piece: &str, expected: bool) {
        assert_eq!(is_id(piece), expected, "{piece}");
    }

    #[test]
    fn hashes_and_random_numbers_are_ids() {
        check("d41d8cd98f00b204e9800998ecf8427e", true);
        check("550e8400-e29b-41d4-a716-446655440000", true);
        check("k3J9xQ27bLm0PzR4", true);
        check("1a2b3c4d", true);
    }

    #[test]
    fn words_and_numbers_are_not() {
        check("facade", false);
        check("20240512", false);
        check("the-lighthouse-of-1887", false);
        check("abteilung7", false);
    }
}
