//! Building a generation: sources are taken in, put in order along the curve, and written as shards.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use gazetteer::Gazetteer;
use rayon::prelude::*;

use crate::dead::Dead;
use crate::document::Document;
use crate::duplicates::{Print, groups};
use crate::error::Error;
use crate::facts::GroupOf;
use crate::generation::{
    FORMAT, FileFact, Generation, Manifest, ShardFact, dead_file, fingerprint,
};
use crate::intake::{Anchor, Intake, Skip, Taken};
use crate::pages;
use crate::shard;
use crate::source::{Items, Raw, Source};
use crate::spot::curve;

/// Items are taken in so many at a time: enough to keep all threads busy, few enough to keep in memory.
const BATCH: usize = 512;
/// A shard has at most so many documents: the text index is put together in memory.
const LARGEST_SHARD: usize = 1_500_000;
/// With more shards than this, small ones are put together.
const MOST_SHARDS: usize = 8;
/// When so much of an index is dead, it is written anew.
const MOST_DEAD: f64 = 0.3;
/// So many wordings of links to a document are kept.
const MOST_ANCHORS: usize = 8;
/// So many complaints about broken items are kept word for word; all are counted.
const MOST_COMPLAINTS: usize = 20;

/// What to index, and how.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Files and directories; if there are none, what was indexed before.
    pub sources: Vec<PathBuf>,
    /// The sources were not named now, but remembered.
    pub is_remembered: bool,
    /// Forget what was indexed before.
    pub is_full: bool,
    /// The language of documents that do not tell theirs; else it is found out. `und` for none.
    pub language: Option<String>,
}

/// How far a build has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What it does.
    pub phase: Phase,
    /// How much of that is done: bytes while reading, documents while writing.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
    /// How many documents were taken in.
    pub documents: u64,
    /// How many items were not, by reason.
    pub skipped: BTreeMap<Skip, u64>,
}

/// What a build does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Sources are read, pages geoparsed.
    #[default]
    Reading,
    /// Shards are written.
    Writing,
    /// Checksums are taken.
    Checking,
}

/// What a build did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of the generation; the old one if nothing was new.
    pub number: u64,
    /// How many documents it has.
    pub documents: u64,
    /// How many of them are new or have changed.
    pub taken: u64,
    /// How many old ones they replace.
    pub replaced: u64,
    /// Items that became no documents, by reason.
    pub skipped: BTreeMap<Skip, u64>,
    /// What was wrong with the first broken items.
    pub complaints: Vec<String>,
    /// False if there was nothing new.
    pub is_new: bool,
}

/// A document in the spool.
struct Spooled {
    at: u64,
    length: u32,
    key: u64,
    curve: u64,
    fetched: i64,
    print: Print,
}

/// Documents taken in and not yet in order, on disk.
struct Spool {
    file: BufWriter<File>,
    at: u64,
    links: BufWriter<File>,
    documents: Vec<Spooled>,
    /// The latest copy of every document.
    latest: HashMap<u64, usize>,
}

/// Builds a generation in a directory that nobody reads yet. Nothing if there is nothing new.
pub(crate) fn build(
    directory: &Path,
    number: u64,
    gazetteer: &Gazetteer,
    base: Option<&Generation>,
    order: &Order,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(Option<Manifest>, Report), Error> {
    let base = base.filter(|_| !order.is_full);
    let mut report = Report { number, ..Report::default() };
    let mut progress = Progress::default();
    let sources = found(order, &mut report)?;
    let mut spool = Spool::create(directory)?;
    let known: Vec<Source> = base.map(|it| it.manifest.sources.clone()).unwrap_or_default();
    let fresh: Vec<&Source> = sources.iter().filter(|it| !known.contains(it)).collect();
    read(gazetteer, base, order, &fresh, &mut spool, &mut progress, &mut report, watch)?;
    report.taken = spool.latest.len() as u64;
    if base.is_none() && report.taken == 0 {
        let complaint = report.complaints.first().map(|it| format!(" ({it})")).unwrap_or_default();
        return Err(Error::NoDocuments(complaint));
    }
    if let (Some(base), 0) = (base, report.taken) {
        report.number = base.manifest.number;
        report.documents = base.manifest.documents();
        return Ok((None, report));
    }
    report.is_new = true;
    let kept = base.map(|base| spool.take_over(base, &mut report)).transpose()?.unwrap_or_default();
    let mut manifest = Manifest {
        format: FORMAT,
        number,
        made: 0,
        gazetteer: fingerprint(gazetteer),
        shards: Vec::new(),
        named: named(base, order),
        sources: merged(known, sources),
        skipped: base.map(|it| it.manifest.skipped.clone()).unwrap_or_default(),
        files: Vec::new(),
    };
    for (skip, count) in &report.skipped {
        *manifest.skipped.entry(skip.name().to_owned()).or_default() += count;
    }
    if let Some(base) = base {
        link(base, &kept, directory, &mut manifest)?;
    }
    progress = Progress { phase: Phase::Writing, total: spool.latest.len() as u64, ..progress };
    write(directory, gazetteer, spool, &mut manifest, &mut progress, watch)?;
    manifest.shards.sort_by_key(|it| std::cmp::Reverse(it.documents));
    report.documents = manifest.documents();
    progress.phase = Phase::Checking;
    watch(&progress);
    check(directory, &mut manifest)?;
    Ok((Some(manifest), report))
}

/// The files that are named. Of those that are only remembered, some may be gone.
fn found(order: &Order, report: &mut Report) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for path in &order.sources {
        if order.is_remembered && !path.exists() {
            let fact = "it is gone; its documents stay until a full build without it";
            report.complaints.push(format!("{}: {fact}", path.display()));
            continue;
        }
        for source in Source::find(path)? {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
    }
    Ok(sources)
}

/// All that was ever named since the last full build, by where it is.
fn named(base: Option<&Generation>, order: &Order) -> Vec<PathBuf> {
    let mut named = base.map(|it| it.manifest.named.clone()).unwrap_or_default();
    for path in &order.sources {
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !named.contains(&path) {
            named.push(path);
        }
    }
    named
}

/// What was known of files, unless they were read anew.
fn merged(known: Vec<Source>, read: Vec<Source>) -> Vec<Source> {
    let mut sources: Vec<Source> =
        known.into_iter().filter(|it| read.iter().all(|other| other.path != it.path)).collect();
    sources.extend(read);
    sources
}

/// Takes in all items of the sources, in parallel, in their order.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of one build, all of them different things"
)]
fn read(
    gazetteer: &Gazetteer,
    base: Option<&Generation>,
    order: &Order,
    sources: &[&Source],
    spool: &mut Spool,
    progress: &mut Progress,
    report: &mut Report,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(), Error> {
    let intake = Intake::new(gazetteer, order.language.clone());
    let is_known = |id: &str, source: u64| {
        base.is_some_and(|base| {
            let at = base.by_id(id);
            at.is_some_and(|at| base.shards[at.shard as usize].source(at.document) == source)
        })
    };
    progress.total = sources.iter().map(|it| it.length).sum();
    let mut before = 0;
    for source in sources {
        let mut items = Items::open(&source.path)?;
        let mut batch: Vec<Raw> = items.by_ref().take(BATCH).collect();
        while !batch.is_empty() {
            // The next items are read while these are taken in.
            let (taken, next) = rayon::join(
                || batch.par_iter().map(|raw| intake.take(raw, &is_known)).collect::<Vec<_>>(),
                || items.by_ref().take(BATCH).collect::<Vec<Raw>>(),
            );
            for it in taken {
                match it {
                    Taken::Document(document, anchors) => {
                        if spool.add(&document, &anchors)? {
                            *report.skipped.entry(Skip::Superseded).or_default() += 1;
                        } else {
                            progress.documents += 1;
                        }
                    }
                    Taken::Skipped(skip, complaint) => {
                        *report.skipped.entry(skip).or_default() += 1;
                        let complaint =
                            complaint.filter(|_| report.complaints.len() < MOST_COMPLAINTS);
                        let name = source.path.display();
                        report.complaints.extend(complaint.map(|it| format!("{name}: {it}")));
                    }
                }
            }
            batch = next;
            progress.done = before + items.position().min(source.length);
            progress.skipped.clone_from(&report.skipped);
            watch(progress);
        }
        before += source.length;
    }
    Ok(())
}

impl Spool {
    fn create(directory: &Path) -> Result<Self, Error> {
        let open = |name: &str| {
            let file = File::options()
                .create(true)
                .truncate(true)
                .read(true)
                .write(true)
                .open(directory.join(name));
            file.map(|it| BufWriter::with_capacity(1 << 20, it))
        };
        Ok(Self {
            file: open("documents.tmp")?,
            at: 0,
            links: open("links.tmp")?,
            documents: Vec::new(),
            latest: HashMap::new(),
        })
    }

    /// Adds a document and what its links say; tells whether there was another copy of it.
    fn add(&mut self, document: &Document, anchors: &[Anchor]) -> Result<bool, Error> {
        let key = document.key();
        let fetched = document.fetched.unwrap_or(0);
        let earlier = self.latest.get(&key).copied();
        if earlier.is_some_and(|it| self.documents[it].fetched > fetched) {
            return Ok(true);
        }
        let bytes = pages::encode(document);
        self.file.write_all(&bytes)?;
        self.latest.insert(key, self.documents.len());
        self.documents.push(Spooled {
            at: self.at,
            length: bytes.len() as u32,
            key,
            curve: curve_of(document),
            fetched,
            print: Print::of(document),
        });
        self.at += bytes.len() as u64;
        for anchor in anchors {
            self.links.write_all(&anchor.target.to_le_bytes())?;
            self.links.write_all(&(anchor.text.len() as u16).to_le_bytes())?;
            self.links.write_all(anchor.text.as_bytes())?;
        }
        Ok(earlier.is_some())
    }

    /// Takes documents over from an older generation that have to be written anew; tells which of its shards stay,
    /// with their dead documents.
    fn take_over(
        &mut self,
        base: &Generation,
        report: &mut Report,
    ) -> Result<Vec<(usize, Dead)>, Error> {
        let alike = self.alike(base);
        let mut kept = Vec::new();
        for (number, shard) in base.shards.iter().enumerate() {
            let mut dead: Vec<u32> = shard.dead.documents().collect();
            for (key, document) in shard.keys().filter(|it| !shard.dead.has(it.1)) {
                if let Some(copy) = self.latest.get(&key) {
                    let fetched = shard.document(document)?.fetched.unwrap_or(0);
                    if fetched > self.documents[*copy].fetched {
                        self.latest.remove(&key);
                        *report.skipped.entry(Skip::Superseded).or_default() += 1;
                        continue;
                    }
                    report.replaced += 1;
                    dead.push(document);
                } else if alike.contains(&(number, document)) {
                    self.add(&shard.document(document)?, &[])?;
                    dead.push(document);
                }
            }
            kept.push((number, Dead::of(dead, shard.documents())));
        }
        let dead: u64 = kept.iter().map(|it| u64::from(it.1.count())).sum();
        let is_rotten = dead as f64 > MOST_DEAD * base.documents() as f64;
        let is_crowded = kept.len() >= MOST_SHARDS;
        if !is_rotten && !is_crowded {
            return Ok(kept);
        }
        // The largest shard comes first, and stays unless too much of all is dead.
        let folded = kept.split_off(usize::from(!is_rotten));
        for (number, dead) in &folded {
            for (document, at) in base.shards[*number].all_documents().zip(0..) {
                if !dead.has(at) {
                    self.add(&document?, &[])?;
                }
            }
        }
        Ok(kept)
    }

    /// Old documents that a new one is a near-duplicate of, by shard and number: they join its group.
    fn alike(&self, base: &Generation) -> std::collections::HashSet<(usize, u32)> {
        let mut prints: Vec<Print> =
            self.latest.values().map(|it| self.documents[*it].print).collect();
        let fresh = prints.len();
        let mut olds = Vec::new();
        for (number, shard) in base.shards.iter().enumerate() {
            for (print, document) in shard.prints().zip(0..) {
                if !shard.dead.has(document) {
                    prints.push(print);
                    olds.push((number, document));
                }
            }
        }
        let groups = groups(&prints);
        let joined: std::collections::HashSet<u32> =
            groups[..fresh].iter().copied().filter(|it| *it != 0).collect();
        let olds = olds.into_iter().zip(&groups[fresh..]);
        olds.filter(|it| joined.contains(it.1)).map(|it| it.0).collect()
    }

    fn get(file: &File, it: &Spooled) -> Result<Document, Error> {
        let mut bytes = vec![0; it.length as usize];
        file.read_exact_at(&mut bytes, it.at)?;
        pages::decode(&bytes)
    }
}

/// Where a document is on the curve: at its weightiest point, else at its weightiest area; those that are nowhere
/// come last.
fn curve_of(document: &Document) -> u64 {
    let home = document.spots.iter().find(|it| !it.is_area).or(document.spots.first());
    home.map_or(u64::MAX, |it| curve(it.lat, it.lon))
}

/// Makes the shards that stay part of the new generation: the same files under new names.
fn link(
    base: &Generation,
    kept: &[(usize, Dead)],
    directory: &Path,
    manifest: &mut Manifest,
) -> Result<(), Error> {
    for (number, dead) in kept {
        let fact = &base.manifest.shards[*number];
        if dead.count() == fact.documents {
            continue;
        }
        let (from, to) = (base.directory().join(&fact.name), directory.join(&fact.name));
        std::fs::create_dir(&to)?;
        for entry in std::fs::read_dir(&from)? {
            let entry = entry?;
            std::fs::hard_link(entry.path(), to.join(entry.file_name()))?;
        }
        if dead.count() > 0 {
            dead.write(&directory.join(dead_file(&fact.name)))?;
        }
        let files = base.manifest.files.iter().filter(|it| it.path.starts_with(&fact.name));
        manifest.files.extend(files.cloned());
        manifest.shards.push(ShardFact { dead: dead.count(), ..fact.clone() });
    }
    Ok(())
}

/// Writes what was spooled as shards, in the order of the curve.
fn write(
    directory: &Path,
    gazetteer: &Gazetteer,
    mut spool: Spool,
    manifest: &mut Manifest,
    progress: &mut Progress,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(), Error> {
    spool.file.flush()?;
    let mut anchors = anchors(&mut spool)?;
    let mut order: Vec<usize> = spool.latest.values().copied().collect();
    // The order in which documents came decides between those at one point.
    order.sort_unstable_by_key(|it| (spool.documents[*it].curve, *it));
    let prints: Vec<Print> = order.iter().map(|it| spool.documents[*it].print).collect();
    let groups = groups(&prints);
    let leader = |number: usize| spool.documents[order[groups[number] as usize - 1]].key;
    let file = spool.file.get_ref();
    for (part, run) in order.chunks(LARGEST_SHARD).enumerate() {
        let name = format!("shard-{:06}-{part}", manifest.number);
        let documents = run.iter().enumerate().map(|(at, it)| {
            let number = part * LARGEST_SHARD + at;
            let mut document = Spool::get(file, &spool.documents[*it])?;
            if let Some(anchors) = anchors.remove(&spool.documents[*it].key) {
                document.anchors = anchors;
            }
            let group = (groups[number] != 0).then(|| GroupOf {
                group: leader(number),
                leads: groups[number] as usize - 1 == number,
            });
            Ok((document, group))
        });
        let mut step = || {
            progress.done += 1;
            if progress.done.is_multiple_of(1024) {
                watch(progress);
            }
        };
        let documents = shard::write(&directory.join(&name), gazetteer, documents, &mut step)?;
        manifest.shards.push(ShardFact { name, documents, dead: 0 });
    }
    for name in ["documents.tmp", "links.tmp"] {
        std::fs::remove_file(directory.join(name))?;
    }
    Ok(())
}

/// What links say of the documents that were spooled.
fn anchors(spool: &mut Spool) -> Result<HashMap<u64, Vec<String>>, Error> {
    use std::io::Seek;
    spool.links.flush()?;
    let file = spool.links.get_mut();
    file.rewind()?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut anchors: HashMap<u64, Vec<String>> = HashMap::new();
    let mut head = [0; 10];
    while reader.read(&mut head[..1])? == 1 {
        reader.read_exact(&mut head[1..])?;
        let target = u64::from_le_bytes(*head.first_chunk().expect("the head is longer than that"));
        let mut text = vec![0; usize::from(u16::from_le_bytes([head[8], head[9]]))];
        reader.read_exact(&mut text)?;
        if !spool.latest.contains_key(&target) {
            continue;
        }
        let list = anchors.entry(target).or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        if list.len() < MOST_ANCHORS && !list.contains(&text) {
            list.push(text);
        }
    }
    Ok(anchors)
}

/// Takes the checksums of all files that have none yet.
fn check(directory: &Path, manifest: &mut Manifest) -> Result<(), Error> {
    for path in files(directory)? {
        let relative = path.strip_prefix(directory).unwrap_or(&path).to_owned();
        if manifest.files.iter().any(|it| it.path == relative) {
            continue;
        }
        manifest.files.push(fact(&path, relative)?);
    }
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// The length and the checksum of a file.
pub(crate) fn fact(path: &Path, relative: PathBuf) -> Result<FileFact, Error> {
    let mut file = File::open(path)?;
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    let mut length = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
        length += read as u64;
    }
    Ok(FileFact { path: relative, length, checksum: format!("{:016x}", hasher.digest()) })
}

/// All files in a directory and below, but for the manifest.
pub(crate) fn files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else if name != "generation.json"
            && !name.ends_with(".tmp")
            && !name.starts_with(".tantivy")
        {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}
