//! An answer in the archive, with the body that it has or refers to.

use std::path::Path;

use anyhow::Result;
use archive::{Catalogue, Entry, Kind, Record};
use jiff::Timestamp;

/// An answer in the archive.
pub(super) struct Capture {
    /// The record of the answer.
    pub(super) answer: Record,
    /// The record that has the body, if the answer only refers to it.
    pub(super) original: Option<Record>,
}

impl Capture {
    /// Of the answers, the newest one, or the newest that is not after that time. If all are after
    /// it, the first of them.
    ///
    /// Nothing if there are none. The answers stand in the order in which the catalogue finds them.
    pub(super) fn of(
        catalogue: &Catalogue,
        folder: &Path,
        answers: &[Entry],
        at: Option<Timestamp>,
    ) -> Result<Option<Self>> {
        let chosen = answers.iter().find(|it| at.is_none_or(|at| it.date <= at));
        let Some(chosen) = chosen.or(answers.last()) else { return Ok(None) };
        let answer = archive::read_at(folder, &chosen.position)?;
        let original = match answer.kind {
            Kind::Revisit => original(catalogue, folder, &answer, chosen)?,
            _ => None,
        };
        Ok(Some(Self { answer, original }))
    }

    /// The record that has the body; nothing if the archive does not have it.
    pub(super) fn with_body(&self) -> Option<&Record> {
        match self.answer.kind {
            Kind::Revisit => self.original.as_ref(),
            _ => Some(&self.answer),
        }
    }

    /// The record that has the status and the headers. "Not modified" is what only the crawler was
    /// told, so that the answer to which it refers is taken.
    pub(super) fn with_head(&self) -> &Record {
        let is_unchanged = self.answer.http_within(0).is_some_and(|it| it.status == 304);
        match &self.original {
            Some(original) if is_unchanged || self.answer.body.is_empty() => original,
            _ => &self.answer,
        }
    }
}

/// The record to which a revisit refers, by its URL and time, or else any with the same digest.
fn original(
    catalogue: &Catalogue,
    folder: &Path,
    revisit: &Record,
    entry: &Entry,
) -> Result<Option<Record>> {
    let url = revisit.refers_to_target().map_or_else(|| entry.url.clone(), Into::into);
    let mut earlier = catalogue.find(&url)?;
    earlier.retain(|it| !it.is_revisit());
    let date = revisit.refers_to_date().map(Timestamp::as_second);
    let named = earlier.iter().find(|it| date == Some(it.date.as_second()));
    let alike = || earlier.iter().find(|it| it.digest.is_some() && it.digest == entry.digest);
    let Some(found) = named.or_else(alike) else { return Ok(None) };
    Ok(Some(archive::read_at(folder, &found.position)?))
}
