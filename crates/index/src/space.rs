//! Where the documents of a shard are: their spots, and a packed R-tree over those that are points.
//!
//! The tree is bulk-loaded once, along Morton's curve, sixteen to a node, and lies in the file as plain arrays of
//! boxes: opening it reads nothing and all threads share the pages. An `rstar` tree of the same points takes 77
//! bytes each and half a second a million at every opening.

use std::path::Path;

use earth::{Bounds, Point};
use tantivy::directory::MmapDirectory;
use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::error::Error;
use crate::sections::{Rows, Sections, SectionsWriter};
use crate::spot::{NO_PLACE, Spot, curve, fixed, point};

pub(crate) const FILE: &str = "space.bin";
/// So many children has a node of the tree.
const FAN: usize = 16;
/// Sections before those of the tree's levels.
const FIXED_SECTIONS: usize = 4;
/// In what is kept of a spot's sureness, marks an area.
const AREA: u8 = 0x80;

/// A spot as it lies in the file, beside the others of its document: points first, then areas.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Row {
    lat: I32,
    lon: I32,
    part: u8,
    /// In 127ths.
    sure: u8,
}

/// A point as the leaves of the tree have it, along the curve.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Leaf {
    lat: I32,
    lon: I32,
    document: U32,
}

/// A box in fixed-point degrees; it never crosses the date line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The southern edge.
    pub south: i32,
    /// The western edge.
    pub west: i32,
    /// The northern edge.
    pub north: i32,
    /// The eastern edge.
    pub east: i32,
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct CellRow {
    south: I32,
    west: I32,
    north: I32,
    east: I32,
}

impl Cell {
    const NONE: Self = Self { south: i32::MAX, west: i32::MAX, north: i32::MIN, east: i32::MIN };

    /// The cells of a box: two if it crosses the date line.
    pub fn of(bounds: Bounds) -> Vec<Self> {
        // Rounding must not leave out what lies on the edge.
        let (south, north) = (fixed(bounds.south) - 1, fixed(bounds.north) + 1);
        let cell = |west: f64, east: f64| Self {
            south,
            west: fixed(west).saturating_sub(1),
            north,
            east: fixed(east).saturating_add(1),
        };
        if bounds.west <= bounds.east {
            vec![cell(bounds.west, bounds.east)]
        } else {
            vec![cell(bounds.west, 180.0), cell(-180.0, bounds.east)]
        }
    }

    /// True if a point is in it or on its edge.
    #[inline]
    pub fn holds(&self, lat: i32, lon: i32) -> bool {
        self.south <= lat && lat <= self.north && self.west <= lon && lon <= self.east
    }

    #[inline]
    fn meets(&self, other: &Self) -> bool {
        self.south <= other.north
            && other.south <= self.north
            && self.west <= other.east
            && other.west <= self.east
    }

    #[inline]
    fn covers(&self, other: &Self) -> bool {
        self.south <= other.south
            && other.north <= self.north
            && self.west <= other.west
            && other.east <= self.east
    }

    fn widened(self, other: &Self) -> Self {
        Self {
            south: self.south.min(other.south),
            west: self.west.min(other.west),
            north: self.north.max(other.north),
            east: self.east.max(other.east),
        }
    }
}

impl CellRow {
    #[inline]
    fn cell(&self) -> Cell {
        Cell {
            south: self.south.get(),
            west: self.west.get(),
            north: self.north.get(),
            east: self.east.get(),
        }
    }
}

impl From<Cell> for CellRow {
    fn from(cell: Cell) -> Self {
        Self {
            south: cell.south.into(),
            west: cell.west.into(),
            north: cell.north.into(),
            east: cell.east.into(),
        }
    }
}

/// Gathers the spots of documents in their order, then writes them.
#[derive(Default)]
pub(crate) struct SpaceWriter {
    rows: Vec<Row>,
    places: Vec<U32>,
    starts: Vec<U32>,
    /// Place on the curve, and the point.
    leaves: Vec<(u64, Leaf)>,
}

impl SpaceWriter {
    /// Adds the spots of the next document.
    pub(crate) fn add(&mut self, spots: &[Spot]) {
        let document = U32::new(self.starts.len() as u32);
        self.starts.push(U32::new(self.rows.len() as u32));
        let (points, areas): (Vec<&Spot>, Vec<&Spot>) = spots.iter().partition(|it| !it.is_area);
        for spot in points.into_iter().chain(areas) {
            let (lat, lon) = (I32::new(spot.lat), I32::new(spot.lon));
            let sure = (spot.sure / 2) | if spot.is_area { AREA } else { 0 };
            self.rows.push(Row { lat, lon, part: spot.part, sure });
            self.places.push(U32::new(spot.place.unwrap_or(NO_PLACE)));
            if !spot.is_area {
                self.leaves.push((curve(spot.lat, spot.lon), Leaf { lat, lon, document }));
            }
        }
    }

    pub(crate) fn write(mut self, path: &Path) -> std::io::Result<()> {
        self.starts.push(U32::new(self.rows.len() as u32));
        self.leaves.sort_unstable_by_key(|it| (it.0, it.1.document.get()));
        let leaves: Vec<Leaf> = self.leaves.into_iter().map(|it| it.1).collect();
        let has_places = self.places.iter().any(|it| it.get() != NO_PLACE);
        let mut file = SectionsWriter::create(path)?;
        file.rows(&self.starts)?;
        file.rows(&self.rows)?;
        file.rows(if has_places { &self.places } else { &[] })?;
        file.rows(&leaves)?;
        let mut level: Vec<Cell> = leaves.chunks(FAN).map(cell_of_leaves).collect();
        loop {
            file.rows(&level.iter().map(|it| CellRow::from(*it)).collect::<Vec<_>>())?;
            if level.len() <= 1 {
                break;
            }
            let widen = |cells: &[Cell]| cells.iter().fold(Cell::NONE, Cell::widened);
            level = level.chunks(FAN).map(widen).collect();
        }
        file.finish()
    }
}

fn cell_of_leaves(leaves: &[Leaf]) -> Cell {
    leaves.iter().fold(Cell::NONE, |cell, leaf| {
        let (lat, lon) = (leaf.lat.get(), leaf.lon.get());
        cell.widened(&Cell { south: lat, west: lon, north: lat, east: lon })
    })
}

/// The spots of a shard, mapped.
pub struct Space {
    starts: Rows<U32>,
    rows: Rows<Row>,
    places: Rows<U32>,
    leaves: Rows<Leaf>,
    /// Boxes of the nodes, those above sixteen points first, the root last.
    levels: Vec<Rows<CellRow>>,
}

impl Space {
    pub(crate) fn open(directory: &MmapDirectory, documents: u32) -> Result<Self, Error> {
        let file = Sections::open(directory, FILE, FIXED_SECTIONS + 1)?;
        let mut levels = Vec::new();
        loop {
            let level = file.rows::<CellRow>(FIXED_SECTIONS + levels.len())?;
            let is_root = level.len() <= 1;
            levels.push(level);
            if is_root {
                break;
            }
        }
        let space = Self {
            starts: file.rows(0)?,
            rows: file.rows(1)?,
            places: file.rows(2)?,
            leaves: file.rows(3)?,
            levels,
        };
        let spots = space.rows.len();
        let fits = space.starts.len() == documents as usize + 1
            && (space.places.is_empty() || space.places.len() == spots)
            && space.leaves.len() <= spots
            && space.starts.is_sorted_by_key(|it| it.get())
            && space.starts.last().is_some_and(|it| it.get() as usize == spots)
            && space.levels[0].len() == space.leaves.len().div_ceil(FAN);
        let fact = "its tables do not fit together";
        if fits { Ok(space) } else { Err(Error::Damaged(FILE.to_owned(), fact.to_owned())) }
    }

    /// How many spots there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if no document is anywhere.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many of the spots are points.
    pub fn points(&self) -> usize {
        self.leaves.len()
    }

    /// The spots of a document: first its points, then its areas.
    pub fn spots(&self, document: u32) -> impl Iterator<Item = Spot> + '_ {
        self.range(document).map(|at| {
            let row = &self.rows[at];
            let place = self.places.get(at).map(|it| it.get()).filter(|it| *it != NO_PLACE);
            let sure = row.sure & !AREA;
            Spot {
                lat: row.lat.get(),
                lon: row.lon.get(),
                place,
                part: row.part,
                sure: sure << 1 | sure >> 6,
                is_area: row.sure & AREA != 0,
            }
        })
    }

    #[inline]
    fn range(&self, document: u32) -> std::ops::Range<usize> {
        let starts = &self.starts[document as usize..=document as usize + 1];
        starts[0].get() as usize..starts[1].get() as usize
    }

    /// The points of a document in fixed-point degrees, with part and sureness in 255ths; without its areas.
    #[inline]
    pub fn document_points(&self, document: u32) -> impl Iterator<Item = (i32, i32, u8, u8)> + '_ {
        let rows = &self.rows[self.range(document)];
        rows.iter()
            .take_while(|row| row.sure & AREA == 0)
            .map(|row| (row.lat.get(), row.lon.get(), row.part, row.sure << 1 | row.sure >> 6))
    }

    /// How many points the cells hold, up to a share of those near their edges.
    pub fn estimate(&self, cells: &[Cell]) -> usize {
        let mut count = 0;
        self.walk(cells, |range, is_inside| {
            count += if is_inside { range.len() } else { range.len().div_ceil(2) };
        });
        count
    }

    /// The documents with a point in one of the cells that passes the test, each once, in order.
    pub fn documents_in(
        &self,
        cells: &[Cell],
        mut passes: impl FnMut(i32, i32) -> bool,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        let leaves = &*self.leaves;
        self.walk(cells, |range, is_inside| {
            for row in &leaves[range] {
                let (lat, lon) = (row.lat.get(), row.lon.get());
                let is_in = is_inside || cells.iter().any(|cell| cell.holds(lat, lon));
                if is_in && passes(lat, lon) {
                    found.push(row.document.get());
                }
            }
        });
        found.sort_unstable();
        found.dedup();
    }

    /// Visits the runs of points whose nodes meet one of the cells; tells whether a run is wholly inside one.
    fn walk(&self, cells: &[Cell], mut visit: impl FnMut(std::ops::Range<usize>, bool)) {
        if self.leaves.is_empty() {
            return;
        }
        // Height and number of the nodes still to look at, the next one last, so that runs come in order.
        let mut open: Vec<(usize, usize)> = vec![(self.levels.len() - 1, 0)];
        while let Some((height, node)) = open.pop() {
            let cell = self.levels[height][node].cell();
            if !cells.iter().any(|it| it.meets(&cell)) {
                continue;
            }
            let is_inside = cells.iter().any(|it| it.covers(&cell));
            if is_inside || height == 0 {
                let width = FAN.pow(height as u32 + 1);
                let end = ((node + 1) * width).min(self.leaves.len());
                visit(node * width..end, is_inside);
                continue;
            }
            let first = node * FAN;
            let last = (first + FAN).min(self.levels[height - 1].len());
            open.extend((first..last).rev().map(|child| (height - 1, child)));
        }
    }

    /// The points nearest to a point, each with its document, up to so many.
    pub fn nearest(&self, to: Point, most: usize) -> Vec<(u32, Point)> {
        let mut reach = earth::Meters(1_000.0);
        loop {
            let cells = Cell::of(Bounds::around(to, reach));
            let mut found: Vec<(f64, u32, Point)> = Vec::new();
            self.walk(&cells, |range, _| {
                for row in &self.leaves[range] {
                    let at = point(row.lat.get(), row.lon.get());
                    let distance = at.distance(to).0;
                    if distance <= reach.0 {
                        found.push((distance, row.document.get(), at));
                    }
                }
            });
            if found.len() >= most || reach.0 > 2.1e7 {
                found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                found.truncate(most);
                return found.into_iter().map(|it| (it.1, it.2)).collect();
            }
            reach.0 *= 2.0;
        }
    }
}
