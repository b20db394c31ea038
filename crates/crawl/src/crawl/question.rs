//! A question to a host, and whose fault it is if nothing is heard.

use std::sync::PoisonError;
use std::time::Duration;

use fetch::{FetchError, Request, Response};
use frontier::{LinkId, Moment, Taken};

use super::Shared;
use crate::error::Error;
use crate::line::{self, Blame};
use crate::setback::Setback;
use crate::slots::Slot;

/// How long to wait when it is our own side that fails: the proxy, the number of open files.
const OUR_FAULT: Duration = Duration::from_secs(5);

impl Shared {
    /// Asks a host, and tells when it was asked. While it is our line that is down nobody is blamed: the
    /// question waits, and is asked again. Nothing comes back if nobody waits for the line any more.
    pub(super) async fn ask(
        &self,
        taken: &Taken,
        request: Request<'_>,
        slot: &mut Slot,
    ) -> Option<(Moment, Result<Response, FetchError>)> {
        let host = taken.entry.host;
        let mut has_waited = false;
        loop {
            let at = self.clock.now();
            let answer = self.client.get(request).await;
            let error = match answer {
                Err(error) if error.is_silence() => error,
                // A connection that breaks off may have been cut on its way: it tells nothing.
                Err(error) if error.is_ours() || matches!(error, FetchError::Closed { .. }) => {
                    // One that was kept is made anew before the host is blamed.
                    let is_put_again = matches!(error, FetchError::Closed { was_kept: true, .. });
                    if !error.is_ours() && !is_put_again {
                        self.blame(taken, &error);
                    }
                    return Some((at, Err(error)));
                }
                heard => {
                    heard.as_ref().err().into_iter().for_each(|it| self.blame(taken, it));
                    self.line.heard();
                    self.all_is_well();
                    return Some((at, heard));
                }
            };
            // Others are heard again, and this one is not.
            if has_waited && self.line.state() == line::State::Up {
                self.blame(taken, &error);
                return Some((at, Err(error)));
            }
            let is_known = taken.manners_until.is_some();
            match self.line.silent(host, is_known, &error, self.clock.now()) {
                Blame::Host => {
                    self.blame(taken, &error);
                    return Some((at, Err(error)));
                }
                Blame::NowLine(hosts) => {
                    tracing::warn!(hosts, %error, "the network seems to be down: waiting");
                    let trouble = format!("the network seems to be down: {error}");
                    *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
                }
                Blame::Line => {}
            }
            self.news.notify_one();
            has_waited = true;
            // The line may be that of one proxy, and others have another.
            slot.lend();
            if !self.line.wait().await {
                return None;
            }
            slot.take_back().await;
        }
    }

    /// Keeps what a link has met, for those who ask what came of it.
    fn blame(&self, taken: &Taken, error: &FetchError) {
        self.setbacks.note(taken, || Setback::failure(error));
    }

    /// Takes back what links were blamed for before the line was found to be down.
    pub(super) fn forgive(&self) -> Result<(), Error> {
        let mut desk = self.desk();
        for link in self.line.blamed() {
            desk.frontier.forgive(link)?;
        }
        Ok(())
    }

    /// The proxy is gone, or there are no more connections to be had: wait, and blame nobody.
    pub(super) async fn our_fault(
        &self,
        id: LinkId,
        error: &FetchError,
        slot: &mut Slot,
    ) -> Result<(), Error> {
        {
            let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            if trouble.is_none() {
                tracing::warn!(%error, "waiting");
            }
            *trouble = Some(error.to_string());
        }
        slot.lend();
        self.clock.wait_until(self.clock.now() + OUR_FAULT).await;
        self.give_back(id)
    }

    /// There was an answer, or a failure that is not ours. One that came before the line was found to be
    /// down says nothing about it.
    pub(super) fn all_is_well(&self) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if self.line.state() != line::State::Down && trouble.take().is_some() {
            tracing::info!("going on");
        }
    }
}
