//! Archives that other programs wrote, read from a folder beside the repository where it exists.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use archive::{Kind, Record};

fn samples() -> Option<PathBuf> {
    let folder = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../../shared/conformance");
    folder.join("warc_index.jsonl").exists().then_some(folder)
}

fn name(record: &Record) -> String {
    format!("{:?}", record.kind).to_lowercase()
}

/// Which records, and how many unreadable stretches, we find otherwise than the reference reader,
/// and why we are content with that.
const DEVIATIONS: [(&str, &str, usize); 5] = [
    // A single member holds all records; the reference reader insists on one member for each.
    ("warcio__example-bad-non-chunked.warc.gz", "request 2, response 1, revisit 1, warcinfo 2", 0),
    // Head and body of a record are two members, where the reference reader stops.
    ("warcio__example-wrong-chunks.warc.gz", "request 1, response 1", 0),
    // The file ends within the last record, which is there, marked as truncated.
    ("warcio__example-space-in-url.arc", "response 1, warcinfo 1", 1),
    // A record states two bytes less than it has; they are told.
    ("warcio__example-trunc.warc", "request 1, response 1, warcinfo 2", 1),
    // Lengths of -1 and "abc": the records are there, without bodies, and what follows is told.
    ("warcio__bad.arc", "response 3, warcinfo 1", 1),
];

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn the_archives_of_other_programs_are_read() {
    let Some(folder) = samples() else {
        eprintln!("skipped: no samples in ../shared/conformance");
        return;
    };
    let index = fs::read_to_string(folder.join("warc_index.jsonl")).expect("the index is there");
    let (mut files, mut records) = (0, 0);
    for line in index.lines() {
        let sample: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let file = sample["file"].as_str().expect("a sample has a file");
        let found = Found::of(&folder.join("warc").join(file));
        let deviation = DEVIATIONS.iter().find(|it| it.0 == file);
        let (kinds, broken) = deviation.map_or((stated(&sample), 0), |it| (it.1.to_owned(), it.2));
        assert_eq!(
            (found.kinds(), found.broken.len()),
            (kinds, broken),
            "{file} {:?}",
            found.broken
        );
        if deviation.is_none() {
            assert_eq!(found.urls, stated_urls(&sample), "{file}");
        }
        files += 1;
        records += found.kinds.values().sum::<usize>();
    }
    eprintln!("{files} files, {records} records");
}

fn stated(sample: &serde_json::Value) -> String {
    let kinds = sample["records"].as_object().expect("records by kind");
    let kinds: BTreeMap<_, _> = kinds.iter().collect();
    let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    kinds.join(", ")
}

fn stated_urls(sample: &serde_json::Value) -> Vec<String> {
    let urls = sample["urls"].as_array().expect("a list of URLs");
    urls.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

#[derive(Default)]
struct Found {
    kinds: BTreeMap<String, usize>,
    /// Of responses and resources.
    urls: Vec<String>,
    broken: Vec<String>,
}

impl Found {
    fn of(path: &Path) -> Self {
        let mut found = Self::default();
        for record in archive::open(path).expect("the sample opens") {
            match record {
                Ok(record) => found.take(&record),
                Err(broken) => found.broken.push(broken.to_string()),
            }
        }
        found
    }

    fn take(&mut self, record: &Record) {
        *self.kinds.entry(name(record)).or_default() += 1;
        if matches!(record.kind, Kind::Response | Kind::Resource) {
            self.urls.extend(record.target.clone());
        }
    }

    fn kinds(&self) -> String {
        let kinds: Vec<_> =
            self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        kinds.join(", ")
    }
}
