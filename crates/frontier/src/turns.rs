//! Whose turn it is: hosts with links to visit, the best link first among those that may be asked.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use crate::host::HostId;
use crate::link::LinkId;
use crate::moment::Moment;
use crate::priority::Rank;

/// How many of a host's best links are kept in memory; the others are on disk.
pub(crate) const HEAD: usize = 32;

/// The hosts that have links, and the order in which they are asked.
pub(crate) struct Turns {
    /// How many links of one host may be taken at a time.
    connections: u16,
    hosts: HashMap<HostId, Turn>,
    ready: BTreeSet<Standing>,
    waiting: BinaryHeap<Reverse<(Moment, HostId)>>,
}

/// Where a ready host stands: sunken hosts last, then the better link, then the older one.
type Standing = (u8, Rank, LinkId, HostId);

/// The best links of one host.
#[derive(Default)]
struct Turn {
    /// The best last, so that it is taken off the end.
    head: Vec<(Rank, LinkId)>,
    /// Whether there may be more on disk than in the head.
    has_more: bool,
    sunk: u8,
    busy: u16,
    place: Place,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// It has no links, or as many are taken as may be.
    #[default]
    Aside,
    Ready(Standing),
    Waiting(Moment),
}

impl Turns {
    /// Nobody's turn yet; at most so many links of one host are taken at a time.
    pub(crate) fn new(connections: u16) -> Self {
        Self {
            connections: connections.max(1),
            hosts: HashMap::new(),
            ready: BTreeSet::new(),
            waiting: BinaryHeap::new(),
        }
    }

    /// Takes in a link of a host.
    pub(crate) fn add(&mut self, host: HostId, rank: Rank, id: LinkId, sunk: u8) {
        let turn = self.hosts.entry(host).or_default();
        turn.sunk = sunk;
        let item = (rank, id);
        // Behind a head that has left links on disk, a link may stand behind one of those.
        if turn.has_more && turn.head.first().is_none_or(|last| item > *last) {
            return self.settle(host);
        }
        let at = turn.head.partition_point(|it| *it > item);
        if turn.head.get(at) == Some(&item) {
            return;
        }
        turn.head.insert(at, item);
        if turn.head.len() > HEAD {
            turn.head.remove(0);
            turn.has_more = true;
        }
        // Most links go behind others and change nothing about whose turn it is.
        if at + 1 == turn.head.len() {
            self.settle(host);
        }
    }

    /// Takes a link out that is not to be visited now.
    pub(crate) fn remove(&mut self, host: HostId, rank: Rank, id: LinkId) {
        if let Some(turn) = self.hosts.get_mut(&host) {
            turn.head.retain(|it| *it != (rank, id));
            self.settle(host);
        }
    }

    /// Says that a host has links on disk.
    pub(crate) fn has_more(&mut self, host: HostId) {
        let turn = self.hosts.entry(host).or_default();
        turn.has_more = true;
        self.settle(host);
    }

    /// Fills a head anew; `has_more` tells whether even more is on disk.
    pub(crate) fn fill(
        &mut self,
        host: HostId,
        links: impl Iterator<Item = (Rank, LinkId)>,
        has_more: bool,
    ) {
        let turn = self.hosts.entry(host).or_default();
        turn.head = links.collect();
        turn.head.sort_unstable_by(|one, other| other.cmp(one));
        turn.has_more = has_more;
        self.settle(host);
    }

    /// The host that is next, with its best link if that is in memory.
    pub(crate) fn next(&mut self, now: Moment) -> Option<(HostId, Option<(Rank, LinkId)>)> {
        while let Some(Reverse((moment, host))) = self.waiting.peek().copied() {
            if moment > now {
                break;
            }
            self.waiting.pop();
            if let Some(turn) = self.hosts.get_mut(&host)
                && turn.place == Place::Waiting(moment)
            {
                turn.place = Place::Aside;
                self.settle(host);
            }
        }
        let (.., host) = *self.ready.first()?;
        Some((host, self.hosts.get(&host)?.head.last().copied()))
    }

    /// The best link of a host is taken.
    pub(crate) fn take(&mut self, host: HostId) {
        if let Some(turn) = self.hosts.get_mut(&host) {
            turn.head.pop();
            turn.busy += 1;
            self.settle(host);
        }
    }

    /// A link that was taken is dealt with, or comes back with `add`.
    pub(crate) fn leave(&mut self, host: HostId) {
        if let Some(turn) = self.hosts.get_mut(&host) {
            turn.busy = turn.busy.saturating_sub(1);
            self.settle(host);
        }
    }

    /// A host is not to be asked before this moment.
    pub(crate) fn wait(&mut self, host: HostId, until: Moment) {
        let Some(turn) = self.hosts.get_mut(&host) else { return };
        if let Place::Ready(standing) = turn.place {
            self.ready.remove(&standing);
        }
        turn.place = Place::Waiting(until);
        self.waiting.push(Reverse((until, host)));
    }

    /// Lets a host sink, or rise again.
    pub(crate) fn sink(&mut self, host: HostId, sunk: u8) {
        if let Some(turn) = self.hosts.get_mut(&host)
            && turn.sunk != sunk
        {
            turn.sunk = sunk;
            self.settle(host);
        }
    }

    /// When the next host may be asked that has to be left alone now.
    pub(crate) fn next_moment(&self) -> Option<Moment> {
        self.waiting.peek().map(|it| it.0.0)
    }

    /// Hosts that are left alone, and until when.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (HostId, Moment)> {
        self.hosts.iter().filter_map(|(host, turn)| match turn.place {
            Place::Waiting(until) => Some((*host, until)),
            _ => None,
        })
    }

    /// Whether the best link of a host is known only to the disk.
    pub(crate) fn is_unread(&self, host: HostId) -> bool {
        self.hosts.get(&host).is_some_and(|it| it.head.is_empty() && it.has_more)
    }

    /// How many hosts have links.
    pub(crate) fn len(&self) -> usize {
        self.hosts.len()
    }

    /// The hosts with the best links, best first, at most so many.
    pub(crate) fn best(&self, most: usize) -> Vec<HostId> {
        let mut hosts: Vec<_> =
            self.hosts.iter().map(|(host, it)| (it.sunk, it.head.last().copied(), *host)).collect();
        hosts.retain(|it| it.1.is_some() || self.is_unread(it.2));
        // A host whose head is on disk could be any good: it stands in front.
        hosts.sort_unstable();
        hosts.into_iter().take(most).map(|it| it.2).collect()
    }

    /// Puts a host where it belongs, unless it waits for a moment.
    fn settle(&mut self, host: HostId) {
        let Some(turn) = self.hosts.get_mut(&host) else { return };
        if matches!(turn.place, Place::Waiting(_)) {
            return;
        }
        let best = turn.head.last().copied().or_else(|| {
            // The best on disk is not known yet: it stands in front and is looked up when its turn comes.
            turn.has_more.then_some((Rank(0), LinkId(0)))
        });
        let place = match best {
            Some((rank, id)) if turn.busy < self.connections => {
                Place::Ready((turn.sunk, rank, id, host))
            }
            _ => Place::Aside,
        };
        if place != turn.place {
            if let Place::Ready(standing) = turn.place {
                self.ready.remove(&standing);
            }
            if let Place::Ready(standing) = place {
                self.ready.insert(standing);
            }
            turn.place = place;
        }
        if best.is_none() && turn.busy == 0 {
            self.hosts.remove(&host);
        }
    }
}
