//! How we read robots.txt, held against the cases of Google's parser and of crawler-commons.

#[path = "conformance/mod.rs"]
mod conformance;

use conformance::{bytes, cases, text};
use fetch::{Robots, Standing, is_product_token};
use serde_json::Value;

#[test]
fn googles_own_cases_come_out_the_same() {
    for case in cases("robots_google_cc.jsonl") {
        let robots = Robots::parse(text(&case, "robots").as_bytes(), text(&case, "agent"));
        check(&case, &robots);
    }
}

#[test]
fn googles_cases_for_the_standard_come_out_the_same() {
    for case in cases("robots_google_spec_test.jsonl") {
        let robots = Robots::parse(&bytes(&case, "robots_b64"), text(&case, "agent"));
        check(&case, &robots);
    }
}

#[track_caller]
fn check(case: &Value, robots: &Robots) {
    let verdict = robots.verdict(&path_and_query(text(case, "url")));
    assert_eq!(Some(verdict.allowed), case["allowed"].as_bool(), "{case} {}", verdict.ground);
}

#[test]
fn valid_product_tokens_are_told_from_others() {
    for case in cases("robots_google_valid_agent.jsonl") {
        let valid = is_product_token(text(&case, "agent"));
        assert_eq!(Some(valid), case["valid"].as_bool(), "{case}");
    }
}

#[test]
fn a_robots_txt_that_did_not_come_means_what_others_take_it_to_mean() {
    for case in cases("robots_failed_fetch.jsonl") {
        let status =
            case["status"].as_u64().and_then(|it| u16::try_from(it).ok()).expect("a status");
        let expected = match (case["allow_all"].as_bool(), case["defer_visits"].as_bool()) {
            (Some(true), Some(false)) => Standing::Unavailable,
            (Some(false), Some(true)) => Standing::Unreachable,
            _ => panic!("an unknown meaning: {case}"),
        };
        assert_eq!(Standing::of(status, b"", "strabo"), expected, "{case}");
    }
}

/// Cases as crawler-commons names them: test, agent, and paths.
type Cases = (&'static str, &'static str, &'static [&'static str]);

/// Where we come to another result than crawler-commons, and why we are content with that.
const DEVIATIONS: [(&str, &[Cases]); 5] = [
    (
        "The agents are no product tokens. RFC 9309, 2.2.1: \"The product token MUST contain only \
         uppercase and lowercase letters, underscores, and hyphens.\" Google's cases want that \
         nobody is called AB42bot.",
        &[
            ("testDirectiveTypos", "bot1", &["/desallow/", "/dissalow/"]),
            ("testDirectiveTypos", "bot2", &["/useragent/"]),
            ("testDirectiveTypos", "bot3", &["/useg-agent/"]),
            ("testDirectiveTypos", "bot4", &["/useragent-no-colon/"]),
            ("testFormatErrors", "bot1", &["/no-colon/", "/whitespace-before-colon/"]),
            ("testFormatErrors", "bot2", &["/no-colon-useragent/"]),
            ("testMultiAgentNames", "crawler2", &["/index.html"]),
            ("testNutchCases", "Agent1", &["/a", "/a/", "/a/bloh/foo.html", "/b/a"]),
            ("testNutchCases", "Agent1", &["/b/a/index.html", "/foo/bar/baz.html"]),
            ("testNutchCases2", "Agent2", &["/d", "/d/a", "/e/d/foo.html", "/foo/bar/baz.html"]),
            ("testNutchCases2", "Agent3", &["/d", "/d/a", "/e/d/foo.html", "/foo/bar/baz.html"]),
            ("testNutchCases2", "Agent4", &["/d", "/d/a", "/e/d/foo.html", "/foo/bar/baz.html"]),
            ("testOverrideUserAgentMatcher", "go!zilla", &["/other/page.html"]),
            ("testUnsupportedFields", "crawler2", &["/anypage.html"]),
        ],
    ),
    (
        "The agents are several words, of which each counts in crawler-commons. A crawler has one \
         product token.",
        &[
            ("GoogleOnly_AcceptUserAgentUpToFirstSpace", "foo bar", &["/x/y"]),
            ("testHeritrixCases", "Mozilla allowbot2 99.9", &["/foo"]),
            ("testHeritrixCases", "Mozilla denybot 99.9", &["/", "/path"]),
            ("testMultiWordAgentName", "Download Ninja", &["/index.html"]),
            ("testNutchCases", "Agent5,Agent2,Agent1,Agent3,*", &["/a", "/a/", "/a/bloh/foo.html"]),
            ("testNutchCases", "Agent5,Agent2,Agent1,Agent3,*", &["/b/a", "/b/a/index.html", "/d"]),
            ("testNutchCases", "Agent5,Agent2,Agent1,Agent3,*", &["/d/a", "/e/d/foo.html"]),
        ],
    ),
    (
        "A user-agent line has several words, of which each counts in crawler-commons. RFC 9309, \
         2.2: \"startgroupline = *WS \"user-agent\" *WS \":\" *WS product-token EOL\". We read the \
         first, as Google's parser does.",
        &[
            ("testMatchingUserAgentNamesHttpHeader", "butterfly", &["/", "/"]),
            ("testSpacesInMultipleUserAgentNames", "Three", &["/fish"]),
            ("testSpacesInMultipleUserAgentNames", "Two", &["/fish"]),
        ],
    ),
    (
        "Google's cases want the contrary for the same files, and where readings differ we take the \
         one that forbids. The path with a raw letter is not a URI.",
        &[("ID_Encoding", "foobot", &["/foo/bar/baz", "/foo/bar/ツ", "/foo/bar/ツ"])],
    ),
    (
        "The delay of an hour means for crawler-commons that nothing is allowed. We tell the delay.",
        &[("testBigCrawlDelay", "bixo", &["/"])],
    ),
];

#[test]
fn what_the_standard_settles_comes_out_as_in_crawler_commons() {
    let cases = cases("robots_crawler_commons.jsonl");
    let mut found = Vec::new();
    for case in &cases {
        let standing = Standing::of(200, &bytes(case, "robots_b64"), token(case));
        let path = path_and_query(text(case, "url"));
        if Some(standing.allows(&path)) != case["allowed"].as_bool() {
            found.push(name(case, &path));
        }
    }
    if !cases.is_empty() {
        hold_against(&DEVIATIONS, found);
    }
}

/// The same for delays and sitemaps.
const DEVIATIONS_BESIDE_RULES: [(&str, &[Cases]); 2] = [
    (
        "The agent is several words, of which each counts in crawler-commons.",
        &[("testHeritrixCases", "Mozilla delaybot 99.9", &[""])],
    ),
    (
        "The delay of an hour means for crawler-commons that nothing is allowed. We tell the delay.",
        &[("testBigCrawlDelay", "bixo", &[""])],
    ),
];

#[test]
fn delays_and_sitemaps_come_out_as_in_crawler_commons() {
    let cases = cases("robots_crawler_commons_meta.jsonl");
    let mut found = Vec::new();
    for case in &cases {
        let robots = Robots::parse(&bytes(case, "robots_b64"), token(case));
        let delay = robots.crawl_delay().map_or(i64::MIN, |it| it.as_millis() as i64);
        let base = url::Url::parse(text(case, "url"));
        let absolute = |it: &String| match &base {
            Ok(base) => base.join(it).map_or(it.clone(), String::from),
            Err(_) => it.clone(),
        };
        let sitemaps: Vec<_> = robots.sitemaps().iter().map(absolute).collect();
        let as_stated = serde_json::json!([delay, sitemaps]);
        if as_stated != serde_json::json!([case["crawl_delay_ms"], case["sitemaps"]]) {
            found.push(name(case, ""));
        }
    }
    if !cases.is_empty() {
        hold_against(&DEVIATIONS_BESIDE_RULES, found);
    }
}

/// The product token of a crawler: in these cases often with a version.
fn token(case: &Value) -> &str {
    let agent = case["agents"][0].as_str().unwrap_or_default();
    agent.split('/').next().unwrap_or_default()
}

fn name(case: &Value, path: &str) -> String {
    let test = text(case, "test").rsplit('.').next().unwrap_or_default();
    format!("{test} {} {path}", case["agents"][0].as_str().unwrap_or_default())
}

/// Fails if a case that is listed comes out the same, or one that is not listed does not.
#[track_caller]
fn hold_against(deviations: &[(&str, &[Cases])], mut found: Vec<String>) {
    let cases = deviations.iter().flat_map(|it| it.1);
    let names = |(test, agent, paths): &Cases| {
        let name = |path| format!("{test} {agent} {path}");
        paths.iter().map(name).collect::<Vec<_>>()
    };
    let mut listed: Vec<_> = cases.flat_map(names).collect();
    listed.sort();
    found.sort();
    assert_eq!(found, listed);
}

/// What a request for the URL sends, taken off without changing its spelling.
fn path_and_query(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |it| it.1);
    let path = rest.find(['/', '?', ';']).map_or("", |at| &rest[at..]);
    path.split('#').next().unwrap_or_default().to_owned()
}
