//! Where importers put what they read: facts, bad records, progress.

use gazetteer::Fact;

/// How many bad records are kept to be shown; the rest are only counted.
const SHOWN: usize = 20;

/// Where an importer puts what it reads.
///
/// A bad record is noted with its place in the file and skipped; a strict sink stops at the first.
pub struct Sink<'a> {
    /// Which reasons stop the import.
    refuses: fn(&str) -> bool,
    keep: &'a mut dyn FnMut(Fact),
    watch: &'a dyn Fn(u64),
    report: Report,
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many facts were kept; the thanks to the source are not counted.
    pub kept: u64,
    /// How many records were read but not wanted (a river, when places were asked for).
    pub passed: u64,
    /// How many records could not be read.
    pub bad: u64,
    /// The first of the bad ones.
    pub shown: Vec<BadRecord>,
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Its line, or its running number in a binary file, counted from 1.
    pub at: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Why an import stopped.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// A strict import met a bad record.
    #[error(
        "{file}, record {at}: {reason}: mend it, or import without --strict to skip such records"
    )]
    Bad {
        /// The file.
        file: String,
        /// Line or running number, from 1.
        at: u64,
        /// What is wrong.
        reason: String,
    },
    /// The file is not what the importer reads.
    #[error("{file} is no {expected}: {reason}")]
    Foreign {
        /// The file.
        file: String,
        /// What was expected.
        expected: &'static str,
        /// How it was noticed.
        reason: String,
    },
}

impl<'a> Sink<'a> {
    /// A sink that hands every fact to `keep` and the bytes read so far to `watch`.
    pub fn new(strict: bool, keep: &'a mut dyn FnMut(Fact), watch: &'a dyn Fn(u64)) -> Self {
        Self::refusing(if strict { |_| true } else { |_| false }, keep, watch)
    }

    /// A sink that stops at the first bad record whose reason it refuses, and skips the others.
    pub(crate) fn refusing(
        refuses: fn(&str) -> bool,
        keep: &'a mut dyn FnMut(Fact),
        watch: &'a dyn Fn(u64),
    ) -> Self {
        Self { refuses, keep, watch, report: Report::default() }
    }

    /// Takes a fact.
    pub fn fact(&mut self, fact: Fact) {
        self.report.kept += u64::from(!matches!(fact, Fact::Source(_)));
        (self.keep)(fact);
    }

    /// Counts a record that was read and is not wanted.
    pub fn pass(&mut self) {
        self.report.passed += 1;
    }

    /// Notes a bad record; an error if the import is strict.
    pub fn bad(
        &mut self,
        file: &str,
        at: u64,
        reason: impl Into<String>,
    ) -> Result<(), ImportError> {
        let reason = reason.into();
        if (self.refuses)(&reason) {
            return Err(ImportError::Bad { file: file.to_owned(), at, reason });
        }
        self.report.bad += 1;
        if self.report.shown.len() < SHOWN {
            self.report.shown.push(BadRecord { at, reason });
        }
        Ok(())
    }

    /// Tells how many bytes of the input are done.
    pub fn advance(&self, bytes: u64) {
        (self.watch)(bytes);
    }

    /// What came of it.
    pub fn report(self) -> Report {
        self.report
    }
}
