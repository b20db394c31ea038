//! Whether a URL alone looks like a step into a trap.

use url::Url;

use crate::trap::dates::{self, Month};
use crate::trap::shape::{is_id, is_number};

/// Folders that people make are rarely half as deep.
const MOST_SEGMENTS: usize = 16;

/// Search forms of catalogues have about ten fields; more come from links that add to themselves.
const MOST_PARAMETERS: usize = 12;

/// Programmes and timetables reach a season or two ahead.
const MONTHS_AHEAD: i32 = 18;

/// Before this lies no calendar that was kept on the web. Articles may be older, see there.
const MONTHS_BACK: i32 = 30 * 12;

/// Lists of ten entries reach a hundred thousand of them here, more than a reader turns over.
const LAST_PAGE: u64 = 10_000;

/// The longest loop that is looked for.
const LONGEST_LOOP: usize = 6;

/// Names of parameters and segments that count the pages of a list.
///
/// Not `p`, by which `WordPress` names articles.
const COUNTERS: [&str; 8] =
    ["page", "pg", "paged", "seite", "pagina", "currentpage", "pagenumber", "page_no"];

/// Why a URL looks like a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Suspicion {
    /// The same folders come up again and again, as when a relative link lacks its slash.
    #[error("the path repeats itself")]
    Loop,
    /// The path is deeper than any that people make.
    #[error("the path has more than {MOST_SEGMENTS} segments")]
    Deep,
    /// It has more parameters than any form.
    #[error("there are more than {MOST_PARAMETERS} parameters")]
    Parameters,
    /// It names a day in a future or a past that no calendar was kept for.
    #[error("the date lies too far from today")]
    FarDate,
    /// It is a page of a list that nobody reads so far.
    #[error("it is beyond page {LAST_PAGE} of a list")]
    Counter,
    /// It bears an id that was made for one visit.
    #[error("it bears the id of a session")]
    Session,
}

impl Suspicion {
    /// One word for counting.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Deep => "deep",
            Self::Parameters => "parameters",
            Self::FarDate => "far_date",
            Self::Counter => "counter",
            Self::Session => "session",
        }
    }
}

/// Why the URL, in its normal form, is better not followed. Most have nothing against them.
pub fn suspicion(today: Month, url: &Url) -> Option<Suspicion> {
    let segments: Vec<_> =
        url.path().split('/').filter(|it| !it.is_empty()).take(MOST_SEGMENTS + 1).collect();
    if segments.len() > MOST_SEGMENTS {
        return Some(Suspicion::Deep);
    }
    if has_loop(&segments) {
        return Some(Suspicion::Loop);
    }
    let parameters = || url.query().into_iter().flat_map(|it| it.split('&'));
    if parameters().nth(MOST_PARAMETERS).is_some() {
        return Some(Suspicion::Parameters);
    }
    let pairs = || parameters().filter_map(|it| it.split_once('='));
    if pairs().any(is_session) {
        return Some(Suspicion::Session);
    }
    if pairs().chain(segments.windows(2).map(|it| (it[0], it[1]))).any(is_endless) {
        return Some(Suspicion::Counter);
    }
    is_far(today, url).then_some(Suspicion::FarDate)
}

/// Whether some folders come thrice in a row, or one comes four times at all.
///
/// Numbers may: `/11/11/11` is a date.
fn has_loop(segments: &[&str]) -> bool {
    let is_word = |it: &&&str| !is_number(it);
    let longest = LONGEST_LOOP.min(segments.len() / 3);
    let is_thrice = |length: usize| {
        segments.windows(3 * length).any(|run| {
            let (first, rest) = run.split_at(length);
            first.iter().any(|it| is_word(&it)) && rest.chunks(length).all(|it| it == first)
        })
    };
    let count = |segment: &str| segments.iter().filter(|it| **it == segment).count();
    (1..=longest).any(is_thrice) || segments.iter().filter(is_word).any(|it| count(it) >= 4)
}

fn is_session((name, value): (&str, &str)) -> bool {
    let name = name.to_ascii_lowercase();
    (name.contains("sess") || name.ends_with("sid") || name == "nonce")
        && value.len() >= 16
        && is_id(value)
}

fn is_endless((name, value): (&str, &str)) -> bool {
    let is_counter = COUNTERS.iter().any(|it| name.eq_ignore_ascii_case(it));
    is_counter && is_number(value) && value.parse::<u64>().map_or(true, |it| it > LAST_PAGE)
}

fn is_far(today: Month, url: &Url) -> bool {
    let Some(named) = dates::named(url) else { return false };
    let away = today.until(named);
    away > MONTHS_AHEAD || away < -MONTHS_BACK && !dates::has_title(url)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TODAY: Month = Month { year: 2025, month: 11 };

    #[track_caller]
    fn check(path: &str, expected: Option<Suspicion>) {
        let url = Url::parse(&format!("https://example.org{path}")).unwrap();
        assert_eq!(suspicion(TODAY, &url), expected, "{path}");
    }

    #[test]
    fn a_path_that_comes_thrice_is_a_loop() {
        check("/a/b/a/b/a/b", Some(Suspicion::Loop));
        check("/x/shop/shop/shop/y", Some(Suspicion::Loop));
        check("/a/1/a/2/a/3/a/4", Some(Suspicion::Loop));
        check("/a/b/a/b", None);
        check("/2011/11/11/11", None);
    }

    #[test]
    fn too_much_of_anything_is_suspicious() {
        let path: Vec<_> = (0..17).map(|it| format!("s{it}")).collect();
        check(&format!("/{}", path.join("/")), Some(Suspicion::Deep));
        let query: Vec<_> = (0..13).map(|it| format!("p{it}=1")).collect();
        check(&format!("/?{}", query.join("&")), Some(Suspicion::Parameters));
        check("/list?page=10001", Some(Suspicion::Counter));
        check("/list/page/99999999999999999999999", Some(Suspicion::Counter));
        check("/list?page=400", None);
        check("/artikel/99999999", None);
    }

    #[test]
    fn calendars_end_where_nobody_plans() {
        check("/kalender/2025/12", None);
        check("/kalender/2027/05", None);
        check("/kalender/2027/06", Some(Suspicion::FarDate));
        check("/kalender?year=9731&month=2", Some(Suspicion::FarDate));
        check("/kalender/1970/01", Some(Suspicion::FarDate));
        check("/kalender/2015/01", None);
    }

    #[test]
    fn an_article_may_tell_of_long_ago() {
        check("/1848/03/18/revolution-in-berlin", None);
    }

    #[test]
    fn ids_of_sessions_are_known_by_name_and_look() {
        check("/a?mysess=d41d8cd98f00b204e9800998ecf8427e", Some(Suspicion::Session));
        check("/a?sid=1234", None);
        check("/a?id=d41d8cd98f00b204e9800998ecf8427e", None);
    }

    proptest! {
        #[test]
        fn every_url_is_judged(path in "[a-b0-9/.?&=%_-]{0,120}", other in "\\PC{0,40}") {
            if let Ok(url) = Url::parse(&format!("https://example.org/{path}{other}")) {
                let _ = suspicion(TODAY, &url);
            }
        }
    }
}
