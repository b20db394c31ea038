//! The normal form of a URL, which decides whether two links are the same.
//!
//! What is done is what no server can tell apart, or what hardly any does: a spelling of RFC 3986
//! for the same bytes, and parameters that only follow the visitor about. What may lead to another
//! page stays: `index.html`, `www.`, http beside https, a slash at the end. Where those are the same
//! page the digests of their contents tell.

mod address;
mod path;
mod percent;
mod query;
mod session;
mod tracking;

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use url::{Position, Url};

pub use address::Address;

/// Links longer than this, in their normal form, are not followed. It is what sitemaps may hold
/// (sitemaps.org: "less than 2,048 characters") and servers can be trusted to read; what is longer
/// carries state that no reader would type.
pub const LONGEST: usize = 2_048;

/// A text longer than this is not even read. Tracking alone fills a kilobyte or two, and a letter
/// beyond ASCII grows to six or nine, so that the bound lies well above [`LONGEST`].
const LONGEST_READ: usize = 4 * LONGEST;

/// Why a text is no link that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLink {
    /// It names a place beside another page, and that page is not known.
    #[error("the link is relative and there is no page that it starts from")]
    Relative,
    /// It leads elsewhere than to the web: `mailto:`, `javascript:`, `ftp:`.
    #[error("the scheme {0} is not http or https")]
    Scheme(String),
    /// Where the host should be there is nothing.
    #[error("the link has no host")]
    NoHost,
    /// What stands in the place of the host can never be one.
    #[error("{0} is not the name of a host")]
    BadHost(String),
    /// What stands in the place of the port can never be one.
    #[error("{0} is not a port")]
    BadPort(String),
    /// It is longer than [`LONGEST`].
    #[error("the link has {0} characters, at most {LONGEST} are followed")]
    TooLong(usize),
}

/// What the normal form leaves out beyond what the URL Standard and RFC 3986 make equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a line of a settings file")]
pub struct Rules {
    /// Parameters that tell where a visitor came from, such as `utm_source` and `gclid`.
    pub drop_tracking: bool,
    /// The ids of sessions, in parameters and in the path, where the value looks like one.
    pub drop_sessions: bool,
    /// The order of parameters; the values of one name keep theirs. Off: some servers know their pages
    /// by one order alone. For the frontier two orders are the same link in any case.
    pub sort_parameters: bool,
    /// Slashes beyond the first, but never those of a URL within the path.
    pub collapse_slashes: bool,
    /// `index.html` and its kin. Off: a server may well hold another page under the bare folder.
    pub drop_default_documents: bool,
    /// Whether `example.org/path` is read as `http://example.org/path`. Off, since in a page it is
    /// a path; on for lists that people write by hand.
    pub assume_http: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            drop_tracking: true,
            drop_sessions: true,
            sort_parameters: false,
            collapse_slashes: true,
            drop_default_documents: false,
            assume_http: false,
        }
    }
}

/// The normal form of a whole URL under the usual rules.
pub fn normal_form(text: &str) -> Result<Url, NoLink> {
    Rules::default().normal_form(text)
}

/// The URL as people read it, with the host in its own letters: `http://bücher.de/`.
///
/// Only for showing: hosts that look alike are not told apart.
pub fn readable(url: &Url) -> String {
    let Some(host) = url.host_str().filter(|it| it.contains("xn--")) else {
        return url.as_str().to_owned();
    };
    url.as_str().replacen(host, &url::quirks::domain_to_unicode(host), 1)
}

impl Rules {
    /// The normal form of a whole URL.
    pub fn normal_form(&self, text: &str) -> Result<Url, NoLink> {
        // For whole URLs of the web both parsers lead to the same normal form, and this one makes
        // what is wanted in the end. Ours knows the reason if there is none.
        let url = (text.len() <= LONGEST_READ).then(|| Url::parse(text).ok()).flatten();
        match url.filter(|it| is_web(it.scheme())) {
            Some(url) => self.form_of(url),
            None => self.of_text(text, None),
        }
    }

    /// The normal form of a URL that has been read already.
    pub fn of_url(&self, url: &Url) -> Result<Url, NoLink> {
        let length = url.as_str().len();
        if length > LONGEST_READ {
            return Err(NoLink::TooLong(length));
        }
        if !is_web(url.scheme()) {
            return Err(no_web(url.scheme()));
        }
        self.form_of(url.clone())
    }

    /// The normal form of a reference from the base, as it stands in a page.
    pub fn resolve(&self, base: &Address, reference: &str) -> Result<Url, NoLink> {
        self.of_text(reference, Some(base))
    }

    /// The normal form of a URL that has been read already. One that has no normal form, since its
    /// host is none or it is too long, stays as it is.
    pub fn normalise(&self, url: Url) -> Url {
        self.form_of(url.clone()).unwrap_or(url)
    }

    fn form_of(&self, mut url: Url) -> Result<Url, NoLink> {
        let is_file = url.scheme() == "file";
        let host = url.host_str().or(is_file.then_some("")).ok_or(NoLink::NoHost)?;
        let parts = Parts {
            scheme: url.scheme(),
            host,
            port: url.port(),
            path: url.path(),
            query: url.query(),
        };
        let text = self.spell(&parts)?;
        // Mostly there is nothing to do, or no more than to drop the fragment and some parameters,
        // which costs less than reading anew.
        if text == url.as_str() {
            return Ok(url);
        }
        let rest = text.strip_prefix(&url[..Position::AfterPath]);
        let query = rest.filter(|it| it.is_empty() || it.starts_with('?'));
        let Some(query) = query else { return read(&text) };
        url.set_fragment(None);
        url.set_query(query.strip_prefix('?'));
        Ok(url)
    }

    fn of_text(&self, text: &str, base: Option<&Address>) -> Result<Url, NoLink> {
        if text.len() > LONGEST_READ {
            return Err(NoLink::TooLong(text.len()));
        }
        let address = self.address(text, base)?;
        if !is_web(&address.scheme) {
            return Err(no_web(&address.scheme));
        }
        let parts = Parts {
            scheme: &address.scheme,
            host: address.host.as_deref().unwrap_or_default(),
            port: address.port,
            path: &address.path,
            query: address.query.as_deref(),
        };
        read(&self.spell(&parts)?)
    }

    fn address(&self, text: &str, base: Option<&Address>) -> Result<Address, NoLink> {
        let address = Address::parse(text, base);
        let lacks_scheme = match &address {
            Ok(address) => address.scheme.contains('.'),
            Err(reason) => *reason == NoLink::Relative,
        };
        if self.assume_http && lacks_scheme {
            return Address::parse(&format!("http://{}", text.trim()), None);
        }
        address
    }

    /// User info is left out: a link that bears a password was not meant for the public, and the
    /// page that the public sees is the one without.
    fn spell(&self, parts: &Parts) -> Result<String, NoLink> {
        let mut out = String::with_capacity(parts.path.len() + 64);
        out.push_str(parts.scheme);
        out.push_str("://");
        out.push_str(name_of(parts.host)?);
        if let Some(port) = parts.port {
            write!(out, ":{port}").expect("a string takes every text");
        }
        path::write(self, parts.path, &mut out);
        if let Some(query) = parts.query {
            query::write(self, query, &mut out);
        }
        if out.len() > LONGEST { Err(NoLink::TooLong(out.len())) } else { Ok(out) }
    }
}

fn is_web(scheme: &str) -> bool {
    matches!(scheme, "http" | "https")
}

/// The refusal of a scheme; of a long one its beginning is told.
fn no_web(scheme: &str) -> NoLink {
    NoLink::Scheme(scheme.chars().take(20).collect())
}

/// The parts of a URL that its normal form is made of.
struct Parts<'a> {
    scheme: &'a str,
    host: &'a str,
    port: Option<u16>,
    path: &'a str,
    query: Option<&'a str>,
}

/// The host without the dot of the root. Names that the DNS cannot hold (RFC 1035, section 2.3.4)
/// are refused here, so that nobody waits for them.
fn name_of(host: &str) -> Result<&str, NoLink> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_address = host.is_empty() || host.starts_with('[');
    let can_be = name.len() <= 253 && name.split('.').all(|it| (1..=63).contains(&it.len()));
    if is_address || can_be {
        Ok(name)
    } else {
        Err(NoLink::BadHost(host.chars().take(80).collect()))
    }
}

fn read(text: &str) -> Result<Url, NoLink> {
    Url::parse(text).map_err(|_| NoLink::BadHost(text.chars().take(80).collect()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normal_form(text).map(String::from).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        assert_eq!(normal_form(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn scheme_and_host_are_lower_case_and_default_ports_vanish() {
        check("HTTP://Example.ORG:80/A", "http://example.org/A");
        check("https://example.org:443", "https://example.org/");
        check("https://example.org:8443/", "https://example.org:8443/");
        check("https://BÜCHER.example./", "https://xn--bcher-kva.example/");
    }

    #[test]
    fn fragments_and_user_info_vanish() {
        check("http://anna:secret@example.org/a#top", "http://example.org/a");
    }

    #[test]
    fn a_link_that_browsers_mend_is_mended() {
        let base = Address::parse("https://example.org/a/b", None).unwrap();
        let resolved = Rules::default().resolve(&base, "///other.example/c");
        assert_eq!(resolved.unwrap().as_str(), "https://other.example/c");
    }

    #[test]
    fn what_leads_out_of_the_web_is_refused() {
        check_refused("mailto:anna@example.org", "the scheme mailto is not http or https");
        check_refused("/path", "the link is relative and there is no page that it starts from");
        check_refused("https://", "the link has no host");
        check_refused("https://a..example/", "a..example is not the name of a host");
        check_refused("https://example.org:x/", "x is not a port");
    }

    #[test]
    fn what_is_too_long_is_refused_unless_tracking_made_it_so() {
        let long = "a".repeat(LONGEST);
        let url = format!("https://example.org/{long}");
        check_refused(&url, "the link has 2068 characters, at most 2048 are followed");
        check(&format!("https://example.org/?utm_source={long}"), "https://example.org/");
    }

    #[test]
    fn a_host_without_a_scheme_is_a_link_where_the_rules_say_so() {
        let rules = Rules { assume_http: true, ..Rules::default() };
        let form = |text| rules.normal_form(text).map(String::from).unwrap();
        assert_eq!(form("example.org/a"), "http://example.org/a");
        assert_eq!(form("example.org:8080/a"), "http://example.org:8080/a");
    }

    #[test]
    fn a_url_that_was_read_is_refused_in_the_words_for_its_text() {
        let check = |text: &str| {
            let url = Url::parse(text).expect("a URL");
            let refused = Rules::default().of_url(&url).expect_err("it is no link");
            assert_eq!(Err(refused), normal_form(text));
        };
        check("ab.cd:");
        check(&format!("{}:x", "a".repeat(30)));
        check(&format!("data:{}", "x".repeat(LONGEST_READ)));
        check(&format!("https://example.org/{}", "x".repeat(LONGEST_READ)));
    }

    #[test]
    fn hosts_are_shown_in_their_own_letters() {
        let url = normal_form("http://xn--bcher-kva.example/xn--a").unwrap();
        assert_eq!(readable(&url), "http://bücher.example/xn--a");
    }

    /// Texts that are nearly URLs, so that the parser gets beyond the scheme.
    fn nearly_urls() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[/\\\\.:;?#&=@%\\[\\]()]{1,3}",
            "(%2e|%2E|%2f|%41|%zz|%|\\.\\.|index\\.html|;jsessionid=0123456789ABCDEF)",
            "(utm_source=x|sid=0123456789abcdef0123|\\(S\\(lit3py55t21z5v55vlm25s55\\)\\))",
            "[a-z0-9]{1,4}",
            "\\PC{1,2}",
        ];
        let rest = proptest::collection::vec(piece, 0..16).prop_map(|it| it.concat());
        ("(http|https|file|foo)?:?/{0,3}", rest).prop_map(|(start, rest)| start + &rest)
    }

    fn all_rules() -> impl Strategy<Value = Rules> {
        any::<[bool; 6]>().prop_map(|it| Rules {
            drop_tracking: it[0],
            drop_sessions: it[1],
            sort_parameters: it[2],
            collapse_slashes: it[3],
            drop_default_documents: it[4],
            assume_http: it[5],
        })
    }

    proptest! {
        #[test]
        fn the_normal_form_of_a_normal_form_is_itself(text in nearly_urls(), rules in all_rules()) {
            if let Ok(once) = rules.normal_form(&text) {
                prop_assert_eq!(rules.normal_form(once.as_str()), Ok(once.clone()));
                prop_assert_eq!(&rules.normalise(once.clone()), &once);
                prop_assert!(once.as_str().len() <= LONGEST);
            }
        }

        #[test]
        fn a_url_that_was_read_has_the_form_of_its_text(text in nearly_urls(), rules in all_rules()) {
            // In a list written by hand `example.org:` is a host; in a URL that was read it is a scheme.
            let rules = Rules { assume_http: false, ..rules };
            if let Ok(url) = Url::parse(&text) {
                prop_assert_eq!(rules.of_url(&url), rules.normal_form(url.as_str()));
            }
        }

        #[test]
        fn every_text_is_a_link_or_is_none(text in "\\PC{0,80}", base in nearly_urls()) {
            let _ = normal_form(&text);
            if let Ok(base) = Address::parse(&base, None) {
                let _ = Rules::default().resolve(&base, &text);
            }
        }

        #[test]
        fn what_the_parser_wrote_it_reads_the_same(text in nearly_urls(), base in nearly_urls()) {
            let base = Address::parse(&base, None).ok();
            if let Ok(address) = Address::parse(&text, base.as_ref()) {
                prop_assert_eq!(Address::parse(&address.href(), None), Ok(address));
            }
        }

        #[test]
        fn both_ways_to_the_normal_form_agree(text in nearly_urls()) {
            let rules = Rules::default();
            prop_assert_eq!(rules.normal_form(&text), rules.of_text(&text, None));
        }
    }
}
