//! The visit of a link: whether it may be made, and what becomes of the answer.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fetch::{FetchError, Request, Response};
use frontier::{Ended, Entry, Kind, LinkId, Moment, Taken};
use url::Url;

use super::Shared;
use crate::answer::Answer;
use crate::desk::SLICE;
use crate::error::Error;
use crate::reading::{List, Reader, Reading, is_wanted};
use crate::setback::Setback;
use crate::slots::Slot;

/// Bodies above this are read on a thread where they keep nobody waiting.
const LARGE: usize = 256 << 10;
/// When to look again whether a host has told its rules.
const SOON: Duration = Duration::from_millis(20);
/// What pages are asked for.
const PAGES: &str = "text/html,application/xhtml+xml,text/plain;q=0.5";
/// What seeds are asked for, which may be lists as well.
const SEEDS: &str = "text/html,application/xhtml+xml,text/plain;q=0.5,application/rss+xml;q=0.4,\
                     application/atom+xml;q=0.4,application/xml;q=0.4";
/// What sitemaps are asked for.
const LISTS: &str =
    "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain,*/*;q=0.1";

/// Whether a link is to be visited.
enum Verdict {
    /// Yes.
    Go,
    /// The host has to be asked for its rules first.
    Ask,
    /// The host is being asked for its rules.
    Wait,
    /// Its host forbids it.
    Forbidden(String),
    /// Its like have brought nothing.
    NotWorthIt(&'static str),
}

impl Shared {
    /// Visits a link, or finds out whether it may. While it waits for long its slot is lent.
    pub(super) async fn visit(&self, taken: Taken, slot: &mut Slot) -> Result<(), Error> {
        let Ok(url) = Url::parse(&taken.entry.url) else {
            return self.drop_link(&taken, "no link");
        };
        if taken.address.is_none() && !self.locate(&taken, &url).await? {
            return Ok(());
        }
        let now = self.clock.now();
        match self.verdict(&taken, &url, now)? {
            Verdict::Ask => self.ask_manners(&taken, &url, slot).await,
            Verdict::Wait => {
                tokio::time::sleep(SOON).await;
                self.give_back(taken.id)
            }
            Verdict::Forbidden(reason) => {
                self.counters.filtered("robots.txt");
                self.drop_link(&taken, &reason)
            }
            Verdict::NotWorthIt(reason) => {
                self.counters.filtered(reason);
                self.drop_link(&taken, reason)
            }
            Verdict::Go => self.fetch(taken, url, slot).await,
        }
    }

    /// Finds out where a host is that was never asked, so that its server is not asked by way of many
    /// names at once. Tells whether the link may be visited; if not, it waits for its turn again.
    async fn locate(&self, taken: &Taken, url: &Url) -> Result<bool, Error> {
        let Some(address) = self.client.locate(url).await else { return Ok(true) };
        Ok(self.desk().frontier.locate(taken.id, address, self.clock.now())?)
    }

    /// Whether a link is to be visited now.
    fn verdict(&self, taken: &Taken, url: &Url, now: Moment) -> Result<Verdict, Error> {
        let mut desk = self.desk();
        let host = taken.entry.host;
        let Some(standing) = desk.standing(host, now)? else {
            return Ok(if desk.is_asked(host) { Verdict::Wait } else { Verdict::Ask });
        };
        let verdict = standing.verdict(&url[url::Position::BeforePath..url::Position::AfterQuery]);
        if !verdict.allowed {
            return Ok(Verdict::Forbidden(verdict.ground.to_string()));
        }
        Ok(match desk.is_worth_it(&taken.entry, url)? {
            Ok(()) => Verdict::Go,
            Err(reason) => Verdict::NotWorthIt(reason),
        })
    }

    /// A link that is not to be visited.
    fn drop_link(&self, taken: &Taken, reason: &str) -> Result<(), Error> {
        self.setbacks.note(taken, || Setback::dropped(reason));
        self.desk().drop_link(taken.id, &taken.entry, reason, self.clock.now())
    }

    /// Fetches a link, keeps the answer and deals with it.
    async fn fetch(&self, taken: Taken, url: Url, slot: &mut Slot) -> Result<(), Error> {
        let entry = &taken.entry;
        let known = entry.visit.as_ref();
        let wanted = |head: fetch::Head<'_>| is_wanted(entry, head);
        let request = Request {
            etag: known.and_then(|it| it.etag.as_deref()),
            last_modified: known.and_then(|it| it.last_modified.as_deref()),
            accept: match entry.kind {
                Kind::Sitemap => LISTS,
                Kind::Page if entry.depth == 0 => SEEDS,
                Kind::Page => PAGES,
            },
            wanted: &wanted,
            largest_body: Some(self.task.limits.body_of(entry)),
            // A question that is put twice is two questions to the host.
            asks_twice: self.task.politeness.delay == 0.0,
            ..Request::new(&url)
        };
        let Some((at, answer)) = self.ask(&taken, request, slot).await else {
            return self.give_back(taken.id);
        };
        match answer {
            Err(error) if error.is_ours() => self.our_fault(taken.id, &error, slot).await,
            // The host may have hung up before it heard us: it is asked again when its delay is over.
            Err(FetchError::Closed { was_kept: true, .. }) if self.is_first_break(taken.id) => {
                let now = self.clock.now();
                let ended = Some(Ended::Answered(now.since(at)));
                Ok(self.desk().frontier.give_back(taken.id, ended, None, now)?)
            }
            Err(error) => {
                self.forget_break(taken.id);
                self.all_is_well();
                self.no_answer(&taken, &url, at, &error)
            }
            Ok(response) => {
                self.forget_break(taken.id);
                self.meters.fetched(response.timing.whole);
                if takes_long(entry, &response) {
                    tokio::task::block_in_place(|| self.deal_with(&taken, url, at, &response))
                } else {
                    self.deal_with(&taken, url, at, &response)
                }
            }
        }
    }

    /// Whether the connection broke off for the first time while this link was asked for.
    fn is_first_break(&self, id: LinkId) -> bool {
        let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.insert(id)
    }

    /// The link was asked for to the end.
    fn forget_break(&self, id: LinkId) {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    /// Keeps an answer, reads it, and tells the frontier.
    fn deal_with(
        &self,
        taken: &Taken,
        url: Url,
        at: Moment,
        response: &Response,
    ) -> Result<(), Error> {
        let hops = taken.entry.depth.to_string();
        let took = response.timing.whole.as_millis().to_string();
        let fields = [("hopsFromSeed", hops.as_str()), ("fetchTimeMs", took.as_str())];
        let known = taken.entry.visit.as_ref();
        let _dealing = self.dealing();
        let ticket = self.keep(&url, at, response, known, &fields)?;
        let unpacked = self.task.limits.unpacked_of(&taken.entry);
        let answer = Answer::live(url, at, response, unpacked);
        let reader = Reader {
            goal: &self.goal,
            rules: &self.task.links,
            most_links: self.task.limits.links,
            token: &self.token,
        };
        let mut reading = reader.read(&self.counters, &taken.entry, &answer);
        if let Reading::List(list) = &mut reading {
            self.take_in(taken, &answer, list)?;
        }
        if let Reading::Page(page) = &reading
            && page.judgement.relevant == Some(true)
        {
            self.counters.relevant.fetch_add(1, Ordering::Relaxed);
        }
        if matches!(reading, Reading::Page(_) | Reading::Unchanged) {
            self.counters.read.fetch_add(1, Ordering::Relaxed);
        }
        match Setback::of(&reading, &answer) {
            Some(setback) => self.setbacks.note(taken, || setback),
            None => self.setbacks.forget(taken),
        }
        self.counters.pages.fetch_add(1, Ordering::Relaxed);
        self.counters.bytes.fetch_add(answer.size, Ordering::Relaxed);
        let now = self.clock.now();
        let mut desk = self.desk();
        let counters = &self.counters;
        let dealt = desk.deal_with(&self.goal, counters, taken.id, &answer, reading, now);
        desk.is_torn |= dealt.is_err();
        dealt?;
        self.heard(&[ticket]);
        Ok(())
    }

    /// Takes in the most of a long list, and lets others get to the desk in between. If that breaks off the list is
    /// heard of again from the archive, and of its links those that are known already are passed over.
    fn take_in(&self, taken: &Taken, answer: &Answer, list: &mut List) -> Result<(), Error> {
        while list.rest() > SLICE {
            let now = self.clock.now();
            let mut desk = self.desk();
            let (counters, entry) = (&self.counters, &taken.entry);
            let added = desk.add_slice(counters, taken.id, entry, answer, list, now);
            desk.is_torn |= added.is_err();
            drop(desk);
            added?;
            self.desk.let_others_in();
        }
        Ok(())
    }

    /// Keeps that there was no answer, and tells the frontier.
    pub(super) fn no_answer(
        &self,
        taken: &Taken,
        url: &Url,
        at: Moment,
        error: &FetchError,
    ) -> Result<(), Error> {
        tracing::debug!(%url, %error, "no answer");
        let fields = [("error", error.class()), ("reason", &error.to_string())];
        let _dealing = self.dealing();
        let ticket = self.keep_failure(url, at, &fields)?;
        let now = self.clock.now();
        let mut desk = self.desk();
        if error.is_silence() && !self.line.blames(taken.id) {
            // It was found in the meantime that the line is down.
            desk.frontier.give_back(taken.id, None, None, now)?;
            self.heard(&[ticket]);
            return Ok(());
        }
        let dealt = desk.deal_with_failure(&self.counters, taken.id, error.class(), at, now);
        desk.is_torn |= dealt.is_err();
        dealt?;
        self.heard(&[ticket]);
        Ok(())
    }

    /// A link that was not visited waits for its turn again.
    pub(super) fn give_back(&self, id: LinkId) -> Result<(), Error> {
        Ok(self.desk().frontier.give_back(id, None, None, self.clock.now())?)
    }
}

/// Whether an answer may take long to be read and taken in: it is large, or may be a list, which has many links for its
/// size and more if it is packed.
fn takes_long(entry: &Entry, response: &Response) -> bool {
    response.body.len() > LARGE || entry.kind == Kind::Sitemap || entry.depth == 0
}
