//! Link distance with prediction: what links say is learned from the pages that they led to.

use crate::aim::Aim;
use crate::bayes::{Bayes, Case, DEPTHS, Learned, Rules};
use crate::distance::{Away, DECAY};
use crate::labels::{labels, shuffled};
use crate::link_terms::{Home, LinkTerms};
use crate::lots::Lots;
use crate::note::{Note, Terms};
use crate::strategy::{CONTROL, Candidate, Lesson, Source, Stale, Strategy, Value, Visited};
use crate::term::{Dictionary, MOST_NAMES, Term};

/// How link distance and prediction are taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// The prediction raises the score, and never lowers it: that a link does not say what it leads
    /// to is no sign that it leads nowhere.
    #[default]
    Paper,
    /// Score times prediction.
    Product,
}

impl Fusion {
    /// What a link of this score is worth with this prediction, all from 0 to 1.
    fn priority(self, score: f64, prediction: f64) -> f64 {
        match self {
            Self::Paper => score + prediction * (1.0 - score),
            Self::Product => score * prediction,
        }
    }
}

/// What can be set about the adaptive strategy. As it comes it is that of Ahlers and Boll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What is left of a score one link further on, from 0 to 1.
    pub score_decay: f64,
    /// How much less a prediction counts for each link it looks ahead, from 0 to 1.
    pub prediction_decay: f64,
    /// How many links it looks ahead, from 1 to [`DEPTHS`].
    pub depths: usize,
    /// How it is counted and estimated.
    pub rules: Rules,
    /// How score and prediction are taken together.
    pub fusion: Fusion,
    /// Whether links are also judged by the places and addresses in and around them.
    pub hints: bool,
    /// Whether it learns from labels that were shuffled. It can do no better then than link distance,
    /// which shows that what it learns otherwise is no accident.
    pub shuffled: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            score_decay: DECAY,
            prediction_decay: 0.5,
            depths: DEPTHS,
            rules: Rules::default(),
            fusion: Fusion::default(),
            hints: false,
            shuffled: false,
        }
    }
}

impl Settings {
    /// How much each depth counts in the prediction; all together count 1.
    fn weights(&self) -> [f64; DEPTHS] {
        let depths = self.depths.clamp(1, DEPTHS);
        let decay = self.prediction_decay.clamp(0.0, 1.0);
        // Only what one weighs against the other matters, so the first may weigh 1 whatever the decay.
        let weight = |depth: usize| if depth < depths { decay.powi(depth as i32) } else { 0.0 };
        let weights: [f64; DEPTHS] = std::array::from_fn(weight);
        let sum: f64 = weights.iter().sum();
        weights.map(|it| it / sum)
    }
}

/// With more pages it does not learn to know links better, Ahlers and Boll found.
const ENOUGH: u64 = 30_000;
/// With fewer it learns what is an accident.
const FEWEST: u64 = 500;
/// This part of a crawl, one in so many pages, is spent on learning.
const PART: u64 = 20;
/// How many terms an explanation names.
const MOST_NAMED: usize = 8;
/// What the bytes of a model begin with. Another number, another form.
const FORM: u16 = 2;

/// Link distance with prediction, as in Ahlers and Boll's adaptive geospatially focused crawler.
///
/// It begins as [`Distance`](crate::Distance). When it has heard of enough pages it learns which
/// words in a link, its URL and the text around it lead to relevant pages one, two and three links on,
/// values all links anew, and does so again whenever it has heard of half as many pages more.
pub struct Adaptive {
    settings: Settings,
    weights: [f64; DEPTHS],
    lots: Lots,
    reader: LinkTerms,
    names: Dictionary,
    bayes: Option<Bayes>,
    /// How many pages it has heard of.
    heard: u64,
    /// At how many pages it will learn next.
    next: u64,
    /// The terms of the link that is being valued.
    terms: Vec<Term>,
}

impl Adaptive {
    /// The strategy for an aim, with other settings than the usual ones if need be.
    pub fn new(aim: &Aim, settings: Settings) -> Self {
        let part = aim.budget.map_or(ENOUGH, |it| it / PART);
        Self {
            settings,
            weights: settings.weights(),
            lots: aim.lots,
            reader: if settings.hints { LinkTerms::with_hints(aim) } else { LinkTerms::default() },
            names: Dictionary::default(),
            bayes: None,
            heard: 0,
            next: part.clamp(FEWEST, ENOUGH),
            terms: Vec::new(),
        }
    }

    /// What a link is worth without its lot.
    fn priority(&self, away: Away, terms: impl Iterator<Item = Term>) -> f64 {
        let score = away.score(self.settings.score_decay);
        match &self.bayes {
            Some(bayes) => {
                let prediction = self.prediction(bayes.posteriors(terms));
                self.settings.fusion.priority(score, prediction)
            }
            None => score,
        }
    }

    /// All depths together, the nearer ones first.
    fn prediction(&self, posteriors: [f64; DEPTHS]) -> f64 {
        posteriors.iter().zip(self.weights).map(|(one, weight)| one * weight).sum()
    }

    /// The terms of a link that say most, each with what it says.
    fn strongest(&self, bayes: &Bayes, terms: Terms<'_>) -> Vec<(Term, f64)> {
        let says = |term: Term| {
            let ratios = bayes.says(term)?;
            let sum = ratios.iter().zip(self.weights).map(|(it, weight)| f64::from(*it) * weight);
            Some((term, sum.sum()))
        };
        let mut known: Vec<(Term, f64)> = terms.iter().filter_map(says).collect();
        known.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        known.dedup_by_key(|it| it.0);
        known.truncate(MOST_NAMED);
        known
    }
}

impl Strategy for Adaptive {
    fn name(&self) -> &'static str {
        if self.settings.shuffled { CONTROL } else { "adaptive" }
    }

    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        let away = Away::of_links_on(source);
        let home = Home::of(source);
        let mut values = Vec::with_capacity(links.len());
        for link in links {
            self.terms.clear();
            self.reader.read(&home, link, |term, name| {
                self.terms.push(term);
                self.names.add(term, name);
            });
            let lot = self.lots.lot(link.url.as_str());
            values.push(Value {
                priority: lot.settle(self.priority(away, self.terms.iter().copied())),
                note: Note::write(away, lot, &self.terms),
            });
        }
        values
    }

    fn raises(&self) -> bool {
        true
    }

    fn hear(&mut self, visited: &Visited<'_>) -> Stale {
        self.heard += u64::from(visited.relevant.is_some());
        if self.heard < self.next {
            return Stale::Nothing;
        }
        self.next = self.heard.saturating_add((self.heard / 2).max(1));
        Stale::Everything
    }

    fn learn(&mut self, lessons: &[Lesson]) {
        let mut labels = labels(self.settings.rules.labels, lessons);
        if self.settings.shuffled {
            labels = shuffled(&labels);
        }
        let cases: Vec<Case<'_>> = lessons
            .iter()
            .zip(labels)
            .filter_map(|(it, label)| Some(Case { terms: Note::read(&it.note)?.terms, label }))
            .collect();
        if cases.is_empty() {
            return;
        }
        let bayes = Bayes::fit(self.settings.rules, &cases);
        self.names.tidy(|it| bayes.knows(it));
        self.bayes = Some(bayes);
    }

    fn revalue(&self, value: &Value) -> f32 {
        match Note::read(&value.note) {
            Some(note) => note.lot.settle(self.priority(note.away, note.terms.iter())),
            None => value.priority,
        }
    }

    fn explain(&self, value: &Value, depth: u16) -> Vec<String> {
        let score = Away::noted(&value.note, depth).in_words(self.settings.score_decay, depth);
        let Some(note) = Note::read(&value.note) else { return vec![score] };
        let Some(bayes) = &self.bayes else {
            return vec![score, "no prediction before enough pages were visited".to_owned()];
        };
        let posteriors = bayes.posteriors(note.terms.iter());
        let depths = posteriors.iter().take(self.settings.depths.clamp(1, DEPTHS)).enumerate();
        let depths = depths.map(|(at, it)| format!("depth {}: {it:.4}", at + 1));
        let terms = self.strongest(bayes, note.terms);
        let terms =
            terms.iter().map(|(term, says)| format!("{} {says:+.2}", self.names.name(*term)));
        let terms = terms.collect::<Vec<_>>().join(", ");
        let prediction = self.prediction(posteriors);
        let priority = self.priority(note.away, note.terms.iter());
        vec![
            score,
            depths.collect::<Vec<_>>().join(", "),
            if terms.is_empty() { "no known terms".to_owned() } else { terms },
            format!("prediction {prediction:.4}, priority {priority:.4}"),
        ]
    }

    fn model(&self) -> Option<Vec<u8>> {
        let learned = self.bayes.as_ref().map(Bayes::learned);
        let is_known = |term| self.bayes.as_ref().is_some_and(|it| it.knows(term));
        let names = self.names.names(is_known);
        postcard::to_stdvec(&(FORM, self.heard, self.next, learned, names)).ok()
    }

    fn recall(&mut self, model: &[u8]) -> bool {
        let Some(kept) = read(model) else { return false };
        let (_, heard, next, learned, names) = kept;
        let bayes = match learned {
            Some(learned) => match Bayes::recall(self.settings.rules, learned) {
                Some(bayes) => Some(bayes),
                None => return false,
            },
            None => None,
        };
        (self.heard, self.next, self.bayes) = (heard, next, bayes);
        self.names = Dictionary::default();
        for (term, name) in names {
            self.names.add(term, name);
        }
        true
    }

    fn take_over(&mut self, model: &[u8]) -> bool {
        let own = (self.heard, self.next);
        let is_read = self.recall(model);
        if is_read {
            (self.heard, self.next) = own;
        }
        is_read
    }
}

/// A model: its form, how many pages were heard of, at how many it learns next, what it has learned,
/// and the names of what it has learned about.
type Kept<'m> = (u16, u64, u64, Option<Learned>, Vec<(Term, &'m str)>);

fn read(model: &[u8]) -> Option<Kept<'_>> {
    let (form, _) = postcard::take_from_bytes::<u16>(model).ok()?;
    if form != FORM {
        return None;
    }
    let (kept, rest) = postcard::take_from_bytes::<Kept<'_>>(model).ok()?;
    let is_sound = rest.is_empty() && kept.1 < kept.2 && kept.4.len() <= MOST_NAMES;
    is_sound.then_some(kept)
}

#[cfg(test)]
mod tests {
    use page::Response;
    use proptest::prelude::{any, prop_assert, proptest};

    use url::Url;

    use super::*;
    use crate::bayes::tests::{FOLLOWED, fitted, note};
    use crate::bayes::{Prior, Unseen};
    use crate::distance;

    fn adaptive(settings: Settings) -> Adaptive {
        Adaptive::new(&Aim { lots: Lots::Fifo, ..Aim::default() }, settings)
    }

    /// One that has learned from the six links of the worked example.
    fn taught(rules: Rules) -> Adaptive {
        let mut adaptive = adaptive(Settings { rules, ..Settings::default() });
        adaptive.bayes = Some(fitted(rules));
        for name in FOLLOWED.iter().flat_map(|it| it.0.split(' ')) {
            adaptive.names.add(Term::of(name), name);
        }
        adaptive
    }

    /// A link with these terms so many links away.
    fn link(away: u16, terms: &str) -> Value {
        let mut note = note(terms);
        note[..2].copy_from_slice(&away.to_le_bytes());
        Value { priority: 0.0, note }
    }

    #[track_caller]
    fn check(rules: Rules, terms: &str, prediction: f64, priorities: &[f64]) {
        let adaptive = taught(rules);
        let posteriors = fitted(rules).posteriors(terms.split_whitespace().map(Term::of));
        let found = adaptive.prediction(posteriors);
        assert!((found - prediction).abs() < 1e-6, "{found} instead of {prediction}");
        for (away, priority) in (1..).zip(priorities) {
            let found = f64::from(adaptive.revalue(&link(away, terms)));
            assert!((found - priority).abs() < 1e-6, "{found} instead of {priority}");
        }
    }

    const CONTACT: &str = "anchor:contact path:contact host:oldenburg";
    const LOGIN: &str = "anchor:login path:user host:portal";

    #[test]
    fn priorities_are_those_of_the_worked_example() {
        check(Rules::default(), CONTACT, 0.668_318, &[0.834_159, 0.751_238, 0.709_778]);
        check(Rules::default(), LOGIN, 0.079_756, &[0.539_878]);
        check(Rules::default(), "anchor:never", 1.0 / 3.0, &[2.0 / 3.0]);
        let rules = Rules { prior: Prior::Laplace, ..Rules::default() };
        check(rules, CONTACT, 0.691_932, &[0.845_966, 0.768_949, 0.730_441]);
        let rules = Rules { unseen: Unseen::Laplace, ..Rules::default() };
        check(rules, "anchor:never", 25.0 / 63.0, &[0.5 + 0.5 * 25.0 / 63.0]);
    }

    #[test]
    fn the_nearest_depth_counts_most() {
        let weights = |depths| Settings { depths, ..Settings::default() }.weights();
        for (found, expected) in weights(3).iter().zip([4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert!((weights(1)[0] - 1.0).abs() < 1e-12);
        assert!((weights(2)[2]).abs() < 1e-12);
    }

    /// Link distance with predictions that somebody tells it.
    struct Told;

    impl Strategy for Told {
        fn name(&self) -> &'static str {
            "told"
        }

        fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
            let away = Away::of_links_on(source);
            let predicted = |to: &Url| match (source.url.path(), to.path()) {
                ("/S", "/B") => 0.8,
                ("/B", "/E") => 0.6,
                _ => 0.1,
            };
            let priority =
                |to: &Url| Fusion::Paper.priority(away.score(DECAY), predicted(to)) as f32;
            let note = Note::write(away, Lots::Fifo.lot(""), &[]);
            let value =
                |it: &Candidate<'_>| Value { priority: priority(it.url), note: note.clone() };
            links.iter().map(value).collect()
        }

        fn explain(&self, _: &Value, _: u16) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn with_good_predictions_the_relevant_page_comes_third_instead_of_sixth() {
        distance::tests::check(
            &mut Told,
            &[("S", 1.0), ("B", 0.9), ("E", 0.7), ("AFG", 0.55), ("CDHK", 0.325), ("IJ", 0.2125)],
        );
    }

    #[test]
    fn before_it_has_learned_it_is_link_distance() {
        let mut plain = distance::Distance::new(&Aim { lots: Lots::Fifo, ..Aim::default() });
        assert_eq!(
            distance::tests::crawl(&mut adaptive(Settings::default())),
            distance::tests::crawl(&mut plain)
        );
    }

    #[test]
    fn it_says_why() {
        let told = taught(Rules::default()).explain(&link(2, CONTACT), 5);
        assert_eq!(
            told,
            [
                "score 0.2500: 2 links from the last relevant page",
                "depth 1: 0.9111, depth 2: 0.4607, depth 3: 0.1123",
                "path:contact +0.75, host:oldenburg +0.56, anchor:contact +0.37",
                "prediction 0.6683, priority 0.7512",
            ]
        );
        let told = adaptive(Settings::default()).explain(&link(1, CONTACT), 1);
        assert_eq!(
            told,
            ["score 0.5000: 1 link from a seed", "no prediction before enough pages were visited"]
        );
    }

    #[test]
    fn it_learns_after_a_twentieth_of_the_pages_and_again_after_half_as_many_more() {
        let learns_at = |budget| {
            let mut adaptive =
                Adaptive::new(&Aim { budget, ..Aim::default() }, Settings::default());
            let url = Url::parse("http://example.org/").expect("a URL");
            let visited = |relevant| Visited {
                url: &url,
                note: &[],
                relevant,
                is_in_vain: false,
                nearness: None,
                depth: 1,
            };
            assert_eq!(adaptive.hear(&visited(None)), Stale::Nothing);
            let mut stale =
                move |_: &u64| adaptive.hear(&visited(Some(false))) == Stale::Everything;
            (1..70_000).filter(|it| stale(it)).take(3).collect::<Vec<u64>>()
        };
        assert_eq!(learns_at(None), [30_000, 45_000, 67_500]);
        assert_eq!(learns_at(Some(20_000)), [1_000, 1_500, 2_250]);
        assert_eq!(learns_at(Some(100)), [500, 750, 1_125]);
    }

    /// A web in which links called "contact" lead to relevant pages: lessons with real notes.
    fn lessons(adaptive: &mut Adaptive) -> Vec<Lesson> {
        let html = "<ul><li><a href=/contact>Contact</a><li><a href=/news>News</a>\
                    <li><a href=/shop>Shop</a><li><a href=/team>Team</a></ul>";
        let home = Url::parse("http://example.org/").expect("a URL");
        let page =
            page::read(&Response { url: Some(home.as_str()), ..Response::new(html.as_bytes()) });
        let links: Vec<_> = page
            .links
            .iter()
            .map(|it| Candidate { url: &it.url, link: Some(it), depth: 1, is_known: false })
            .collect();
        let source = Source {
            url: &home,
            page: Some(&page),
            relevant: Some(false),
            similarity: None,
            nearness: None,
            depth: 0,
            note: &[],
        };
        let values = adaptive.value(&source, &links);
        let seed = Lesson { id: 0, via: None, note: Vec::new(), relevant: false };
        let lesson = |id: u64| Lesson {
            id,
            via: Some(0),
            note: values[id as usize % 4].note.clone(),
            relevant: id.is_multiple_of(4),
        };
        std::iter::once(seed).chain((1..=400).map(lesson)).collect()
    }

    #[test]
    fn it_learns_which_words_lead_to_relevant_pages() {
        let mut adaptive = adaptive(Settings::default());
        let lessons = lessons(&mut adaptive);
        adaptive.learn(&lessons);
        let contact = link(3, "anchor:contact path:contact");
        let shop = link(3, "anchor:shop path:shop");
        assert!(adaptive.revalue(&contact) > 0.7);
        assert!(adaptive.revalue(&shop) < 0.5);
        let told = adaptive.explain(&contact, 9);
        assert!(told[2].starts_with("anchor:contact +") || told[2].starts_with("path:contact +"));
    }

    #[test]
    fn from_shuffled_labels_it_learns_nothing() {
        let mut adaptive = adaptive(Settings { shuffled: true, ..Settings::default() });
        let lessons = lessons(&mut adaptive);
        adaptive.learn(&lessons);
        let difference = adaptive.revalue(&link(3, "anchor:contact path:contact"))
            - adaptive.revalue(&link(3, "anchor:shop path:shop"));
        assert!(difference.abs() < 0.15, "{difference}");
    }

    #[test]
    fn a_model_that_was_kept_values_and_explains_as_before() {
        let mut one = adaptive(Settings::default());
        let lessons = lessons(&mut one);
        one.learn(&lessons);
        let model = one.model().expect("it has learned");
        let mut two = adaptive(Settings::default());
        assert!(two.recall(&model));
        let value = link(2, "anchor:contact host:example");
        assert_eq!(one.explain(&value, 3), two.explain(&value, 3));
        assert_eq!(two.model(), Some(model.clone()));
        assert!(!two.recall(&model[..model.len() - 1]));
        assert!(!two.recall(&[&model[..], b"x"].concat()));
        assert!(!two.recall(&[2, 0, 0]), "another form");
        assert_eq!(two.model(), Some(model), "what is refused changes nothing");
    }

    #[test]
    fn one_that_begins_with_anothers_model_learns_as_early_as_any() {
        let mut one = adaptive(Settings::default());
        (one.heard, one.next) = (30_000, 45_000);
        let lessons = lessons(&mut one);
        one.learn(&lessons);
        let mut two =
            Adaptive::new(&Aim { budget: Some(20_000), ..Aim::default() }, Settings::default());
        assert!(two.take_over(&one.model().expect("it has learned")));
        assert_eq!((two.heard, two.next), (0, 1_000));
        assert!(two.revalue(&link(3, "anchor:contact path:contact")) > 0.7);
    }

    proptest! {
        #[test]
        fn a_prediction_raises_and_never_lowers(
            score in 0.0..=1.0_f64, prediction in 0.0..=1.0_f64, less in 0.0..=1.0_f64,
        ) {
            let priority = |score, prediction| Fusion::Paper.priority(score, prediction);
            prop_assert!((score..=1.0 + 1e-12).contains(&priority(score, prediction)));
            prop_assert!((priority(score, 1.0) - 1.0).abs() < 1e-12);
            prop_assert!((priority(score, 0.0) - score).abs() < 1e-12);
            prop_assert!(priority(score, prediction * less) <= priority(score, prediction) + 1e-12);
            prop_assert!(priority(score * less, prediction) <= priority(score, prediction) + 1e-12);
        }

        #[test]
        fn any_bytes_are_a_note(note in any::<Vec<u8>>(), depth in any::<u16>()) {
            let adaptive = taught(Rules::default());
            let value = Value { priority: 0.5, note };
            prop_assert!((0.0..=1.0).contains(&adaptive.revalue(&value)));
            prop_assert!(!adaptive.explain(&value, depth).is_empty());
        }

        #[test]
        fn any_bytes_are_a_model_or_none(mut bytes in any::<Vec<u8>>(), at in 0..500_usize, to in any::<u8>()) {
            let mut adaptive = taught(Rules::default());
            bytes.insert(0, FORM as u8);
            adaptive.recall(&bytes);
            let mut damaged = taught(Rules::default()).model().expect("it has learned");
            let at = at % damaged.len();
            damaged[at] = to;
            adaptive.recall(&damaged);
            prop_assert!((0.0..=1.0).contains(&adaptive.revalue(&link(1, CONTACT))));
        }
    }
}
