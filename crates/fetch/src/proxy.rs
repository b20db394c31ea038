//! Somebody through whom all requests go.

use http::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

use crate::client::SettingsError;
use crate::error::FetchError;
use crate::target::Target;

/// How much a proxy may say before the tunnel begins.
const LARGEST_ANSWER: usize = 16 * 1024;

/// Somebody through whom all requests go.
pub(crate) struct Proxy {
    pub(crate) host: Host<String>,
    pub(crate) port: u16,
    /// What it wants to hear before it works for us.
    pub(crate) authorization: Option<HeaderValue>,
    /// Whether it answers for everybody, from an archive, and is asked for `https` links as for others.
    is_replay: bool,
}

impl Proxy {
    /// The proxy at `http://host:port`, perhaps with `user:password@`, or one that replays an archive at
    /// `replay://host:port`.
    pub(crate) fn new(url: &Url) -> Result<Self, SettingsError> {
        let wrong = || {
            SettingsError::Proxy(format!(
                "{}://{}",
                url.scheme(),
                url.host_str().unwrap_or_default()
            ))
        };
        let is_replay = url.scheme() == "replay";
        if !is_replay && url.scheme() != "http" {
            return Err(wrong());
        }
        // Of a scheme that nobody knows, hosts are not read.
        let rest = url.as_str().split_once(':').map_or("", |it| it.1);
        let url = Url::parse(&format!("http:{rest}")).map_err(|_| wrong())?;
        let host = url.host().ok_or_else(wrong)?.to_owned();
        let port = url.port_or_known_default().ok_or_else(wrong)?;
        let (user, password) =
            (unescaped(url.username()), unescaped(url.password().unwrap_or_default()));
        let secret = [user.as_slice(), b":", password.as_slice()].concat();
        let authorization = (secret != b":").then(|| authorization(&secret)).transpose();
        let authorization = authorization.map_err(|_| wrong())?;
        Ok(Self { host, port, authorization, is_replay })
    }

    /// Whether it puts us through to this target, rather than to ask for us.
    pub(crate) fn needs_tunnel(&self, target: &Target<'_>) -> bool {
        target.secure && !self.is_replay
    }

    /// Has the proxy put us through to a host; from then on the stream leads there.
    pub(crate) async fn tunnel(
        &self,
        target: &Target<'_>,
        stream: &mut TcpStream,
    ) -> Result<(), FetchError> {
        let gone = |reason: &str| FetchError::Proxy { reason: reason.to_owned() };
        let mut question =
            format!("CONNECT {0}:{1} HTTP/1.1\r\nHost: {0}:{1}\r\n", target.name, target.port);
        if let Some(authorization) = &self.authorization {
            let text =
                authorization.to_str().map_err(|_| gone("its password has odd characters"))?;
            question.push_str(&format!("Proxy-Authorization: {text}\r\n"));
        }
        question.push_str("\r\n");
        let sent = stream.write_all(question.as_bytes()).await;
        sent.map_err(|_| gone("it closed the connection"))?;
        let head = head(stream).await?;
        match status(&head) {
            None => Err(gone("its answer is not HTTP")),
            Some(200..=299) => Ok(()),
            Some(407) => Err(gone("it asks for another user or password")),
            Some(status) => Err(FetchError::Tunnel { host: target.name.to_owned(), status }),
        }
    }
}

/// Whether requests can go through this.
pub fn check_proxy(url: &Url) -> Result<(), SettingsError> {
    Proxy::new(url).map(|_| ())
}

/// Reads up to the empty line and no further: what follows is the host's.
async fn head(stream: &mut TcpStream) -> Result<Vec<u8>, FetchError> {
    let gone = |reason: &str| FetchError::Proxy { reason: reason.to_owned() };
    let mut head = Vec::with_capacity(256);
    while !head.ends_with(b"\r\n\r\n") && !head.ends_with(b"\n\n") {
        if head.len() >= LARGEST_ANSWER {
            return Err(gone("its answer is too long"));
        }
        // One byte at a time: it is some forty, once for each connection.
        let byte = stream.read_u8().await.map_err(|_| gone("it closed the connection"))?;
        head.push(byte);
    }
    Ok(head)
}

/// The status of `HTTP/1.1 200 Connection established`.
fn status(head: &[u8]) -> Option<u16> {
    let rest = head.strip_prefix(b"HTTP/1.")?.get(1..)?.strip_prefix(b" ")?;
    let (digits, rest) = rest.split_at_checked(3)?;
    let ends = rest.first().is_none_or(|it| !it.is_ascii_digit());
    let digits =
        std::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?;
    if ends { digits.parse().ok() } else { None }
}

fn authorization(secret: &[u8]) -> Result<HeaderValue, http::header::InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Basic {}", base64(secret)))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The bytes behind the percent signs of a user or password.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        let escaped = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
        result.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    result
}

/// Base64 as RFC 4648 has it, with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits =
            (0..3).fold(0_u32, |bits, it| bits << 8 | u32::from(*three.get(it).unwrap_or(&0)));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(head: &str, expected: Option<u16>) {
        assert_eq!(status(head.as_bytes()), expected, "{head}");
    }

    #[test]
    fn the_status_is_read() {
        check("HTTP/1.1 200 Connection established\r\n\r\n", Some(200));
        check("HTTP/1.0 407\r\n\r\n", Some(407));
        for head in [
            "",
            "HTTP/1.1",
            "HTTP/1.1 20",
            "HTTP/1.1 2000 a",
            "HTTP/2 200",
            "SSH-2.0",
            "HTTP/1.1 +20 ",
        ] {
            check(head, None);
        }
    }

    #[test]
    fn passwords_are_packed_as_the_standard_has_it() {
        for (plain, packed) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(plain.as_bytes()), packed);
        }
    }

    #[test]
    fn passwords_may_have_any_characters() {
        let proxy = Proxy::new(&Url::parse("http://me:p%40ss%3A@proxy:3128").unwrap()).unwrap();
        let expected = format!("Basic {}", base64(b"me:p@ss:"));
        assert_eq!(proxy.authorization.unwrap(), expected);
    }

    #[test]
    fn the_proxy_of_an_archive_is_one_of_http() {
        let proxy = Proxy::new(&Url::parse("replay://127.0.0.1:8090").unwrap()).unwrap();
        assert_eq!((proxy.host, proxy.port), (Host::Ipv4([127, 0, 0, 1].into()), 8090));
    }

    #[test]
    fn only_http_proxies_are_known() {
        assert!(Proxy::new(&Url::parse("socks5://me:secret@proxy:1080").unwrap()).is_err());
        assert!(
            Proxy::new(&Url::parse("http://proxy:3128").unwrap()).unwrap().authorization.is_none()
        );
    }

    proptest! {
        #[test]
        fn no_answer_makes_it_panic(head: Vec<u8>) {
            let _ = status(&head);
        }

        #[test]
        fn unescaping_never_panics(text: String) {
            let _ = unescaped(&text);
        }
    }
}
