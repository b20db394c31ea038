//! How links that look alike have done so far, and how near hosts come to what is looked for.

use std::collections::HashMap;

use page::Area;
use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::best_note::Promise;
use crate::term::Term;

/// How many kinds of groups there are.
pub(crate) const KINDS: usize = 3;
/// What they are called.
const NAMES: [&str; KINDS] = ["host", "folder", "siblings"];
/// So many groups of each kind are remembered, some fifty megabytes in all. Siblings are most, and soon
/// of no use any more; none of them takes the place of a host.
const MOST_GROUPS: [usize; KINDS] = [1 << 18, 1 << 19, 1 << 20];
/// So many hosts are remembered, some ten megabytes: also those of which links were met alone.
const MOST_HOSTS: usize = 1 << 18;
/// The names of so many parameters tell one script from another.
const MOST_PARAMETERS: usize = 8;
/// What is expected of a host that bears the name of a place of the region before it was tried, and of
/// any other: guesses, which two pages of the host outweigh.
const PROMISED: f32 = 0.3;
const NOT_PROMISED: f32 = 0.05;
/// A guess counts as much as so many pages.
const GUESSES: f32 = 2.0;
/// The terms of groups are numbers from here on.
const FIRST_TERM: u32 = 0xfffe_0000;
/// Those of how near a host comes are numbers from here on, those of how large it is, and near, or rich.
const FIRST_NEAR: u32 = 0xfffd_0000;
const FIRST_LARGE_AND_NEAR: u32 = 0xfffc_0000;
const FIRST_LARGE_AND_RICH: u32 = 0xfffb_0000;

/// The groups that a link belongs to: those of its host, those of its folder there, and those that look
/// like it on the page where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Groups(pub(crate) [u32; KINDS]);

impl Groups {
    /// Those of a link on a page, in this part of it.
    pub(crate) fn of(source: &Url, area: Option<Area>, url: &Url) -> Self {
        let host = xxh3_64(url.host_str().unwrap_or_default().as_bytes());
        let folder = host ^ shape(url);
        let mut siblings = Xxh3::new();
        siblings.update(source.as_str().as_bytes());
        siblings.update(&[area.map_or(u8::MAX, |it| it as u8)]);
        siblings.update(&folder.to_le_bytes());
        Self([host as u32, folder as u32, siblings.digest() as u32])
    }
}

/// What a URL shares with others of its kind: its folders, with any number as `#`, of what its last part
/// is made, and the names of its parameters.
fn shape(url: &Url) -> u64 {
    let mut hash = Xxh3::new();
    let (folders, last) = url.path().rsplit_once('/').unwrap_or_default();
    write(folders, &mut hash);
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let has_number = stem.bytes().any(|it| it.is_ascii_digit());
    hash.update(&[b'/', u8::from(stem.is_empty()), u8::from(has_number)]);
    hash.update(extension.as_bytes());
    let parameters = url.query().unwrap_or_default().split('&');
    for parameter in parameters.filter(|it| !it.is_empty()).take(MOST_PARAMETERS) {
        hash.update(b"?");
        write(parameter.split('=').next().unwrap_or_default(), &mut hash);
    }
    hash.digest()
}

/// Feeds a text to a hash, any run of digits as one `#`.
fn write(text: &str, hash: &mut Xxh3) {
    let mut was_digit = false;
    for byte in text.bytes() {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && was_digit) {
            hash.update(&[if is_digit { b'#' } else { byte }]);
        }
        was_digit = is_digit;
    }
}

/// How many pages of a group were visited, and how many of them were relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yield {
    pub(crate) visited: u32,
    pub(crate) relevant: u32,
}

impl Yield {
    /// Both, roughly: how many, and which part. The borders are guesses, closer where few pages tell much.
    fn class(self) -> (u32, u32) {
        let visited = match self.visited {
            few @ 0..=2 => few,
            3..=4 => 3,
            5..=9 => 4,
            10..=29 => 5,
            _ => 6,
        };
        let part = match self.relevant * 100 / self.visited.max(1) {
            _ if self.relevant == 0 => 0,
            0..=10 => 1,
            11..=30 => 2,
            31..=60 => 3,
            _ => 4,
        };
        (visited, part)
    }

    /// Whether another class may begin here: the first few pages, then ever fewer.
    fn is_news(self) -> bool {
        let is_step = |it: u32| {
            it < 4 || it.is_power_of_two() || it.is_multiple_of(3) && (it / 3).is_power_of_two()
        };
        is_step(self.visited) || self.relevant > 0 && is_step(self.relevant)
    }
}

/// What a host is like: how many of its links were met, and how near its pages come to what is looked
/// for, those that name any place, and what they sum up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Host {
    links: u32,
    pages: u32,
    sum: f32,
}

impl Host {
    /// How many pages name any place, and how near they come, roughly.
    fn near(self) -> u32 {
        let pages = match self.pages {
            few @ 0..=2 => few,
            3..=5 => 3,
            _ => 4,
        };
        pages << 4 | self.near_class()
    }

    fn near_class(self) -> u32 {
        near_class(self.sum / self.pages.max(1) as f32)
    }

    /// How many links were met, roughly: a firm has a few pages, a directory of a town has hundreds.
    fn size(self) -> u32 {
        [4, 10, 20, 40, 100, 250].iter().filter(|it| self.links >= **it).count() as u32
    }
}

/// How near something comes, roughly, in [`NEAR_CLASSES`] steps. The borders are guesses: next to nothing,
/// a little, near a half, most.
pub(crate) fn near_class(nearness: f32) -> u32 {
    [0.01, 0.15, 0.4, 0.75].iter().filter(|it| nearness >= **it).count() as u32
}

/// How many steps there are.
pub(crate) const NEAR_CLASSES: usize = 5;

/// The name of a term that tells how a group has done or what a host is like; nothing for other terms.
pub(crate) fn name_of(term: Term) -> Option<String> {
    const VISITED: [&str; 7] = ["0", "1", "2", "3-4", "5-9", "10-29", "30+"];
    const PARTS: [&str; 5] = ["none", "up to 10 %", "up to 30 %", "up to 60 %", "most"];
    const PROMISES: [&str; 5] =
        ["", " (no promise)", " (in host)", " (beside)", " (in host and beside)"];
    const PAGES: [&str; 5] = ["0", "1", "2", "3-5", "6+"];
    const SIZES: [&str; 7] = ["0-3", "4-9", "10-19", "20-39", "40-99", "100-249", "250+"];
    const NEAR: [&str; NEAR_CLASSES + 1] = ["0", "0.01+", "0.15+", "0.4+", "0.75+", "none"];
    let digit = |at: u32| (term.0 >> (4 * at) & 0xf) as usize;
    let (visited, part) = (VISITED.get(digit(1)), PARTS.get(digit(0)));
    Some(match term.0 & 0xffff_0000 {
        FIRST_TERM => {
            let (group, promise) = (NAMES.get(digit(2))?, PROMISES.get(digit(3))?);
            format!("yield:{group} {} of {}{promise}", part?, visited?)
        }
        FIRST_NEAR => format!("host:near {} on {}", NEAR.get(digit(0))?, PAGES.get(digit(1))?),
        FIRST_LARGE_AND_NEAR => {
            let promise = if digit(0) == 1 { " (in host)" } else { "" };
            format!("host:links {} near {}{promise}", SIZES.get(digit(2))?, NEAR.get(digit(1))?)
        }
        FIRST_LARGE_AND_RICH => {
            format!("host:links {} with {} of {}", SIZES.get(digit(2))?, part?, visited?)
        }
        _ => return None,
    })
}

/// How all groups have done so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Yields {
    groups: [HashMap<u32, Yield>; KINDS],
    hosts: HashMap<u32, Host>,
}

/// Makes room for one more, if there is none: forgets half of what is known, first that of which least
/// was seen.
fn make_room<T>(known: &mut HashMap<u32, T>, most: usize, seen: impl Fn(&T) -> u32) {
    if known.len() < most {
        return;
    }
    let mut least = 1;
    while known.len() > most / 2 {
        known.retain(|_, it| u64::from(seen(it)) > least);
        least *= 2;
    }
}

impl Yields {
    /// Takes in what a link has led to: whether it is looked for, and how near it comes.
    pub(crate) fn add(&mut self, groups: Groups, is_relevant: bool, nearness: Option<f32>) {
        if let Some(nearness) = nearness.filter(|it| it.is_finite()) {
            let host = self.host_mut(groups);
            host.pages = host.pages.saturating_add(1);
            host.sum += nearness;
        }
        for (kind, group) in groups.0.into_iter().enumerate() {
            let all = &mut self.groups[kind];
            if !all.contains_key(&group) {
                make_room(all, MOST_GROUPS[kind], |it| it.visited);
            }
            let known = all.entry(group).or_default();
            known.visited = known.visited.saturating_add(1);
            known.relevant = known.relevant.saturating_add(u32::from(is_relevant));
        }
    }

    /// Takes in a link that was not met before.
    pub(crate) fn meet(&mut self, groups: Groups) {
        let host = self.host_mut(groups);
        host.links = host.links.saturating_add(1);
    }

    /// What a host is like.
    fn host_mut(&mut self, groups: Groups) -> &mut Host {
        let host = groups.0[0];
        if !self.hosts.contains_key(&host) {
            make_room(&mut self.hosts, MOST_HOSTS, |it| it.links.max(it.pages));
        }
        self.hosts.entry(host).or_default()
    }

    /// Terms that tell how each group has done, by itself and together with what the link promises: of
    /// a host that bears the region's name, more is to be expected than it has shown at first.
    pub(crate) fn terms(&self, groups: Groups, promise: Promise) -> [Term; 2 * KINDS] {
        std::array::from_fn(|at| {
            let kind = at % KINDS;
            let (visited, part) = self.of(kind, groups).class();
            let promise = if at < KINDS { 0 } else { 1 + u32::from(promise.0 & 3) };
            Term(FIRST_TERM | promise << 12 | (kind as u32) << 8 | visited << 4 | part)
        })
    }

    /// Terms that tell what the host of a link is like: how near it comes to what is looked for, and how large
    /// it is together with how near it comes, and with how it has done. Of a large host not much is known
    /// after a few pages.
    pub(crate) fn host(&self, groups: Groups, promise: Promise) -> [Term; 3] {
        let host = self.hosts.get(&groups.0[0]).copied().unwrap_or_default();
        let near = if host.pages == 0 { NEAR_CLASSES as u32 } else { host.near_class() };
        let (visited, part) = self.of(0, groups).class();
        let size = host.size() << 8;
        [
            Term(FIRST_NEAR | host.near()),
            Term(FIRST_LARGE_AND_NEAR | size | near << 4 | u32::from(promise.is_in_host())),
            Term(FIRST_LARGE_AND_RICH | size | visited << 4 | part),
        ]
    }

    /// What may be hoped for from a link about which nothing else is known: as much as others of its
    /// folder have brought, and as long as these are few, as much as its host has.
    pub(crate) fn hope(&self, groups: Groups, promise: Promise) -> f32 {
        let guess = if promise.is_in_host() { PROMISED } else { NOT_PROMISED };
        let share = |it: Yield, guess: f32| {
            (it.relevant as f32 + guess * GUESSES) / (it.visited as f32 + GUESSES)
        };
        share(self.of(1, groups), share(self.of(0, groups), guess))
    }

    /// Whether the links of the host are to be valued anew.
    pub(crate) fn is_news(&self, groups: Groups) -> bool {
        self.of(0, groups).is_news()
    }

    /// How each group has done, in words.
    pub(crate) fn in_words(&self, groups: Groups) -> String {
        let one = |kind: usize| {
            let Yield { visited, relevant } = self.of(kind, groups);
            format!("{} {relevant} of {visited}", NAMES[kind])
        };
        (0..KINDS).map(one).collect::<Vec<_>>().join(", ")
    }

    fn of(&self, kind: usize, groups: Groups) -> Yield {
        self.groups[kind].get(&groups.0[kind]).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(source: &str, url: &str) -> [u32; KINDS] {
        let parse = |it: &str| Url::parse(it).unwrap();
        Groups::of(&parse(source), Some(Area::Main), &parse(url)).0
    }

    #[track_caller]
    fn check(one: &str, other: &str, expected: [bool; KINDS]) {
        let (one, other) = (groups("http://a.example/", one), groups("http://a.example/", other));
        assert_eq!(std::array::from_fn(|kind| one[kind] == other[kind]), expected);
    }

    #[test]
    fn links_that_look_alike_are_one_group() {
        check("http://a.example/firms/1.html", "http://a.example/firms/22.html", [true; 3]);
        check("http://a.example/p7/x", "http://a.example/p12/y", [true; 3]);
        check("http://a.example/?id=1&c=a", "http://a.example/?id=2&c=b", [true; 3]);
        check("http://a.example/firms/1", "http://a.example/news/1", [true, false, false]);
        check("http://a.example/firms/1", "http://a.example/firms/", [true, false, false]);
        check("http://a.example/x?id=1", "http://a.example/x?page=1", [true, false, false]);
        check("http://a.example/1", "http://b.example/1", [false; 3]);
    }

    #[test]
    fn siblings_stand_on_one_page() {
        let one = groups("http://a.example/list", "http://b.example/firms/1");
        let other = groups("http://a.example/menu", "http://b.example/firms/2");
        assert_eq!(one[..2], other[..2]);
        assert_ne!(one[2], other[2]);
    }

    #[test]
    fn a_yield_is_told_in_words_and_in_terms() {
        let mut yields = Yields::default();
        let groups = Groups([1, 2, 3]);
        let before = yields.terms(groups, Promise::of(false, false));
        yields.add(groups, true, None);
        yields.add(Groups([1, 2, 4]), false, None);
        assert_eq!(yields.in_words(groups), "host 1 of 2, folder 1 of 2, siblings 1 of 1");
        assert_ne!(yields.terms(groups, Promise::of(false, false)), before);
        let promised = yields.terms(groups, Promise::of(true, false));
        assert_eq!(yields.terms(groups, Promise::of(false, false))[..KINDS], promised[..KINDS]);
        assert_ne!(yields.terms(groups, Promise::of(false, false))[KINDS..], promised[KINDS..]);
    }

    #[test]
    fn every_term_of_groups_has_a_name() {
        let mut yields = Yields::default();
        let groups = Groups([1, 2, 3]);
        let promise = Promise::of(true, false);
        let names = |yields: &Yields| {
            let terms =
                yields.terms(groups, promise).into_iter().chain(yields.host(groups, promise));
            terms.map(|it| name_of(it).expect("it has one")).collect::<Vec<_>>()
        };
        assert_eq!(names(&yields)[0], "yield:host none of 0");
        (0..50).for_each(|_| yields.meet(groups));
        (0..6).for_each(|it| yields.add(groups, it > 2, Some(0.5)));
        let names = names(&yields);
        assert_eq!(names[0], "yield:host up to 60 % of 5-9");
        assert_eq!(names[5], "yield:siblings up to 60 % of 5-9 (in host)");
        let of_host = [
            "host:near 0.4+ on 6+",
            "host:links 40-99 near 0.4+ (in host)",
            "host:links 40-99 with up to 60 % of 5-9",
        ];
        assert_eq!(names[6..], of_host);
        assert_eq!(name_of(Term::of("any")), None);
    }

    #[test]
    fn siblings_without_end_take_no_room_from_hosts() {
        let mut yields = Yields::default();
        (0..2).for_each(|_| yields.add(Groups([1, 1, 1]), true, None));
        for it in 0..=MOST_GROUPS[2] as u32 {
            yields.add(Groups([2, 2, it + 2]), false, None);
        }
        assert!(yields.groups[2].len() <= MOST_GROUPS[2] / 2 + 1);
        yields.add(Groups([3, 3, 3]), true, None);
        assert_eq!(
            yields.in_words(Groups([3, 3, 3])),
            "host 1 of 1, folder 1 of 1, siblings 1 of 1"
        );
        let words = yields.in_words(Groups([1, 1, 1]));
        assert_eq!(words, "host 2 of 2, folder 2 of 2, siblings 2 of 2", "more was seen of it");
    }

    #[test]
    fn room_is_made_whatever_was_seen() {
        let mut known: HashMap<u32, u32> = (0..8).map(|it| (it, u32::MAX)).collect();
        make_room(&mut known, 8, |it| *it);
        assert!(known.is_empty());
    }

    #[test]
    fn a_host_comes_as_near_as_its_pages_that_name_a_place() {
        let mut yields = Yields::default();
        let near = |yields: &Yields| {
            yields.host(Groups([1, 2, 3]), Promise::of(false, false))[0].0 - FIRST_NEAR
        };
        assert_eq!(near(&yields), 0);
        for (nearness, class) in
            [(Some(1.0), 1 << 4 | 4), (None, 1 << 4 | 4), (Some(0.0), 2 << 4 | 3)]
        {
            yields.add(Groups([1, 5, 6]), false, nearness);
            assert_eq!(near(&yields), class);
        }
        assert_eq!(near_class(1.0) as usize, NEAR_CLASSES - 1);
    }

    #[test]
    fn a_host_is_as_large_as_links_were_met() {
        let mut yields = Yields::default();
        let groups = Groups([1, 2, 3]);
        let terms = |yields: &Yields| yields.host(groups, Promise::of(true, false)).map(|it| it.0);
        assert_eq!(terms(&yields)[1], FIRST_LARGE_AND_NEAR | 5 << 4 | 1);
        (0..40).for_each(|it| yields.meet(Groups([1, it, it])));
        yields.add(groups, true, Some(0.2));
        assert_eq!(terms(&yields)[1], FIRST_LARGE_AND_NEAR | 4 << 8 | 2 << 4 | 1);
        assert_eq!(terms(&yields)[2], FIRST_LARGE_AND_RICH | 4 << 8 | 1 << 4 | 4);
    }

    #[test]
    fn news_come_ever_more_rarely() {
        let steps = |visited| Yield { visited, relevant: 0 }.is_news();
        let news: Vec<u32> = (1..100).filter(|it| steps(*it)).collect();
        assert_eq!(news, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96]);
    }
}
