//! The search page: the box, what was understood, the list, the map beside it.

mod advice;
mod chip;
mod facet;
mod note;
mod radius;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use query::{Anchor, Relation, Sort, Spot, Understood};
use search::FARTHEST;

use self::advice::advice;
use self::chip::{Chip, Chooser, chips, choosers, reading};
use self::facet::{Facet, named_facets, places};
use self::note::{Note, notes};
use self::radius::{Radius, radius};
use crate::app::App;
use crate::aside::aside;
use crate::card::Card;
use crate::credits;
use crate::examples::for_front;
use crate::frame::{Frame, page};
use crate::inquiry::{Inquiry, Refusal, inquire, without_old_region};
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
    relations: Vec<(&'static str, &'static str, bool)>,
    examples: Vec<(String, String)>,
    documents: u64,
    /// Where operators can let pages be fetched and indexed, where there is no index yet; empty if they cannot.
    no_index: Option<&'static str>,
    problem: Option<String>,
    /// The same search in the region that the query has put an end to.
    with_region: Option<String>,
    found: Option<Found>,
}

/// What stands in the three fields.
#[derive(Default)]
struct Fields {
    what: String,
    place: String,
}

/// What was found, ready to be shown.
struct Found {
    count: String,
    chips: Vec<Chip>,
    notes: Vec<Note>,
    choosers: Vec<Chooser>,
    readings: Vec<(String, String, String)>,
    cards: Vec<Card>,
    /// What is said of the hits that are far, and from which number on.
    farther: Option<Farther>,
    first: usize,
    total: u64,
    repeated: Option<(String, String)>,
    sorts: Vec<(&'static str, String, bool)>,
    places: Vec<(String, u64, String)>,
    facets: Vec<Facet>,
    trend: Option<Trend>,
    undated: u64,
    pages: Pages,
    exports: [Export; 4],
    /// The list as a feed.
    feed: String,
    explain: Explain,
    radius: Option<Radius>,
    /// Which part of the query nothing was found for.
    lack: &'static str,
    advice: Vec<(String, String)>,
    map: String,
    statistics: String,
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
            return render(&frame, &app, &text, Err(Refusal::bad(fact)), None);
        }
    };
    let reader = frame.clone();
    let done = aside(move || {
        if parameters.is_empty() {
            return Ok(front(&frame, &app, &parameters));
        }
        let language = Some(frame.language.code());
        let without = without_old_region(&app.shelf, &parameters, language);
        let with = Parameters { drawn_for: None, ..parameters };
        let shown = without.as_ref().unwrap_or(&with);
        let answered = inquire(&app.shelf, shown, language);
        let kept = without.is_some().then(|| with.link());
        Ok(render(&frame, &app, shown, answered, kept))
    });
    done.await.unwrap_or_else(|it| message(&reader, it.status, &it.fact))
}

fn front(frame: &Frame, app: &App, parameters: &Parameters) -> Response {
    let mut template = blank(frame, app, parameters);
    template.examples = for_front(app, frame);
    page(StatusCode::OK, &template)
}

fn blank<'a>(frame: &'a Frame, app: &App, parameters: &'a Parameters) -> SearchPage<'a> {
    let fields = Fields {
        what: parameters.what.clone().unwrap_or_default(),
        place: parameters.r#where.clone().unwrap_or_default(),
    };
    let relation = parameters.relation.as_deref().unwrap_or("in");
    let generation = app.shelf.generation();
    SearchPage {
        frame,
        parameters,
        text: parameters.q.clone(),
        fields,
        relations: relations(frame)
            .map(|(value, label)| (value, label, value == relation))
            .to_vec(),
        examples: Vec::new(),
        documents: generation.manifest.documents(),
        no_index: generation.is_blank().then(|| if app.office.is_some() { "/crawls" } else { "" }),
        problem: None,
        with_region: None,
        found: None,
    }
}

/// Relations that the form offers: as a query has them, and how they are shown.
fn relations(frame: &Frame) -> [(&'static str, &'static str); 9] {
    [
        ("in", frame.say("in")),
        ("near", frame.say("near")),
        ("within 5 km of", frame.say("within 5 km of")),
        ("within 20 km of", frame.say("within 20 km of")),
        ("north of", frame.say("north of")),
        ("east of", frame.say("east of")),
        ("south of", frame.say("south of")),
        ("west of", frame.say("west of")),
        ("outside", frame.say("outside")),
    ]
}

fn render(
    frame: &Frame,
    app: &App,
    parameters: &Parameters,
    answered: Result<Inquiry, Refusal>,
    with_region: Option<String>,
) -> Response {
    let mut template = blank(frame, app, parameters);
    template.with_region = with_region;
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
        self.fields = Fields {
            what: understood.query.theme.to_string(),
            place: understood.query.space.as_ref().map(anchors_text).unwrap_or_default(),
        };
        if let Some(space) = &understood.query.space {
            self.choose_relation(space.relation);
        }
        self.found = Some(self.found(app, inquiry));
    }

    /// Marks the relation of the query in the form, if the form offers it.
    fn choose_relation(&mut self, relation: Relation) {
        let written =
            relation.to_string().replace(" 5000 m", " 5 km").replace(" 20000 m", " 20 km");
        for entry in &mut self.relations {
            entry.2 = entry.0 == written;
        }
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
            feed: export("atom"),
            explain: Explain { is_told: explains, other: toggled.link() },
            radius: radius(parameters, &understood.query, answer),
            lack: lack(frame, understood, *lacks_words),
            advice: if cards.is_empty() {
                advice(frame, &app.shelf, parameters, inquiry)
            } else {
                Vec::new()
            },
            map: island(app, map_data(gazetteer, understood, answer)),
            statistics: format!(
                "/statistics?{}",
                url::form_urlencoded::Serializer::new(String::new())
                    .append_pair("q", &understood.query.to_string())
                    .finish()
            ),
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

fn anchors_text(space: &query::Space) -> String {
    let text = |it: &Anchor| match &it.at {
        Spot::Drawn(_) => String::new(),
        _ => it.text.clone(),
    };
    let texts: Vec<String> = space.anchors.iter().map(text).filter(|it| !it.is_empty()).collect();
    texts.join(", ")
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
