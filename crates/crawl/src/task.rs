//! A task: what to crawl, how, and how much.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fetch::UserAgent;
use frontier::{Delays, Entry, Rules, Scope};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::budget::Budget;
use crate::error::Error;
use crate::promise::promises_list;
use crate::registrants::Registrants;
use crate::revisit::Revisits;
use crate::schedule::Schedule;
use crate::user_info::{told, without_user_info};

/// What to crawl, how, and how much. It is what a task file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Task {
    /// What it is called; its folder and the files of its archive bear the name.
    pub name: String,
    /// The pages to begin with.
    pub seeds: Vec<String>,
    /// The region it is about, by key or name; several are one region together.
    pub region: Vec<String>,
    /// The file of the topic it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<PathBuf>,
    /// Which link is next. The usual one learns what the crawl looks for; if it looks for nothing in
    /// particular, what is nearer to a seed comes first.
    pub strategy: String,
    /// Who tells where those are at home who run hosts; the strategy "rank" asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registrants: Option<Registrants>,
    /// The folder of another crawl with whose model it begins. One that has learned by itself keeps to
    /// that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_from: Option<PathBuf>,
    /// How much it may spend.
    pub budget: Budget,
    /// When it runs.
    pub timing: Schedule,
    /// How many pages are fetched at a time.
    pub threads: usize,
    /// A proxy that all requests go through.
    pub proxy: Option<String>,
    /// Whether addresses of private networks may be asked.
    pub allow_private: bool,
    /// Who runs it: an e-mail address or the address of a page.
    pub contact: Option<String>,
    /// The program's name towards servers.
    pub user_agent: String,
    /// Whether places are looked for though there is no region.
    pub geoparse: bool,
    /// How hosts are treated.
    pub politeness: Politeness,
    /// What an answer may cost.
    pub limits: Limits,
    /// How often pages are looked at again.
    pub revisits: Revisits,
    /// How links are written in one way.
    pub links: Rules,
    /// Which links belong to the crawl at all.
    pub scope: Scope,
}

impl Default for Task {
    fn default() -> Self {
        Self {
            name: "crawl".to_owned(),
            seeds: Vec::new(),
            region: Vec::new(),
            topic: None,
            strategy: "best".to_owned(),
            registrants: None,
            warm_from: None,
            budget: Budget::Unlimited,
            timing: Schedule::Once,
            threads: 64,
            proxy: None,
            allow_private: false,
            contact: None,
            user_agent: concat!("strabo/", env!("CARGO_PKG_VERSION")).to_owned(),
            geoparse: false,
            politeness: Politeness::default(),
            limits: Limits::default(),
            revisits: Revisits::default(),
            links: Rules::default(),
            scope: Scope::default(),
        }
    }
}

impl Task {
    /// Whether it looks for something in particular, so that pages are relevant or not.
    pub fn has_goal(&self) -> bool {
        !self.region.is_empty() || self.topic.is_some()
    }

    /// Whether folders and files can bear its name.
    pub fn check_name(&self) -> Result<(), Error> {
        crate::tasks::check_name(&self.name)
    }

    /// The pages to begin with, in normal form.
    pub fn check_seeds(&self) -> Result<Vec<Url>, Error> {
        let normal = |seed: &String| {
            let wrong = |reason| {
                let (seed, reason) = told(&self.links, seed, reason);
                Error::Seed { seed, reason }
            };
            self.links.normal_form(seed).map_err(wrong)
        };
        self.seeds.iter().map(normal).collect()
    }

    /// Whether its seeds are links that may be asked, as far as one can see without asking anybody.
    pub fn check_seeds_may_be_asked(&self) -> Result<(), Error> {
        let urls = self.check_seeds()?;
        if self.allow_private {
            return Ok(());
        }
        for (seed, url) in self.seeds.iter().zip(urls) {
            let refused = |reason| Error::PrivateSeed { seed: without_user_info(seed), reason };
            fetch::check_public(&url).map_err(refused)?;
        }
        Ok(())
    }

    /// Whether its times are times: a delay that makes no sense would be none, and hosts be asked without any.
    pub fn check_numbers(&self) -> Result<(), Error> {
        self.politeness.check()?;
        self.limits.check()?;
        self.revisits.check()
    }

    /// Whether its proxy is one.
    pub fn check_proxy(&self) -> Result<(), Error> {
        let url = self.proxy_url()?;
        Ok(url.as_ref().map_or(Ok(()), fetch::check_proxy)?)
    }

    /// Where its requests go through.
    pub(crate) fn proxy_url(&self) -> Result<Option<Url>, Error> {
        // What it says is not told: there may be a password in it, and nobody knows where.
        let wrong = |_| fetch::SettingsError::Proxy("what is given".to_owned());
        Ok(self.proxy.as_deref().map(Url::parse).transpose().map_err(wrong)?)
    }

    /// Makes its files findable from everywhere: they are named as seen from this folder.
    pub fn settle_paths(&mut self, folder: &Path) -> Result<(), Error> {
        let lists = self.registrants.as_mut().and_then(Registrants::file);
        let files = self.topic.iter_mut().chain(lists);
        for path in files.chain(&mut self.warm_from) {
            let whole = folder.join(&*path);
            *path = std::path::absolute(&whole).map_err(Error::file(whole))?;
        }
        Ok(())
    }

    /// Whether it says who runs it, where that has to be said.
    pub fn check_contact(&self) -> Result<(), Error> {
        self.user_agent().map(|_| ())
    }

    /// How it presents itself to servers.
    pub(crate) fn user_agent(&self) -> Result<UserAgent, Error> {
        match &self.contact {
            Some(contact) => Ok(UserAgent::new(&self.user_agent, contact)?),
            // Within one's own network nobody has to be told.
            None if self.stays_at_home() => {
                Ok(UserAgent::new(&self.user_agent, "https://localhost/")?)
            }
            None => Err(Error::NoContact),
        }
    }

    /// Whether it asks one's own network alone, by the looks of it: it begins there, or a program on
    /// this machine answers in the place of the web.
    fn stays_at_home(&self) -> bool {
        // What is no link is told as such, elsewhere.
        let is_private = |seed: &String| {
            self.links.normal_form(seed).map_or(true, |it| fetch::looks_private(&it))
        };
        let proxy = self.proxy.as_deref().and_then(|it| Url::parse(it).ok());
        proxy.is_some_and(|it| fetch::looks_like_loopback(&it))
            || self.allow_private && self.seeds.iter().all(is_private)
    }
}

/// How hosts are treated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Politeness {
    /// The shortest time between two requests to one host, in seconds; 0 turns politeness off.
    pub delay: f64,
    /// The longest delay that a slow answer leads to, in seconds.
    pub longest_delay: f64,
    /// The longest delay wished for in a robots.txt that is granted, in seconds.
    pub longest_wish: f64,
    /// How many times the time of its last answers a host is left alone.
    pub per_answer: f64,
    /// How long a host is left alone that complains for the first time, in seconds.
    pub pause: f64,
    /// The longest that a host is left alone, in seconds.
    pub longest_pause: f64,
    /// How many connections to one host there may be; one is polite.
    pub connections: u16,
    /// How long to wait for hosts that do not answer when nothing else is left to do, in seconds.
    pub patience: f64,
}

/// A host that cannot tell its rules is asked for them again after its pause, which grows from time to time:
/// without any that would go on without end, even where nobody has to be polite.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// Whoever leaves a host alone for longer than so many times its last answers means `delay`.
const MOST_PER_ANSWER: f64 = 1e6;
const SHORTEST_LONGEST_PAUSE: Duration = Duration::from_secs(10);

impl Default for Politeness {
    fn default() -> Self {
        let delays = Delays::default();
        Self {
            delay: delays.least.as_secs_f64(),
            longest_delay: delays.most.as_secs_f64(),
            longest_wish: delays.longest_wish.as_secs_f64(),
            per_answer: delays.per_answer,
            pause: delays.first_pause.as_secs_f64(),
            longest_pause: delays.longest_pause.as_secs_f64(),
            connections: 1,
            // One pause is waited for, the second, of two minutes, is not.
            patience: 90.0,
        }
    }
}

impl Politeness {
    fn check(&self) -> Result<(), Error> {
        let times = [
            ("politeness.delay", self.delay),
            ("politeness.longest_delay", self.longest_delay),
            ("politeness.longest_wish", self.longest_wish),
            ("politeness.pause", self.pause),
            ("politeness.longest_pause", self.longest_pause),
            ("politeness.patience", self.patience),
        ];
        for (name, time) in times {
            check_number(name, time, "seconds", 0.0..=LONGEST)?;
        }
        check_number("politeness.per_answer", self.per_answer, "a number", 0.0..=MOST_PER_ANSWER)?;
        if self.connections == 0 {
            let way_out = "write 1 or more".to_owned();
            return Err(Error::Number { name: "politeness.connections", number: 0.0, way_out });
        }
        Ok(())
    }

    /// As the frontier has it.
    pub(crate) fn delays(&self) -> Delays {
        Delays {
            least: seconds(self.delay),
            most: seconds(self.longest_delay),
            longest_wish: seconds(self.longest_wish),
            per_answer: self.per_answer,
            first_pause: seconds(self.pause).max(SHORTEST_PAUSE),
            longest_pause: seconds(self.longest_pause).max(SHORTEST_LONGEST_PAUSE),
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        seconds(self.patience)
    }
}

/// With less time than this nobody can answer.
const SHORTEST_ANSWER: f64 = 0.001;

/// What an answer may cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The largest body, in bytes, as it is transferred.
    pub body: usize,
    /// The largest body, in bytes, when it is unpacked.
    pub unpacked: usize,
    /// The largest sitemap or feed, in bytes, as it is transferred and when it is unpacked.
    pub sitemap: usize,
    /// How long a whole answer may take, in seconds.
    pub seconds: f64,
    /// How many redirects are followed in a row.
    pub redirects: u8,
    /// How many answers of a page may fail before it is given up.
    pub tries: u8,
    /// How many links of one page are followed.
    pub links: usize,
    /// For how many links of one host there is room that only sitemaps and feeds name. There is more as its pages
    /// turn out to be new.
    pub listed: u64,
    /// The size of an archive file, in bytes.
    pub archive_file: u64,
    /// How often the state is written to disk, in seconds.
    pub commit: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: fetch::LARGEST_BODY,
            unpacked: 20 << 20,
            // The protocol: "Sitemaps should be no larger than 50 MB (52,428,800 bytes)", unpacked.
            sitemap: 52_428_800,
            seconds: 60.0,
            redirects: 5,
            tries: 3,
            links: 2_000,
            // Most sites have fewer pages; of the others so many keep a host busy for hours.
            listed: 20_000,
            archive_file: archive::Settings::default().rotate_at,
            commit: 1.0,
        }
    }
}

/// The longest time of a task file, in seconds: a hundred years, so that sums stay within the calendar.
pub(crate) const LONGEST: f64 = 100.0 * 365.25 * 86_400.0;

impl Limits {
    /// The largest body that a link may have, in bytes, as it is transferred.
    pub(crate) fn body_of(&self, entry: &Entry) -> usize {
        if promises_list(entry) { self.sitemap } else { self.body }
    }

    /// The same when it is unpacked.
    pub(crate) fn unpacked_of(&self, entry: &Entry) -> usize {
        if promises_list(entry) { self.sitemap } else { self.unpacked }
    }

    fn check(&self) -> Result<(), Error> {
        check_number("limits.seconds", self.seconds, "seconds", SHORTEST_ANSWER..=LONGEST)?;
        check_number("limits.commit", self.commit, "seconds", 0.0..=LONGEST)
    }
}

/// A time of a task file. [`Task::check_numbers`] refuses nonsense; where an earlier version has kept some,
/// what is too long is as long as can be, and the rest is none.
pub(crate) fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number.min(LONGEST)).unwrap_or_default()
}

/// Refuses a number that is not within these bounds.
pub(crate) fn check_number(
    name: &'static str,
    number: f64,
    unit: &'static str,
    bounds: RangeInclusive<f64>,
) -> Result<(), Error> {
    if bounds.contains(&number) {
        return Ok(());
    }
    let (least, most) = bounds.into_inner();
    Err(Error::Number { name, number, way_out: format!("write {unit} from {least} to {most}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seeds: &[&str], allow_private: bool, proxy: Option<&str>, needs_contact: bool) {
        let seeds = seeds.iter().map(|it| (*it).to_owned()).collect();
        let proxy = proxy.map(str::to_owned);
        let task = Task { seeds, proxy, allow_private, ..Task::default() };
        assert_eq!(task.check_contact().is_err(), needs_contact);
    }

    #[test]
    fn whoever_may_leave_the_own_network_says_who_it_is() {
        check(&["https://example.org/"], false, None, true);
        check(&["https://example.org/"], true, None, true);
        check(&["http://127.0.0.1:9/", "https://example.org/"], true, None, true);
        check(&["http://127.0.0.1:9/", "http://wiki.lan/"], true, None, false);
        check(&["http://127.0.0.1:9/"], false, None, true);
        check(&["https://example.org/"], false, Some("http://127.0.0.1:8090"), false);
        check(&["https://example.org/"], false, Some("http://proxy.lan:3128"), true);
        check(&["https://example.org/"], true, Some("http://proxy.example:3128"), true);
    }

    #[track_caller]
    fn check_numbers(settings: &str, expected: &str) {
        let task: Task = toml::from_str(settings).expect("a task");
        let told = task.check_numbers().map_err(|it| it.to_string());
        assert_eq!(told.err().unwrap_or_default(), expected, "{settings}");
    }

    #[test]
    fn a_time_that_makes_no_sense_is_refused() {
        check_numbers("", "");
        check_numbers("politeness.delay = 0\npoliteness.patience = 1e9\nlimits.commit = 0", "");
        check_numbers(
            "politeness.delay = -1",
            "politeness.delay is -1: write seconds from 0 to 3155760000",
        );
        for number in ["nan", "inf", "-inf", "1e300"] {
            for name in
                ["politeness.pause", "limits.seconds", "revisits.first", "politeness.per_answer"]
            {
                let task: Task = toml::from_str(&format!("{name} = {number}")).expect("a task");
                let told = task.check_numbers().expect_err("it is no time").to_string();
                assert!(told.starts_with(&format!("{name} is ")), "{told}");
            }
        }
        check_numbers("politeness.connections = 0", "politeness.connections is 0: write 1 or more");
    }

    #[test]
    fn paces_of_revisits_that_contradict_each_other_are_refused() {
        check_numbers("revisits.shortest = 5\nrevisits.longest = 5", "");
        check_numbers(
            "revisits.shortest = 48\nrevisits.longest = 24",
            "revisits.shortest is 48: write hours from 0 to 24",
        );
        check_numbers(
            "revisits.longest = 1e300",
            &format!("revisits.longest is 1{}: write hours from 0 to 876600", "0".repeat(300)),
        );
    }

    #[test]
    fn a_proxy_that_is_none_does_not_tell_its_password() {
        for proxy in [
            "http://me:secret@proxy:port",
            "http://me:secret",
            "http://me:sec#secret@proxy:99999",
            "me:secret@proxy:3128",
            "https://me:secret@proxy:3128",
            "secret",
        ] {
            let task = Task { proxy: Some(proxy.to_owned()), ..Task::default() };
            let told = task.check_proxy().expect_err("it is none").to_string();
            assert!(!told.contains("secret") && told.contains("write http://host:port"), "{told}");
        }
        let task =
            Task { proxy: Some("http://me:secret@proxy:3128".to_owned()), ..Task::default() };
        task.check_proxy().expect("it is one");
    }

    #[test]
    fn a_seed_that_cannot_be_read_or_asked_does_not_tell_its_password() {
        for seed in [
            "http://me:secret@no host/",
            "http://me:secret@a.example:port/",
            "http://me:sec/ret@a.example/",
            "http://me:secret@no host/@secret@a.example",
            "http://me:se/cret@no host/secret@/",
            "ftp://me:secret@a.example/",
            "http://me:secret@127.0.0.1/",
            "http://secret@localhost/@me",
            "me:secret@a b",
        ] {
            let task = Task { seeds: vec![seed.to_owned()], ..Task::default() };
            let told = task.check_seeds_may_be_asked().expect_err("it is none").to_string();
            assert!(told.contains("the seed ") && !told.contains("sec"), "{told}");
        }
    }

    #[test]
    fn a_region_and_a_topic_are_goals() {
        let region = Task { region: vec!["Oldenburg".to_owned()], ..Task::default() };
        let topic = Task { topic: Some("tides.toml".into()), ..Task::default() };
        assert_eq!([Task::default(), region, topic].map(|it| it.has_goal()), [false, true, true]);
    }
}
