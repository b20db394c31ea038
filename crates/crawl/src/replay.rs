//! What the archive has and the frontier has not heard of, heard of again when a crawl is opened.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use archive::{Position, Record};
use frontier::{Moment, State};
use url::Url;

use crate::answer::{Answer, LARGEST_ROBOTS};
use crate::counters::Counters;
use crate::desk::Desk;
use crate::error::Error;
use crate::goal::Goal;
use crate::mishap;
use crate::reading::{Reader, Reading};
use crate::sitemaps::{sitemap, sitemaps};
use crate::task::Task;

/// The field beside an answer that tells which host was asked for its rules by it.
pub(crate) const ROBOTS_OF: &str = "robotsOf";

/// Brings the frontier up to date with what the archive has.
pub(crate) struct Replay<'a> {
    pub(crate) task: &'a Task,
    pub(crate) goal: &'a Goal,
    pub(crate) counters: &'a Counters,
    pub(crate) desk: &'a mut Desk,
    pub(crate) token: &'a str,
    /// What it has heard of before.
    pub(crate) heard: HashSet<&'a Position>,
    /// What it has heard by half before, by an error of the program: that would happen again.
    pub(crate) skipped: &'a HashSet<Position>,
    /// An answer, until it is known what it was asked for: that is told behind it.
    pub(crate) waiting: Option<Waiting>,
    /// What it has heard by half now. Then nothing else is heard, and nothing is to be committed.
    pub(crate) broken: Option<Position>,
    pub(crate) result: Result<(), Error>,
}

/// An answer of which it is not known yet what it was asked for.
pub(crate) struct Waiting {
    position: Position,
    answer: Answer,
    /// How much of it is read if it is no robots.txt.
    unpacked: usize,
}

impl Replay<'_> {
    /// Hears of a record of the archive.
    pub(crate) fn hear(&mut self, position: &Position, record: &Record) {
        let goes_with = record.headers.get("WARC-Concurrent-To").is_some();
        if goes_with && record.kind != archive::Kind::Metadata {
            return;
        }
        self.hear_waiting(goes_with.then_some(record));
        if goes_with || self.is_over() || self.heard.contains(position) {
            return;
        }
        if self.skipped.contains(position) {
            self.result = self.pass_over(record);
            return;
        }
        self.guard(position, |it| it.try_hear(position, record));
    }

    /// There is nothing behind the last record.
    pub(crate) fn end(&mut self) {
        self.hear_waiting(None);
    }

    /// Hears of the answer that waits, if there is one; with what is told about it.
    fn hear_waiting(&mut self, told: Option<&Record>) {
        let Some(waiting) = self.waiting.take().filter(|_| !self.is_over()) else { return };
        let robots_of = told.and_then(|it| field(it, ROBOTS_OF));
        let robots_of = robots_of.and_then(|it| Url::parse(&it).ok());
        let position = waiting.position.clone();
        self.guard(&position, |it| it.hear_answer(waiting, robots_of.as_ref()));
    }

    fn is_over(&self) -> bool {
        self.result.is_err() || self.broken.is_some()
    }

    /// Deals with what lies at a position, or keeps that it cannot be dealt with.
    fn guard(&mut self, position: &Position, work: impl FnOnce(&mut Self) -> Result<(), Error>) {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => self.result = result,
            Err(_) => self.broken = Some(position.clone()),
        }
    }

    /// Gives up the link of a record that cannot be dealt with.
    fn pass_over(&mut self, record: &Record) -> Result<(), Error> {
        let Some(url) = record.target.as_deref().and_then(|it| Url::parse(it).ok()) else {
            return Ok(());
        };
        self.counters.error(mishap::CLASS);
        let Some((id, _)) = self.desk.frontier.find(&url)? else { return Ok(()) };
        Ok(self.desk.frontier.finish(id, mishap::outcome(), Moment::default())?)
    }

    fn try_hear(&mut self, position: &Position, record: &Record) -> Result<(), Error> {
        let Some(url) = record.target.as_deref().and_then(|it| Url::parse(it).ok()) else {
            return Ok(());
        };
        match record.kind {
            archive::Kind::Response | archive::Kind::Revisit => {
                let limits = &self.task.limits;
                let found = self.desk.frontier.find(&url)?;
                let unpacked = found.map_or(limits.unpacked, |it| limits.unpacked_of(&it.1));
                let largest = unpacked.max(LARGEST_ROBOTS);
                let Some(http) = record.http_within(largest) else { return Ok(()) };
                let answer = Answer::archived(url, record, http);
                self.waiting = Some(Waiting { position: position.clone(), answer, unpacked });
                Ok(())
            }
            archive::Kind::Metadata => self.hear_failure(&url, record),
            _ => Ok(()),
        }
    }

    fn hear_answer(&mut self, waiting: Waiting, robots_of: Option<&Url>) -> Result<(), Error> {
        let Waiting { mut answer, unpacked, .. } = waiting;
        let is_robots = answer.url.path() == "/robots.txt" && answer.url.query().is_none();
        if let Some(host) = robots_of.or(is_robots.then_some(&answer.url)) {
            return self.hear_robots(host, &answer);
        }
        answer.cut_at(unpacked);
        let Some((id, entry)) = self.desk.frontier.find(&answer.url)? else { return Ok(()) };
        if entry.visit.as_ref().is_some_and(|it| it.at >= answer.at) {
            return Ok(());
        }
        let reader = Reader {
            goal: self.goal,
            rules: &self.task.links,
            most_links: self.task.limits.links,
            token: self.token,
        };
        let reading = reader.read(self.counters, &entry, &answer);
        if let Reading::Page(page) = &reading
            && page.judgement.relevant == Some(true)
        {
            self.counters.relevant.fetch_add(1, Ordering::Relaxed);
        }
        if matches!(reading, Reading::Page(_) | Reading::Unchanged) {
            self.counters.read.fetch_add(1, Ordering::Relaxed);
        }
        self.counters.pages.fetch_add(1, Ordering::Relaxed);
        self.counters.bytes.fetch_add(answer.size, Ordering::Relaxed);
        self.desk.deal_with(self.goal, self.counters, id, &answer, reading, answer.at)?;
        Ok(())
    }

    /// A host was asked for its rules. If it led on, they are in another answer.
    fn hear_robots(&mut self, url: &Url, answer: &Answer) -> Result<(), Error> {
        let host = self.desk.frontier.host_of(url)?;
        let standing = answer.standing(self.token);
        // Which link it was asked for is not known any more: it counts as a seed.
        let found = sitemaps(self.task, url, &standing).into_iter().map(sitemap);
        self.desk.add_sitemaps(self.counters, found, answer.at)?;
        self.desk.set_standing(host, standing, answer.at)
    }

    fn hear_failure(&mut self, url: &Url, record: &Record) -> Result<(), Error> {
        let class = field(record, "error");
        let (Some(class), Some((id, entry))) = (class, self.desk.frontier.find(url)?) else {
            return Ok(());
        };
        let at = record.date.map(crate::clock::moment).unwrap_or_default();
        let is_open = match entry.state {
            State::Queued => true,
            // It was put off, and this is the attempt after that.
            State::Waiting(until) => until <= at,
            _ => false,
        };
        if !is_open || entry.visit.as_ref().is_some_and(|it| it.at >= at) {
            return Ok(());
        }
        self.desk.deal_with_failure(self.counters, id, &class, at, at)
    }
}

/// A field of a record that tells about another one.
fn field(record: &Record, name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&record.body);
    let fields = text.lines().filter_map(|it| it.split_once(": "));
    fields.filter(|it| it.0 == name).map(|it| it.1.trim().to_owned()).next()
}
