//! Who is to be thanked for a file.

use std::path::Path;

use gazetteer::{Fact, SourceFact};

/// Somebody who publishes files.
pub(crate) struct Source {
    title: &'static str,
    licence: &'static str,
    url: &'static str,
}

pub(crate) const GEONAMES: Source =
    Source { title: "GeoNames", licence: "CC BY 4.0", url: "https://www.geonames.org" };

pub(crate) const OPENSTREETMAP: Source = Source {
    title: "OpenStreetMap contributors",
    licence: "ODbL 1.0",
    url: "https://www.openstreetmap.org/copyright",
};

pub(crate) const OPENADDRESSES: Source =
    Source { title: "OpenAddresses", licence: "see each source", url: "https://openaddresses.io" };

pub(crate) const NATURAL_EARTH: Source = Source {
    title: "Natural Earth",
    licence: "public domain",
    url: "https://www.naturalearthdata.com",
};

impl Source {
    /// The thanks for a file; its name stands for the date, for not all of them tell theirs.
    pub(crate) fn of(&self, path: &Path) -> Fact {
        Fact::Source(SourceFact {
            title: self.title.to_owned(),
            licence: self.licence.to_owned(),
            url: self.url.to_owned(),
            date: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        })
    }
}
