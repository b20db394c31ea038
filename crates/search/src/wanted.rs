//! What is wanted: a query made ready to run.

use gazetteer::Gazetteer;
use index::{Clause, Error, Generation, Part, Shard, words_of_code};

use crate::ground::Ground;

/// How soon more occurrences of a word stop counting (BM25).
const K1: f32 = 1.2;
/// How much longer documents have to make up for their length (BM25).
const B: f32 = 0.75;
/// An occurrence in the title counts so much more: it is in the text too, and so counts three times.
const TITLE: f32 = 2.0;
/// An occurrence in a heading or in a link to the document counts so much more.
const STRONG: f32 = 1.0;

/// A condition on the words of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The terms that meet it, any of them; for a phrase its words, one behind the other.
    pub(crate) terms: Vec<String>,
    pub(crate) is_phrase: bool,
    pub(crate) in_title: bool,
    /// How it was written.
    pub(crate) text: String,
}

/// In which order documents are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The best first.
    #[default]
    Score,
    /// The nearest first.
    Distance,
    /// The newest first.
    Time,
}

/// A query made ready to run.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// All must be met; how well decides the text score.
    pub(crate) wishes: Vec<Wish>,
    /// None may be met.
    pub(crate) refused: Vec<Wish>,
    pub(crate) sites: Vec<String>,
    pub(crate) not_sites: Vec<String>,
    pub(crate) languages: Vec<String>,
    pub(crate) topics: Vec<String>,
    /// Published at this time or later, in seconds since 1970.
    pub(crate) after: Option<i64>,
    /// Published before this time.
    pub(crate) before: Option<i64>,
    pub(crate) ground: Ground,
    /// The part of the ground that people call near, where it is asked what is near.
    pub(crate) near: Option<Ground>,
    pub(crate) order: Order,
    /// Near-duplicates are shown one for all.
    pub(crate) collapses: bool,
}

impl Wanted {
    /// Whether a document that is on the ground is near; nothing where that is not asked.
    #[inline]
    pub(crate) fn is_near(
        &self,
        gazetteer: &Gazetteer,
        shard: &Shard,
        document: u32,
    ) -> Option<bool> {
        self.near.as_ref().map(|it| it.holds(gazetteer, shard, document))
    }
}

impl Wish {
    pub(crate) fn frequency(&self, shard: &Shard) -> Result<u32, Error> {
        let part = if self.in_title { Part::Title } else { Part::Text };
        shard.frequency(part, &self.terms, self.is_phrase)
    }

    pub(crate) fn clause(&self, shard: &Shard) -> Result<Clause, Error> {
        let part = if self.in_title { Part::Title } else { Part::Text };
        if self.is_phrase {
            shard.phrase(part, &self.terms)
        } else {
            shard.words(part, &self.terms)
        }
    }
}

/// What the words of a query weigh in a generation.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// How rare each wish is.
    pub(crate) rareness: Vec<f32>,
    total: f32,
    /// What a document's length takes from its occurrences, by length code.
    lengths: Box<[f32; 256]>,
}

impl Weights {
    /// For those who only count: nothing is scored.
    pub(crate) fn none() -> Self {
        Self { rareness: Vec::new(), total: 0.0, lengths: Box::new([0.0; 256]) }
    }

    pub(crate) fn of(generation: &Generation, wishes: &[Wish]) -> Result<Self, Error> {
        let all = generation.documents() as f32;
        let mut rareness = Vec::with_capacity(wishes.len());
        for wish in wishes {
            let mut documents = 0.0;
            for shard in &generation.shards {
                documents += wish.frequency(shard)? as f32;
            }
            let documents = documents.min(all);
            rareness.push((1.0 + (all - documents + 0.5) / (documents + 0.5)).ln());
        }
        let average = generation.average_length();
        let mut lengths = Box::new([0.0; 256]);
        for (code, length) in (0..=255).zip(lengths.iter_mut()) {
            *length = K1 * (1.0 - B + B * words_of_code(code) as f32 / average);
        }
        Ok(Self { total: rareness.iter().sum(), rareness, lengths })
    }
}

fn all(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}

/// A query on its way through a shard.
#[derive(Clone)]
pub(crate) struct Walk<'a> {
    pub(crate) shard: &'a Shard,
    wanted: &'a Wanted,
    wishes: &'a [Wish],
    weights: &'a Weights,
    /// All must be met, the rarest first.
    required: Vec<Clause>,
    scored: Vec<Scored>,
    refused: Vec<Clause>,
}

#[derive(Clone)]
struct Scored {
    /// Where its clause is among those required.
    at: usize,
    title: Option<Clause>,
    strong: Option<Clause>,
    rareness: f32,
}

/// What the words of a document come to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WordPart {
    pub(crate) text: String,
    pub(crate) rareness: f32,
    pub(crate) times: u32,
    pub(crate) in_title: u32,
    pub(crate) in_strong: u32,
    pub(crate) score: f32,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        shard: &'a Shard,
        wanted: &'a Wanted,
        weights: &'a Weights,
    ) -> Result<Self, Error> {
        Self::with_wishes(shard, wanted, &wanted.wishes, weights)
    }

    /// The same with other words than those wanted.
    pub(crate) fn with_wishes(
        shard: &'a Shard,
        wanted: &'a Wanted,
        wishes: &'a [Wish],
        weights: &'a Weights,
    ) -> Result<Self, Error> {
        // The clauses of the wishes keep their numbers while they are put in order of rareness.
        let mut required: Vec<(usize, Clause)> = Vec::new();
        for (number, wish) in wishes.iter().enumerate() {
            required.push((number, wish.clause(shard)?));
        }
        let mut add = |clause: Clause| required.push((usize::MAX, clause));
        if !wanted.sites.is_empty() {
            add(shard.hosts(all(&wanted.sites))?);
        }
        if !wanted.languages.is_empty() {
            add(shard.languages(all(&wanted.languages))?);
        }
        if !wanted.topics.is_empty() {
            add(shard.topics(all(&wanted.topics))?);
        }
        if let Some(clause) = wanted.ground.clause(shard)? {
            add(clause);
        }
        required.sort_by_key(|it| it.1.documents());
        let mut scored = Vec::new();
        for (number, (wish, rareness)) in wishes.iter().zip(&weights.rareness).enumerate() {
            let at =
                required.iter().position(|it| it.0 == number).expect("every wish has a clause");
            let more = |part: Part| -> Result<Option<Clause>, Error> {
                if wish.is_phrase || wish.in_title {
                    return Ok(None);
                }
                Ok(Some(shard.words(part, &wish.terms)?).filter(|it| it.documents() > 0))
            };
            scored.push(Scored {
                at,
                title: more(Part::Title)?,
                strong: more(Part::Strong)?,
                rareness: *rareness,
            });
        }
        let mut refused = Vec::new();
        for wish in &wanted.refused {
            refused.push(wish.clause(shard)?);
        }
        if !wanted.not_sites.is_empty() {
            refused.push(shard.hosts(all(&wanted.not_sites))?);
        }
        let required = required.into_iter().map(|it| it.1).collect();
        Ok(Self { shard, wanted, wishes, weights, required, scored, refused })
    }

    /// About so many documents have the rarest of what is wanted.
    pub(crate) fn documents(&self) -> u32 {
        self.required.first().map_or(self.shard.documents(), Clause::documents)
    }

    /// True if nothing is asked of the words.
    pub(crate) fn is_open(&self) -> bool {
        self.required.is_empty()
    }

    /// The first document from this one on that has all that is required.
    #[inline]
    pub(crate) fn next(&mut self, from: u32) -> u32 {
        let mut document = from;
        let Some((first, rest)) = self.required.split_first_mut() else {
            return if document < self.shard.documents() { document } else { index::TERMINATED };
        };
        'again: loop {
            document = first.seek(document);
            if document == index::TERMINATED {
                return document;
            }
            for clause in &mut *rest {
                let found = clause.seek(document);
                if found != document {
                    document = found;
                    continue 'again;
                }
            }
            return document;
        }
    }

    /// True if a document has all that is required; documents must be asked for in order.
    #[inline]
    pub(crate) fn meets(&mut self, document: u32) -> bool {
        self.required.iter_mut().all(|it| it.seek(document) == document)
    }

    /// True if nothing speaks against a document that has all that is required.
    #[inline]
    pub(crate) fn passes(&mut self, document: u32) -> bool {
        if self.shard.dead.has(document)
            || self.refused.iter_mut().any(|it| it.seek(document) == document)
        {
            return false;
        }
        if self.wanted.after.is_none() && self.wanted.before.is_none() {
            return true;
        }
        let published = self.shard.facts.published(document);
        published.is_some_and(|it| {
            self.wanted.after.is_none_or(|after| it >= after)
                && self.wanted.before.is_none_or(|before| it < before)
        })
    }

    /// The text score of a document that the walk stands at, from 0 to 1; 1 if no words are wanted.
    #[inline]
    pub(crate) fn text(&mut self, document: u32) -> f32 {
        if self.scored.is_empty() {
            return 1.0;
        }
        let length = self.weights.lengths[usize::from(self.shard.facts.length_code(document))];
        let mut sum = 0.0;
        for it in &mut self.scored {
            let times = self.required[it.at].times() as f32
                + TITLE * times_at(it.title.as_mut(), document) as f32
                + STRONG * times_at(it.strong.as_mut(), document) as f32;
            sum += it.rareness * (times / (times + length));
        }
        sum / self.weights.total
    }

    /// The text score of a document that the walk stands at, word by word.
    pub(crate) fn parts(&mut self, document: u32) -> Vec<WordPart> {
        let length = self.weights.lengths[usize::from(self.shard.facts.length_code(document))];
        let total = self.weights.total;
        let wishes = self.wishes.iter();
        let scored = self.scored.iter_mut().zip(wishes);
        scored
            .map(|(it, wish)| {
                let times = self.required[it.at].times();
                let in_title = times_at(it.title.as_mut(), document);
                let in_strong = times_at(it.strong.as_mut(), document);
                let counted = times as f32 + TITLE * in_title as f32 + STRONG * in_strong as f32;
                WordPart {
                    text: wish.text.clone(),
                    rareness: it.rareness,
                    times,
                    in_title,
                    in_strong,
                    score: it.rareness * (counted / (counted + length)) / total,
                }
            })
            .collect()
    }
}

#[inline]
fn times_at(clause: Option<&mut Clause>, document: u32) -> u32 {
    clause.map_or(0, |it| if it.seek(document) == document { it.times() } else { 0 })
}
