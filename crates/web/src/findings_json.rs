//! What was found on a page, for a program to read.

use std::ops::Range;

use earth::Point;
use gazetteer::PlaceId;
use geoparse::{Address, Considered, Footprint, Mention, Position, Reason, StatedPlace, Why};
use serde_json::{Map, Value, json};

use crate::characters::Characters;
use crate::findings::{Findings, Verdict, class_name, parts, source_name};

/// Everything that was found.
pub fn of(findings: &Findings<'_>) -> Value {
    let (page, survey) = (findings.page, findings.survey);
    let list = |mentions: &[Mention], text: &str| -> Vec<Value> {
        let mut characters = Characters::of(text);
        mentions.iter().map(|it| mention(findings, text, &mut characters, it)).collect()
    };
    let mut characters = Characters::of(&page.text);
    let mut value = json!({
        "url": findings.url,
        "title": page.title,
        "language": findings.language,
        "published": page.date().map(|it| it.at.to_string()),
        "encoding": page.encoding,
        "is_cut": page.truncated.text,
        "names_a_place": survey.names_any_place(),
        "footprint": footprint(findings, &survey.footprint),
        "title_mentions": list(&survey.title_mentions, &page.title),
        "mentions": list(&survey.mentions, &page.text),
        "addresses": survey.addresses.iter().map(|it| address(findings, &mut characters, it)).collect::<Vec<_>>(),
        "stated": survey.stated.iter().map(|it| stated(findings, it)).collect::<Vec<_>>(),
        "text": page.text,
    });
    if findings.url.is_some() {
        let named = findings.in_url.iter().map(|it| {
            let mut value = place(findings, it.place);
            value["words"] = json!(it.words);
            value["part"] = json!(if it.is_in_host { "host" } else { "path" });
            value
        });
        value["url_places"] = named.collect();
    }
    if !findings.verdicts.is_empty() {
        let verdict = |it: &Verdict<'_>| {
            let mut value = place(findings, it.region.id());
            value["has_address"] = json!(it.has_address);
            value
        };
        value["regions"] = findings.verdicts.iter().map(verdict).collect();
    }
    value
}

/// To three decimals: more would only look exact.
pub fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn place(findings: &Findings<'_>, place: PlaceId) -> Value {
    let place = findings.gazetteer.place(place);
    let Point { lat, lon } = place.point();
    json!({"key": place.key(), "label": place.label(), "kind": place.kind().name(), "lat": lat, "lon": lon})
}

fn footprint(findings: &Findings<'_>, footprint: &Footprint) -> Value {
    let named = |it: Option<PlaceId>| it.map(|it| place(findings, it));
    let places = footprint.places.iter().map(|it| {
        let mut value = place(findings, it.place);
        value["weight"] = json!(rounded(it.weight));
        value["times"] = json!(it.times);
        value
    });
    let hierarchy = footprint.hierarchy.iter().map(|it| {
        let mut value = place(findings, it.place);
        value["depth"] = json!(it.depth);
        value["own"] = json!(rounded(it.own));
        value["whole"] = json!(rounded(it.whole));
        value
    });
    let points = footprint
        .points
        .iter()
        .map(|it| json!({"lat": it.point.lat, "lon": it.point.lon, "weight": rounded(it.weight)}));
    json!({
        "focus": named(footprint.focus),
        "most_frequent": named(footprint.most_frequent),
        "bounds": footprint.bounds.map(|it| [it.west, it.south, it.east, it.north]),
        "places": places.collect::<Vec<_>>(),
        "hierarchy": hierarchy.collect::<Vec<_>>(),
        "points": points.collect::<Vec<_>>(),
    })
}

/// Where something stands, in bytes and in characters, the ends exclusive.
fn span(characters: &mut Characters<'_>, bytes: &Range<usize>) -> Map<String, Value> {
    let in_characters = [characters.before(bytes.start), characters.before(bytes.end)];
    let pairs = [("bytes", [bytes.start, bytes.end]), ("characters", in_characters)];
    pairs.into_iter().map(|(name, pair)| (name.to_owned(), json!(pair))).collect()
}

fn mention(
    findings: &Findings<'_>,
    text: &str,
    characters: &mut Characters<'_>,
    it: &Mention,
) -> Value {
    let mut value = span(characters, &it.span);
    let mut set = |name: &str, field: Value| value.insert(name.to_owned(), field);
    set("text", json!(text.get(it.span.clone())));
    set("class", json!(class_name(it.class)));
    set("key", json!(it.place.map(|it| findings.gazetteer.place(it).key())));
    set("label", json!(it.place.map(|it| findings.label(it))));
    set("lat", json!(it.point.map(|it| it.lat)));
    set("lon", json!(it.point.map(|it| it.lon)));
    set("is_listed", json!(it.is_listed));
    set("confidence", json!(rounded(it.confidence.into())));
    if let Some(it) = &it.why {
        set("why", why(findings, it));
    }
    Value::Object(value)
}

fn why(findings: &Findings<'_>, why: &Why) -> Value {
    let reasons = |list: &[(Reason, f32)]| -> Vec<Value> {
        let told = |(reason, weight): &(Reason, f32)| json!({"reason": reason.label(), "weight": rounded((*weight).into())});
        list.iter().map(told).collect()
    };
    let candidate = |it: &Considered| {
        let mut value = place(findings, it.place);
        value["share"] = json!(rounded(it.share.into()));
        value["reasons"] = json!(reasons(&it.reasons));
        value
    };
    json!({
        "is_place": reasons(&why.is_place),
        "candidates": why.candidates.iter().map(candidate).collect::<Vec<_>>(),
    })
}

fn address(findings: &Findings<'_>, characters: &mut Characters<'_>, it: &Address) -> Value {
    let mut value = span(characters, &it.span);
    let mut set = |name: &str, field: Value| value.insert(name.to_owned(), field);
    set("text", json!(findings.written(it)));
    set("parts", parts(it).map(|(name, part)| (name.to_owned(), json!(part.text))).collect());
    set("is_full", json!(it.is_full()));
    set("confidence", json!(rounded(it.confidence)));
    set("position", json!(it.position.as_ref().map(|it| position(findings, it))));
    Value::Object(value)
}

/// Where something was found to be.
pub fn position(findings: &Findings<'_>, it: &Position) -> Value {
    let mut value = place(findings, it.place);
    value["lat"] = json!(it.point.lat);
    value["lon"] = json!(it.point.lon);
    value["city"] = json!(it.city.map(|it| findings.gazetteer.place(it).key()));
    value["precision"] = json!(it.precision.name());
    value["confidence"] = json!(rounded(it.confidence));
    value
}

fn stated(findings: &Findings<'_>, it: &StatedPlace) -> Value {
    json!({
        "name": it.name,
        "source": source_name(it.source),
        "is_full_address": it.is_full_address,
        "position": position(findings, &it.position),
    })
}
