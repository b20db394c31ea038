//! What the map draws beside the hits: the ground that was asked about, and what is around it.

use earth::{Meters, Point};
use gazetteer::{Gazetteer, PlaceId};
use query::{Region, Relation, Spot, Understood};
use search::Answer;
use serde_json::{Value, json};

use crate::app::App;
use crate::credits::credits;

/// A line with more points than this is thinned out for the map: a pixel is larger than what is lost.
const MOST_POINTS: usize = 300;

/// The ground of an answer, as the script of the map reads it.
pub(crate) fn map_data(gazetteer: &Gazetteer, understood: &Understood, answer: &Answer) -> Value {
    let rings = if answer.outline.is_empty() {
        answer.within.iter().flat_map(|it| outline(gazetteer, *it)).collect()
    } else {
        answer.outline.clone()
    };
    let space = understood.query.space.as_ref();
    let kind = space.map(|it| it.relation.name());
    let (inner, bearing) = match space.map(|it| it.relation) {
        Some(Relation::Ring(from, _)) => (Some(from.0), None),
        Some(Relation::Toward(compass)) => (None, Some(compass.bearing().degrees())),
        _ => (None, None),
    };
    let (circle, drawn) = match space.map(|it| (it.relation, it.anchors.first().map(|it| &it.at))) {
        Some((_, Some(Spot::Drawn(Region::Circle(_, radius))))) => (Some(radius.0), "circle"),
        Some((_, Some(Spot::Drawn(Region::Box(_))))) => (None, "box"),
        Some((_, Some(Spot::Drawn(Region::Polygon(_))))) => (None, "polygon"),
        Some((Relation::Within(far) | Relation::Ring(_, far), _)) => (Some(far.0), ""),
        Some((Relation::Near, _)) => (reach(answer).map(|it| it.0), ""),
        _ => (None, ""),
    };
    json!({
        "rings": rings.iter().map(|it| line(it)).collect::<Vec<_>>(),
        "center": answer.center.map(lonlat),
        "isDot": rings.is_empty() && answer.center.is_some(),
        "frame": answer.frame.map(|it| [it.west, it.south, it.east, it.north]),
        "relation": kind,
        "radius": circle,
        "inner": inner,
        "bearing": bearing,
        "drawn": drawn,
    })
}

/// How far "near" reaches, as it is drawn: to where a page counts half as much.
pub(crate) fn reach(answer: &Answer) -> Option<Meters> {
    let [ring] = answer.outline.as_slice() else { return None };
    Some(answer.center?.distance(*ring.first()?))
}

/// The lines around a place, thinned out; none if its shape is not known.
pub(crate) fn outline(gazetteer: &Gazetteer, place: PlaceId) -> Vec<Vec<Point>> {
    let Some(shape) = gazetteer.place(place).outline() else { return Vec::new() };
    let total: usize = shape.0.iter().map(|it| it.exterior().0.len()).sum();
    let step = total.div_ceil(MOST_POINTS * 4).max(1);
    let rings = shape.0.iter().map(|it| &it.exterior().0);
    // Of a land of a thousand islands the small ones are left out.
    let large = rings.filter(|it| step == 1 || it.len() / step >= 4);
    large.map(|ring| ring.iter().step_by(step).map(|it| Point::new(it.y, it.x)).collect()).collect()
}

/// What the map draws, with the base map of the operator, as JSON that may stand in a page: nothing in it ends the script
/// element.
pub(crate) fn island(app: &App, mut value: Value) -> String {
    if let Some(server) = &app.settings.tile_server {
        value["xyz"] = json!({ "url": server.template });
    }
    let credits = credits(app).into_iter().map(|it| json!({ "name": it.name, "link": it.link }));
    value["credits"] = credits.collect();
    if let Some(map) = &app.own_map {
        let (least, most) = map.zooms();
        value["zooms"] = json!([least, most]);
    }
    embedded(&value)
}

fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn line(points: &[Point]) -> Vec<[f64; 2]> {
    let step = points.len().div_ceil(MOST_POINTS * 4).max(1);
    points.iter().step_by(step).map(|it| lonlat(*it)).collect()
}

fn lonlat(point: Point) -> [f64; 2] {
    let rounded = |it: f64| (it * 1e5).round() / 1e5;
    [rounded(point.lon), rounded(point.lat)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_island_of_data_cannot_end_its_element() {
        let data = json!({ "label": "</script><script>alert(1)</script>&" });
        let text = embedded(&data);
        assert!(!text.contains(['<', '>', '&']), "{text}");
        let read: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(read["label"], "</script><script>alert(1)</script>&");
    }
}
