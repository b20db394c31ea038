//! What every strategy can do.

use page::{Link, Page};
use url::Url;

use crate::broad::Broad;
use crate::random::Random;

/// Decides which link is fetched next, by what each is worth.
pub trait Strategy: Send {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Values the links of a page, one value for each.
    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value>;

    /// Whether a link that is met again may become worth more.
    fn raises(&self) -> bool {
        false
    }

    /// Says in words why a link has its value.
    fn explain(&self, value: &Value, depth: u16) -> Vec<String>;
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
    /// How many links it is away from a seed.
    pub depth: u16,
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
}

/// What a link is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// More is earlier.
    pub priority: f32,
    /// What the strategy wants to remember of the link, to explain it or to value it anew.
    pub note: Vec<u8>,
}

/// The names of all strategies.
pub const NAMES: [&str; 2] = ["broad", "random"];

/// There is no strategy of this name.
#[derive(Debug, thiserror::Error)]
#[error("there is no strategy \"{0}\": take one of {names}", names = NAMES.join(", "))]
pub struct NoStrategy(String);

/// The strategy of this name.
pub fn named(name: &str) -> Result<Box<dyn Strategy>, NoStrategy> {
    match name {
        "broad" => Ok(Box::new(Broad)),
        "random" => Ok(Box::new(Random::default())),
        other => Err(NoStrategy(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_strategy() {
        for name in NAMES {
            assert_eq!(named(name).expect("it exists").name(), name);
        }
        let told = named("best guess").err().expect("there is none").to_string();
        assert_eq!(told, "there is no strategy \"best guess\": take one of broad, random");
    }
}
