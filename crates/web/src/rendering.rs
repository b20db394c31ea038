//! Answers as `GeoJSON`.

use gazetteer::Gazetteer;
use query::Understood;
use search::{Answer, Hit, Piece, PieceKind, Suggestion};
use serde_json::{Value, json};

/// So many places are counted by name.
const MOST_PLACES: usize = 50;

/// An answer as a `GeoJSON` feature collection, with what was understood of the query beside it.
pub fn answer_json(gazetteer: &Gazetteer, understood: &Understood, answer: &Answer) -> Value {
    let features: Vec<Value> = answer.hits.iter().map(|it| feature(gazetteer, it)).collect();
    let facets = answer.facets.as_ref().map(|facets| {
        let place = |(id, count): &(gazetteer::PlaceId, u64)| {
            let place = gazetteer.place(*id);
            json!({ "id": place.key(), "name": place.name(), "kind": place.kind().name(), "count": count })
        };
        let named = |list: &[(String, u64)]| -> Vec<Value> {
            list.iter().map(|it| json!({ "name": it.0, "count": it.1 })).collect()
        };
        let month = |((year, month), count): &((i16, i8), u64)| {
            json!({ "month": format!("{year:04}-{month:02}"), "count": count })
        };
        json!({
            "places": facets.places.iter().take(MOST_PLACES).map(place).collect::<Vec<_>>(),
            "sites": named(&facets.sites),
            "languages": named(&facets.languages),
            "months": facets.months.iter().map(month).collect::<Vec<_>>(),
            "undated": facets.undated,
        })
    });
    json!({
        "type": "FeatureCollection",
        "features": features,
        "query": understood_json(gazetteer, understood),
        "total": answer.total,
        "duplicates": answer.duplicates,
        "facets": facets,
        "center": answer.center.map(|it| [it.lon, it.lat]),
        "ground": answer.frame.map(|it| [it.west, it.south, it.east, it.north]),
        "suggestions": answer.suggestions.iter().map(suggestion).collect::<Vec<_>>(),
        "plans": answer.plans.iter().map(|it| json!({
            "plan": it.plan.name(), "with_words": it.with_words, "on_ground": it.on_ground,
        })).collect::<Vec<_>>(),
        "generation": answer.generation,
    })
}

fn feature(gazetteer: &Gazetteer, hit: &Hit) -> Value {
    let place = hit.place.as_ref();
    let geometry =
        place.map(|it| json!({ "type": "Point", "coordinates": [it.point.lon, it.point.lat] }));
    let place = place.map(|it| {
        json!({
            "id": it.place.map(|id| gazetteer.place(id).key()),
            "label": it.label,
            "address": it.street_line,
            "distance_m": it.way.map(|way| way.0.0.round()),
            "direction": it.way.map(|way| way.1.compass().short_name()),
        })
    });
    let explanation = hit.explanation.as_ref().map(|it| json!({
        "text": it.text, "lie": it.lie, "part": it.part, "sure": it.sure, "weight": it.weight,
        "place": it.place, "score": it.score,
        "words": it.words.iter().map(|word| json!({
            "word": word.word, "rareness": word.rareness, "times": word.times, "in_title": word.in_title,
            "in_headings_and_links": word.in_strong, "score": word.score,
        })).collect::<Vec<_>>(),
    }));
    json!({
        "type": "Feature",
        "id": hit.id,
        "geometry": geometry,
        "properties": {
            "title": plain(&hit.title),
            "title_pieces": pieces(&hit.title),
            "snippet": plain(&hit.snippet),
            "snippet_pieces": pieces(&hit.snippet),
            "url": hit.url,
            "published": hit.published.and_then(|it| jiff::Timestamp::from_second(it).ok()).map(|it| it.to_string()),
            "language": hit.language,
            "place": place,
            "score": hit.score,
            "explanation": explanation,
        },
    })
}

fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|it| it.text.as_str()).collect()
}

fn pieces(pieces: &[Piece]) -> Vec<Value> {
    let kind = |it: PieceKind| match it {
        PieceKind::Plain => "plain",
        PieceKind::Theme => "theme",
        PieceKind::Place => "place",
    };
    pieces.iter().map(|it| json!({ "text": it.text, "kind": kind(it.kind) })).collect()
}

fn suggestion(it: &Suggestion) -> Value {
    match it {
        Suggestion::Spelling { word, instead, documents } => {
            json!({ "word": word, "instead": instead, "documents": documents })
        }
        Suggestion::Without { word, documents } => {
            json!({ "without": word, "documents": documents })
        }
    }
}

fn understood_json(gazetteer: &Gazetteer, understood: &Understood) -> Value {
    let space = understood.query.space.as_ref().map(|space| {
        let anchor = |it: &query::Anchor| {
            let others: Vec<Value> = it.others.iter().map(|other| json!({
                "id": gazetteer.place(other.place).key(), "label": other.label,
            })).collect();
            json!({ "text": it.text, "id": it.key, "label": it.label, "confidence": it.confidence, "others": others })
        };
        json!({
            "relation": space.relation.to_string(),
            "places": space.anchors.iter().map(anchor).collect::<Vec<_>>(),
        })
    });
    json!({
        "text": understood.text,
        "canonical": understood.query.to_string(),
        "theme": understood.query.theme.to_string(),
        "space": space,
        "sort": understood.query.sort.name(),
        "chips": understood.chips.iter().map(|it| json!({
            "kind": format!("{:?}", it.kind).to_lowercase(), "label": it.label,
        })).collect::<Vec<_>>(),
        "notes": understood.notes.iter().map(|it| it.text.clone()).collect::<Vec<_>>(),
        "others": understood.others.iter().map(|it| json!({
            "label": it.label, "why": it.why, "query": it.query.to_string(),
        })).collect::<Vec<_>>(),
    })
}
