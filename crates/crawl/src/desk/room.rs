//! How much room hosts have for links that nothing but a list names.

use std::collections::HashMap;

use frontier::{Host, HostId, Kind, LinkId, State, registered_domain};
use url::{Position, Url};

use super::Desk;
use crate::error::Error;

/// Every answer of a host that is neither an error nor a repetition makes room for so many links more. On most
/// sites a page is known by its list before it is fetched, and the list is never far ahead.
const BY_NEW: u64 = 10;
/// A list whose rest was left out is read again when there is room for so many links at least: more than reading
/// it makes by itself.
const LEAST_AGAIN: u64 = 2 * BY_NEW;
/// This part of a host's first room an index may fill with sitemaps; the rest is for what they list.
const PART_OF_SITEMAPS: u64 = 10;

/// The room that there is while one list is taken in.
///
/// Lists are made by programs, and name millions of pages at no cost. What pages link to costs a page to show.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// By origin.
    hosts: HashMap<String, OfHost>,
    sitemaps: u64,
    /// Whether it named more sitemaps than an index may.
    was_cut: bool,
    strangers: usize,
}

#[derive(Debug)]
struct OfHost {
    left: u64,
    /// Whether it has never answered, and is no part of the list's domain: it may not even exist.
    is_stranger: bool,
    was_full: bool,
}

impl Desk {
    /// Takes the room for a link that a list names; tells whether there was some.
    pub(super) fn take_room(
        &mut self,
        room: &mut Room,
        list: &Url,
        url: &Url,
        kind: Kind,
    ) -> Result<bool, Error> {
        if !self.has_room(room, list, url, kind)? {
            return Ok(false);
        }
        let host = room.hosts.get_mut(origin(url)).expect("it was looked at");
        host.left -= 1;
        room.strangers += usize::from(host.is_stranger);
        room.sitemaps += u64::from(kind == Kind::Sitemap);
        Ok(true)
    }

    /// Whether there is room for a link that a list names.
    pub(super) fn has_room(
        &mut self,
        room: &mut Room,
        list: &Url,
        url: &Url,
        kind: Kind,
    ) -> Result<bool, Error> {
        let origin = origin(url);
        if !room.hosts.contains_key(origin) {
            let id = self.frontier.known_host_of(url)?;
            let host = id.map(|it| self.frontier.host(it)).transpose()?.unwrap_or_default();
            let is_stranger = host.manners.is_none() && domain_of(url) != domain_of(list);
            let left = self.room_left(id, &host)?;
            room.hosts.insert(origin.to_owned(), OfHost { left, is_stranger, was_full: false });
        }
        let host = room.hosts.get_mut(origin).expect("it was put there");
        // A page may name as many of them.
        let is_strange = host.is_stranger && room.strangers >= self.limits.links;
        let most_sitemaps = self.limits.listed.div_ceil(PART_OF_SITEMAPS);
        let is_one_too_many = kind == Kind::Sitemap && room.sitemaps >= most_sitemaps;
        // Whom it would help to wait until the host has made room.
        host.was_full |= host.left == 0 && !is_strange && !is_one_too_many;
        room.was_cut |= is_one_too_many;
        Ok(host.left > 0 && !is_strange && !is_one_too_many)
    }

    /// Remembers a list whose rest was left out, if it was; tells whether.
    pub(super) fn remember_unfinished(&mut self, id: LinkId, room: &Room) -> Result<bool, Error> {
        let mut is_unfinished = room.was_cut;
        for (origin, of_host) in &room.hosts {
            is_unfinished |= of_host.was_full;
            let host = Url::parse(origin).ok().map(|it| self.frontier.known_host_of(&it));
            if let Some(host) = host.transpose()?.flatten() {
                if of_host.was_full {
                    self.frontier.set_unfinished(host, id)?;
                } else {
                    self.frontier.forget_unfinished(host, id)?;
                }
            }
        }
        Ok(is_unfinished)
    }

    /// Lets a list be read again whose rest was left out, if its host has made room by now.
    pub(super) fn read_on(&mut self, host: HostId) -> Result<(), Error> {
        let Some(list) = self.frontier.first_unfinished(host)? else {
            self.again.remove(&host);
            return Ok(());
        };
        // One after the other, so that it is known what room each has left.
        if let Some(before) = self.again.get(&host)
            && self.frontier.entry(*before)?.state == State::Queued
        {
            return Ok(());
        }
        let known = self.frontier.host(host)?;
        if self.room_left(Some(host), &known)? < LEAST_AGAIN.max(self.limits.listed / 2) {
            return Ok(());
        }
        self.frontier.forget_unfinished(host, list)?;
        self.again.insert(host, list);
        self.frontier.begin_again(list)?;
        Ok(())
    }

    /// Counts links that were new when a list named them.
    pub(super) fn count_listed(&mut self, new: &[Url]) -> Result<(), Error> {
        let mut hosts: HashMap<_, u64> = HashMap::new();
        for url in new {
            if let Some(host) = self.frontier.known_host_of(url)? {
                *hosts.entry(host).or_default() += 1;
            }
        }
        for (host, more) in hosts {
            self.frontier.add_listed(host, more)?;
        }
        Ok(())
    }

    /// For how many links more a host has room that only lists name.
    fn room_left(&self, id: Option<HostId>, host: &Host) -> Result<u64, Error> {
        let new = host.visited.saturating_sub(host.errors + host.duplicates);
        let listed = id.map(|it| self.frontier.listed(it)).transpose()?.unwrap_or_default();
        Ok((self.limits.listed + BY_NEW * new).saturating_sub(listed))
    }
}

fn origin(url: &Url) -> &str {
    &url[..Position::BeforePath]
}

fn domain_of(url: &Url) -> &str {
    registered_domain(url.host_str().unwrap_or_default())
}
