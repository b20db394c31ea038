//! What a crawl can tell about its links and hosts, whether it runs or lies on the disk.

mod explanation;
mod host_report;
mod queued_link;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use focus::{Strategy, Value};
use frontier::{Entry, Frontier, Moment};

pub use self::explanation::{Archived, Explanation, LastVisit, Ruling, Step};
pub use self::host_report::HostReport;
pub use self::queued_link::QueuedLink;
use crate::error::Error;
use crate::task::Task;
use crate::traps::Traps;

/// A look into a crawl at one moment.
pub(crate) struct Insight<'a> {
    pub(crate) frontier: &'a mut Frontier,
    pub(crate) strategy: &'a dyn Strategy,
    pub(crate) traps: &'a Traps,
    pub(crate) task: &'a Task,
    pub(crate) now: Moment,
}

impl Insight<'_> {
    /// The best links that wait for their turn, best first.
    pub(crate) fn top(&mut self, most: usize) -> Result<Vec<QueuedLink>, Error> {
        let found = self.frontier.top(most)?;
        let mut links = Vec::with_capacity(found.len());
        for (at, (_, entry)) in found.into_iter().enumerate() {
            let reasons = self.reasons(&entry);
            let via = entry.via.map(|it| self.frontier.entry(it)).transpose()?;
            links.push(QueuedLink {
                rank: at + 1,
                priority: entry.priority.0,
                reasons,
                depth: entry.depth,
                via: via.map(|it| it.url),
                url: entry.url,
            });
        }
        Ok(links)
    }

    /// The hosts with most visits, most first.
    pub(crate) fn hosts(&mut self, most: usize) -> Result<Vec<HostReport>, Error> {
        // Of millions of hosts only so many are kept at a time.
        let mut best: BinaryHeap<Reverse<(u64, u64, Reverse<u32>)>> = BinaryHeap::new();
        self.frontier.hosts(|id, host| {
            best.push(Reverse((host.visited, host.known, Reverse(id.0))));
            if best.len() > most {
                best.pop();
            }
        })?;
        let mut best = best.into_sorted_vec();
        best.truncate(most);
        let mut hosts = Vec::with_capacity(best.len());
        for Reverse((.., Reverse(id))) in best {
            let host = self.frontier.host(frontier::HostId(id))?;
            hosts.push(HostReport::of(&host, &self.task.politeness.delays(), self.now));
        }
        Ok(hosts)
    }

    /// Why a link has its priority.
    fn reasons(&self, entry: &Entry) -> Vec<String> {
        let value = Value { priority: entry.priority.0, note: entry.note.clone() };
        self.strategy.explain(&value, entry.depth)
    }
}
