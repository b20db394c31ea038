//! What the key of a place looks like.

/// True for what looks like the key of a place, whether or not there is one: `gn:658225`, but no `geo:` link.
pub fn is_key(text: &str) -> bool {
    text.split_once(':').is_some_and(|(source, id)| {
        let is_word = !source.is_empty() && source.bytes().all(|it| it.is_ascii_lowercase());
        is_word && source != "geo" && !id.is_empty() && !id.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_key(text), expected, "{text}");
    }

    #[test]
    fn a_key_is_a_source_and_what_it_calls_the_place() {
        check("gn:658225", true);
        check("osm:way/12", true);
        check("geo:60.17,24.94", false);
        check("gn:", false);
        check(":658225", false);
        check("Paris: Texas", false);
        check("paris: texas", false);
        check("Oldenburg", false);
    }
}
