//! By the places that links name: how near they lie to each other, and how many of the words they are.
//!
//! After Kozanidis, Stamou and Spiros, whose crawler reads the places of a URL and of the fifty words
//! around a link and follows only links that name any.

use std::sync::Arc;

use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Class, Geoparser, Hints, Mention, Region, Survey, url_places};
use page::{Link, Page, Reach};
use url::Url;

use crate::aim::Aim;
use crate::closeness::{Extremes, Yardstick, average_distance, correlation};
use crate::homes::Homes;
use crate::registrant::{NoRegistrants, RegistrantLocator, bare};
use crate::sense::{Sense, choose, senses_of};
use crate::strategy::{Candidate, Source, Strategy, Value};
use crate::tokens::readable;
use crate::word::words;

/// The window of the paper has fifty words; half of them stand on each side.
const WINDOW: usize = 25;
/// A seed whose places belong together less than this is not let in.
const LEAST_CORRELATION: f64 = 0.5;
/// A link that names more places is a list, and a few of them tell where it is.
const MOST_PLACES: usize = 32;
/// Alternative texts beyond this are no words about a link.
const LONGEST_UNSEEN: usize = 500;

/// How correlation and focus become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// The mean of both, as the paper's text says.
    #[default]
    Mean,
    /// The first and half of the second, as the paper's formula is printed.
    Literal,
}

/// Values a link by the places that its URL and the words around it name; links without any are refused.
pub struct Rank {
    gazetteer: Option<&'static Gazetteer>,
    geoparser: Option<Geoparser<'static>>,
    registrants: Arc<dyn RegistrantLocator>,
    yardstick: Yardstick,
    formula: Formula,
    /// Whether the words beside a link count as its own.
    has_window: bool,
    batch: Option<Extremes>,
    homes: Homes,
    /// Whether where hosts are at home is not learned from their contact pages.
    ignores_imprints: bool,
}

/// What is known of a link before it is fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Evidence {
    correlation: f32,
    focus: f32,
    /// How many places the URL and its host speak of.
    in_url: u8,
    /// How many places the words speak of.
    in_words: u8,
    /// Whether a seed was let in only because none was better.
    is_for_want: bool,
}

impl Rank {
    /// The strategy for an aim. Without a gazetteer it knows no places and refuses every link.
    pub fn new(aim: &Aim) -> Self {
        let yardstick = aim
            .gazetteer
            .zip(aim.region.as_ref())
            .and_then(|(gazetteer, region)| diagonal_km(gazetteer, region))
            .map_or_else(Yardstick::default, Yardstick::of_diagonal);
        Self {
            gazetteer: aim.gazetteer,
            geoparser: aim.gazetteer.map(Geoparser::new),
            registrants: aim.registrants.clone().unwrap_or_else(|| Arc::new(NoRegistrants)),
            yardstick,
            formula: Formula::default(),
            has_window: true,
            batch: None,
            homes: Homes::default(),
            ignores_imprints: aim.ignores_imprints,
        }
    }

    /// The same with another yardstick.
    #[must_use]
    pub fn measuring(mut self, yardstick: Yardstick) -> Self {
        self.yardstick = yardstick;
        self
    }

    /// The same with another formula.
    #[must_use]
    pub fn combining(mut self, formula: Formula) -> Self {
        self.formula = formula;
        self
    }

    /// The same, reading the words of a link and none beside it.
    #[must_use]
    pub fn reading_anchors_only(mut self) -> Self {
        self.has_window = false;
        self
    }

    /// The places that a URL names, and where its host is at home.
    fn places_of_url(&self, gazetteer: &'static Gazetteer, url: &Url) -> Vec<Vec<PlaceId>> {
        let mut names: Vec<Vec<PlaceId>> = Vec::new();
        for found in url_places(gazetteer, &readable(url)).into_iter().take(MOST_PLACES) {
            let senses: Vec<_> = senses_of(gazetteer, &found.words).map(|it| it.id()).collect();
            // Words written as one are no name of the gazetteer, though the place is found.
            names.push(if senses.contains(&found.place) { senses } else { vec![found.place] });
        }
        let host = bare(url.host_str().unwrap_or_default());
        let registered = self.registrants.locate(&host);
        let at_home = self.homes.of(&host).iter().copied();
        names.extend(registered.into_iter().chain(at_home).take(MOST_PLACES).map(|it| vec![it]));
        names
    }

    /// The places that the words of a link and around it name, and how many terms the words are.
    fn places_around(
        &self,
        survey: &Survey,
        page: &Page,
        link: &Link,
    ) -> (Vec<Vec<PlaceId>>, usize) {
        let Some((gazetteer, geoparser)) = self.gazetteer.zip(self.geoparser.as_ref()) else {
            return (Vec::new(), 0);
        };
        let reach = if self.has_window { WINDOW } else { 0 };
        let end = link.unseen.floor_char_boundary(LONGEST_UNSEEN.min(link.unseen.len()));
        let unseen = &link.unseen[..end];
        let mut terms = words(link.before(page, reach, Reach::Block)).len()
            + words(page.text.get(link.anchor.clone()).unwrap_or_default()).len()
            + words(link.after(page, reach, Reach::Block)).len()
            + words(unseen).len();
        let mut names = Vec::new();
        let mut take = |text: &str, mention: &Mention| {
            let written = text.get(mention.span.clone()).unwrap_or_default();
            // A name of several words is one term.
            terms = terms.saturating_sub(words(written).len().saturating_sub(1));
            names.push(places_of_mention(gazetteer, written, mention));
        };
        for mention in survey.around(page, link, reach).filter(|it| is_entity(it)) {
            take(&page.text, mention);
        }
        if !unseen.is_empty() {
            for mention in
                geoparser.mentions(unseen, &Hints::default()).iter().filter(|it| is_entity(it))
            {
                take(unseen, mention);
            }
        }
        (names, terms)
    }

    /// The mean distance of what these names mean; nothing if that is not two places.
    fn average(gazetteer: &'static Gazetteer, names: &[Vec<PlaceId>]) -> Option<f64> {
        let sense = |place: &PlaceId| Sense {
            place: *place,
            population: gazetteer.place(*place).population(),
        };
        let distance_km = |one: PlaceId, other: PlaceId| {
            // Where a country has its point says nothing about how far its towns are from it.
            if gazetteer.holds(one, other) || gazetteer.holds(other, one) {
                return 0.0;
            }
            gazetteer.place(one).point().distance(gazetteer.place(other).point()).km()
        };
        let names: Vec<Vec<_>> =
            names.iter().take(MOST_PLACES).map(|it| it.iter().map(sense).collect()).collect();
        let mut places = choose(&names, distance_km);
        places.sort_unstable();
        places.dedup();
        average_distance(&places, distance_km)
    }

    fn evidence(&self, candidate: &Candidate<'_>, read: Option<(&Survey, &Page)>) -> Evidence {
        let Some(gazetteer) = self.gazetteer else { return Evidence::default() };
        let of_url = self.places_of_url(gazetteer, candidate.url);
        let (around, terms) = match (read, candidate.link) {
            (Some((survey, page)), Some(link)) => self.places_around(survey, page, link),
            _ => (Vec::new(), 0),
        };
        let focus = if terms == 0 { 0.0 } else { around.len() as f32 / terms as f32 };
        let (in_url, in_words) = (count(of_url.len()), count(around.len()));
        let names: Vec<_> = of_url.into_iter().chain(around).collect();
        let correlation = if names.is_empty() {
            0.0
        } else {
            correlation(self.yardstick, self.batch, Self::average(gazetteer, &names)) as f32
        };
        Evidence { correlation, focus: focus.min(1.0), in_url, in_words, is_for_want: false }
    }

    fn rank(&self, evidence: Evidence) -> f32 {
        match self.formula {
            Formula::Mean => f32::midpoint(evidence.correlation, evidence.focus),
            Formula::Literal => evidence.correlation + evidence.focus / 2.0,
        }
    }

    fn valued(&self, evidence: Evidence) -> Value {
        Value { priority: self.rank(evidence), note: evidence.noted() }
    }
}

impl Strategy for Rank {
    fn name(&self) -> &'static str {
        "rank"
    }

    fn seed(&mut self, url: &Url) -> Value {
        let evidence =
            self.evidence(&Candidate { url, link: None, depth: 0, is_known: false }, None);
        if f64::from(evidence.correlation) > LEAST_CORRELATION {
            self.valued(evidence)
        } else {
            Value { note: evidence.noted(), ..Value::refused() }
        }
    }

    /// Seeds whose places belong together. If that is none, all are let in, for a crawl has to begin
    /// somewhere; their explanation says so.
    fn seeds(&mut self, urls: &[Url]) -> Vec<Value> {
        if let (Yardstick::Batch, Some(gazetteer)) = (self.yardstick, self.gazetteer) {
            let averages: Vec<_> = urls
                .iter()
                .filter_map(|it| Self::average(gazetteer, &self.places_of_url(gazetteer, it)))
                .collect();
            self.batch = Extremes::of(averages.into_iter());
        }
        let mut values: Vec<Value> = urls.iter().map(|it| self.seed(it)).collect();
        if values.iter().all(Value::is_refused) {
            let evidence = Evidence { is_for_want: true, ..Evidence::default() };
            values.fill(Value { priority: 0.0, note: evidence.noted() });
        }
        values
    }

    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        let hints = Hints::of_url(source.url.as_str());
        let mut survey = Survey::default();
        if let Some((page, geoparser)) = source.page.zip(self.geoparser.as_ref()) {
            survey.mentions = geoparser.mentions(&page.text, &hints);
            if !self.ignores_imprints {
                self.homes.learn(geoparser, &hints, source.url, page);
            }
        }
        let read = source.page.map(|it| (&survey, it));
        let value = |candidate: &Candidate<'_>| {
            let evidence = self.evidence(candidate, read);
            let names_any = evidence.in_url > 0 || evidence.in_words > 0;
            if names_any { self.valued(evidence) } else { Value::refused() }
        };
        links.iter().map(value).collect()
    }

    fn raises(&self) -> bool {
        true
    }

    fn explain(&self, value: &Value, depth: u16) -> Vec<String> {
        let Some(evidence) = Evidence::read(&value.note) else { return Vec::new() };
        if evidence.is_for_want {
            return vec![
                "no seed names places that lie together, so all of them are let in: 0".to_owned(),
            ];
        }
        let Evidence { correlation, focus, in_url, in_words, .. } = evidence;
        let places =
            |count: u8| if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
        if value.is_refused() {
            return vec![match in_url {
                0 => "its URL names no place".to_owned(),
                _ => format!(
                    "its URL names {} that belong together by {correlation:.4}, which is not above {LEAST_CORRELATION}",
                    places(in_url)
                ),
            }];
        }
        let mut lines = vec![format!(
            "its URL names {}, and all of its places belong together by {correlation:.4}",
            places(in_url)
        )];
        if depth > 0 {
            lines.push(format!(
                "the words around the link name {}, which are {focus:.4} of its terms",
                places(in_words)
            ));
        }
        lines.push(match self.formula {
            Formula::Mean => format!("({correlation:.4} + {focus:.4}) / 2"),
            Formula::Literal => format!("{correlation:.4} + {focus:.4} / 2"),
        });
        lines
    }

    fn model(&self) -> Option<Vec<u8>> {
        let gazetteer = self.gazetteer?;
        Some(self.homes.write(gazetteer).into_bytes())
    }

    fn recall(&mut self, model: &[u8]) -> bool {
        let (Some(gazetteer), Ok(text)) = (self.gazetteer, std::str::from_utf8(model)) else {
            return false;
        };
        if !self.ignores_imprints {
            self.homes.read(gazetteer, text);
        }
        true
    }
}

impl Evidence {
    fn noted(self) -> Vec<u8> {
        let mut note = vec![u8::from(self.is_for_want), self.in_url, self.in_words];
        note.extend(self.correlation.to_le_bytes());
        note.extend(self.focus.to_le_bytes());
        note
    }

    fn read(note: &[u8]) -> Option<Self> {
        let (head, numbers) = note.split_first_chunk::<3>()?;
        let (correlation, focus) = numbers.split_first_chunk::<4>()?;
        Some(Self {
            correlation: f32::from_le_bytes(*correlation),
            focus: f32::from_le_bytes(*focus.first_chunk()?),
            in_url: head[1],
            in_words: head[2],
            is_for_want: head[0] == 1,
        })
    }
}

fn count(number: usize) -> u8 {
    number.min(usize::from(u8::MAX)) as u8
}

/// Streets are no places of their own here, and the people of a country are not the country.
fn is_entity(mention: &Mention) -> bool {
    mention.place.is_some() && !matches!(mention.class, Class::Street | Class::Demonym)
}

/// What a mention may mean: all places of the name, or the one that was found if none bears it.
fn places_of_mention(gazetteer: &Gazetteer, written: &str, mention: &Mention) -> Vec<PlaceId> {
    let found = mention.place.into_iter();
    let mut senses: Vec<_> = senses_of(gazetteer, written).map(|it| it.id()).collect();
    if !mention.place.is_some_and(|it| senses.contains(&it)) {
        senses = found.collect();
    }
    senses
}

/// The way from one corner of the box around a region to the other, in kilometres.
fn diagonal_km(gazetteer: &Gazetteer, region: &Region) -> Option<f64> {
    let anywhere = gazetteer.place(PlaceId::WORLD).point();
    match region {
        Region::Place(place) => {
            let place = gazetteer.place(*place);
            let Some(bounds) = place.bounds() else { return Some(0.0) };
            let (mut one, mut other) = (anywhere, anywhere);
            (one.lat, one.lon, other.lat, other.lon) =
                (bounds.south, bounds.west, bounds.north, bounds.east);
            Some(one.distance(other).km())
        }
        Region::Circle(_, radius) => Some(radius.km() * 2.0 * std::f64::consts::SQRT_2),
        Region::Outline(outline) => {
            let corners = outline.0.iter().flat_map(|it| it.exterior().coords());
            let sides = corners.fold(None, |so_far: Option<[f64; 4]>, it| {
                let [west, south, east, north] = so_far.unwrap_or([it.x, it.y, it.x, it.y]);
                Some([west.min(it.x), south.min(it.y), east.max(it.x), north.max(it.y)])
            });
            let [west, south, east, north] = sides?;
            let (mut one, mut other) = (anywhere, anywhere);
            (one.lat, one.lon, other.lat, other.lon) = (south, west, north, east);
            Some(one.distance(other).km())
        }
        // Regions far from each other are still regions of their size.
        Region::Any(regions) => {
            regions.iter().filter_map(|it| diagonal_km(gazetteer, it)).reduce(f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, Kind, PlaceFact};
    use page::Response;

    use super::*;

    /// Some towns; leaked, for strategies keep their gazetteer for as long as the program runs.
    fn gazetteer() -> &'static Gazetteer {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, lat, lon, people: u64, parent: &str| {
            let mut fact = PlaceFact::new(key, kind, name).at(lat, lon).within(parent);
            fact.population = people;
            draft.add(Fact::Place(fact));
        };
        add("gr", Kind::Country, "Greece", 39.0, 22.0, 10_000_000, "world");
        add("us", Kind::Country, "United States", 39.76, -98.5, 330_000_000, "world");
        add("pt", Kind::Country, "Portugal", 39.7, -8.0, 10_000_000, "world");
        add("patras", Kind::City, "Patras", 38.24444, 21.73444, 168_000, "gr");
        add("athens", Kind::City, "Athens", 37.98376, 23.72784, 3_000_000, "gr");
        add("piraeus", Kind::City, "Piraeus", 37.94745, 23.63708, 172_000, "gr");
        add("lisbon", Kind::City, "Lisbon", 38.71667, -9.13333, 517_000, "pt");
        add("athens-al", Kind::City, "Athens", 34.80243, -86.97219, 22_000, "us");
        add("ny", Kind::City, "New York", 40.71427, -74.00597, 8_000_000, "us");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Box::leak(Box::new(Gazetteer::from_bytes("small", file).expect("it was just written")))
    }

    fn rank() -> Rank {
        Rank::new(&Aim { gazetteer: Some(gazetteer()), ..Aim::default() })
    }

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    /// The evidence of the first link of a page.
    fn evidence(html: &str) -> Option<Evidence> {
        let here = url("http://a.example/");
        let response = Response { url: Some(here.as_str()), ..Response::new(html.as_bytes()) };
        let page = page::read(&response);
        let link = &page.links[0];
        let target = link.url.clone();
        let source = Source {
            url: &here,
            page: Some(&page),
            relevant: None,
            similarity: None,
            nearness: None,
            depth: 0,
            note: &[],
        };
        let candidate = Candidate { url: &target, link: Some(link), depth: 1, is_known: false };
        let value = rank().value(&source, &[candidate]).remove(0);
        Evidence::read(&value.note)
    }

    #[track_caller]
    fn check(html: &str, correlation: f32, focus: f32) {
        let found = evidence(html).expect("the link is followed");
        assert!((found.correlation - correlation).abs() < 1e-4, "{found:?}");
        assert!((found.focus - focus).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn focus_is_the_share_of_places_among_the_terms() {
        check("<p><a href=/x>cheap hotels in Athens</a></p>", 1.0, 0.25);
        check("<p><a href=/x>hotels in New York</a></p>", 1.0, 1.0 / 3.0);
        check("<p><a href=/x><img alt='hotels in New York'></a></p>", 1.0, 1.0 / 3.0);
        assert_eq!(evidence("<p><a href=/x>click here</a></p>"), None);
    }

    #[test]
    fn the_words_around_a_link_count_but_not_those_of_another_block() {
        check("<p>Hotels in Athens: <a href=/x>more</a></p>", 1.0, 0.25);
        assert_eq!(evidence("<p>Hotels in Athens</p><p><a href=/x>more</a></p>"), None);
    }

    #[test]
    fn the_places_of_a_link_and_its_url_are_one_set() {
        check("<p><a href=/piraeus/x>ferries from Athens</a></p>", 0.991_078, 1.0 / 3.0);
        check("<p><a href=/athens/x>read more</a></p>", 1.0, 0.0);
        check("<p><a href=/%61thens/x>read more</a></p>", 1.0, 0.0);
    }

    #[test]
    fn a_name_means_the_place_near_the_others() {
        // Athens in Alabama is 9000 km from Piraeus.
        check("<p><a href=/x>Piraeus near Athens</a></p>", 0.991_078, 2.0 / 3.0);
    }

    #[test]
    fn a_town_is_no_distance_from_its_country() {
        check("<p><a href=/x>trip to New York, United States</a></p>", 1.0, 0.5);
    }

    #[test]
    fn rank_is_the_mean_or_as_it_is_printed() {
        let of = |correlation, focus| Evidence { correlation, focus, ..Evidence::default() };
        for (evidence, mean) in
            [(of(0.881_519, 0.25), 0.565_760), (of(0.991_078, 1.0 / 3.0), 0.662_206)]
        {
            assert!((rank().rank(evidence) - mean).abs() < 1e-6);
        }
        // The two readings order these two differently.
        let (one, other) = (of(0.55, 0.60), of(0.80, 0.20));
        let (mean, literal) = (rank(), rank().combining(Formula::Literal));
        assert!((mean.rank(one) - 0.575).abs() < 1e-6 && (mean.rank(other) - 0.5).abs() < 1e-6);
        assert!(
            (literal.rank(one) - 0.85).abs() < 1e-6 && (literal.rank(other) - 0.9).abs() < 1e-6
        );
    }

    #[test]
    fn seeds_whose_places_lie_apart_and_seeds_without_places_are_refused() {
        let seeds = [
            url("http://athens.example/piraeus/"),
            url("http://athens.example/lisbon/"),
            url("http://words.example/"),
        ];
        let values = rank().seeds(&seeds);
        let refused: Vec<_> = values.iter().map(Value::is_refused).collect();
        assert_eq!(refused, [false, true, true]);
        let told = |at: usize| rank().explain(&values[at], 0).join("; ");
        assert!(told(1).starts_with("its URL names 2 places that belong together by 0."));
        assert_eq!(told(2), "its URL names no place");
        // The page of a seed is not known before it is fetched: its focus is 0.
        assert!((values[0].priority - 0.991_078 / 2.0).abs() < 1e-4);
    }

    #[test]
    fn a_batch_lets_the_nearer_half_in() {
        let seeds = [
            url("http://athens.example/piraeus/"),
            url("http://athens.example/piraeus/patras/"),
            url("http://athens.example/lisbon/"),
        ];
        let values = rank().measuring(Yardstick::Batch).seeds(&seeds);
        let found: Vec<_> = values.iter().map(|it| it.priority * 2.0).collect();
        assert!((found[0] - 1.0).abs() < 1e-4 && (found[1] - 0.961_455).abs() < 1e-4, "{found:?}");
        assert!(values[2].is_refused());
    }

    #[test]
    fn a_crawl_whose_seeds_name_no_places_begins_all_the_same() {
        let mut rank = rank();
        let values = rank.seeds(&[url("http://words.example/"), url("http://letters.example/")]);
        assert!(values.iter().all(|it| !it.is_refused()));
        assert_eq!(
            rank.explain(&values[0], 0),
            ["no seed names places that lie together, so all of them are let in: 0"]
        );
    }

    #[test]
    fn a_link_is_explained_by_its_two_numbers() {
        let mut rank = rank();
        let value = rank.seed(&url("http://athens.example/piraeus/"));
        let told = rank.explain(&value, 1);
        assert_eq!(
            told,
            [
                "its URL names 2 places, and all of its places belong together by 0.9911",
                "the words around the link name 0 places, which are 0.0000 of its terms",
                "(0.9911 + 0.0000) / 2"
            ]
        );
        let junk = Value { priority: 1.0, note: vec![1, 2] };
        assert!(rank.explain(&junk, 1).is_empty());
    }

    #[test]
    fn registrants_give_a_host_its_places() {
        struct Everybody(PlaceId);
        impl RegistrantLocator for Everybody {
            fn locate(&self, _: &str) -> Vec<PlaceId> {
                vec![self.0]
            }
        }
        let gazetteer = gazetteer();
        let patras = gazetteer.by_key("patras").expect("it is there").id();
        let aim = Aim {
            gazetteer: Some(gazetteer),
            registrants: Some(Arc::new(Everybody(patras))),
            ..Aim::default()
        };
        let value = Rank::new(&aim).seed(&url("http://words.example/"));
        assert!((value.priority - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_was_learned_of_hosts_is_kept() {
        let mut one = rank();
        let gazetteer = one.gazetteer.expect("it has one");
        one.homes.read(gazetteer, "words.example\tpatras\n");
        let mut other = rank();
        assert!(other.recall(&one.model().expect("it has learned")));
        assert!(!other.seed(&url("http://www.words.example/")).is_refused());
        assert!(!other.recall(&[0xff]));
        let aim = Aim { gazetteer: Some(gazetteer), ignores_imprints: true, ..Aim::default() };
        let mut other = Rank::new(&aim);
        assert!(other.recall(&one.model().expect("it has learned")));
        assert!(other.seed(&url("http://www.words.example/")).is_refused());
    }

    #[test]
    fn the_yardstick_is_as_long_as_the_region() {
        let gazetteer = gazetteer();
        let patras = gazetteer.by_key("patras").expect("it is there");
        let aim =
            |region| Aim { gazetteer: Some(gazetteer), region: Some(region), ..Aim::default() };
        let of = |region| Rank::new(&aim(region)).yardstick;
        assert_eq!(of(Region::Place(patras.id())), Yardstick::Fixed(100.0));
        let mut reach = patras.point().distance(patras.point());
        reach.0 = 100_000.0;
        let Yardstick::Fixed(km) = of(Region::Circle(patras.point(), reach)) else {
            panic!("it is fixed")
        };
        assert!((km - 282.84).abs() < 0.01, "{km}");
    }
}
