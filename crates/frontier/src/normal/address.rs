//! A URL in its parts, as the parser of the URL Standard gives them.
//!
//! It stands beside the `url` crate, which misses one in thirteen of the standard's own test cases,
//! among them links that browsers follow (`///host/path`, hosts like `xn--`). Following the state
//! machine of <https://url.spec.whatwg.org/#url-parsing>, of which each method is a state or two.

use std::borrow::Cow;

use url::Host;

use crate::normal::NoLink;
use crate::normal::percent::{self, encode};

/// A URL of any scheme in its parts, spelled as the URL Standard spells them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// In lower case, without the colon.
    pub scheme: Cow<'static, str>,
    /// Empty where there is none.
    pub username: String,
    /// Empty where there is none.
    pub password: String,
    /// None where the URL has no `//`; empty is another thing: `file:///path`.
    pub host: Option<String>,
    /// None where it is that of the scheme.
    pub port: Option<u16>,
    /// With the slash before each segment, unless the path is opaque.
    pub path: String,
    /// Whether the path has no segments, as in `mailto:somebody`.
    pub is_opaque: bool,
    /// Without the question mark.
    pub query: Option<String>,
    /// Without the hash.
    pub fragment: Option<String>,
}

impl Address {
    /// Reads the text as a URL, or as a reference from the base to another one.
    pub fn parse(text: &str, base: Option<&Self>) -> Result<Self, NoLink> {
        let text = without_breaks(text.trim_matches(|letter| letter <= ' '));
        match split_scheme(&text) {
            Some((scheme, rest)) => Self::of_scheme(scheme).after_scheme(rest, base),
            None => Self::without_scheme(&text, base.ok_or(NoLink::Relative)?),
        }
    }

    /// The URL as one text.
    pub fn href(&self) -> String {
        let mut out = String::with_capacity(16 + self.path.len());
        out.push_str(&self.scheme);
        out.push(':');
        if let Some(host) = &self.host {
            out.push_str("//");
            self.write_user_info(&mut out);
            out.push_str(host);
            if let Some(port) = self.port {
                out.push_str(&format!(":{port}"));
            }
        } else if !self.is_opaque && self.path.starts_with("//") {
            // Without this the path would be read as a host.
            out.push_str("/.");
        }
        out.push_str(&self.path);
        for (sign, part) in [('?', &self.query), ('#', &self.fragment)] {
            if let Some(part) = part {
                out.push(sign);
                out.push_str(part);
            }
        }
        out
    }

    /// The origin as one text, `null` where the scheme has none.
    pub fn origin(&self) -> String {
        if self.scheme == "blob" {
            let inner = Self::parse(&self.path, None).ok().filter(Self::is_web);
            return inner.map_or_else(|| "null".to_owned(), |it| it.origin());
        }
        let host = self.host.as_deref().unwrap_or_default();
        match self.port {
            _ if !self.is_special() || self.is_file() => "null".to_owned(),
            Some(port) => format!("{}://{host}:{port}", self.scheme),
            None => format!("{}://{host}", self.scheme),
        }
    }

    /// Whether the scheme is http or https.
    pub fn is_web(&self) -> bool {
        matches!(&*self.scheme, "http" | "https")
    }

    fn write_user_info(&self, out: &mut String) {
        if self.username.is_empty() && self.password.is_empty() {
            return;
        }
        out.push_str(&self.username);
        if !self.password.is_empty() {
            out.push(':');
            out.push_str(&self.password);
        }
        out.push('@');
    }

    fn is_file(&self) -> bool {
        self.scheme == "file"
    }

    fn is_special(&self) -> bool {
        matches!(&*self.scheme, "http" | "https" | "file" | "ftp" | "ws" | "wss")
    }

    fn is_slash(&self, letter: char) -> bool {
        letter == '/' || letter == '\\' && self.is_special()
    }

    fn of_scheme(scheme: &str) -> Self {
        let scheme = ["https", "http"]
            .into_iter()
            .find(|it| scheme.eq_ignore_ascii_case(it))
            .map_or_else(|| Cow::Owned(scheme.to_ascii_lowercase()), Cow::Borrowed);
        Self { scheme, ..Self::default() }
    }

    fn after_scheme(mut self, rest: &str, base: Option<&Self>) -> Result<Self, NoLink> {
        let same = base.filter(|it| it.scheme == self.scheme);
        if self.is_file() {
            return self.file(rest, same);
        }
        if self.is_special() {
            return match same {
                Some(base) if !rest.starts_with("//") => self.relative(rest, base),
                _ => self.authority(after_slashes(rest)),
            };
        }
        if let Some(rest) = rest.strip_prefix("//") {
            return self.authority(rest);
        }
        if let Some(rest) = rest.strip_prefix('/') {
            return Ok(self.segments(rest));
        }
        self.is_opaque = true;
        Ok(self.opaque(rest))
    }

    fn without_scheme(text: &str, base: &Self) -> Result<Self, NoLink> {
        if base.is_opaque {
            let is_fragment = text.starts_with('#');
            return if is_fragment { Ok(base.clone().tail(text)) } else { Err(NoLink::Relative) };
        }
        let address = Self { scheme: base.scheme.clone(), ..Self::default() };
        if base.is_file() { address.file(text, Some(base)) } else { address.relative(text, base) }
    }

    fn relative(mut self, text: &str, base: &Self) -> Result<Self, NoLink> {
        let mut letters = text.chars();
        let first = letters.next();
        if !first.is_some_and(|it| self.is_slash(it)) {
            self.take_authority(base);
            return Ok(self.beside(text, base));
        }
        let rest = letters.as_str();
        if rest.starts_with(|it| self.is_slash(it)) {
            let host = if self.is_special() { after_slashes(rest) } else { &rest[1..] };
            return self.authority(host);
        }
        self.take_authority(base);
        Ok(self.segments(rest))
    }

    fn take_authority(&mut self, base: &Self) {
        self.username.clone_from(&base.username);
        self.password.clone_from(&base.password);
        self.host.clone_from(&base.host);
        self.port = base.port;
    }

    /// What the reference names that begins in the folder of the base.
    fn beside(mut self, text: &str, base: &Self) -> Self {
        self.path.clone_from(&base.path);
        match text.chars().next() {
            None | Some('?' | '#') => {
                self.query.clone_from(&base.query);
                self.tail(text)
            }
            Some(_) if self.is_file() && begins_with_drive(text) => {
                self.path.clear();
                self.segments(text)
            }
            Some(_) => {
                self.shorten();
                self.segments(text)
            }
        }
    }

    fn authority(mut self, text: &str) -> Result<Self, NoLink> {
        let end = text.find(|it| matches!(it, '?' | '#') || self.is_slash(it));
        let (authority, rest) = text.split_at(end.unwrap_or(text.len()));
        let host_and_port = match authority.rsplit_once('@') {
            Some((_, "")) => return Err(NoLink::NoHost),
            Some((user_info, host)) => {
                let (username, password) = user_info.split_once(':').unwrap_or((user_info, ""));
                encode(percent::of_user_info, username, &mut self.username);
                encode(percent::of_user_info, password, &mut self.password);
                host
            }
            None => authority,
        };
        let (host, port) = split_port(host_and_port);
        if host.is_empty() && (port.is_some() || self.is_special()) {
            return Err(NoLink::NoHost);
        }
        self.host = Some(self.host_of(host)?);
        self.port = read_port(port.unwrap_or_default())?.filter(|it| !self.is_default(*it));
        Ok(self.path_start(rest))
    }

    fn is_default(&self, port: u16) -> bool {
        matches!((&*self.scheme, port), ("http" | "ws", 80) | ("https" | "wss", 443) | ("ftp", 21))
    }

    fn host_of(&self, text: &str) -> Result<String, NoLink> {
        if self.is_special() {
            return domain(text);
        }
        Ok(Host::parse_opaque(text).map_err(|_| bad_host(text))?.to_string())
    }

    fn path_start(self, rest: &str) -> Self {
        let after = rest.strip_prefix(|it| self.is_slash(it));
        match after {
            None if !self.is_special() => self.tail(rest),
            _ => self.segments(after.unwrap_or(rest)),
        }
    }

    fn file(mut self, text: &str, base: Option<&Self>) -> Result<Self, NoLink> {
        self.host = Some(base.and_then(|it| it.host.clone()).unwrap_or_default());
        let Some(rest) = text.strip_prefix(['/', '\\']) else {
            return Ok(match base {
                Some(base) => self.beside(text, base),
                None => self.segments(text),
            });
        };
        if let Some(rest) = rest.strip_prefix(['/', '\\']) {
            return self.file_host(rest);
        }
        let drive = base.and_then(|it| it.path.get(..3)).filter(|it| is_drive(&it[1..], ":"));
        let drive = drive.filter(|it| {
            !begins_with_drive(rest) && base.is_some_and(|base| is_whole_segment(base, it))
        });
        self.path.push_str(drive.unwrap_or_default());
        Ok(self.segments(rest))
    }

    fn file_host(mut self, text: &str) -> Result<Self, NoLink> {
        let end = text.find(['/', '\\', '?', '#']).unwrap_or(text.len());
        let (host, rest) = text.split_at(end);
        self.host = Some(String::new());
        if is_drive(host, ":|") {
            return Ok(self.segments(text));
        }
        if !host.is_empty() {
            self.host =
                Some(domain(host)?).map(|it| if it == "localhost" { String::new() } else { it });
        }
        Ok(self.path_start(rest))
    }

    /// The path from behind its first slash, and what follows it.
    fn segments(mut self, text: &str) -> Self {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let is_special = self.is_special();
        let mut segments = path.split(|it| it == '/' || it == '\\' && is_special).peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            let dots = dots(segment);
            if dots == 2 {
                self.shorten();
            }
            if dots == 0 {
                self.push_segment(segment);
            } else if is_last {
                self.path.push('/');
            }
        }
        self.tail(rest)
    }

    fn push_segment(&mut self, segment: &str) {
        let is_drive = self.is_file() && self.path.is_empty() && is_drive(segment, ":|");
        self.path.push('/');
        if is_drive {
            self.path.push_str(&segment[..1]);
            self.path.push(':');
        } else {
            encode(percent::of_path, segment, &mut self.path);
        }
    }

    /// Takes the last segment away, but never the drive of a file.
    fn shorten(&mut self) {
        if self.is_file() && self.path.get(1..).is_some_and(|it| is_drive(it, ":")) {
            return;
        }
        self.path.truncate(self.path.rfind('/').unwrap_or(0));
    }

    fn opaque(mut self, text: &str) -> Self {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let blank = path.strip_suffix(' ').filter(|_| !rest.is_empty());
        encode(percent::of_opaque, blank.unwrap_or(path), &mut self.path);
        self.path.push_str(if blank.is_some() { "%20" } else { "" });
        self.tail(rest)
    }

    /// Query and fragment, if the text begins with them.
    fn tail(mut self, text: &str) -> Self {
        let (before, fragment) = match text.split_once('#') {
            Some((before, fragment)) => (before, Some(fragment)),
            None => (text, None),
        };
        let set = if self.is_special() { percent::of_special_query } else { percent::of_query };
        if let Some(query) = before.strip_prefix('?') {
            self.query = Some(encoded(set, query));
        }
        self.fragment = fragment.map(|it| encoded(percent::of_fragment, it));
        self
    }
}

fn encoded(set: percent::Set, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    encode(set, text, &mut out);
    out
}

fn without_breaks(text: &str) -> Cow<'_, str> {
    if text.contains(['\t', '\n', '\r']) {
        Cow::Owned(text.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(text)
    }
}

fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '+' | '-' | '.'))?;
    let rest = text[end..].strip_prefix(':')?;
    text.starts_with(|it: char| it.is_ascii_alphabetic()).then_some((&text[..end], rest))
}

fn after_slashes(text: &str) -> &str {
    text.trim_start_matches(['/', '\\'])
}

/// Host and port; the colons of an address in brackets are its own.
fn split_port(text: &str) -> (&str, Option<&str>) {
    let mut is_inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => is_inside = true,
            b']' => is_inside = false,
            b':' if !is_inside => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

fn read_port(text: &str) -> Result<Option<u16>, NoLink> {
    let digits = text.trim_start_matches('0');
    if text.is_empty() {
        return Ok(None);
    }
    let is_number = text.bytes().all(|it| it.is_ascii_digit());
    let port = if digits.is_empty() { Some(0) } else { digits.parse().ok() };
    port.filter(|_| is_number).map(Some).ok_or_else(|| NoLink::BadPort(short(text)))
}

/// The host of a special scheme: a name in Punycode, or an address.
fn domain(text: &str) -> Result<String, NoLink> {
    if is_plain(text) {
        return Ok(text.to_ascii_lowercase());
    }
    match Host::parse(text) {
        Ok(host) => Ok(host.to_string()),
        Err(_) => unchecked(text).ok_or_else(|| bad_host(text)),
    }
}

/// Whether lower case is all that the name needs: no escapes, no Punycode to check, no numbers at
/// its end that might make it an address.
fn is_plain(text: &str) -> bool {
    let end = text.strip_suffix('.').unwrap_or(text);
    let last = end.rsplit('.').next().unwrap_or_default();
    let has_letters =
        text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'-' | b'_'));
    has_letters && last.starts_with(|it: char| it.is_ascii_alphabetic()) && !has_punycode(text)
}

fn has_punycode(text: &str) -> bool {
    text.split('.').any(|it| it.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("xn--")))
}

/// The name of a host in ASCII with Punycode that stands for nothing. The standard lets it pass,
/// as browsers do, while the `url` crate does not.
fn unchecked(text: &str) -> Option<String> {
    let name = String::from_utf8(percent::decode(text)).ok().filter(|it| it.is_ascii())?;
    let without = name.split('.').map(|it| if has_punycode(it) { &it[4..] } else { it });
    let rest: Vec<_> = without.map(|it| if it.is_empty() { "x" } else { it }).collect();
    // The rest of the name keeps to the rules that hold for every name.
    let is_name =
        has_punycode(&name) && matches!(Host::parse(&rest.join(".")), Ok(Host::Domain(_)));
    is_name.then(|| name.to_ascii_lowercase())
}

fn bad_host(text: &str) -> NoLink {
    NoLink::BadHost(short(text))
}

/// Enough of the text to know it again in a log.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// How many dots the segment consists of, if it is one of those that lead elsewhere.
fn dots(segment: &str) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() && count < 3 {
        let encoded = rest.get(..3).filter(|it| it.eq_ignore_ascii_case("%2e"));
        let length = if encoded.is_some() { 3 } else { 1 };
        if encoded.is_none() && !rest.starts_with('.') {
            return 0;
        }
        rest = &rest[length..];
        count += 1;
    }
    if rest.is_empty() && count < 3 { count } else { 0 }
}

/// Whether the text is a letter and one of the signs, as in `C:` or `C|`.
fn is_drive(text: &str, signs: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|it| it.is_ascii_alphabetic())
        && letters.next().is_some_and(|it| signs.contains(it))
        && letters.as_str().is_empty()
}

fn begins_with_drive(text: &str) -> bool {
    text.get(..2).is_some_and(|it| is_drive(it, ":|"))
        && text[2..].chars().next().is_none_or(|it| matches!(it, '/' | '\\' | '?' | '#'))
}

fn is_whole_segment(base: &Address, drive: &str) -> bool {
    matches!(base.path.as_bytes().get(drive.len()), None | Some(b'/'))
}
