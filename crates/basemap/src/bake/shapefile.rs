//! Shapefiles in memory: shapes in `.shp`, where each begins in `.shx`, what is known of them in `.dbf`.
//!
//! The format is ESRI's white paper of July 1998. Shapes are found by the index, not one after the other:
//! in the 1:10m borders they do not stand in the order of the table, and there are gaps between them.

use std::ops::Range;
use std::rc::Rc;

use earth::Point;
use encoding_rs::WINDOWS_1252;

/// One record: its shape, and what the table says of it.
pub(super) struct Record<'b> {
    pub(super) shape: Shape,
    row: Row<'b>,
}

/// What a record looks like.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    None,
    Point(Point),
    /// Lines; or rings, of which outer ones go clockwise.
    Parts(Vec<Vec<Point>>),
}

/// The names of columns in lower case, and where in a row they stand; all rows share them.
type Columns = Rc<[(String, Range<usize>)]>;

struct Row<'b> {
    columns: Columns,
    bytes: &'b [u8],
}

impl Record<'_> {
    /// A field of the table by its name in lower case; empty if there is no such column.
    ///
    /// The text of Natural Earth's older tables is Windows-1252.
    pub(super) fn field(&self, name: &str) -> String {
        let column = self.row.columns.iter().find(|(known, _)| known == name);
        let bytes = column.and_then(|(_, range)| self.row.bytes.get(range.clone()));
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes.unwrap_or_default());
        text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned()
    }

    /// A field that holds a number; none if it does not.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.field(name).parse().ok()
    }
}

/// The records of a shapefile; none if it is torn.
pub(super) fn records<'b>(shp: &[u8], shx: &[u8], dbf: &'b [u8]) -> Option<Vec<Record<'b>>> {
    let columns = columns(dbf)?;
    let first_row = usize::from(u16::from_le_bytes(*dbf.get(8..)?.first_chunk()?));
    let row_length = usize::from(u16::from_le_bytes(*dbf.get(10..)?.first_chunk()?));
    let rows = dbf.get(first_row..)?.chunks_exact(row_length.max(1));
    let starts = shx.get(100..)?.chunks_exact(8);
    if rows.len() < starts.len() {
        return None;
    }
    let record = |(start, bytes): (&[u8], &'b [u8])| {
        let [offset, length] = [0, 4].map(|at| big(start, at));
        // Both count words of two bytes, and a header of eight stands before the content.
        let begin = offset?.checked_mul(2)?.checked_add(8)?;
        let content = shp.get(begin..begin.checked_add(length?.checked_mul(2)?)?)?;
        Some(Record { shape: shape(content)?, row: Row { columns: columns.clone(), bytes } })
    };
    starts.zip(rows).map(record).collect()
}

/// Names of the columns in lower case, and where in a row they stand.
fn columns(dbf: &[u8]) -> Option<Columns> {
    // The first byte of a row tells whether it is deleted.
    let mut at = 1;
    let mut columns = Vec::new();
    for column in dbf.get(32..)?.chunks_exact(32).take_while(|column| column[0] != 0x0d) {
        let name = column[..11].split(|&byte| byte == 0).next().unwrap_or_default();
        let end = at + usize::from(column[16]);
        columns.push((String::from_utf8_lossy(name).to_lowercase(), at..end));
        at = end;
    }
    Some(columns.into())
}

fn shape(content: &[u8]) -> Option<Shape> {
    match little(content, 0)? {
        0 => Some(Shape::None),
        1 => point(content, 4).map(Shape::Point),
        3 | 5 => {
            let (parts, points) = (little(content, 36)?, little(content, 40)?);
            let first_point = parts.checked_mul(4)?.checked_add(44)?;
            let needed = points.checked_mul(16)?.checked_add(first_point)?;
            if needed > content.len() {
                return None;
            }
            let mut starts: Vec<usize> =
                (0..parts).map(|part| little(content, 44 + 4 * part)).collect::<Option<_>>()?;
            starts.push(points);
            // Parts that go back would let a small record unfold to a large shape.
            if !starts.is_sorted() {
                return None;
            }
            let part = |ends: &[usize]| -> Option<Vec<Point>> {
                (ends[0]..ends[1]).map(|number| point(content, first_point + 16 * number)).collect()
            };
            starts.windows(2).map(part).collect::<Option<_>>().map(Shape::Parts)
        }
        _ => None,
    }
}

fn point(content: &[u8], at: usize) -> Option<Point> {
    let number = |at: usize| Some(f64::from_le_bytes(*content.get(at..)?.first_chunk()?));
    let (lon, lat) = (number(at)?, number(at + 8)?);
    (lat.abs() < 91.0 && lon.abs() < 361.0).then_some(Point::new(lat, lon))
}

fn big(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(i32::from_be_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

fn little(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

#[cfg(test)]
pub(in crate::bake) mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_is_windows_1252() {
        let (shp, shx, dbf) = cities(&[("Krak\u{f3}w", 50.06, 19.94), ("Malm\u{f6}", 55.6, 13.0)]);
        let records = records(&shp, &shx, &dbf).unwrap();
        assert_eq!(records[0].field("name"), "Kraków");
        assert_eq!(records[1].field("name"), "Malmö");
        assert_eq!(records[1].field("people"), "");
        assert_eq!(records[1].shape, Shape::Point(Point::new(55.6, 13.0)));
    }

    #[test]
    fn shapes_are_found_by_the_index() {
        let (shp, mut shx, dbf) = cities(&[("A", 1.0, 1.0), ("B", 2.0, 2.0)]);
        let (first, second) = shx[100..].split_at_mut(8);
        first.swap_with_slice(second);
        let records = records(&shp, &shx, &dbf).unwrap();
        assert_eq!(records[0].shape, Shape::Point(Point::new(2.0, 2.0)));
    }

    proptest! {
        #[test]
        fn torn_files_are_no_shapefile_or_a_smaller_one(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            which in 0..3_usize,
        ) {
            let (shp, shx, dbf) = cities(&[("A", 1.0, 1.0), ("B", 2.0, 2.0)]);
            let mut files = [shp, shx, dbf];
            for (at, byte) in changes {
                let at = at.index(files[which].len());
                files[which][at] = byte;
            }
            let _ = records(&files[0], &files[1], &files[2]);
        }

        #[test]
        fn any_content_is_a_shape_or_none(bytes: Vec<u8>, kind in 0..6) {
            let _ = shape(&[&i32::to_le_bytes(kind)[..], &bytes[..]].concat());
        }
    }

    /// The three files of a shapefile of points with a name.
    fn cities(cities: &[(&str, f64, f64)]) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        let (mut shp, mut shx) = (vec![0; 100], vec![0; 100]);
        let mut dbf = vec![0; 32];
        dbf[8..12].copy_from_slice(&[65, 0, 11, 0]);
        dbf.extend(b"NAME\0\0\0\0\0\0\0C\0\0\0\0\x0a");
        dbf.resize(64, 0);
        dbf.push(0x0d);
        for &(name, lat, lon) in cities {
            shx.extend((shp.len() as i32 / 2).to_be_bytes());
            shx.extend(10_i32.to_be_bytes());
            shp.extend([0; 8]);
            shp.extend(1_i32.to_le_bytes());
            shp.extend([lon, lat].map(f64::to_le_bytes).concat());
            let text: Vec<u8> = name.chars().map(|c| c as u8).collect();
            dbf.push(b' ');
            dbf.extend(&text);
            dbf.extend(vec![b' '; 10 - text.len()]);
        }
        (shp, shx, dbf)
    }
}
