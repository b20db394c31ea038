//! `strabo gazetteer export`: everything a gazetteer knows as tab-separated text.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use gazetteer::{Fact, Gazetteer, tsv};

use crate::aside;
use crate::output::{grouped, say};
use crate::progress;

/// The files of an export: name, columns, and which facts they hold.
type Table = (&'static str, &'static str, fn(&Fact) -> bool);

const TABLES: [Table; 3] = [
    ("places.tsv", tsv::PLACE_COLUMNS, |fact| matches!(fact, Fact::Place(_))),
    ("shapes.tsv", tsv::SHAPE_COLUMNS, |fact| matches!(fact, Fact::Shape(_))),
    ("houses.tsv", tsv::HOUSE_COLUMNS, |fact| matches!(fact, Fact::House(_))),
];

pub(super) fn run(gazetteer: &Gazetteer, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let bar = progress::waiting("writing");
    for (name, columns, holds) in TABLES {
        aside::replace(&folder.join(name), |_, file| {
            let mut out = BufWriter::new(file);
            for source in gazetteer.sources() {
                writeln!(out, "{}", tsv::line(&Fact::Source(source)))?;
            }
            writeln!(out, "{columns}")?;
            for fact in gazetteer.facts().filter(holds) {
                writeln!(out, "{}", tsv::line(&fact))?;
            }
            Ok(out.flush()?)
        })?;
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
