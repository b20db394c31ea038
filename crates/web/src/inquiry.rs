//! An inquiry: a search from its parameters to its answer.

use axum::http::StatusCode;
use query::{Asked, Query, Region, Sort, Spot, Understood, parse_position};
use search::{Answer, Engine, FARTHEST, MOST_HITS, Options};

use crate::parameters::{PER_PAGE, Parameters};
use crate::shelf::Shelf;

/// Nobody looks around a place less far, in kilometres.
const SHORTEST: f64 = 0.001;

/// What was asked, what was understood of it, and what was found.
pub(crate) struct Inquiry {
    pub(crate) understood: Understood,
    pub(crate) answer: Answer,
    /// Whether no page has the words, wherever one looks; told only where nothing was found.
    pub(crate) lacks_words: bool,
}

/// Why a search is not answered: the fact for who asks, and the status of the response.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) fact: String,
}

impl Refusal {
    /// It is the asker's fault.
    #[expect(clippy::needless_pass_by_value, reason = "errors are handed over as they come")]
    pub(crate) fn bad(fact: impl ToString) -> Self {
        Self { status: StatusCode::BAD_REQUEST, fact: fact.to_string() }
    }

    /// There is no index yet.
    pub(crate) fn no_index() -> Self {
        let fact = "there is no index yet: make one with \"strabo index\"".to_owned();
        Self { status: StatusCode::SERVICE_UNAVAILABLE, fact }
    }

    /// It is ours.
    pub(crate) fn broken(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "search failed");
        let fact = "the index cannot be read".to_owned();
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, fact }
    }
}

/// Reads the parameters and answers them.
pub(crate) fn inquire(
    shelf: &Shelf,
    parameters: &Parameters,
    language: Option<&str>,
) -> Result<Inquiry, Refusal> {
    let generation = shelf.generation();
    if generation.is_blank() {
        return Err(Refusal::no_index());
    }
    let understood = understand(shelf, parameters, language)?;
    if understood.query.theme.is_empty() && understood.query.space.is_none() {
        return Err(Refusal::bad("nothing to look for was understood: name a word or a place"));
    }
    let options = options(parameters)?;
    let engine = Engine::new(&generation, shelf.gazetteer());
    let answer =
        engine.answer(&understood.query, &options).map_err(|error| Refusal::broken(&error))?;
    let lacks_words = answer.hits.is_empty() && lacks_words(&engine, &understood.query);
    Ok(Inquiry { understood, answer, lacks_words })
}

/// True if no page has the words of a query, wherever one looks.
fn lacks_words(engine: &Engine<'_>, query: &Query) -> bool {
    let everywhere = Query { theme: query.theme.clone(), space: None, sort: Sort::default() };
    !query.theme.is_empty() && engine.count_up_to(&everywhere, 1).is_ok_and(|it| it == 0)
}

/// True if the page with these parameters has a hit.
pub(crate) fn finds_something(
    shelf: &Shelf,
    parameters: &Parameters,
    language: Option<&str>,
) -> bool {
    let generation = shelf.generation();
    let engine = Engine::new(&generation, shelf.gazetteer());
    let (Ok(understood), Ok(options)) =
        (understand(shelf, parameters, language), options(parameters))
    else {
        return false;
    };
    let query = understood.query;
    let skipped = options.skip as u64;
    let is_understood = !query.theme.is_empty() || query.space.is_some();
    is_understood && engine.count_up_to(&query, skipped + 1).is_ok_and(|it| it > skipped)
}

/// The parameters without their region, if it was drawn for another text and this one names a place: who types the name of
/// a place means it, and not what was drawn before.
pub(crate) fn without_old_region(
    shelf: &Shelf,
    parameters: &Parameters,
    language: Option<&str>,
) -> Option<Parameters> {
    let without = parameters.has_old_region().then(|| parameters.without_region())?;
    let understood = understand(shelf, &without, language).ok()?;
    understood.query.space.is_some().then_some(without)
}

/// The parameters with those of the chosen places only that are still meant, if the text was changed since and others are
/// not: who types the name of another place has chosen anew.
pub(crate) fn without_old_choice(
    shelf: &Shelf,
    parameters: &Parameters,
    language: Option<&str>,
) -> Option<Parameters> {
    let choose = parameters.choose.as_deref().filter(|_| parameters.has_old_choice())?;
    let space = understand(shelf, parameters, language).ok()?.query.space;
    let meant: Vec<_> = space.iter().flat_map(|it| &it.anchors).map(|it| &it.at).collect();
    let is_meant = |key: &&str| {
        let place = shelf.gazetteer().by_key(key);
        place.is_some_and(|it| meant.contains(&&Spot::Place(it.id())))
    };
    let kept = choose.split(',').filter(is_meant).collect::<Vec<_>>().join(",");
    (kept != choose).then(|| {
        let choose = Some(kept).filter(|it| !it.is_empty());
        Parameters { choose, ..parameters.clone() }
    })
}

/// What the parameters ask for.
pub(crate) fn understand(
    shelf: &Shelf,
    parameters: &Parameters,
    language: Option<&str>,
) -> Result<Understood, Refusal> {
    let gazetteer = shelf.gazetteer();
    let reach = reach(parameters.km.as_deref(), SHORTEST)?;
    let least = reach.and(parameters.from_km.as_deref());
    let least = self::reach(least, 0.0)?.filter(|it| *it > 0.0);
    let relation = reach.map(|km| match least {
        Some(least) => format!("between {least} and {km} km from"),
        None => format!("within {km} km of"),
    });
    let position = parameters.at.as_deref().map(parse_position).transpose();
    let position = position.map_err(Refusal::bad)?;
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let keys =
        parameters.choose.as_deref().unwrap_or_default().split(',').filter(|it| !it.is_empty());
    let mut choices = Vec::new();
    for key in keys {
        let unknown = || Refusal::bad(format!("there is no place {key} to choose"));
        let place = gazetteer.by_key(key).ok_or_else(unknown)?;
        choices.push((String::new(), place.id()));
    }
    let asked = Asked {
        what: parameters.what.as_deref(),
        relation: relation.as_deref().or(parameters.relation.as_deref()),
        place: parameters.r#where.as_deref(),
        choices: &choices,
        position,
        region: region(parameters, reach)?,
        language,
        ..Asked::new(&parameters.q, today)
    };
    let mut understood = shelf.parser().understand(&asked);
    if let Some(sort) = parameters.sort.as_deref().filter(|it| !it.is_empty()) {
        understood.query.sort = match sort {
            "relevance" => Sort::Relevance,
            "distance" => Sort::Distance,
            "time" => Sort::Time,
            _ => return Err(Refusal::bad("sort is relevance, distance or time")),
        };
    }
    Ok(understood)
}

fn options(parameters: &Parameters) -> Result<Options, Refusal> {
    let before = parameters.page().saturating_sub(1).saturating_mul(PER_PAGE);
    let skip = parameters.skip.unwrap_or(before);
    let most = parameters.limit.unwrap_or(PER_PAGE);
    if skip > FARTHEST || most > MOST_HITS {
        return Err(Refusal::bad(format!(
            "skip is at most {FARTHEST}, limit at most {MOST_HITS}: narrow the query instead"
        )));
    }
    Ok(Options {
        skip,
        most,
        counts: parameters.counts.unwrap_or(true),
        explains: parameters.explain.unwrap_or(false),
        shows_duplicates: parameters.duplicates.unwrap_or(false),
        ..Options::default()
    })
}

/// A distance in kilometres, the shortest or more.
fn reach(text: Option<&str>, shortest: f64) -> Result<Option<f64>, Refusal> {
    let Some(text) = text.map(str::trim).filter(|it| !it.is_empty()) else {
        return Ok(None);
    };
    let km = text.replace(',', ".").parse().ok().filter(|it| (shortest..=20_000.0).contains(it));
    km.map(Some).ok_or_else(|| {
        Refusal::bad(format!(
            "\"{text}\" is no distance: write kilometres, from {shortest} to 20000"
        ))
    })
}

fn region(parameters: &Parameters, reach: Option<f64>) -> Result<Option<Region>, Refusal> {
    let [bounds, circle, polygon] =
        [&parameters.bbox, &parameters.circle, &parameters.polygon].map(|it| it.as_deref());
    let region = Region::drawn(bounds, circle, polygon).map_err(Refusal::bad)?;
    Ok(match (region, reach) {
        (Some(Region::Circle(center, _)), Some(km)) => {
            Some(Region::Circle(center, earth::Meters(km * 1_000.0)))
        }
        (region, _) => region,
    })
}
