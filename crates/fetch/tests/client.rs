//! The client against hosts on loopback that send exactly these bytes.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod host;

use std::time::Duration;

use fetch::{
    Client, FetchError, Protocol, Request, Response, Settings, Timeouts, Truncated, UserAgent,
};
use proptest::prelude::*;
use url::Url;

use crate::host::{Act, Host};

use Act::{Close, Drip, Flood, Hold, Read, Send, Signal};

fn settings() -> Settings {
    let user_agent = UserAgent::new("strabo/0.1", "me@example.org").unwrap();
    // Long enough for a busy machine; tests that wait for the end of a time set a short one.
    let long = Duration::from_secs(20);
    let timeouts = Timeouts {
        resolve: long,
        connect: long,
        tls: long,
        first_byte: long,
        between_bytes: long,
        whole: long,
    };
    Settings { allow_private: true, timeouts, ..Settings::new(user_agent) }
}

fn quick(change: impl FnOnce(&mut Timeouts, Duration)) -> Settings {
    let mut settings = settings();
    change(&mut settings.timeouts, Duration::from_millis(20));
    settings
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

async fn get(client: &Client, url: &str) -> Result<Response, FetchError> {
    client.get(Request::new(&Url::parse(url).unwrap())).await
}

/// Status, body, and why there is less of it; or the class of the error.
fn outcome(result: &Result<Response, FetchError>) -> String {
    match result {
        Err(error) => error.class().to_owned(),
        Ok(response) => {
            let truncated = response.truncated.map(|it| format!(" {}", it.as_str()));
            let body = String::from_utf8_lossy(&response.body);
            format!("{} {body}{}", response.status, truncated.unwrap_or_default())
        }
    }
}

#[track_caller]
fn check_with(settings: Settings, acts: Vec<Act>, expected: &str) {
    let result = run(async {
        let host = Host::new(vec![acts]).await;
        let client = Client::new(settings).unwrap();
        get(&client, &host.url("/")).await
    });
    assert_eq!(outcome(&result), expected, "{result:?}");
}

/// What a host that sends these bytes and hangs up comes to.
#[track_caller]
fn check(answer: &str, expected: &str) {
    check_with(settings(), vec![Read, Send(answer.as_bytes().to_vec()), Close], expected);
}

#[test]
fn bodies_of_every_framing_are_read() {
    check("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "200 abc");
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n",
        "200 abc",
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
        "200 abc",
    );
    check("HTTP/1.1 200 OK\r\n\r\nabc", "200 abc");
    check("HTTP/1.0 200 OK\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 204 No Content\r\n\r\n", "204 ");
    check("HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", "304 ");
    check("HTTP/1.1 404 Gone fishing\r\nContent-Length: 0\r\n\r\n", "404 ");
    check("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", "302 ");
}

#[test]
fn a_torn_body_is_a_body_with_less_in_it() {
    check("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "200 abc disconnect");
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "200 abc disconnect",
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nrubbish\r\n",
        "200 abc disconnect",
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n",
        "200  disconnect",
    );
    check("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "200  disconnect");
}

#[test]
fn heads_with_bad_lines_are_heads_with_less_in_them() {
    check("HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 3\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length : 3\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", "200 abc");
    check("HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Length: 3\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 200 Schön\r\nContent-Length: 3\r\n\r\nabc", "200 abc");
    check("HTTP/1.1 999 Odd\r\nContent-Length: 3\r\n\r\nabc", "999 abc");
}

#[test]
fn what_is_not_http_is_told_so() {
    check("<html>an answer of HTTP/0.9</html>", "malformed");
    check("SSH-2.0-OpenSSH_9.6\r\n", "malformed");
    check("\0\x01\x02\x03\x04", "malformed");
    check("HTTP/1.1 OK 200\r\n\r\n", "malformed");
    check("HTTP/3.7 200 OK\r\n\r\n", "malformed");
    check("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "malformed");
    check("HTTP/1.1 200 OK\r\nContent-Length: minus one\r\n\r\nab", "malformed");
    check("", "closed");
    check("HTTP/1.1 200 OK\r\nContent-Le", "closed");
}

#[test]
fn interim_answers_are_passed_over() {
    check(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        "200 abc",
    );
    check("HTTP/1.1 100 Continue\r\n\r\n", "closed");
    check(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc",
        "101 ",
    );
}

#[test]
fn endless_interim_answers_come_to_an_end() {
    let acts = vec![Read, Flood(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec())];
    check_with(quick(|it, short| it.first_byte = short), acts, "timeout-first-byte");
}

#[test]
fn heads_have_limits() {
    let line = format!("X: {}\r\n", "x".repeat(1000));
    check(&format!("HTTP/1.1 200 OK\r\n{}\r\n", line.repeat(70)), "head");
    check(&format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(101)), "head");
    check(
        &format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{}\r\n", "A: b\r\n".repeat(90)),
        "200 ",
    );
    check_with(
        settings(),
        vec![Read, Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Flood(b"A: b\r\n".to_vec())],
        "head",
    );
    check_with(
        settings(),
        vec![Read, Send(b"HTTP/1.1 200 OK\r\nA: ".to_vec()), Flood(b"b".to_vec())],
        "head",
    );
}

#[test]
fn bodies_have_limits() {
    let small = || Settings { largest_body: 5, ..settings() };
    let head = |rest: &str| Send(format!("HTTP/1.1 200 OK\r\n{rest}\r\n").into_bytes());
    check_with(
        small(),
        vec![Read, head("Content-Length: 6\r\n"), Send(b"abcdef".to_vec()), Hold],
        "200 abcde length",
    );
    check_with(
        small(),
        vec![Read, head("Content-Length: 5\r\n"), Send(b"abcde".to_vec()), Hold],
        "200 abcde",
    );
    check_with(small(), vec![Read, head(""), Flood(b"ab".to_vec())], "200 ababa length");
    check_with(
        small(),
        vec![Read, head("Transfer-Encoding: chunked\r\n"), Flood(b"1\r\na\r\n".to_vec())],
        "200 aaaaa length",
    );
}

#[test]
fn a_request_may_have_a_limit_of_its_own() {
    run(async {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".to_vec();
        let host = Host::new(vec![vec![Read, Send(answer), Hold]]).await;
        let url = Url::parse(&host.url("/")).unwrap();
        let request = Request { largest_body: Some(2), ..Request::new(&url) };
        let result = Client::new(settings()).unwrap().get(request).await;
        assert_eq!(outcome(&result), "200 ab length");
    });
}

#[test]
fn nobody_is_waited_for_longer_than_allowed() {
    let begun = || Send(b"HTTP/1.1 200 OK\r\n\r\nabc".to_vec());
    check_with(quick(|it, short| it.first_byte = short), vec![Read, Hold], "timeout-first-byte");
    check_with(quick(|it, short| it.whole = short), vec![Read, Hold], "timeout-whole");
    check_with(
        quick(|it, short| it.first_byte = short),
        vec![Read, Send(b"HTTP/1.1 200".to_vec()), Hold],
        "timeout-first-byte",
    );
    check_with(
        quick(|it, short| it.first_byte = short),
        vec![Read, Drip(b"HTTP/1.1 200 OK".to_vec())],
        "timeout-first-byte",
    );
    check_with(
        quick(|it, short| it.between_bytes = short),
        vec![Read, begun(), Hold],
        "200 abc time",
    );
    check_with(quick(|it, _| it.connect = Duration::ZERO), vec![Close], "timeout-connect");
}

#[test]
fn a_dripping_body_ends_with_the_time_for_the_whole() {
    let result = run(async {
        let head = Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
        let host = Host::new(vec![vec![Read, head, Drip(b"abc".to_vec())]]).await;
        let client = Client::new(quick(|it, short| it.whole = 10 * short)).unwrap();
        get(&client, &host.url("/")).await
    });
    assert_eq!(result.unwrap().truncated, Some(Truncated::Time));
}

#[test]
fn a_port_where_nobody_listens_refuses() {
    let result = run(async {
        let url = Host::new(vec![]).await.closed().await;
        get(&Client::new(settings()).unwrap(), &url).await
    });
    assert_eq!(outcome(&result), "refused");
}

#[test]
fn the_request_is_told_as_it_was_sent() {
    run(async {
        let answer = b"HTTP/1.1 404 Gone Fishing\r\nX-One: 1\r\nTransfer-Encoding: chunked\r\nX-Two: 2\r\n\r\n0\r\n\r\n";
        let host = Host::new(vec![vec![Read, Send(answer.to_vec()), Close]]).await;
        let url = Url::parse(&host.url("//a/?b=%20|`^#c")).unwrap();
        let request = Request {
            etag: Some("W/\"1\""),
            last_modified: Some("Tue, 01 Sep 2026 10:00:00 GMT"),
            accept: "text/html",
            ..Request::new(&url)
        };
        let response = Client::new(settings()).unwrap().get(request).await.unwrap();
        let sent = host.seen();
        assert_eq!(
            String::from_utf8_lossy(&sent[0]),
            String::from_utf8_lossy(&response.request_head)
        );
        assert_eq!(
            String::from_utf8_lossy(&response.request_head),
            format!(
                "GET //a/?b=%20|`^ HTTP/1.1\r\nHost: {}\r\nUser-Agent: strabo/0.1 (+me@example.org)\r\n\
                 Accept: text/html\r\nAccept-Encoding: gzip, br, zstd, deflate\r\n\
                 If-None-Match: W/\"1\"\r\nIf-Modified-Since: Tue, 01 Sep 2026 10:00:00 GMT\r\n\r\n",
                host.address
            )
        );
        assert_eq!(
            String::from_utf8_lossy(&response.head),
            "HTTP/1.1 404 Gone Fishing\r\nx-one: 1\r\nx-two: 2\r\n\r\n"
        );
        assert_eq!(response.protocol, Protocol::Http11);
        assert_eq!(response.address, Some(host.address));
        let timing = response.timing;
        assert!(timing.connect.unwrap() <= timing.first_byte && timing.first_byte <= timing.whole);
    });
}

#[test]
fn an_unwanted_body_is_not_read() {
    run(async {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: Video/MP4; a=b\r\n\r\n".to_vec();
        let host = Host::new(vec![vec![Read, Send(head), Flood(b"x".to_vec())]]).await;
        let url = Url::parse(&host.url("/")).unwrap();
        let wanted = |head: fetch::Head<'_>| head.content_type() != Some("Video/MP4");
        let request = Request { wanted: &wanted, ..Request::new(&url) };
        let client = Client::new(settings()).unwrap();
        let response = client.get(request).await.unwrap();
        assert!(response.unwanted && response.body.is_empty() && response.truncated.is_none());
        assert_eq!(client.idle(), 0);
    });
}

fn small(body: &str) -> Act {
    Send(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[test]
fn a_connection_serves_one_request_after_the_other() {
    run(async {
        let host =
            Host::new(vec![vec![Read, small("a"), Read, small("b"), Read, small("c"), Hold]]).await;
        let client = Client::new(settings()).unwrap();
        for expected in ["200 a", "200 b", "200 c"] {
            assert_eq!(outcome(&get(&client, &host.url("/")).await), expected);
        }
        assert_eq!((host.connections(), client.idle()), (1, 1));
        client.close_idle();
        assert_eq!(client.idle(), 0);
    });
}

#[test]
fn a_host_that_hangs_up_after_the_question_is_asked_once_more() {
    run(async {
        let host =
            Host::new(vec![vec![Read, small("a"), Read, Close], vec![Read, small("b"), Hold]])
                .await;
        let client = Client::new(settings()).unwrap();
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 a");
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 b");
        assert_eq!(host.connections(), 2);
    });
}

#[test]
fn a_host_that_hung_up_before_the_question_is_asked_on_a_new_connection() {
    run(async {
        let host =
            Host::new(vec![vec![Read, small("a"), Close, Signal], vec![Read, small("b"), Hold]])
                .await;
        let client = Client::new(settings()).unwrap();
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 a");
        host.signal().await;
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 b");
        assert_eq!(host.connections(), 2);
    });
}

#[test]
fn a_new_connection_is_not_asked_twice() {
    run(async {
        let host = Host::new(vec![vec![Read, Close]]).await;
        let client = Client::new(settings()).unwrap();
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "closed");
        assert_eq!(host.connections(), 1);
    });
}

#[test]
fn what_comes_after_the_end_is_not_taken_for_the_next_answer() {
    run(async {
        let two = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
        let first = vec![Read, Send(two.as_bytes().to_vec()), Hold];
        let host = Host::new(vec![first, vec![Read, small("b"), Hold]]).await;
        let client = Client::new(settings()).unwrap();
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 a");
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 b");
        assert_eq!(host.connections(), 2);
    });
}

#[test]
fn the_number_of_waiting_connections_is_bounded() {
    run(async {
        let mut hosts = Vec::new();
        let client = Client::new(Settings { most_idle: 2, ..settings() }).unwrap();
        for _ in 0..4 {
            let host = Host::new(vec![vec![Read, small("a"), Hold]]).await;
            assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 a");
            hosts.push(host);
        }
        assert_eq!(client.idle(), 2);
    });
}

#[test]
fn a_connection_does_not_wait_for_ever() {
    run(async {
        let host = Host::new(vec![vec![Read, small("a"), Act::UntilClosed, Signal]]).await;
        let client =
            Client::new(Settings { idle_time: Duration::from_millis(5), ..settings() }).unwrap();
        assert_eq!(outcome(&get(&client, &host.url("/")).await), "200 a");
        host.signal().await;
        assert_eq!(client.idle(), 0);
    });
}

#[test]
fn packed_bodies_are_unpacked_up_to_a_limit() {
    use std::io::Write;
    run(async {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&vec![b'x'; 10_000_000]).unwrap();
        let bomb = encoder.finish().unwrap();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
            bomb.len()
        );
        let host =
            Host::new(vec![vec![Read, Send([head.as_bytes(), &bomb].concat()), Close]]).await;
        let response = get(&Client::new(settings()).unwrap(), &host.url("/")).await.unwrap();
        assert_eq!(response.body.len(), bomb.len());
        let decoded = response.decoded(1000);
        assert_eq!((decoded.bytes.len(), decoded.truncated, decoded.flawed), (1000, true, false));
        assert_eq!(response.decoded(10_000_000).bytes.len(), 10_000_000);
    });
}

#[test]
fn a_client_may_be_shared_between_threads() {
    fn shared<T: std::marker::Send + Sync + Clone + 'static>(_: &T) {}
    fn sendable<T: std::marker::Send>(it: T) -> T {
        it
    }
    let client = Client::new(settings()).unwrap();
    shared(&client);
    let url = Url::parse("ftp://example.org/").unwrap();
    assert_eq!(outcome(&run(sendable(client.get(Request::new(&url))))), "scheme");
}

fn answers() -> impl Strategy<Value = Vec<u8>> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    let pieces = prop_oneof![
        Just("HTTP/1.1 200 OK\r\n"),
        Just("HTTP/1.0 302 \r\n"),
        Just("HTTP/1.1 100 Continue\r\n\r\n"),
        Just("Content-Length: 5\r\n"),
        Just("Transfer-Encoding: chunked\r\n"),
        Just("\r\n"),
        Just("3\r\nabc\r\n"),
        Just("0\r\n\r\n"),
        Just("Content-Encoding: br\r\n"),
        Just(" folded\r\n"),
        Just("Connection: close\r\n"),
        Just("Upgrade: h2c\r\nConnection: upgrade\r\n"),
        Just("HTTP/1.1 101 \r\n"),
        Just("ffffffffffffffff\r\n"),
        Just("\n"),
        Just(":"),
        Just("abc"),
    ];
    let pieces = proptest::collection::vec(pieces, 0..12).prop_map(|it| it.concat().into_bytes());
    prop_oneof![
        bytes.clone(),
        pieces.clone(),
        (pieces, bytes.clone()).prop_map(|(a, b)| [a, b].concat()),
        bytes.prop_map(|it| [b"HTTP/1.1 200 OK\r\n".to_vec(), it].concat()),
    ]
}

#[test]
fn whatever_a_host_sends_comes_to_a_response_or_a_class() {
    let short = Duration::from_millis(3);
    let settings = quick(|it, _| (it.first_byte, it.between_bytes) = (short, short));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // One client for all, since it takes its time to read the certificates of the system.
    let client = Client::new(settings).unwrap();
    let property = |(answer, hangs_up)| {
        let last = if hangs_up { Close } else { Hold };
        let result = runtime.block_on(async {
            let host = Host::new(vec![vec![Read, Send(answer), last]]).await;
            let result = get(&client, &host.url("/")).await;
            // The next request meets whatever the first has left.
            let _ = get(&client, &host.url("/")).await;
            result
        });
        match result {
            Ok(response) => drop(response.decoded(100)),
            Err(error) => {
                let known = ["closed", "malformed", "head", "timeout-first-byte"];
                prop_assert!(known.contains(&error.class()), "{}", error);
            }
        }
        Ok(())
    };
    let config =
        ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner.run(&(answers(), any::<bool>()), property).unwrap();
}
