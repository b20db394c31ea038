//! Places as features.

use gazetteer::{Gazetteer, Place, PlaceId};
use serde_json::{Value, json};

use super::{Choice, Items, item_address, link};
use crate::api::base_url::BaseUrl;
use crate::api::place_card::{PlaceCard, outline_geometry, point_geometry};
use crate::api::places::known;
use crate::inquiry::Refusal;

/// So many places of a name are looked at.
const MOST_NAMED: usize = 1_000;

/// The places that were asked for by name and box; all, the widest first, where nothing was.
pub(super) fn list(gazetteer: &Gazetteer, base: &BaseUrl, choice: &Choice) -> Items {
    let is_in = |it: &Place<'_>| {
        it.id() != PlaceId::WORLD && choice.bounds.is_none_or(|bounds| bounds.contains(it.point()))
    };
    // One more than is wanted tells whether there are more.
    let wanted = choice.limit + 1;
    let mut places: Vec<Place<'_>> = if choice.q.is_empty() {
        gazetteer.places().filter(is_in).skip(choice.offset).take(wanted).collect()
    } else {
        let named = gazetteer.suggest(&choice.q, None, MOST_NAMED).into_iter().map(|it| it.place);
        named.filter(is_in).skip(choice.offset).take(wanted).collect()
    };
    let has_more = places.len() > choice.limit;
    places.truncate(choice.limit);
    let features = places.iter().map(|it| feature(base, it, &point_geometry(it.point())));
    Items { features: features.collect(), matched: None, has_more }
}

/// The place with this id, with its outline.
pub(super) fn one(gazetteer: &Gazetteer, base: &BaseUrl, id: &str) -> Result<Value, Refusal> {
    let place = known(gazetteer, id)?;
    Ok(feature(base, &place, &outline_geometry(&place)))
}

fn feature(base: &BaseUrl, place: &Place<'_>, geometry: &Value) -> Value {
    let card = PlaceCard::of(place);
    let address = item_address(base, "places", &card.id);
    json!({
        "type": "Feature",
        "id": card.id,
        "geometry": geometry,
        "properties": card,
        "links": [link("self", "application/geo+json", "this place", &address)],
    })
}
