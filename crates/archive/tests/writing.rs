//! What is written is read again: by us, after any crash, and by others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::{
    Catalogue, Digest, Exchange, Failure, Kind, Packed, Position, Record, Response, Revisit,
    Sameness, Settings, Truncated, Writer,
};
use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

fn date() -> Timestamp {
    "2026-01-02T03:04:05.678Z".parse().expect("it is a date")
}

/// An exchange whose answer is a page with that text.
fn page(url: &str, text: &str) -> Packed {
    archive::pack(&Exchange {
        url,
        date: date(),
        address: None,
        protocol: None,
        request: b"",
        response: Some(Response::new(HEAD, text.as_bytes())),
        fields: &[],
    })
}

fn settings(prefix: &str, rotate_at: u64) -> Settings {
    Settings { prefix: prefix.to_owned(), rotate_at, ..Settings::default() }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room for a folder")
}

/// The files in the folder that end so, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|it| it.expect("it has a name").path()).collect();
    files.retain(|it| it.to_string_lossy().ends_with(ending));
    files.sort();
    files
}

fn records(folder: &Path) -> Vec<Record> {
    let files = files(folder, ".warc.gz");
    let records = files.iter().flat_map(|it| archive::open(it).expect("the file is there"));
    records.map(|it| it.expect("the record is readable")).collect()
}

/// The last letter of each target; `#` for a record about a file.
fn summary<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
    let letter = |it: &Record| it.target.as_ref().and_then(|it| it.chars().last()).unwrap_or('#');
    records.into_iter().map(letter).collect()
}

/// Writes pages `a`, `b` and so on, and tells where the writer stood before each and in the end.
fn write(folder: &Path, settings: &Settings, letters: &str) -> Vec<Position> {
    let mut writer = Writer::open(folder, settings).expect("the folder can be written to");
    let mut positions = Vec::new();
    for letter in letters.chars() {
        positions.push(writer.position());
        writer.append(&page(&format!("http://a.org/{letter}"), "text")).expect("there is room");
    }
    positions.push(writer.position());
    positions
}

/// Resumes, and tells what was given.
fn resume(
    folder: &Path,
    prefix: &str,
    after: Option<&Position>,
) -> Result<(Writer, String), Failure> {
    let mut given = Vec::new();
    let writer = Writer::resume(folder, &settings(prefix, 1 << 30), after, |at, record| {
        assert_eq!(at.offset, record.offset);
        assert_eq!(archive::read_at(folder, &at).expect("it is there").id, record.id);
        given.push(record);
    })?;
    Ok((writer, summary(&given)))
}

#[track_caller]
fn check(folder: &Path, expected: &str) {
    assert_eq!(summary(&records(folder)), expected);
    let verified = archive::verify(folder, &mut |_| {}).expect("the folder is there");
    assert!(verified.is_whole(), "{verified:?}");
    assert_eq!(verified.agreeing, expected.len() as u64);
}

#[test]
fn every_file_begins_with_a_record_about_itself() {
    let folder = folder();
    write(folder.path(), &settings("a", 1), "xyz");
    check(folder.path(), "#x#y#z");
    let names = files(folder.path(), ".warc.gz");
    assert_eq!(names.len(), 3);
    for (name, record) in names.iter().zip(records(folder.path()).iter().step_by(2)) {
        assert_eq!(record.kind, Kind::Warcinfo);
        let name = name.file_name().expect("it has one").to_string_lossy();
        assert_eq!(record.headers.get("WARC-Filename"), Some(&*name));
        assert_eq!(record.fields().get("robots"), Some("obey"));
        assert_eq!(record.fields().get("format"), Some("WARC File Format 1.1"));
    }
    assert!(names[0].to_string_lossy().ends_with("-00001.warc.gz"));
    assert!(names[2].to_string_lossy().ends_with("-00003.warc.gz"));
}

#[test]
fn a_file_is_no_larger_than_it_may_be() {
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 3000)).expect("it opens");
    for _ in 0..50 {
        writer.append(&page("http://a.org/x", "text")).expect("there is room");
    }
    let sizes: Vec<_> =
        files(folder.path(), ".warc.gz").iter().map(|it| fs::metadata(it).unwrap().len()).collect();
    assert!(sizes.len() > 4 && sizes.iter().all(|it| *it <= 3000), "{sizes:?}");
    assert!(sizes[..sizes.len() - 1].iter().all(|it| *it > 2000), "{sizes:?}");
}

#[test]
fn a_record_is_read_where_it_was_written() {
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 1)).expect("it opens");
    let positions = ["x", "y", "z"]
        .map(|it| writer.append(&page(&format!("http://a.org/{it}"), it)).expect("there is room"));
    for (position, text) in positions.iter().zip(["x", "y", "z"]) {
        let record = archive::read_at(folder.path(), position).expect("it is there");
        assert_eq!(record.http().unwrap().body, text.as_bytes());
    }
}

#[test]
fn a_place_without_a_record_is_told() {
    let folder = folder();
    let end = write(folder.path(), &settings("a", 1 << 30), "x").pop().expect("there is an end");
    let read = |file: &str, offset| {
        let position = Position { file: file.to_owned(), offset };
        archive::read_at(folder.path(), &position).unwrap_err().to_string()
    };
    let told = read(&end.file, end.offset);
    assert!(told.ends_with("the file ends there; move it away or mend it"), "{told}");
    assert!(read(&end.file, 5).contains("is damaged at byte 5: "));
    assert!(read("none.warc.gz", 0).contains("none.warc.gz cannot be read: "));
    for name in ["../a.warc.gz", "/etc/passwd", "", "a/b", "..", "."] {
        assert!(read(name, 0).contains("is no name of a file"), "{name}");
    }
}

#[test]
fn a_position_survives_being_written_down() {
    let position = Position { file: "a.warc.gz".to_owned(), offset: 7 };
    let text = serde_json::to_string(&position).unwrap();
    assert_eq!(text, r#"{"file":"a.warc.gz","offset":7}"#);
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position);
}

#[test]
fn a_writer_goes_on_behind_the_last_whole_record_wherever_the_file_was_cut() {
    let folder = folder();
    let positions = write(folder.path(), &settings("a", 1 << 30), "xyz");
    let path = &files(folder.path(), ".warc.gz")[0];
    let whole = fs::read(path).unwrap();
    let catalogue = fs::read(&files(folder.path(), ".cdxj")[0]).unwrap();
    for cut in 0..=whole.len() {
        fs::write(path, &whole[..cut]).unwrap();
        // Of the catalogue any part may be there.
        fs::write(&files(folder.path(), ".cdxj")[0], &catalogue[..cut.min(catalogue.len())])
            .unwrap();
        let kept = positions.iter().filter(|it| it.offset <= cut as u64).count();
        let expected = &"#xyz"[..kept];
        let (mut writer, given) = resume(folder.path(), "a", None).expect("it goes on");
        assert_eq!(given, expected, "cut at {cut}");
        writer.append(&page("http://a.org/n", "new")).expect("there is room");
        drop(writer);
        let expected = format!("{}n", if kept == 0 { "#" } else { expected });
        assert_eq!(summary(&records(folder.path())), expected, "cut at {cut}");
        let catalogue = Catalogue::open(folder.path()).unwrap();
        let listed = catalogue.iter().map(|it| it.unwrap().url.pop().unwrap());
        assert_eq!(listed.collect::<String>(), expected[1..], "cut at {cut}");
    }
}

#[test]
fn only_what_is_behind_the_position_is_given() {
    let folder = folder();
    let positions = write(folder.path(), &settings("a", 1 << 30), "xyz");
    for (at, expected) in positions.iter().zip(["xyz", "yz", "z", ""]) {
        let (_, given) = resume(folder.path(), "a", Some(at)).expect("it goes on");
        assert_eq!(given, expected);
    }
    check(folder.path(), "#xyz");
}

#[test]
fn records_are_given_over_several_files() {
    let folder = folder();
    let positions = write(folder.path(), &settings("a", 1), "xyz");
    // The position is at the end of a file when the next record begins a new one.
    for (at, expected) in positions.iter().zip(["x#y#z", "#y#z", "#z", ""]) {
        let (_, given) = resume(folder.path(), "a", Some(at)).expect("it goes on");
        assert_eq!(given, expected);
    }
    let (mut writer, given) = resume(folder.path(), "a", None).expect("it goes on");
    assert_eq!(given, "#x#y#z");
    writer.append(&page("http://a.org/n", "new")).expect("there is room");
    drop(writer);
    check(folder.path(), "#x#y#zn");
}

#[test]
fn a_file_that_was_only_just_begun_is_gone_on_with() {
    for begun in [&b""[..], b"\x1f", b"\x1f\x8b\x08\x00\x00\x00"] {
        let folder = folder();
        let end = write(folder.path(), &settings("a", 1 << 30), "x").pop().expect("an end");
        fs::write(folder.path().join("a-20990102030405-00002.warc.gz"), begun).unwrap();
        let (mut writer, given) = resume(folder.path(), "a", Some(&end)).expect("it goes on");
        assert_eq!(given, "");
        let at = writer.append(&page("http://a.org/n", "new")).expect("there is room");
        assert_eq!(at.file, "a-20990102030405-00002.warc.gz");
        drop(writer);
        check(folder.path(), "#x#n");
    }
}

#[test]
fn where_there_is_nothing_a_writer_begins_anew() {
    let folder = folder();
    let nowhere = folder.path().join("b/c");
    for folder in [folder.path(), &nowhere] {
        let (writer, given) = resume(folder, "a", None).expect("it begins");
        assert!(given.is_empty() && writer.position().offset > 0);
        drop(writer);
        check(folder, "#");
    }
}

#[test]
fn damage_is_told_and_not_cut() {
    let folder = folder();
    let positions = write(folder.path(), &settings("a", 1 << 30), "xyz");
    let path = &files(folder.path(), ".warc.gz")[0];
    let whole = fs::read(path).unwrap();
    let at = positions[1].offset as usize;
    let mut harmed = whole.clone();
    harmed[at + 100] ^= 0xff;
    for bytes in [harmed, [&whole[..], b"rubbish"].concat(), [&whole[..], &[0; 100]].concat()] {
        fs::write(path, &bytes).unwrap();
        let Err(failure) = resume(folder.path(), "a", None) else {
            panic!("damage was passed over")
        };
        assert!(failure.to_string().contains(" is damaged at byte "), "{failure}");
        assert_eq!(fs::read(path).unwrap(), bytes);
    }
}

#[test]
fn a_torn_file_that_is_not_the_newest_is_told() {
    let folder = folder();
    write(folder.path(), &settings("a", 1), "xy");
    let path = &files(folder.path(), ".warc.gz")[0];
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() - 1]).unwrap();
    let Err(failure) = resume(folder.path(), "a", None) else { panic!("it was passed over") };
    assert!(failure.to_string().contains("though it is not the newest"), "{failure}");
}

#[test]
fn a_position_that_the_archive_does_not_reach_is_told() {
    let folder = folder();
    let mut end = write(folder.path(), &settings("a", 1 << 30), "x").pop().expect("an end");
    end.offset += 1;
    let Err(failure) = resume(folder.path(), "a", Some(&end)) else { panic!("it was believed") };
    assert!(matches!(&failure, Failure::Short { position, .. } if *position == end), "{failure}");
    end.file = "a-20260102030405-00009.warc.gz".to_owned();
    assert!(matches!(resume(folder.path(), "a", Some(&end)), Err(Failure::Short { .. })));
}

#[test]
fn writers_with_different_prefixes_share_a_folder() {
    let folder = folder();
    write(folder.path(), &settings("a", 1 << 30), "x");
    write(folder.path(), &settings("a-b", 1 << 30), "y");
    let torn = folder.path().join("a-c-20260102030405-00001.warc.gz");
    fs::write(&torn, b"\x1f\x8b").unwrap();
    assert_eq!(resume(folder.path(), "a", None).expect("it goes on").1, "#x");
    assert_eq!(resume(folder.path(), "a-b", None).expect("it goes on").1, "#y");
    assert_eq!(fs::read(torn).unwrap(), b"\x1f\x8b");
}

#[test]
fn two_writers_never_write_to_the_same_file() {
    let folder = folder();
    let writer = Writer::open(folder.path(), &settings("a", 1 << 30)).expect("it opens");
    let again = Writer::open(folder.path(), &settings("a", 1 << 30));
    assert!(matches!(again, Err(Failure::Taken { .. })));
    assert!(matches!(resume(folder.path(), "a", None), Err(Failure::Taken { .. })));
    Writer::open(folder.path(), &settings("b", 1 << 30)).expect("another prefix is free");
    drop(writer);
    let next = Writer::open(folder.path(), &settings("a", 1 << 30)).expect("it opens");
    assert!(next.position().file.ends_with("-00002.warc.gz"));
}

#[test]
fn a_folder_that_is_gone_is_told() {
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 1)).expect("it opens");
    writer.append(&page("http://a.org/x", "text")).expect("there is room");
    fs::remove_dir_all(folder.path()).unwrap();
    let told = writer.sync().unwrap_err().to_string();
    assert!(told.ends_with("was removed while it was written to"), "{told}");
    assert!(writer.append(&page("http://a.org/y", "text")).is_err());
}

#[test]
fn a_writer_goes_on_once_a_new_file_can_be_made() {
    let folder = folder();
    let inner = folder.path().join("inner");
    let mut writer = Writer::open(&inner, &settings("a", 1)).expect("it opens");
    writer.append(&page("http://a.org/x", "text")).expect("there is room");
    let aside = folder.path().join("aside");
    fs::rename(&inner, &aside).unwrap();
    let told = writer.append(&page("http://a.org/y", "text")).unwrap_err().to_string();
    assert!(told.contains("inner/a-") && told.contains(" cannot be written to: "), "{told}");
    fs::rename(&aside, &inner).unwrap();
    writer.append(&page("http://a.org/y", "text")).expect("there is room again");
    drop(writer);
    check(&inner, "#x#y");
}

#[test]
fn a_folder_that_is_none_is_told() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let Err(failure) = Writer::open(&file, &settings("a", 1)) else { panic!("it was opened") };
    assert!(failure.to_string().contains("file cannot be "), "{failure}");
    assert!(matches!(Writer::open(folder.path(), &settings("a/b", 1)), Err(Failure::Name { .. })));
}

#[test]
fn the_catalogue_finds_answers_the_newest_first() {
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 1)).expect("it opens");
    let mut at = |url: &str, time: &str| {
        let exchange = Exchange {
            url,
            date: time.parse().unwrap(),
            address: None,
            protocol: None,
            request: b"",
            response: Some(Response::new(HEAD, time.as_bytes())),
            fields: &[],
        };
        writer.append(&archive::pack(&exchange)).expect("there is room");
    };
    at("http://www.a.org/B", "2026-01-01T00:00:01Z");
    at("http://a.org/b", "2026-01-01T00:00:03Z");
    at("http://a.org/b", "2026-01-01T00:00:02Z");
    at("http://a.org/c", "2026-01-01T00:00:02Z");
    writer.sync().expect("it can be written to disk");
    let open = || Catalogue::open(folder.path()).expect("it is there");
    let find = |catalogue: &Catalogue, url: &str| -> Vec<String> {
        let found = catalogue.find(url).expect("it is readable");
        found.iter().map(|it| format!("{} {}", it.url, it.date)).collect()
    };
    let both = ["http://a.org/b 2026-01-01T00:00:03Z", "http://a.org/b 2026-01-01T00:00:02Z"];
    assert_eq!(find(&open(), "http://a.org/b"), both);
    assert_eq!(find(&open(), "http://www.a.org/B"), ["http://www.a.org/B 2026-01-01T00:00:01Z"]);
    assert_eq!(find(&open(), "https://a.org/B").len(), 3);
    assert!(find(&open(), "http://a.org/d").is_empty());
    drop(writer);
    for it in files(folder.path(), ".cdxj") {
        fs::remove_file(it).unwrap();
    }
    assert_eq!((open().missing().len(), open().iter().count()), (4, 0));
    let rebuilt = Catalogue::rebuild(folder.path(), &mut |_| {}).expect("it can be made anew");
    assert_eq!((rebuilt.missing().len(), rebuilt.iter().count()), (0, 4));
    assert_eq!(find(&rebuilt, "http://a.org/b"), both);
}

#[test]
fn a_rebuilt_catalogue_says_what_the_written_one_said() {
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 20_000)).expect("it opens");
    kinds(|exchange| drop(writer.append(&archive::pack(exchange)).expect("there is room")));
    for number in 0..300 {
        writer.append(&page(&format!("http://a.org/{number}"), "text")).expect("there is room");
    }
    drop(writer);
    let all = |catalogue: &Catalogue| {
        let mut all: Vec<_> =
            catalogue.iter().map(|it| format!("{:?}", it.expect("it is readable"))).collect();
        all.sort();
        all
    };
    let written = Catalogue::open(folder.path()).expect("it is there");
    let before = all(&written);
    assert!(before.len() > 300);
    for number in (0..300).step_by(7) {
        let found = written.find(&format!("http://a.org/{number}")).expect("it is readable");
        assert_eq!(found.len(), 1, "{number}");
        archive::read_at(folder.path(), &found[0].position).expect("it is there");
    }
    let mut last = archive::Progress::default();
    let rebuilt = Catalogue::rebuild(folder.path(), &mut |it| last = it).expect("it is rebuilt");
    assert_eq!(all(&rebuilt), before);
    assert!(last.done == last.total && last.total > 0);
    for part in files(folder.path(), ".cdxj") {
        let text = fs::read_to_string(part).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.is_sorted() && lines[0].starts_with("!meta "));
    }
}

#[test]
fn a_large_sorted_catalogue_is_looked_into_without_reading_it() {
    let folder = folder();
    fs::write(folder.path().join("a.warc.gz"), "").unwrap();
    let mut lines = vec!["!meta {\"sorted\":true}\n".to_owned()];
    for number in 0..5000 {
        let long = "x".repeat(number % 300);
        lines.push(format!(
            "org,a)/{:05} 2026010203040{} {{\"url\": \"http://a.org/{:05}\", \"offset\": \"{number}\", \
             \"filename\": \"a.warc.gz\", \"more\": \"{long}\"}}\n",
            number / 2, number % 2, number / 2
        ));
    }
    fs::write(folder.path().join("a.cdxj"), lines.concat()).unwrap();
    let catalogue = Catalogue::open(folder.path()).expect("it is there");
    for number in 0..2500 {
        let found = catalogue.find(&format!("http://a.org/{number:05}")).expect("it is readable");
        let offsets: Vec<_> = found.iter().map(|it| it.position.offset).collect();
        assert_eq!(offsets, [2 * number + 1, 2 * number]);
    }
    for url in ["http://a.org/", "http://a.org/02500", "http://b.org/"] {
        assert!(catalogue.find(url).expect("it is readable").is_empty());
    }
}

#[test]
fn verifying_tells_what_is_wrong_and_where() {
    let folder = folder();
    let positions = write(folder.path(), &settings("a", 1 << 30), "xyz");
    let path = &files(folder.path(), ".warc.gz")[0];
    let whole = fs::read(path).unwrap();
    let mut harmed = whole[..whole.len() - 3].to_vec();
    harmed[positions[1].offset as usize + 60] ^= 0xff;
    fs::write(path, &harmed).unwrap();
    let verified = archive::verify(folder.path(), &mut |_| {}).expect("the folder is there");
    assert!(!verified.is_whole());
    assert_eq!((verified.files, verified.bytes), (1, harmed.len() as u64));
    assert_eq!(
        verified.breaks.iter().map(|it| it.1.offset).collect::<Vec<_>>(),
        [positions[1].offset]
    );
    assert_eq!(verified.torn, [positions[2].clone()]);

    let other = b"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Block-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
    fs::write(path, other).unwrap();
    let verified = archive::verify(path, &mut |_| {}).expect("the file is there");
    assert_eq!((verified.disagreeing, verified.disagreements.len()), (1, 1));
    assert!(archive::verify(&folder.path().join("none"), &mut |_| {}).is_err());
}

/// Exchanges of every kind.
fn kinds(mut each: impl FnMut(&Exchange<'_>)) {
    let request = b"GET /a HTTP/1.1\r\nHost: a.org\r\n\r\n";
    let fields = [("via", "http://a.org/"), ("hops", "LL"), ("duration", "120")];
    let binary: Vec<u8> = (0..100_000_u32).map(|it| (it.wrapping_mul(it) >> 5) as u8).collect();
    let gzipped = [b"\x1f\x8b\x08\x00".to_vec(), binary.clone()].concat();
    let earlier = |sameness| Some(Revisit { sameness, url: "http://a.org/earlier", date: date() });
    let responses = [
        ("plain", Response::new(HEAD, b"<p>Ships</p>")),
        ("empty", Response::new(b"HTTP/1.1 204 No Content\r\n\r\n", b"")),
        ("binary", Response::new(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n", &binary)),
        ("packed", Response::new(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &gzipped)),
        (
            "chunked",
            Response::new(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"3\r\nabc"),
        ),
        ("h2", Response::new(b"HTTP/2 200\r\ncontent-type: text/plain\r\n\r\n", b"text")),
        ("h2-reason", Response::new(b"HTTP/2.0 404 Not Found\r\n\r\n", b"none")),
        ("latin", Response::new(b"HTTP/1.1 200 OK\r\nX: \xfc\r\n\r\n", b"\xfc")),
        ("headless", Response::new(b"HTTP/1.1 200 OK", b"text")),
        ("cut", Response { truncated: Some(Truncated::Length), ..Response::new(HEAD, b"<p>Shi") }),
        ("slow", Response { truncated: Some(Truncated::Time), ..Response::new(HEAD, b"") }),
        (
            "same",
            Response { revisit: earlier(Sameness::Digest), ..Response::new(HEAD, b"<p>Ships</p>") },
        ),
        (
            "unchanged",
            Response {
                revisit: earlier(Sameness::NotModified),
                digest: Some(Digest::of(b"<p>Ships</p>")),
                ..Response::new(b"HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n", b"")
            },
        ),
    ];
    for (name, response) in responses {
        each(&Exchange {
            url: &format!("http://a.org/{name}?b=1&a=%20"),
            date: date(),
            address: Some("2001:db8::1".parse().expect("it is an address")),
            protocol: Some(if name.starts_with("h2") { "h2" } else { "http/1.1" }),
            request,
            response: Some(response),
            fields: &fields,
        });
    }
    each(&Exchange {
        url: "https://nowhere.example/",
        date: date(),
        address: None,
        protocol: None,
        request,
        response: None,
        fields: &[("error", "no such host")],
    });
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn others_read_what_we_write() {
    let warcio = std::env::var_os("WARCIO").unwrap_or_else(|| "warcio".into());
    if !Command::new(&warcio).arg("--version").output().is_ok_and(|it| it.status.success()) {
        eprintln!("skipped: the program warcio is not installed; WARCIO may say where it is");
        return;
    }
    let folder = folder();
    let mut writer = Writer::open(folder.path(), &settings("a", 60_000)).expect("it opens");
    let mut count = 0;
    kinds(|exchange| {
        writer.append(&archive::pack(exchange)).expect("there is room");
        count += 1;
    });
    drop(writer);
    let files = files(folder.path(), ".warc.gz");
    let run = |arguments: &[&str]| {
        let output = Command::new(&warcio).args(arguments).args(&files).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text} {}", String::from_utf8_lossy(&output.stderr));
        text
    };
    let checked = run(&["check", "-v"]);
    let expected = files.len() + (count - 1) * 3 + 1;
    assert_eq!(checked.matches("WARC-Record-ID").count(), expected, "{checked}");
    // It does not look at the digests of revisits.
    assert_eq!(checked.matches("digest pass").count(), expected - 2, "{checked}");
    assert_eq!(checked.matches("not checked (revisit)").count(), 2, "{checked}");

    let index = run(&["index", "-f", "offset,warc-type,warc-target-uri,http:status"]);
    let lines: Vec<serde_json::Value> =
        index.lines().map(|it| serde_json::from_str(it).expect("a line is JSON")).collect();
    let ours = files.iter().flat_map(|it| archive::open(it).expect("it is there"));
    for (line, record) in lines.iter().zip(ours) {
        let record = record.expect("it is readable");
        assert_eq!(line["offset"], record.offset.to_string(), "{line}");
        assert_eq!(line["warc-target-uri"].as_str(), record.target.as_deref(), "{line}");
        let status = record.http().map(|it| it.status.to_string());
        if record.kind != Kind::Request {
            assert_eq!(line["http:status"].as_str(), status.as_deref(), "{line}");
        }
    }
    assert_eq!(lines.len(), expected);
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..most),
        "[ -~\r\n]{0,200}".prop_map(String::into_bytes),
        Just(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\n".to_vec()),
        Just([0x1f, 0x8b, 8, 0].repeat(100)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_exchange_is_read_as_it_was_written(
        url in "[!-;=?-~é]{1,60}",
        nanosecond in 0..4_000_000_000_000_000_000_i128,
        address in any::<Option<std::net::IpAddr>>(),
        status in 200..600_u16,
        headers in prop::collection::vec(("[A-Za-z-]{1,10}", "[!-~\u{80}-\u{ff}][ -~]{0,20}"), 0..6),
        request in bytes(200),
        body in bytes(2000),
        is_failed in any::<bool>(),
        field in ("[a-z]{1,8}", "[!-~]{0,20}"),
    ) {
        let mut head = format!("HTTP/1.1 {status} Some\r\n");
        for (name, value) in &headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        let exchange = Exchange {
            url: &url,
            date: Timestamp::from_nanosecond(nanosecond).unwrap(),
            address,
            protocol: Some("h2"),
            request: &request,
            response: (!is_failed).then(|| Response::new(head.as_bytes(), &body)),
            fields: &[(&field.0, &field.1)],
        };
        let folder = folder();
        let mut writer = Writer::open(folder.path(), &settings("a", 1 << 30)).unwrap();
        let position = writer.append(&archive::pack(&exchange)).unwrap();
        writer.append(&page("http://a.org/next", "text")).unwrap();
        drop(writer);

        let records = records(folder.path());
        let kinds: Vec<_> = records.iter().map(|it| it.kind).collect();
        let expected = [Kind::Warcinfo, Kind::Response, Kind::Request, Kind::Metadata, Kind::Response];
        let is_there = |kind: &Kind| match kind {
            Kind::Request => !is_failed && !request.is_empty(),
            _ => true,
        };
        let mut expected: Vec<_> = expected.into_iter().filter(is_there).collect();
        if is_failed {
            expected.remove(1);
        }
        prop_assert_eq!(kinds, expected);
        for record in &records {
            prop_assert_eq!(record.digest_agrees(), Some(true));
            prop_assert!(!record.truncated);
        }
        let first = archive::read_at(folder.path(), &position).unwrap();
        prop_assert_eq!(&first, &records[1]);
        prop_assert_eq!(first.target.as_ref(), Some(&url));
        prop_assert_eq!(first.date, Some(exchange.date));
        if is_failed {
            let fields = first.fields();
            prop_assert_eq!(fields.get(&field.0), Some(&*field.1));
        } else {
            prop_assert!(first.body.ends_with(&body));
            let http = first.http().unwrap();
            prop_assert_eq!(http.status, status);
            let payload = first.payload().unwrap();
            prop_assert_eq!(payload.as_ref(), &body[..]);
            prop_assert_eq!(http.headers.get("Transfer-Encoding"), None);
            let catalogue = Catalogue::open(folder.path()).unwrap();
            prop_assert_eq!(&catalogue.find(&url).unwrap()[0].position, &position);
        }
    }
}
