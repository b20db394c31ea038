//! What is known of every document of a shard without opening it: date, host, language, group, focus, id.

use std::collections::HashMap;
use std::path::Path;

use tantivy::directory::{MmapDirectory, OwnedBytes};
use tantivy::fieldnorm::FieldNormReader;
use zerocopy::little_endian::{I32, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::document::Document;
use crate::error::Error;
use crate::sections::{Rows, Sections, SectionsWriter};
use crate::spot::NO_PLACE;

pub(crate) const FILE: &str = "facts.bin";
const SECTIONS: usize = 7;
/// In the number of a group, marks the document that stands for it.
const LEADS: u32 = 1 << 31;
/// Stands for no date.
const NO_DATE: i32 = i32::MIN;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Fact {
    /// Minutes since 1970.
    published: I32,
    host: U32,
    focus: U32,
    language: u8,
    /// How many words it has, as a code.
    length: u8,
}

/// The group of near-duplicates that a document belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupOf {
    /// The key of the document that stands for it.
    pub(crate) group: u64,
    /// True if this is that document.
    pub(crate) leads: bool,
}

#[derive(Default)]
pub(crate) struct FactsWriter {
    facts: Vec<Fact>,
    hosts: Names,
    languages: Names,
    groups: Vec<U32>,
    ids: Vec<u8>,
    id_ends: Vec<U32>,
    words: u64,
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

impl FactsWriter {
    /// Adds the facts of the next document, and the group of near-duplicates it belongs to.
    pub(crate) fn add(&mut self, document: &Document, group: Option<GroupOf>) {
        let minutes = |seconds: i64| {
            let minutes = seconds.div_euclid(60);
            i32::try_from(minutes).unwrap_or(if minutes < 0 { NO_DATE + 1 } else { i32::MAX })
        };
        let words = words(document);
        self.words += u64::from(words);
        self.facts.push(Fact {
            published: document.published.map_or(NO_DATE, minutes).into(),
            host: self.hosts.number(document.host()).into(),
            focus: document.focus.unwrap_or(NO_PLACE).into(),
            language: u8::try_from(self.languages.number(&document.language)).unwrap_or(0),
            length: FieldNormReader::fieldnorm_to_id(words),
        });
        let group = group
            .map_or(0, |it| ((it.group as u32) & !LEADS).max(1) | if it.leads { LEADS } else { 0 });
        self.groups.push(group.into());
        self.ids.extend_from_slice(document.id.as_bytes());
        self.id_ends.push((self.ids.len() as u32).into());
    }

    pub(crate) fn write(self, path: &Path) -> std::io::Result<()> {
        let mut file = SectionsWriter::create(path)?;
        file.rows(&self.facts)?;
        file.bytes(self.hosts.list.join("\n").as_bytes())?;
        file.bytes(self.languages.list.join("\n").as_bytes())?;
        let has_groups = self.groups.iter().any(|it| it.get() != 0);
        file.rows(if has_groups { &self.groups } else { &[] })?;
        file.rows(&self.id_ends)?;
        file.bytes(&self.ids)?;
        file.rows(&[U64::new(self.words)])?;
        file.finish()
    }
}

/// How many words a document has. Stems do not count, so that documents of all languages are measured alike.
fn words(document: &Document) -> u32 {
    let count = |text: &str| {
        if text.is_ascii() {
            return text.split_ascii_whitespace().count();
        }
        // Where words are written together, letters are counted, as they are indexed.
        let (mut terms, mut term, mut count) = (text::Terms::of(text), String::new(), 0);
        while terms.read(&mut term).is_some() {
            count += 1;
        }
        count
    };
    (count(&document.title) + count(&document.text)) as u32
}

/// The facts of a shard, mapped.
pub struct Facts {
    rows: Rows<Fact>,
    hosts: Vec<String>,
    languages: Vec<String>,
    groups: Rows<U32>,
    id_ends: Rows<U32>,
    ids: OwnedBytes,
    words: u64,
}

impl Facts {
    pub(crate) fn open(directory: &MmapDirectory) -> Result<Self, Error> {
        let file = Sections::open(directory, FILE, SECTIONS)?;
        let damaged = |fact: &str| Error::Damaged(FILE.to_owned(), fact.to_owned());
        let lines = |number: usize| -> Result<Vec<String>, Error> {
            let bytes = file.bytes(number);
            let text =
                std::str::from_utf8(&bytes).map_err(|_| damaged("a name in it is no text"))?;
            Ok(text.split('\n').map(str::to_owned).collect())
        };
        let facts = Self {
            rows: file.rows(0)?,
            hosts: lines(1)?,
            languages: lines(2)?,
            groups: file.rows(3)?,
            id_ends: file.rows(4)?,
            ids: file.bytes(5),
            words: file.rows::<U64>(6)?.first().map_or(0, |it| it.get()),
        };
        let count = facts.rows.len();
        let fits = facts.id_ends.len() == count
            && (facts.groups.is_empty() || facts.groups.len() == count)
            && facts.id_ends.last().is_none_or(|it| it.get() as usize == facts.ids.len());
        if fits { Ok(facts) } else { Err(damaged("its tables do not fit together")) }
    }

    /// How many documents there are, dead ones too.
    pub fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many words all documents have.
    pub(crate) fn words(&self) -> u64 {
        self.words
    }

    /// The length of a document in words, as a code of one byte: see [`words_of_code`].
    #[inline]
    pub fn length_code(&self, document: u32) -> u8 {
        self.rows[document as usize].length
    }

    /// When a document was published, in seconds since 1970, to the minute.
    #[inline]
    pub fn published(&self, document: u32) -> Option<i64> {
        let minutes = self.rows[document as usize].published.get();
        (minutes != NO_DATE).then(|| i64::from(minutes) * 60)
    }

    /// The number of a document's host in this shard.
    pub fn host_number(&self, document: u32) -> u32 {
        self.rows[document as usize].host.get()
    }

    /// A host by its number.
    pub fn host(&self, number: u32) -> &str {
        self.hosts.get(number as usize).map_or("", String::as_str)
    }

    /// The number of a document's language in this shard.
    pub fn language_number(&self, document: u32) -> u8 {
        self.rows[document as usize].language
    }

    /// A language by its number.
    pub fn language(&self, number: u8) -> &str {
        self.languages.get(usize::from(number)).map_or("", String::as_str)
    }

    /// The languages of the shard's documents.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }

    /// The narrowest place that holds most of a document.
    #[inline]
    pub fn focus(&self, document: u32) -> Option<u32> {
        Some(self.rows[document as usize].focus.get()).filter(|it| *it != NO_PLACE)
    }

    /// The group of near-duplicates that a document belongs to, and whether it stands for it.
    #[inline]
    pub fn group(&self, document: u32) -> Option<(u32, bool)> {
        if self.groups.is_empty() {
            return None;
        }
        let group = self.groups[document as usize].get();
        (group != 0).then_some((group & !LEADS, group & LEADS != 0))
    }

    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        let at = document as usize;
        let start = if at == 0 { 0 } else { self.id_ends[at - 1].get() as usize };
        let end = self.id_ends[at].get() as usize;
        self.ids.get(start..end).and_then(|it| std::str::from_utf8(it).ok()).unwrap_or_default()
    }
}

/// How many words a document of this length code has, about.
pub fn words_of_code(code: u8) -> u32 {
    FieldNormReader::id_to_fieldnorm(code)
}
