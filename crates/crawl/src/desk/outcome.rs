//! What comes of a request: an answer, or none.

use std::sync::atomic::Ordering;
use std::time::Duration;

use focus::{Stale, Visited};
use frontier::{Brought, Ended, Entry, LinkId, Moment, Outcome, State, Tally, Visit};
use url::Url;

use super::{Desk, value_of};
use crate::answer::Answer;
use crate::clock::timestamp;
use crate::counters::Counters;
use crate::error::Error;
use crate::goal::Goal;
use crate::ledger::Line;
use crate::reading::Reading;
use crate::task::Limits;

/// A page that fails is tried again on another day: what is broken now is broken in an hour.
const ANOTHER_DAY: Duration = Duration::from_hours(24);

/// What is noted about an answer.
#[derive(Default)]
struct Noted<'a> {
    /// Why the link had its priority.
    reason: String,
    relevant: Option<bool>,
    places: Vec<&'a str>,
    duplicate_of: Option<String>,
}

impl Desk {
    /// Deals with an answer; tells how many new links it brought.
    pub(crate) fn deal_with(
        &mut self,
        goal: &Goal,
        counters: &Counters,
        id: LinkId,
        answer: &Answer,
        reading: Reading,
        now: Moment,
    ) -> Result<usize, Error> {
        let entry = self.frontier.entry(id)?;
        let mut outcome = Outcome {
            state: State::Visited,
            visit: Some(visit(&entry, answer)),
            again: None,
            ended: Some(Ended::Answered(answer.took)),
            address: answer.address,
            tally: Tally { bytes: answer.size, visited: true, ..Tally::default() },
        };
        // Why it had its priority is told before anything is learned from what came of it.
        let mut noted = Noted { reason: self.reason(&entry), ..Noted::default() };
        let mut new = 0;
        let stale = if is_first(&entry, &reading, &self.limits) {
            self.strategy.hear(&visited(&entry, answer, &reading))
        } else {
            Stale::Nothing
        };
        match reading {
            Reading::Page(read) => {
                let seen = self.traps.page(&mut self.frontier, id, &entry, &answer.url, &read)?;
                let visit = outcome.visit.as_mut().expect("it was set above");
                compare(visit, entry.visit.as_ref(), read.digest, read.page.wording);
                visit.relevant = read.judgement.relevant == Some(true);
                outcome.tally.relevant = visit.relevant;
                outcome.tally.duplicate = seen.is_repeated;
                if seen.is_repeated {
                    counters.duplicates.fetch_add(1, Ordering::Relaxed);
                }
                noted.relevant = read.judgement.relevant;
                noted.places = read
                    .judgement
                    .places
                    .iter()
                    .map(|it| goal.gazetteer().place(*it).key())
                    .collect();
                if let Some(original) = seen.original {
                    noted.duplicate_of = Some(self.frontier.entry(original)?.url);
                }
                let found = self.add_page(counters, id, &entry, answer, &read, now)?;
                self.traps.learn_links(&self.frontier, &entry, &answer.url, &found, &seen)?;
                new = found.len();
            }
            Reading::List(mut list) => {
                let visit = outcome.visit.as_mut().expect("it was set above");
                compare(visit, entry.visit.as_ref(), answer.digest, list.wording);
                new = self.add_list(counters, id, &entry, answer, &mut list, now)?;
                if self.remember_unfinished(id, &list.room)? {
                    // It is to be sent again although it has not changed.
                    (visit.etag, visit.last_modified) = (None, None);
                }
            }
            Reading::Elsewhere(target) => {
                let led = self.lead_on(counters, id, &entry, &answer.url, &target, now)?;
                outcome.state = led.unwrap_or(outcome.state);
            }
            Reading::Unchanged => {
                let visit = outcome.visit.as_mut().expect("it was set above");
                if let Some(before) = &entry.visit {
                    *visit = Visit {
                        at: answer.at,
                        checks: before.checks.saturating_add(1),
                        ..before.clone()
                    };
                }
                outcome.tally.relevant = visit.relevant;
            }
            Reading::Unwanted => {
                self.traps.learn(&self.frontier, entry.host, &answer.url, Brought::Empty)?;
                counters.error("unwanted type");
            }
            Reading::Gone(fingerprint) => {
                self.traps.gone(&self.frontier, entry.host, &answer.url, fingerprint)?;
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
            }
            Reading::Complaint | Reading::Trouble => {
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
                let wish = answer.told.retry_after(now);
                // Whoever says when means the host, whatever the trouble is.
                if matches!(reading, Reading::Complaint) || wish.is_some() {
                    outcome.ended = Some(Ended::Refused(wish));
                }
                // Without a word about when, a 503 may be about the page as well as about the host.
                let is_soon = answer.status == 429 || wish.is_some();
                self.put_off(&mut outcome, &entry, &answer.status.to_string(), is_soon, now);
            }
        }
        self.note(&entry, answer.at, answer.status, None, noted)?;
        self.frontier.finish(id, outcome, now)?;
        self.sink(entry.host)?;
        self.read_on(entry.host)?;
        self.refresh(stale, entry.host)?;
        Ok(new)
    }

    /// Deals with a request that brought no answer.
    pub(crate) fn deal_with_failure(
        &mut self,
        counters: &Counters,
        id: LinkId,
        class: &str,
        at: Moment,
        now: Moment,
    ) -> Result<(), Error> {
        counters.error(class);
        let entry = self.frontier.entry(id)?;
        let mut outcome = Outcome {
            state: State::Visited,
            visit: None,
            again: None,
            ended: Some(Ended::Refused(None)),
            address: None,
            tally: Tally { error: true, ..Tally::default() },
        };
        // A host that breaks off in the middle of one page may well answer the next.
        let is_page = matches!(class, "closed" | "head" | "malformed");
        self.put_off(&mut outcome, &entry, class, !is_page, now);
        if is_page {
            outcome.ended = Some(Ended::Answered(now.since(at)));
        }
        // What no other attempt can change is not the host's fault.
        if is_for_good(class) {
            outcome.state = State::Dropped(class.to_owned());
            outcome.again = None;
            outcome.ended = None;
        }
        let noted = Noted { reason: self.reason(&entry), ..Noted::default() };
        // A strategy hears once of a link that brings nothing, however often it is tried.
        let is_first = entry.visit.is_none() && entry.tries == 0;
        let url = Url::parse(&entry.url).ok().filter(|_| is_first);
        let stale = url.map_or(Stale::Nothing, |url| {
            self.strategy.hear(&Visited {
                url: &url,
                note: &entry.note,
                relevant: None,
                is_in_vain: true,
                nearness: None,
                depth: entry.depth,
            })
        });
        self.note(&entry, at, 0, Some(class), noted)?;
        self.frontier.finish(id, outcome, now)?;
        self.refresh(stale, entry.host)
    }

    /// A link that failed is tried again: at once when its host may be asked again if it was the host
    /// that had enough, otherwise another day.
    fn put_off(
        &self,
        outcome: &mut Outcome,
        entry: &Entry,
        reason: &str,
        is_soon: bool,
        now: Moment,
    ) {
        // The last visit that worked stays what is known of the page.
        outcome.visit = None;
        if entry.tries + 1 >= self.limits.tries {
            outcome.state = State::Dropped(format!("{reason}, {} times", entry.tries + 1));
        } else if is_soon && entry.tries == 0 {
            outcome.state = State::Queued;
        } else {
            outcome.again = Some(now + ANOTHER_DAY);
        }
    }

    /// A link is not visited, for this reason.
    pub(crate) fn drop_link(
        &mut self,
        id: LinkId,
        entry: &Entry,
        reason: &str,
        now: Moment,
    ) -> Result<(), Error> {
        if entry.visit.is_none()
            && let Ok(url) = Url::parse(&entry.url)
        {
            // What a mirror has is to be had from its original.
            match self.traps.on_original(&url) {
                Some(original) if self.follow(id, entry, &original, now)? == Ok(true) => {
                    self.strategy.forward(&url, &original);
                }
                _ => self.strategy.forgo(&url),
            }
        }
        let outcome = Outcome {
            state: State::Dropped(reason.to_owned()),
            visit: None,
            again: None,
            ended: None,
            address: None,
            tally: Tally::default(),
        };
        Ok(self.frontier.finish(id, outcome, now)?)
    }

    /// Why a link has its priority.
    fn reason(&self, entry: &Entry) -> String {
        self.strategy.explain(&value_of(entry), entry.depth).join("; ")
    }

    fn note(
        &mut self,
        entry: &Entry,
        at: Moment,
        status: u16,
        error: Option<&str>,
        noted: Noted<'_>,
    ) -> Result<(), Error> {
        let via = entry.via.map(|it| self.frontier.entry(it)).transpose()?;
        self.ledger.write(&Line {
            url: &entry.url,
            at: timestamp(at).to_string(),
            status,
            error,
            relevant: noted.relevant,
            places: noted.places,
            priority: entry.priority.0,
            reason: noted.reason,
            depth: entry.depth,
            via: via.as_ref().map(|it| it.url.as_str()),
            duplicate_of: noted.duplicate_of.as_deref(),
        })
    }
}

/// Whether a strategy is to hear of a visit. It was told of a page that is looked at again, and the links
/// of such a page are mostly known by now: they would teach that nothing is to be had there.
fn is_first(entry: &Entry, reading: &Reading, limits: &Limits) -> bool {
    entry.visit.is_none()
        && match reading {
            // A host that has enough says nothing about its page, as long as that is tried again.
            Reading::Complaint => entry.tries + 1 >= limits.tries,
            Reading::Trouble => entry.tries == 0,
            _ => true,
        }
}

/// What a strategy hears of a visit.
fn visited<'a>(entry: &'a Entry, answer: &'a Answer, reading: &Reading) -> Visited<'a> {
    let judgement = match reading {
        Reading::Page(read) => Some(&read.judgement),
        _ => None,
    };
    Visited {
        url: &answer.url,
        note: &entry.note,
        relevant: judgement.and_then(|it| it.relevant),
        nearness: judgement.and_then(|it| it.nearness),
        is_in_vain: matches!(
            reading,
            Reading::Unwanted | Reading::Gone(_) | Reading::Complaint | Reading::Trouble
        ),
        depth: entry.depth,
    }
}

/// What an answer leaves behind for the next visit.
fn visit(entry: &Entry, answer: &Answer) -> Visit {
    let first = entry.visit.as_ref().map_or(answer.at, |it| it.first);
    let (checks, changes) =
        entry.visit.as_ref().map_or((0, 0), |it| (it.checks.saturating_add(1), it.changes));
    // Of what came by half the whole is asked for the next time, whether it has changed or not.
    let is_whole = answer.cut.is_none();
    Visit {
        at: answer.at,
        status: answer.status,
        etag: answer.told.etag.clone().filter(|_| is_whole),
        last_modified: answer.told.last_modified.clone().filter(|_| is_whole),
        checks,
        changes,
        first,
        kept: answer.at,
        ..Visit::default()
    }
}

/// Notes whether an answer is another one than the last time: for the archive by its bytes, for when to look again
/// by what it says. Many pages are never sent twice with the same bytes, for a clock or a word for a form.
fn compare(visit: &mut Visit, before: Option<&Visit>, digest: u64, wording: u64) {
    (visit.digest, visit.wording) = (digest, wording);
    let Some(before) = before else { return };
    let is_same = before.digest == digest;
    // Of what has no words the bytes are all there is to tell by.
    let is_changed = if wording == 0 { !is_same } else { before.wording != wording };
    visit.changes = before.changes.saturating_add(u16::from(is_changed && !is_same));
    if is_same {
        visit.kept = before.kept;
    }
}

/// Whether a failure of this class is none that another attempt could change.
pub(crate) fn is_for_good(class: &str) -> bool {
    matches!(class, "private-address" | "port" | "url" | "scheme")
}
