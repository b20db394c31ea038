//! Makes a map of the ordinary words of the lexicon in `data/` that is looked up where it lies.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The languages of the lexicon, in the order of their bits. `src/lexicon.rs` names the same.
const LANGUAGES: [&str; 12] =
    ["en", "de", "fr", "es", "it", "nl", "pt", "fi", "sv", "da", "no", "pl"];

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../data/lexicon.tsv.zst");
    println!("cargo::rerun-if-changed={}", data.display());
    let text = String::from_utf8(zstd::decode_all(fs::File::open(&data)?)?)?;
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        rows.extend(row(line)?);
    }
    rows.sort_unstable();
    rows.dedup_by_key(|it| it.0.clone());
    let map = fst::Map::from_iter(rows)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("ordinary.fst"), map.as_fst().as_bytes())?;
    Ok(())
}

/// An ordinary word with how common it is and the bits of its languages above; nothing for what is a name only.
fn row(line: &str) -> Result<Option<(String, u64)>, Box<dyn Error>> {
    let mut fields = line.split('\t');
    let mut field = || fields.next().unwrap_or("");
    let (word, ordinary, languages) = (field(), field(), field());
    if ordinary.is_empty() {
        return Ok(None);
    }
    let known =
        LANGUAGES.iter().enumerate().filter(|it| languages.split(',').any(|one| one == *it.1));
    let bits = known.fold(0_u64, |bits, (at, _)| bits | 1 << at);
    Ok(Some((word.to_owned(), ordinary.parse::<u64>()?.min(127) | bits << 8)))
}
