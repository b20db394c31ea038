//! Makes a table of the lexicon in `data/` that is looked up where it lies, without being read first.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use xxhash_rust::xxh3::xxh3_64;

/// The languages of the lexicon, in the order of their bits. `src/lexicon.rs` names the same.
const LANGUAGES: [&str; 12] =
    ["en", "de", "fr", "es", "it", "nl", "pt", "fi", "sv", "da", "no", "pl"];

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../data/lexicon.tsv.zst");
    println!("cargo::rerun-if-changed={}", data.display());
    let text = String::from_utf8(zstd::decode_all(fs::File::open(&data)?)?)?;
    let rows: Vec<(u64, u32)> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(row)
        .collect::<Result<_, _>>()?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("lexicon.bin"), table(&rows))?;
    Ok(())
}

fn row(line: &str) -> Result<(u64, u32), Box<dyn Error>> {
    let mut fields = line.split('\t');
    let mut field = || fields.next().unwrap_or("");
    let (word, ordinary, languages, given, surname) = (field(), field(), field(), field(), field());
    let number = |text: &str| if text.is_empty() { Ok(0) } else { text.parse::<u32>() };
    let bits = |text: &str| {
        let known =
            LANGUAGES.iter().enumerate().filter(|it| text.split(',').any(|one| one == *it.1));
        known.fold(0, |bits, (at, _)| bits | 1 << at)
    };
    let value = number(ordinary)?.min(127)
        | (number(given)? / 2).min(63) << 7
        | (number(surname)? / 2).min(63) << 13
        | bits(languages) << 19;
    Ok((xxh3_64(word.as_bytes()), value))
}

/// Slots of check and value, little endian, at most half of them taken; a word lies at its hash or behind it.
fn table(rows: &[(u64, u32)]) -> Vec<u8> {
    let slots = (rows.len() * 2).next_power_of_two();
    let mut table = vec![(0_u32, 0_u32); slots];
    for (hash, value) in rows {
        let check = (hash >> 32) as u32 | 1;
        let mut at = *hash as usize & (slots - 1);
        while table[at].0 != 0 {
            at = (at + 1) & (slots - 1);
        }
        table[at] = (check, *value);
    }
    table
        .iter()
        .flat_map(|(check, value)| [check.to_le_bytes(), value.to_le_bytes()].concat())
        .collect()
}
