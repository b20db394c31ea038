//! `strabo place`: find a place and ask what lies around it.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use earth::{PlusCode, Point, parse_coordinates, parse_geo_uri};
use gazetteer::{Candidate, Gazetteer, NameClass, Place, is_key};
use serde_json::{Value, json};

use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// Find a place by name, address, coordinate, code or key, and ask what lies around it.
#[derive(Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What to find: `Paris, Texas`, `Mannerheimintie 2 Helsinki`, `60.17, 24.94`, `geo:…`, a plus code,
    /// a key such as `gn:658225`.
    text: Vec<String>,
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    question: Option<Question>,
}

const EXAMPLES: &str = "Examples:
  strabo place Paris, Texas
  strabo place --near 53.14,8.21 Neustadt
  strabo place suggest hels
  strabo place show gn:658225
  strabo place reverse 60.1699, 24.9384
  strabo place relate Finland Sweden";

#[derive(Args, Clone)]
struct Shared {
    /// Prefer what is near this point.
    #[arg(long, value_name = "LAT,LON", global = true, value_parser = parse_point)]
    near: Option<Point>,
    /// At most so many answers.
    #[arg(long, value_name = "N", default_value_t = 10, global = true, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Answer in JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Subcommand)]
enum Question {
    /// Complete what is being typed.
    Suggest {
        /// The beginning of a name.
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Everything known of one place.
    Show {
        /// Its key (`gn:658225`) or its name.
        #[arg(required = true)]
        place: Vec<String>,
    },
    /// What a place is divided into.
    Children {
        /// Its key or its name.
        #[arg(required = true)]
        place: Vec<String>,
    },
    /// What lies around a point.
    Reverse {
        /// The point: `60.1699, 24.9384` or any other way to write it.
        #[arg(required = true)]
        point: Vec<String>,
    },
    /// How two places lie to each other.
    Relate {
        /// The one, by key or name.
        one: String,
        /// The other.
        other: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let shared = &arguments.shared;
    let opened = shared.choice.open()?;
    match &arguments.question {
        None if arguments.text.is_empty() => {
            bail!("no place was named: see \"strabo place --help\"")
        }
        None => find(&opened, shared, arguments.text.join(" ").trim()),
        Some(Question::Suggest { text }) => suggest(&opened, shared, &text.join(" ")),
        Some(Question::Show { place }) => show(&opened, shared, &place.join(" ")),
        Some(Question::Children { place }) => children(&opened, shared, &place.join(" ")),
        Some(Question::Reverse { point }) => reverse(&opened, shared, &point.join(" ")),
        Some(Question::Relate { one, other }) => relate(&opened, shared, one, other),
    }
}

fn parse_point(text: &str) -> Result<Point, String> {
    let text = text.trim();
    let code = || PlusCode::parse(text).and_then(|code| code.center());
    let link = || parse_geo_uri(text).map(|link| link.point);
    if let Some(point) = parse_coordinates(text).or_else(link).or_else(code) {
        return Ok(point);
    }
    // Where nothing but a point can be meant, whole degrees will do.
    let mut numbers = text.split([',', ' ']).filter(|it| !it.is_empty()).map(str::parse::<f64>);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(lat)), Some(Ok(lon)), None) => Point::checked(lat, lon).ok_or_else(|| {
            format!("{text} is not on the globe: latitude goes to 90, longitude to 180")
        }),
        _ => Err(format!("\"{}\" is no point: write it as 60.17,24.94", shortened(text, 80))),
    }
}

fn find(gazetteer: &Gazetteer, shared: &Shared, text: &str) -> Result<()> {
    let mut found = gazetteer.geocode(text, shared.near, usize::from(shared.limit));
    // A key that no place has is not to be read as a name.
    found.retain(|it| !is_key(text) || it.place.key() == text);
    if shared.json {
        return say_json(&Value::Array(found.iter().map(candidate_json).collect()));
    }
    if found.is_empty() {
        bail!("{}", unknown(text));
    }
    let mut rows = vec![
        ["", "place", "kind", "position", "exact to", "sure", "key"].map(String::from).to_vec(),
    ];
    for (at, it) in found.iter().enumerate() {
        rows.push(vec![
            (at + 1).to_string(),
            it.label(),
            it.place.kind().to_string(),
            it.point.to_string(),
            it.precision.to_string(),
            format!("{:.0} %", it.confidence * 100.0),
            it.place.key().to_owned(),
        ]);
    }
    let mut answer = table(&rows);
    for note in found.first().iter().flat_map(|it| &it.notes) {
        answer += &format!("   {note}\n");
    }
    say(&answer)
}

fn suggest(gazetteer: &Gazetteer, shared: &Shared, text: &str) -> Result<()> {
    let found = gazetteer.suggest(text, shared.near, usize::from(shared.limit));
    if shared.json {
        let list = found.iter().map(|it| {
            let mut value = place_json(&it.place);
            value["matched"] = json!(it.matched);
            value["score"] = json!(it.score);
            value
        });
        return say_json(&Value::Array(list.collect()));
    }
    let row =
        |place: &Place<'_>| vec![place.label(), place.kind().to_string(), place.key().to_owned()];
    say(&table(&found.iter().map(|it| row(&it.place)).collect::<Vec<_>>()))
}

fn show(gazetteer: &Gazetteer, shared: &Shared, text: &str) -> Result<()> {
    let place = one(gazetteer, shared, text)?;
    if shared.json {
        return say_json(&full_json(gazetteer, &place));
    }
    let names: Vec<_> =
        place.names().filter(|it| it.0 != NameClass::Short).map(|(_, name)| name).collect();
    let codes: Vec<_> =
        place.names().filter(|it| it.0 == NameClass::Short).map(|(_, name)| name).collect();
    let neighbours: Vec<_> = gazetteer.neighbours(place.id()).iter().map(Place::name).collect();
    let lineage: Vec<_> = gazetteer
        .ancestors(place.id())
        .map(|it| format!("{} ({})", it.name(), it.kind()))
        .collect();
    let children = gazetteer.children(place.id()).count();
    let outline = place.bounds().map(|it| {
        format!("{:.3} to {:.3} north, {:.3} to {:.3} east", it.south, it.north, it.west, it.east)
    });
    let mut rows = vec![
        ("name", place.name().to_owned()),
        ("key", place.key().to_owned()),
        ("kind", place.kind().to_string()),
        ("position", place.point().to_string()),
        ("part of", lineage.join(", ")),
        (
            "people",
            if place.population() == 0 {
                "not counted".into()
            } else {
                grouped(place.population() as usize)
            },
        ),
        ("parts", grouped(children)),
        ("outline", outline.unwrap_or_else(|| "none".into())),
        ("neighbours", neighbours.join(", ")),
        ("codes", codes.join(", ")),
        ("names", shortened(&names.join(", "), 600)),
        ("path", gazetteer.facet_path(place.id())),
    ];
    for (word, value) in place.fact().tags {
        rows.push(("", format!("{word} = {value}")));
    }
    rows.retain(|(_, value)| !value.is_empty());
    let mut answer = String::new();
    for (title, value) in rows {
        answer += &format!("{title:<11} {value}\n");
    }
    say(&answer)
}

fn unknown(text: &str) -> String {
    let text = shortened(text, 80);
    if is_key(&text) {
        return format!("no place has the key {text}: find it by its name");
    }
    format!("nothing is known of \"{text}\": try another spelling, or the name of a larger place")
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).collect::<String>() + " …"
}

fn children(gazetteer: &Gazetteer, shared: &Shared, text: &str) -> Result<()> {
    let place = one(gazetteer, shared, text)?;
    let parts = gazetteer.children(place.id()).take(usize::from(shared.limit));
    if shared.json {
        return say_json(&Value::Array(parts.map(|it| place_json(&it)).collect()));
    }
    let row = |it: Place<'_>| {
        vec![
            it.name().to_owned(),
            it.kind().to_string(),
            grouped(it.population() as usize),
            it.key().to_owned(),
        ]
    };
    let rows: Vec<_> = parts.map(row).collect();
    let all = gazetteer.children(place.id()).count();
    let mut answer =
        format!("{} has {} part{}\n", place.label(), grouped(all), if all == 1 { "" } else { "s" });
    answer += &table(&rows);
    if all > rows.len() {
        answer += &format!("… --limit {all} shows all\n");
    }
    say(&answer)
}

fn reverse(gazetteer: &Gazetteer, shared: &Shared, text: &str) -> Result<()> {
    let point = parse_point(text).map_err(anyhow::Error::msg)?;
    let around = gazetteer.reverse(point);
    if shared.json {
        return say_json(&json!({
            "point": {"lat": point.lat, "lon": point.lon},
            "containing": around.containing.iter().map(place_json).collect::<Vec<_>>(),
            "nearest": around.nearest.as_ref().map(|(place, distance)| {
                json!({"place": place_json(place), "distance_m": distance.0.round()})
            }),
            "house": around.house.as_ref().map(|(street, house, distance)| {
                json!({"street": place_json(street), "number": house.number, "postcode": house.postcode, "distance_m": distance.0.round()})
            }),
        }));
    }
    let mut answer = String::new();
    if let Some((street, house, distance)) = &around.house {
        answer += &format!("at       {} {}, {distance} away\n", street.name(), house.number);
    }
    if let Some((place, distance)) = &around.nearest {
        answer += &format!("nearest  {} ({}), {distance} away\n", place.label(), place.kind());
    }
    for place in &around.containing {
        answer += &format!("in       {} ({})\n", place.label(), place.kind());
    }
    if answer.is_empty() {
        answer.push_str("nothing is known around there: it is open sea or ice\n");
    }
    say(&answer)
}

fn relate(gazetteer: &Gazetteer, shared: &Shared, first: &str, second: &str) -> Result<()> {
    let (first, second) = (one(gazetteer, shared, first)?, one(gazetteer, shared, second)?);
    let found = gazetteer.topology(first.id(), second.id());
    let steps = gazetteer.hierarchical_distance(first.id(), second.id());
    if shared.json {
        return say_json(&json!({
            "one": place_json(&first),
            "other": place_json(&second),
            "relation": found.relation.name(),
            "distance_m": found.distance.0.round(),
            "bearing": found.bearing.map(earth::Bearing::degrees),
            "hierarchical_distance": steps,
        }));
    }
    let way =
        found.bearing.map_or_else(String::new, |it| format!(" {}", it.compass().short_name()));
    say(&format!(
        "{} {} {}: {}{way} from middle to middle, {steps} step{} in the hierarchy\n",
        first.label(),
        phrase(found.relation),
        second.label(),
        found.distance,
        if steps == 1 { "" } else { "s" },
    ))
}

fn phrase(relation: gazetteer::Relation) -> &'static str {
    use gazetteer::Relation;
    match relation {
        Relation::Equal => "is the same as",
        Relation::Contains => "contains",
        Relation::Within => "lies within",
        Relation::Overlaps => "overlaps",
        Relation::Adjacent => "is adjacent to",
        Relation::Disjoint => "is disjoint from",
    }
}

/// The place of a key, or the best one for a text.
fn one<'g>(gazetteer: &'g Gazetteer, shared: &Shared, text: &str) -> Result<Place<'g>> {
    if let Some(place) = gazetteer.by_key(text) {
        return Ok(place);
    }
    if is_key(text) {
        bail!("{}", unknown(text));
    }
    let best = gazetteer.geocode(text, shared.near, 1).into_iter().next();
    best.map(|it| it.place).with_context(|| unknown(text))
}

fn candidate_json(it: &Candidate<'_>) -> Value {
    let mut value = place_json(&it.place);
    value["label"] = json!(it.label());
    value["lat"] = json!(it.point.lat);
    value["lon"] = json!(it.point.lon);
    value["precision"] = json!(it.precision.name());
    value["confidence"] = json!((it.confidence * 1000.0).round() / 1000.0);
    value["house"] = json!(it.house);
    value["matched"] = json!(it.matched);
    value["notes"] = json!(it.notes);
    value
}

/// Everything known of a place.
fn full_json(gazetteer: &Gazetteer, place: &Place<'_>) -> Value {
    let mut value = place_json(place);
    let of_class = |wanted: NameClass| -> Vec<&str> {
        place.names().filter(|(class, _)| *class == wanted).map(|(_, name)| name).collect()
    };
    value["names"] = json!(of_class(NameClass::Alternate));
    value["codes"] = json!(of_class(NameClass::Short));
    value["demonyms"] = json!(of_class(NameClass::Demonym));
    value["part_of"] = gazetteer.ancestors(place.id()).map(|it| place_json(&it)).collect();
    value["path"] = json!(gazetteer.facet_path(place.id()));
    value["parts"] = json!(gazetteer.children(place.id()).count());
    value["neighbours"] = gazetteer.neighbours(place.id()).iter().map(place_json).collect();
    value["bounds"] = json!(place.bounds().map(|it| [it.west, it.south, it.east, it.north]));
    value["tags"] =
        Value::Object(place.fact().tags.into_iter().map(|(word, it)| (word, json!(it))).collect());
    value
}

fn place_json(place: &Place<'_>) -> Value {
    json!({
        "key": place.key(),
        "name": place.name(),
        "label": place.label(),
        "kind": place.kind().name(),
        "lat": place.point().lat,
        "lon": place.point().lon,
        "population": place.population(),
        "country": place.country().and_then(|it| it.tag("iso2")),
        "importance": (place.importance() * 1000.0).round() / 1000.0,
    })
}
