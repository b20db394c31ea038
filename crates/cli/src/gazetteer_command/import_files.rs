//! `strabo gazetteer import`: a gazetteer of one's own.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use gazetteer::{Draft, Gazetteer, Settled};
use import::{Geonames, GeonamesOptions, ImportError, Join, Report, Sink};

use crate::aside;
use crate::opened::Opened;
use crate::output::{grouped, say};
use crate::progress;

/// Make a gazetteer of your own from dumps, extracts and tables, on top of the embedded one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What the files are.
    #[arg(long, value_enum)]
    from: Format,
    /// The files, in the order to read them; of `GeoNames`, the places first.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The gazetteer file to write. It is replaced only when the new one is complete.
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// What to build on: `world` is the embedded gazetteer, `none` starts empty, anything else is a file.
    #[arg(long, value_name = "world|none|FILE", default_value = "world")]
    base: String,
    /// Stop at the first bad record instead of skipping it.
    #[arg(long)]
    strict: bool,
    /// `GeoNames`: the feature classes and codes to keep.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    features: Vec<String>,
    /// `GeoNames`: leave out places with fewer people.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_population: u64,
}

const EXAMPLES: &str = "Examples:
  strabo gazetteer import --from osm finland.osm.pbf --into finland.gaz
  strabo gazetteer import --from geonames allCountries.zip alternateNamesV2.zip hierarchy.zip --base none --into all.gaz
  strabo gazetteer import --from tsv clubs.tsv --base finland.gaz --into mine.gaz
  strabo place --gazetteer mine.gaz \"Our club\"";

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Dumps of geonames.org: allCountries or one country, alternateNamesV2, hierarchy, postal codes.
    Geonames,
    /// An OpenStreetMap extract (.osm.pbf): streets, house numbers, sights, places, boundaries.
    Osm,
    /// Addresses of openaddresses.io: CSV or line-delimited `GeoJSON`.
    Openaddresses,
    /// Natural Earth: shapefile or `GeoJSON`.
    NaturalEarth,
    /// A table of your own: tab-separated, the first line names the columns (name, lat, lon, …).
    Tsv,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments)?;
    let base = base(&arguments.base)?;
    let empty = empty()?;
    let mut join = Join::new(base.as_deref().unwrap_or(&empty));
    let mut draft = Draft::new();
    if let Some(base) = &base {
        let bar = progress::waiting("taking over the base");
        base.facts().for_each(|fact| draft.add(fact));
        bar.finish_and_clear();
    }
    let options = GeonamesOptions {
        min_population: arguments.min_population,
        ..options(&arguments.features)
    };
    let mut geonames = Geonames::new(options);
    for file in &arguments.files {
        let report = read(arguments, &mut geonames, file, &mut join, &mut draft)?;
        say(&told(file, &report))?;
    }
    let joined = join.joined();
    let settled = write(draft, &arguments.into)?;
    say(&summary(&arguments.into, joined, &settled))
}

/// Tells what cannot work before the work begins.
fn check(arguments: &Arguments) -> Result<()> {
    for file in &arguments.files {
        let is_file = fs::metadata(file).with_context(|| format!("{}", file.display()))?.is_file();
        anyhow::ensure!(is_file, "{} is no file", file.display());
    }
    let into = &arguments.into;
    anyhow::ensure!(!into.is_dir(), "{} is a folder: name a file in it", into.display());
    let folder = into.parent().filter(|it| !it.as_os_str().is_empty());
    let there = folder.is_none_or(Path::is_dir);
    anyhow::ensure!(there, "the folder of {} is not there: make it first", into.display());
    Ok(())
}

fn options(features: &[String]) -> GeonamesOptions {
    let default = GeonamesOptions::default();
    if features.is_empty() {
        default
    } else {
        GeonamesOptions { features: features.to_vec(), ..default }
    }
}

fn base(name: &str) -> Result<Option<Opened>> {
    Ok(match name {
        "none" => None,
        "world" => Some(Opened::Embedded(world::gazetteer())),
        file => Some(Opened::File(Box::new(Gazetteer::open(Path::new(file))?))),
    })
}

fn empty() -> Result<Gazetteer> {
    let mut bytes = Vec::new();
    Draft::new().finish(&mut bytes)?;
    Ok(Gazetteer::from_bytes("nothing", bytes)?)
}

fn read(
    arguments: &Arguments,
    geonames: &mut Geonames,
    file: &Path,
    join: &mut Join<'_>,
    draft: &mut Draft,
) -> Result<Report> {
    let size = fs::metadata(file).with_context(|| format!("{}", file.display()))?.len();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bar = progress::bytes(size, &name);
    let mut keep = |fact| draft.add(join.fact(fact));
    let watch = |done| bar.set_position(done);
    let mut sink = Sink::new(arguments.strict, &mut keep, &watch);
    let outcome: Result<(), ImportError> = match arguments.from {
        Format::Geonames => geonames.import(file, &mut sink),
        Format::Osm => import::osm(file, &mut sink),
        Format::Openaddresses => import::openaddresses(file, &mut sink),
        Format::NaturalEarth => import::natural_earth(file, &mut sink),
        Format::Tsv => import::tsv(file, &mut sink),
    };
    bar.finish_and_clear();
    outcome?;
    Ok(sink.report())
}

/// Builds the file and reads it back before it takes the place of the old one.
fn write(draft: Draft, path: &Path) -> Result<Settled> {
    let bar = progress::waiting("building");
    let settled = aside::replace(path, |aside, file| {
        let mut out = BufWriter::new(file);
        let settled = draft.finish(&mut out)?;
        out.flush()?;
        Gazetteer::open(aside)?.verify()?;
        Ok(settled)
    });
    bar.finish_and_clear();
    settled
}

fn told(file: &Path, report: &Report) -> String {
    let mut text = format!(
        "{}: {} facts kept, {} records not wanted, {} bad\n",
        file.display(),
        grouped(report.kept as usize),
        grouped(report.passed as usize),
        grouped(report.bad as usize)
    );
    for bad in &report.shown {
        text += &format!("   record {}: {}\n", bad.at, bad.reason);
    }
    if report.bad as usize > report.shown.len() {
        text += &format!("   … and {} more\n", grouped(report.bad as usize - report.shown.len()));
    }
    text
}

fn summary(path: &Path, joined: usize, settled: &Settled) -> String {
    let mut text = format!(
        "{}: {} places; {} were in the base already, {} found their parent by position\n",
        path.display(),
        grouped(settled.places),
        grouped(joined),
        grouped(settled.placed_by_position)
    );
    if settled.left_out_count > 0 {
        let more = if settled.left_out_count > settled.left_out.len() { " …" } else { "" };
        let (count, first) = (grouped(settled.left_out_count), settled.left_out.join(", "));
        text += &format!("   {count} left out for want of a name or position: {first}{more}\n");
    }
    if !settled.cycles.is_empty() {
        text +=
            &format!("   part of themselves, put under the world: {}\n", settled.cycles.join(", "));
    }
    if settled.orphans > 0 {
        text += &format!(
            "   {} outlines and houses of unknown places left out\n",
            grouped(settled.orphans)
        );
    }
    text
}
