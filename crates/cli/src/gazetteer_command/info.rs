//! `strabo gazetteer info`: what a gazetteer holds.

use std::collections::BTreeMap;

use anyhow::Result;
use gazetteer::{Gazetteer, Kind};
use serde_json::json;

use crate::output::{grouped, say, say_json, table};

/// Countries stand in so many columns.
const COLUMNS: usize = 6;

pub(super) fn run(gazetteer: &Gazetteer, as_json: bool) -> Result<()> {
    let mut kinds = [0_usize; Kind::ALL.len()];
    let mut countries: BTreeMap<&str, usize> = BTreeMap::new();
    for place in gazetteer.places() {
        kinds[place.kind() as usize] += 1;
        let country = place.country().and_then(|it| it.tag("iso2")).unwrap_or("--");
        *countries.entry(country).or_default() += 1;
    }
    let kinds: Vec<_> = Kind::ALL.into_iter().zip(kinds).filter(|(_, count)| *count > 0).collect();
    let mut countries: Vec<_> = countries.into_iter().collect();
    countries.sort_by_key(|&(country, count)| (std::cmp::Reverse(count), country));
    let bytes: usize = gazetteer.sizes().iter().map(|(_, size)| size).sum();
    if as_json {
        return say_json(&json!({
            "origin": gazetteer.origin(),
            "fingerprint": format!("{:016x}", gazetteer.fingerprint()),
            "places": gazetteer.len(),
            "spellings": gazetteer.spellings(),
            "outlines": gazetteer.outlines(),
            "houses": gazetteer.house_count(),
            "bytes": bytes,
            "kinds": kinds.iter().map(|(kind, count)| (kind.name().to_owned(), json!(count))).collect::<serde_json::Map<_, _>>(),
            "countries": countries.iter().map(|(country, count)| ((*country).to_owned(), json!(count))).collect::<serde_json::Map<_, _>>(),
            "sources": gazetteer.sources().iter().map(|it| {
                json!({"title": it.title, "licence": it.licence, "url": it.url, "date": it.date})
            }).collect::<Vec<_>>(),
        }));
    }
    let mut text = format!(
        "{}, {:016x}\n{} places, {} spellings, {} outlines, {} house numbers, {} MB\n\n",
        gazetteer.origin(),
        gazetteer.fingerprint(),
        grouped(gazetteer.len()),
        grouped(gazetteer.spellings()),
        grouped(gazetteer.outlines()),
        grouped(gazetteer.house_count()),
        bytes / 1_000_000
    );
    let rows = std::iter::once(vec!["kind".to_owned(), "places".to_owned()]);
    text += &table(
        &rows
            .chain(kinds.iter().map(|(kind, count)| vec![kind.to_string(), grouped(*count)]))
            .collect::<Vec<_>>(),
    );
    text += "\nplaces per country (-- lies in none)\n";
    let cells: Vec<_> = countries
        .iter()
        .map(|(country, count)| format!("{country} {:>7}", grouped(*count)))
        .collect();
    for line in cells.chunks(COLUMNS) {
        text += &line.join("   ");
        text.push('\n');
    }
    text += "\nsources\n";
    for source in gazetteer.sources() {
        text += &format!("{}, {}, {}, {}\n", source.title, source.licence, source.url, source.date);
    }
    say(&text)
}
