//! A generation: all documents at one time, in shards, with a manifest that says what is in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gazetteer::{Gazetteer, PlaceId};
use rstar::RTree;
use rstar::primitives::{GeomWithData, Rectangle};
use serde::{Deserialize, Serialize};

use crate::dead::Dead;
use crate::document::{Document, key};
use crate::error::Error;
use crate::shard::Shard;
use crate::source::Source;

/// Rises whenever files of an older program cannot be read any more.
pub(crate) const FORMAT: u32 = 3;
/// Pages invent sections as they like; nobody looks through more of them.
const MOST_TOPICS: usize = 10_000;
const MANIFEST: &str = "generation.json";

/// What is in a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of its files.
    pub format: u32,
    /// Its number; later ones are higher.
    pub number: u64,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// The fingerprint of the gazetteer that its places are numbers in.
    pub gazetteer: String,
    /// Its shards.
    pub shards: Vec<ShardFact>,
    /// What was named to be indexed: files, and directories that may have more of them by now.
    pub named: Vec<PathBuf>,
    /// What it was made from.
    pub sources: Vec<Source>,
    /// Items that became no documents, by reason, over all runs since the last full one.
    pub skipped: BTreeMap<String, u64>,
    /// Every file with its length and checksum.
    pub files: Vec<FileFact>,
}

/// A shard in a manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardFact {
    /// The name of its directory.
    pub name: String,
    /// How many documents it has.
    pub documents: u32,
    /// How many of them were replaced since.
    pub dead: u32,
}

/// A file in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFact {
    /// Where it is in the generation.
    pub path: PathBuf,
    /// How long it is, in bytes.
    pub length: u64,
    /// Its checksum (XXH3, 64 bits).
    pub checksum: String,
}

impl Manifest {
    /// How many documents there are.
    pub fn documents(&self) -> u64 {
        self.shards.iter().map(|it| u64::from(it.documents - it.dead)).sum()
    }

    pub(crate) fn read(directory: &Path) -> Result<Self, Error> {
        let path = directory.join(MANIFEST);
        let damaged = |fact: String| Error::Damaged(path.display().to_string(), fact);
        let bytes = std::fs::read(&path).map_err(|error| damaged(error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        // The format is looked at first: another one may have other fields.
        let number = |name: &str| value.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let (generation, found) = (number("number"), number("format") as u32);
        if found != FORMAT {
            return Err(Error::Format { generation, found, known: FORMAT });
        }
        serde_json::from_value(value).map_err(|error| damaged(error.to_string()))
    }

    pub(crate) fn write(&self, directory: &Path) -> Result<(), Error> {
        let path = directory.join(MANIFEST);
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::from)?;
        std::fs::write(&path, text)?;
        std::fs::File::open(&path)?.sync_all()?;
        std::fs::File::open(directory)?.sync_all()?;
        Ok(())
    }
}

/// The name under which the dead documents of a shard are kept.
pub(crate) fn dead_file(shard: &str) -> String {
    format!("{shard}.dead")
}

/// A box on the map with the place it is around; longitude first.
type PlaceBox = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// All documents at one time, open for reading. It never changes.
pub struct Generation {
    /// What is in it.
    pub manifest: Manifest,
    /// Its shards, the largest first.
    pub shards: Vec<Shard>,
    directory: PathBuf,
    words: u64,
    languages: Vec<String>,
    boxes: OnceLock<RTree<PlaceBox>>,
    topics: OnceLock<Vec<Topic>>,
}

/// A topic that documents were filed under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name, folded, as documents are found by it.
    pub folded: String,
    /// So many documents have it.
    pub documents: u64,
}

/// A document of a generation: the number of its shard, and its own in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The shard.
    pub shard: u32,
    /// The document.
    pub document: u32,
}

impl Generation {
    pub(crate) fn open(directory: &Path, gazetteer: &Gazetteer) -> Result<Self, Error> {
        let manifest = Manifest::read(directory)?;
        if manifest.gazetteer != fingerprint(gazetteer) {
            return Err(Error::OtherGazetteer(manifest.number));
        }
        let open = |it: &ShardFact| {
            let dead = if it.dead == 0 {
                Dead::default()
            } else {
                Dead::read(&directory.join(dead_file(&it.name)), it.documents)?
            };
            let path = directory.join(&it.name);
            // Whatever the text index complains about, the way out is the same.
            Shard::open(&path, dead).map_err(|error| match error {
                Error::Text(error) => Error::Damaged(path.display().to_string(), error.to_string()),
                Error::Io(error) => Error::Damaged(path.display().to_string(), error.to_string()),
                other => other,
            })
        };
        let shards = manifest.shards.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let words = shards.iter().map(|it| it.facts.words()).sum();
        let mut languages: Vec<String> =
            shards.iter().flat_map(|it| it.facts.languages().iter().cloned()).collect();
        languages.sort();
        languages.dedup();
        languages.retain(|it| !it.is_empty());
        let directory = directory.to_owned();
        Ok(Self {
            manifest,
            shards,
            directory,
            words,
            languages,
            boxes: OnceLock::new(),
            topics: OnceLock::new(),
        })
    }

    /// What is there before the first generation is made: nothing, under the number 0.
    pub fn blank(gazetteer: &Gazetteer) -> Self {
        let manifest = Manifest {
            format: FORMAT,
            number: 0,
            made: 0,
            gazetteer: fingerprint(gazetteer),
            shards: Vec::new(),
            named: Vec::new(),
            sources: Vec::new(),
            skipped: BTreeMap::new(),
            files: Vec::new(),
        };
        let (shards, languages, boxes) = (Vec::new(), Vec::new(), OnceLock::new());
        Self {
            manifest,
            shards,
            directory: PathBuf::new(),
            words: 0,
            languages,
            boxes,
            topics: OnceLock::new(),
        }
    }

    /// True if no generation was made yet.
    pub fn is_blank(&self) -> bool {
        self.manifest.number == 0
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How many documents there are, dead ones too.
    pub fn documents(&self) -> u64 {
        self.shards.iter().map(|it| u64::from(it.documents())).sum()
    }

    /// How many words a document has, on average.
    pub fn average_length(&self) -> f32 {
        self.words.max(1) as f32 / self.documents().max(1) as f32
    }

    /// The languages of its documents.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }

    /// The document of an id.
    pub fn by_id(&self, id: &str) -> Option<Address> {
        let key = key(id);
        self.shards.iter().zip(0..).find_map(|(shard, number)| {
            let document = shard.by_key(key).filter(|it| !shard.dead.has(*it))?;
            Some(Address { shard: number, document })
        })
    }

    /// The stored document.
    pub fn document(&self, at: Address) -> Result<Document, Error> {
        self.shards[at.shard as usize].document(at.document)
    }

    /// How many documents are about a place or anything in it: counts of the location hierarchy.
    pub fn count_within(&self, place: PlaceId) -> Result<u64, Error> {
        let mut count = 0;
        for shard in &self.shards {
            count += u64::from(shard.count_within(place.0)?);
            if shard.dead.count() > 0 {
                let mut clause = shard.within(std::iter::once(place.0))?;
                for document in shard.dead.documents() {
                    count -= u64::from(clause.seek(document) == document);
                }
            }
        }
        Ok(count)
    }

    /// The topics that documents were filed under, those of most documents first; the rarest are left out where there
    /// are very many.
    pub fn topics(&self) -> Result<&[Topic], Error> {
        if let Some(topics) = self.topics.get() {
            return Ok(topics);
        }
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for shard in &self.shards {
            for (name, count) in shard.topic_counts()? {
                let mut count = u64::from(count);
                if shard.dead.count() > 0 {
                    let mut clause = shard.topics(std::iter::once(name.as_str()))?;
                    for document in shard.dead.documents() {
                        count -= u64::from(clause.seek(document) == document);
                    }
                }
                *counts.entry(name).or_default() += count;
            }
        }
        let mut topics: Vec<Topic> = counts
            .into_iter()
            .filter(|it| it.1 > 0)
            .map(|(folded, documents)| Topic { folded, documents })
            .collect();
        topics.sort_by_key(|it| std::cmp::Reverse(it.documents));
        topics.truncate(MOST_TOPICS);
        Ok(self.topics.get_or_init(|| topics))
    }

    /// A topic as a document has it written: `Überschwemmung` and not `uberschwemmung`.
    pub fn topic_as_written(&self, topic: &Topic) -> String {
        let written = |shard: &Shard| {
            let clause = shard.topics(std::iter::once(topic.folded.as_str()));
            let document = clause.ok()?.seek(0);
            let known = (document < shard.documents()).then(|| shard.document(document).ok())??;
            known.topics.into_iter().find(|it| text::fold(it) == topic.folded)
        };
        self.shards.iter().find_map(written).unwrap_or_else(|| topic.folded.clone())
    }

    /// The places with documents of their own whose boxes meet a box: from an R-tree over all of them.
    pub fn places_in(
        &self,
        gazetteer: &Gazetteer,
        bounds: earth::Bounds,
    ) -> Result<Vec<PlaceId>, Error> {
        let tree = if let Some(tree) = self.boxes.get() {
            tree
        } else {
            let tree = self.place_boxes(gazetteer)?;
            self.boxes.get_or_init(|| tree)
        };
        let mut found: Vec<PlaceId> = rectangles(bounds)
            .into_iter()
            .flat_map(|it| tree.locate_in_envelope_intersecting(it))
            .map(|it| PlaceId(it.data))
            .collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn place_boxes(&self, gazetteer: &Gazetteer) -> Result<RTree<PlaceBox>, Error> {
        let mut places = Vec::new();
        for shard in &self.shards {
            places.extend(shard.named_places()?);
        }
        places.sort_unstable();
        places.dedup();
        let mut boxes = Vec::new();
        for id in places {
            let place = gazetteer.place(PlaceId(id));
            let at = place.point();
            let bounds =
                place.bounds().unwrap_or(earth::Bounds::new(at.lat, at.lon, at.lat, at.lon));
            let corners = |it: rstar::AABB<[f64; 2]>| Rectangle::from_aabb(it);
            boxes.extend(
                rectangles(bounds).into_iter().map(|it| GeomWithData::new(corners(it), id)),
            );
        }
        Ok(RTree::bulk_load(boxes))
    }
}

/// A box as the R-tree takes it: two if it crosses the date line.
fn rectangles(bounds: earth::Bounds) -> Vec<rstar::AABB<[f64; 2]>> {
    let part = |west: f64, east: f64| {
        rstar::AABB::from_corners([west, bounds.south], [east, bounds.north])
    };
    if bounds.west <= bounds.east {
        vec![part(bounds.west, bounds.east)]
    } else {
        vec![part(bounds.west, 180.0), part(-180.0, bounds.east)]
    }
}

/// The fingerprint of a gazetteer, as manifests have it.
pub(crate) fn fingerprint(gazetteer: &Gazetteer) -> String {
    format!("{:016x}", gazetteer.fingerprint())
}
