//! Verifying a generation: every file is as it was written, and the three indexes say the same.

use std::collections::BTreeMap;

use gazetteer::Gazetteer;

use crate::build::{fact, files};
use crate::clause::Clause;
use crate::document::Document;
use crate::error::Error;
use crate::generation::Generation;
use crate::shard::{Part, Shard, places, within};
use crate::space::Cell;
use crate::spot::Spot;

/// What a verification looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Files whose checksums are right.
    pub files: u64,
    /// Documents that are stored, and found again.
    pub documents: u64,
    /// Spots that the tree finds where the document says.
    pub spots: u64,
    /// Pairs of a document and a place of the hierarchy.
    pub places: u64,
}

impl Generation {
    /// Checks all files against their checksums, and the three indexes against the stored documents.
    ///
    /// The first thing that is wrong is the error.
    pub fn verify(
        &self,
        gazetteer: &Gazetteer,
        watch: &mut dyn FnMut(&Verified),
    ) -> Result<Verified, Error> {
        let mut verified = Verified::default();
        self.verify_files(&mut verified)?;
        for (shard, fact) in self.shards.iter().zip(&self.manifest.shards) {
            if shard.documents() != fact.documents || shard.dead.count() != fact.dead {
                let found = format!(
                    "it has {} documents, {} of them dead, instead of {} and {}",
                    shard.documents(),
                    shard.dead.count(),
                    fact.documents,
                    fact.dead
                );
                return Err(Error::Damaged(fact.name.clone(), found));
            }
            verify_shard(gazetteer, &fact.name, shard, &mut verified, watch)?;
        }
        Ok(verified)
    }

    fn verify_files(&self, verified: &mut Verified) -> Result<(), Error> {
        let found = files(self.directory())?;
        for expected in &self.manifest.files {
            let path = self.directory().join(&expected.path);
            if !found.contains(&path) {
                return Err(Error::Damaged(path.display().to_string(), "it is missing".to_owned()));
            }
            if fact(&path, expected.path.clone())? != *expected {
                let fact = "its checksum is not the one it was written with";
                return Err(Error::Damaged(path.display().to_string(), fact.to_owned()));
            }
            verified.files += 1;
        }
        Ok(())
    }
}

/// Places or words, each with the documents that should be found by it.
type Expected<K> = BTreeMap<K, Vec<u32>>;

fn verify_shard(
    gazetteer: &Gazetteer,
    name: &str,
    shard: &Shard,
    verified: &mut Verified,
    watch: &mut dyn FnMut(&Verified),
) -> Result<(), Error> {
    let damaged = |fact: String| Error::Damaged(name.to_owned(), fact);
    let (mut naming, mut holding, mut words) =
        (Expected::<u32>::new(), Expected::<u32>::new(), Expected::<String>::new());
    for (document, number) in shard.all_documents().zip(0..) {
        let document = document?;
        if shard.by_key(document.key()) != Some(number) {
            return Err(damaged(format!("document {} is not found by its id", document.id)));
        }
        verify_spots(shard, number, &document).map_err(damaged)?;
        let places = places(&document);
        for place in within(gazetteer, &places) {
            holding.entry(place).or_default().push(number);
            verified.places += 1;
        }
        for place in places {
            naming.entry(place).or_default().push(number);
        }
        let mut terms = text::Terms::of(&document.title);
        let mut term = String::new();
        if terms.read(&mut term).is_some() {
            words.entry(term).or_default().push(number);
        }
        verified.documents += 1;
        verified.spots += document.spots.len() as u64;
        if verified.documents.is_multiple_of(1024) {
            watch(verified);
        }
    }
    for (place, documents) in &naming {
        let clause = shard.naming(std::iter::once(*place))?;
        agree(clause, documents, true).map_err(|fact| damaged(format!("place {place}: {fact}")))?;
    }
    for (place, documents) in &holding {
        let clause = shard.within(std::iter::once(*place))?;
        agree(clause, documents, true)
            .map_err(|fact| damaged(format!("within {place}: {fact}")))?;
    }
    for (word, documents) in &words {
        let clause = shard.words(Part::Text, std::slice::from_ref(word))?;
        agree(clause, documents, false).map_err(|fact| damaged(format!("word {word}: {fact}")))?;
    }
    if shard.named_places()?.len() != naming.len() {
        return Err(damaged("the hierarchy has places that no document names".to_owned()));
    }
    Ok(())
}

/// The stored spots are those of the spatial index, and its tree finds every point of them.
fn verify_spots(shard: &Shard, number: u32, document: &Document) -> Result<(), String> {
    let sorted = |mut spots: Vec<Spot>| {
        spots.sort_by_key(|it| (it.is_area, it.lat, it.lon, it.place, it.part, it.sure));
        spots
    };
    let id = &document.id;
    if sorted(document.spots.clone()) != sorted(shard.space.spots(number).collect()) {
        return Err(format!("document {id} has other spots in the spatial index"));
    }
    let mut found = Vec::new();
    for spot in document.spots.iter().filter(|it| !it.is_area) {
        let cell = Cell { south: spot.lat, west: spot.lon, north: spot.lat, east: spot.lon };
        shard.space.documents_in(&[cell], |_, _| true, &mut found);
        if found.binary_search(&number).is_err() {
            return Err(format!("document {id} is not found at {}", spot.point()));
        }
    }
    Ok(())
}

/// A clause gives all documents it should, and, if it must, no others.
fn agree(mut clause: Clause, documents: &[u32], exactly: bool) -> Result<(), String> {
    let mut last = None;
    for document in documents {
        let next = last.map_or(0, |it: u32| it + 1);
        let found = clause.seek(if exactly { next } else { *document });
        if found != *document {
            return Err(format!("found document {found} instead of {document}"));
        }
        last = Some(*document);
    }
    let next = last.map_or(0, |it| it + 1);
    if exactly && clause.seek(next) != tantivy::TERMINATED {
        return Err(format!("found document {}, which does not belong there", clause.document()));
    }
    Ok(())
}
