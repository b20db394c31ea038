//! `strabo eval geocode`: how many queries lead to the right place.
//!
//! A case counts if its target is of a kind the default data holds (a country, region, county, city, district
//! or airport) and the data knows this very target; the others are counted apart. The kind is read off the
//! layer the case expects or, where there is none, off the name of the list it comes from. The data knows a
//! target with a position if a place of such a kind lies within the case's tolerance of it and one of that
//! place's names shares a telling word with the query; it knows a target without one if some place bears the
//! expected name and fits all the case says of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use earth::{Meters, Point};
use gazetteer::{Candidate, Gazetteer, Kind, Place, spelling};
use serde_json::{Value, json};

use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// How far down the list a right answer still counts.
const RANKS: usize = 5;
/// How many places around a target are looked at to see whether the data knows it.
const AROUND: usize = 50;

/// The geocoder, against queries with known targets.
#[derive(Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Arguments {
    /// Files of cases, one JSON object a line, gzipped or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show so many of the cases that went wrong.
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong: usize,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

const FORMAT: &str = "A case: {\"query\": \"Toruń\", \"lat\": 53.01, \"lon\": 18.60, \"tol_m\": 1000, \"source\": \"cities\"}
or with expected properties instead of a position: {\"query\": \"Paris France\",
\"expected\": {\"properties\": [{\"layer\": \"locality\", \"name\": \"Paris\", \"country_a\": \"FRA\"}]}}";

/// A query with its target.
struct Case {
    query: String,
    source: String,
    focus: Option<Point>,
    target: Target,
}

enum Target {
    /// Anything of these kinds within the tolerance.
    Near { point: Point, within: Meters, group: Group },
    /// Anything that fits one of these descriptions.
    Like(Vec<Description>),
    /// Of a kind the harness does not ask for.
    Other,
}

/// Kinds that count as one another: sources differ on whether a place is a city or a district of one.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Country,
    Region,
    City,
    Airport,
}

#[derive(Clone)]
struct Description {
    group: Group,
    /// `(property, value)` as the case has them.
    properties: Vec<(String, String)>,
}

/// How the cases of one list came out.
#[derive(Default, Clone)]
struct Tally {
    cases: usize,
    of_other_kinds: usize,
    not_in_the_data: usize,
    asked: usize,
    first: usize,
    among_five: usize,
    micros: Vec<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in &arguments.files {
        for case in cases(file)? {
            let tally = tallies.entry(case.source.clone()).or_default();
            if let Some(line) = judge(&gazetteer, &case, tally) {
                wrong.push(line);
            }
        }
    }
    let whole = tallies.values().fold(Tally::default(), |whole, it| whole.and(it));
    if arguments.json {
        return say_json(
            &json!({"lists": tallies.iter().map(|(name, it)| it.json(name)).collect::<Vec<_>>(),
                                "all": whole.json("all")}),
        );
    }
    let mut rows = vec![Tally::header()];
    rows.extend(tallies.iter().filter(|(_, it)| it.asked > 0).map(|(name, it)| it.row(name)));
    rows.push(whole.row("all"));
    let mut text = table(&rows);
    text += &format!(
        "\n{} cases read; {} left out because their target is no country, region, county, city, district or airport,\n\
         {} because the gazetteer does not know the target (no such place within the tolerance whose name shares a word\n\
         with the query, or none that fits the expected properties)\n",
        grouped(whole.cases),
        grouped(whole.of_other_kinds),
        grouped(whole.not_in_the_data)
    );
    for line in wrong.iter().take(arguments.wrong) {
        text += line;
        text.push('\n');
    }
    say(&text)
}

/// Asks one case; a line for the list of wrong ones if it went wrong.
fn judge(gazetteer: &Gazetteer, case: &Case, tally: &mut Tally) -> Option<String> {
    tally.cases += 1;
    if matches!(case.target, Target::Other) {
        tally.of_other_kinds += 1;
        return None;
    }
    if !is_known(gazetteer, case) {
        tally.not_in_the_data += 1;
        return None;
    }
    tally.asked += 1;
    let start = Instant::now();
    let found = gazetteer.geocode(&case.query, case.focus, RANKS);
    tally.micros.push(start.elapsed().as_micros() as u64);
    let rank = found.iter().position(|it| fits(gazetteer, &case.target, it));
    tally.first += usize::from(rank == Some(0));
    tally.among_five += usize::from(rank.is_some());
    if rank == Some(0) {
        return None;
    }
    let rank = rank.map_or("-".to_owned(), |it| (it + 1).to_string());
    let answers: Vec<_> =
        found.iter().take(3).map(|it| format!("{} [{}]", it.label(), it.place.kind())).collect();
    Some(format!(
        "{rank}  {} -> {}  (expected {})",
        case.query,
        answers.join(" | "),
        wanted(&case.target)
    ))
}

fn wanted(target: &Target) -> String {
    match target {
        Target::Near { point, within, .. } => format!("{point} within {within}"),
        Target::Like(all) => {
            format!("{:?}", all.iter().map(|it| &it.properties).collect::<Vec<_>>())
        }
        Target::Other => String::new(),
    }
}

fn fits(gazetteer: &Gazetteer, target: &Target, it: &Candidate<'_>) -> bool {
    match target {
        Target::Near { point, within, group } => {
            it.point.distance(*point) <= *within && group.has(it.place.kind())
        }
        Target::Like(descriptions) => {
            descriptions.iter().any(|like| describes(gazetteer, like, &it.place))
        }
        Target::Other => false,
    }
}

/// True if the data holds the target at all.
fn is_known(gazetteer: &Gazetteer, case: &Case) -> bool {
    match &case.target {
        Target::Other => false,
        Target::Like(descriptions) => descriptions.iter().any(|like| {
            let names =
                ["name", "locality", "county", "region", "macroregion", "dependency", "country"];
            let expected = names.iter().filter_map(|word| like.get(word));
            let mut bearers = expected.flat_map(|name| gazetteer.named(name));
            bearers.any(|(place, _)| describes(gazetteer, like, &place))
        }),
        Target::Near { point, within, group } => {
            let cities = gazetteer.nearest_cities(*point, AROUND, *within);
            let spots =
                gazetteer.nearest_spots(*point, AROUND, *within, |kind| kind == Kind::Airport);
            let near = cities.into_iter().chain(spots).map(|(id, _)| gazetteer.place(id));
            let wide = gazetteer
                .containing(*point)
                .into_iter()
                .flat_map(|it| gazetteer.lineage(it.id()).collect::<Vec<_>>());
            let mut there = near
                .chain(wide)
                .filter(|it| group.has(it.kind()) && it.point().distance(*point) <= *within);
            there.any(|place| shares_a_word(&case.query, &place))
        }
    }
}

/// True if a name of the place and the query have a telling word in common.
fn shares_a_word(query: &str, place: &Place<'_>) -> bool {
    const COMMON: [&str; 16] = [
        "airport",
        "international",
        "airfield",
        "field",
        "base",
        "air",
        "force",
        "regional",
        "municipal",
        "county",
        "city",
        "national",
        "aerodrome",
        "the",
        "saint",
        "san",
    ];
    let query = spelling(query);
    let telling = |word: &&str| word.len() > 2 && !COMMON.contains(word);
    let names = std::iter::once(place.name()).chain(place.names().map(|(_, name)| name));
    let city = place.tag("city").into_iter();
    names.chain(city).any(|name| {
        let name = spelling(name);
        name.split(' ').filter(telling).any(|word| query.split(' ').any(|it| it == word))
    })
}

impl Group {
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::Country => kind == Kind::Country,
            Self::Region => matches!(kind, Kind::Region | Kind::County | Kind::Municipality),
            Self::City => matches!(
                kind,
                Kind::City | Kind::District | Kind::Municipality | Kind::County | Kind::Region
            ),
            Self::Airport => kind == Kind::Airport,
        }
    }

    fn of_layer(layer: &str) -> Option<Self> {
        match layer {
            "country" | "dependency" => Some(Self::Country),
            "region" | "macroregion" | "county" | "macrocounty" => Some(Self::Region),
            "locality" | "localadmin" | "borough" | "city" | "neighbourhood" => Some(Self::City),
            "airport" => Some(Self::Airport),
            _ => None,
        }
    }

    /// Lists of targets are named after them.
    fn of_list(source: &str) -> Option<Self> {
        let list = source.rsplit(['/', ':']).next().unwrap_or(source);
        let names = |words: &[&str]| words.iter().any(|word| list.contains(word));
        match () {
            () if names(&["airport"]) => Some(Self::Airport),
            () if names(&["cities", "towns", "villages", "regions", "admin"]) => Some(Self::City),
            () if names(&["countries"]) => Some(Self::Country),
            () => None,
        }
    }
}

impl Description {
    fn get(&self, word: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == word).map(|(_, value)| value.as_str())
    }
}

/// True if all that is said fits the place.
fn describes(gazetteer: &Gazetteer, like: &Description, place: &Place<'_>) -> bool {
    let lineage: Vec<_> = gazetteer.lineage(place.id()).collect();
    let bears = |place: &Place<'_>, name: &str| {
        let wanted = spelling(name);
        let names = place.names().map(|(_, it)| it).chain([place.name()]);
        names.into_iter().any(|it| spelling(it) == wanted)
    };
    let above = |kind: fn(Kind) -> bool, name: &str| {
        lineage.iter().any(|it| kind(it.kind()) && bears(it, name))
    };
    like.group.has(place.kind())
        && like.properties.iter().all(|(word, value)| match word.as_str() {
            "name" => bears(place, value),
            "locality" => above(
                |kind| matches!(kind, Kind::City | Kind::Municipality | Kind::District),
                value,
            ),
            "region" | "macroregion" | "region_a" => {
                above(|kind| matches!(kind, Kind::Region | Kind::County), value)
            }
            "country" | "dependency" => above(|kind| kind == Kind::Country, value),
            "country_a" | "dependency_a" => lineage.iter().any(|it| it.tag("iso3") == Some(value)),
            _ => true,
        })
}

fn cases(path: &Path) -> Result<Vec<Case>> {
    let file = File::open(path).with_context(|| format!("{}", path.display()))?;
    let is_gzip = path.extension().is_some_and(|it| it == "gz");
    let input: Box<dyn Read> =
        if is_gzip { Box::new(flate2::read::GzDecoder::new(file)) } else { Box::new(file) };
    let mut all = Vec::new();
    for (at, line) in BufReader::new(input).lines().enumerate() {
        let line = line.with_context(|| format!("{}", path.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        let case = serde_json::from_str(&line).ok().and_then(|value: Value| case(&value));
        all.push(case.with_context(|| {
            format!("{}, line {}: no case with a \"query\"", path.display(), at + 1)
        })?);
    }
    Ok(all)
}

fn case(value: &Value) -> Option<Case> {
    let source = value["source"].as_str().unwrap_or("cases").to_owned();
    let number = |name: &str| value[name].as_f64();
    let parameter = |name: &str| value["params"][name].as_f64();
    let focus = parameter("focus.point.lat").zip(parameter("focus.point.lon"));
    let target = match (number("lat"), number("lon"), Group::of_list(&source)) {
        (Some(lat), Some(lon), Some(group)) => {
            let within = Meters(number("tol_m").unwrap_or(1000.0));
            let group = if within.0 >= 100_000.0 { Group::Country } else { group };
            Target::Near { point: Point::new(lat, lon), within, group }
        }
        _ => described(value),
    };
    Some(Case {
        query: value["query"].as_str()?.to_owned(),
        source: list_name(&source),
        focus: focus.map(|(lat, lon)| Point::new(lat, lon)),
        target,
    })
}

/// One list a file of the source, however its cases are spread.
fn list_name(source: &str) -> String {
    match source.split_once(':') {
        Some((set, _)) if set.ends_with("tests") => set.to_owned(),
        _ => source.to_owned(),
    }
}

fn described(value: &Value) -> Target {
    let Some(list) = value["expected"]["properties"].as_array() else { return Target::Other };
    let description = |it: &Value| {
        let group = Group::of_layer(it["layer"].as_str()?)?;
        let properties = it
            .as_object()?
            .iter()
            .filter_map(|(word, it)| Some((word.clone(), it.as_str()?.to_owned())));
        Some(Description {
            group,
            properties: properties.filter(|(word, _)| word != "layer").collect(),
        })
    };
    let all: Vec<_> = list.iter().filter_map(description).collect();
    if all.is_empty() { Target::Other } else { Target::Like(all) }
}

impl Tally {
    fn and(&self, other: &Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            of_other_kinds: self.of_other_kinds + other.of_other_kinds,
            not_in_the_data: self.not_in_the_data + other.not_in_the_data,
            asked: self.asked + other.asked,
            first: self.first + other.first,
            among_five: self.among_five + other.among_five,
            micros: [self.micros.as_slice(), &other.micros].concat(),
        }
    }

    fn header() -> Vec<String> {
        ["list", "cases", "known", "first", "%", "in five", "%", "p50 µs", "p99 µs"]
            .map(String::from)
            .to_vec()
    }

    fn row(&self, name: &str) -> Vec<String> {
        vec![
            name.to_owned(),
            grouped(self.cases),
            grouped(self.asked),
            grouped(self.first),
            format!("{:.1}", self.percent(self.first)),
            grouped(self.among_five),
            format!("{:.1}", self.percent(self.among_five)),
            grouped(self.percentile(50) as usize),
            grouped(self.percentile(99) as usize),
        ]
    }

    fn json(&self, name: &str) -> Value {
        json!({
            "list": name,
            "cases": self.cases,
            "of_other_kinds": self.of_other_kinds,
            "not_in_the_data": self.not_in_the_data,
            "asked": self.asked,
            "first": self.first,
            "among_five": self.among_five,
            "p50_us": self.percentile(50),
            "p99_us": self.percentile(99),
        })
    }

    fn percent(&self, part: usize) -> f64 {
        100.0 * part as f64 / self.asked.max(1) as f64
    }

    fn percentile(&self, percent: usize) -> u64 {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        sorted
            .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_with_a_position_takes_its_kind_from_its_list() {
        let value = json!({"query": "Goroka Airport", "lat": -6.08, "lon": 145.39, "tol_m": 1500, "source": "set:poi/test_airports.csv"});
        let case = case(&value).unwrap();
        assert!(matches!(case.target, Target::Near { group: Group::Airport, .. }));
    }

    #[test]
    fn a_street_is_of_another_kind() {
        let value =
            json!({"query": "Rue X", "lat": 48.0, "lon": 2.0, "source": "set:test_streets.csv"});
        assert!(matches!(case(&value).unwrap().target, Target::Other));
    }

    #[test]
    fn a_case_without_a_position_takes_its_kind_from_the_layer() {
        let value = json!({"query": "Finland", "expected": {"properties": [{"layer": "country", "name": "Finland"}]}});
        assert!(matches!(case(&value).unwrap().target, Target::Like(_)));
    }

    #[test]
    fn a_line_without_a_query_is_no_case() {
        assert!(case(&json!({"text": "x"})).is_none());
    }
}
