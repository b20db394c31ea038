//! The desk where answers are dealt with, one after the other: frontier, strategy and log agree here.

use std::collections::{HashMap, HashSet};

use fetch::Standing;
use focus::{Strategy, Value};
use frontier::{Entry, Frontier, HostId, Kind, LinkId, Manners, Moment, Scope};
use url::Url;

use self::learning::StaleLinks;
use crate::error::Error;
use crate::ledger::Ledger;
use crate::model;
use crate::task::{Limits, Task};
use crate::traps::Traps;

mod intake;
mod learning;
mod outcome;
mod room;

pub(crate) use self::intake::SLICE;
pub(crate) use self::outcome::is_for_good;
pub(crate) use self::room::Room;

/// How many hosts' rules are kept ready.
const STANDINGS: usize = 1 << 14;

/// Frontier, strategy and log.
pub(crate) struct Desk {
    pub(crate) frontier: Frontier,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) ledger: Ledger,
    pub(crate) limits: Limits,
    pub(crate) scope: Scope,
    pub(crate) traps: Traps,
    /// Whether an answer was dealt with by half: then nothing is to be committed any more.
    pub(crate) is_torn: bool,
    /// Hosts that are being asked for their robots.txt.
    asking: HashSet<HostId>,
    /// Where the way to a host's robots.txt goes on that was redirected.
    pub(crate) hops: HashMap<HostId, Hop>,
    standings: HashMap<HostId, (Standing, Moment)>,
    stale: StaleLinks,
    /// The lists that are read again because their hosts have made room.
    again: HashMap<HostId, LinkId>,
    /// How many links had been visited when the model was last written down.
    written_at: u64,
    /// What the crawl looks for, as the model is kept with it.
    aim: String,
}

/// A step on the way to a robots.txt that is elsewhere.
pub(crate) struct Hop {
    pub(crate) target: Url,
    /// How many redirects have led there.
    pub(crate) number: usize,
}

impl Desk {
    pub(crate) fn new(
        frontier: Frontier,
        strategy: Box<dyn Strategy>,
        ledger: Ledger,
        task: &Task,
    ) -> Self {
        Self {
            frontier,
            strategy,
            ledger,
            limits: task.limits.clone(),
            scope: task.scope.clone(),
            traps: Traps::default(),
            is_torn: false,
            asking: HashSet::new(),
            hops: HashMap::new(),
            standings: HashMap::new(),
            stale: StaleLinks::default(),
            again: HashMap::new(),
            written_at: 0,
            aim: model::aim(task),
        }
    }

    /// What a host allows, if that was asked not too long ago.
    pub(crate) fn standing(
        &mut self,
        host: HostId,
        now: Moment,
    ) -> Result<Option<&Standing>, Error> {
        if !self.standings.contains_key(&host) {
            let Some(manners) = self.frontier.host(host)?.manners else { return Ok(None) };
            let Ok(standing) = postcard::from_bytes(&manners.rules) else { return Ok(None) };
            if self.standings.len() >= STANDINGS {
                self.standings.clear();
            }
            self.standings.insert(host, (standing, manners.until));
        }
        let fresh = self.standings.get(&host).filter(|it| it.1 > now);
        Ok(fresh.map(|it| &it.0))
    }

    /// A host said what it allows.
    pub(crate) fn set_standing(
        &mut self,
        host: HostId,
        standing: Standing,
        at: Moment,
    ) -> Result<(), Error> {
        // A host that cannot tell its rules is left alone by its pace, and asked again then.
        if standing == Standing::Unreachable {
            return Ok(());
        }
        let until = at + standing.lifetime();
        let wished = standing.robots().and_then(fetch::Robots::crawl_delay);
        let rules = postcard::to_stdvec(&standing).unwrap_or_default();
        self.frontier.set_manners(host, Manners { rules, until }, wished)?;
        self.standings.insert(host, (standing, until));
        Ok(())
    }

    /// Whether a link that was found some time ago is still worth a visit; otherwise why not.
    pub(crate) fn is_worth_it(
        &mut self,
        entry: &Entry,
        url: &Url,
    ) -> Result<Result<(), &'static str>, Error> {
        // What was fetched before is looked at again whatever its like have brought.
        if entry.visit.is_some() || entry.depth == 0 || entry.kind == Kind::Sitemap {
            return Ok(Ok(()));
        }
        self.traps.admits(&mut self.frontier, entry.host, url)
    }

    /// Hands what was learned to the frontier, which is to be committed next.
    pub(crate) fn remember(&mut self, is_end: bool) -> Result<(), Error> {
        self.traps.save(&mut self.frontier);
        if self.is_to_be_written(is_end) {
            model::keep(&mut self.frontier, &self.aim, self.strategy.as_ref())?;
        }
        Ok(())
    }

    /// The frontier was committed: writes down what refers to it.
    pub(crate) fn committed(&mut self, is_end: bool) {
        if self.is_to_be_written(is_end) {
            self.traps.keep();
            self.written_at = self.frontier.counts().visited;
        }
    }

    /// A model may be large, and so may what is known of traps: they are written down again when they have
    /// heard of a tenth more, or at the end.
    fn is_to_be_written(&self, is_end: bool) -> bool {
        let visited = self.frontier.counts().visited;
        visited != self.written_at && (is_end || visited > self.written_at + self.written_at / 10)
    }

    /// Whether somebody else is asking the host for its robots.txt already; if not, we are.
    pub(crate) fn is_asked(&mut self, host: HostId) -> bool {
        !self.asking.insert(host)
    }

    /// The host was asked for its robots.txt.
    pub(crate) fn was_asked(&mut self, host: HostId) {
        self.asking.remove(&host);
    }

    /// The way to the host's robots.txt goes on with its next turn.
    pub(crate) fn put_off_hop(&mut self, host: HostId, hop: Hop) {
        self.hops.insert(host, hop);
        self.was_asked(host);
    }
}

/// What a link was worth when it was valued.
pub(crate) fn value_of(entry: &Entry) -> Value {
    Value { priority: entry.priority.0, note: entry.note.clone() }
}

#[cfg(test)]
mod tests;
