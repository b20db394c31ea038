//! Asking at another host than the one whose turn it is, where a robots.txt leads there.

use std::net::IpAddr;
use std::time::Duration;

use frontier::{Courtesy, Ended, Gates, Moment, Pace, Permit, gate_of};
use url::Url;

use super::Shared;
use crate::error::Error;

/// When to try again where somebody else is asking.
const SOON: Duration = Duration::from_millis(50);

/// Somebody who asks at another host. When it is dropped, others may.
pub(super) struct Guest<'a> {
    courtesy: &'a Courtesy,
    gates: Gates,
    pace: Pace,
    next: Moment,
}

impl Shared {
    /// Goes in at the host of a URL, or tells when to try again. `here` is the server where one is
    /// already: it is not entered twice.
    pub(super) async fn call_at(
        &self,
        url: &Url,
        here: Option<IpAddr>,
    ) -> Result<Result<Guest<'_>, Moment>, Error> {
        let address = self.client.locate(url).await.filter(|it| Some(*it) != here);
        let known = {
            let mut desk = self.desk();
            let host = desk.frontier.known_host_of(url)?;
            host.map(|it| desk.frontier.host(it)).transpose()?
        };
        let mut pace = known.map(|it| it.pace).unwrap_or_default();
        let now = self.clock.now();
        let next = pace.next_by(now);
        if next > now {
            return Ok(Err(next));
        }
        let gates = Gates::of(gate_of(url), address);
        Ok(match self.courtesy.enter(gates, self.task.politeness.connections, now) {
            Permit::Go => {
                Ok(Guest { courtesy: &self.courtesy, gates, pace, next: Moment::default() })
            }
            Permit::At(moment) => Err(moment),
            Permit::Busy => Err(now + SOON),
        })
    }

    /// Goes out again after a request that ended so: the host is left alone as one is whose turn it was.
    pub(super) fn take_leave(&self, mut guest: Guest<'_>, ended: Ended) {
        guest.next = guest.pace.after(&self.task.politeness.delays(), ended, self.clock.now());
    }
}

impl Drop for Guest<'_> {
    fn drop(&mut self) {
        self.courtesy.leave(self.gates, self.next);
    }
}
