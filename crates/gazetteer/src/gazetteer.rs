//! All places together: an opened file and what can be asked of it.

use std::path::Path;
use std::sync::OnceLock;

use earth::{Meters, Point};
use rstar::RTree;

use crate::fact::{Fact, HouseFact, NameClass, ShapeFact, SourceFact};
use crate::file::{FileError, Section, SectionFile};
use crate::kd;
use crate::kind::Kind;
use crate::layout::{self, HouseRow, PlaceRow};
use crate::name_index::NameIndex;
use crate::place::{Place, PlaceId};
use crate::shape::{RingBox, Shapes, degrees};
use crate::spelling::spelling;
use crate::strings::Strings;
use crate::tsv;

/// The places of the world, opened.
///
/// It is a view of a file in memory: opening reads a few hundred bytes, answering touches only the pages that
/// the answer lies on, and any number of threads may ask at once.
pub struct Gazetteer {
    file: SectionFile,
    places: Section,
    pub(crate) names: Section,
    pub(crate) strings: Strings,
    keys: Section,
    pub(crate) index: NameIndex,
    cities: Section,
    spots: Section,
    pub(crate) shapes: Shapes,
    streets: Section,
    houses: Section,
    adjacent: Section,
    rings: OnceLock<RTree<RingBox>>,
}

/// A house of a street.
#[derive(Clone, Debug, PartialEq)]
pub struct House<'g> {
    /// As it stands on the door.
    pub number: &'g str,
    /// Where it is.
    pub point: Point,
    /// Its postcode, or nothing.
    pub postcode: &'g str,
}

impl Gazetteer {
    /// Opens a gazetteer file by mapping it into memory.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::from_file(SectionFile::open(path)?)
    }

    /// A gazetteer that is part of the program.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self, FileError> {
        Self::from_file(SectionFile::from_static(name, bytes)?)
    }

    /// A gazetteer just built in memory.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, FileError> {
        Self::from_file(SectionFile::from_vec(name, bytes)?)
    }

    fn from_file(file: SectionFile) -> Result<Self, FileError> {
        let damaged =
            |_| FileError::Damaged { file: file.name().to_owned(), section: "index".to_owned() };
        let index = NameIndex::open(&file).map_err(damaged)?;
        let shapes =
            Shapes::new(file.section("shapes"), file.section("rings"), file.section("corners"));
        Ok(Self {
            places: file.section("places"),
            names: file.section("names"),
            strings: Strings(file.section("strings")),
            keys: file.section("keys"),
            index,
            cities: file.section("cities"),
            spots: file.section("spots"),
            shapes,
            streets: file.section("streets"),
            houses: file.section("houses"),
            adjacent: file.section("adjacent"),
            rings: OnceLock::new(),
            file,
        })
    }

    /// Reads every byte of the file and compares the checksums.
    pub fn verify(&self) -> Result<(), FileError> {
        self.file.verify()
    }

    /// A number that names this gazetteer's content: another content, another number.
    pub fn fingerprint(&self) -> u64 {
        self.file.fingerprint()
    }

    /// Where it was opened from.
    pub fn origin(&self) -> &str {
        self.file.name()
    }

    /// The parts of the file with their sizes in bytes.
    pub fn sizes(&self) -> Vec<(String, usize)> {
        self.file.sizes()
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        (self.places.len() / layout::PLACE).saturating_sub(1)
    }

    /// True if there is not even the world.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different spellings of names there are.
    pub fn spellings(&self) -> usize {
        self.index.len()
    }

    /// How many outlines there are.
    pub fn outlines(&self) -> usize {
        self.shapes.count()
    }

    /// How many house numbers there are.
    pub fn house_count(&self) -> usize {
        self.houses.len() / layout::HOUSE
    }

    pub(crate) fn row(&self, id: PlaceId) -> PlaceRow {
        PlaceRow::read(self.places.as_ref(), id.0 as usize)
    }

    /// What a place is part of; its own number or more if the file is damaged.
    pub(crate) fn parent_of(&self, id: PlaceId) -> PlaceId {
        PlaceId(PlaceRow::parent(self.places.as_ref(), id.0 as usize))
    }

    pub(crate) fn kind_of(&self, id: PlaceId) -> Kind {
        PlaceRow::kind(self.places.as_ref(), id.0 as usize)
    }

    /// The place with this number.
    pub fn place(&self, id: PlaceId) -> Place<'_> {
        Place { gazetteer: self, id, row: self.row(id) }
    }

    /// Every place, parents before children.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        (0..self.len() as u32).map(|number| self.place(PlaceId(number)))
    }

    /// The place with this key.
    pub fn by_key(&self, key: &str) -> Option<Place<'_>> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let place = self.place(PlaceId(self.keys.u32_at(middle)));
            match place.key().cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(place),
            }
        }
        None
    }

    /// The places that bear this name, however it is written, best known first.
    pub fn named<'g>(
        &'g self,
        name: &str,
    ) -> impl Iterator<Item = (Place<'g>, NameClass)> + use<'g> {
        self.index.exact(&spelling(name)).map(|(id, class)| (self.place(id), class))
    }

    /// The houses of a street, by number.
    pub fn houses(&self, street: PlaceId) -> impl Iterator<Item = House<'_>> {
        let range = self.house_range(street).unwrap_or(0..0);
        range.map(|at| {
            let row = HouseRow::read(&self.houses, at);
            House {
                number: self.strings.get(row.number),
                point: Point::new(degrees(row.lat), degrees(row.lon)),
                postcode: self.strings.get(row.postcode),
            }
        })
    }

    fn house_range(&self, street: PlaceId) -> Option<std::ops::Range<usize>> {
        let (mut low, mut high) = (0, (self.streets.len() / 8).checked_sub(1)?);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.streets.u32_at(middle * 2).cmp(&street.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let start = self.streets.u32_at(middle * 2 + 1) as usize;
                    let end = self.streets.u32_at(middle * 2 + 3) as usize;
                    return Some(start..end.min(self.house_count()));
                }
            }
        }
        None
    }

    pub(crate) fn ring_tree(&self) -> &RTree<RingBox> {
        self.rings.get_or_init(|| self.shapes.tree())
    }

    /// The cities and districts nearest to a point, nearest first.
    pub fn nearest_cities(
        &self,
        from: Point,
        most: usize,
        reach: Meters,
    ) -> Vec<(PlaceId, Meters)> {
        self.nearest_in(&self.cities, from, most, reach, |_| true)
    }

    /// The streets, postcodes, airports and sights of these kinds nearest to a point, nearest first.
    pub fn nearest_spots(
        &self,
        from: Point,
        most: usize,
        reach: Meters,
        wanted: impl Fn(Kind) -> bool,
    ) -> Vec<(PlaceId, Meters)> {
        self.nearest_in(&self.spots, from, most, reach, |it| wanted(self.row(PlaceId(it)).kind))
    }

    fn nearest_in(
        &self,
        tree: &Section,
        from: Point,
        most: usize,
        reach: Meters,
        wanted: impl Fn(u32) -> bool,
    ) -> Vec<(PlaceId, Meters)> {
        let tree = kd::Tree {
            len: tree.len() / 4,
            member: |at| tree.u32_at(at),
            point_of: |it| {
                let (lat, lon) = PlaceRow::position(self.places.as_ref(), it as usize);
                Point::new(degrees(lat), degrees(lon))
            },
        };
        let found = tree.nearest(from, most, reach, wanted);
        found.into_iter().map(|(number, distance)| (PlaceId(number), distance)).collect()
    }

    /// The neighbours of a place as the sources publish them.
    pub(crate) fn published_neighbours(&self, place: PlaceId) -> impl Iterator<Item = Place<'_>> {
        let count = self.adjacent.len() / 8;
        let mut low = 0;
        let mut high = count;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.adjacent.u32_at(middle * 2) < place.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..count)
            .take_while(move |at| self.adjacent.u32_at(at * 2) == place.0)
            .map(|at| self.place(PlaceId(self.adjacent.u32_at(at * 2 + 1))))
    }

    /// Who is to be thanked for the data.
    pub fn sources(&self) -> Vec<SourceFact> {
        let section = self.file.section("sources");
        let text = std::str::from_utf8(section.as_ref()).unwrap_or("");
        text.lines().filter_map(tsv::source).collect()
    }

    /// Everything it knows, as facts: sources, then places with parents first, outlines, houses.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        let sources = self.sources().into_iter().map(Fact::Source);
        let places = self.places().map(|place| Fact::Place(place.fact()));
        let shapes = self.places().filter_map(|place| {
            let outline = place.outline()?;
            Some(Fact::Shape(ShapeFact { place: place.key().to_owned(), outline }))
        });
        let houses = self.places().flat_map(|street| {
            self.houses(street.id()).map(move |house| {
                Fact::House(HouseFact {
                    street: street.key().to_owned(),
                    number: house.number.to_owned(),
                    point: house.point,
                    postcode: house.postcode.to_owned(),
                })
            })
        });
        sources.chain(places).chain(shapes).chain(houses)
    }
}
