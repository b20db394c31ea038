//! By how much the page that links is about the topic of the crawl.

use crate::aim::Aim;
use crate::strategy::{Candidate, Source, Strategy, Value};

/// Links of a page that is not about the topic are worth half of what they were worth otherwise.
const DAMPING: f32 = 0.5;

/// A link is worth how much the page that links is about the topic.
#[derive(Clone, Copy, Debug)]
pub struct Topical {
    follows_rejected: bool,
}

/// What is known of the page that links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linking {
    Accepted = 0,
    Rejected = 1,
    Seed = 2,
    /// A list of links that is about nothing.
    List = 3,
}

impl Topical {
    /// The strategy for an aim.
    pub fn new(aim: &Aim) -> Self {
        let follows_rejected = aim.topic.as_ref().is_none_or(|it| it.settings().follow_rejected);
        Self { follows_rejected }
    }
}

impl Strategy for Topical {
    fn name(&self) -> &'static str {
        "topic"
    }

    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        let similarity = source.similarity.unwrap_or_default() as f32;
        let (linking, priority) = match (source.similarity, source.relevant) {
            (None, _) => (Linking::List, 0.0),
            // Whoever names a seed wants its links.
            _ if source.depth == 0 => (Linking::Seed, similarity),
            (_, Some(true)) => (Linking::Accepted, similarity),
            _ if self.follows_rejected => (Linking::Rejected, similarity * DAMPING),
            _ => return vec![Value::refused(); links.len()],
        };
        let mut note = vec![linking as u8];
        note.extend(similarity.to_le_bytes());
        vec![Value { priority, note }; links.len()]
    }

    fn raises(&self) -> bool {
        true
    }

    fn explain(&self, value: &Value, depth: u16) -> Vec<String> {
        let Some((linking, similarity)) = value.note.split_first_chunk::<1>() else {
            return if depth == 0 { vec!["it is a seed: 1".to_owned()] } else { Vec::new() };
        };
        let similarity = similarity.first_chunk().map_or(0.0, |it| f32::from_le_bytes(*it));
        vec![match linking[0] {
            0 => format!("a page about the topic links to it: {similarity:.4}"),
            1 => format!("a page that is not about the topic links to it: {similarity:.4} / 2"),
            2 => format!("a seed links to it, which is about the topic by {similarity:.4}"),
            _ => "only a list of links has it: 0".to_owned(),
        }]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use url::Url;

    use super::*;
    use crate::topic::{Topic, TopicSettings};

    fn strategy(follow_rejected: bool) -> Topical {
        let settings = TopicSettings { follow_rejected, ..TopicSettings::default() };
        let topic = Topic::new("t", &[("harbour".to_owned(), 1.0)], &[], settings);
        let topic = Arc::new(topic.expect("it is a topic"));
        Topical::new(&Aim { topic: Some(topic), ..Aim::default() })
    }

    /// What a link is worth on a page, and why.
    fn value(
        mut strategy: Topical,
        depth: u16,
        similarity: Option<f64>,
        relevant: Option<bool>,
    ) -> (f32, String) {
        let url = Url::parse("http://example.org/").expect("a URL");
        let source = Source {
            url: &url,
            page: None,
            relevant,
            similarity,
            nearness: None,
            depth,
            note: &[],
        };
        let candidate = Candidate { url: &url, link: None, depth: depth + 1, is_known: false };
        let value = strategy.value(&source, &[candidate]).remove(0);
        (value.priority, strategy.explain(&value, depth + 1).join("; "))
    }

    #[track_caller]
    fn check(found: &(f32, String), priority: f32, reason: &str) {
        assert!((found.0 - priority).abs() < 1e-6, "{found:?}");
        assert_eq!(found.1, reason);
    }

    #[test]
    fn links_are_worth_what_the_page_is_about_the_topic() {
        check(
            &value(strategy(true), 2, Some(0.8), Some(true)),
            0.8,
            "a page about the topic links to it: 0.8000",
        );
    }

    #[test]
    fn links_of_rejected_pages_are_worth_half_or_nothing() {
        check(
            &value(strategy(true), 2, Some(0.4), Some(false)),
            0.2,
            "a page that is not about the topic links to it: 0.4000 / 2",
        );
        assert!(value(strategy(false), 2, Some(0.4), Some(false)).0.is_infinite());
    }

    #[test]
    fn the_links_of_a_seed_are_always_followed() {
        check(
            &value(strategy(false), 0, Some(0.4), Some(false)),
            0.4,
            "a seed links to it, which is about the topic by 0.4000",
        );
    }

    #[test]
    fn what_only_a_list_has_comes_last() {
        check(&value(strategy(false), 1, None, None), 0.0, "only a list of links has it: 0");
    }

    #[test]
    fn a_seed_is_a_seed() {
        let mut strategy = strategy(true);
        let seed = strategy.seed(&Url::parse("http://example.org/").expect("a URL"));
        assert_eq!(strategy.explain(&seed, 0), ["it is a seed: 1"]);
    }
}
