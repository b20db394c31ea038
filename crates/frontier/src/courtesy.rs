//! Courtesy: no host and no server is asked by two of us at once, nor again before its delay is over.
//!
//! It is shared by all crawls of a process, so that two tasks that meet at a host take turns.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::moment::Moment;

/// With more gates than this those that nobody waits for are forgotten.
const MANY_GATES: usize = 65_536;

/// Who may be asked now.
#[derive(Debug, Default)]
pub struct Courtesy {
    gates: Mutex<HashMap<u64, Gate>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    busy: u16,
    next: Moment,
}

/// Whether one may go in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Yes, and the gate counts it.
    Go,
    /// Not before this moment.
    At(Moment),
    /// Not before somebody comes out.
    Busy,
}

/// Whom a request goes to: the name, and the server if its address is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    name: u64,
    address: Option<u64>,
}

impl Gates {
    /// The gates in front of a host, by its name (and its port, if it is an odd one) and address.
    pub fn of(name: &str, address: Option<IpAddr>) -> Self {
        // Web servers on odd ports of one machine are servers of their own.
        let port = name.rsplit_once(':').map_or("", |(_, port)| port);
        let address = address.map(|it| xxh3_64(format!("server {it} {port}").as_bytes()));
        Self { name: xxh3_64(name.as_bytes()), address }
    }

    fn all(self) -> impl Iterator<Item = u64> {
        [Some(self.name), self.address].into_iter().flatten()
    }
}

impl Courtesy {
    /// Asks to go in where at most so many, whoever they are, are inside at a time; one is polite.
    /// Each crawl has its own bound: one that allows itself more does not lift it for the others.
    pub fn enter(&self, gates: Gates, connections: u16, now: Moment) -> Permit {
        let mut all = self.lock();
        let states = gates.all().map(|it| all.get(&it).copied().unwrap_or_default());
        let (mut next, mut busy) = (Moment::default(), false);
        for gate in states {
            next = next.max(gate.next);
            busy |= gate.busy >= connections.max(1);
        }
        if busy {
            return Permit::Busy;
        }
        if next > now {
            return Permit::At(next);
        }
        if all.len() > MANY_GATES {
            all.retain(|_, it| it.busy > 0 || it.next > now);
        }
        for gate in gates.all() {
            all.entry(gate).or_default().busy += 1;
        }
        Permit::Go
    }

    /// Comes out again; the next may go in at `next`.
    pub fn leave(&self, gates: Gates, next: Moment) {
        let mut all = self.lock();
        for gate in gates.all() {
            let gate = all.entry(gate).or_default();
            gate.busy = gate.busy.saturating_sub(1);
            gate.next = gate.next.max(next);
        }
    }

    /// Nobody may go in before `next`. Who is inside stays there: whoever tells this was not.
    pub fn learn(&self, gates: Gates, next: Moment) {
        let mut all = self.lock();
        for gate in gates.all() {
            let gate = all.entry(gate).or_default();
            gate.next = gate.next.max(next);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Gate>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: [u8; 4]) -> IpAddr {
        IpAddr::from(address)
    }

    #[test]
    fn a_host_is_never_asked_twice_at_once() {
        let courtesy = Courtesy::default();
        let gates = Gates::of("example.org", None);
        assert_eq!(courtesy.enter(gates, 1, Moment(5)), Permit::Go);
        assert_eq!(courtesy.enter(gates, 1, Moment(5)), Permit::Busy);
        courtesy.leave(gates, Moment(1005));
        assert_eq!(courtesy.enter(gates, 1, Moment(1004)), Permit::At(Moment(1005)));
        assert_eq!(courtesy.enter(gates, 1, Moment(1005)), Permit::Go);
    }

    #[test]
    fn a_crawl_that_allows_itself_more_does_not_do_so_for_others() {
        let courtesy = Courtesy::default();
        let gates = Gates::of("example.org", None);
        assert_eq!(courtesy.enter(gates, 4, Moment(5)), Permit::Go);
        assert_eq!(courtesy.enter(gates, 1, Moment(5)), Permit::Busy);
        assert_eq!(courtesy.enter(gates, 4, Moment(5)), Permit::Go);
        courtesy.leave(gates, Moment(5));
        courtesy.leave(gates, Moment(5));
        assert_eq!(courtesy.enter(gates, 1, Moment(5)), Permit::Go);
        assert_eq!(courtesy.enter(gates, 1, Moment(5)), Permit::Busy);
    }

    #[test]
    fn two_hosts_on_one_server_take_turns() {
        let courtesy = Courtesy::default();
        let one = Gates::of("one.example", Some(at([192, 0, 2, 1])));
        let two = Gates::of("two.example", Some(at([192, 0, 2, 1])));
        let other = Gates::of("other.example", Some(at([192, 0, 2, 2])));
        assert_eq!(courtesy.enter(one, 1, Moment(5)), Permit::Go);
        assert_eq!(courtesy.enter(two, 1, Moment(5)), Permit::Busy);
        assert_eq!(courtesy.enter(other, 1, Moment(5)), Permit::Go);
        courtesy.leave(one, Moment(9));
        assert_eq!(courtesy.enter(two, 1, Moment(5)), Permit::At(Moment(9)));
    }

    #[test]
    fn whoever_learns_of_a_server_does_not_let_others_out_of_it() {
        let courtesy = Courtesy::default();
        let one = Gates::of("one.example", Some(at([192, 0, 2, 1])));
        let two = Gates::of("two.example", Some(at([192, 0, 2, 1])));
        assert_eq!(courtesy.enter(one, 1, Moment(5)), Permit::Go);
        courtesy.learn(two, Moment(9));
        assert_eq!(courtesy.enter(two, 1, Moment(9)), Permit::Busy);
        courtesy.leave(one, Moment(6));
        assert_eq!(courtesy.enter(two, 1, Moment(6)), Permit::At(Moment(9)));
    }

    #[test]
    fn gates_that_nobody_waits_for_are_forgotten() {
        let courtesy = Courtesy::default();
        for host in 0..MANY_GATES + 10 {
            let gates = Gates::of(&host.to_string(), None);
            courtesy.enter(gates, 1, Moment(host as u64));
            courtesy.leave(gates, Moment(host as u64));
        }
        assert!(courtesy.lock().len() < 100);
    }
}
