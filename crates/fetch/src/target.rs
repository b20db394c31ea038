//! What a link asks to be connected to, as far as it can be judged by looking at it.

use std::net::IpAddr;

use url::{Host, Position, Url};

use crate::address::why_not_public;
use crate::error::FetchError;

/// The host and port behind a link, which may be asked as far as one can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    /// Whether it is `https`.
    pub(crate) secure: bool,
    /// The name, or the address without square brackets.
    pub(crate) host: Host<&'a str>,
    /// The port, stated or usual.
    pub(crate) port: u16,
    /// Host, and port where it is not the usual one, as the header `Host` has it.
    pub(crate) authority: &'a str,
    /// The host, as messages name it.
    pub(crate) name: &'a str,
    /// Scheme, host and port: connections for the same origin are interchangeable.
    pub(crate) origin: &'a str,
}

impl<'a> Target<'a> {
    /// What to connect to for a link; an error if it is none of the public web's and those alone are allowed.
    pub(crate) fn of(url: &'a Url, allow_private: bool) -> Result<Self, FetchError> {
        let secure = match url.scheme() {
            "https" => true,
            "http" => false,
            other => return Err(FetchError::Scheme { scheme: other.to_owned() }),
        };
        let no_host = || FetchError::Url { url: url.to_string(), reason: "it has no host" };
        let host = url.host().ok_or_else(no_host)?;
        let target = Self {
            secure,
            host,
            port: url.port_or_known_default().ok_or_else(no_host)?,
            authority: &url[Position::BeforeHost..Position::BeforePath],
            name: url.host_str().ok_or_else(no_host)?,
            origin: &url[..Position::BeforePath],
        };
        if !allow_private {
            target.check()?;
        }
        Ok(target)
    }

    fn check(&self) -> Result<(), FetchError> {
        if BAD_PORTS.binary_search(&self.port).is_ok() {
            return Err(FetchError::Port { host: self.name.to_owned(), port: self.port });
        }
        self.check_host()
    }

    fn check_host(&self) -> Result<(), FetchError> {
        match self.host {
            Host::Ipv4(it) => check_address(self.name, it.into()),
            Host::Ipv6(it) => check_address(self.name, it.into()),
            Host::Domain(it) if is_private_name(it) => Err(FetchError::PrivateAddress {
                host: self.name.to_owned(),
                address: None,
                reason: "a name for use within a network",
            }),
            Host::Domain(_) => Ok(()),
        }
    }
}

/// An error if a link is none of the public web's, as far as one can see without asking anybody: its scheme, its port, an
/// address of somebody's own network, a name for one. Names that lead to such addresses are found when they are asked.
///
/// ```
/// let check = |url: &str| fetch::check_public(&url.parse().expect("a URL"));
/// assert!(check("https://example.org/").is_ok());
/// assert!(check("http://localhost:8000/").is_err());
/// ```
pub fn check_public(url: &Url) -> Result<(), FetchError> {
    Target::of(url, false).map(|_| ())
}

/// Whether a link leads to somebody's own network, as far as one can see without asking anybody, whatever its port.
pub fn looks_private(url: &Url) -> bool {
    Target::of(url, true).is_ok_and(|it| it.check_host().is_err())
}

/// Whether a link leads to this machine, as far as one can see without asking anybody.
pub fn looks_like_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(it)) => it.is_loopback(),
        Some(Host::Ipv6(it)) => it.is_loopback(),
        Some(Host::Domain(it)) => it == "localhost" || it.ends_with(".localhost"),
        None => false,
    }
}

/// An error if the address is not on the public internet.
pub(crate) fn check_address(host: &str, address: IpAddr) -> Result<(), FetchError> {
    match why_not_public(address) {
        None => Ok(()),
        Some(reason) => Err(FetchError::PrivateAddress {
            host: host.to_owned(),
            address: Some(address),
            reason,
        }),
    }
}

/// Names that never lead to the public web: those set aside for one's own machine or network (RFC 6761,
/// RFC 6762 with its appendix G, RFC 7686, RFC 8375, ICANN on `internal`), and names of one part,
/// which the system or the proxy completes with the name of its own network.
fn is_private_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let Some((_, last)) = name.rsplit_once('.') else { return true };
    let reserved = [
        "localhost",
        "localdomain",
        "local",
        "internal",
        "intranet",
        "private",
        "corp",
        "home",
        "lan",
        "onion",
        "invalid",
    ];
    reserved.iter().any(|it| last.eq_ignore_ascii_case(it)) || {
        let name = name.to_ascii_lowercase();
        name == "home.arpa" || name.ends_with(".home.arpa")
    }
}

/// The ports that the Fetch standard keeps web clients from, since other services listen there and may
/// take a request for one of theirs.
const BAD_PORTS: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        let url = Url::parse(url).unwrap();
        let class = Target::of(&url, false).map_or_else(|it| it.class(), |_| "fine");
        assert_eq!(class, expected, "{url}");
    }

    #[test]
    fn the_ports_are_in_order() {
        assert!(BAD_PORTS.is_sorted());
    }

    #[test]
    fn links_of_the_public_web_are_fine() {
        check("http://example.org/", "fine");
        check("https://example.org:8443/a?b#c", "fine");
        check("http://8.8.8.8/", "fine");
        check("http://[2606:4700::1111]:8080/", "fine");
        check("https://münchen.de/", "fine");
        check("http://home.example.org/", "fine");
        check("http://arpa.home.example.org./", "fine");
    }

    #[test]
    fn other_schemes_are_not_fetched() {
        for url in
            ["ftp://example.org/", "file:///etc/passwd", "data:,a", "gopher://a.b/", "ws://a.b/"]
        {
            check(url, "scheme");
        }
    }

    #[test]
    fn other_services_are_not_disturbed() {
        for port in [0, 1, 22, 25, 53, 110, 143, 465, 587, 993, 6000, 6667, 10080] {
            check(&format!("http://example.org:{port}/"), "port");
        }
        check("http://example.org:8080/", "fine");
    }

    #[test]
    fn addresses_of_a_network_are_refused_in_every_spelling() {
        let hosts = "127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.01 127.0.1 0 \
            0.0.0.0 169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 10.1 192.168.257 \
            [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [64:ff9b::127.0.0.1] \
            [fe80::1] [fd00:ec2::254] １２７．０．０．１ 127。0。0。1 %31%32%37.0.0.1 ①②⑦.0.0.1 127.0.0.1.";
        for host in hosts.split_whitespace() {
            check(&format!("http://{host}/"), "private-address");
        }
    }

    #[test]
    fn what_is_on_this_machine_or_in_a_network_can_be_told_by_its_looks() {
        let looks = |url: &str| {
            let url = Url::parse(url).unwrap();
            (looks_private(&url), looks_like_loopback(&url))
        };
        assert_eq!(looks("http://127.0.0.1:9/"), (true, true));
        assert_eq!(looks("http://[::1]:8080"), (true, true));
        assert_eq!(looks("http://LOCALHOST:8080"), (true, true));
        assert_eq!(looks("http://192.168.1.2/"), (true, false));
        assert_eq!(looks("http://proxy.lan/"), (true, false));
        assert_eq!(looks("http://example.org:22/"), (false, false));
        assert_eq!(looks("mailto:me@localhost"), (false, false));
    }

    #[test]
    fn names_of_a_network_are_refused() {
        let hosts = "localhost LOCALHOST localhost. a.localhost printer.local nas.lan metadata \
            metadata.google.internal router.home.arpa home.arpa intranet localhost.localdomain \
            instance-data ip6-localhost a.onion host.docker.internal";
        for host in hosts.split_whitespace() {
            check(&format!("http://{host}/"), "private-address");
        }
    }

    proptest! {
        #[test]
        fn no_link_makes_it_panic(link in "(https?://)?.{0,40}") {
            if let Ok(url) = Url::parse(&link) {
                let _ = Target::of(&url, false);
                let _ = Target::of(&url, true);
            }
        }

        #[test]
        fn an_address_as_one_number_is_judged_like_its_dotted_form(bits: u32) {
            let url = Url::parse(&format!("http://{bits}/")).unwrap();
            let public = crate::address::is_public(std::net::Ipv4Addr::from_bits(bits).into());
            prop_assert_eq!(Target::of(&url, false).is_ok(), public);
        }
    }
}
