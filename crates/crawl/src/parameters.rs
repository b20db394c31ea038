//! Parameters that change nothing on a page: `/a?view=full` beside `/a`.
//!
//! A parameter is judged by pairs of links that differ in it alone, together with its value, since the
//! first page of a list is often the list itself and the second is not.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// So many pairs of a host must show the same before a parameter is known to be idle there.
const PAIRS: u8 = 2;
/// A parameter that was idle with so many values is so with any.
const VALUES: u8 = 3;
/// On so many hosts a parameter must have been idle before it is expected to be so on others.
const HOSTS: u8 = 2;
/// One in so many links is visited nevertheless.
const TRIAL: u32 = 16;
/// How many parameters are told apart, of a host and in all.
const MOST_OF_HOST: usize = 64;
const MOST: usize = 50_000;

/// A parameter with its value, or with any value, as a number.
type Key = u64;

/// What pairs of links of one host have shown.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Pairs {
    known: BTreeMap<Key, Pair>,
}

/// How often a parameter made no difference, and how often it did.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Pair {
    idle: u8,
    telling: u8,
}

/// On how many hosts each parameter made no difference, and on how many it did.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Parameters {
    known: HashMap<Key, Pair>,
    turned_away: u32,
}

impl Parameters {
    /// Takes in that two links of a host, which differ in this parameter alone, show the same.
    /// What the site itself has said counts as proof.
    pub(crate) fn learn_idle(&mut self, pairs: &mut Pairs, parameter: &str, is_said: bool) {
        // A value that there is no room for cannot be told from one that was met before.
        let is_new_value = pairs.of(exact(parameter)).is_some_and(|it| it.idle == 0);
        self.count(pairs, exact(parameter), PAIRS, if is_said { PAIRS } else { 1 });
        if is_new_value {
            self.count(pairs, any(parameter), VALUES, 1);
        }
    }

    fn count(&mut self, pairs: &mut Pairs, key: Key, least: u8, by: u8) {
        let Some(pair) = pairs.of(key) else { return };
        let before = pair.idle;
        pair.idle = before.saturating_add(by);
        if before < least && pair.idle >= least && self.has_room(key) {
            let of_all = self.known.entry(key).or_default();
            of_all.idle = of_all.idle.saturating_add(1);
        }
    }

    /// Takes in that a page with this parameter is not the one without it.
    pub(crate) fn learn_telling(&mut self, pairs: &mut Pairs, parameter: &str) {
        for key in [exact(parameter), any(parameter)] {
            let Some(pair) = pairs.of(key) else { continue };
            pair.telling = pair.telling.saturating_add(1);
            if pair.telling == 1 && self.has_room(key) {
                let of_all = self.known.entry(key).or_default();
                of_all.telling = of_all.telling.saturating_add(1);
            }
        }
    }

    /// The link without its idle parameter, if it has one: what it shows is to be had there. Asking
    /// counts, since now and then it is let through.
    pub(crate) fn plainer(&mut self, pairs: &Pairs, url: &Url) -> Option<Url> {
        let parameter = parameters(url).find(|it| self.is_idle(pairs, it))?;
        self.turned_away = self.turned_away.wrapping_add(1);
        let is_trial = self.turned_away.is_multiple_of(TRIAL);
        (!is_trial).then(|| without(url, parameter))
    }

    fn is_idle(&self, pairs: &Pairs, parameter: &str) -> bool {
        let is_idle = |key: Key, least: u8| match pairs.known.get(&key) {
            Some(pair) if pair.telling > 0 => false,
            Some(pair) if pair.idle >= least => true,
            _ => {
                self.known.get(&key).is_some_and(|it| it.idle >= HOSTS && it.idle > 4 * it.telling)
            }
        };
        is_idle(exact(parameter), PAIRS) || is_idle(any(parameter), VALUES)
    }

    fn has_room(&self, key: Key) -> bool {
        self.known.len() < MOST || self.known.contains_key(&key)
    }
}

impl Pairs {
    fn of(&mut self, key: Key) -> Option<&mut Pair> {
        let has_room = self.known.len() < MOST_OF_HOST || self.known.contains_key(&key);
        has_room.then(|| self.known.entry(key).or_default())
    }
}

/// The parameters of a link, each with its value.
pub(crate) fn parameters(url: &Url) -> impl Iterator<Item = &str> {
    url.query().into_iter().flat_map(|it| it.split('&')).filter(|it| !it.is_empty())
}

/// The link without this parameter.
pub(crate) fn without(url: &Url, parameter: &str) -> Url {
    let rest: Vec<_> = parameters(url).filter(|it| *it != parameter).collect();
    let mut plainer = url.clone();
    plainer.set_query(if rest.is_empty() { None } else { Some(rest.join("&")) }.as_deref());
    plainer
}

/// The one parameter in which two links of a host differ, if one has it and the other does not.
pub(crate) fn difference<'a>(one: &'a Url, other: &'a Url) -> Option<&'a str> {
    if one.host() != other.host() || one.path() != other.path() {
        return None;
    }
    let count = |it: &Url| parameters(it).count();
    let (longer, shorter) = if count(one) > count(other) { (one, other) } else { (other, one) };
    if count(longer) != count(shorter) + 1 {
        return None;
    }
    let mut more = parameters(longer).filter(|it| parameters(shorter).all(|known| known != *it));
    more.next().filter(|_| more.next().is_none())
}

fn exact(parameter: &str) -> Key {
    xxh3_64(parameter.as_bytes())
}

fn any(parameter: &str) -> Key {
    !xxh3_64(parameter.split_once('=').map_or(parameter, |it| it.0).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.example{path}")).expect("a URL")
    }

    #[track_caller]
    fn check(parameters: &mut Parameters, pairs: &Pairs, path: &str, expected: Option<&str>) {
        assert_eq!(parameters.plainer(pairs, &url(path)), expected.map(url), "{path}");
    }

    #[test]
    fn a_parameter_is_idle_after_two_pairs_or_when_the_site_says_so() {
        let (mut all, mut here) = (Parameters::default(), Pairs::default());
        all.learn_idle(&mut here, "view=full", false);
        check(&mut all, &here, "/a?view=full", None);
        all.learn_idle(&mut here, "view=full", false);
        check(&mut all, &here, "/a?view=full", Some("/a"));
        check(&mut all, &here, "/a?b=1&view=full&c=2", Some("/a?b=1&c=2"));
        all.learn_idle(&mut here, "from=start", true);
        check(&mut all, &here, "/a?from=start", Some("/a"));
    }

    #[test]
    fn the_second_page_of_a_list_is_not_lost_by_the_first() {
        let (mut all, mut here) = (Parameters::default(), Pairs::default());
        (0..50).for_each(|_| all.learn_idle(&mut here, "page=1", false));
        check(&mut all, &here, "/a?page=1", Some("/a"));
        check(&mut all, &here, "/a?page=2", None);
    }

    #[test]
    fn a_parameter_that_is_idle_with_many_values_is_so_with_any() {
        let (mut all, mut here) = (Parameters::default(), Pairs::default());
        ["v=1", "v=2", "v=3"].iter().for_each(|it| all.learn_idle(&mut here, it, false));
        check(&mut all, &here, "/a?v=4", Some("/a"));
        all.learn_telling(&mut here, "v=9");
        check(&mut all, &here, "/a?v=4", None);
    }

    #[test]
    fn what_is_idle_on_some_hosts_is_expected_to_be_so_on_the_next() {
        let mut all = Parameters::default();
        for _ in 0..2 {
            all.learn_idle(&mut Pairs::default(), "view=full", true);
        }
        let mut here = Pairs::default();
        check(&mut all, &here, "/a?view=full", Some("/a"));
        all.learn_telling(&mut here, "view=full");
        check(&mut all, &here, "/a?view=full", None);
    }

    #[test]
    fn now_and_then_a_link_is_let_through() {
        let (mut all, mut here) = (Parameters::default(), Pairs::default());
        all.learn_idle(&mut here, "view=full", true);
        let visited = (0..160).filter(|_| all.plainer(&here, &url("/a?view=full")).is_none());
        assert_eq!(visited.count(), 10);
    }

    #[test]
    fn two_links_differ_in_one_parameter_or_in_something_else() {
        let of = |one: &str, other: &str| {
            let (one, other) = (url(one), url(other));
            difference(&one, &other).map(str::to_owned)
        };
        assert_eq!(of("/a?b=1", "/a").as_deref(), Some("b=1"));
        assert_eq!(of("/a?c=2", "/a?b=1&c=2").as_deref(), Some("b=1"));
        assert_eq!(of("/a?b=1", "/a?b=2"), None);
        assert_eq!(of("/a?b=1", "/c"), None);
        assert_eq!(of("/a?b=1&c=2", "/a"), None);
        assert_eq!(of("/a", "/a"), None);
    }
}
