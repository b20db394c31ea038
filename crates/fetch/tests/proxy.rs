//! Plain requests through a proxy on loopback.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod host;

use fetch::{Client, FetchError, Request, Response, Settings, UserAgent};
use url::Url;

use crate::host::{Act, Host};

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// Addresses must be public, but the proxy's own need not.
fn client(proxy: &str) -> Client {
    let user_agent = UserAgent::new("strabo/0.1", "me@example.org").unwrap();
    let settings = Settings { proxy: Url::parse(proxy).ok(), ..Settings::new(user_agent) };
    Client::new(settings).unwrap()
}

async fn get(client: &Client, url: &str) -> Result<Response, FetchError> {
    client.get(Request::new(&Url::parse(url).unwrap())).await
}

#[track_caller]
fn check(result: &Result<Response, FetchError>, expected: &str) {
    let outcome = match result {
        Ok(it) => format!("{} {}", it.status, String::from_utf8_lossy(&it.body)),
        Err(error) => error.class().to_owned(),
    };
    assert_eq!(outcome, expected, "{result:?}");
}

#[test]
fn a_proxy_is_told_the_whole_link_and_its_password_which_is_not_archived() {
    run(async {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".to_vec();
        let script =
            vec![Act::Read, Act::Send(answer.clone()), Act::Read, Act::Send(answer), Act::Hold];
        let proxy = Host::new(vec![script]).await;
        let client = client(&format!("http://me:secret@{}", proxy.address));
        let response = get(&client, "http://example.org/a?b").await;
        check(&response, "200 abc");
        // Another host, the same connection.
        check(&get(&client, "http://example.com:8080/").await, "200 abc");
        assert_eq!(proxy.connections(), 1);
        let seen = proxy.seen();
        let first = String::from_utf8_lossy(&seen[0]);
        assert!(
            first.starts_with("GET http://example.org/a?b HTTP/1.1\r\nHost: example.org\r\n"),
            "{first}"
        );
        assert!(first.contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), "{first}");
        assert!(
            seen[1].starts_with(
                b"GET http://example.com:8080/ HTTP/1.1\r\nHost: example.com:8080\r\n"
            )
        );
        let response = response.unwrap();
        let archived = String::from_utf8_lossy(&response.request_head);
        assert!(archived.starts_with("GET /a?b HTTP/1.1\r\nHost: example.org\r\n"));
        assert!(!archived.contains("Basic"));
        assert_eq!(response.address, None);
    });
}

#[test]
fn where_a_host_is_matters_to_nobody_behind_a_proxy() {
    run(async {
        let url = Url::parse("http://8.8.8.8/").unwrap();
        let user_agent = UserAgent::new("strabo/0.1", "me@example.org").unwrap();
        let direct = Client::new(Settings::new(user_agent)).unwrap();
        assert_eq!(direct.locate(&url).await, Some([8, 8, 8, 8].into()));
        assert_eq!(client("http://127.0.0.1:9").locate(&url).await, None);
        let private = Url::parse("http://127.0.0.1/").unwrap();
        assert_eq!(direct.locate(&private).await, None);
    });
}

#[test]
fn the_proxy_of_an_archive_is_asked_for_secure_links_without_a_tunnel() {
    run(async {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".to_vec();
        let proxy = Host::new(vec![vec![Act::Read, Act::Send(answer), Act::Hold]]).await;
        let client = client(&format!("replay://{}", proxy.address));
        check(&get(&client, "https://example.org/a").await, "200 abc");
        let seen = proxy.seen();
        assert!(seen[0].starts_with(b"GET https://example.org/a HTTP/1.1\r\n"), "{seen:?}");
    });
}

#[test]
fn a_proxy_that_is_gone_is_not_the_hosts_fault() {
    run(async {
        let url = Host::new(vec![]).await.closed().await;
        let result = get(&client(&url), "http://example.org/").await;
        check(&result, "proxy");
        assert!(result.unwrap_err().is_ours());
    });
}

#[test]
fn a_proxy_that_wants_another_password_is_not_the_hosts_fault() {
    run(async {
        let answer = b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n".to_vec();
        let proxy = Host::new(vec![vec![Act::Read, Act::Send(answer), Act::Hold]]).await;
        check(&get(&client(&proxy.url("/")), "http://example.org/").await, "proxy");
    });
}
