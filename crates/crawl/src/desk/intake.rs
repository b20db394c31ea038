//! Taking in the links that an answer brings, as far as they belong to the crawl.

use std::collections::{HashMap, HashSet};

use focus::{Candidate, Source, Value};
use frontier::{Entry, FileKind, Kind, Link, LinkId, Moment, OutOfScope, Priority, State, Wanted};
use url::Url;

use super::{Desk, Room};
use crate::answer::Answer;
use crate::counters::Counters;
use crate::error::Error;
use crate::reading::{FoundLink, List, ReadPage};
use crate::setback::TOO_MANY_REDIRECTS;

/// So many links of a list are taken in at a time, which takes about a tenth of a second; meanwhile nobody else gets
/// to the desk.
pub(crate) const SLICE: usize = 2_000;

/// Links of one page that are about to be taken in, by host: they may be more than the scope takes of it.
#[derive(Default)]
struct Coming(HashMap<String, u64>);

impl Coming {
    /// How many there are of the host of a URL.
    fn of(&self, url: &Url) -> u64 {
        self.0.get(frontier::gate_of(url)).copied().unwrap_or_default()
    }

    fn add(&mut self, url: &Url) {
        *self.0.entry(frontier::gate_of(url).to_owned()).or_default() += 1;
    }
}

impl Desk {
    /// A link leads to another one; gives what becomes of it if it was not simply visited.
    pub(super) fn lead_on(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        url: &Url,
        target: &Url,
        now: Moment,
    ) -> Result<Option<State>, Error> {
        let (is_new, state) = if entry.redirects >= self.limits.redirects {
            counters.error("redirects");
            (false, Some(State::Dropped(TOO_MANY_REDIRECTS.to_owned())))
        } else {
            match self.follow(id, entry, target, now)? {
                Err(reason) => {
                    counters.filtered(reason);
                    (false, Some(State::Dropped(format!("leads to {target}: {reason}"))))
                }
                Ok(is_new) => {
                    (is_new, self.frontier.find(target)?.map(|it| State::Redirected(it.0)))
                }
            }
        };
        // What is known already is to be had without this link.
        if is_new {
            self.strategy.forward(url, target);
        } else if entry.visit.is_none() {
            self.strategy.forgo(url);
        }
        Ok(state)
    }

    /// Takes in where a link leads to, if that belongs to the crawl, and tells whether that is new;
    /// otherwise tells why not.
    pub(super) fn follow(
        &mut self,
        id: LinkId,
        entry: &Entry,
        target: &Url,
        now: Moment,
    ) -> Result<Result<bool, &'static str>, Error> {
        let is_inside = Url::parse(&entry.url).is_ok_and(|it| {
            // By another scheme it is the same host.
            frontier::gate_of(&it) == frontier::gate_of(target)
        });
        let inside = if is_inside { entry.inside } else { 0 };
        if let Err(reason) = self.judge(target, entry.kind, entry.depth, inside, now)? {
            return Ok(Err(reason));
        }
        let link = Link {
            url: target.clone(),
            kind: entry.kind,
            via: Some(id),
            depth: entry.depth,
            inside,
            redirects: entry.redirects + 1,
            priority: entry.priority,
            note: entry.note.clone(),
        };
        let added = self.frontier.add(&[link], false, now)?;
        Ok(Ok(added.is_new == [true]))
    }

    pub(super) fn add_page(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        read: &ReadPage,
        now: Moment,
    ) -> Result<Vec<Url>, Error> {
        let source = Source {
            url: &answer.url,
            page: Some(&read.page),
            relevant: read.judgement.relevant,
            similarity: read.judgement.similarity,
            nearness: read.judgement.nearness,
            depth: entry.depth,
            note: &entry.note,
        };
        let (links, feeds) = (&read.links, &read.feeds);
        let mut new = self.add(counters, id, entry, &source, links, Kind::Page, None, now)?;
        // Where a host is entered it tells of its news; most of its other pages name the same feeds.
        if entry.inside == 0 {
            new.extend(self.add(counters, id, entry, &source, feeds, Kind::Sitemap, None, now)?);
        }
        Ok(new)
    }

    pub(super) fn add_list(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        list: &mut List,
        now: Moment,
    ) -> Result<usize, Error> {
        let mut new = 0;
        while list.rest() > 0 {
            new += self.add_slice(counters, id, entry, answer, list, now)?;
        }
        Ok(new)
    }

    /// Takes the next links out of a list and in, as far as they belong to the crawl; tells how many are new. The
    /// pages come first.
    pub(crate) fn add_slice(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        list: &mut List,
        now: Moment,
    ) -> Result<usize, Error> {
        // An index lists sitemaps; the protocol knows no index of indexes, which might have no end.
        if list.pages.is_empty() && self.is_listed(entry)? {
            list.sitemaps.clear();
        }
        let (rest, kind) = if list.pages.is_empty() {
            (&mut list.sitemaps, Kind::Sitemap)
        } else {
            (&mut list.pages, Kind::Page)
        };
        let slice: Vec<_> = rest.drain(..SLICE.min(rest.len())).collect();
        let (source, room) = (listing(entry, answer), room_of(entry, &mut list.room));
        Ok(self.add(counters, id, entry, &source, &slice, kind, room, now)?.len())
    }

    /// Takes in the sitemaps that a host names in its robots.txt, as far as they belong to the crawl.
    pub(crate) fn add_sitemaps(
        &mut self,
        counters: &Counters,
        named: impl IntoIterator<Item = Link>,
        now: Moment,
    ) -> Result<(), Error> {
        for link in named {
            if self.frontier.knows(&link.url)? {
                continue;
            }
            match self.judge(&link.url, Kind::Sitemap, link.depth, link.inside, now)? {
                Ok(()) => drop(self.frontier.add(&[link], false, now)?),
                Err(reason) => counters.filtered(reason),
            }
        }
        Ok(())
    }

    /// Whether a sitemap was found in another one.
    fn is_listed(&self, entry: &Entry) -> Result<bool, Error> {
        let mut via = entry.via;
        for _ in 0..entry.redirects {
            let Some(before) = via else { return Ok(false) };
            via = self.frontier.entry(before)?.via;
        }
        let found_on = via.map(|it| self.frontier.entry(it)).transpose()?;
        Ok(found_on.is_some_and(|it| it.kind == Kind::Sitemap))
    }

    /// Takes links in that belong to the crawl, each with its value; gives those that are new. Those of a list
    /// need room.
    #[allow(clippy::too_many_arguments, reason = "they are all about one page")]
    fn add(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        source: &Source<'_>,
        found: &[FoundLink],
        kind: Kind,
        mut room: Option<&mut Room>,
        now: Moment,
    ) -> Result<Vec<Url>, Error> {
        let depth = entry.depth.saturating_add(1);
        let is_raising = self.strategy.raises();
        let here = frontier::gate_of(source.url);
        let mut links = Vec::with_capacity(found.len());
        let mut candidates = Vec::with_capacity(found.len());
        // What a mirror has is to be had from its original.
        let on_original: Vec<_> = found.iter().map(|it| self.traps.on_original(&it.url)).collect();
        for (found, original) in found.iter().zip(&on_original) {
            let url = original.as_ref().unwrap_or(&found.url);
            // Most links of a page are those of its site's menu, and known.
            let is_known = self.frontier.knows(url)?;
            if !is_raising && is_known {
                continue;
            }
            let hreflang = found.hreflang.as_deref();
            if hreflang.is_some_and(|it| !self.scope.takes_language(it)) {
                counters.filtered("language");
                continue;
            }
            let is_inside = frontier::gate_of(url) == here;
            let inside = if is_inside { entry.inside.saturating_add(1) } else { 0 };
            if let Err(reason) = self.judge(url, kind, depth, inside, now)? {
                counters.filtered(reason);
                continue;
            }
            // What nobody will visit is not to be valued: the strategy may learn how much there is.
            if let Some(room) = room.as_deref_mut()
                && !is_known
                && !self.has_room(room, source.url, url, kind)?
            {
                counters.filtered("listed only");
                continue;
            }
            let link = found.index.and_then(|index| source.page?.links.get(index));
            candidates.push(Candidate { url, link, depth, is_known });
            links.push(Link { kind, via: Some(id), depth, inside, ..Link::seed(url.clone()) });
        }
        let values = self.strategy.value(source, &candidates);
        let mut coming = Coming::default();
        let mut let_in = HashSet::new();
        let mut taken = Vec::with_capacity(links.len());
        for ((link, value), candidate) in links.into_iter().zip(values).zip(&candidates) {
            let url = candidate.url;
            let reason = if value.is_refused() {
                Some("strategy")
            } else if candidate.is_known || let_in.contains(url) {
                None
            } else {
                self.take_space(&link, source.url, room.as_deref_mut(), &mut coming)?.err()
            };
            if let Some(reason) = reason {
                counters.filtered(reason);
                continue;
            }
            let_in.insert(url);
            let Value { priority, note } = value;
            taken.push(Link { priority: Priority(priority), note, ..link });
        }
        let added = self.frontier.add(&taken, is_raising, now)?;
        let new = taken.into_iter().zip(added.is_new).filter(|it| it.1);
        let new: Vec<_> = new.map(|it| it.0.url).collect();
        if room.is_some() {
            self.count_listed(&new)?;
        }
        Ok(new)
    }

    /// Takes the space for a link that is new, beside those that are about to be taken in before it; otherwise tells
    /// in a word why there is none.
    fn take_space(
        &mut self,
        link: &Link,
        list: &Url,
        room: Option<&mut Room>,
        coming: &mut Coming,
    ) -> Result<Result<(), &'static str>, Error> {
        let most = self.scope.urls_per_host;
        if let Some(most) = most
            && self.urls_of_host(&link.url)? + coming.of(&link.url) >= most
        {
            let host = link.url.host_str().unwrap_or_default().to_owned();
            return Ok(Err(OutOfScope::HostFull { host, most }.kind()));
        }
        if let Some(room) = room
            && !self.take_room(room, list, &link.url, link.kind)?
        {
            return Ok(Err("listed only"));
        }
        if most.is_some() {
            coming.add(&link.url);
        }
        Ok(Ok(()))
    }

    /// How many URLs of the host of a link are known.
    fn urls_of_host(&mut self, url: &Url) -> Result<u64, Error> {
        let host = self.frontier.known_host_of(url)?;
        let known = host.map(|it| self.frontier.host(it)).transpose()?;
        Ok(known.map_or(0, |it| it.known))
    }

    /// Whether a link belongs to the crawl; otherwise why not, in a word.
    pub(super) fn judge(
        &mut self,
        url: &Url,
        kind: Kind,
        depth: u16,
        inside: u16,
        now: Moment,
    ) -> Result<Result<(), &'static str>, Error> {
        let wanted = if kind == Kind::Sitemap { Wanted::Feeds } else { Wanted::Pages };
        if !FileKind::of_url(url).serves(wanted) {
            return Ok(Err("file type"));
        }
        let urls_of_host = match self.scope.urls_per_host {
            Some(_) => self.urls_of_host(url)?,
            None => 0,
        };
        let verdict = self.scope.judge(&frontier::Candidate {
            url,
            depth: depth.into(),
            depth_in_host: inside.into(),
            urls_of_host,
        });
        match verdict {
            // The paths that are in scope are those of pages; their list may well lie elsewhere.
            Err(OutOfScope::PathNotAllowed(_)) if kind == Kind::Sitemap => {}
            Err(reason) => return Ok(Err(reason.kind())),
            Ok(()) => {}
        }
        // What is out of scope is to teach nothing about the hosts of its domain.
        Ok(self.traps.judge(url, now))
    }
}

/// The room that the links of a list need: none if somebody began with the list, who means all of it.
fn room_of<'a>(entry: &Entry, room: &'a mut Room) -> Option<&'a mut Room> {
    (entry.kind == Kind::Sitemap).then_some(room)
}

/// A list, as where its links were found.
fn listing<'a>(entry: &'a Entry, answer: &'a Answer) -> Source<'a> {
    Source {
        url: &answer.url,
        page: None,
        relevant: None,
        similarity: None,
        nearness: None,
        depth: entry.depth,
        note: &entry.note,
    }
}
