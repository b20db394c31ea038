//! A shard: some documents with their three indexes, written once and never changed.

use std::path::Path;
use std::sync::Arc;

use gazetteer::{Gazetteer, PlaceId};
use tantivy::directory::MmapDirectory;
use tantivy::postings::SegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Index, InvertedIndexReader, SegmentReader, TantivyDocument, Term};

use crate::clause::Clause;
use crate::dead::Dead;
use crate::document::{Document, host};
use crate::duplicates::Print;
use crate::error::Error;
use crate::facts::{self, Facts, FactsWriter, GroupOf};
use crate::fields::{Fields, in_language, is_own_stem, schema, tokenizers};
use crate::pages::{Pages, PagesWriter};
use crate::space::{self, Space, SpaceWriter};

/// What the text index takes while it is written. It grows with the documents; this is where it starts.
const WRITER_MEMORY: usize = 128 << 20;

/// A part of a document's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All words.
    Text,
    /// Those of the title.
    Title,
    /// Those of headings, and of links to the document.
    Strong,
}

/// Some documents with their three indexes.
pub struct Shard {
    /// Where the documents are.
    pub space: Space,
    /// What is known of each document.
    pub facts: Facts,
    /// Which documents were replaced since.
    pub dead: Dead,
    pages: Pages,
    fields: Fields,
    text: Column,
    title: Column,
    strong: Column,
    names: [Column; 5],
}

/// The postings of one field.
struct Column {
    field: Field,
    postings: Arc<InvertedIndexReader>,
}

/// Writes documents, in the order given, as a new shard: three indexes and the documents themselves.
///
/// With every document comes the group of near-duplicates it belongs to.
pub(crate) fn write(
    directory: &Path,
    gazetteer: &Gazetteer,
    documents: impl Iterator<Item = Result<(Document, Option<GroupOf>), Error>>,
    mut progress: impl FnMut(),
) -> Result<u32, Error> {
    std::fs::create_dir_all(directory)?;
    let (schema, fields) = schema();
    let mut writer = Index::builder()
        .schema(schema)
        .tokenizers(tokenizers())
        .single_segment_index_writer::<TantivyDocument>(
            MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?,
            WRITER_MEMORY,
        )?;
    let mut space = SpaceWriter::default();
    let mut facts = FactsWriter::default();
    let mut pages = PagesWriter::create(directory)?;
    let mut count = 0;
    for it in documents {
        let (document, group) = it?;
        writer.add_document(words(gazetteer, fields, &document))?;
        space.add(&document.spots);
        facts.add(&document, group);
        pages.add(&document)?;
        count += 1;
        progress();
    }
    writer.finalize()?;
    space.write(&directory.join(space::FILE))?;
    facts.write(&directory.join(facts::FILE))?;
    pages.finish(directory)?;
    sync(directory)?;
    Ok(count)
}

/// Waits until a directory and the files in it are on the disk.
fn sync(directory: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        std::fs::File::open(entry?.path())?.sync_all()?;
    }
    std::fs::File::open(directory)?.sync_all()
}

/// A document as the text index takes it.
fn words(gazetteer: &Gazetteer, fields: Fields, document: &Document) -> TantivyDocument {
    let mut words = TantivyDocument::default();
    let language = document.language.as_str();
    words.add_text(fields.text, in_language(language, &document.title));
    words.add_text(fields.text, in_language(language, &document.text));
    words.add_text(fields.title, in_language(language, &document.title));
    for heading in &document.headings {
        let range = heading.start as usize..heading.end as usize;
        words
            .add_text(fields.strong, in_language(language, document.text.get(range).unwrap_or("")));
    }
    for anchor in &document.anchors {
        words.add_text(fields.text, in_language(language, anchor));
        words.add_text(fields.strong, in_language(language, anchor));
    }
    if !document.url.is_empty() {
        words.add_text(fields.text, in_language(language, &url_words(&document.url)));
        for suffix in suffixes(host(&document.url)) {
            words.add_text(fields.host, suffix.to_ascii_lowercase());
        }
    }
    if !language.is_empty() {
        words.add_text(fields.language, language);
    }
    for topic in &document.topics {
        words.add_text(fields.topic, text::fold(topic));
    }
    let places = places(document);
    for place in within(gazetteer, &places) {
        words.add_u64(fields.within, u64::from(place));
    }
    for place in places {
        words.add_u64(fields.place, u64::from(place));
    }
    words
}

/// The places of a document, each once.
pub(crate) fn places(document: &Document) -> Vec<u32> {
    let mut places: Vec<u32> = document.spots.iter().filter_map(|it| it.place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Places and all that hold them, each once.
pub(crate) fn within(gazetteer: &Gazetteer, places: &[u32]) -> Vec<u32> {
    let mut all = places.to_vec();
    for place in places {
        all.extend(gazetteer.holders(PlaceId(*place)).map(|it| it.0.0));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// About how many documents have any of the terms of a word, each of which so many have.
fn documents_of_word(terms: &[String], counts: &[u32]) -> u32 {
    let Some((first, rest)) = counts.split_first() else { return 0 };
    let rest: u32 = rest.iter().sum();
    if is_own_stem(terms) { first + rest } else { rest.max(*first) }
}

/// The words that a URL spells out; not those that every URL has.
fn url_words(url: &str) -> String {
    const COMMON: [&str; 8] = ["www", "html", "htm", "php", "index", "aspx", "jsp", "asp"];
    let rest = url.split_once("://").map_or(url, |it| it.1);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('.').map_or(host, |it| it.0);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let words = text::terms(host).into_iter().chain(text::terms(path));
    words.filter(|it| !COMMON.contains(&it.as_str())).collect::<Vec<_>>().join(" ")
}

/// `www.example.org`, `example.org`, `org`.
fn suffixes(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(host).filter(|it| !it.is_empty()), |it| Some(it.split_once('.')?.1))
}

impl Column {
    fn open(reader: &SegmentReader, field: Field) -> Result<Self, Error> {
        Ok(Self { field, postings: reader.inverted_index(field)? })
    }

    fn list(
        &self,
        term: &Term,
        record: IndexRecordOption,
    ) -> Result<Option<SegmentPostings>, Error> {
        Ok(self.postings.read_postings(term, record)?)
    }

    fn lists(
        &self,
        terms: impl Iterator<Item = Term>,
        record: IndexRecordOption,
    ) -> Result<Vec<SegmentPostings>, Error> {
        terms.filter_map(|it| self.list(&it, record).transpose()).collect()
    }

    fn any(
        &self,
        terms: impl Iterator<Item = Term>,
        record: IndexRecordOption,
    ) -> Result<Clause, Error> {
        Ok(Clause::any(self.lists(terms, record)?))
    }

    fn any_text<'t>(
        &self,
        terms: impl Iterator<Item = &'t str>,
        record: IndexRecordOption,
    ) -> Result<Clause, Error> {
        self.any(terms.map(|it| Term::from_field_text(self.field, it)), record)
    }
}

impl Shard {
    /// Opens a shard; `dead` tells which of its documents do not count any more.
    pub(crate) fn open(directory: &Path, dead: Dead) -> Result<Self, Error> {
        let mapped = MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
        let mut index = Index::open(mapped.clone())?;
        index.set_tokenizers(tokenizers());
        let (_, fields) = schema();
        let segments = index.searchable_segments()?;
        let [segment] = segments.as_slice() else {
            let fact = format!("{} segments instead of one", segments.len());
            return Err(Error::Damaged(directory.display().to_string(), fact));
        };
        let reader = SegmentReader::open(segment)?;
        let column = |field: Field| Column::open(&reader, field);
        let facts = Facts::open(&mapped)?;
        let documents = reader.max_doc();
        if facts.len() != documents {
            let fact = format!("facts of {} documents instead of {documents}", facts.len());
            return Err(Error::Damaged(directory.display().to_string(), fact));
        }
        Ok(Self {
            space: Space::open(&mapped, documents)?,
            pages: Pages::open(&mapped, documents)?,
            facts,
            dead,
            fields,
            text: column(fields.text)?,
            title: column(fields.title)?,
            strong: column(fields.strong)?,
            names: [
                column(fields.host)?,
                column(fields.language)?,
                column(fields.topic)?,
                column(fields.place)?,
                column(fields.within)?,
            ],
        })
    }

    /// How many documents it has, dead ones too.
    pub fn documents(&self) -> u32 {
        self.facts.len()
    }

    /// The stored document.
    pub fn document(&self, number: u32) -> Result<Document, Error> {
        self.pages.get(number)
    }

    /// The fingerprint of what a document was made from.
    pub(crate) fn source(&self, document: u32) -> u64 {
        self.pages.source(document)
    }

    /// The document with the key of an id.
    pub(crate) fn by_key(&self, key: u64) -> Option<u32> {
        self.pages.by_key(key)
    }

    /// The keys of all documents, dead ones too, with their documents.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.pages.keys()
    }

    /// What tells the near-duplicates of every document.
    pub(crate) fn prints(&self) -> impl Iterator<Item = Print> + '_ {
        self.pages.prints()
    }

    /// All stored documents in order.
    pub(crate) fn all_documents(&self) -> impl Iterator<Item = Result<Document, Error>> + '_ {
        self.pages.all()
    }

    fn column(&self, part: Part) -> &Column {
        match part {
            Part::Text => &self.text,
            Part::Title => &self.title,
            Part::Strong => &self.strong,
        }
    }

    /// Documents with any of the terms of a word in this part: see [`terms_of_word`](crate::terms_of_word).
    pub fn words(&self, part: Part, terms: &[String]) -> Result<Clause, Error> {
        let column = self.column(part);
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            let term = Term::from_field_text(column.field, term);
            lists.push(column.list(&term, IndexRecordOption::WithFreqs)?);
        }
        let counts: Vec<u32> =
            lists.iter().map(|it| it.as_ref().map_or(0, SegmentPostings::doc_freq)).collect();
        // In a document of a language with stems, a word that is not its own stem stands beside its stem.
        let is_repeated = lists.first().is_some_and(Option::is_some) && !is_own_stem(terms);
        let clause = Clause::any(lists.into_iter().flatten().collect());
        let clause = clause.estimated(documents_of_word(terms, &counts));
        Ok(if is_repeated { clause.repeating_first() } else { clause })
    }

    /// Documents with the words one behind the other in this part.
    pub fn phrase(&self, part: Part, words: &[String]) -> Result<Clause, Error> {
        let column = self.column(part);
        let record = IndexRecordOption::WithFreqsAndPositions;
        let list = |word: &String| column.list(&Term::from_field_text(column.field, word), record);
        let lists: Result<Option<Vec<_>>, Error> =
            words.iter().map(|it| list(it).transpose()).map(Option::transpose).collect();
        Ok(Clause::phrase(lists?))
    }

    /// About so many documents meet [`words`](Self::words) or, `as_phrase`, [`phrase`](Self::phrase); as
    /// [`Clause::documents`] says, without opening the lists.
    pub fn frequency(&self, part: Part, terms: &[String], as_phrase: bool) -> Result<u32, Error> {
        let column = self.column(part);
        let mut counts = Vec::with_capacity(terms.len());
        for term in terms {
            counts.push(column.postings.doc_freq(&Term::from_field_text(column.field, term))?);
        }
        if as_phrase {
            return Ok(counts.into_iter().min().unwrap_or(0));
        }
        Ok(documents_of_word(terms, &counts))
    }

    /// Documents of any of the hosts or what is below them.
    pub fn hosts<'t>(&self, hosts: impl Iterator<Item = &'t str>) -> Result<Clause, Error> {
        self.names[0].any_text(hosts, IndexRecordOption::Basic)
    }

    /// Documents in any of the languages.
    pub fn languages<'t>(&self, languages: impl Iterator<Item = &'t str>) -> Result<Clause, Error> {
        self.names[1].any_text(languages, IndexRecordOption::Basic)
    }

    /// Documents of any of the topics, folded.
    pub fn topics<'t>(&self, topics: impl Iterator<Item = &'t str>) -> Result<Clause, Error> {
        self.names[2].any_text(topics, IndexRecordOption::Basic)
    }

    /// Documents that name any of the places themselves.
    pub fn naming(&self, places: impl Iterator<Item = u32>) -> Result<Clause, Error> {
        Ok(Clause::any(self.place_lists(3, self.fields.place, places)?))
    }

    /// Documents with anything in any of the places.
    pub fn within(&self, places: impl Iterator<Item = u32>) -> Result<Clause, Error> {
        Ok(Clause::any(self.place_lists(4, self.fields.within, places)?))
    }

    /// Documents with anything in any of some places, or that name any of others.
    pub fn within_or_naming(
        &self,
        within: impl Iterator<Item = u32>,
        naming: impl Iterator<Item = u32>,
    ) -> Result<Clause, Error> {
        let mut lists = self.place_lists(4, self.fields.within, within)?;
        lists.extend(self.place_lists(3, self.fields.place, naming)?);
        Ok(Clause::any(lists))
    }

    fn place_lists(
        &self,
        column: usize,
        field: Field,
        places: impl Iterator<Item = u32>,
    ) -> Result<Vec<SegmentPostings>, Error> {
        let terms = places.map(|it| Term::from_field_u64(field, u64::from(it)));
        self.names[column].lists(terms, IndexRecordOption::Basic)
    }

    /// How many documents have anything in a place: counts of the location hierarchy, dead documents included.
    pub fn count_within(&self, place: u32) -> Result<u32, Error> {
        Ok(self.names[4]
            .postings
            .doc_freq(&Term::from_field_u64(self.fields.within, u64::from(place)))?)
    }

    /// The places that documents of the shard name themselves, in the order of their numbers.
    pub(crate) fn named_places(&self) -> Result<Vec<u32>, Error> {
        let mut terms = self.names[3].postings.terms().stream()?;
        let mut places = Vec::new();
        while terms.advance() {
            let number = terms.key().first_chunk().map(|it| u64::from_be_bytes(*it));
            places.extend(number.and_then(|it| u32::try_from(it).ok()));
        }
        Ok(places)
    }

    /// The topics of its documents, folded, with how many of them have each, dead ones too.
    pub(crate) fn topic_counts(&self) -> Result<Vec<(String, u32)>, Error> {
        let mut terms = self.names[2].postings.terms().stream()?;
        let mut topics = Vec::new();
        while terms.advance() {
            let name = String::from_utf8_lossy(terms.key()).into_owned();
            topics.push((name, terms.value().doc_freq));
        }
        Ok(topics)
    }

    /// Words of the index near to a word that may be misspelt, with how many documents have them.
    pub fn like(&self, word: &str, most: usize) -> Result<Vec<(String, u32)>, Error> {
        crate::like::like(&self.text.postings, word, most)
    }
}
