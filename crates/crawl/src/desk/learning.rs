//! What follows from answers for links that wait: values by what was learned, and the rank of hosts.

use focus::{Lesson, Stale, Strategy};
use frontier::{Entry, HostId, Kind, LinkId, Moment, Priority, State};

use super::{Desk, value_of};
use crate::error::Error;

/// After so many answers each time it is looked whether a host should sink or rise.
const SINK_EVERY: u64 = 20;
/// So many links are valued anew at a time. It takes about a tenth of a second, during which nobody else
/// gets to the desk; ten million at once would take a minute.
const SLICE: usize = 1 << 14;
/// From so many pages a strategy learns at once, those that were visited last: some fifty megabytes. Ahlers
/// and Boll found that a third of it is enough.
const MOST_LESSONS: usize = 100_000;

/// Which links are to be valued anew: a walk along all of them, some with every answer.
#[derive(Default)]
pub(super) struct StaleLinks {
    /// Where the walk goes on.
    next: Option<LinkId>,
    /// Whether those it has passed are to be valued once more.
    is_again: bool,
}

impl StaleLinks {
    /// All are to be valued anew. A walk under way goes on, so that the last links have their turn too.
    fn begin(&mut self) {
        self.is_again = self.next.is_some_and(|it| it > LinkId(0));
        self.next = self.next.or(Some(LinkId(0)));
    }

    /// The walk has come to this link, or to its end.
    fn go_on(&mut self, next: Option<LinkId>) {
        let is_again = next.is_none() && std::mem::take(&mut self.is_again);
        self.next = if is_again { Some(LinkId(0)) } else { next };
    }
}

impl Desk {
    /// Values anew what is worth something else by what the strategy has heard.
    pub(super) fn refresh(&mut self, stale: Stale, host: HostId) -> Result<(), Error> {
        match stale {
            Stale::Nothing => {}
            Stale::Host => {
                self.frontier.revalue(host, |it| revalued(self.strategy.as_ref(), it))?;
            }
            Stale::Queue => self.stale.begin(),
            Stale::Everything => {
                let lessons = self.lessons()?;
                self.strategy.learn(&lessons);
                self.stale.begin();
            }
        }
        let Some(first) = self.stale.next else { return Ok(()) };
        let value = |it: &Entry| revalued(self.strategy.as_ref(), it);
        let next = self.frontier.revalue_from(first, SLICE, value)?;
        self.stale.go_on(next);
        Ok(())
    }

    /// The pages that were visited last, each with the page whose link was followed.
    fn lessons(&self) -> Result<Vec<Lesson>, Error> {
        let mut visited = Vec::new();
        self.frontier.links(|id, entry| {
            let is_page = entry.kind == Kind::Page && entry.state == State::Visited;
            if let Some(visit) = entry.visit.filter(|_| is_page) {
                if visited.len() >= 2 * MOST_LESSONS {
                    keep_latest(&mut visited, MOST_LESSONS);
                }
                let lesson = Lesson {
                    id: id.0,
                    via: entry.via.map(|it| it.0),
                    note: entry.note,
                    relevant: visit.relevant,
                };
                visited.push((visit.first, entry.redirects, lesson));
            }
        })?;
        keep_latest(&mut visited, MOST_LESSONS);
        // What lies between a page and the link that was followed to it are redirects.
        for (_, redirects, lesson) in &mut visited {
            for _ in 0..*redirects {
                let Some(via) = lesson.via else { break };
                lesson.via = self.frontier.entry(LinkId(via))?.via.map(|it| it.0);
            }
        }
        Ok(visited.into_iter().map(|it| it.2).collect())
    }

    /// A host that brings next to nothing but errors and repetitions is asked after all others.
    pub(super) fn sink(&mut self, host: HostId) -> Result<(), Error> {
        let known = self.frontier.host(host)?;
        if known.visited % SINK_EVERY != 0 {
            return Ok(());
        }
        let in_vain = known.errors + known.duplicates;
        let sunk = match known.visited - in_vain.min(known.visited) {
            new if new * 10 < known.visited => 2,
            new if new * 3 < known.visited => 1,
            _ => 0,
        };
        if sunk != known.sunk {
            self.frontier.sink(host, sunk)?;
        }
        Ok(())
    }
}

/// What a link is worth now that waits for its turn.
fn revalued(strategy: &dyn Strategy, entry: &Entry) -> Priority {
    match entry.kind {
        Kind::Page if entry.depth > 0 => Priority(strategy.revalue(&value_of(entry))),
        _ => entry.priority,
    }
}

/// Keeps the lessons of so many pages, those that were visited last, in the order of their links.
fn keep_latest(visited: &mut Vec<(Moment, u8, Lesson)>, most: usize) {
    if visited.len() > most {
        visited.select_nth_unstable_by_key(most, |it| std::cmp::Reverse((it.0, it.2.id)));
        visited.truncate(most);
        visited.sort_unstable_by_key(|it| it.2.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_those_of_the_pages_visited_last() {
        let lesson = |id| Lesson { id, via: None, note: Vec::new(), relevant: false };
        let mut visited: Vec<_> =
            [(7, 1), (9, 2), (8, 3), (5, 4)].map(|(at, id)| (Moment(at), 0, lesson(id))).to_vec();
        keep_latest(&mut visited, 4);
        assert_eq!(visited.len(), 4);
        keep_latest(&mut visited, 2);
        assert_eq!(visited.iter().map(|it| it.2.id).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn a_walk_along_stale_links_comes_to_their_end_however_often_it_is_begun() {
        let mut stale = StaleLinks::default();
        stale.begin();
        assert_eq!((stale.next, stale.is_again), (Some(LinkId(0)), false));
        stale.go_on(Some(LinkId(10)));
        stale.begin();
        stale.go_on(Some(LinkId(20)));
        stale.go_on(None);
        assert_eq!(stale.next, Some(LinkId(0)), "the first ones are valued once more");
        stale.go_on(None);
        assert_eq!(stale.next, None);
    }
}
