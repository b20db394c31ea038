//! Which addresses are on the public internet, and which belong to somebody's own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True for addresses that anybody on the internet may ask; those of one's own machine, network or cloud are not.
///
/// ```
/// assert!(fetch::is_public("192.0.80.1".parse()?));
/// assert!(!fetch::is_public("169.254.169.254".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_public(address: IpAddr) -> bool {
    why_not_public(address).is_none()
}

/// What an address is for if it is not on the public internet.
pub(crate) fn why_not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(it) => v4_purpose(it),
        IpAddr::V6(it) => v6_purpose(it),
    }
}

/// The IANA IPv4 Special-Purpose Address Registry without the rows that are globally reachable, the
/// multicast block, and the machines of clouds that look public.
const V4: [(Ipv4Addr, u32, &str); 18] = [
    (Ipv4Addr::UNSPECIFIED, 8, "this network, which systems take for their own machine"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private use"),
    // One cloud keeps the secrets of its machines in here, at 100.100.100.200.
    (Ipv4Addr::new(100, 64, 0, 0), 10, "shared address space of a provider"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback"),
    // Most clouds keep the secrets of their machines in here, at 169.254.169.254.
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private use"),
    // Two anycast addresses of it are reachable, but are not for the web; one cloud uses 192.0.0.192.
    (Ipv4Addr::new(192, 0, 0, 0), 24, "protocol assignments"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "the former 6to4 relays"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private use"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "benchmarking"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::new(233, 252, 0, 0), 24, "documentation of multicast"),
    (Ipv4Addr::BROADCAST, 32, "broadcast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
    // It answers within one cloud only, and tells its machines their secrets.
    (Ipv4Addr::new(168, 63, 129, 16), 32, "the wire server of a cloud"),
];

/// The IANA IPv6 Special-Purpose Address Registry where it lies within global unicast (`2000::/3`).
/// All outside of that is not public, so that a block set aside tomorrow is refused today.
const V6: [(Ipv6Addr, u32, &str); 4] = [
    // Teredo (2001::/32), benchmarking, ORCHID, drones and others; none of it serves pages.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "protocol assignments"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "documentation"),
    // It stands for an IPv4 address that may be private, and nobody relays it any more (RFC 7526).
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "6to4"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "documentation"),
];

/// Outside of global unicast, these have a name; the name is for the message alone.
const V6_OUTSIDE: [(Ipv6Addr, u32, &str); 12] = [
    (Ipv6Addr::UNSPECIFIED, 128, "unspecified"),
    (Ipv6Addr::LOCALHOST, 128, "loopback"),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, "an IPv4 address in IPv6's clothes"),
    (Ipv6Addr::UNSPECIFIED, 96, "an IPv4 address in IPv6's clothes"),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "translation within a network"),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64, "discard only"),
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16, "segment routing"),
    // Clouds keep the secrets of their machines in here, at fd00:ec2::254 and fd20:ce::254.
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "unique local"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "link-local"),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, "site-local"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "multicast"),
    (Ipv6Addr::UNSPECIFIED, 0, "outside of global unicast"),
];

fn v4_purpose(address: Ipv4Addr) -> Option<&'static str> {
    let within = |(network, length, _): &&(Ipv4Addr, u32, &str)| {
        let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
        address.to_bits() & mask == network.to_bits()
    };
    V4.iter().find(within).map(|it| it.2)
}

fn v6_purpose(address: Ipv6Addr) -> Option<&'static str> {
    // Where a network has no IPv4, its resolver gives all IPv4 hosts so (RFC 6147). The prefix that a
    // network chose for itself (RFC 6052) cannot be told from any other address.
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = address.segments() {
        return v4_purpose(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    }
    let within = |(network, length, _): &&(Ipv6Addr, u32, &str)| {
        let mask = u128::MAX.checked_shl(128 - length).unwrap_or(0);
        address.to_bits() & mask == network.to_bits()
    };
    let is_global = address.segments()[0] & 0xe000 == 0x2000;
    let rows: &[_] = if is_global { &V6 } else { &V6_OUTSIDE };
    rows.iter().find(within).map(|it| it.2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(list: &str, expected: bool) {
        for it in list.split_whitespace() {
            assert_eq!(is_public(it.parse().unwrap()), expected, "{it}");
        }
    }

    #[test]
    fn hosts_of_the_web_are_public() {
        check("8.8.8.8 1.1.1.1 192.0.80.1 192.0.1.255 100.63.255.255 100.128.0.0", true);
        check("9.255.255.255 11.0.0.0 126.255.255.255 128.0.0.0 169.253.1.1 169.255.0.0", true);
        check("172.15.255.255 172.32.0.0 192.167.1.1 192.169.0.0 198.17.255.255 198.20.0.0", true);
        check("223.255.255.255 168.63.129.15 168.63.129.17", true);
        check("2606:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2001:200::1 3ffe::1", true);
    }

    #[test]
    fn the_network_at_home_is_not_public() {
        check(
            "10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.0 192.168.255.255",
            false,
        );
        check(
            "127.0.0.1 127.255.255.255 0.0.0.0 0.1.2.3 169.254.0.1 100.64.0.0 100.127.255.255",
            false,
        );
        check(":: ::1 fc00::1 fd12:3456::1 fdff::1 fe80::1 febf::1 fec0::1", false);
    }

    #[test]
    fn the_secrets_of_clouds_are_not_public() {
        check("169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16", false);
        check("fd00:ec2::254 fd20:ce::254 fe80::a9fe:a9fe", false);
    }

    #[test]
    fn what_no_host_has_is_not_public() {
        check("224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 233.252.0.1", false);
        check("192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1", false);
        check("ff02::1 2001:db8::1 3fff::1 3fff:fff::1 2001:2::1 2001:10::1 2001:20::1", false);
        check("100::1 5f00::1 4000::1 8000::1 1fff::1", false);
    }

    #[test]
    fn an_address_within_an_address_does_not_slip_through() {
        check("::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::10.0.0.1", false);
        check("64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8", false);
        check("2002:7f00:1:: 2002:a00:1::1 2001:0:7f00:1:: 2001::1", false);
        check("64:ff9b::8.8.8.8", true);
    }

    proptest! {
        /// The standard library's plain words, where it has them, agree with the table.
        #[test]
        fn what_the_standard_library_calls_private_is_not_public(bits: u32) {
            let it = Ipv4Addr::from_bits(bits);
            let plain = it.is_private() || it.is_loopback() || it.is_link_local() || it.is_multicast()
                || it.is_broadcast() || it.is_documentation() || it.is_unspecified();
            prop_assert!(!plain || !is_public(it.into()));
            prop_assert!(!is_public(it.to_ipv6_mapped().into()));
            prop_assert!(!is_public(it.to_ipv6_compatible().into()));
        }

        #[test]
        fn only_global_unicast_and_translated_addresses_are_public(bits: u128) {
            let it = Ipv6Addr::from_bits(bits);
            let translated = it.segments()[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
            prop_assert!(!is_public(it.into()) || bits >> 125 == 1 || translated);
        }
    }
}
