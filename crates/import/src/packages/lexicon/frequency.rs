//! How often words are used: the lists of wordfreq, read from MessagePack.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::GzDecoder;

use crate::packages::archive::Files;
use crate::sink::ImportError;

/// Rarer words are not kept: on the Zipf scale, one in three million words.
const RAREST: f64 = 2.5;

/// No list of words is larger than this: the largest, of Finnish, has 9 MB.
const LARGEST: u64 = 64 << 20;

/// Words in lower case with their frequency on the Zipf scale, from [`RAREST`] up.
///
/// The scale is the logarithm of the uses in a billion words: "the" has 7.7, "bakery" 3.7.
pub(super) type Frequencies = HashMap<String, f64>;

/// The list of words of one language.
pub(super) fn frequencies(wordfreq: &Files, name: &str) -> Result<Frequencies, ImportError> {
    let torn = |reason: &dyn std::fmt::Display| {
        wordfreq.foreign(name, "list of words by frequency", reason)
    };
    let mut bytes = Vec::new();
    let unpacked = GzDecoder::new(wordfreq.bytes(name)?);
    unpacked.take(LARGEST).read_to_end(&mut bytes).map_err(|error| torn(&error))?;
    parse(&bytes).ok_or_else(|| torn(&"it is torn"))
}

/// The list is a header, then one array of words for each hundredth of a decade.
fn parse(bytes: &[u8]) -> Option<Frequencies> {
    let mut reader = Reader { bytes };
    let arrays = reader.array()?;
    reader.header()?;
    let mut words = HashMap::new();
    for number in 0..arrays.checked_sub(1)? {
        let zipf = 9.0 - f64::from(u32::try_from(number).ok()?) / 100.0;
        if zipf < RAREST {
            break;
        }
        for _ in 0..reader.array()? {
            let word = reader.text()?;
            if word.chars().all(char::is_alphabetic) {
                words.insert(word.to_owned(), zipf);
            }
        }
    }
    Some(words)
}

/// The little of MessagePack that the lists are written in.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        Some(self.take(width)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn array(&mut self) -> Option<usize> {
        match self.number(1)? {
            tag @ 0x90..=0x9f => Some(tag & 0x0f),
            0xdc => self.number(2),
            0xdd => self.number(4),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = match self.number(1)? {
            tag @ 0xa0..=0xbf => tag & 0x1f,
            0xd9 => self.number(1)?,
            0xda => self.number(2)?,
            0xdb => self.number(4)?,
            _ => return None,
        };
        str::from_utf8(self.take(length)?).ok()
    }

    /// Reads a small map that says `cB`, hundredths of a decade, in version 1.
    fn header(&mut self) -> Option<()> {
        let entries = self.number(1)?.checked_sub(0x80).filter(|&count| count < 16)?;
        for _ in 0..entries {
            let sound = match self.text()? {
                "format" => self.text()? == "cB",
                "version" => self.number(1)? == 1,
                _ => false,
            };
            sound.then_some(())?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[u8] = b"\x94\x82\xa6format\xa2cB\xa7version\x01\x90\x92\xa2of\xa2a1\x91\xa3the";

    #[test]
    fn the_number_of_its_array_is_the_frequency_of_a_word() {
        let words = parse(LIST).unwrap();
        assert_eq!(words.len(), 2);
        assert!((words["of"] - 8.99).abs() < 1e-9);
        assert!((words["the"] - 8.98).abs() < 1e-9);
    }

    #[test]
    fn a_torn_list_is_refused_wherever_it_is_torn() {
        for end in 0..LIST.len() {
            assert_eq!(parse(&LIST[..end]), None, "torn at {end}");
        }
    }
}
