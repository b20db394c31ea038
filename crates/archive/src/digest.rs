//! Digests as archives state them: `sha1:` and the value.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha1::{Digest as _, Sha1};

const BASE_16: &[u8; 16] = b"0123456789abcdef";
const BASE_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE_64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The SHA-1 of some bytes, as archives use it to tell whether two bodies are the same.
///
/// It is shown as archives write it: `sha1:` and 32 letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest([u8; 20]);

impl Digest {
    /// The digest of the bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha1::digest(bytes).into())
    }

    /// The digest of all the pieces, one behind the other.
    pub(crate) fn of_all(pieces: &[&[u8]]) -> Self {
        let mut sha1 = Sha1::new();
        pieces.iter().for_each(|it| sha1.update(it));
        Self(sha1.finalize().into())
    }

    /// The digest that is written so: 32 letters of base 32, with or without `sha1:` before them.
    pub fn read(text: &str) -> Option<Self> {
        let value = text.trim().rsplit_once(':').map_or(text, |(algorithm, value)| {
            if algorithm.eq_ignore_ascii_case("sha1") { value } else { "" }
        });
        let letters: &[u8; 32] = value.trim().as_bytes().try_into().ok()?;
        let mut digest = [0; 20];
        for (bytes, letters) in digest.chunks_exact_mut(5).zip(letters.chunks_exact(8)) {
            let mut group = 0_u64;
            for letter in letters {
                let letter = letter.to_ascii_uppercase();
                let number = BASE_32.iter().position(|it| *it == letter)?;
                group = group << 5 | number as u64;
            }
            bytes.copy_from_slice(&group.to_be_bytes()[3..]);
        }
        Some(Self(digest))
    }

    /// The value in base 32, without the `sha1:`.
    pub(crate) fn letters(&self) -> [u8; 32] {
        let mut letters = [0; 32];
        // Five bytes are eight letters.
        for (letters, bytes) in letters.chunks_exact_mut(8).zip(self.0.chunks_exact(5)) {
            let group = bytes.iter().fold(0_u64, |group, it| group << 8 | u64::from(*it));
            for (at, letter) in letters.iter_mut().enumerate() {
                *letter = BASE_32[(group >> (35 - 5 * at) & 31) as usize];
            }
        }
        letters
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha1:")?;
        f.write_str(std::str::from_utf8(&self.letters()).map_err(|_| fmt::Error)?)
    }
}

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
    Some(any_of.iter().any(|bytes| is_written(Digest::of(bytes), value)))
}

fn is_written(digest: Digest, value: &str) -> bool {
    match value.len() {
        28 => spelled(&digest.0, BASE_64) + "=" == value,
        40 => spelled(&digest.0, BASE_16).eq_ignore_ascii_case(value),
        _ => digest.letters().eq_ignore_ascii_case(value.as_bytes()),
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

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        for bytes in [&b""[..], b"hello", b"harbour"] {
            let digest = Digest::of(bytes);
            assert_eq!(spelled(&digest.0, BASE_32).as_bytes(), digest.letters());
            assert_eq!(Digest::read(&digest.to_string()), Some(digest));
            assert_eq!(Digest::read(&digest.to_string()[5..].to_lowercase()), Some(digest));
        }
        for text in ["", "sha1:", "md5:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", "sha1:1", "é"] {
            assert_eq!(Digest::read(text), None, "{text}");
        }
    }
}
