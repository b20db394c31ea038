//! Asks a host what it allows.

use std::net::IpAddr;
use std::sync::atomic::Ordering;

use fetch::{Request, Response, Standing};
use frontier::{Ended, Link, Moment, Taken, gate_of};
use url::Url;

use super::Shared;
use crate::answer::{Answer, LARGEST_ROBOTS};
use crate::desk::{self, Hop};
use crate::error::Error;
use crate::keeper::Ticket;
use crate::replay;
use crate::setback::Setback;
use crate::sitemaps::{sitemap, sitemaps};
use crate::slots::Slot;

/// How many redirects of a robots.txt are followed, as RFC 9309 says.
const ROBOTS_REDIRECTS: usize = 5;

/// What came of a request on the way to a robots.txt.
struct Step {
    /// Where the way goes on.
    next: Option<Hop>,
    /// What the host allows, if this was the end of the way.
    standing: Standing,
    at: Moment,
    ended: Ended,
    /// Whether it was a request to the host itself.
    is_own: bool,
    address: Option<IpAddr>,
    ticket: Option<Ticket>,
}

impl Shared {
    /// Asks a host for its robots.txt, or goes on where that was said to be. The link waits for its turn
    /// again, since this was a request; if it leads elsewhere, the way goes on with the next turn.
    pub(super) async fn ask_manners(
        &self,
        taken: &Taken,
        url: &Url,
        slot: &mut Slot,
    ) -> Result<(), Error> {
        let host = taken.entry.host;
        let (begun, here) = {
            let mut desk = self.desk();
            (desk.hops.remove(&host), desk.frontier.host(host)?.address)
        };
        let hop = begun.unwrap_or_else(|| Hop {
            target: url.join("/robots.txt").unwrap_or_else(|_| url.clone()),
            number: 0,
        });
        let mut guest = None;
        if gate_of(&hop.target) != gate_of(url) {
            match self.call_at(&hop.target, here).await? {
                Ok(it) => guest = Some(it),
                Err(moment) => {
                    let mut desk = self.desk();
                    desk.put_off_hop(host, hop);
                    return Ok(desk.frontier.give_back_until(taken.id, moment)?);
                }
            }
        }
        let request = Request {
            accept: "text/plain,*/*;q=0.5",
            largest_body: Some(LARGEST_ROBOTS),
            ..Request::new(&hop.target)
        };
        let Some((at, answer)) = self.ask(taken, request, slot).await else {
            self.desk().put_off_hop(host, hop);
            return self.give_back(taken.id);
        };
        let _dealing = self.dealing();
        let mut step = match answer {
            Err(error) if error.is_ours() => {
                drop(guest);
                self.desk().put_off_hop(host, hop);
                return self.our_fault(taken.id, &error, slot).await;
            }
            // Without redirects it is the link itself that is not to be asked for.
            Err(error) if desk::is_for_good(error.class()) && hop.number == 0 => {
                self.desk().was_asked(host);
                return self.no_answer(taken, url, at, &error);
            }
            Err(error) => {
                self.counters.error(error.class());
                tracing::debug!(url = %hop.target, %error, "no robots.txt");
                Step::in_vain(at)
            }
            Ok(response) => self.robots_step(taken, url, hop, at, &response)?,
        };
        if let Some(guest) = guest {
            self.take_leave(guest, step.ended);
            // What another host said is no word about where this one is. On the same server, though,
            // this one was asked as well.
            step.is_own = here.is_some() && step.address == here;
            step.address = None;
        }
        self.hear_robots(taken, url, step)
    }

    /// Reads an answer on the way to a robots.txt.
    fn robots_step(
        &self,
        taken: &Taken,
        url: &Url,
        hop: Hop,
        at: Moment,
        response: &Response,
    ) -> Result<Step, Error> {
        self.counters.robots.fetch_add(1, Ordering::Relaxed);
        let Hop { target, number } = hop;
        let answer = Answer::live(target.clone(), at, response, LARGEST_ROBOTS);
        // Whose rules they are their own address does not tell if they lie elsewhere.
        let host = &url[..url::Position::BeforePath];
        let fields = [("via", "robots"), (replay::ROBOTS_OF, host)];
        let mut step = Step {
            address: response.address.map(|it| it.ip()),
            ticket: Some(self.keep(&target, at, response, None, &fields)?),
            ..Step::in_vain(at)
        };
        let next = answer.told.location.as_deref().and_then(|it| next(&target, it));
        if let Some(next) = next.filter(|_| (300..400).contains(&answer.status)) {
            // A way that goes on too long is one to nowhere.
            if number < ROBOTS_REDIRECTS {
                step.next = Some(Hop { target: next, number: number + 1 });
                step.ended = Ended::LedOn(answer.took);
            }
            return Ok(step);
        }
        step.standing = answer.standing(&self.token);
        step.ended = if step.standing == Standing::Unreachable {
            self.setbacks.note(taken, || Setback::silent_rules(&answer));
            Ended::Refused(answer.told.retry_after(at))
        } else {
            Ended::Answered(answer.took)
        };
        Ok(step)
    }

    /// Tells the frontier what came of a request on the way to a robots.txt.
    fn hear_robots(&self, taken: &Taken, url: &Url, step: Step) -> Result<(), Error> {
        let host = taken.entry.host;
        let mut desk = self.desk();
        let now = self.clock.now();
        // A host without rules is left alone for now, whoever could not tell them.
        let is_silent = step.next.is_none() && step.standing == Standing::Unreachable;
        if let Some(hop) = step.next {
            desk.put_off_hop(host, hop);
        } else {
            let sitemaps = sitemaps(&self.task, url, &step.standing).into_iter().map(|found| {
                let entry = &taken.entry;
                let (depth, priority) = (entry.depth, entry.priority);
                let inside = if gate_of(&found) == gate_of(url) { entry.inside } else { 0 };
                Link { via: Some(taken.id), depth, inside, priority, ..sitemap(found) }
            });
            desk.add_sitemaps(&self.counters, sitemaps, now)?;
            desk.set_standing(host, step.standing, step.at)?;
            desk.was_asked(host);
        }
        let ended = (step.is_own || is_silent).then_some(step.ended);
        desk.frontier.give_back(taken.id, ended, step.address, now)?;
        self.heard(step.ticket.as_slice());
        Ok(())
    }
}

/// Where a redirect of a robots.txt leads to. A password in it is not asked with, and not to be kept.
fn next(here: &Url, location: &str) -> Option<Url> {
    let mut next = here.join(location).ok()?;
    // What can have none has no host either, and is refused when it is asked for.
    let _ = next.set_username("");
    let _ = next.set_password(None);
    Some(next)
}

impl Step {
    /// Nothing was heard.
    fn in_vain(at: Moment) -> Self {
        Self {
            next: None,
            standing: Standing::Unreachable,
            at,
            ended: Ended::Refused(None),
            is_own: true,
            address: None,
            ticket: None,
        }
    }
}
