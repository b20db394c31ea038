//! The search page: the box, what was understood, the list, the map beside it.

mod advice;
mod chip;
mod facet;
mod fields;
mod note;
mod radius;
mod statistics;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use query::{Anchor, Relation, Sort, Spot, Understood};
use search::FARTHEST;

use self::advice::advice;
use self::chip::{Chip, Chooser, chips, choosers, reading};
use self::facet::{Facet, instead, named_facets, places};
use self::fields::Fields;
use self::note::{Note, notes};
use self::radius::{Radius, Turn, radius, turn};
use crate::app::App;
use crate::aside::aside;
use crate::card::Card;
use crate::credits;
use crate::examples::for_front;
use crate::frame::{Frame, page};
use crate::inquiry::{Inquiry, Refusal, inquire, without_old_choice, without_old_region};
use crate::lack::lack;
use crate::map_data::{island, map_data};
use crate::message_page::message;
use crate::parameters::{PER_PAGE, Parameters};
use crate::trend::Trend;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage<'a> {
    frame: &'a Frame,
    parameters: &'a Parameters,
    /// What stands in the one box.
    text: String,
    /// What stands in the three fields.
    fields: Fields,
    examples: Vec<(String, String)>,
    documents: u64,
    /// Where operators can let pages be fetched and indexed, where there is no index yet; empty if they cannot.
    no_index: Option<&'static str>,
    problem: Option<String>,
    told: Told,
    found: Option<Found>,
}

/// What was found, ready to be shown.
struct Found {
    count: String,
    chips: Vec<Chip>,
    notes: Vec<Note>,
    choosers: Vec<Chooser>,
    readings: Vec<(String, String, String)>,
    cards: Vec<Card>,
    /// From where ways to the hits are measured.
    start: String,
    /// What is said of the hits that are far, and from which number on.
    farther: Option<Farther>,
    first: usize,
    total: u64,
    repeated: Option<(String, String)>,
    sorts: Vec<(&'static str, String, bool)>,
    places: Vec<(String, u64, String)>,
    /// What the places would take the place of; nothing if they lie in it.
    instead: Option<String>,
    facets: Vec<Facet>,
    trend: Option<Trend>,
    undated: u64,
    pages: Pages,
    exports: [Export; 4],
    /// The list as a feed.
    feed: String,
    explain: Explain,
    radius: Option<Radius>,
    turn: Option<Turn>,
    /// Which part of the query nothing was found for.
    lack: &'static str,
    advice: Vec<(String, String)>,
    map: String,
    /// Where more is counted, if that can be asked there.
    statistics: Option<String>,
    static_map: String,
    /// Whose map it is, as HTML.
    credits: String,
}

/// The end of the list, where hits are far away.
struct Farther {
    /// The number of the first of them.
    first: usize,
    /// What is said above it.
    told: String,
    /// The same search with the nearest first, where none is near.
    nearest: Option<String>,
}

/// A format that the hits can be saved in.
struct Export {
    name: &'static str,
    link: String,
}

/// Whether it is told why hits rank as they do, and the way to the other wish.
struct Explain {
    is_told: bool,
    other: String,
}

/// Links to other pages of hits.
struct Pages {
    previous: Option<String>,
    next: Option<String>,
    numbers: Vec<(usize, Option<String>)>,
}

/// Shows the search page: the front page if nothing is asked for.
pub(crate) async fn show(frame: Frame, State(app): State<App>, uri: Uri) -> Response {
    let parameters = match Parameters::of_page(&uri) {
        Ok(parameters) => parameters,
        Err(error) => {
            let fact = frame.fill("“{}” in the address of this page cannot be read.", error);
            let text = Parameters::text_of_page(&uri);
            return render(&frame, &app, &text, Err(Refusal::bad(fact)), Told::default());
        }
    };
    let reader = frame.clone();
    let done = aside(move || {
        if parameters.is_empty() {
            return Ok(front(&frame, &app, &parameters));
        }
        let language = Some(frame.language.code());
        let (shown, told) = without_what_is_old(&app, parameters, language);
        let answered = inquire(&app.shelf, &shown, language);
        Ok(render(&frame, &app, &shown, answered, told))
    });
    done.await.unwrap_or_else(|it| message(&reader, it.status, &it.fact))
}

/// What is told of parameters that were left out.
#[derive(Default)]
struct Told {
    /// The same search in the region that the query has put an end to.
    with_region: Option<String>,
    /// Whether the address says more than what is shown.
    is_readdressed: bool,
}

/// The parameters without the region and the choices that a changed text has put an end to.
fn without_what_is_old(
    app: &App,
    parameters: Parameters,
    language: Option<&str>,
) -> (Parameters, Told) {
    let is_readdressed = parameters.drawn_for.is_some() || parameters.chosen_for.is_some();
    let without = without_old_region(&app.shelf, &parameters, language);
    let with = Parameters { drawn_for: None, chosen_for: None, ..parameters.clone() };
    let with_region = without.is_some().then(|| with.link());
    let chosen = without.unwrap_or(parameters);
    let shown = without_old_choice(&app.shelf, &chosen, language).unwrap_or(chosen);
    let shown = Parameters { drawn_for: None, chosen_for: None, ..shown };
    (shown, Told { with_region, is_readdressed })
}

fn front(frame: &Frame, app: &App, parameters: &Parameters) -> Response {
    let mut template = blank(frame, app, parameters);
    template.examples = for_front(app, frame);
    page(StatusCode::OK, &template)
}

fn blank<'a>(frame: &'a Frame, app: &App, parameters: &'a Parameters) -> SearchPage<'a> {
    let generation = app.shelf.generation();
    SearchPage {
        frame,
        parameters,
        text: parameters.q.clone(),
        fields: Fields::given(frame, parameters),
        examples: Vec::new(),
        documents: generation.manifest.documents(),
        no_index: generation.is_blank().then(|| if app.office.is_some() { "/crawls" } else { "" }),
        problem: None,
        told: Told::default(),
        found: None,
    }
}

fn render(
    frame: &Frame,
    app: &App,
    parameters: &Parameters,
    answered: Result<Inquiry, Refusal>,
    told: Told,
) -> Response {
    let mut template = blank(frame, app, parameters);
    template.told = told;
    let status = match answered {
        Ok(inquiry) => {
            template.fill(app, &inquiry);
            StatusCode::OK
        }
        Err(refusal) => {
            template.problem = Some(frame.told(&refusal.fact));
            refusal.status
        }
    };
    page(status, &template)
}

impl SearchPage<'_> {
    fn fill(&mut self, app: &App, inquiry: &Inquiry) {
        let understood = &inquiry.understood;
        // Fields become one text with a comma apart, so that it belongs to no word; nobody writes so.
        self.text = understood.text.replace(" , ", ", ");
        self.fields = Fields::of(self.frame, understood);
        self.found = Some(self.found(app, inquiry));
    }

    fn found(&self, app: &App, inquiry: &Inquiry) -> Found {
        let Inquiry { understood, answer, lacks_words } = inquiry;
        let (frame, parameters) = (self.frame, self.parameters);
        let gazetteer = app.shelf.gazetteer();
        let first = (parameters.page() - 1) * PER_PAGE;
        let total = answer.total.unwrap_or(answer.hits.len() as u64);
        let cards = answer.hits.iter().zip(first + 1..);
        let shows_way = shows_way(&understood.query);
        let cards: Vec<Card> = cards
            .map(|(hit, number)| {
                let card = Card::of(gazetteer, frame, hit, number);
                if shows_way { card } else { card.without_way() }
            })
            .collect();
        let facets = answer.facets.as_ref();
        let anchors = understood.query.space.as_ref().map_or(&[][..], |it| it.anchors.as_slice());
        let query_string = parameters.at_page(1).query_string();
        let export = |ending: &str| format!("/search.{ending}?{query_string}&limit=1000");
        let explains = parameters.explain == Some(true);
        let toggled = Parameters { explain: (!explains).then_some(true), ..parameters.clone() };
        Found {
            count: count(frame, total, answer.total_near),
            farther: farther(frame, parameters, understood, &cards, answer.total_near),
            chips: chips(frame, parameters, understood),
            notes: notes(frame, parameters, understood),
            choosers: choosers(frame, &app.shelf.generation(), gazetteer, parameters, understood),
            readings: understood
                .others
                .iter()
                .map(|it| {
                    let link = parameters.with_text(it.query.to_string()).link();
                    (reading(frame, it), frame.told(&it.why), link)
                })
                .collect(),
            start: anchors.first().map(|it| chip::anchor_label(frame, it)).unwrap_or_default(),
            first,
            total,
            repeated: (answer.duplicates > 0).then(|| {
                let shown = Parameters { duplicates: Some(true), ..parameters.at_page(1) };
                (frame.number(&answer.duplicates), shown.link())
            }),
            sorts: sorts(frame, parameters, understood),
            places: facets
                .map(|it| places(frame, gazetteer, parameters, understood, &it.places))
                .unwrap_or_default(),
            instead: understood.query.space.as_ref().and_then(|it| instead(frame, it)),
            facets: facets.map(|it| named_facets(frame, parameters, it)).unwrap_or_default(),
            trend: facets.and_then(|it| Trend::of(frame.language, parameters, &it.months)),
            undated: facets.map_or(0, |it| it.undated),
            pages: pages(parameters, total),
            exports: [
                Export { name: "GeoJSON", link: export("geojson") },
                Export { name: "KML", link: export("kml") },
                Export { name: "CSV", link: export("csv") },
                Export { name: "Atom", link: export("atom") },
            ],
            feed: format!("/search.atom?{query_string}"),
            explain: Explain { is_told: explains, other: toggled.link() },
            radius: radius(parameters, &understood.query, answer),
            turn: turn(frame, parameters, &understood.query),
            lack: lack(frame, understood, *lacks_words),
            advice: if cards.is_empty() {
                advice(frame, &app.shelf, parameters, inquiry)
            } else {
                Vec::new()
            },
            map: island(app, map_data(gazetteer, understood, answer)),
            statistics: statistics::statistics(&understood.query),
            static_map: format!("/map.svg?{}", parameters.query_string()),
            credits: credits::line(app),
            cards,
        }
    }
}

/// Whether hits say how far they are: what is in a place is as far from its middle as it happens to be, which tells nobody
/// anything but who has asked for the nearest first.
fn shows_way(query: &query::Query) -> bool {
    let Some(space) = &query.space else { return false };
    let is_round = |it: &Anchor| matches!(it.at, Spot::Drawn(query::Region::Circle(..)));
    space.relation != Relation::In
        || query.sort == Sort::Distance
        || space.anchors.iter().any(is_round)
}

/// How many pages were found, and how many of them are near where that was asked.
fn count(frame: &Frame, total: u64, near: Option<u64>) -> String {
    let number = |it: u64| frame.number(&it);
    match (total, near.filter(|it| *it < total)) {
        (0, _) => frame.say("Nothing found").to_owned(),
        (1, None) => frame.say("One page found").to_owned(),
        (1, Some(_)) => frame.say("One page found, and it is not near").to_owned(),
        (more, None) => frame.fill("{} pages found", number(more)),
        (more, Some(0)) => frame.fill("{} pages found, none of them near", number(more)),
        (more, Some(near)) => {
            frame.fill2("{} pages found, {} of them near", number(more), number(near))
        }
    }
}

/// The hits from which on all of a page are farther away than anybody calls near.
fn farther(
    frame: &Frame,
    parameters: &Parameters,
    understood: &Understood,
    cards: &[Card],
    near: Option<u64>,
) -> Option<Farther> {
    let far = cards.iter().rev().take_while(|it| it.is_far).count();
    let first = cards.get(cards.len() - far)?.number;
    let place = understood.query.space.as_ref().map(anchors_shown(frame)).unwrap_or_default();
    let is_sorted = understood.query.sort == Sort::Distance;
    Some(if near == Some(0) {
        let nearest = (!is_sorted).then(|| parameters.sorted(Sort::Distance.name()).link());
        Farther {
            first,
            told: frame.fill("There is nothing near {}. These are farther away:", place),
            nearest,
        }
    } else {
        Farther { first, told: frame.fill("Farther away from {}:", place), nearest: None }
    })
}

/// The places of a query as the reader calls them.
fn anchors_shown(frame: &Frame) -> impl Fn(&query::Space) -> String {
    |space| {
        let names = space.anchors.iter().map(|it| chip::anchor_label(frame, it));
        names.collect::<Vec<_>>().join(", ")
    }
}

fn sorts(
    frame: &Frame,
    parameters: &Parameters,
    understood: &Understood,
) -> Vec<(&'static str, String, bool)> {
    let names = [
        (Sort::Relevance, frame.say("Relevance")),
        (Sort::Distance, frame.say("Distance")),
        (Sort::Time, frame.say("Publish time")),
    ];
    let is_placed = understood.query.space.is_some();
    let offered = names.into_iter().filter(|it| is_placed || it.0 != Sort::Distance);
    offered
        .map(|(sort, name)| {
            (name, parameters.sorted(sort.name()).link(), understood.query.sort == sort)
        })
        .collect()
}

fn pages(parameters: &Parameters, total: u64) -> Pages {
    let last = (total.min(FARTHEST as u64) as usize).div_ceil(PER_PAGE).max(1);
    let page = parameters.page();
    let link = |to: usize| parameters.at_page(to).link();
    let around = page.saturating_sub(2).max(1)..=(page + 2).min(last);
    Pages {
        previous: (page > 1).then(|| link(page - 1)),
        next: (page < last).then(|| link(page + 1)),
        numbers: around.map(|it| (it, (it != page).then(|| link(it)))).collect(),
    }
}
