//! Seeds of which nothing came, and why.

use std::collections::HashSet;

use frontier::{Entry, LinkId, State};

use super::{Crawl, Shared};
use crate::clock::timestamp;
use crate::desk::Desk;
use crate::error::Error;
use crate::refused_seeds::RefusedSeeds;
use crate::setback::Setback;

/// A seed of which no page came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostSeed {
    /// Where it points.
    pub url: String,
    /// Why, and what can be done about it.
    pub reason: String,
}

impl Crawl {
    /// The first seeds of which no page came though they were asked for, or which were not let in, and how
    /// many those are in all.
    pub fn lost_seeds(&self, most: usize) -> Result<(Vec<LostSeed>, usize), Error> {
        let mut lost = Vec::new();
        let mut count = 0;
        let mut met = HashSet::new();
        let mut desk = self.shared.desk();
        let refused = RefusedSeeds::of(&desk.frontier)?;
        for url in self.task().check_seeds()? {
            // Two spellings of a seed are one.
            if !met.insert(url.to_string()) {
                continue;
            }
            let setback = match desk.frontier.find(&url)? {
                Some((id, entry)) => self.shared.setback(&mut desk, id, entry)?,
                None => refused.reason(&url).map(Setback::refused),
            };
            let Some(setback) = setback else { continue };
            count += 1;
            if lost.len() < most {
                lost.push(LostSeed { url: url.into(), reason: setback.to_string() });
            }
        }
        Ok((lost, count))
    }
}

impl Shared {
    /// What keeps a link from bringing a page; nothing if it brought one or was not asked for yet.
    fn setback(
        &self,
        desk: &mut Desk,
        id: LinkId,
        mut entry: Entry,
    ) -> Result<Option<Setback>, Error> {
        let mut passed = HashSet::from([id]);
        while let State::Redirected(target) = entry.state {
            if !passed.insert(target) {
                return Ok(Some(Setback::circle()));
            }
            entry = desk.frontier.entry(target)?;
        }
        let met = self.setbacks.of(&entry.url);
        Ok(match &entry.state {
            // It was followed to where it leads to.
            State::Redirected(_) => None,
            State::Dropped(reason) => {
                Some(met.map_or_else(|| Setback::dropped(reason), Setback::given_up))
            }
            State::Visited => entry.visit.as_ref().and_then(|visit| match visit.status {
                // Of what is no page no digest is kept.
                200..300 if visit.digest == 0 => Some(met.unwrap_or(Setback::unwanted(None))),
                200..400 => None,
                status => Some(met.unwrap_or(Setback::status(status))),
            }),
            // It has brought a page once, and waits to be looked at again.
            _ if entry.visit.is_some() => met,
            State::Waiting(until) => {
                let until = timestamp(*until).to_string();
                Some(met.unwrap_or_else(|| Setback::put_off(&until)))
            }
            State::Queued => {
                let pace = desk.frontier.host(entry.host)?.pace;
                let is_left_alone = pace.refusals > 0 && pace.next > self.clock.now();
                let until = timestamp(pace.next).to_string();
                met.or_else(|| is_left_alone.then(|| Setback::silent_host(&until)))
            }
        })
    }
}
