//! Which links belong to a crawl at all.

mod depth;
mod glob;
mod language;
mod names;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use url::Url;

pub use glob::Glob;

/// What a crawl takes in, as it stands in a task file. Where nothing is said, everything is.
///
/// Of the rules for hosts the narrowest that speaks of a host decides: a rule for the host before
/// one for its domain, that before one for its top-level domain. At the same width denying wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scope {
    /// Without colon. Usually both `http` and `https`.
    pub schemes: BTreeSet<String>,
    /// If it names hosts, only those are in scope; if it names paths, only those.
    pub allow: Selection,
    /// What is out of scope.
    pub deny: Selection,
    /// ISO 639-1 codes. Links that state another language in host, path or parameter, or by `hreflang`,
    /// are out of scope; those that state none are in. Empty: all.
    #[serde(deserialize_with = "language::read")]
    pub languages: BTreeSet<String>,
    /// How many links may lie between a seed and a page.
    pub depth: Option<u32>,
    /// How many links deep a host is followed since it was entered; "unlimited" is nothing here.
    #[serde(serialize_with = "depth::write", deserialize_with = "depth::read")]
    pub depth_in_host: Option<u32>,
    /// Whether links with parameters are followed.
    pub parameters: bool,
    /// How many URLs of one host are taken.
    pub urls_per_host: Option<u64>,
}

/// Hosts and paths that a scope names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// Public suffixes, such as `de` and `co.uk`.
    #[serde(deserialize_with = "names::read")]
    pub tlds: BTreeSet<String>,
    /// Registered domains, with all hosts below them.
    #[serde(deserialize_with = "names::read")]
    pub domains: BTreeSet<String>,
    /// Single hosts.
    #[serde(deserialize_with = "names::read")]
    pub hosts: BTreeSet<String>,
    /// Patterns as in robots.txt, of the path with its query: `/shop/`, `*.php`, `/a/*/b$`.
    pub paths: Vec<Glob>,
}

/// A link that a scope is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// In its normal form.
    pub url: &'a Url,
    /// How many links lie between a seed and it.
    pub depth: u32,
    /// How many of these lie in its host, since that was entered.
    pub depth_in_host: u32,
    /// How many URLs of its host have been taken already.
    pub urls_of_host: u64,
}

/// Why a link is out of scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutOfScope {
    /// Its scheme is not among those of the scope.
    #[error("the scheme {0} is not in scope")]
    Scheme(String),
    /// Its host is denied, or others are allowed.
    #[error("host {0} is not in scope")]
    Host(String),
    /// A pattern denies its path.
    #[error("path {path} is denied by {pattern}")]
    PathDenied {
        /// With the query.
        path: String,
        /// That of the scope.
        pattern: String,
    },
    /// No pattern allows its path.
    #[error("path {0} is not among those in scope")]
    PathNotAllowed(String),
    /// It states a language that the scope does not name.
    #[error("language {0} is not in scope")]
    Language(String),
    /// It lies too far from the seeds.
    #[error("{depth} links from a seed, at most {most} are in scope")]
    Depth {
        /// That of the link.
        depth: u32,
        /// That of the scope.
        most: u32,
    },
    /// It lies too deep within its host.
    #[error("{depth} links deep in its host, at most {most} are in scope")]
    DepthInHost {
        /// That of the link.
        depth: u32,
        /// That of the scope.
        most: u32,
    },
    /// It has parameters, and the scope takes none.
    #[error("parameters are not in scope")]
    Parameters,
    /// Enough URLs of its host have been taken.
    #[error("host {host} has given its {most} URLs")]
    HostFull {
        /// That of the link.
        host: String,
        /// How many the scope takes.
        most: u64,
    },
}

impl OutOfScope {
    /// One word for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Scheme(_) => "scheme",
            Self::Host(_) => "host",
            Self::PathDenied { .. } | Self::PathNotAllowed(_) => "path",
            Self::Language(_) => "language",
            Self::Depth { .. } => "depth",
            Self::DepthInHost { .. } => "depth_in_host",
            Self::Parameters => "parameters",
            Self::HostFull { .. } => "host_full",
        }
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            schemes: ["http", "https"].map(str::to_owned).into(),
            allow: Selection::default(),
            deny: Selection::default(),
            languages: BTreeSet::new(),
            depth: None,
            // Enough for section, subsection, list, page and one more; what lies deeper is mostly
            // lists of lists, and traps have no other bottom.
            depth_in_host: Some(5),
            parameters: true,
            urls_per_host: None,
        }
    }
}

impl Scope {
    /// Whether the link belongs to the crawl; if not, the first reason why.
    pub fn judge(&self, candidate: &Candidate) -> Result<(), OutOfScope> {
        let url = candidate.url;
        if !self.schemes.contains(url.scheme()) {
            return Err(OutOfScope::Scheme(url.scheme().to_owned()));
        }
        let host = url.host_str().unwrap_or_default();
        if !self.takes_host(host) {
            return Err(OutOfScope::Host(host.to_owned()));
        }
        self.judge_depth(candidate)?;
        if !self.parameters && url.query().is_some() {
            return Err(OutOfScope::Parameters);
        }
        self.judge_path(url)?;
        self.judge_language(url)?;
        match self.urls_per_host {
            Some(most) if candidate.urls_of_host >= most => {
                Err(OutOfScope::HostFull { host: host.to_owned(), most })
            }
            _ => Ok(()),
        }
    }

    /// Whether pages in the language of a tag such as `de-AT` are in scope; one that names none is.
    pub fn takes_language(&self, tag: &str) -> bool {
        let is_taken = |it: String| self.languages.contains(&it);
        self.languages.is_empty() || language::language(tag).is_none_or(is_taken)
    }

    fn takes_host(&self, host: &str) -> bool {
        let said = [
            (self.deny.hosts.contains(host), self.allow.hosts.contains(host)),
            (holds_end(&self.deny.domains, host), holds_end(&self.allow.domains, host)),
            (holds_end(&self.deny.tlds, host), holds_end(&self.allow.tlds, host)),
        ];
        let decided = said.into_iter().find(|(denied, allowed)| *denied || *allowed);
        decided.map_or(!self.allow.names_hosts(), |(denied, _)| !denied)
    }

    fn judge_depth(&self, candidate: &Candidate) -> Result<(), OutOfScope> {
        if let Some(most) = self.depth.filter(|it| candidate.depth > *it) {
            return Err(OutOfScope::Depth { depth: candidate.depth, most });
        }
        match self.depth_in_host {
            Some(most) if candidate.depth_in_host > most => {
                Err(OutOfScope::DepthInHost { depth: candidate.depth_in_host, most })
            }
            _ => Ok(()),
        }
    }

    fn judge_path(&self, url: &Url) -> Result<(), OutOfScope> {
        if self.allow.paths.is_empty() && self.deny.paths.is_empty() {
            return Ok(());
        }
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        if let Some(glob) = self.deny.paths.iter().find(|it| it.matches(path)) {
            let pattern = glob.to_string();
            return Err(OutOfScope::PathDenied { path: path.to_owned(), pattern });
        }
        let is_allowed =
            self.allow.paths.is_empty() || self.allow.paths.iter().any(|it| it.matches(path));
        if is_allowed { Ok(()) } else { Err(OutOfScope::PathNotAllowed(path.to_owned())) }
    }

    fn judge_language(&self, url: &Url) -> Result<(), OutOfScope> {
        if self.languages.is_empty() {
            return Ok(());
        }
        match language::stated(url).filter(|it| !self.languages.contains(*it)) {
            Some(language) => Err(OutOfScope::Language(language.to_owned())),
            None => Ok(()),
        }
    }
}

impl Selection {
    fn names_hosts(&self) -> bool {
        !(self.tlds.is_empty() && self.domains.is_empty() && self.hosts.is_empty())
    }
}

/// Whether the set holds the host, or one of the domains that it is part of.
fn holds_end(set: &BTreeSet<String>, host: &str) -> bool {
    let mut end = Some(host).filter(|_| !set.is_empty());
    while let Some(name) = end {
        if set.contains(name) {
            return true;
        }
        end = name.split_once('.').map(|it| it.1);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(json: &str) -> Scope {
        serde_json::from_str(json).unwrap()
    }

    fn judge(json: &str, url: &str) -> Result<(), OutOfScope> {
        let url = Url::parse(url).unwrap();
        scope(json).judge(&Candidate { url: &url, depth: 3, depth_in_host: 3, urls_of_host: 3 })
    }

    #[track_caller]
    fn check_in(json: &str, url: &str) {
        assert_eq!(judge(json, url), Ok(()));
    }

    #[track_caller]
    fn check_out(json: &str, url: &str, expected: &str) {
        assert_eq!(judge(json, url).unwrap_err().to_string(), expected);
    }

    #[test]
    fn where_nothing_is_said_every_link_is_in_scope() {
        check_in("{}", "https://example.org/a?b=1");
    }

    #[test]
    fn what_is_allowed_leaves_the_rest_out() {
        let json = r#"{"allow": {"tlds": [".de"], "domains": ["example.org"]}}"#;
        check_in(json, "https://stadt.example.de/");
        check_in(json, "https://www.example.org/");
        check_out(json, "https://notexample.org/", "host notexample.org is not in scope");
        check_out(json, "https://example.com/", "host example.com is not in scope");
    }

    #[test]
    fn the_narrowest_rule_decides() {
        let json = r#"{"allow": {"domains": ["example.org"]}, "deny": {"tlds": ["org"], "hosts": ["shop.example.org"]}}"#;
        check_in(json, "https://www.example.org/");
        check_out(json, "https://shop.example.org/", "host shop.example.org is not in scope");
        check_out(json, "https://other.org/", "host other.org is not in scope");
        check_out(json, "https://example.com/", "host example.com is not in scope");
    }

    #[test]
    fn names_are_read_in_any_spelling() {
        let json = r#"{"allow": {"domains": ["BÜCHER.example"]}}"#;
        check_in(json, "https://xn--bcher-kva.example/");
        let wrong = serde_json::from_str::<Scope>(r#"{"deny": {"hosts": ["a b"]}}"#).unwrap_err();
        assert!(wrong.to_string().starts_with("\"a b\" is not the name of a host"), "{wrong}");
    }

    #[test]
    fn paths_are_patterns() {
        let json =
            r#"{"allow": {"paths": ["/de/"]}, "deny": {"paths": ["*.php", "/de/*/print$"]}}"#;
        check_in(json, "https://example.org/de/a");
        check_out(
            json,
            "https://example.org/de/a/print",
            "path /de/a/print is denied by /de/*/print$",
        );
        check_out(
            json,
            "https://example.org/de/a.php?b=1",
            "path /de/a.php?b=1 is denied by *.php",
        );
        check_out(json, "https://example.org/en/", "path /en/ is not among those in scope");
    }

    #[test]
    fn depth_ends_the_scope() {
        check_out(
            r#"{"depth": 2}"#,
            "https://a.example/",
            "3 links from a seed, at most 2 are in scope",
        );
        check_out(
            r#"{"depth_in_host": 2}"#,
            "https://a.example/",
            "3 links deep in its host, at most 2 are in scope",
        );
        check_in(r#"{"depth": 3, "depth_in_host": 3}"#, "https://a.example/");
    }

    #[test]
    fn a_host_can_be_followed_to_its_bottom() {
        let url = Url::parse("https://a.example/").unwrap();
        let deep = Candidate { url: &url, depth: 0, depth_in_host: 600, urls_of_host: 0 };
        assert!(scope("{}").judge(&deep).is_err());
        let unlimited = scope(r#"{"depth_in_host": "unlimited"}"#);
        assert_eq!(unlimited.judge(&deep), Ok(()));
        assert_eq!(scope(r#"{"depth_in_host": null}"#), unlimited);
        let written = serde_json::to_string(&unlimited).unwrap();
        assert!(written.contains(r#""depth_in_host":"unlimited""#), "{written}");
        assert_eq!(scope(&written), unlimited);
    }

    #[test]
    fn a_depth_is_a_number_or_unlimited() {
        let told = |json: &str| serde_json::from_str::<Scope>(json).unwrap_err().to_string();
        let way_out = "expected a number of links, or \"unlimited\"";
        for wrong in [r#""endless""#, "-1", "5000000000", "1.5"] {
            let json = format!(r#"{{"depth_in_host": {wrong}}}"#);
            let told = told(&json);
            assert!(told.contains(way_out), "{told}");
        }
    }

    #[test]
    fn a_host_gives_so_many_urls_and_no_more() {
        check_in(r#"{"urls_per_host": 4}"#, "https://a.example/");
        check_out(
            r#"{"urls_per_host": 3}"#,
            "https://a.example/",
            "host a.example has given its 3 URLs",
        );
    }

    #[test]
    fn schemes_parameters_and_languages_can_be_left_out() {
        check_out(
            r#"{"schemes": ["https"]}"#,
            "http://a.example/",
            "the scheme http is not in scope",
        );
        check_out(r#"{"parameters": false}"#, "http://a.example/?b", "parameters are not in scope");
        check_out(
            r#"{"languages": ["de"]}"#,
            "http://a.example/en/b",
            "language en is not in scope",
        );
        check_in(r#"{"languages": ["de"]}"#, "http://a.example/b");
    }

    #[test]
    fn languages_may_be_written_as_tags_and_are_checked() {
        check_in(r#"{"languages": ["de-AT"]}"#, "http://a.example/de/b");
        check_in(r#"{"languages": ["DE"]}"#, "http://a.example/de/b");
        let wrong = serde_json::from_str::<Scope>(r#"{"languages": ["deutsch"]}"#);
        let wrong = wrong.expect_err("it is none").to_string();
        assert!(wrong.starts_with("\"deutsch\" is no code of a language"), "{wrong}");
        let scope = scope(r#"{"languages": ["de"]}"#);
        assert!(scope.takes_language("de-CH") && scope.takes_language("x-default"));
        assert!(!scope.takes_language("en") && Scope::default().takes_language("en"));
    }

    #[test]
    fn a_scope_survives_being_written() {
        let scope = scope(r#"{"allow": {"paths": ["/de/"]}, "depth": 7, "depth_in_host": 0}"#);
        let written = serde_json::to_string(&scope).unwrap();
        assert_eq!(serde_json::from_str::<Scope>(&written).unwrap(), scope);
        assert!(serde_json::from_str::<Scope>(r#"{"dept": 7}"#).is_err());
    }
}
