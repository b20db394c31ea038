//! Named values as WARC and HTTP write them.

/// The longest head that is read, in bytes: eight times what web servers commonly send at most.
pub(crate) const LONGEST: usize = 64 * 1024;
/// The most lines of a head that are read.
pub(crate) const MOST_LINES: usize = 200;

/// Named values in the order in which they stood; names are found in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value of that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
    }

    /// Every value of that name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
    }

    /// Every value of that name, joined with commas as HTTP allows; nothing if there is none.
    pub fn joined(&self, name: &str) -> Option<String> {
        let values: Vec<_> = self.all(name).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// All names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Takes in one line of a head: a name with its value, or more of the value before it.
    ///
    /// Gives back whether the line was either.
    pub(crate) fn take_line(&mut self, line: &[u8]) -> bool {
        let line = decode(line);
        if line.starts_with([' ', '\t']) {
            return self.unfold(line.trim());
        }
        match line.split_once(':') {
            Some((name, value)) if !name.trim().is_empty() => {
                self.push(name.trim(), value.trim());
                true
            }
            _ => false,
        }
    }

    fn unfold(&mut self, more: &str) -> bool {
        let Some((_, value)) = self.0.last_mut() else { return false };
        if !value.is_empty() && !more.is_empty() {
            value.push(' ');
        }
        value.push_str(more);
        true
    }
}

/// The first line without its end, and how long it is with it. Nothing if it has no end.
pub(crate) fn first_line(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let end = memchr::memchr(b'\n', bytes)?;
    let line = &bytes[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), end + 1))
}

/// UTF-8 where it is that, otherwise Latin-1, which every byte string is.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|it| char::from(*it)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&str]) -> Headers {
        let mut headers = Headers::default();
        lines.iter().for_each(|it| {
            headers.take_line(it.as_bytes());
        });
        headers
    }

    #[test]
    fn names_are_found_in_any_case() {
        let headers = headers(&["Content-TYPE:text/html", "a: 1", "A: 2"]);
        assert_eq!(headers.get("content-type"), Some("text/html"));
        assert_eq!(headers.get("a"), Some("1"));
        assert_eq!(headers.joined("a").as_deref(), Some("1, 2"));
        assert_eq!((headers.get("b"), headers.joined("b")), (None, None));
    }

    #[test]
    fn a_folded_line_continues_the_value_before_it() {
        assert_eq!(headers(&["a: 1", " 2", "\t3"]).get("a"), Some("1 2 3"));
        assert!(headers(&[" 2"]).is_empty());
    }

    #[test]
    fn a_line_without_a_colon_is_no_header() {
        assert!(!Headers::default().take_line(b"<html>"));
        assert!(!Headers::default().take_line(b": value"));
    }

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        assert_eq!(decode("Straße".as_bytes()), "Straße");
        assert_eq!(decode(b"Stra\xdfe"), "Straße");
    }
}
