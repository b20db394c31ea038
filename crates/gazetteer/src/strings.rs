//! A heap of texts, each kept once.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::file::Section;

/// Names have 30 bits for the number of their text.
const MOST_BYTES: usize = 1 << 30;

/// Texts on their way into a file; the same text gets the same number.
pub(crate) struct StringWriter {
    heap: Vec<u8>,
    known: HashMap<u64, u32>,
}

impl StringWriter {
    pub(crate) fn new() -> Self {
        // Number 0 is the empty text.
        Self { heap: vec![0], known: HashMap::new() }
    }

    /// The number of a text.
    pub(crate) fn put(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let hash = xxh3_64(text.as_bytes());
        if let Some(&number) = self.known.get(&hash)
            && self.get(number) == text
        {
            return number;
        }
        if self.is_full() {
            return 0;
        }
        let number = self.heap.len() as u32;
        write_length(&mut self.heap, text.len());
        self.heap.extend_from_slice(text.as_bytes());
        self.known.insert(hash, number);
        number
    }

    /// True if there is no room for more.
    pub(crate) fn is_full(&self) -> bool {
        self.heap.len() >= MOST_BYTES
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        text_at(&self.heap, number)
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.heap
    }
}

/// The texts of a file.
pub(crate) struct Strings(pub(crate) Section);

impl Strings {
    /// The text behind a number; empty if the number is none of ours.
    pub(crate) fn get(&self, number: u32) -> &str {
        text_at(self.0.as_ref(), number)
    }
}

fn text_at(heap: &[u8], number: u32) -> &str {
    let Some(rest) = heap.get(number as usize..) else { return "" };
    let (length, prefix) = read_length(rest);
    rest.get(prefix..prefix + length)
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .unwrap_or("")
}

/// Lengths below 128 take one byte, others five.
fn write_length(heap: &mut Vec<u8>, length: usize) {
    if length < 128 {
        heap.push(length as u8);
    } else {
        heap.push(0xff);
        heap.extend_from_slice(&(length as u32).to_le_bytes());
    }
}

fn read_length(bytes: &[u8]) -> (usize, usize) {
    match bytes.first() {
        Some(0xff) => (crate::file::read_u32(bytes, 1) as usize, 5),
        Some(&length) => (usize::from(length), 1),
        None => (0, 0),
    }
}
