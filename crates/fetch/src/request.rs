//! What is asked of a host.

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, PROXY_AUTHORIZATION,
    USER_AGENT,
};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::Empty;
use url::{Position, Url};

use crate::error::FetchError;
use crate::target::Target;

/// The codings that we undo.
const CODINGS: HeaderValue = HeaderValue::from_static("gzip, br, zstd, deflate");

/// What is asked of a host: one link. [`Request::new`] asks for anything there is.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The link.
    pub url: &'a Url,
    /// The `ETag` of the last visit: the host answers 304 if it is still the same.
    pub etag: Option<&'a str>,
    /// The `Last-Modified` of the last visit: the host answers 304 if nothing changed since.
    pub last_modified: Option<&'a str>,
    /// What sorts of documents we would like, as the header `Accept` has it.
    pub accept: &'a str,
    /// Whether the body is wanted, once the head is known.
    pub wanted: &'a (dyn Fn(Head<'_>) -> bool + Sync),
    /// How many bytes of the body are read, if not as many as the settings say.
    pub largest_body: Option<usize>,
    /// Whether to ask again at once if a connection that was kept turns out to be closed. The host may
    /// have heard the question all the same, and hung up then.
    pub asks_twice: bool,
}

impl<'a> Request<'a> {
    /// Asks for anything there is.
    pub fn new(url: &'a Url) -> Self {
        Self {
            url,
            etag: None,
            last_modified: None,
            accept: "*/*",
            wanted: &|_| true,
            largest_body: None,
            asks_twice: true,
        }
    }
}

/// The head of an answer, by which one can tell whether its body is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The status, such as 200.
    pub status: u16,
    /// The header lines.
    pub headers: &'a HeaderMap,
}

impl<'a> Head<'a> {
    /// The content type without its parameters, such as `text/html`; nothing if there is none that can be read.
    pub fn content_type(&self) -> Option<&'a str> {
        let value = self.headers.get(http::header::CONTENT_TYPE)?.to_str().ok()?;
        let essence = value.split(';').next()?.trim();
        (!essence.is_empty()).then_some(essence)
    }
}

/// A request as it is written.
pub(crate) struct Question<'a> {
    target: &'a Target<'a>,
    path: PathAndQuery,
    headers: HeaderMap,
}

impl<'a> Question<'a> {
    /// The request in the words of HTTP.
    pub(crate) fn new(
        user_agent: &HeaderValue,
        target: &'a Target<'a>,
        request: &Request<'_>,
    ) -> Result<Self, FetchError> {
        let wrong = |reason| FetchError::Url { url: request.url.to_string(), reason };
        let mut headers = HeaderMap::with_capacity(8);
        let host = HeaderValue::from_str(target.authority);
        headers.insert(HOST, host.map_err(|_| wrong("its host has odd characters"))?);
        headers.insert(USER_AGENT, user_agent.clone());
        put(&mut headers, ACCEPT, Some(request.accept));
        headers.insert(ACCEPT_ENCODING, CODINGS);
        put(&mut headers, IF_NONE_MATCH, request.etag);
        put(&mut headers, IF_MODIFIED_SINCE, request.last_modified);
        let path = path(request.url).ok_or_else(|| wrong("it is too long"))?;
        Ok(Self { target, path, headers })
    }

    /// What is sent in HTTP/1.1.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        bytes.extend_from_slice(b"GET ");
        bytes.extend_from_slice(self.path.as_str().as_bytes());
        bytes.extend_from_slice(b" HTTP/1.1\r\n");
        for (name, value) in &self.headers {
            title_case(name.as_str(), &mut bytes);
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value.as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// For a connection that leads to the host, in HTTP/1.
    pub(crate) fn plain(&self) -> http::Request<Empty<Bytes>> {
        let mut request = http::Request::new(Empty::new());
        *request.uri_mut() = Uri::from(self.path.clone());
        request.headers_mut().clone_from(&self.headers);
        request
    }

    /// With the whole link, as HTTP/2 has it.
    pub(crate) fn absolute(&self) -> Result<http::Request<Empty<Bytes>>, FetchError> {
        let scheme = if self.target.secure { "https" } else { "http" };
        let uri = Uri::builder().scheme(scheme).authority(self.target.authority);
        let uri = uri.path_and_query(self.path.clone()).build().map_err(|_| FetchError::Url {
            url: format!("{scheme}://{}{}", self.target.authority, self.path),
            reason: "its host has odd characters",
        })?;
        let mut request = self.plain();
        request.headers_mut().remove(HOST);
        *request.uri_mut() = uri;
        Ok(request)
    }

    /// For a proxy: with the whole link and the password of the proxy, which is none of the host's business.
    pub(crate) fn for_proxy(
        &self,
        authorization: Option<&HeaderValue>,
    ) -> Result<http::Request<Empty<Bytes>>, FetchError> {
        let mut request = self.absolute()?;
        request.headers_mut().clone_from(&self.headers);
        if let Some(authorization) = authorization {
            request.headers_mut().insert(PROXY_AUTHORIZATION, authorization.clone());
        }
        Ok(request)
    }
}

/// A header line, unless the text has characters that would break it: then it does without.
fn put(headers: &mut HeaderMap, name: HeaderName, text: Option<&str>) {
    if let Some(value) = text.and_then(|it| HeaderValue::from_bytes(it.as_bytes()).ok()) {
        headers.insert(name, value);
    }
}

/// Path and query; characters that links may have and requests may not are escaped.
fn path(url: &Url) -> Option<PathAndQuery> {
    let text = &url[Position::BeforePath..Position::AfterQuery];
    PathAndQuery::try_from(text).ok().or_else(|| PathAndQuery::try_from(escaped(text)).ok())
}

fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 16);
    for byte in text.bytes() {
        if byte.is_ascii_graphic() && !b"\"<>\\^`{|}#".contains(&byte) {
            result.push(char::from(byte));
        } else {
            result.push_str(&format!("%{byte:02X}"));
        }
    }
    result
}

/// `accept-language` as `Accept-Language`.
fn title_case(name: &str, bytes: &mut Vec<u8>) {
    let mut begins = true;
    for byte in name.bytes() {
        bytes.push(if begins { byte.to_ascii_uppercase() } else { byte });
        begins = byte == b'-';
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn us() -> HeaderValue {
        HeaderValue::from_static("a/1")
    }

    #[track_caller]
    fn check(url: &str, etag: Option<&str>, expected: &str) {
        let url = Url::parse(url).unwrap();
        let target = Target::of(&url, true).unwrap();
        let request = Request { etag, ..Request::new(&url) };
        let bytes = Question::new(&us(), &target, &request).unwrap().bytes();
        assert_eq!(String::from_utf8(bytes).unwrap().replace("\r\n", "|"), expected);
    }

    #[test]
    fn a_request_is_written_in_http() {
        check(
            "https://me:secret@Example.org:8443/a%20b?c=d#e",
            None,
            "GET /a%20b?c=d HTTP/1.1|Host: example.org:8443|User-Agent: a/1|Accept: */*|\
             Accept-Encoding: gzip, br, zstd, deflate||",
        );
    }

    #[test]
    fn the_last_visit_is_mentioned_unless_it_would_break_the_head() {
        let rest = "Accept: */*|Accept-Encoding: gzip, br, zstd, deflate|";
        let head = format!("GET / HTTP/1.1|Host: a.org|User-Agent: a/1|{rest}");
        check("http://a.org", Some("\"x\""), &format!("{head}If-None-Match: \"x\"||"));
        check("http://a.org", Some("x\r\nEvil: 1"), &format!("{head}|"));
    }

    proptest! {
        #[test]
        fn a_link_never_breaks_out_of_its_line(path in ".{0,60}", etag in ".{0,20}") {
            let mut url = Url::parse("http://a.org/").unwrap();
            url.set_path(&path);
            url.set_query(Some(&path));
            let target = Target::of(&url, true).unwrap();
            let request = Request { etag: Some(&etag), ..Request::new(&url) };
            let question = Question::new(&us(), &target, &request).unwrap();
            let bytes = question.bytes();
            let lines = bytes.split(|it| *it == b'\n').count();
            prop_assert!(lines == 7 || lines == 8);
            let first = bytes.split(|it| *it == b'\r').next().unwrap();
            prop_assert_eq!(first.split(|it| *it == b' ').count(), 3);
            prop_assert!(question.absolute().is_ok());
        }
    }
}
