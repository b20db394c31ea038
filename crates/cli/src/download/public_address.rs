//! Which addresses are on the public internet, and which belong to somebody's own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True for addresses that anybody on the internet may ask: those of one's own machine, network or cloud are not.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => is_public_v4(it),
        IpAddr::V6(it) => is_public_v6(it),
    }
}

fn is_public_v4(it: Ipv4Addr) -> bool {
    let [a, b, c, _] = it.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_reserved =
        a == 0 || a >= 240 || (a, b, c) == (192, 0, 0) || a == 198 && matches!(b, 18 | 19);
    // One cloud tells its machines their secrets at this address, which otherwise looks public.
    let is_metadata = it == Ipv4Addr::new(168, 63, 129, 16);
    let is_local = it.is_private() || it.is_loopback() || it.is_link_local();
    let is_odd = it.is_multicast() || it.is_documentation();
    !(is_local || is_odd || is_shared || is_reserved || is_metadata)
}

/// Only global unicast, and of that nothing that stands for an address of another sort (Teredo, 6to4).
fn is_public_v6(it: Ipv6Addr) -> bool {
    let [a, b, ..] = it.segments();
    let is_special = a == 0x2001 && (b < 0x200 || b == 0xdb8) || a == 0x2002;
    a & 0xe000 == 0x2000 && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_and_odd_addresses_are_not_public() {
        let check = |list: &str, expected| {
            for it in list.split(' ') {
                assert_eq!(is_public(it.parse().unwrap()), expected, "{it}");
            }
        };
        check("192.0.80.1 8.8.8.8 100.128.0.1 2606:4700::1111", true);
        check("10.0.0.1 172.16.0.1 192.168.1.1 127.0.0.1 0.0.0.0 169.254.169.254", false);
        check("100.64.0.1 224.0.0.1 255.255.255.255 192.0.0.192 198.18.0.1 168.63.129.16", false);
        check("::1 :: fe80::1 fd00:ec2::254 ff02::1 2001:db8::1", false);
        check("::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1::", false);
    }
}
