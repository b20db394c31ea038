//! Hits as files for other programs.

use anyhow::Result;
use search::{Answer, Hit, Piece};
use serde_json::{Value, json};

use crate::markup::escaped;

fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|it| it.text.as_str()).collect()
}

fn date(hit: &Hit) -> Option<String> {
    Some(jiff::Timestamp::from_second(hit.published?).ok()?.to_string())
}

/// One point for each hit; a hit that is nowhere has none.
pub(super) fn geojson(answer: &Answer) -> Value {
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
                "published": date(hit),
                "place": hit.place.as_ref().map(|it| it.label.clone()),
                "distance_m": hit.place.as_ref().and_then(|it| it.way).map(|it| it.0.0.round()),
                "score": hit.score,
            },
        })
    };
    json!({ "type": "FeatureCollection", "features": answer.hits.iter().map(feature).collect::<Vec<_>>() })
}

/// A table with a line of names first.
pub(super) fn table(answer: &Answer, skip: usize) -> Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
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
    ])?;
    for (hit, rank) in answer.hits.iter().zip(skip + 1..) {
        let place = hit.place.as_ref();
        let way = place.and_then(|it| it.way);
        table.write_record([
            rank.to_string(),
            hit.id.clone(),
            harmless(plain(&hit.title)),
            harmless(hit.url.clone()),
            date(hit).unwrap_or_default(),
            hit.language.clone(),
            harmless(place.map(|it| it.label.clone()).unwrap_or_default()),
            place.map(|it| format!("{:.6}", it.point.lat)).unwrap_or_default(),
            place.map(|it| format!("{:.6}", it.point.lon)).unwrap_or_default(),
            way.map(|it| format!("{:.0}", it.0.0)).unwrap_or_default(),
            way.map(|it| it.1.compass().short_name().to_owned()).unwrap_or_default(),
            format!("{:.6}", hit.score),
            harmless(plain(&hit.snippet)),
        ])?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// A cell that no spreadsheet takes for a formula: pages are written by anybody.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}

/// A placemark for each hit that is somewhere.
pub(super) fn kml(title: &str, answer: &Answer) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n",
    );
    text += &format!("<name>{}</name>\n", escaped(title));
    for hit in &answer.hits {
        let Some(place) = &hit.place else { continue };
        text += &format!(
            "<Placemark id=\"{}\">\n<name>{}</name>\n",
            escaped(&hit.id),
            escaped(&plain(&hit.title))
        );
        let about = format!("{}\n{}\n{}", place.label, plain(&hit.snippet), hit.url);
        text += &format!("<description>{}</description>\n", escaped(&about));
        if let Some(date) = date(hit) {
            text += &format!("<TimeStamp><when>{date}</when></TimeStamp>\n");
        }
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
}
