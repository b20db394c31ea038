//! What a crawl looks for, and whether a page is that.

use std::sync::Arc;

use focus::{GazetteerKinship, Score, Topic};
use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Geoparser, Hints, Region, Survey};
use page::Page;
use xxhash_rust::xxh3::xxh3_64;

/// How many of a page's places are written into the log.
const MOST_PLACES: usize = 20;

/// What a crawl looks for.
pub struct Goal {
    gazetteer: &'static Gazetteer,
    geoparser: Geoparser<'static>,
    /// Pages with an address in it are what the crawl looks for; without one every page is.
    region: Option<Region>,
    /// Pages about it are what the crawl looks for.
    topic: Option<Arc<Topic>>,
    ties: GazetteerKinship<'static>,
    /// Whether pages are geoparsed though nobody asks for a region or a topic.
    is_curious: bool,
}

/// What was found out about a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Whether it is what the crawl looks for; nothing if it looks for nothing in particular.
    pub relevant: Option<bool>,
    /// The places it is about, the most important first.
    pub places: Vec<PlaceId>,
    /// How much it is about the topic, 0 to 1, if the crawl has one.
    pub similarity: Option<f64>,
    /// How much of what it names lies in the region, or how much it is about the topic, 0 to 1; of a crawl
    /// with both, the mean. Nothing if there is no topic and the page names no place.
    pub nearness: Option<f32>,
    /// By what it is relevant, as a digest: its addresses in the region, or its words about the topic. 0 if it is not.
    pub finding: u64,
}

impl Goal {
    /// Pages with an address in a region, about a topic, both, or any.
    pub fn new(
        gazetteer: &'static Gazetteer,
        region: Option<Region>,
        topic: Option<Arc<Topic>>,
        is_curious: bool,
    ) -> Self {
        Self {
            gazetteer,
            geoparser: Geoparser::new(gazetteer),
            region,
            topic,
            ties: GazetteerKinship::new(gazetteer),
            is_curious,
        }
    }

    /// Where places are looked up.
    pub fn gazetteer(&self) -> &'static Gazetteer {
        self.gazetteer
    }

    /// Judges a page.
    pub fn judge(&self, url: &str, page: &Page) -> Judgement {
        if self.region.is_none() && self.topic.is_none() && !self.is_curious {
            return Judgement::default();
        }
        let survey = self.geoparser.survey(page, &Hints::of_url(url));
        let is_there = self.region.as_ref().map(|it| survey.has_address_in(self.gazetteer, it));
        let score = self.topic.as_ref().map(|it| self.score(it, page, &survey));
        let is_about = score.as_ref().map(|it| it.is_accepted);
        // Each is asked for only if it is given.
        let relevant = match (is_there, is_about) {
            (Some(is_there), Some(is_about)) => Some(is_there && is_about),
            (one, other) => one.or(other),
        };
        let places = survey.footprint.places.iter().take(MOST_PLACES).map(|it| it.place);
        let similarity = score.map(|it| it.similarity);
        let inside = self.region.as_ref().and_then(|it| self.share(it, &survey));
        let nearness = match (inside, similarity) {
            (Some(inside), Some(similarity)) => Some(f64::midpoint(inside, similarity)),
            (one, other) => one.or(other),
        };
        let nearness = nearness.map(|it| it as f32);
        let finding = if relevant == Some(true) { self.finding(page, &survey) } else { 0 };
        Judgement { relevant, places: places.collect(), similarity, nearness, finding }
    }

    /// By what a page is relevant, as a digest.
    fn finding(&self, page: &Page, survey: &Survey) -> u64 {
        if self.region.is_none() {
            return xxh3_64(page.main_text().as_bytes());
        }
        let written = survey.addresses.iter().filter(|it| it.is_full());
        let written = written.filter_map(|it| page.text.get(it.span.clone()));
        let stated = survey.stated.iter().filter_map(|it| it.street_line.as_deref());
        xxh3_64(written.chain(stated).collect::<Vec<_>>().join("\n").as_bytes())
    }

    /// Which part of what a page names lies in a region; nothing if it names no place.
    fn share(&self, region: &Region, survey: &Survey) -> Option<f64> {
        let places = &survey.footprint.places;
        let inside = places.iter().filter(|it| region.holds(self.gazetteer, Some(it.place), None));
        (!places.is_empty()).then(|| inside.map(|it| it.weight).sum())
    }

    fn score(&self, topic: &Topic, page: &Page, survey: &Survey) -> Score {
        topic.score_page(&self.ties, page, &survey.mentions)
    }
}

#[cfg(test)]
mod tests {
    use focus::TopicSettings;
    use page::Response;

    use super::*;

    fn goal(region: Option<&str>, has_topic: bool) -> Goal {
        let gazetteer = world::gazetteer();
        let place = |name: &str| gazetteer.geocode(name, None, 1)[0].place.id();
        let topic = || {
            let keywords = [("brewery".to_owned(), 1.0)];
            let places = [(place("Lower Saxony"), 1.0)];
            Topic::new("beer", &keywords, &places, TopicSettings::default()).expect("it is one")
        };
        let region = region.map(|it| Region::Place(place(it)));
        Goal::new(gazetteer, region, has_topic.then(|| Arc::new(topic())), false)
    }

    #[track_caller]
    fn check(goal: &Goal, text: &str, relevant: Option<bool>, similarity: Option<f64>) {
        let page = page::read(&Response::new(format!("<p>{text}</p>").as_bytes()));
        let found = goal.judge("http://example.org/", &page);
        assert_eq!(found.relevant, relevant, "{text}");
        let shown = found.similarity.map(|it| (it * 100.0).round() / 100.0);
        assert_eq!(shown, similarity, "{text}");
    }

    const BEER: &str = "The brewery in Lower Saxony has a shop.";
    const BEER_THERE: &str =
        "The brewery in Lower Saxony has a shop: Lange Straße 12, 26122 Oldenburg, Germany.";
    const THERE: &str = "The museum: Lange Straße 12, 26122 Oldenburg, Germany.";

    #[test]
    fn a_page_is_judged_by_what_was_asked_for_and_nothing_else() {
        check(&goal(None, false), BEER_THERE, None, None);
        check(&goal(None, true), BEER, Some(true), Some(1.0));
        check(&goal(None, true), "Nothing at all.", Some(false), Some(0.0));
        check(&goal(Some("Germany"), false), THERE, Some(true), None);
    }

    #[test]
    fn pages_with_another_address_have_another_finding() {
        let there = goal(Some("Germany"), false);
        let finding = |text: &str| {
            let page = page::read(&Response::new(format!("<p>{text}</p>").as_bytes()));
            there.judge("http://example.org/", &page).finding
        };
        assert_eq!(finding("Nothing at all."), 0);
        assert_ne!(finding(THERE), finding(&THERE.replace("12", "14")));
        assert_eq!(finding(THERE), finding(&THERE.replace("The museum", "Our museum")));
    }

    #[test]
    fn what_menus_say_is_not_what_a_page_is_about() {
        let menu = "<nav><a href=/a>Brewery</a> <a href=/b>The brewery shop</a></nav>";
        let html = |text: &str| {
            format!(
                "{menu}<main><h1>A report</h1><p>{text} There is much to be told of it, and this \
                 page tells it in some sentences that are long enough, so that everybody sees that \
                 they are what the page is about.</p></main>"
            )
        };
        for (text, expected) in [
            ("The brewery in Lower Saxony has been rebuilt.", Some(true)),
            ("The museum in Lower Saxony has been rebuilt.", Some(false)),
        ] {
            let page = page::read(&Response::new(html(text).as_bytes()));
            let found = goal(None, true).judge("http://example.org/", &page);
            assert_eq!(found.relevant, expected, "{text}");
        }
    }

    #[test]
    fn region_and_topic_are_asked_for_together() {
        let both = goal(Some("Germany"), true);
        assert_eq!(
            both.judge("http://example.org/", &page::read(&Response::new(BEER.as_bytes())))
                .relevant,
            Some(false)
        );
        let page = page::read(&Response::new(BEER_THERE.as_bytes()));
        assert_eq!(both.judge("http://example.org/", &page).relevant, Some(true));
        let page = page::read(&Response::new(THERE.as_bytes()));
        assert_eq!(both.judge("http://example.org/", &page).relevant, Some(false));
    }
}
