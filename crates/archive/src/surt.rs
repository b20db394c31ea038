//! Keys of catalogues: URLs turned round, so that what belongs together stands together.

/// The key of the URL: `org,example)/a?b=1` for `https://www.Example.org:443/a/?b=1#c`.
///
/// These are the rules of the Internet Archive (the packages `archive-commons` and `surt`), which
/// other programs use to look into catalogues: no scheme, user, `www.`, usual port or fragment;
/// lower case; escapes only where they must be; parameters in order and without the ids of
/// sessions. Ids of sessions within the path are kept, unlike there: they went out of use.
pub(crate) fn surt(url: &str) -> String {
    let url: Vec<u8> = url.trim().bytes().filter(|it| !b"\r\n\t".contains(it)).collect();
    let url = url.split(|it| *it == b'#').next().unwrap_or_default();
    let Some((scheme, rest)) = scheme(url) else {
        let host = [b"http://", url].concat();
        return surt(&String::from_utf8_lossy(&host));
    };
    let (before, query) = split_at_first(rest, b'?');
    let Some(behind) = before.strip_prefix(b"//") else {
        let path = escaped(&unescaped(before)).to_ascii_lowercase();
        return text(&[&scheme.to_ascii_lowercase(), b":", &path, &query_key(query)]);
    };
    let end = behind.iter().position(|it| *it == b'/').unwrap_or(behind.len());
    let (authority, path) = behind.split_at(end);
    text(&[&host_key(scheme, authority), b")", &path_key(path), &query_key(query)])
}

fn text(pieces: &[&[u8]]) -> String {
    // All that is not ASCII has been escaped, and a blank would end the key.
    pieces.concat().into_iter().map(|it| if it <= b' ' { '_' } else { char::from(it) }).collect()
}

/// The scheme and what is behind its colon. What has none is taken for a host.
fn scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_scheme = |it: &u8| it.is_ascii_alphanumeric() || b"+-.".contains(it);
    let length = url.iter().take_while(|it| is_scheme(it)).count();
    let begins = url.first().is_some_and(u8::is_ascii_alphabetic);
    let is_stated = begins && url.get(length) == Some(&b':');
    is_stated.then(|| (&url[..length], &url[length + 1..]))
}

fn split_at_first(bytes: &[u8], mark: u8) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|it| *it == mark) {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    }
}

/// `org,example:8080` for `user@www.example.org:8080`.
fn host_key(scheme: &[u8], authority: &[u8]) -> Vec<u8> {
    let host = authority.rsplit(|it| *it == b'@').next().unwrap_or_default();
    // Within brackets are the colons of an address of IPv6.
    let bracket = host.iter().position(|it| *it == b']').unwrap_or(0);
    let colon = host[bracket..].iter().rposition(|it| *it == b':').map(|it| bracket + it);
    let (host, port) = colon.map_or((host, &b""[..]), |at| (&host[..at], &host[at + 1..]));
    let usual: &[u8] = if scheme.eq_ignore_ascii_case(b"https") { b"443" } else { b"80" };
    let host = host.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]")).unwrap_or(host);
    let host = escaped(&unescaped(host)).to_ascii_lowercase();
    let labels = host.split(|it| *it == b'.').filter(|it| !it.is_empty());
    let mut labels: Vec<&[u8]> = labels.collect();
    if labels.len() > 1 && is_www(labels[0]) {
        labels.remove(0);
    }
    labels.reverse();
    let mut key = labels.join(&b","[..]);
    if !port.is_empty() && port != usual {
        key.push(b':');
        key.extend_from_slice(&escaped(port));
    }
    key
}

/// `www`, `www2` and so on.
fn is_www(label: &[u8]) -> bool {
    label.strip_prefix(b"www").is_some_and(|it| it.iter().all(u8::is_ascii_digit))
}

fn path_key(path: &[u8]) -> Vec<u8> {
    let path = unescaped(path);
    let mut kept: Vec<&[u8]> = Vec::new();
    let steps: Vec<&[u8]> = path.split(|it| *it == b'/').skip(1).collect();
    for (at, step) in steps.iter().enumerate() {
        match *step {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            // Two strokes are one; the last may be followed by nothing.
            b"" if at + 1 < steps.len() => {}
            step => kept.push(step),
        }
    }
    let joined = [b"/", &kept.join(&b"/"[..])[..]].concat();
    let mut key = escaped(&joined).to_ascii_lowercase();
    if key.len() > 1 && key.ends_with(b"/") {
        key.pop();
    }
    key
}

/// `?a=1&b=2`, or nothing.
fn query_key(query: Option<&[u8]>) -> Vec<u8> {
    let Some(query) = query else { return Vec::new() };
    let mut query = escaped(&unescaped(query)).to_ascii_lowercase();
    for name in [&b"jsessionid="[..], b"phpsessid=", b"sid="] {
        query = without_session(query, name);
    }
    if query.is_empty() {
        return query;
    }
    let mut parameters: Vec<_> =
        query.split(|it| *it == b'&').map(|it| split_at_first(it, b'=')).collect();
    parameters.sort_unstable();
    let mut key = Vec::with_capacity(query.len() + 1);
    for (name, value) in parameters {
        key.push(if key.is_empty() { b'?' } else { b'&' });
        key.extend_from_slice(name);
        if let Some(value) = value {
            key.push(b'=');
            key.extend_from_slice(value);
        }
    }
    key
}

/// The query without the id of a session: a name and exactly 32 letters or digits.
fn without_session(mut query: Vec<u8>, name: &[u8]) -> Vec<u8> {
    const LENGTH: usize = 32;
    let ends = |at: &usize| {
        let value = query.get(at + name.len()..at + name.len() + LENGTH);
        value.is_some_and(|it| it.iter().all(u8::is_ascii_alphanumeric))
            && matches!(query.get(at + name.len() + LENGTH), None | Some(b'&'))
    };
    let found = memchr::memmem::find_iter(&query, name).filter(ends).last();
    if let Some(at) = found {
        let end = (at + name.len() + LENGTH + 1).min(query.len());
        query.drain(at..end);
    }
    query
}

/// The bytes with their escapes undone, and those that come to light by that, up to some depth.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    const DEEPEST: usize = 8;
    let mut bytes = bytes.to_vec();
    for _ in 0..DEEPEST {
        if !bytes.contains(&b'%') {
            break;
        }
        let once = unescaped_once(&bytes);
        if once.len() == bytes.len() {
            break;
        }
        bytes = once;
    }
    bytes
}

fn unescaped_once(bytes: &[u8]) -> Vec<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|it| char::from(*it).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let (b'%', Some(high), Some(low)) = (byte, digit(at + 1), digit(at + 2)) {
            out.push((high << 4 | low) as u8);
            at += 3;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    out
}

/// The bytes with all escaped that is no visible ASCII, and the two marks `#` and `%`.
fn escaped(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%') {
            out.push(*byte);
        } else {
            let digit = |half: u8| DIGITS[usize::from(half)];
            out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(surt(url), expected, "{url}");
    }

    #[test]
    fn a_key_begins_with_the_last_label_of_the_host() {
        check("http://archive.org/", "org,archive)/");
        check("https://www.Example.org", "org,example)/");
        check("http://www2.example.org:80/", "org,example)/");
        check("https://user:word@example.org:8080/a", "org,example:8080)/a");
        check("http://example.org.:/", "org,example)/");
        check("http://192.0.2.7/", "7,2,0,192)/");
        check("http://[2001:db8::1]:8080/", "2001:db8::1:8080)/");
        check("http://www/", "www)/");
        check("dns:archive.org", "dns:archive.org");
        check("urn:Harbour", "urn:harbour");
    }

    #[test]
    fn paths_are_made_alike() {
        check("http://a.org/Goo/", "org,a)/goo");
        check("http://a.org/b/../c/./d//e", "org,a)/c/d/e");
        check("http://a.org/%7Eb/%2541", "org,a)/~b/a");
        check("http://a.org/stra%C3%9Fe", "org,a)/stra%c3%9fe");
        check("http://a.org/straße é", "org,a)/stra%c3%9fe%20%c3%a9");
        check("http://a.org/a%25b#c", "org,a)/a%25b");
    }

    #[test]
    fn parameters_stand_in_order() {
        check("http://a.org/?b=2&A=1&a", "org,a)/?a&a=1&b=2");
        check("http://a.org/?", "org,a)/");
        check("http://a.org?x=y", "org,a)/?x=y");
        let session = "0123456789abcdefABCDEF0123456789";
        check(&format!("http://a.org/?PHPSESSID={session}&b=1"), "org,a)/?b=1");
        check(&format!("http://a.org/?b=1&sid={session}"), "org,a)/?&b=1");
        check(
            &format!("http://a.org/?sid={session}0"),
            &format!("org,a)/?sid={}0", session.to_lowercase()),
        );
    }

    #[test]
    fn what_is_no_url_has_a_key_all_the_same() {
        check("", ")/");
        check("harbour", "harbour)/");
        check("http://", ")/");
    }

    proptest! {
        #[test]
        fn a_key_is_one_word_of_ascii(url in ".{0,60}", host in "[a-z.:@\\[\\]%0-9]{0,20}") {
            for url in [url.clone(), format!("http://{host}/{url}"), format!("http://{host}?{url}")] {
                let key = surt(&url);
                prop_assert!(key.bytes().all(|it| it.is_ascii_graphic()), "{url:?} {key:?}");
            }
        }
    }
}
