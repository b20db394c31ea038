//! Places of one's own: tab-separated text in the form `strabo gazetteer export` writes.

use std::io::{self, BufRead};
use std::path::Path;

use crate::lines::{io_error, with_text};
use crate::sink::{ImportError, Sink};

/// Reads places, shapes or houses from tab-separated text, plain, `.gz`, `.zst` or `.zip`.
///
/// The first line names the columns; for places `name`, `lat` and `lon` are enough.
pub fn tsv(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let size = path.metadata().map_err(|error| io_error(path, error))?.len();
    let outcome = with_text(path, |text| read(path, text, sink));
    sink.advance(size);
    outcome
}

fn read(path: &Path, text: &mut dyn BufRead, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let name = path.display().to_string();
    let outcome = gazetteer::tsv::read(text, |line, fact| match fact {
        Ok(fact) => {
            sink.fact(fact);
            Ok(())
        }
        Err(reason) => sink.bad(&name, line, reason).map_err(Stop::Import),
    });
    outcome.map_err(|stop| match stop {
        Stop::Import(error) => error,
        Stop::Io(error) if error.kind() == io::ErrorKind::InvalidData => ImportError::Foreign {
            file: name.clone(),
            expected: "table of places",
            reason: error.to_string(),
        },
        Stop::Io(error) => ImportError::Io { file: name.clone(), error },
    })
}

enum Stop {
    Import(ImportError),
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use gazetteer::Fact;

    use super::*;

    fn import(text: &str, strict: bool) -> (Vec<Fact>, Result<(), ImportError>, crate::Report) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut facts = Vec::new();
        let mut keep = |fact| facts.push(fact);
        let mut sink = Sink::new(strict, &mut keep, &|_| {});
        let outcome = tsv(file.path(), &mut sink);
        let report = sink.report();
        (facts, outcome, report)
    }

    #[test]
    fn a_bad_line_is_noted_with_its_number_and_skipped() {
        let (facts, outcome, report) =
            import("name\tlat\tlon\nClub\t53\t8\nPub\tnorth\t8\nBar\t53\t9\n", false);
        assert!(outcome.is_ok());
        assert_eq!((facts.len(), report.bad), (2, 1));
        assert_eq!(
            (report.shown[0].at, report.shown[0].reason.as_str()),
            (3, "\"north\" is no number of degrees")
        );
    }

    #[test]
    fn a_packed_table_is_known_by_its_ending_in_any_case() {
        let packed = zstd::encode_all(&b"name\tlat\tlon\nClub\t53\t8\n"[..], 0).unwrap();
        let trial = crate::trial::with_file("club.tsv.ZST", &packed, tsv);
        assert_eq!((trial.result.is_ok(), trial.places().len()), (true, 1));
    }

    #[test]
    fn a_strict_import_stops_at_the_first_bad_line() {
        let (_, outcome, _) = import("name\tlat\tlon\nPub\tnorth\t8\n", true);
        assert!(outcome.unwrap_err().to_string().ends_with(
            ", record 2: \"north\" is no number of degrees: mend it, or import without --strict to skip such records"
        ));
    }

    #[test]
    fn a_table_without_columns_is_foreign() {
        let (_, outcome, _) = import("Oldenburg\t53\t8\n", false);
        assert!(
            outcome
                .unwrap_err()
                .to_string()
                .contains("is no table of places: the first line names no columns")
        );
    }
}
