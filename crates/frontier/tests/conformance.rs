//! What others expect of URLs, read from a folder beside the repository where it exists.

use std::fs;
use std::path::{Path, PathBuf};

use frontier::{Address, NoLink, Rules, readable};
use serde_json::Value;
use url::Url;

/// Cases of crawler-commons in which we differ, and why we are content with that.
const DEVIATIONS: [(&str, &str); 10] = [
    ("ftp:/", "a URL without a host, which the URL Standard refuses"),
    ("http:////", "a URL without a host, which the URL Standard refuses"),
    ("http:///////", "a URL without a host, which the URL Standard refuses"),
    ("http://a.b.c.xn--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("http://10.0.0.xn--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("http://a.b.c.XN--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("http://a.b.c.Xn--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("http://10.0.0.XN--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("http://10.0.0.xN--pokxncvks", "Punycode that stands for no name: nobody answers there"),
    ("https://xn--/", "Punycode that stands for no name: nobody answers there"),
];

/// Cases in which the expected URL is ours in another spelling, and why we keep to ours.
const OTHER_SPELLINGS: [(&str, &str); 5] = [
    ("file:/path/index.html", "the URL Standard writes file:///"),
    ("file:/var/www/html/////./bar/index.html", "the URL Standard writes file:///"),
    ("file:/var/www/html/foo/../bar/index.html", "the URL Standard writes file:///"),
    ("http://[::ffff:127.0.0.1]/", "the URL Standard writes [::ffff:7f00:1]"),
    ("http://schöne.xn--bcher-kva.de/", "hosts are in Punycode, or else a link has two forms"),
];

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so, and a count is told")]
fn urls_are_read_as_the_standard_reads_them() {
    let Some(cases) = cases("wpt_urltestdata.jsonl") else { return };
    let wrong: Vec<_> = cases.iter().filter_map(misread).collect();
    eprintln!("{} of {} as the URL Standard reads them", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn references_are_resolved_as_crawler_commons_resolves_them() {
    let Some(cases) = cases("url_resolve_crawler_commons.jsonl") else { return };
    for case in &cases {
        let row: Vec<_> = (0..3).map(|at| text(&case["row"][at]).trim_matches('"')).collect();
        let base = Address::parse(row[1], None).ok();
        let resolved = Address::parse(row[0], base.as_ref()).map(|it| it.href());
        assert_eq!(resolved.as_deref(), Ok(row[2]), "{case}");
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so, and a count is told")]
fn urls_have_the_normal_form_that_crawler_commons_gives_them() {
    let Some(cases) = cases("urlnorm_crawler_commons.jsonl") else { return };
    let mut wrong = Vec::new();
    let mut counts = [0; 3];
    for case in &cases {
        let ours = normal_form(text(&case["test"]), text(&case["in"])).ok();
        let likeness = Likeness::between(ours.as_deref(), case["out"].as_str());
        counts[likeness as usize] += 1;
        if likeness != Likeness::told(text(&case["in"])) {
            wrong.push(format!("{case} but {ours:?}"));
        }
    }
    let [equal, same, _] = counts;
    eprintln!("{equal} of {} equal, {same} more the same in another spelling", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!((equal + same) * 100 >= cases.len() * 95);
}

/// How like our normal form is to the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Equal,
    Same,
    Other,
}

impl Likeness {
    fn between(ours: Option<&str>, expected: Option<&str>) -> Self {
        let standard = |url| Address::parse(url, None).ok().map(|it| it.href());
        match (ours, expected) {
            _ if ours == expected => Self::Equal,
            (Some(ours), Some(expected)) if standard(expected).as_deref() == Some(ours) => {
                Self::Same
            }
            _ => Self::Other,
        }
    }

    /// What the lists above say; a case that does better than told must leave its list.
    fn told(given: &str) -> Self {
        if DEVIATIONS.iter().any(|it| it.0 == given) {
            Self::Other
        } else if OTHER_SPELLINGS.iter().any(|it| it.0 == given) {
            Self::Same
        } else {
            Self::Equal
        }
    }
}

/// The normal form in the configuration that the test of crawler-commons has.
fn normal_form(test: &str, given: &str) -> Result<String, NoLink> {
    let rules = Rules { assume_http: true, sort_parameters: true, ..Rules::default() };
    let url = match rules.normal_form(given) {
        // The crawler has no use for other schemes, but whoever has such a URL can normalise it.
        Err(NoLink::Scheme(_)) => {
            Url::parse(given).map(|it| rules.normalise(it)).map_err(|_| NoLink::NoHost)
        }
        other => other,
    }?;
    Ok(if test.ends_with("testHostToUnicode") { readable(&url) } else { url.into() })
}

/// What is wrong with our reading of the case.
fn misread(case: &Value) -> Option<String> {
    let given = text(&case["input"]);
    let base = case["base"].as_str().map(|it| Address::parse(it, None)).transpose();
    let address = base.and_then(|base| Address::parse(given, base.as_ref()));
    let Ok(address) = address else {
        return case["href"].as_str().map(|href| format!("{given:?} is {href}, not refused"));
    };
    if case["failure"].as_bool() == Some(true) {
        return Some(format!("{given:?} is to be refused, not {}", address.href()));
    }
    let differs = |(part, ours): &(&str, String)| case[*part].as_str().is_some_and(|it| it != ours);
    let (part, ours) = parts(&address).into_iter().find(differs)?;
    Some(format!("{part} of {given:?} is {}, not {ours}", case[part]))
}

fn parts(address: &Address) -> [(&'static str, String); 12] {
    let hostname = address.host.clone().unwrap_or_default();
    let port = address.port.map(|it| it.to_string()).unwrap_or_default();
    let signed = |sign: char, part: &Option<String>| {
        part.as_ref()
            .filter(|it| !it.is_empty())
            .map(|it| format!("{sign}{it}"))
            .unwrap_or_default()
    };
    let query = address.query.as_deref().unwrap_or_default();
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    [
        ("href", address.href()),
        ("origin", address.origin()),
        ("protocol", format!("{}:", address.scheme)),
        ("username", address.username.clone()),
        ("password", address.password.clone()),
        ("host", format!("{hostname}{}", signed(':', &Some(port.clone())))),
        ("hostname", hostname),
        ("port", port),
        ("pathname", address.path.clone()),
        ("search", signed('?', &address.query)),
        (
            "searchParams",
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish(),
        ),
        ("hash", signed('#', &address.fragment)),
    ]
}

#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn cases(file: &str) -> Option<Vec<Value>> {
    let folder: PathBuf =
        Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
            .join("../../../shared/conformance");
    let Ok(lines) = fs::read_to_string(folder.join(file)) else {
        eprintln!("skipped: no {file} in ../shared/conformance");
        return None;
    };
    Some(lines.lines().map(|it| serde_json::from_str(it).expect("a line is JSON")).collect())
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
