//! The hits of an answer as files for other programs: plain `GeoJSON`, a table, KML.

use search::{Answer, Hit, Piece};
use serde_json::{Value, json};

use crate::markup::escaped;

/// The columns of a table.
const COLUMNS: [&str; 13] = [
    "rank",
    "id",
    "title",
    "url",
    "published",
    "language",
    "place",
    "latitude",
    "longitude",
    "distance_m",
    "direction",
    "score",
    "snippet",
];
/// The first second of the year 1: formats for the web cannot write what was before.
const OLDEST: i64 = -62_135_596_800;

/// How the lines of a table end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// As the programs of a terminal want it.
    Unix,
    /// As RFC 4180 has it.
    Net,
}

/// A marked text without its marks.
pub(crate) fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|it| it.text.as_str()).collect()
}

/// A time as RFC 3339 writes it.
pub(crate) fn written(seconds: i64) -> Option<String> {
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    (seconds >= OLDEST).then(|| time.to_string())
}

/// One point for each hit; a hit that is nowhere has none.
pub fn geojson(answer: &Answer) -> Value {
    let feature = |hit: &Hit| {
        let geometry = hit.place.as_ref();
        let geometry = geometry
            .map(|it| json!({ "type": "Point", "coordinates": [it.point.lon, it.point.lat] }));
        json!({
            "type": "Feature",
            "id": hit.id,
            "geometry": geometry,
            "properties": {
                "title": plain(&hit.title),
                "url": hit.url,
                "snippet": plain(&hit.snippet),
                "published": hit.published.and_then(written),
                "place": hit.place.as_ref().map(|it| it.label.clone()),
                "distance_m": hit.place.as_ref().and_then(|it| it.way).map(|it| it.0.0.round()),
                "score": hit.score,
            },
        })
    };
    json!({ "type": "FeatureCollection", "features": answer.hits.iter().map(feature).collect::<Vec<_>>() })
}

/// A table with a line of names first, quoted as RFC 4180 says; `skip` hits stand before it.
///
/// Cells that a spreadsheet would take for a formula begin with an apostrophe.
///
/// # Panics
///
/// Never: it writes to memory, and rows are alike.
pub fn table(answer: &Answer, skip: usize, line_end: LineEnd) -> String {
    let terminator = match line_end {
        LineEnd::Unix => csv::Terminator::Any(b'\n'),
        LineEnd::Net => csv::Terminator::CRLF,
    };
    let mut table = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    let mut add =
        |row: &[String]| table.write_record(row).expect("memory takes all, and rows are alike");
    add(&COLUMNS.map(str::to_owned));
    for (hit, rank) in answer.hits.iter().zip(skip + 1..) {
        add(&row(hit, rank));
    }
    let bytes = table.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("it was written from text")
}

fn row(hit: &Hit, rank: usize) -> [String; COLUMNS.len()] {
    let place = hit.place.as_ref();
    let way = place.and_then(|it| it.way);
    [
        rank.to_string(),
        harmless(hit.id.clone()),
        harmless(plain(&hit.title)),
        harmless(hit.url.clone()),
        hit.published.and_then(written).unwrap_or_default(),
        harmless(hit.language.clone()),
        harmless(place.map(|it| it.label.clone()).unwrap_or_default()),
        place.map(|it| format!("{:.6}", it.point.lat)).unwrap_or_default(),
        place.map(|it| format!("{:.6}", it.point.lon)).unwrap_or_default(),
        way.map(|it| format!("{:.0}", it.0.0)).unwrap_or_default(),
        way.map(|it| it.1.compass().short_name().to_owned()).unwrap_or_default(),
        format!("{:.6}", hit.score),
        harmless(plain(&hit.snippet)),
    ]
}

/// A cell that no spreadsheet takes for a formula: pages are written by anybody.
pub(crate) fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}

/// A placemark for each hit that is somewhere (KML 2.2).
pub fn kml(title: &str, answer: &Answer) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n",
    );
    text += &format!("<name>{}</name>\n", escaped(title));
    for hit in &answer.hits {
        let Some(place) = &hit.place else { continue };
        text += &format!("<Placemark>\n<name>{}</name>\n", escaped(&plain(&hit.title)));
        let about = format!("{}\n{}\n{}", place.label, plain(&hit.snippet), hit.url);
        text += &format!("<description>{}</description>\n", escaped(&about));
        if let Some(date) = hit.published.and_then(written) {
            text += &format!("<TimeStamp><when>{date}</when></TimeStamp>\n");
        }
        // The attribute `id` must be a name without blanks that begins with a letter; ours need not be one.
        let id = escaped(&hit.id);
        text +=
            &format!("<ExtendedData><Data name=\"id\"><value>{id}</value></Data></ExtendedData>\n");
        let (lon, lat) = (place.point.lon, place.point.lat);
        text += &format!("<Point><coordinates>{lon},{lat}</coordinates></Point>\n</Placemark>\n");
    }
    text + "</Document>\n</kml>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_no_formula_any_more() {
        assert_eq!(harmless("=1+1".to_owned()), "'=1+1");
        assert_eq!(harmless("Castle".to_owned()), "Castle");
    }

    #[test]
    fn a_time_that_no_format_can_write_is_left_out() {
        assert_eq!(written(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(written(OLDEST).as_deref(), Some("0001-01-01T00:00:00Z"));
        assert_eq!(written(OLDEST - 1), None);
        assert_eq!(written(i64::MAX), None);
    }
}
