//! Digests as archives state them: `sha1:` and the value.

use sha1::{Digest, Sha1};

const BASE_16: &[u8; 16] = b"0123456789abcdef";
const BASE_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE_64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether the stated digest is that of one of the byte strings; nothing if we do not know its kind.
///
/// The standard leaves the writing open. Nearly everybody writes base 32, some write hexadecimal
/// or base 64.
pub(crate) fn agrees(stated: &str, any_of: &[&[u8]]) -> Option<bool> {
    let (algorithm, value) = stated.trim().split_once(':')?;
    if !algorithm.eq_ignore_ascii_case("sha1") && !algorithm.eq_ignore_ascii_case("sha-1") {
        return None;
    }
    let value = value.trim();
    Some(any_of.iter().any(|bytes| is_written(&Sha1::digest(bytes), value)))
}

fn is_written(digest: &[u8], value: &str) -> bool {
    match value.len() {
        28 => spelled(digest, BASE_64) + "=" == value,
        40 => spelled(digest, BASE_16).eq_ignore_ascii_case(value),
        _ => spelled(digest, BASE_32).eq_ignore_ascii_case(value),
    }
}

/// The bits of the bytes in groups, each written as its letter of the alphabet.
fn spelled<const LETTERS: usize>(bytes: &[u8], alphabet: &[u8; LETTERS]) -> String {
    let size = LETTERS.ilog2() as usize;
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |it| usize::from(it >> (7 - at % 8) & 1));
    let group = |from: usize| (from..from + size).fold(0, |group, at| group << 1 | bit(at));
    (0..bytes.len() * 8).step_by(size).map(|from| char::from(alphabet[group(from)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stated: &str, expected: Option<bool>) {
        assert_eq!(agrees(stated, &[b"other", b"hello"]), expected, "{stated}");
    }

    #[test]
    fn a_digest_agrees_in_each_of_its_writings() {
        check("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", Some(true));
        check("SHA1: vl2mmho4yxukfwv63yhtwsbm3gxksq2n", Some(true));
        check("sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", Some(true));
        check("sha-1:qvTGHdzF6KLavt4PO0gs2a6pQ00=", Some(true));
    }

    #[test]
    fn another_digest_disagrees() {
        check("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2A", Some(false));
        check("sha1:", Some(false));
    }

    #[test]
    fn of_an_unknown_kind_of_digest_nothing_is_said() {
        check("md5:5d41402abc4b2a76b9719d911017c592", None);
        check("VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", None);
    }
}
