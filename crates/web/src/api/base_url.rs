//! Where the server was asked, to begin absolute links with.

use std::convert::Infallible;
use std::fmt;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};

/// What comes before the path of a link: `http://127.0.0.1:8080`. Nothing if the request does not say where it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl(String);

impl<S: Sync> FromRequestParts<S> for BaseUrl {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl BaseUrl {
    /// The host is the one that was asked; a proxy says by `X-Forwarded-Proto` whether that was with TLS.
    fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
        let host = text(header::HOST.as_str()).and_then(|it| it.parse::<Authority>().ok());
        // A name and a password have no business in links.
        let Some(host) = host.filter(|it| !it.as_str().contains('@')) else {
            return Self(String::new());
        };
        let scheme = if text("x-forwarded-proto") == Some("https") { "https" } else { "http" };
        Self(format!("{scheme}://{host}"))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(host: &'static str, proto: Option<&'static str>, expected: &str) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(proto) = proto {
            headers.insert("x-forwarded-proto", HeaderValue::from_static(proto));
        }
        assert_eq!(BaseUrl::of(&headers).to_string(), expected);
    }

    #[test]
    fn links_begin_where_the_request_went() {
        check("127.0.0.1:8080", None, "http://127.0.0.1:8080");
        check("strabo.example", Some("https"), "https://strabo.example");
        check("strabo.example", Some("gopher"), "http://strabo.example");
    }

    #[test]
    fn a_host_that_is_none_makes_links_without_one() {
        check("a\"b<c", None, "");
        check("name:secret@strabo.example", None, "");
    }
}
