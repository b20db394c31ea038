//! What every strategy can do.

use page::{Link, Page};
use url::Url;

use crate::adaptive::{Adaptive, Settings};
use crate::aim::Aim;
use crate::best::Best;
use crate::broad::Broad;
use crate::distance::Distance;
use crate::random::Random;
use crate::rank::Rank;
use crate::topical::Topical;

/// Decides which link is fetched next, by what each is worth.
pub trait Strategy: Send {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Values a link from which the crawl begins.
    fn seed(&mut self, _: &Url) -> Value {
        Value { priority: 1.0, note: Vec::new() }
    }

    /// Values all links from which the crawl begins, one value for each.
    fn seeds(&mut self, urls: &[Url]) -> Vec<Value> {
        urls.iter().map(|it| self.seed(it)).collect()
    }

    /// Values the links of a page, one value for each.
    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value>;

    /// Whether a link that is met again may become worth more.
    fn raises(&self) -> bool {
        false
    }

    /// Hears what the page behind a link turned out to be, before its links are valued; tells which
    /// links are to be valued anew.
    fn hear(&mut self, _: &Visited<'_>) -> Stale {
        Stale::Nothing
    }

    /// Hears that a link is not followed after all.
    fn forgo(&mut self, _: &Url) {}

    /// Hears that a link leads on to another one that nobody has met before.
    fn forward(&mut self, _from: &Url, _to: &Url) {}

    /// Learns from all pages that were visited so far, after `hear` called everything stale.
    fn learn(&mut self, _: &[Lesson]) {}

    /// What a link is worth by what is known now. The value is as it was given.
    fn revalue(&self, value: &Value) -> f32 {
        value.priority
    }

    /// Says in words why a link has its value.
    fn explain(&self, value: &Value, depth: u16) -> Vec<String>;

    /// What it has learned, as it is kept with the crawl; nothing if it does not learn.
    fn model(&self) -> Option<Vec<u8>> {
        None
    }

    /// Recalls what it has learned in this crawl; tells whether it could be read.
    fn recall(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Begins with what one of its kind has learned in another crawl, or with another aim: with what words
    /// say, but not with how pages did there. Tells whether it could be read.
    fn take_over(&mut self, model: &[u8]) -> bool {
        self.recall(model)
    }
}

/// The page on which links were found.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Where it is.
    pub url: &'a Url,
    /// What it says; nothing for a list of links without words, such as a sitemap.
    pub page: Option<&'a Page>,
    /// Whether it is what the crawl looks for, if that was judged.
    pub relevant: Option<bool>,
    /// How much it is about the topic of the crawl, from 0 to 1, if that has one.
    pub similarity: Option<f64>,
    /// How much of what it names lies where the crawl looks, or how much it is about its topic, from 0
    /// to 1; nothing if it names nothing.
    pub nearness: Option<f32>,
    /// How many links it is away from a seed.
    pub depth: u16,
    /// What the strategy noted about the link that led to it.
    pub note: &'a [u8],
}

/// A link that is to be valued.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Where it points, in normal form.
    pub url: &'a Url,
    /// What the page says about it, if it is a link of the page.
    pub link: Option<&'a Link>,
    /// How many links it is away from a seed.
    pub depth: u16,
    /// Whether it was met before.
    pub is_known: bool,
}

/// What a link is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// More is earlier; minus infinity is never.
    pub priority: f32,
    /// What the strategy wants to remember of the link, to explain it, to learn from it or to value
    /// it anew.
    pub note: Vec<u8>,
}

impl Value {
    /// That of a link which is not followed at all.
    pub fn refused() -> Self {
        Self { priority: f32::NEG_INFINITY, note: Vec::new() }
    }

    /// Whether the link is not followed at all.
    pub fn is_refused(&self) -> bool {
        self.priority == f32::NEG_INFINITY
    }
}

/// A page that was visited just now.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'a> {
    /// Where it is.
    pub url: &'a Url,
    /// What the strategy noted about the link that led to it.
    pub note: &'a [u8],
    /// Whether it is what the crawl looks for; nothing if it is no page, or nobody looks for anything.
    pub relevant: Option<bool>,
    /// Whether nothing came of the visit: an error, or another type than that of a page.
    pub is_in_vain: bool,
    /// How near it comes to what the crawl looks for, as in [`Source`].
    pub nearness: Option<f32>,
    /// How many links it is away from a seed.
    pub depth: u16,
}

/// Which links are worth something else than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// None.
    Nothing,
    /// Those of the host of the page that was visited.
    Host,
    /// All.
    Queue,
    /// All: learn first from everything that was visited.
    Everything,
}

/// A page that was visited, and the page whose link was followed to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its number.
    pub id: u64,
    /// The page whose link was followed; nothing for a seed. It may be one that is no lesson.
    pub via: Option<u64>,
    /// What the strategy noted about the link.
    pub note: Vec<u8>,
    /// Whether it is what the crawl looks for.
    pub relevant: bool,
}

/// The names of all strategies.
pub const NAMES: [&str; 7] = ["adaptive", "best", "broad", "distance", "random", "rank", "topic"];

/// A strategy for measuring alone: `adaptive` with its labels shuffled, which can learn nothing. What
/// it harvests beyond link distance is not owed to learning.
pub const CONTROL: &str = "adaptive-shuffled";

/// There is no strategy of this name.
#[derive(Debug, thiserror::Error)]
#[error("there is no strategy \"{0}\": take one of {names}", names = NAMES.join(", "))]
pub struct NoStrategy(String);

/// The strategy of this name, for this aim.
pub fn named(name: &str, aim: &Aim) -> Result<Box<dyn Strategy>, NoStrategy> {
    match name {
        "adaptive" => Ok(Box::new(Adaptive::new(aim, Settings::default()))),
        CONTROL => {
            Ok(Box::new(Adaptive::new(aim, Settings { shuffled: true, ..Settings::default() })))
        }
        "best" => Ok(Box::new(Best::new(aim))),
        "broad" => Ok(Box::new(Broad)),
        "distance" => Ok(Box::new(Distance::new(aim))),
        "random" => Ok(Box::new(Random::default())),
        "rank" => Ok(Box::new(Rank::new(aim))),
        "topic" => Ok(Box::new(Topical::new(aim))),
        other => Err(NoStrategy(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_strategy() {
        let aim = Aim::default();
        for name in NAMES.into_iter().chain([CONTROL]) {
            assert_eq!(named(name, &aim).expect("it exists").name(), name);
        }
        let told = named("best guess", &aim).err().expect("there is none").to_string();
        assert_eq!(
            told,
            format!("there is no strategy \"best guess\": take one of {}", NAMES.join(", "))
        );
    }
}
