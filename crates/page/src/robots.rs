//! What a page allows robots to do with it.

/// Prohibitions from `<meta name="robots">` and the header `X-Robots-Tag`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of its own in the standard")]
pub struct Robots {
    /// The page may not be found.
    pub noindex: bool,
    /// Its links may not be followed.
    pub nofollow: bool,
    /// No copy of it may be shown.
    pub noarchive: bool,
    /// No excerpt of it may be shown.
    pub nosnippet: bool,
}

impl Robots {
    /// Takes in the content of a `<meta name="robots">`.
    pub(crate) fn heed(&mut self, content: &str) {
        for word in content.split(|it: char| it == ',' || it.is_ascii_whitespace()) {
            self.heed_word(word);
        }
    }

    /// Takes in headers, each on its line. What one says to a robot by name (`somebot: noindex`) is for
    /// that robot alone, up to the next name or the end of the line.
    pub(crate) fn heed_headers(&mut self, us: Option<&str>, headers: &str) {
        for header in headers.lines() {
            let mut is_for_us = true;
            for rule in header.split(',') {
                let rule = match rule.split_once(':') {
                    Some((name, _)) if is_directive_with_value(name.trim()) => continue,
                    Some((name, rule)) => {
                        is_for_us = us.is_some_and(|it| it.eq_ignore_ascii_case(name.trim()));
                        rule
                    }
                    None => rule,
                };
                if is_for_us {
                    self.heed(rule);
                }
            }
        }
    }

    fn heed_word(&mut self, word: &str) {
        match word.to_ascii_lowercase().as_str() {
            "noindex" => self.noindex = true,
            "nofollow" => self.nofollow = true,
            "none" => (self.noindex, self.nofollow) = (true, true),
            "noarchive" | "nocache" => self.noarchive = true,
            "nosnippet" => self.nosnippet = true,
            _ => {}
        }
    }
}

/// `unavailable_after` and the limits on previews have a value of their own.
fn is_directive_with_value(name: &str) -> bool {
    name.eq_ignore_ascii_case("unavailable_after")
        || name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("max-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Robots =
        Robots { noindex: false, nofollow: false, noarchive: false, nosnippet: false };

    #[track_caller]
    fn check_meta(content: &str, expected: Robots) {
        let mut robots = Robots::default();
        robots.heed(content);
        assert_eq!(robots, expected, "{content}");
    }

    #[track_caller]
    fn check_header(header: &str, expected: Robots) {
        let mut robots = Robots::default();
        robots.heed_headers(Some("strabo"), header);
        assert_eq!(robots, expected, "{header}");
    }

    #[test]
    fn words_are_read_in_any_case_and_order() {
        check_meta("index, follow", NONE);
        check_meta("NOINDEX,nofollow", Robots { noindex: true, nofollow: true, ..NONE });
        check_meta("noarchive nosnippet", Robots { noarchive: true, nosnippet: true, ..NONE });
    }

    #[test]
    fn none_forbids_finding_and_following() {
        check_meta("none", Robots { noindex: true, nofollow: true, ..NONE });
    }

    #[test]
    fn a_header_for_another_robot_is_not_for_us() {
        check_header("noindex", Robots { noindex: true, ..NONE });
        check_header("somebot: noindex, nofollow", NONE);
        check_header("noarchive, somebot: noindex", Robots { noarchive: true, ..NONE });
    }

    #[test]
    fn a_header_may_name_us() {
        check_header("strabo: nofollow", Robots { nofollow: true, ..NONE });
        check_header("somebot: noindex, Strabo: nofollow", Robots { nofollow: true, ..NONE });
        check_header("strabot: nofollow", NONE);
    }

    #[test]
    fn each_of_several_headers_speaks_for_itself() {
        check_header("googlebot: noindex\nnofollow", Robots { nofollow: true, ..NONE });
        check_header("nofollow\ngooglebot: noindex", Robots { nofollow: true, ..NONE });
    }

    #[test]
    fn a_directive_with_a_value_names_no_robot() {
        check_header(
            "max-snippet: 20, unavailable_after: 25 Jun 2030, noindex",
            Robots { noindex: true, ..NONE },
        );
    }
}
