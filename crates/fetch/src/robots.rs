//! The rules a host sets for us in its robots.txt.

mod groups;
mod line;
mod pattern;
mod rule;
mod verdict;

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::groups::Groups;
use self::line::Line;
use self::pattern::Path;
pub use self::rule::Rule;
pub use self::verdict::{Ground, Verdict};
use crate::utf16;

/// RFC 9309, 2.5: "The parsing limit MUST be at least 500 kibibytes."
const MAX_BYTES: usize = 500 * 1024;

/// What a robots.txt says to one crawler, by RFC 9309: its rules, its delay, and the sitemaps of
/// the host. What concerns other crawlers is not kept.
///
/// The details that the RFC leaves open (missing colons, misspelt keys, `index.html`) are settled
/// as in Google's parser, against which most hosts try their files. Whether anything may be asked
/// at all, also when there is no robots.txt, is the question for a [`Standing`](crate::Standing).
///
/// ```
/// use fetch::Robots;
///
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/maps", "strabo");
/// assert!(robots.allows("/harbour?page=2"));
/// assert!(robots.allows("/private/maps/kiel"));
/// let verdict = robots.verdict("/private/letters");
/// assert!(!verdict.allowed);
/// assert_eq!(verdict.ground.to_string(), "robots.txt line 2: Disallow: /private/");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Robots {
    /// The longest pattern first, of equally long ones those that allow: the first match counts.
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
}

impl Robots {
    /// What these bytes say to the crawler with this product token.
    ///
    /// Any bytes give an answer; the worst robots.txt has no rules. What stands behind the first
    /// 500 KiB is ignored, with the line that is torn there.
    pub fn parse(bytes: &[u8], product_token: &str) -> Self {
        let text = text(whole_lines(bytes));
        let mut groups = Groups::for_token(product_token);
        for (number, line) in (1..).zip(line::split(&text)) {
            if let Some(line) = Line::read(line) {
                groups.take(number, line);
            }
        }
        groups.into_robots()
    }

    pub(crate) fn new(
        mut rules: Vec<Rule>,
        crawl_delay: Option<Duration>,
        sitemaps: Vec<String>,
    ) -> Self {
        rules.sort_unstable_by(|one, other| one.rank().cmp(&other.rank()));
        rules.dedup_by(|later, first| later.repeats(first));
        rules.shrink_to_fit();
        Self { rules, crawl_delay, sitemaps }
    }

    /// Whether the rules let us ask for this path, with its query if it has one.
    pub fn allows(&self, path_and_query: &str) -> bool {
        self.verdict(path_and_query).allowed
    }

    /// Whether the rules let us ask for this path, and which rule says so.
    ///
    /// RFC 9309, 2.2.2: "The most specific match found MUST be used. The most specific match is
    /// the match that has the most octets. [...] If an "allow" rule and a "disallow" rule are
    /// equivalent, then the "allow" rule SHOULD be used."
    ///
    /// Percent-encoding is read in two ways. The RFC compares after normalising both sides, so
    /// that a rule for `/%62az` and one for `/baz` are the same; Google's parser leaves rules as
    /// they are written. Where the two come to different results we take the one that forbids.
    pub fn verdict(&self, path_and_query: &str) -> Verdict<'_> {
        let path = Path::new(path_and_query);
        let as_written = self.rules.iter().find(|it| it.matches_as_written(&path));
        let is_plain = path.is_plain() && self.rules.iter().all(Rule::is_plain);
        let normalised = if is_plain {
            as_written
        } else {
            self.rules.iter().find(|it| it.matches_normalised(&path))
        };
        let forbidding = [as_written, normalised].into_iter().flatten().find(|it| !it.allows());
        let decisive = forbidding.or(as_written);
        Verdict {
            allowed: forbidding.is_none(),
            ground: decisive.map_or(Ground::NoRule, Ground::Rule),
        }
    }

    /// How long the host wants us to wait between two requests; the longest, if it says several.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps the host names, as written: mostly absolute URLs, sometimes relative ones.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// Whether a crawler may call itself this in a robots.txt.
///
/// RFC 9309, 2.2.1: "The product token MUST contain only uppercase and lowercase letters ("a-z"
/// and "A-Z"), underscores ("_"), and hyphens ("-")."
pub fn is_product_token(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(line::belongs_to_token)
}

/// The bytes within the limit, without the line that the limit tears.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let Some(head) = bytes.get(..MAX_BYTES).filter(|head| head.len() < bytes.len()) else {
        return bytes;
    };
    let end = head.iter().rposition(|it| matches!(it, b'\n' | b'\r'));
    &head[..end.unwrap_or(0)]
}

/// The bytes as UTF-8, more or less, without a byte order mark.
///
/// RFC 9309, 2.2.2: "Implementors MAY bridge encoding mismatches if they detect that the
/// robots.txt file is not UTF-8 encoded." UTF-16 with its mark is such a case.
fn text(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = utf16::decode(bytes) {
        return Cow::Owned(text.into_bytes());
    }
    match bytes {
        // Google's parser also skips a mark that has lost its end.
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => {
            Cow::Borrowed(rest)
        }
        _ => Cow::Borrowed(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(robots: &str, path: &str, expected: &str) {
        let robots = Robots::parse(robots.as_bytes(), "strabo");
        let verdict = robots.verdict(path);
        let told = format!("{} {}", if verdict.allowed { "yes" } else { "no" }, verdict.ground);
        assert_eq!(told.replace("robots.txt ", ""), expected, "{path}");
    }

    #[test]
    fn our_groups_are_merged_and_others_ignored() {
        let robots = "User-agent: Strabo\nDisallow: /a\nUser-agent: other\nDisallow: /b\n\
                      User-agent: *\nDisallow: /c\nUser-agent: STRABO/2.1\nDisallow: /d";
        check(robots, "/a", "no line 2: Disallow: /a");
        check(robots, "/b", "yes has no rule for this path");
        check(robots, "/c", "yes has no rule for this path");
        check(robots, "/d", "no line 8: Disallow: /d");
    }

    #[test]
    fn without_a_group_of_ours_everyones_counts() {
        let robots = "User-agent: other\nDisallow: /b\nUser-agent: *\nDisallow: /c";
        check(robots, "/b", "yes has no rule for this path");
        check(robots, "/c", "no line 4: Disallow: /c");
    }

    #[test]
    fn the_longest_match_wins_and_allow_wins_ties() {
        let robots = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c";
        check(robots, "/a", "no line 2: Disallow: /a");
        check(robots, "/a/b", "yes line 3: Allow: /a/b");
        check(robots, "/a/b/c", "yes line 5: Allow: /a/b/c");
    }

    #[test]
    fn what_is_written_differently_but_means_the_same_is_forbidden() {
        let robots =
            "User-agent: *\nDisallow: /%62az\nDisallow: /~mak\nDisallow: /a b\nDisallow: /x$y";
        check(robots, "/baz", "no line 2: Disallow: /%62az");
        check(robots, "/%62%61z", "no line 2: Disallow: /%62az");
        check(robots, "/%62az", "no line 2: Disallow: /%62az");
        check(robots, "/%7Emak", "no line 3: Disallow: /~mak");
        check(robots, "/a%20b", "no line 4: Disallow: /a b");
        check(robots, "/x%24y", "no line 5: Disallow: /x$y");
        check(robots, "/x$y", "no line 5: Disallow: /x$y");
    }

    #[test]
    fn what_an_encoded_path_means_is_allowed_but_not_what_an_encoded_rule_means() {
        check("User-agent: *\nDisallow: /\nAllow: /~mak", "/%7emak", "yes line 3: Allow: /~mak");
        check("User-agent: *\nDisallow: /\nAllow: /%7Emak", "/~mak", "no line 2: Disallow: /");
        check(
            "User-agent: *\nDisallow: /\nAllow: /%7Emak",
            "/%7emak",
            "yes line 3: Allow: /%7Emak",
        );
    }

    #[test]
    fn the_case_of_hexadecimal_digits_says_nothing() {
        let robots = "User-agent: *\nDisallow: /\nAllow: /%e3%83%84";
        check(robots, "/%E3%83%84", "yes line 3: Allow: /%E3%83%84");
        check(robots, "/%e3%83%84", "yes line 3: Allow: /%E3%83%84");
    }

    #[test]
    fn a_slash_that_is_encoded_is_another_one() {
        check("User-agent: *\nDisallow: /9%2F11", "/9/11", "yes has no rule for this path");
        check("User-agent: *\nDisallow: /9%2f11", "/9%2F11", "no line 2: Disallow: /9%2F11");
    }

    #[test]
    fn an_index_page_that_is_allowed_stands_for_its_folder() {
        let robots = "User-agent: *\nAllow: /maps/index.html\nDisallow: /";
        check(robots, "/maps/", "yes line 2: Allow: /maps/$");
        check(robots, "/maps/index.html", "yes line 2: Allow: /maps/index.html");
        check(robots, "/maps/kiel", "no line 3: Disallow: /");
    }

    #[test]
    fn a_delay_belongs_to_the_agents_right_above_it() {
        let delay = |robots: &str| {
            Robots::parse(robots.as_bytes(), "strabo").crawl_delay().map(|it| it.as_millis())
        };
        assert_eq!(
            delay("User-agent: strabo\nCrawl-delay: 2.5\nUser-agent: a\nCrawl-delay: 9"),
            Some(2500)
        );
        assert_eq!(delay("User-agent: *\nCrawl-delay: 3"), Some(3000));
        assert_eq!(delay("User-agent: *\nCrawl-delay: 3\nUser-agent: strabo\nDisallow: /a"), None);
        assert_eq!(
            delay("User-agent: *\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 1"),
            Some(3000)
        );
        assert_eq!(delay("User-agent: *\nCrawl-delay: 10<BR>"), Some(10_000));
        assert_eq!(delay("User-agent: *\nCrawl-delay: -1"), None);
        assert_eq!(delay("User-agent: *\nCrawl-delay: inf"), None);
        assert_eq!(delay("User-agent: *\nCrawl-delay: 1e300"), Some(1000));
    }

    #[test]
    fn sitemaps_are_everyones_and_named_once() {
        let robots = "Sitemap: https://a.org/1.xml\nUser-agent: other\nSITEMAP: /2.xml\n\
                      site-map: /2.xml\nhttps://a.org/sitemap3.xml\nhttps://a.org/about";
        let robots = Robots::parse(robots.as_bytes(), "strabo");
        let expected = ["https://a.org/1.xml", "/2.xml", "https://a.org/sitemap3.xml"];
        assert_eq!(robots.sitemaps(), expected);
    }

    #[test]
    fn a_sitemap_does_not_end_a_group() {
        let robots = "User-agent: strabo\nSitemap: /s.xml\nUser-agent: other\nDisallow: /a";
        check(robots, "/a", "no line 4: Disallow: /a");
    }

    #[test]
    fn lines_end_in_every_way_and_are_counted() {
        check("\u{FEFF}User-agent: *\r\n\r\n\rDisallow: /a", "/a", "no line 4: Disallow: /a");
    }

    #[test]
    fn what_is_behind_the_limit_is_ignored_with_the_torn_line() {
        let mut robots = b"User-agent: *\nDisallow: /a\n".to_vec();
        robots.resize(MAX_BYTES - b"Disallow: /b".len(), b'#');
        robots[27..].iter_mut().step_by(80).for_each(|it| *it = b'\n');
        let end = robots.len() - 1;
        robots[end] = b'\n';
        robots.extend_from_slice(b"Disallow: /bottom\nDisallow: /c");
        let read = Robots::parse(&robots, "strabo");
        assert!(!read.allows("/a"));
        assert!(read.allows("/bottom"));
        assert!(read.allows("/c"));
        robots.truncate(MAX_BYTES);
        assert!(!Robots::parse(&robots, "strabo").allows("/b"));
    }

    #[test]
    fn a_robots_txt_in_utf_16_is_read() {
        let bytes: Vec<u8> = "\u{FEFF}User-agent: *\nDisallow: /é"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert!(!Robots::parse(&bytes, "strabo").allows("/%C3%A9"));
    }

    #[test]
    fn equal_rules_are_kept_once() {
        let robots = "User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /a\nDisallow:";
        assert_eq!(Robots::parse(robots.as_bytes(), "strabo").rules.len(), 2);
    }

    #[test]
    fn an_empty_token_matches_no_group() {
        let robots = Robots::parse(b"User-agent: 42\nDisallow: /", "");
        assert!(robots.allows("/"));
    }

    #[test]
    fn ten_thousand_rules_with_stars_do_not_slow_us_down() {
        let mut robots = "User-agent: *\n".to_owned();
        for number in 0..10_000 {
            robots.push_str(&format!("Disallow: /*a*a*a*a*a*a*a*{number}$\n"));
        }
        let robots = Robots::parse(robots.as_bytes(), "strabo");
        assert!(robots.allows(&format!("/{}", "a".repeat(2000))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_robots_txt(bytes: Vec<u8>, path: String) {
            Robots::parse(&bytes, "strabo").verdict(&path);
        }

        #[test]
        fn of_all_rules_that_match_the_longest_counts(
            rules in prop::collection::vec(("/[ab*]{0,4}[$]?", any::<bool>()), 0..8),
            path in "/[ab]{0,5}",
        ) {
            let key = |allows| if allows { "Allow" } else { "Disallow" };
            let lines = rules.iter().map(|(pattern, allows)| format!("{}: {pattern}\n", key(*allows)));
            let text = format!("User-agent: *\n{}", lines.collect::<String>());
            let matching = rules.iter().filter(|(pattern, _)| pattern::matches(pattern, &path));
            let expected = matching.max_by_key(|(pattern, allows)| (pattern.len(), *allows));
            let robots = Robots::parse(text.as_bytes(), "strabo");
            prop_assert_eq!(robots.allows(&path), expected.is_none_or(|it| it.1));
        }

        #[test]
        fn almost_a_robots_txt_survives_storing(
            robots in "((User-agent|Disallow|Allow|Crawl-delay|Sitemap):? ?[*/a%2~$ é.]{0,8}[\r\n]){0,12}",
            path in "/[a%2~$*é.]{0,8}",
        ) {
            let robots = Robots::parse(robots.as_bytes(), "a");
            let stored = serde_json::to_string(&robots).expect("it can be stored");
            let restored: Robots = serde_json::from_str(&stored).expect("it can be read");
            prop_assert_eq!(&robots, &restored);
            prop_assert_eq!(robots.allows(&path), restored.allows(&path));
        }
    }
}
