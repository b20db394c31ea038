//! Asks a host what it allows.

use std::sync::atomic::Ordering;

use fetch::{Request, Standing};
use frontier::{Ended, Link, Taken};
use url::Url;

use super::Shared;
use crate::answer::Answer;
use crate::desk;
use crate::error::Error;
use crate::setback::Setback;
use crate::sitemaps::{sitemap, sitemaps};

/// How many redirects of a robots.txt are followed, as RFC 9309 says.
const ROBOTS_REDIRECTS: usize = 5;
/// What is read of a robots.txt at most; RFC 9309 asks for 500 KiB.
const LARGEST_ROBOTS: usize = 512 << 10;

impl Shared {
    /// Asks a host for its robots.txt. The link waits for its turn again, since this was a request.
    pub(super) async fn ask_manners(&self, taken: &Taken, url: &Url) -> Result<(), Error> {
        let mut address = None;
        let mut tickets = Vec::new();
        let mut target = url.join("/robots.txt").unwrap_or_else(|_| url.clone());
        let (mut ended, mut standing) = (Ended::Refused(None), Standing::Unreachable);
        let mut at = self.clock.now();
        for _ in 0..=ROBOTS_REDIRECTS {
            let request = Request {
                accept: "text/plain,*/*;q=0.5",
                largest_body: Some(LARGEST_ROBOTS),
                ..Request::new(&target)
            };
            let Some((asked_at, answer)) = self.ask(taken, request).await else {
                self.desk().was_asked(taken.entry.host);
                self.heard(&tickets);
                return self.give_back(taken.id);
            };
            at = asked_at;
            match answer {
                Err(error) if error.is_ours() => {
                    self.desk().was_asked(taken.entry.host);
                    self.heard(&tickets);
                    return self.our_fault(taken.id, &error).await;
                }
                // Without redirects it is the link itself that is not to be asked for.
                Err(error) if desk::is_for_good(error.class()) && tickets.is_empty() => {
                    self.desk().was_asked(taken.entry.host);
                    return self.no_answer(taken, url, at, &error);
                }
                Err(error) => {
                    self.counters.error(error.class());
                    tracing::debug!(url = %target, %error, "no robots.txt");
                    break;
                }
                Ok(response) => {
                    self.counters.robots.fetch_add(1, Ordering::Relaxed);
                    address = response.address.map(|it| it.ip()).or(address);
                    let answer = Answer::live(target.clone(), at, &response, LARGEST_ROBOTS);
                    tickets.push(self.keep(&target, at, &response, None, &[("via", "robots")])?);
                    let next = answer.told.location.as_deref().and_then(|it| target.join(it).ok());
                    if (300..400).contains(&answer.status)
                        && let Some(next) = next
                    {
                        target = next;
                        continue;
                    }
                    standing = Standing::of(answer.status, &answer.body, &self.token);
                    ended = if standing == Standing::Unreachable {
                        self.setbacks.note(taken, || Setback::silent_rules(answer.status));
                        Ended::Refused(answer.told.retry_after(at))
                    } else {
                        Ended::Answered(answer.took)
                    };
                    break;
                }
            }
        }
        let mut desk = self.desk();
        let now = self.clock.now();
        let sitemaps = sitemaps(&self.task, url, &standing).into_iter().map(|url| {
            let entry = &taken.entry;
            let (depth, inside, priority) = (entry.depth, entry.inside, entry.priority);
            Link { via: Some(taken.id), depth, inside, priority, ..sitemap(url) }
        });
        desk.frontier.add(&sitemaps.collect::<Vec<_>>(), false, now)?;
        desk.set_standing(taken.entry.host, standing, at)?;
        desk.was_asked(taken.entry.host);
        desk.frontier.give_back(taken.id, Some(ended), address, now)?;
        self.heard(&tickets);
        Ok(())
    }
}
