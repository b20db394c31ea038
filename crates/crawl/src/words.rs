//! Words in links that promise a repetition, learned from the crawl: `print`, `ort=`, `sessid=`.
//!
//! What they mean differs from language to language and from one program to the next, so no list of
//! them is kept. What all hosts have shown under a word tells.

use std::collections::HashMap;

use frontier::HostId;
use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// So many pages must have been seen under a word, on all hosts, before it is believed.
const LEAST_SEEN: u32 = 6;
/// On so many hosts nothing must have been new under it: what one program does is no custom.
const LEAST_HOSTS: usize = 3;
/// So many hosts are told apart for each word.
const MOST_HOSTS: usize = 8;
/// A word promises a repetition if no more than one page in so many under it was new.
const RARELY_NEW: u32 = 6;
/// One in so many links with such a word is visited nevertheless, so that it can mend its name.
const TRIAL: u32 = 24;
/// How many words are told apart.
const MOST_WORDS: usize = 100_000;

/// What was seen under each word.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Words {
    seen: HashMap<u64, Seen>,
}

#[derive(Default, Serialize, Deserialize)]
struct Seen {
    pages: u32,
    new: u32,
    turned_away: u32,
    /// Hosts, and whether something under the word was new there.
    hosts: Vec<(HostId, bool)>,
}

impl Seen {
    fn learn(&mut self, host: HostId, is_new: bool) {
        self.pages += 1;
        self.new += u32::from(is_new);
        if let Some(known) = self.hosts.iter_mut().find(|it| it.0 == host) {
            known.1 |= is_new;
        } else if self.hosts.len() < MOST_HOSTS {
            self.hosts.push((host, is_new));
        }
    }

    fn promises_repetition(&self) -> bool {
        let idle = self.hosts.iter().filter(|it| !it.1).count();
        self.pages >= LEAST_SEEN
            && self.new * RARELY_NEW <= self.pages
            && idle >= LEAST_HOSTS
            && idle * 2 > self.hosts.len()
    }
}

impl Words {
    /// Whether a link should be visited by its words. Asking counts.
    pub(crate) fn admits(&mut self, url: &Url) -> bool {
        words(url).all(|word| match self.seen.get_mut(&word) {
            Some(seen) if seen.promises_repetition() => {
                seen.turned_away += 1;
                seen.turned_away % TRIAL == 0
            }
            _ => true,
        })
    }

    /// Takes in what a page brought.
    pub(crate) fn learn(&mut self, host: HostId, url: &Url, is_new: bool) {
        for word in words(url) {
            if self.seen.len() >= MOST_WORDS && !self.seen.contains_key(&word) {
                continue;
            }
            self.seen.entry(word).or_default().learn(host, is_new);
        }
    }
}

/// The folders of a link and the names of its parameters, without those that are numbers.
fn words(url: &Url) -> impl Iterator<Item = u64> {
    let folders = url.path().rsplit_once('/').unwrap_or_default().0.split('/');
    let folders = folders.filter(|it| !it.is_empty() && !it.bytes().any(|it| it.is_ascii_digit()));
    let names = url.query().into_iter().flat_map(|it| it.split('&'));
    let names = names.map(|it| it.split_once('=').map_or(it, |it| it.0));
    let folders = folders.map(|it| xxh3_64(it.as_bytes()));
    // A folder and a parameter of the same name are two words.
    folders.chain(names.map(|it| !xxh3_64(it.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn a_word_under_which_nothing_is_new_is_found_out_across_hosts() {
        let mut words = Words::default();
        for host in 0..6 {
            words.learn(HostId(host), &url("http://a.example/news/7"), true);
            words.learn(HostId(host), &url("http://a.example/druck/7"), false);
        }
        assert!(words.admits(&url("http://other.example/news/7")));
        assert!(!words.admits(&url("http://other.example/druck/7")));
    }

    #[test]
    fn what_one_host_does_says_nothing_of_others() {
        let mut words = Words::default();
        (0..100).for_each(|_| words.learn(HostId(1), &url("http://a.example/archive/7"), false));
        assert!(words.admits(&url("http://other.example/archive/7")));
    }

    #[test]
    fn a_word_gets_another_chance_now_and_then() {
        let mut words = Words::default();
        (0..20).for_each(|it| words.learn(HostId(it), &url("http://a.example/?ort=x"), false));
        let admitted = (0..240).filter(|_| words.admits(&url("http://a.example/?ort=y"))).count();
        assert_eq!(admitted, 10);
    }

    #[test]
    fn a_word_that_mostly_brings_something_new_is_never_turned_away() {
        let mut words = Words::default();
        let learnt = url("http://a.example/p/?id=1");
        (0..1000).for_each(|it| words.learn(HostId(it % 10), &learnt, it % 4 == 0));
        assert!((0..100).all(|_| words.admits(&url("http://a.example/p/?id=2"))));
    }
}
