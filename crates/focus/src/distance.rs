//! By link distance: hope fades with every link from the last relevant page.

use url::Url;

use crate::aim::Aim;
use crate::lots::Lots;
use crate::strategy::{Candidate, Source, Strategy, Value};

/// What is left of a score one link further on. Ahlers and Boll take a half.
pub(crate) const DECAY: f64 = 0.5;

/// By link distance: a link is worth the less, the more links the last relevant page is away.
///
/// This is the score of Ahlers and Boll's crawler without its prediction, which they call link
/// distance: a page behind a few that are not relevant is still reached, long tails are not.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// What is left of a score one link further on, from 0 to 1.
    pub decay: f64,
    /// Links that are farther away from the last relevant page are not followed. Earlier crawlers
    /// cut off like this, and soon had no links left.
    pub farthest: Option<u16>,
    /// Which of two links comes first that have the same score.
    pub lots: Lots,
}

impl Distance {
    /// As it is meant to be used.
    pub fn new(aim: &Aim) -> Self {
        Self { decay: DECAY, farthest: None, lots: aim.lots }
    }
}

impl Strategy for Distance {
    fn name(&self) -> &'static str {
        "distance"
    }

    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        let away = Away::of_links_on(source);
        if self.farthest.is_some_and(|it| away.0 > it) {
            return vec![Value::refused(); links.len()];
        }
        let score = away.score(self.decay);
        let value = |url: &Url| Value {
            priority: self.lots.lot(url.as_str()).settle(score),
            note: away.0.to_le_bytes().to_vec(),
        };
        links.iter().map(|it| value(it.url)).collect()
    }

    fn raises(&self) -> bool {
        true
    }

    fn explain(&self, value: &Value, depth: u16) -> Vec<String> {
        vec![Away::noted(&value.note, depth).in_words(self.decay, depth)]
    }
}

/// How many links the last relevant page, or the seed, is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Away(pub(crate) u16);

impl Away {
    /// That of the links on a page: one on a relevant page or a seed, else one more than the page's.
    pub(crate) fn of_links_on(source: &Source<'_>) -> Self {
        if source.relevant == Some(true) || source.depth == 0 {
            return Self(1);
        }
        Self(Self::noted(source.note, source.depth).0.saturating_add(1))
    }

    /// That of a link with this note. A sitemap has none: it is as far away as the seed, at most.
    pub(crate) fn noted(note: &[u8], depth: u16) -> Self {
        note.first_chunk().map_or(Self(depth), |it| Self(u16::from_le_bytes(*it)))
    }

    /// What hope is left so far away, from 0 to 1.
    pub(crate) fn score(self, decay: f64) -> f64 {
        decay.clamp(0.0, 1.0).powi(self.0.into())
    }

    /// The score with its reason.
    pub(crate) fn in_words(self, decay: f64, depth: u16) -> String {
        let score = self.score(decay);
        let from = if self.0 == depth { "a seed" } else { "the last relevant page" };
        match self.0 {
            0 => format!("score {score:.4}: it is a seed"),
            1 => format!("score {score:.4}: 1 link from {from}"),
            links => format!("score {score:.4}: {links} links from {from}"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    /// Which page links to which in the web that is crawled here. Only E is relevant.
    const WEB: [(&str, &str); 9] = [
        ("S", "A B"),
        ("A", "C D"),
        ("B", "E"),
        ("C", "I"),
        ("D", "J"),
        ("E", "F G"),
        ("F", "H"),
        ("G", "K"),
        ("H", ""),
    ];

    /// Crawls the web from S: pages with what they were worth, in order.
    pub(crate) fn crawl(strategy: &mut dyn Strategy) -> Vec<(String, f32)> {
        let url = |name: &str| Url::parse(&format!("http://example.org/{name}")).expect("a URL");
        let mut known: Vec<(String, Value, u16)> =
            vec![("S".to_owned(), strategy.seed(&url("S")), 0)];
        let mut waiting = vec![0];
        let mut order = Vec::new();
        while let Some(next) = best(&known, &waiting) {
            waiting.retain(|it| *it != next);
            let (name, value, depth) = known[next].clone();
            order.push((name.clone(), value.priority));
            let here = url(&name);
            let source = Source {
                url: &here,
                page: None,
                relevant: Some(name == "E"),
                similarity: None,
                nearness: None,
                depth,
                note: &value.note,
            };
            let links = BTreeMap::from(WEB).get(name.as_str()).copied().unwrap_or_default();
            for link in links.split_whitespace() {
                let there = url(link);
                let candidate =
                    Candidate { url: &there, link: None, depth: depth + 1, is_known: false };
                let value = strategy.value(&source, &[candidate]).remove(0);
                waiting.push(known.len());
                known.push((link.to_owned(), value, depth + 1));
            }
        }
        order
    }

    fn best(known: &[(String, Value, u16)], waiting: &[usize]) -> Option<usize> {
        let rank = |it: &usize| (known[*it].1.priority, std::cmp::Reverse(*it));
        waiting
            .iter()
            .copied()
            .max_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("priorities are numbers"))
    }

    #[track_caller]
    pub(crate) fn check(strategy: &mut dyn Strategy, expected: &[(&str, f32)]) {
        let crawled = crawl(strategy);
        let names: String = crawled.iter().map(|it| it.0.as_str()).collect();
        let wanted: String = expected.iter().map(|it| it.0).collect();
        assert_eq!(names, wanted);
        let mut of_pages =
            expected.iter().flat_map(|(names, it)| std::iter::repeat_n(*it, names.len()));
        assert!(
            crawled.iter().all(|it| (it.1 - of_pages.next().expect("as many")).abs() < 1e-6),
            "{crawled:?}"
        );
    }

    fn distance(lots: Lots) -> Distance {
        Distance::new(&Aim { lots, ..Aim::default() })
    }

    #[test]
    fn links_of_a_relevant_page_overtake_everything() {
        check(
            &mut distance(Lots::Fifo),
            &[("S", 1.0), ("AB", 0.5), ("CDE", 0.25), ("FG", 0.5), ("HK", 0.25), ("IJ", 0.125)],
        );
    }

    #[test]
    fn lots_change_the_order_of_equals_only() {
        let sorted = |lots| {
            let mut crawled = crawl(&mut distance(lots));
            crawled.sort_by(|a, b| a.0.cmp(&b.0));
            crawled
        };
        let orders: std::collections::HashSet<Vec<String>> = (0..20)
            .map(|it| crawl(&mut distance(Lots::Random(it))).into_iter().map(|it| it.0).collect())
            .collect();
        assert!(orders.len() > 3, "{orders:?}");
        for (one, other) in sorted(Lots::Fifo).iter().zip(sorted(Lots::Random(3))) {
            assert!((one.1 - other.1).abs() < 1e-6);
        }
    }

    #[test]
    fn a_strict_cut_off_leaves_pages_behind_that_are_relevant() {
        let mut strict = Distance { farthest: Some(1), ..distance(Lots::Fifo) };
        let url = Url::parse("http://example.org/").expect("a URL");
        let source = Source {
            url: &url,
            page: None,
            relevant: Some(false),
            similarity: None,
            nearness: None,
            depth: 1,
            note: &[1, 0],
        };
        let candidate = Candidate { url: &url, link: None, depth: 2, is_known: false };
        assert!(strict.value(&source, &[candidate])[0].is_refused());
    }

    #[test]
    fn it_says_how_far_away_the_last_relevant_page_is() {
        let explain = |note: &[u8], depth| {
            let value = Value { priority: 0.0, note: note.to_vec() };
            distance(Lots::default()).explain(&value, depth).join("; ")
        };
        assert_eq!(explain(&[2, 0], 7), "score 0.2500: 2 links from the last relevant page");
        assert_eq!(explain(&[1, 0], 1), "score 0.5000: 1 link from a seed");
        assert_eq!(explain(&[], 0), "score 1.0000: it is a seed");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_note(note in any::<Vec<u8>>(), depth in any::<u16>()) {
            let mut strategy = distance(Lots::default());
            let url = Url::parse("http://example.org/").expect("a URL");
            let source = Source {
                url: &url, page: None, relevant: None, similarity: None, nearness: None, depth, note: &note,
            };
            let candidate = Candidate { url: &url, link: None, depth, is_known: false };
            let value = strategy.value(&source, &[candidate]).remove(0);
            prop_assert!((0.0..=0.5).contains(&value.priority));
            prop_assert_eq!(strategy.explain(&Value { priority: 0.0, note }, depth).len(), 1);
        }
    }
}
