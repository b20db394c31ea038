//! `strabo doc`: a document as the index has it.

use anyhow::{Result, anyhow};
use clap::Args;
use earth::Meters;
use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Footprint, Sighting};
use index::{Address, Document, Generation};
use search::Engine;
use serde_json::json;

use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::{say, say_json};

/// Documents this near are neighbours.
const NEARBY: Meters = Meters(25_000.0);
/// So many neighbours are shown.
const NEIGHBOURS: usize = 10;

/// Show a document as the index has it: its text, its places, its neighbours.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The id of the document, as "strabo search" shows it.
    id: String,
    /// Show its small hierarchy of places, with coordinates, instead of its text.
    #[arg(long)]
    places: bool,
    /// Show documents about the same place, and documents nearby, instead of its text.
    #[arg(long, conflicts_with = "places")]
    neighbours: bool,
    /// Print all of it as JSON.
    #[arg(long, conflicts_with_all = ["places", "neighbours"])]
    json: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    let generation = arguments.place.library().open(&gazetteer)?;
    let at = generation
        .by_id(&arguments.id)
        .ok_or_else(|| anyhow!("the index has no document {}", arguments.id))?;
    let document = generation.document(at)?;
    if arguments.json {
        say_json(&as_json(&gazetteer, &document))
    } else if arguments.places {
        say(&places(&gazetteer, &document))
    } else if arguments.neighbours {
        say(&neighbours(&gazetteer, &generation, at)?)
    } else {
        say(&whole(&gazetteer, &document))
    }
}

fn head(document: &Document) -> String {
    let date = document.published.and_then(|it| jiff::Timestamp::from_second(it).ok());
    let facts = [
        Some(document.url.clone()).filter(|it| !it.is_empty()),
        date.map(|it| format!("published {it}")),
        Some(document.language.clone()).filter(|it| !it.is_empty()),
        Some(document.topics.join(", ")).filter(|it| !it.is_empty()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    format!("{}\n{}\n", document.title, facts.join(" · "))
}

/// The text with every place that it names marked.
fn whole(gazetteer: &Gazetteer, document: &Document) -> String {
    let mut text = head(document);
    if let Some(focus) = document.focus {
        text += &format!("about {}\n", gazetteer.place(PlaceId(focus)).label());
    }
    text.push('\n');
    let mut at = 0;
    for mark in &document.marks {
        let (start, end) = (mark.start as usize, mark.end as usize);
        if let (Some(before), Some(name)) =
            (document.text.get(at..start), document.text.get(start..end))
        {
            text += &format!("{before}_{name}_");
            at = end;
        }
    }
    text.push_str(document.text.get(at..).unwrap_or_default());
    text
}

/// The places of a document as a small hierarchy, every place below the one that holds it.
fn places(gazetteer: &Gazetteer, document: &Document) -> String {
    let sightings: Vec<Sighting> = document
        .spots
        .iter()
        .filter_map(|it| {
            Some(Sighting {
                place: PlaceId(it.place?),
                point: it.point(),
                weight: f64::from(it.part),
            })
        })
        .collect();
    let footprint = Footprint::of(gazetteer, &sightings);
    let mut text = head(document);
    text.push('\n');
    if footprint.is_empty() {
        return text + "no places\n";
    }
    for node in &footprint.hierarchy {
        let place = gazetteer.place(node.place);
        let point = place.point();
        let mut notes = Vec::new();
        if node.own > 0.0 {
            notes.push(format!("{:.0} %", node.own * 100.0));
        }
        if (node.whole - node.own).abs() > 1e-9 {
            notes.push(format!("{:.0} % with all in it", node.whole * 100.0));
        }
        if document.focus == Some(node.place.0) {
            notes.push("focus".to_owned());
        }
        if document.most_frequent == Some(node.place.0) {
            notes.push("named most often".to_owned());
        }
        let others = gazetteer.named(place.name()).filter(|it| it.0.id() != node.place).count();
        if others > 0 && node.own > 0.0 {
            notes.push(format!("{others} others of this name"));
        }
        text += &format!(
            "{}{} ({:.4}, {:.4})  {}\n",
            "  ".repeat(node.depth),
            place.name(),
            point.lat,
            point.lon,
            notes.join(", ")
        );
    }
    for spot in document.spots.iter().filter(|it| !it.is_area) {
        let point = spot.point();
        let is_middle = spot
            .place
            .is_some_and(|it| gazetteer.place(PlaceId(it)).point().distance(point).0 < 1.0);
        if !is_middle {
            let label = document.label(gazetteer, spot).unwrap_or_default();
            text += &format!("at {:.5}, {:.5}  {label}\n", point.lat, point.lon);
        }
    }
    text
}

fn neighbours(gazetteer: &Gazetteer, generation: &Generation, at: Address) -> Result<String> {
    let found = Engine::new(generation, gazetteer).neighbours(at, NEARBY, NEIGHBOURS)?;
    let mut text = String::from("about the same place\n");
    let line = |address: Address, far: Option<Meters>| -> Result<String> {
        let document = generation.document(address)?;
        let far = far.map_or_else(String::new, |it| format!("{:.1} km  ", it.km()));
        Ok(format!("  {far}{}  (strabo doc {})\n", document.title, document.id))
    };
    for address in &found.same_place {
        text += &line(*address, None)?;
    }
    if found.same_place.is_empty() {
        text += "  none\n";
    }
    text += "nearby\n";
    for (address, far) in &found.nearby {
        text += &line(*address, Some(*far))?;
    }
    if found.nearby.is_empty() {
        text += "  none\n";
    }
    Ok(text)
}

fn as_json(gazetteer: &Gazetteer, document: &Document) -> serde_json::Value {
    let key = |id: u32| gazetteer.place(PlaceId(id)).key().to_owned();
    let spots: Vec<_> = document
        .spots
        .iter()
        .map(|it| {
            let point = it.point();
            json!({
                "place": it.place.map(key),
                "label": document.label(gazetteer, it),
                "point": [point.lon, point.lat],
                "part": f64::from(it.part) / 255.0,
                "sure": f64::from(it.sure) / 255.0,
                "is_area": it.is_area,
            })
        })
        .collect();
    let marks: Vec<_> = document
        .marks
        .iter()
        .map(|it| json!({ "start": it.start, "end": it.end, "place": key(it.place) }))
        .collect();
    let time = |it: Option<i64>| {
        it.and_then(|it| jiff::Timestamp::from_second(it).ok()).map(|it| it.to_string())
    };
    json!({
        "id": document.id,
        "url": document.url,
        "title": document.title,
        "text": document.text,
        "language": document.language,
        "published": time(document.published),
        "fetched": time(document.fetched),
        "topics": document.topics,
        "focus": document.focus.map(key),
        "most_frequent": document.most_frequent.map(key),
        "places": spots,
        "mentions": marks,
        "links_say": document.anchors,
        "canonical": document.canonical,
    })
}
