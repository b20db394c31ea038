//! Makes the gazetteer that becomes part of the program from the facts in `data/`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Error, Write};
use std::path::{Path, PathBuf};

use gazetteer::{Draft, tsv};

fn main() -> Result<(), Error> {
    // Asked at run time: a target directory that several clones share may have built this in another.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let data = Path::new(&here).join("../../data");
    println!("cargo:rerun-if-changed={}", data.display());

    let mut draft = Draft::new();
    for file in facts(&data)? {
        println!("cargo:rerun-if-changed={}", file.display());
        tsv::read(lines(&file)?, |line, fact| {
            let wrong = |reason| Error::other(format!("{}, line {line}: {reason}", file.display()));
            draft.add(fact.map_err(wrong)?);
            Ok::<_, Error>(())
        })?;
    }

    let target =
        PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("world.gaz");
    let mut out = BufWriter::new(File::create(target)?);
    draft.finish(&mut out)?;
    out.flush()
}

/// How files of facts are called, packed or plain; `data/` also has a lexicon, which knows no places.
const TABLES: [&str; 3] = ["-places.tsv", "-shapes.tsv", "-houses.tsv"];

/// The text of a file, which is packed or, if people write it, plain.
fn lines(file: &Path) -> Result<Box<dyn BufRead>, Error> {
    let bytes = File::open(file)?;
    if file.extension().is_some_and(|it| it == "zst") {
        return Ok(Box::new(BufReader::new(zstd::stream::read::Decoder::new(bytes)?)));
    }
    Ok(Box::new(BufReader::new(bytes)))
}

/// The files of facts: the world first, for the first to speak of a place decides; then in the order of names.
fn facts(data: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if TABLES.iter().any(|end| name.trim_end_matches(".zst").ends_with(end)) {
            files.push(path);
        }
    }
    files.sort_by_key(|file| {
        (
            !file.file_name().is_some_and(|it| it.to_string_lossy().starts_with("world-")),
            file.clone(),
        )
    });
    Ok(files)
}
