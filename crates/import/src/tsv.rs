//! Places of one's own: tab-separated text in the form `strabo gazetteer export` writes.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::lines::io_error;
use crate::sink::{ImportError, Sink};

/// Reads places, shapes or houses from tab-separated text, plain, `.gz` or `.zst`.
///
/// The first line names the columns; for places `name`, `lat` and `lon` are enough.
pub fn tsv(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let file = File::open(path).map_err(|error| io_error(path, error))?;
    let size = file.metadata().map_err(|error| io_error(path, error))?.len();
    let input: Box<dyn Read> = match path.extension().and_then(|it| it.to_str()) {
        Some("gz") => Box::new(MultiGzDecoder::new(file)),
        Some("zst") => {
            Box::new(zstd::stream::read::Decoder::new(file).map_err(|error| io_error(path, error))?)
        }
        _ => Box::new(file),
    };
    let name = path.display().to_string();
    let outcome = gazetteer::tsv::read(BufReader::new(input), |line, fact| match fact {
        Ok(fact) => {
            sink.fact(fact);
            Ok(())
        }
        Err(reason) => sink.bad(&name, line, reason).map_err(Stop::Import),
    });
    sink.advance(size);
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
