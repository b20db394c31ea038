//! Shapefiles: outlines and points in `.shp`, what is known of them in `.dbf` beside it.
//!
//! The format is ESRI's white paper of July 1998. The `shapefile` crate reads more of it, but panics
//! on torn tables (dbase 0.8: a number field shorter than its type) and knows no Windows-1252.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use geo::algorithm::winding_order::{Winding, WindingOrder};
use geo::{Coord, LineString, MultiPolygon};

use crate::lines::io_error;
use crate::outline::nested;
use crate::sink::ImportError;

/// A shapefile, read from its first record to its last.
pub(crate) struct Shapefile {
    shapes: Shapes,
    table: Table,
}

/// One record: its fields by their names in lower case, and its shape.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) shape: Shape,
}

/// What a record looks like on the map.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum Shape {
    /// Nothing, or lines.
    #[default]
    None,
    /// Something that cannot be read.
    Torn,
    Point(Coord<f64>),
    Outline(MultiPolygon<f64>),
}

/// Why reading stopped before the end.
type Torn = String;

impl Shapefile {
    /// Opens `path` and the table beside it.
    pub(crate) fn open(path: &Path) -> Result<Self, ImportError> {
        let encoding = Encoding::beside(path);
        Ok(Self { shapes: Shapes::open(path)?, table: Table::open(path, encoding)? })
    }

    /// How many bytes of the `.shp` are read.
    pub(crate) fn position(&self) -> u64 {
        self.shapes.position
    }

    /// The next record; nothing at the end. After an error there is nothing to be had.
    pub(crate) fn next(&mut self) -> Result<Option<Record>, Torn> {
        let Some(content) = self.shapes.next()? else { return Ok(None) };
        let fields = self.table.next()?;
        Ok(Some(Record { fields, shape: shape(&content).unwrap_or(Shape::Torn) }))
    }
}

/// The `.shp` file.
struct Shapes {
    source: BufReader<File>,
    size: u64,
    position: u64,
}

impl Shapes {
    fn open(path: &Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(|error| io_error(path, error))?;
        let size = file.metadata().map_err(|error| io_error(path, error))?.len();
        let mut source = BufReader::new(file);
        let mut header = [0; 100];
        let code = source.read_exact(&mut header).ok().and_then(|()| big(&header, 0));
        if code != Some(9994) {
            let reason = "it does not begin with the number 9994".to_owned();
            return Err(foreign(path, "shapefile", reason));
        }
        Ok(Self { source, size, position: 100 })
    }

    /// The content of the next record.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Torn> {
        if self.position >= self.size {
            return Ok(None);
        }
        let mut header = [0; 8];
        self.source.read_exact(&mut header).map_err(|error| error.to_string())?;
        let left = self.size.saturating_sub(self.position + 8);
        let length =
            big(&header, 4).and_then(|words| u64::try_from(words).ok()).map(|words| words * 2);
        let length = length.filter(|&length| length <= left).ok_or("the record is cut off")?;
        let mut content = vec![0; length as usize];
        self.source.read_exact(&mut content).map_err(|error| error.to_string())?;
        self.position += 8 + length;
        Ok(Some(content))
    }
}

/// Reads points and polygons, with or without heights and measures; none for what is torn.
fn shape(content: &[u8]) -> Option<Shape> {
    match little(content, 0)? {
        1 | 11 | 21 => point(content, 4).map(Shape::Point),
        5 | 15 | 25 => outline(content).map(Shape::Outline),
        _ => Some(Shape::None),
    }
}

fn outline(content: &[u8]) -> Option<MultiPolygon<f64>> {
    let parts = usize::try_from(little(content, 36)?).ok()?;
    let points = usize::try_from(little(content, 40)?).ok()?;
    let first_point = parts.checked_mul(4)?.checked_add(44)?;
    let needed = points.checked_mul(16)?.checked_add(first_point)?;
    if needed > content.len() {
        return None;
    }
    let start = |part: usize| usize::try_from(little(content, 44 + 4 * part)?).ok();
    let starts: Option<Vec<usize>> = (0..parts).map(start).chain([Some(points)]).collect();
    let starts = starts?;
    // Rings that go back would let a small record unfold to a large outline.
    if !starts.is_sorted() {
        return None;
    }
    let (mut outers, mut holes) = (Vec::new(), Vec::new());
    for part in starts.windows(2) {
        let ring: Option<LineString<f64>> =
            (part[0]..part[1]).map(|number| point(content, first_point + 16 * number)).collect();
        let ring = ring?;
        // Outer rings go clockwise.
        let is_hole = ring.winding_order() == Some(WindingOrder::CounterClockwise);
        if is_hole { &mut holes } else { &mut outers }.push(ring);
    }
    if outers.is_empty() {
        return Some(nested(holes, Vec::new()));
    }
    Some(nested(outers, holes))
}

fn point(content: &[u8], at: usize) -> Option<Coord<f64>> {
    let number = |at: usize| Some(f64::from_le_bytes(*content.get(at..)?.first_chunk()?));
    let (x, y) = (number(at)?, number(at + 8)?);
    // The date line is met from both sides, so longitudes may run on beyond it.
    (x.abs() <= 360.0 && y.abs() <= 90.000_001).then_some(Coord { x, y: y.clamp(-90.0, 90.0) })
}

/// How the text of a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Windows1252,
}

impl Encoding {
    /// What the `.cpg` beside a shapefile says; Windows-1252 without one.
    fn beside(path: &Path) -> Self {
        let mut label = String::new();
        if let Ok(file) = File::open(path.with_extension("cpg")) {
            let _ = file.take(64).read_to_string(&mut label);
        }
        let label = label.trim().trim_start_matches('\u{feff}').to_ascii_lowercase();
        if matches!(label.as_str(), "utf-8" | "utf8" | "65001") {
            Self::Utf8
        } else {
            Self::Windows1252
        }
    }

    fn read(self, bytes: &[u8]) -> String {
        let text = match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Windows1252 => bytes.iter().map(|&byte| windows_1252(byte)).collect(),
        };
        text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned()
    }
}

/// Windows-1252 is Latin-1 but for its second column of control codes.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The `.dbf` file.
struct Table {
    source: BufReader<File>,
    columns: Vec<(String, usize)>,
    row: Vec<u8>,
    encoding: Encoding,
}

impl Table {
    fn open(shapes: &Path, encoding: Encoding) -> Result<Self, ImportError> {
        let path = &shapes.with_extension("dbf");
        let mut source = BufReader::new(File::open(path).map_err(|error| io_error(path, error))?);
        let torn = |error: io::Error| foreign(path, "dBASE table", error.to_string());
        let mut header = [0; 32];
        source.read_exact(&mut header).map_err(torn)?;
        let first_row = u16::from_le_bytes([header[8], header[9]]);
        let row_length = usize::from(u16::from_le_bytes([header[10], header[11]]));
        let columns = columns(&mut source).map_err(torn)?;
        if columns.iter().map(|(_, width)| width).sum::<usize>() >= row_length {
            let reason = format!("its columns do not fit into rows of {row_length} bytes");
            return Err(foreign(path, "dBASE table", reason));
        }
        source.seek(SeekFrom::Start(u64::from(first_row))).map_err(torn)?;
        Ok(Self { source, columns, row: vec![0; row_length], encoding })
    }

    /// The fields of the next row.
    fn next(&mut self) -> Result<Vec<(String, String)>, Torn> {
        self.source.read_exact(&mut self.row).map_err(|_| "the table has no row for it")?;
        // The first byte tells whether the row is deleted.
        let mut at = 1;
        let fields = self.columns.iter().map(|(name, width)| {
            let bytes = &self.row[at..at + width];
            at += width;
            (name.clone(), self.encoding.read(bytes))
        });
        Ok(fields.collect())
    }
}

/// Names and widths of the columns, up to the mark that ends the list.
fn columns(source: &mut impl Read) -> io::Result<Vec<(String, usize)>> {
    let mut columns = Vec::new();
    loop {
        let mut column = [0; 32];
        source.read_exact(&mut column[..1])?;
        if column[0] == 0x0d {
            return Ok(columns);
        }
        source.read_exact(&mut column[1..])?;
        let name = column[..11].split(|&byte| byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).trim().to_lowercase();
        columns.push((name, usize::from(column[16])));
        // The header gives its own length in two bytes.
        if columns.len() > 2048 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the list of columns has no end",
            ));
        }
    }
}

fn foreign(path: &Path, expected: &'static str, reason: String) -> ImportError {
    ImportError::Foreign { file: path.display().to_string(), expected, reason }
}

fn big(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn little(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
pub(crate) mod tests {
    use ::shapefile::dbase::{FieldName, Record as Row, TableWriterBuilder};
    use ::shapefile::{Point as At, Polygon, PolygonRing, Writer};
    use geo::algorithm::area::Area;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_polygon_with_a_hole_comes_with_its_fields() {
        let folder = lake();
        let mut file = Shapefile::open(&folder.path().join("lake.shp")).unwrap();
        let record = file.next().unwrap().unwrap();
        assert_eq!(record.fields, [("name".to_owned(), "Päijänne".to_owned())]);
        let Shape::Outline(outline) = record.shape else { panic!("no outline") };
        assert!((outline.unsigned_area() - 99.0).abs() < 1e-9);
        assert!(file.next().unwrap().is_none());
    }

    #[test]
    fn text_is_windows_1252_unless_the_code_page_says_otherwise() {
        assert_eq!(Encoding::Windows1252.read(b"P\xe4ij\xe4nne \x80  "), "Päijänne €");
        assert_eq!(Encoding::Utf8.read("Päijänne  ".as_bytes()), "Päijänne");
        assert_eq!(Encoding::beside(Path::new("/nowhere/lake.shp")), Encoding::Windows1252);
    }

    #[test]
    fn a_polygon_whose_parts_go_back_is_torn() {
        let is_outline = |starts: &[i32]| {
            let mut content = vec![0; 36];
            content[0] = 5;
            content.extend((starts.len() as i32).to_le_bytes());
            content.extend(4_i32.to_le_bytes());
            content.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
            let ring = [[0.0_f64, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]];
            content.extend(ring.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
            shape(&content).is_some()
        };
        assert!(is_outline(&[0]));
        assert!(is_outline(&[0, 4]));
        assert!(!is_outline(&[0, 4, 0]));
        assert!(!is_outline(&[0, 5]));
        assert!(!is_outline(&[-1]));
    }

    #[test]
    fn a_shapefile_without_its_table_is_refused() {
        let folder = lake();
        std::fs::remove_file(folder.path().join("lake.dbf")).unwrap();
        let error = Shapefile::open(&folder.path().join("lake.shp")).err().unwrap();
        assert!(error.to_string().contains("lake.dbf: "), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn torn_files_end_with_an_error_or_early(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            cut in any::<prop::sample::Index>(),
            of_table: bool,
        ) {
            let folder = lake();
            let name = if of_table { "lake.dbf" } else { "lake.shp" };
            let mut bytes = std::fs::read(folder.path().join(name)).unwrap();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(cut.index(bytes.len() * 2).min(bytes.len()));
            std::fs::write(folder.path().join(name), bytes).unwrap();
            if let Ok(mut file) = Shapefile::open(&folder.path().join("lake.shp")) {
                while let Ok(Some(_)) = file.next() {}
            }
        }

        #[test]
        fn any_content_is_a_shape_or_none(bytes: Vec<u8>, kind in 0..26) {
            let content = [&i32::to_le_bytes(kind)[..], &bytes[..]].concat();
            let _ = shape(&content);
        }
    }

    /// A folder with a lake and the island in it, written by the `shapefile` crate.
    fn lake() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lake.shp");
        let name = FieldName::try_from("NAME").unwrap();
        let table = TableWriterBuilder::new().add_character_field(name, 20);
        let mut writer = Writer::from_path(&path, table).unwrap();
        let ring = |from: f64, to: f64| {
            vec![At::new(from, from), At::new(from, to), At::new(to, to), At::new(to, from)]
        };
        let rings = [PolygonRing::Outer(ring(0.0, 10.0)), PolygonRing::Inner(ring(4.0, 5.0))];
        let mut row = Row::default();
        row.insert("NAME".to_owned(), "Päijänne".to_owned().into());
        writer.write_shape_and_record(&Polygon::with_rings(rings.to_vec()), &row).unwrap();
        drop(writer);
        std::fs::write(path.with_extension("cpg"), "UTF-8").unwrap();
        folder
    }
}
