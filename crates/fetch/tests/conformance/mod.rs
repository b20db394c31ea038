//! The sets of cases that others wrote, read from a folder beside the repository where it exists.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The cases of a set, or none where the folder is absent.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn cases(file: &str) -> Vec<Value> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&manifest).join("../../../shared/conformance");
    let Ok(text) = fs::read_to_string(folder.join(file)) else {
        eprintln!("skipped: no {file} in ../shared/conformance");
        return Vec::new();
    };
    text.lines().map(|it| serde_json::from_str(it).expect("a line is JSON")).collect()
}

/// The text of a field, empty if there is none.
pub(crate) fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

/// The bytes that a field holds in base 64.
pub(crate) fn bytes(case: &Value, field: &str) -> Vec<u8> {
    let digit = |it: u8| match it {
        b'A'..=b'Z' => Some(u32::from(it - b'A')),
        b'a'..=b'z' => Some(u32::from(it - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(it - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<_> = text(case, field).bytes().filter_map(digit).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let number = group.iter().fold(0, |number, it| number << 6 | it) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&number.to_be_bytes()[1..group.len()]);
    }
    bytes
}
