//! `strabo gazetteer export`: everything a gazetteer knows as tab-separated text.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use gazetteer::{Fact, Gazetteer, tsv};

use crate::output::{grouped, say};
use crate::progress;

pub(super) fn run(gazetteer: &Gazetteer, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let bar = progress::waiting("writing");
    let open = |name: &str| {
        let path = folder.join(name);
        File::create(&path).map(BufWriter::new).with_context(|| format!("{}", path.display()))
    };
    let (mut places, mut shapes, mut houses) =
        (open("places.tsv")?, open("shapes.tsv")?, open("houses.tsv")?);
    for source in gazetteer.sources() {
        writeln!(places, "{}", tsv::line(&Fact::Source(source)))?;
    }
    writeln!(places, "{}", tsv::PLACE_COLUMNS)?;
    writeln!(shapes, "{}", tsv::SHAPE_COLUMNS)?;
    writeln!(houses, "{}", tsv::HOUSE_COLUMNS)?;
    for fact in gazetteer.facts() {
        match fact {
            Fact::Place(_) => writeln!(places, "{}", tsv::line(&fact))?,
            Fact::Shape(_) => writeln!(shapes, "{}", tsv::line(&fact))?,
            Fact::House(_) => writeln!(houses, "{}", tsv::line(&fact))?,
            Fact::Source(_) => {}
        }
    }
    for file in [&mut places, &mut shapes, &mut houses] {
        file.flush()?;
    }
    bar.finish_and_clear();
    say(&format!(
        "{} places, {} outlines and {} house numbers written to {}\n",
        grouped(gazetteer.len()),
        grouped(gazetteer.outlines()),
        grouped(gazetteer.house_count()),
        folder.display()
    ))
}
