//! What was found on a page, for a map.

use earth::Point;
use serde_json::{Value, json};
use web::findings::{Findings, class_name, source_name};
use web::findings_json::{position, rounded};

/// Mentions, addresses, stated places and the points of the footprint, as a collection of features.
pub(crate) fn of(findings: &Findings<'_>) -> Value {
    let survey = findings.survey;
    let mut features = Vec::new();
    for (is_in_title, text, it) in findings.mentions() {
        let Some(point) = it.point else { continue };
        features.push(feature(
            point,
            &json!({
                "what": "mention",
                "text": text,
                "class": class_name(it.class),
                "key": it.place.map(|it| findings.gazetteer.place(it).key()),
                "label": it.place.map(|it| findings.label(it)),
                "is_listed": it.is_listed,
                "is_in_title": is_in_title,
                "confidence": rounded(it.confidence.into()),
            }),
        ));
    }
    for it in &survey.addresses {
        let Some(at) = &it.position else { continue };
        let mut properties = position(findings, at);
        properties["what"] = json!("address");
        properties["text"] = json!(findings.written(it));
        properties["is_full"] = json!(it.is_full());
        features.push(feature(at.point, &properties));
    }
    for it in &survey.stated {
        let mut properties = position(findings, &it.position);
        properties["what"] = json!("stated");
        properties["name"] = json!(it.name);
        properties["source"] = json!(source_name(it.source));
        features.push(feature(it.position.point, &properties));
    }
    for it in &survey.footprint.points {
        features
            .push(feature(it.point, &json!({"what": "footprint", "weight": rounded(it.weight)})));
    }
    let mut collection = json!({"type": "FeatureCollection", "features": features});
    if let Some(it) = survey.footprint.bounds {
        collection["bbox"] = json!([it.west, it.south, it.east, it.north]);
    }
    collection
}

/// A point with what is known of it; `GeoJSON` puts the longitude first.
fn feature(point: Point, properties: &Value) -> Value {
    json!({
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [point.lon, point.lat]},
        "properties": properties,
    })
}
