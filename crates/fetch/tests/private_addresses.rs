//! Links that lead into somebody's own network: a listener on loopback must not see a single connection.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod host;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fetch::{Client, FetchError, Lookup, NameError, Request, Resolve, Settings, UserAgent};
use url::Url;

use crate::host::{Act, Host};

/// Hosts as links spell them. Each leads to loopback, or to another address that is nobody's business.
const HOSTS: [&str; 75] = [
    // Loopback, plainly and in the other spellings of RFC 3986's forebears.
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "0X7F.1",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "0000177.0.0.1",
    "127.0.0.0x1",
    "00000000000000000000000177.0.0.01",
    // With digits and dots of other scripts, and escaped.
    "１２７.０.０.１",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    "①②⑦.⓪.⓪.①",
    "%31%32%37.0.0.1",
    "%6cocalhost",
    "ｌｏｃａｌｈｏｓｔ",
    // This network.
    "0.0.0.0",
    "0",
    "0x0",
    "0.1.2.3",
    "00.0",
    // Private, link-local, shared, and the secrets of clouds.
    "10.0.0.1",
    "10.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.1",
    "3232235521",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.170.2",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    // No host has these.
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "198.18.0.1",
    // IPv6, and IPv4 within it.
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[fec0::1]",
    // Names of one's own machine or network.
    "localhost",
    "LOCALHOST.",
    "a.b.localhost",
    "metadata.google.internal",
    "printer.local",
];

/// Knows every name, and has them all on loopback.
struct Loopback;

impl Resolve for Loopback {
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        let address: IpAddr = match name {
            "public.example.org" => [8, 8, 8, 8].into(),
            "six.example.org" => "::1".parse().unwrap(),
            "mapped.example.org" => "::ffff:127.0.0.1".parse().unwrap(),
            _ => [127, 0, 0, 1].into(),
        };
        let mut addresses = vec![address];
        if name == "mix.example.org" {
            addresses.insert(0, [8, 8, 8, 8].into());
        }
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// Has a public address the first time, and loopback from then on.
#[derive(Default)]
struct Rebinding(AtomicUsize);

impl Resolve for Rebinding {
    fn resolve<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        let first = self.0.fetch_add(1, Ordering::Relaxed) == 0;
        let address: IpAddr = if first { [8, 8, 8, 8].into() } else { [127, 0, 0, 1].into() };
        Box::pin(std::future::ready(Ok(vec![address])))
    }
}

fn settings() -> Settings {
    let mut settings = Settings::new(UserAgent::new("strabo/0.1", "me@example.org").unwrap());
    // A step without any time is not begun: no test asks a public address.
    settings.timeouts.connect = Duration::ZERO;
    settings
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

async fn class(client: &Client, url: &str) -> &'static str {
    // What is no link at all is refused before anybody could ask for it.
    let Ok(url) = Url::parse(url) else { return "no link" };
    client.get(Request::new(&url)).await.map_or_else(|it| it.class(), |_| "fetched")
}

/// Runs a test with the port of a listener on loopback, which must not have seen anybody before we knock ourselves.
#[track_caller]
fn check(test: impl AsyncFnOnce(u16)) {
    let connections = run(async {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec();
        let host = Host::new(vec![vec![Act::Read, Act::Send(answer), Act::Hold]]).await;
        test(host.address.port()).await;
        // Connections are taken in the order in which they came: ours is the first or there was another.
        let mut allowed = settings();
        allowed.allow_private = true;
        allowed.timeouts.connect = Duration::from_secs(20);
        assert_eq!(class(&Client::new(allowed).unwrap(), &host.url("/")).await, "fetched");
        host.connections()
    });
    assert_eq!(connections, 1, "somebody knocked");
}

#[test]
fn no_spelling_of_a_private_host_is_asked() {
    check(async |port| {
        let client = Client::with_resolver(settings(), Arc::new(Loopback)).unwrap();
        for host in HOSTS {
            for scheme in ["http", "https"] {
                let url = format!("{scheme}://{host}:{port}/robots.txt");
                assert_eq!(class(&client, &url).await, "private-address", "{url}");
            }
        }
    });
}

#[test]
fn no_odd_link_slips_through() {
    check(async |port| {
        let client = Client::with_resolver(settings(), Arc::new(Loopback)).unwrap();
        for (url, expected) in [
            (format!("http://example.org@127.0.0.1:{port}/"), "private-address"),
            (format!("http://example.org:80@127.0.0.1:{port}/"), "private-address"),
            (format!("http://127.0.0.1:{port}\\@example.org/"), "private-address"),
            (format!("http:127.0.0.1:{port}/"), "private-address"),
            (format!("http:\\\\127.0.0.1:{port}/"), "private-address"),
            (format!("\t http://127.0.\n0.1:{port}/"), "private-address"),
            (format!("http://example.org#@127.0.0.1:{port}/"), "private-address"),
            (format!("http://[fe80::1%25lo]:{port}/"), "no link"),
            (format!("http://[::1%lo]:{port}/"), "no link"),
            (format!("http://[::1:{port}/"), "no link"),
            (format!("http://127.0.0.1.5:{port}/"), "no link"),
            (format!("http://256.0.0.1:{port}/"), "no link"),
            (format!("http://4294967297:{port}/"), "no link"),
            (format!("ftp://127.0.0.1:{port}/"), "scheme"),
            (format!("gopher://127.0.0.1:{port}/"), "scheme"),
            ("file:///etc/passwd".to_owned(), "scheme"),
            ("http://127.0.0.1:22/".to_owned(), "port"),
            ("http://public.example.org:25/".to_owned(), "port"),
            ("http://public.example.org:6667/".to_owned(), "port"),
        ] {
            assert_eq!(class(&client, &url).await, expected, "{url}");
        }
    });
}

#[test]
fn no_name_that_leads_to_a_private_address_is_asked() {
    check(async |port| {
        let client = Client::with_resolver(settings(), Arc::new(Loopback)).unwrap();
        for (name, expected) in [
            ("inside.example.org", "private-address"),
            ("inside.example.org.", "private-address"),
            ("127.0.0.1.nip.example.org", "private-address"),
            ("six.example.org", "private-address"),
            ("mapped.example.org", "private-address"),
            ("mix.example.org", "private-address"),
            // It may be asked, if there were any time for it.
            ("public.example.org", "timeout-connect"),
        ] {
            assert_eq!(class(&client, &format!("http://{name}:{port}/")).await, expected, "{name}");
        }
    });
}

#[test]
fn a_name_that_moves_to_a_private_address_is_not_asked() {
    check(async |port| {
        let mut settings = settings();
        settings.names.time_to_live = Duration::ZERO;
        let client = Client::with_resolver(settings, Arc::new(Rebinding::default())).unwrap();
        let url = format!("http://rebinding.example.org:{port}/");
        // The address that was looked at is the one that is used: there is no second lookup in between.
        assert_eq!(class(&client, &url).await, "timeout-connect");
        assert_eq!(class(&client, &url).await, "private-address");
        assert_eq!(class(&client, &url).await, "private-address");
    });
}

#[test]
fn a_proxy_is_not_asked_for_private_hosts_either() {
    check(async |port| {
        let proxy = Url::parse(&format!("http://127.0.0.1:{port}")).unwrap();
        let settings = Settings { proxy: Some(proxy), ..settings() };
        let client = Client::with_resolver(settings, Arc::new(Loopback)).unwrap();
        for host in HOSTS {
            for scheme in ["http", "https"] {
                let url = format!("{scheme}://{host}/");
                assert_eq!(class(&client, &url).await, "private-address", "{url}");
            }
        }
        for name in
            ["metadata", "router", "a.corp", "nas.lan", "x.home.arpa", "localhost.localdomain"]
        {
            assert_eq!(
                class(&client, &format!("http://{name}/")).await,
                "private-address",
                "{name}"
            );
        }
    });
}

/// Knows no name, or says nothing.
struct Nothing(NameError);

impl Resolve for Nothing {
    fn resolve<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        Box::pin(std::future::ready(Err(self.0)))
    }
}

#[test]
fn a_name_that_does_not_exist_is_told_from_a_resolver_that_is_dead() {
    run(async {
        for (error, expected) in
            [(NameError::NoSuchName, "dns"), (NameError::NoAnswer, "dns-no-answer")]
        {
            let client = Client::with_resolver(settings(), Arc::new(Nothing(error))).unwrap();
            assert_eq!(class(&client, "http://example.org/").await, expected);
        }
    });
}

#[test]
fn the_message_tells_which_address_is_not_public_and_why() {
    let url = Url::parse("http://inside.example.org/").unwrap();
    let client = Client::with_resolver(settings(), Arc::new(Loopback)).unwrap();
    let error: FetchError = run(client.get(Request::new(&url))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "inside.example.org is not on the public internet (loopback) at 127.0.0.1"
    );
}
