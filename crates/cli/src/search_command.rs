//! `strabo search`: find pages by what and where.

mod list;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use gazetteer::Gazetteer;
use index::Generation;
use query::{Asked, Parser, Region, Sort, Understood, parse_position};
use search::{Answer, Engine, FARTHEST, MOST_HITS, Options};
use web::export::{self, LineEnd};

use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::{say, say_json};

/// Find pages by what and where.
///
/// For example: "museums near Mannerheimintie 2, Helsinki", "castles north of Edinburgh", "schools in Athens",
/// "bakery within 5 km of 53.14,8.21", '"old town" -hotel site:example.org after:2024'. The whole language is in
/// docs/query-language.md. What was understood is shown above the hits. Put the query in quotes, so that the
/// shell leaves "-not" and quotes alone.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// What to find, and where.
    #[arg(required_unless_present_any = ["what", "at_place", "bbox", "circle", "polygon"])]
    query: Vec<String>,
    /// Instead of a query: what.
    #[arg(long, value_name = "WORDS")]
    what: Option<String>,
    /// With --where: how it lies to the place, as in "near" or "north of".
    #[arg(long, value_name = "RELATION")]
    relation: Option<String>,
    /// Instead of a query: where.
    #[arg(long = "where", value_name = "PLACE")]
    at_place: Option<String>,
    /// The place that is meant, by its id, where a name has several bearers.
    #[arg(long, value_name = "ID")]
    choose: Vec<String>,
    /// Where you are, for "near me": latitude,longitude.
    #[arg(long, value_name = "LAT,LON", allow_hyphen_values = true)]
    at: Option<String>,
    /// Only in this box: west,south,east,north.
    #[arg(long, value_name = "W,S,E,N", allow_hyphen_values = true, conflicts_with_all = ["circle", "polygon"])]
    bbox: Option<String>,
    /// Only in this circle: latitude,longitude,metres.
    #[arg(long, value_name = "LAT,LON,M", allow_hyphen_values = true, conflicts_with = "polygon")]
    circle: Option<String>,
    /// Only in this polygon: longitude latitude, with commas between the points.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    polygon: Option<String>,
    /// The order of the hits.
    #[arg(long, value_enum)]
    sort: Option<SortBy>,
    /// How many hits to show.
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N")]
    limit: usize,
    /// How many hits to leave out at the start.
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Show near-duplicates one by one.
    #[arg(long)]
    duplicates: bool,
    /// Tell how every score came about, and the plan.
    #[arg(long)]
    explain: bool,
    /// Print `GeoJSON` with all that is known about the answer.
    #[arg(long, conflicts_with_all = ["geojson", "csv", "kml"])]
    json: bool,
    /// Print plain `GeoJSON`: one point for each hit.
    #[arg(long, conflicts_with_all = ["csv", "kml"])]
    geojson: bool,
    /// Print a table with commas.
    #[arg(long, conflicts_with = "kml")]
    csv: bool,
    /// Print KML.
    #[arg(long)]
    kml: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

#[derive(Clone, Copy, ValueEnum)]
enum SortBy {
    /// The best first.
    Relevance,
    /// The nearest first.
    Distance,
    /// The newest first.
    Time,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.skip > FARTHEST || arguments.limit > MOST_HITS {
        bail!(
            "at most {FARTHEST} hits can be left out and {MOST_HITS} shown: narrow the query instead"
        );
    }
    let gazetteer = arguments.gazetteer.open()?;
    let generation = arguments.place.library().open(&gazetteer)?;
    let mut choices = Vec::new();
    for key in &arguments.choose {
        let place =
            gazetteer.by_key(key).ok_or_else(|| anyhow!("the gazetteer has no place {key}"))?;
        choices.push((String::new(), place.id()));
    }
    let text = arguments.query.join(" ");
    let asked = Asked {
        what: arguments.what.as_deref(),
        relation: arguments.relation.as_deref(),
        place: arguments.at_place.as_deref(),
        choices: &choices,
        position: arguments.at.as_deref().map(parse_position).transpose()?,
        region: Region::drawn(
            arguments.bbox.as_deref(),
            arguments.circle.as_deref(),
            arguments.polygon.as_deref(),
        )?,
        ..Asked::new(&text, jiff::Zoned::now().date())
    };
    let mut understood = Parser::new(&gazetteer).understand(&asked);
    if let Some(sort) = arguments.sort {
        understood.query.sort = match sort {
            SortBy::Relevance => Sort::Relevance,
            SortBy::Distance => Sort::Distance,
            SortBy::Time => Sort::Time,
        };
    }
    let exports = arguments.geojson || arguments.csv || arguments.kml;
    let options = Options {
        skip: arguments.skip,
        most: arguments.limit,
        counts: !exports,
        explains: arguments.explain,
        shows_duplicates: arguments.duplicates,
        ..Options::default()
    };
    if understood.query.theme.is_empty() && understood.query.space.is_none() {
        bail!("nothing to look for was understood: name a word or a place");
    }
    let engine = Engine::new(&generation, &gazetteer);
    let answer = engine.answer(&understood.query, &options)?;
    if arguments.json {
        say_json(&web::answer_json(&gazetteer, &understood, &answer))
    } else if arguments.geojson {
        say_json(&export::geojson(&answer))
    } else if arguments.csv {
        say(&export::table(&answer, arguments.skip, LineEnd::Unix))
    } else if arguments.kml {
        say(&export::kml(&text, &answer))
    } else {
        say(&listed(&gazetteer, &engine, &understood, &answer, arguments.skip)?)
    }
}

/// The answer to a query as people read it, with so many hits at most.
pub(crate) fn answer(
    gazetteer: &Gazetteer,
    generation: &Generation,
    text: &str,
    most: usize,
) -> Result<String> {
    let asked = Asked::new(text, jiff::Zoned::now().date());
    let understood = Parser::new(gazetteer).understand(&asked);
    let engine = Engine::new(generation, gazetteer);
    let options = Options { most, counts: true, ..Options::default() };
    let answer = engine.answer(&understood.query, &options)?;
    listed(gazetteer, &engine, &understood, &answer, 0)
}

/// An answer as a list, with how many pages other readings of the query would find.
fn listed(
    gazetteer: &Gazetteer,
    engine: &Engine<'_>,
    understood: &Understood,
    answer: &Answer,
    skip: usize,
) -> Result<String> {
    let others = understood.others.iter().map(|it| engine.count(&it.query));
    let counts = others.collect::<Result<Vec<u64>, _>>()?;
    Ok(list::list(gazetteer, understood, &counts, answer, skip))
}
