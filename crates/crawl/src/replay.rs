//! What the archive has and the frontier has not heard of, heard of again when a crawl is opened.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use archive::{Position, Record};
use frontier::{Moment, State};
use url::Url;

use crate::answer::Answer;
use crate::counters::Counters;
use crate::desk::Desk;
use crate::error::Error;
use crate::goal::Goal;
use crate::mishap;
use crate::reading::{Reader, Reading};
use crate::sitemaps::{sitemap, sitemaps};
use crate::task::Task;

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
    /// What it has heard by half now. Then nothing else is heard, and nothing is to be committed.
    pub(crate) broken: Option<Position>,
    pub(crate) result: Result<(), Error>,
}

impl Replay<'_> {
    /// Hears of a record of the archive.
    pub(crate) fn hear(&mut self, position: &Position, record: &Record) {
        if self.result.is_err() || self.broken.is_some() || self.heard.contains(position) {
            return;
        }
        if self.skipped.contains(position) {
            self.result = self.pass_over(record);
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| self.try_hear(record))) {
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

    fn try_hear(&mut self, record: &Record) -> Result<(), Error> {
        let Some(url) = record.target.as_deref().and_then(|it| Url::parse(it).ok()) else {
            return Ok(());
        };
        match record.kind {
            archive::Kind::Response | archive::Kind::Revisit => {
                let Some(http) = record.http_within(self.task.limits.unpacked) else {
                    return Ok(());
                };
                self.hear_answer(&Answer::archived(url, record, http))
            }
            archive::Kind::Metadata => self.hear_failure(&url, record),
            _ => Ok(()),
        }
    }

    fn hear_answer(&mut self, answer: &Answer) -> Result<(), Error> {
        if answer.url.path() == "/robots.txt" && answer.url.query().is_none() {
            let host = self.desk.frontier.host_of(&answer.url)?;
            let standing = answer.standing(self.token);
            // Which link it was asked for is not known any more: it counts as a seed.
            let found = sitemaps(self.task, &answer.url, &standing);
            let found = found.into_iter().map(sitemap);
            self.desk.add_sitemaps(self.counters, found, answer.at)?;
            return self.desk.set_standing(host, standing, answer.at);
        }
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
        let reading = reader.read(self.counters, &entry, answer);
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
        self.desk.deal_with(self.goal, self.counters, id, answer, reading, answer.at)?;
        Ok(())
    }

    fn hear_failure(&mut self, url: &Url, record: &Record) -> Result<(), Error> {
        let text = String::from_utf8_lossy(&record.body);
        let class = text.lines().find_map(|it| it.strip_prefix("error: "));
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
        self.desk.deal_with_failure(self.counters, id, class.trim(), at, at)
    }
}
