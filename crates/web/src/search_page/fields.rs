//! The three fields: what, how it lies, where.

use earth::{Compass, Meters};
use query::{Anchor, Relation, Space, Spot, Understood};

use super::chip::relation_label;
use crate::frame::Frame;
use crate::parameters::Parameters;

/// Relations that the form always offers.
const OFFERED: [Relation; 16] = [
    Relation::In,
    Relation::Near,
    Relation::Around,
    Relation::Within(Meters(5_000.0)),
    Relation::Within(Meters(20_000.0)),
    Relation::Toward(Compass::North),
    Relation::Toward(Compass::NorthEast),
    Relation::Toward(Compass::East),
    Relation::Toward(Compass::SouthEast),
    Relation::Toward(Compass::South),
    Relation::Toward(Compass::SouthWest),
    Relation::Toward(Compass::West),
    Relation::Toward(Compass::NorthWest),
    Relation::Outside,
    Relation::NextTo,
    Relation::Overlaps,
];

/// What stands in the three fields.
pub(super) struct Fields {
    pub(super) what: String,
    pub(super) place: String,
    /// As a query has them, as they are shown, and whether it is the one of the query.
    pub(super) relations: Vec<(String, String, bool)>,
    /// The keys of the places that are meant, for as long as the field names them.
    pub(super) choose: Option<String>,
}

impl Fields {
    /// As somebody filled them in.
    pub(super) fn given(frame: &Frame, parameters: &Parameters) -> Self {
        let chosen = parameters.relation.as_deref().unwrap_or("in");
        let entry = |it: &Relation| entry(frame, *it, written(*it) == chosen);
        Self {
            what: parameters.what.clone().unwrap_or_default(),
            place: parameters.r#where.clone().unwrap_or_default(),
            relations: OFFERED.iter().map(entry).collect(),
            choose: None,
        }
    }

    /// As a query was understood: to send them as they are asks the same.
    pub(super) fn of(frame: &Frame, understood: &Understood) -> Self {
        let space = understood.query.space.as_ref();
        let chosen = space.map_or(Relation::In, |it| it.relation);
        let own = Some(chosen).filter(|it| !OFFERED.contains(it));
        let offered = OFFERED.into_iter().chain(own);
        Self {
            what: understood.query.theme.to_string(),
            place: space.map(places).unwrap_or_default(),
            relations: offered.map(|it| entry(frame, it, it == chosen)).collect(),
            choose: space.and_then(keys),
        }
    }
}

/// The eight directions, as the fields have relations.
pub(super) fn directions(frame: &Frame, chosen: Compass) -> Vec<(String, String, bool)> {
    let is_direction = |it: &Relation| matches!(it, Relation::Toward(_));
    let offered = OFFERED.into_iter().filter(is_direction);
    offered.map(|it| entry(frame, it, it == Relation::Toward(chosen))).collect()
}

fn entry(frame: &Frame, relation: Relation, is_chosen: bool) -> (String, String, bool) {
    (written(relation), relation_label(frame, relation), is_chosen)
}

/// A relation as people write it in a query.
fn written(relation: Relation) -> String {
    match relation {
        Relation::Within(far) if far.0 >= 1_000.0 => format!("within {} km of", far.0 / 1_000.0),
        relation => relation.to_string(),
    }
}

/// The places of a query as they were written; nothing for what was drawn.
pub(super) fn places(space: &Space) -> String {
    let text = |it: &Anchor| match &it.at {
        Spot::Drawn(_) => String::new(),
        _ => it.text.clone(),
    };
    let texts: Vec<String> = space.anchors.iter().map(text).filter(|it| !it.is_empty()).collect();
    // A comma may stand within the name of a place.
    texts.join("; ")
}

/// The keys of the places that a query means, so that whoever writes their names means the same ones.
pub(super) fn keys(space: &Space) -> Option<String> {
    let is_place = |it: &&Anchor| matches!(it.at, Spot::Place(_));
    let keys = space.anchors.iter().filter(is_place).filter_map(|it| it.key.as_deref());
    Some(keys.collect::<Vec<_>>().join(",")).filter(|it| !it.is_empty())
}
