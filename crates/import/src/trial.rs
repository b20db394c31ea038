//! A run of an importer in a test: what it gave, and how it ended.

use std::path::Path;

use gazetteer::{Fact, HouseFact, PlaceFact, ShapeFact};

use crate::sink::{ImportError, Report, Sink};

/// What a run of an importer gave.
pub(crate) struct Trial {
    pub(crate) facts: Vec<Fact>,
    pub(crate) report: Report,
    pub(crate) result: Result<(), ImportError>,
}

/// Runs an importer that skips bad records.
pub(crate) fn trial(run: impl FnOnce(&mut Sink<'_>) -> Result<(), ImportError>) -> Trial {
    let mut facts = Vec::new();
    let mut keep = |fact| facts.push(fact);
    let mut sink = Sink::new(false, &mut keep, &|_| {});
    let result = run(&mut sink);
    let report = sink.report();
    Trial { facts, report, result }
}

/// Runs an importer over a file of this name and content.
pub(crate) fn with_file(
    name: &str,
    bytes: &[u8],
    run: impl FnOnce(&Path, &mut Sink<'_>) -> Result<(), ImportError>,
) -> Trial {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file for the test");
    trial(|sink| run(&path, sink))
}

/// The first fact thanks the source of this title for the file of this name.
#[track_caller]
pub(crate) fn check_thanks(title: &str, file: &str, trial: &Trial) {
    let Some(Fact::Source(source)) = trial.facts.first() else { panic!("{:?}", trial.facts) };
    assert_eq!((source.title.as_str(), source.date.as_str()), (title, file));
    let thanked = trial.facts.iter().filter(|fact| matches!(fact, Fact::Source(_))).count();
    assert_eq!(thanked, 1);
}

impl Trial {
    /// The places among the facts.
    pub(crate) fn places(&self) -> Vec<&PlaceFact> {
        let facts = self.facts.iter();
        facts
            .filter_map(|fact| if let Fact::Place(place) = fact { Some(place) } else { None })
            .collect()
    }

    /// The outlines among the facts.
    pub(crate) fn shapes(&self) -> Vec<&ShapeFact> {
        let facts = self.facts.iter();
        facts
            .filter_map(|fact| if let Fact::Shape(shape) = fact { Some(shape) } else { None })
            .collect()
    }

    /// The houses among the facts.
    pub(crate) fn houses(&self) -> Vec<&HouseFact> {
        let facts = self.facts.iter();
        facts
            .filter_map(|fact| if let Fact::House(house) = fact { Some(house) } else { None })
            .collect()
    }

    /// The place of this key.
    #[track_caller]
    pub(crate) fn place(&self, key: &str) -> &PlaceFact {
        let found = self.places().into_iter().find(|place| place.key == key);
        found.unwrap_or_else(|| panic!("no place has the key {key}"))
    }

    /// The first bad record's reason.
    #[track_caller]
    pub(crate) fn reason(&self) -> &str {
        &self.report.shown.first().expect("a bad record").reason
    }
}
