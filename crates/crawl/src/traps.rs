//! What the crawl remembers to keep out of traps, and to fetch nothing twice.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::PathBuf;

use frontier::{
    Brought, Entry, Floods, Frontier, HostId, LinkId, Mirrors, Moment, Month, suspicion,
};
use serde::de::DeserializeOwned;
use url::{Position, Url};

use self::likeness::{Arrival, Likeness};
use self::memory::{Last, Memory};
use crate::clock::timestamp;
use crate::error::Error;
use crate::parameters::{Parameters, difference, parameters, without};
use crate::passages::{Found, Passages};
use crate::reading::ReadPage;
use crate::words::Words;

mod likeness;
mod memory;

/// How many digests of contents are remembered, twice: the older half is forgotten at once.
const CONTENTS: usize = 1 << 18;
/// So many parameters of a link are compared with the link without them.
const MOST_PARAMETERS: usize = 4;
/// How many hosts are remembered in memory between commits.
const MANY_HOSTS: usize = 1 << 14;

/// Why a link of a host is not followed that repeats another host.
const MIRROR: &str = "mirror";

/// Why a link is not followed whose domain has hosts without end.
const FLOOD: &str = "host flood";

/// The form of what is written down, as a number that nothing else begins with: what has another form is
/// learned anew. It changes with everything that is kept.
const FORM: u32 = 0x7261_7002;

/// What was met so far, in all and by host.
///
/// Which contents and passages were met is forgotten at every start: it is by far the most, and comes
/// again with the pages.
#[derive(Default)]
pub(crate) struct Traps {
    /// Where it is written down.
    file: PathBuf,
    hosts: HashMap<HostId, Memory>,
    changed: HashSet<HostId>,
    mirrors: Mirrors,
    floods: Floods,
    words: Words,
    parameters: Parameters,
    passages: Passages,
    contents: HashMap<u64, LinkId>,
    older_contents: HashMap<u64, LinkId>,
}

/// What a page turned out to be, compared with those before.
pub(crate) struct Compared {
    /// The link under which the same content was there before.
    pub(crate) original: Option<LinkId>,
    /// Whether it brought nothing new.
    pub(crate) is_repeated: bool,
    /// Whether it says something that the last pages of its host did not say, or did not need to.
    pub(crate) has_own_wording: bool,
}

impl Traps {
    /// Whether a link is worth being known at all, by its looks and its host; otherwise why not.
    pub(crate) fn judge(&mut self, url: &Url, now: Moment) -> Result<(), &'static str> {
        self.suspect(url, now)?;
        if !self.floods.admits(url.host_str().unwrap_or_default()) {
            return Err(FLOOD);
        }
        Ok(())
    }

    /// The same, for whoever wants to know and brings no link.
    pub(crate) fn would_judge(&self, url: &Url, now: Moment) -> Result<(), &'static str> {
        self.suspect(url, now)?;
        if !self.floods.would_admit(url.host_str().unwrap_or_default()) {
            return Err(FLOOD);
        }
        Ok(())
    }

    /// Whether a link is no trap by its looks, and no mirror; otherwise what it is.
    fn suspect(&self, url: &Url, now: Moment) -> Result<(), &'static str> {
        let date = timestamp(now).to_zoned(jiff::tz::TimeZone::UTC).date();
        let year = u16::try_from(date.year()).unwrap_or_default();
        let month = u8::try_from(date.month()).unwrap_or(1);
        if let Some(suspicion) = suspicion(Month { year, month }, url) {
            return Err(suspicion.kind());
        }
        let host = url.host_str().unwrap_or_default();
        if self.mirrors.original_of(host).is_some() {
            return Err(MIRROR);
        }
        Ok(())
    }

    /// The same link on the host that its host repeats, if it repeats one.
    pub(crate) fn on_original(&self, url: &Url) -> Option<Url> {
        let original = self.mirrors.original_of(url.host_str()?)?;
        let mut url = url.clone();
        url.set_host(Some(original)).ok()?;
        Some(url)
    }

    /// Whether a link is worth a visit by what its like have brought. Asking counts.
    pub(crate) fn admits(
        &mut self,
        frontier: &mut Frontier,
        host: HostId,
        url: &Url,
    ) -> Result<Result<(), &'static str>, Error> {
        if self.mirrors.original_of(url.host_str().unwrap_or_default()).is_some() {
            return Ok(Err(MIRROR));
        }
        if !self.words.admits(url) || self.is_to_be_had_plainer(frontier, host, url)? {
            return Ok(Err("repetition"));
        }
        let admits = self.memory(frontier, host)?.patterns.admits(url);
        self.changed.insert(host);
        Ok(admits.then_some(()).ok_or("trap"))
    }

    /// Whether the link has a parameter that changes nothing, and the link without it is known.
    fn is_to_be_had_plainer(
        &mut self,
        frontier: &mut Frontier,
        host: HostId,
        url: &Url,
    ) -> Result<bool, Error> {
        if url.query().is_none() {
            return Ok(false);
        }
        self.memory(frontier, host)?;
        let Some(memory) = self.hosts.get(&host) else { return Ok(false) };
        match self.parameters.plainer(&memory.pairs, url) {
            Some(plainer) => Ok(frontier.knows(&plainer)?),
            None => Ok(false),
        }
    }

    /// Takes in a page, and tells how it compares with those before.
    pub(crate) fn page(
        &mut self,
        frontier: &mut Frontier,
        id: LinkId,
        entry: &Entry,
        url: &Url,
        read: &ReadPage,
    ) -> Result<Compared, Error> {
        let page = Arrival { id, entry, url, read };
        let likeness = self.compare(frontier, page)?;
        let Likeness { original, has_own_wording, .. } = likeness;
        if page.is_again() {
            return Ok(Compared { original, is_repeated: false, has_own_wording: true });
        }
        self.learn_page(frontier, page, &likeness)?;
        Ok(Compared { original, is_repeated: likeness.is_repetition(), has_own_wording })
    }

    /// Compares a page with those before. Its content and its passages are known from now on.
    fn compare(&mut self, frontier: &Frontier, page: Arrival) -> Result<Likeness, Error> {
        let same = self.original(page.read.content, page.id);
        let found = match same {
            Some(_) => Found::default(),
            None => self.passages.compare(page.id, &page.read.passages),
        };
        let alike = same.or(found.original);
        let memory = self.memory(frontier, page.entry.host)?;
        let last = Last::of(page.read);
        // Of what the crawl looks for, pages that are merely alike are two: the entries of a directory
        // share all their words but the address.
        let is_wanted = page.is_wanted();
        Ok(Likeness {
            alike,
            original: if is_wanted { same } else { alike },
            paragraph: found.longest,
            is_not_found: memory.not_found.includes(page.url, page.read.page.fingerprint),
            is_alike: !is_wanted && memory.has_like(last),
            has_own_wording: is_wanted || !memory.has_words_of(last),
        })
    }

    /// Takes in what a link brought at its first visit.
    fn learn_page(
        &mut self,
        frontier: &mut Frontier,
        page: Arrival,
        likeness: &Likeness,
    ) -> Result<(), Error> {
        let Arrival { entry, url, read, .. } = page;
        let is_new = !likeness.is_repetition();
        let memory = self.memory(frontier, entry.host)?;
        memory.patterns.learn(url, likeness.brought(entry.via));
        if is_new && page.is_wanted() {
            memory.patterns.learn_wanted(url);
        }
        memory.keep(Last::of(read));
        self.changed.insert(entry.host);
        self.learn_pairs(frontier, page, likeness)?;
        let host = url.host_str().unwrap_or_default();
        let path = &url[Position::BeforePath..Position::AfterQuery];
        self.mirrors.learn(host, path, likeness.shown(page));
        if is_new {
            self.floods.learn_new(host);
        }
        Ok(())
    }

    /// Takes in what the words and the parameters of a link came to, by the page that it repeats.
    fn learn_pairs(
        &mut self,
        frontier: &mut Frontier,
        page: Arrival,
        likeness: &Likeness,
    ) -> Result<(), Error> {
        let (host, url) = (page.entry.host, page.url);
        let original = likeness.original.map(|it| frontier.entry(it)).transpose()?;
        // What another host has shown before says nothing of the words of this one.
        if original.as_ref().is_some_and(|it| it.host != host) {
            return Ok(());
        }
        let is_new = !likeness.is_repetition();
        self.words.learn(host, url, is_new);
        let original = original.and_then(|it| Url::parse(&it.url).ok());
        self.learn_idle(page, original.as_ref());
        if is_new {
            self.learn_telling(frontier, host, url)?;
        }
        Ok(())
    }

    /// Takes in which parameter makes no difference, by the page that is repeated and by what the page
    /// itself says.
    fn learn_idle(&mut self, page: Arrival, original: Option<&Url>) {
        let Some(memory) = self.hosts.get_mut(&page.entry.host) else { return };
        if let Some(parameter) = original.and_then(|it| difference(page.url, it)) {
            self.parameters.learn_idle(&mut memory.pairs, parameter, false);
        }
        if let Some(parameter) = said_to_be_idle(page) {
            self.parameters.learn_idle(&mut memory.pairs, parameter, true);
        }
    }

    /// Takes in which parameters of a link that brought something new make a difference: those without
    /// which there is a page, too.
    fn learn_telling(
        &mut self,
        frontier: &mut Frontier,
        host: HostId,
        url: &Url,
    ) -> Result<(), Error> {
        let Some(memory) = self.hosts.get_mut(&host) else { return Ok(()) };
        for parameter in parameters(url).take(MOST_PARAMETERS) {
            let plainer = frontier.find(&without(url, parameter))?;
            if plainer.is_some_and(|it| it.1.visit.is_some_and(|it| it.digest != 0)) {
                self.parameters.learn_telling(&mut memory.pairs, parameter);
            }
        }
        Ok(())
    }

    /// Takes in what another answer brought.
    pub(crate) fn learn(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
        brought: Brought,
    ) -> Result<(), Error> {
        self.memory(frontier, host)?.patterns.learn(url, brought);
        self.changed.insert(host);
        Ok(())
    }

    /// Takes in which links of a page nobody had found before.
    pub(crate) fn learn_links(
        &mut self,
        frontier: &Frontier,
        entry: &Entry,
        url: &Url,
        new: &[Url],
        compared: &Compared,
    ) -> Result<(), Error> {
        let memory = self.memory(frontier, entry.host)?;
        memory.patterns.learn_links(url, new.iter(), compared.has_own_wording);
        Ok(())
    }

    /// Takes in that there is no such page, and what the host says then.
    pub(crate) fn gone(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
        fingerprint: u64,
    ) -> Result<(), Error> {
        self.memory(frontier, host)?.not_found.learn(fingerprint);
        self.learn(frontier, host, url, Brought::Failed)
    }

    /// Hands what was learned about hosts to the frontier, which keeps it at its next commit.
    pub(crate) fn save(&mut self, frontier: &mut Frontier) {
        let mut bytes = Vec::new();
        for host in self.changed.drain() {
            let Some(memory) = self.hosts.get(&host) else { continue };
            bytes.clear();
            if postcard::to_io(&(FORM, memory), &mut bytes).is_ok() {
                // As many bytes as there are: those of all hosts are in memory until the commit.
                frontier.remember(host, bytes.clone());
            }
        }
        if self.hosts.len() > MANY_HOSTS {
            self.hosts.clear();
        }
    }

    /// Writes down what was found out about all hosts together: into a file of its own, piece by piece, since
    /// it may be large. It speaks of hosts and links by their numbers, so the frontier is committed before.
    ///
    /// A crawl goes on without it: what was not kept is learned anew.
    pub(crate) fn keep(&self) {
        if let Err(error) = self.write() {
            let file = self.file.display();
            tracing::warn!(%file, %error, "what was found out about traps could not be kept");
        }
    }

    fn write(&self) -> io::Result<()> {
        let all = (FORM, &self.mirrors, &self.floods, &self.words, &self.parameters);
        let aside = self.file.with_extension("new");
        let file = BufWriter::new(File::create(&aside)?);
        let file = postcard::to_io(&all, file).map_err(io::Error::other)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&aside, &self.file)
    }

    /// What the crawl has found out in earlier runs and kept in this file.
    pub(crate) fn recall(file: PathBuf) -> Result<Self, Error> {
        let kept = match fs::read(&file) {
            Ok(bytes) => recalled(&bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::file(file)(error)),
        };
        let (mirrors, floods, words, parameters) = kept.unwrap_or_default();
        Ok(Self { file, mirrors, floods, words, parameters, ..Self::default() })
    }

    /// The link under which the same content was there before.
    fn original(&mut self, content: u64, id: LinkId) -> Option<LinkId> {
        let known = self.contents.get(&content).or_else(|| self.older_contents.get(&content));
        if let Some(known) = known {
            return Some(*known).filter(|it| *it != id);
        }
        if self.contents.len() >= CONTENTS {
            self.older_contents = std::mem::take(&mut self.contents);
        }
        self.contents.insert(content, id);
        None
    }

    fn memory(&mut self, frontier: &Frontier, host: HostId) -> Result<&mut Memory, Error> {
        use std::collections::hash_map::Entry as Slot;
        match self.hosts.entry(host) {
            Slot::Occupied(slot) => Ok(slot.into_mut()),
            Slot::Vacant(slot) => {
                let kept = frontier.memory(host)?;
                // A memory that cannot be read was written by another version: it is learned anew.
                let memory = kept.and_then(|it| recalled(&it));
                Ok(slot.insert(memory.unwrap_or_default()))
            }
        }
    }
}

/// What was written down, if it has the form of today.
fn recalled<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (form, rest) = postcard::take_from_bytes::<u32>(bytes).ok()?;
    if form == FORM { postcard::from_bytes(rest).ok() } else { None }
}

/// The parameter without which the page wants to be known, if that is all it wants.
fn said_to_be_idle(page: Arrival<'_>) -> Option<&str> {
    let canonical = Url::parse(page.read.page.canonical.as_deref()?).ok()?;
    let parameter = difference(page.url, &canonical)?;
    parameters(page.url).find(|it| *it == parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of a hundred hosts of a domain are taken in.
    #[track_caller]
    fn check(traps: &mut Traps, first: usize, expected: usize) {
        let is_taken = |host: &usize| {
            let url = Url::parse(&format!("http://h{host}.farm.example/")).expect("a URL");
            traps.judge(&url, Moment(1_700_000_000_000)).is_ok()
        };
        assert_eq!((first..first + 100).filter(is_taken).count(), expected);
    }

    #[test]
    fn what_was_found_out_is_known_after_another_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("traps");
        let recall = || Traps::recall(file.clone()).expect("it is there, or there is nothing yet");
        let mut traps = recall();
        check(&mut traps, 0, 32);
        traps.keep();
        check(&mut recall(), 100, 0);
        fs::write(&file, b"another form").expect("it is written");
        check(&mut recall(), 200, 32);
        fs::write(&file, b"").expect("it is written");
        check(&mut recall(), 300, 32);
    }
}
