//! The client against hosts on loopback that speak TLS and HTTP/2.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod host;

use std::convert::Infallible;
use std::future::Ready;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fetch::{
    Client, FetchError, Lookup, Protocol, Request, Resolve, Response, Settings, UserAgent,
};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use proptest::prelude::*;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use url::Url;

use crate::host::{Act, Host};

/// Knows every name, and has them all on loopback.
struct Everything;

impl Resolve for Everything {
    fn resolve<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        Box::pin(std::future::ready(Ok(vec![[127, 0, 0, 1].into()])))
    }
}

/// A certificate for a name, in PEM format, and what a host needs to show it.
fn identity(name: &str, protocol: &str) -> (Vec<u8>, TlsAcceptor) {
    let certified = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(vec![certified.cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    (certified.cert.pem().into_bytes(), TlsAcceptor::from(Arc::new(config)))
}

fn client(roots: Vec<u8>, change: impl FnOnce(&mut Settings)) -> Client {
    let user_agent = UserAgent::new("strabo/0.1", "me@example.org").unwrap();
    let mut settings =
        Settings { allow_private: true, extra_roots: roots, ..Settings::new(user_agent) };
    change(&mut settings);
    Client::with_resolver(settings, Arc::new(Everything)).unwrap()
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

async fn get(client: &Client, name: &str, port: u16) -> Result<Response, FetchError> {
    let url = Url::parse(&format!("https://{name}:{port}/a?b")).unwrap();
    client.get(Request::new(&url)).await
}

#[track_caller]
fn check(result: &Result<Response, FetchError>, expected: &str) {
    let outcome = match result {
        Ok(it) => format!("{} {}", it.status, String::from_utf8_lossy(&it.body)),
        Err(error) => error.class().to_owned(),
    };
    assert_eq!(outcome, expected, "{result:?}");
}

fn answer() -> Vec<Act> {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".to_vec();
    vec![Act::Read, Act::Send(answer.clone()), Act::Read, Act::Send(answer), Act::Hold]
}

#[test]
fn a_host_that_is_trusted_is_asked_on_one_connection() {
    run(async {
        let (roots, tls) = identity("example.org", "http/1.1");
        let host = Host::secure(vec![], tls, vec![answer()]).await;
        let client = client(roots, |_| ());
        for _ in 0..2 {
            let result = get(&client, "example.org", host.address.port()).await;
            check(&result, "200 abc");
            assert_eq!(result.unwrap().protocol, Protocol::Http11);
        }
        assert_eq!(host.connections(), 1);
    });
}

#[test]
fn a_host_that_cannot_prove_itself_is_not_asked() {
    run(async {
        let (roots, tls) = identity("example.org", "http/1.1");
        let host = Host::secure(vec![], tls, vec![answer()]).await;
        let port = host.address.port();
        check(&get(&client(roots.clone(), |_| ()), "example.com", port).await, "tls");
        check(&get(&client(roots, |_| ()), "127.0.0.1", port).await, "tls");
        check(&get(&client(Vec::new(), |_| ()), "example.org", port).await, "tls");
        assert!(host.seen().is_empty());
    });
}

#[test]
fn a_host_may_hang_up_without_farewell() {
    run(async {
        let (roots, tls) = identity("example.org", "http/1.1");
        // The script is over, so the stream is dropped as it is.
        let script = vec![Act::Read, Act::Send(b"HTTP/1.1 200 OK\r\n\r\nabc".to_vec())];
        let host = Host::secure(vec![], tls, vec![script]).await;
        let result = get(&client(roots, |_| ()), "example.org", host.address.port()).await;
        check(&result, "200 abc");
        assert_eq!(result.unwrap().truncated, None);
    });
}

#[test]
fn a_host_that_does_not_speak_tls_is_told_so() {
    run(async {
        let plain = b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec();
        let host = Host::new(vec![vec![Act::Send(plain), Act::Close]]).await;
        let port = host.address.port();
        check(&get(&client(Vec::new(), |_| ()), "example.org", port).await, "tls");
        let host = Host::new(vec![vec![Act::Close]]).await;
        let port = host.address.port();
        check(&get(&client(Vec::new(), |_| ()), "example.org", port).await, "tls");
    });
}

#[test]
fn a_handshake_is_not_waited_for_longer_than_allowed() {
    run(async {
        let host = Host::new(vec![vec![Act::Hold]]).await;
        let client = client(Vec::new(), |it| it.timeouts.tls = Duration::from_millis(10));
        check(&get(&client, "example.org", host.address.port()).await, "timeout-tls");
    });
}

#[test]
fn rubbish_instead_of_certificates_is_told_at_once() {
    let user_agent = UserAgent::new("strabo/0.1", "me@example.org").unwrap();
    let pem = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec();
    let settings = Settings { extra_roots: pem, ..Settings::new(user_agent) };
    let error = Client::new(settings).unwrap_err().to_string();
    assert!(error.starts_with("the extra roots cannot be read"), "{error}");
}

/// A host that speaks HTTP/2 and answers so; gives its port.
async fn h2_host<F>(tls: TlsAcceptor, answer: F) -> u16
where
    F: Fn(http::Request<Incoming>) -> http::Response<Full<Bytes>> + Clone + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (tls, answer) = (tls.clone(), answer.clone());
            tokio::spawn(async move {
                let stream = tls.accept(stream).await.unwrap();
                let service =
                    hyper::service::service_fn(move |request| -> Ready<Result<_, Infallible>> {
                        std::future::ready(Ok(answer(request)))
                    });
                let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    port
}

#[test]
fn http2_is_spoken_with_who_chooses_it() {
    run(async {
        let (roots, tls) = identity("example.org", "h2");
        let port = h2_host(tls, |request| {
            let told = format!("{} {:?}", request.uri(), request.headers().get("host"));
            http::Response::new(Full::new(Bytes::from(told)))
        })
        .await;
        let client = client(roots, |_| ());
        let first = get(&client, "example.org", port).await.unwrap();
        let told = String::from_utf8_lossy(&first.body).into_owned();
        assert_eq!(told, format!("https://example.org:{port}/a?b None"));
        assert_eq!(first.protocol, Protocol::Http2);
        assert!(first.head.starts_with(b"HTTP/1.1 200 OK\r\n"));
        assert!(first.request_head.starts_with(b"GET /a?b HTTP/1.1\r\nHost: example.org:"));
        assert_eq!(client.idle(), 1);
        let second = get(&client, "example.org", port).await.unwrap();
        assert_eq!((second.timing.connect, client.idle()), (None, 1));
    });
}

#[test]
fn limits_hold_in_http2_too() {
    run(async {
        let (roots, tls) = identity("example.org", "h2");
        let port =
            h2_host(tls, |_| http::Response::new(Full::new(Bytes::from(vec![b'x'; 1_000_000]))))
                .await;
        let client = client(roots, |it| it.largest_body = 10);
        let response = get(&client, "example.org", port).await.unwrap();
        assert_eq!(response.body.len(), 10);
        assert_eq!(response.truncated.unwrap().as_str(), "length");
    });
}

#[test]
fn heads_have_limits_in_http2_too() {
    run(async {
        for (lines, size, expected) in [(200, 1, "head"), (50, 1, "200 "), (50, 2000, "malformed")]
        {
            let (roots, tls) = identity("example.org", "h2");
            let port = h2_host(tls, move |_| {
                let mut response = http::Response::new(Full::default());
                for number in 0..lines {
                    let name = http::HeaderName::try_from(format!("x-{number}")).unwrap();
                    let value = http::HeaderValue::try_from("x".repeat(size)).unwrap();
                    response.headers_mut().insert(name, value);
                }
                response
            })
            .await;
            check(&get(&client(roots, |_| ()), "example.org", port).await, expected);
        }
    });
}

#[test]
fn whatever_an_http2_host_sends_comes_to_a_response_or_a_class() {
    let (roots, tls) = identity("example.org", "h2");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let short = Duration::from_millis(3);
    let client = client(roots, |it| it.timeouts.first_byte = short);
    let frames = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..100),
        // A frame with a length that is right, a sort that exists, and a stream that may.
        (0..10_u8, any::<u8>(), 0..4_u8, proptest::collection::vec(any::<u8>(), 0..50)).prop_map(
            |(sort, flags, stream, bytes)| {
                let head = [0, 0, bytes.len() as u8, sort, flags, 0, 0, 0, stream];
                [&head[..], &bytes].concat()
            }
        ),
    ];
    let frames = proptest::collection::vec(frames, 0..6);
    // Most hosts begin with their settings.
    let settings = vec![0, 0, 0, 4, 0, 0, 0, 0, 0];
    let property = |(greets, hangs_up, frames): (bool, bool, Vec<Vec<u8>>)| {
        let greeting = if greets { settings.clone() } else { Vec::new() };
        let last = if hangs_up { Act::Close } else { Act::Hold };
        let script = vec![Act::Send(greeting), Act::Send(frames.concat()), last];
        let result = runtime.block_on(async {
            let host = Host::secure(vec![], tls.clone(), vec![script]).await;
            get(&client, "example.org", host.address.port()).await
        });
        if let Err(error) = result {
            let known = ["closed", "malformed", "head", "timeout-first-byte", "tls"];
            prop_assert!(known.contains(&error.class()), "{} {}", error.class(), error);
        }
        Ok(())
    };
    let config =
        ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner.run(&(any::<bool>(), any::<bool>(), frames), property).unwrap();
}

#[test]
fn a_proxy_puts_us_through_to_a_safe_host() {
    run(async {
        let (roots, tls) = identity("example.org", "http/1.1");
        let established = b"HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n".to_vec();
        let before = vec![Act::Read, Act::Send(established)];
        let proxy = Host::secure(before, tls, vec![answer()]).await;
        let url = Url::parse(&format!("http://me:secret@{}", proxy.address)).unwrap();
        let client = client(roots, |it| it.proxy = Some(url));
        for _ in 0..2 {
            let result = get(&client, "example.org", 443).await;
            check(&result, "200 abc");
            assert_eq!(result.unwrap().address, None);
        }
        let seen = proxy.seen();
        assert_eq!(
            String::from_utf8_lossy(&seen[0]),
            "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\
             Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
        );
        assert!(seen[1].starts_with(b"GET /a?b HTTP/1.1\r\nHost: example.org\r\n"));
        assert!(!String::from_utf8_lossy(&seen[1]).contains("Basic"));
        assert_eq!(proxy.connections(), 1);
    });
}

#[test]
fn a_proxy_that_does_not_put_us_through_is_told_from_a_host_that_is_gone() {
    for (words, expected) in [
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "tunnel"),
        ("HTTP/1.1 407 Who are you\r\n\r\n", "proxy"),
        ("SSH-2.0-OpenSSH_9.6\r\n\r\n", "proxy"),
        ("HTTP/1.1 200", "proxy"),
        ("", "proxy"),
        (&"x".repeat(20_000), "proxy"),
    ] {
        run(async {
            let script = vec![Act::Read, Act::Send(words.as_bytes().to_vec()), Act::Close];
            let proxy = Host::new(vec![script]).await;
            let client = client(Vec::new(), |it| it.proxy = Url::parse(&proxy.url("/")).ok());
            check(&get(&client, "example.org", 443).await, expected);
        });
    }
}
