//! Archives made for the purpose, whole and broken, are read as they should be.

use std::io::{self, Read, Write};

use archive::{Broken, Kind, Limits, Record, Records};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

/// A record of WARC with all that it must have.
fn record(kind: &str, target: &str, body: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
         WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: {target}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    record.extend_from_slice(body);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// So many resources `urn:0`, `urn:1` and so on, with bodies that shrink little.
fn resources(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|it| record("resource", &format!("urn:{it}"), &noise(it, 400))).collect()
}

/// Letters without order, so that packed bytes are about as many.
fn noise(seed: usize, length: usize) -> Vec<u8> {
    let mut state = seed as u64 + 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b'a' + ((state >> 33) % 26) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

fn frame(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 3).expect("memory can be written to")
}

/// One member for each.
fn members(records: &[Vec<u8>]) -> Vec<Vec<u8>> {
    records.iter().map(|it| gzip(it)).collect()
}

fn read(bytes: &[u8]) -> Vec<Result<Record, Broken>> {
    Records::new(bytes).collect()
}

/// The targets of the records, `~` behind those that are truncated, `!` for what is broken.
fn summary(bytes: &[u8]) -> String {
    let item = |item: &Result<Record, Broken>| match item {
        Ok(it) => it.target.clone().unwrap_or_default() + if it.truncated { "~" } else { "" },
        Err(_) => "!".to_owned(),
    };
    read(bytes).iter().map(item).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(bytes: &[u8], expected: &str) {
    assert_eq!(summary(bytes), expected);
}

/// The only record, which must be readable.
fn only(bytes: &[u8]) -> Record {
    let mut records = read(bytes);
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0).expect("the record is readable")
}

/// What is told of the first unreadable stretch.
fn trouble(bytes: &[u8]) -> String {
    read(bytes).into_iter().find_map(Result::err).map_or("none".to_owned(), |it| it.to_string())
}

#[test]
fn a_record_tells_what_its_head_says() {
    let record = only(&record("response", "<http://a/b c>", b"HTTP/1.1 200 OK\r\n\r\nbody"));
    assert_eq!(record.kind, Kind::Response);
    assert_eq!(record.id.as_deref(), Some("urn:uuid:1"));
    assert_eq!(record.target.as_deref(), Some("http://a/b%20c"));
    assert_eq!(record.date.unwrap().to_string(), "2024-05-06T07:08:09Z");
    assert_eq!((record.offset, record.length, record.truncated), (0, 23, false));
    assert_eq!(record.http().unwrap().body, b"body");
}

#[test]
fn a_resource_has_no_envelope() {
    let file = b"WARC/1.0\nwarc-type: Resource\ncontent-type: text/plain\ncontent-length: 13\n\nHTTP/1.1 200 ";
    let record = only(file);
    assert_eq!((record.kind, record.content_type.as_deref()), (Kind::Resource, Some("text/plain")));
    assert_eq!(record.http(), None);
}

#[test]
fn a_revisit_names_the_record_that_has_its_body() {
    let file = b"WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Refers-To: <urn:uuid:7>\r\n\
        WARC-Refers-To-Target-URI: http://a/b c\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n\
        WARC-Payload-Digest: sha1:AAAA\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let record = only(file);
    assert_eq!(record.refers_to(), Some("urn:uuid:7"));
    assert_eq!(record.refers_to_target().as_deref(), Some("http://a/b%20c"));
    assert_eq!(record.refers_to_date().unwrap().to_string(), "2020-01-01T00:00:00Z");
    assert_eq!((record.payload_digest(), record.digest_agrees()), (Some("sha1:AAAA"), None));
}

#[test]
fn an_archive_may_be_packed_in_many_ways() {
    let records = resources(4);
    let plain = records.concat();
    let expected = "urn:0 urn:1 urn:2 urn:3";
    check(&plain, expected);
    check(&members(&records).concat(), expected);
    check(&gzip(&plain), expected);
    let (one, other) = plain.split_at(700);
    check(&[gzip(one), gzip(other)].concat(), expected);
    check(&plain.chunks(50).flat_map(gzip).collect::<Vec<_>>(), expected);
    check(&plain.chunks(1).flat_map(gzip).collect::<Vec<_>>(), expected);
    check(&[gzip(b""), gzip(&plain), gzip(b""), gzip(b"\r\n")].concat(), expected);
    check(&frame(&plain), expected);
    let frames = records.iter().flat_map(|it| frame(it));
    check(&frames.collect::<Vec<_>>(), expected);
}

#[test]
fn packed_and_plain_archives_may_be_joined() {
    let records = resources(4);
    let packed = members(&records);
    check(
        &[&packed[0], &records[1], &packed[2], &records[3]].map(|it| &**it).concat(),
        "urn:0 urn:1 urn:2 urn:3",
    );
}

#[test]
fn frames_may_need_the_dictionary_that_stands_before_them() {
    let dictionary = noise(9, 1000);
    let mut packer = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let mut file = [0x5d, 0x2a, 0x4d, 0x18].to_vec();
    file.extend_from_slice(&(dictionary.len() as u32).to_le_bytes());
    file.extend_from_slice(&dictionary);
    for it in 0..3 {
        let record = record("resource", &format!("urn:{it}"), &noise(9, 900));
        file.extend_from_slice(&packer.compress(&record).unwrap());
    }
    check(&file, "urn:0 urn:1 urn:2");
    assert!(file.len() < 2000);
}

#[test]
fn the_offset_is_where_the_record_or_its_member_begins() {
    let records = resources(2);
    let offsets =
        |file: &[u8]| read(file).iter().map(|it| it.as_ref().unwrap().offset).collect::<Vec<_>>();
    assert_eq!(offsets(&records.concat()), [0, records[0].len() as u64]);
    let packed = members(&records);
    assert_eq!(offsets(&packed.concat()), [0, packed[0].len() as u64]);
}

#[test]
fn the_position_ends_at_the_size_of_the_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let bytes = members(&resources(3)).concat();
    file.write_all(&bytes).unwrap();
    let mut records = archive::open(file.path()).unwrap();
    assert_eq!((records.position(), records.size()), (0, Some(bytes.len() as u64)));
    assert_eq!(records.by_ref().count(), 3);
    assert_eq!(records.position(), bytes.len() as u64);
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let error = archive::open("/nowhere/a.warc.gz".as_ref()).err().unwrap();
    assert!(error.to_string().starts_with("/nowhere/a.warc.gz cannot be read: "), "{error}");
    assert!(archive::open(&std::env::temp_dir()).is_err());
}

#[test]
fn an_empty_file_has_no_records() {
    check(b"", "");
    check(b"\r\n\r\n", "");
    check(&gzip(b""), "");
}

#[test]
fn a_body_beyond_the_limit_is_cut_and_marked() {
    for file in [resources(2).concat(), members(&resources(2)).concat()] {
        let records = Records::new(&file[..]).with_limits(Limits { body: 10 });
        for record in records {
            let record = record.unwrap();
            assert_eq!((record.body.len(), record.length, record.truncated), (10, 400, true));
        }
    }
}

#[test]
fn a_record_without_a_length_is_told_and_the_next_one_read() {
    let records = resources(2);
    let none = b"WARC/1.0\r\nWARC-Type: resource\r\n\r\nbody\r\n\r\n";
    let bad = b"WARC/1.0\r\nContent-Length: -5\r\n\r\nbody\r\n\r\n";
    for broken in [&none[..], &bad[..]] {
        check(&[&records[0], broken, &records[1]].concat(), "urn:0 ! urn:1");
        let packed = [gzip(&records[0]), gzip(broken), gzip(&records[1])].concat();
        check(&packed, "urn:0 ! urn:1");
    }
    assert_eq!(trouble(none), "byte 0: the head has no Content-Length; no further record found");
    assert_eq!(trouble(bad), "byte 0: Content-Length \"-5\" is no number; no further record found");
}

#[test]
fn rubbish_is_told_and_passed_over() {
    let records = resources(2);
    check(b"rubbish", "!");
    check(&[b"rubbish\r\n".to_vec(), records.concat()].concat(), "! urn:0 urn:1");
    check(&[&records[0], &b"rubbish\r\n"[..], &records[1]].concat(), "urn:0 ! urn:1");
    let packed = members(&records);
    check(&[&packed[0], &b"rubbish\r\n"[..], &packed[1]].concat(), "urn:0 ! urn:1");
    check(&[&b"rubbish\r\n"[..], &packed[0], &packed[1]].concat(), "! urn:0 urn:1");
    check(&[&packed[0], &gzip(b"rubbish")[..], &packed[1]].concat(), "urn:0 ! urn:1");
    let told = trouble(&[b"rubbish\r\n".to_vec(), records.concat()].concat());
    let expected = "byte 0: no record begins with \"rubbish\\r\\nWARC/1.1\\r\\nWARC-\"; reading goes on at byte 9";
    assert_eq!(told, expected);
}

#[test]
fn a_head_that_never_ends_is_told() {
    let records = resources(1);
    let lines = "Name: value\r\n".repeat(10_000);
    check(&[format!("WARC/1.0\r\n{lines}").as_bytes(), &records[0]].concat(), "! urn:0");
    let line = "x".repeat(1 << 20);
    check(&[format!("WARC/1.0\r\nName: {line}\r\n").as_bytes(), &records[0]].concat(), "! urn:0");
    check(b"WARC/1.0\r\nName: value", "!");
}

#[test]
fn a_torn_record_is_given_as_far_as_it_goes_then_told() {
    let records = resources(3);
    let torn = &records[1][..records[1].len() - 100];
    check(&[&records[0], torn, &records[2]].concat(), "urn:0 urn:1~ ! urn:2");
    check(&[&records[0], torn].concat(), "urn:0 urn:1~ !");
    let packed = [gzip(&records[0]), gzip(torn), gzip(&records[2])].concat();
    check(&packed, "urn:0 urn:1~ ! urn:2");
    let told = trouble(&packed);
    assert!(told.contains("the record states 400 bytes, but another begins after 304; "), "{told}");
    let given = read(&packed).remove(1).unwrap();
    assert_eq!((given.body.len(), given.length), (304, 400));
}

#[test]
fn a_record_torn_within_its_head_is_told() {
    let records = resources(3);
    let torn = &records[1][..50];
    check(&[&records[0], torn, &records[2]].concat(), "urn:0 ! urn:2");
    check(&[gzip(&records[0]), gzip(torn), gzip(&records[2])].concat(), "urn:0 ! urn:2");
    check(&[&records[0], torn].concat(), "urn:0 !");
}

#[test]
fn a_record_within_a_body_is_no_record_of_the_file() {
    let inner = resources(3).concat();
    let outer = record("resource", "urn:outer", &inner);
    check(&[outer.clone(), resources(1).concat()].concat(), "urn:outer urn:0");
    check(&gzip(&outer), "urn:outer");
}

#[test]
fn a_damaged_member_is_told_and_the_next_one_read() {
    let records = resources(3);
    let mut packed = members(&records);
    let middle = packed[1].len() / 2;
    packed[1].drain(middle..middle + 20);
    let told = summary(&packed.concat());
    assert!(["urn:0 urn:1~ ! urn:2", "urn:0 ! urn:2"].contains(&told.as_str()), "{told}");
}

#[test]
fn a_member_torn_at_any_byte_never_takes_others_with_it() {
    let packed = members(&resources(3));
    for length in 0..packed[1].len() {
        let torn = &packed[1][..length];
        let told = summary(&[&packed[0], torn, &packed[2]].concat());
        assert!(told.starts_with("urn:0") && told.ends_with("urn:2"), "{length}: {told}");
        assert!(length == 0 || told.contains('!'), "{length}: {told}");
        let told = summary(&[&packed[0], torn].concat());
        assert!(told.starts_with("urn:0"), "{length}: {told}");
        assert!(length == 0 || told.ends_with('!'), "{length}: {told}");
    }
}

#[test]
fn a_record_whose_checksum_is_wrong_is_not_given() {
    let mut packed = members(&resources(3));
    let crc = packed[1].len() - 8;
    packed[1][crc] ^= 1;
    check(&packed.concat(), "urn:0 ! urn:2");
    let told = trouble(&packed.concat());
    assert!(told.contains("the gzip member states checksum "), "{told}");
}

#[test]
fn a_damaged_member_is_not_read_as_plain_bytes() {
    let records = resources(3);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&records[1]).unwrap();
    let mut stored = encoder.finish().unwrap();
    let middle = stored.len() / 2;
    stored[middle] ^= 1;
    let file = [gzip(&records[0]), stored, gzip(&records[2])].concat();
    check(&file, "urn:0 ! urn:2");
}

#[test]
fn in_one_member_a_wrong_checksum_is_told_behind_the_records() {
    let mut packed = gzip(&resources(3).concat());
    let crc = packed.len() - 8;
    packed[crc] ^= 1;
    check(&packed, "urn:0 urn:1 urn:2 !");
}

#[test]
fn a_bomb_is_not_unpacked_to_its_end() {
    // A gigabyte of zeros: the unpacker is stopped long before it.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(b"WARC/1.0\r\nWARC-Target-URI: urn:bomb\r\nContent-Length: 1000000000\r\n\r\n")
        .unwrap();
    let zeros = vec![0; 1_000_000];
    for _ in 0..1000 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    let file = [bomb, gzip(&resources(1)[0])].concat();
    check(&file, "urn:bomb~ ! urn:0");
    assert!(trouble(&file).contains("as a bomb would"), "{}", trouble(&file));
}

#[test]
fn a_record_that_claims_the_world_takes_no_memory() {
    check(b"WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nbody", "~ !");
}

#[test]
fn a_failing_reader_is_told() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let file = resources(1).concat();
    let items: Vec<_> = Records::new(file.chain(Failing)).collect();
    assert_eq!(items.len(), 2);
    assert!(items[0].is_ok());
    let told = items[1].as_ref().unwrap_err().to_string();
    assert!(told.contains("reading failed: the disk is gone"), "{told}");
}

#[test]
fn digests_are_checked() {
    let digest = |stated: &str| {
        let file = format!(
            "WARC/1.0\r\nWARC-Type: response\r\n{stated}\r\nContent-Length: 24\r\n\r\n\
             HTTP/1.1 200 OK\r\n\r\nhello\r\n\r\n"
        );
        only(file.as_bytes()).digest_agrees()
    };
    let hello = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
    assert_eq!(digest(&format!("WARC-Payload-Digest: {hello}")), Some(true));
    assert_eq!(digest(&format!("WARC-Block-Digest: {hello}")), Some(false));
    assert_eq!(digest("WARC-Block-Digest: md5:1234"), None);
    assert_eq!(digest("A: b"), None);
}

#[test]
fn the_digest_of_a_chunked_body_may_be_with_or_without_the_chunks() {
    let digest = |stated: &str| {
        let body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        let file = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Payload-Digest: {stated}\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        );
        only(file.as_bytes()).digest_agrees()
    };
    assert_eq!(digest("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"), Some(true));
    assert_eq!(digest("sha1:eb8b3e2ac1b1ff1f5dd2b0b2c2ff64a5f6a0f8c4"), Some(false));
}

#[test]
fn files_of_arc_are_read() {
    let file = b"filedesc://a.arc 0.0.0.0 20140102030405 text/plain 7\n1 0 Us\n\n\
        http://a/ 1.2.3.4 20140102030406 text/html 23\nHTTP/1.1 200 OK\r\n\r\nbody\n\
        dns:a 1.2.3.4 20140102030407 text/dns 4\nhost\n";
    let records: Vec<_> = read(file).into_iter().map(Result::unwrap).collect();
    let kinds: Vec<_> = records.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [Kind::Warcinfo, Kind::Response, Kind::Response]);
    assert_eq!(records[1].http().unwrap().body, b"body");
    assert_eq!(records[1].date.unwrap().to_string(), "2014-01-02T03:04:06Z");
    assert_eq!(records[1].headers.get("WARC-IP-Address"), Some("1.2.3.4"));
    assert_eq!((records[2].http(), records[2].content_type.as_deref()), (None, Some("text/dns")));
    let unmeasured = String::from_utf8_lossy(file).replace("html 23", "html -1");
    check(unmeasured.as_bytes(), "filedesc://a.arc http://a/~ ! dns:a");
}

/// Gives one byte after the other, or so many.
struct Sips<'a>(&'a [u8], usize);

impl Read for Sips<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

/// Reads all there is, and checks that the chunks in which it comes make no difference.
fn survive(bytes: &[u8]) {
    let whole = read(bytes);
    for record in whole.iter().flatten() {
        record.http();
        record.digest_agrees();
    }
    // At most one item for each byte, and one for what a torn record leaves to be told.
    assert!(whole.len() <= 2 * bytes.len() + 1);
    for sip in [1, 7, 1000] {
        assert_eq!(Records::new(Sips(bytes, sip)).collect::<Vec<_>>(), whole, "in sips of {sip}");
    }
}

/// Archives in several packings, to be damaged.
fn archives() -> Vec<Vec<u8>> {
    let mut records = resources(3);
    let chunked =
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
    let body = gzip(b"<p>Ships leave for the islands");
    let body =
        [chunked, format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    records.insert(1, record("response", "urn:page", &body));
    let arc = b"filedesc://a.arc 0.0.0.0 20140102030405 text/plain 7\n1 0 Us\n\n\
        http://a/ 1.2.3.4 20140102030406 text/html 23\nHTTP/1.1 200 OK\r\n\r\nbody\n";
    vec![
        records.concat(),
        members(&records).concat(),
        gzip(&records.concat()),
        records.concat().chunks(300).flat_map(gzip).collect(),
        records.iter().flat_map(|it| frame(it)).collect(),
        arc.to_vec(),
        gzip(arc),
    ]
}

/// Something done to a file: bytes changed, cut out, or put in twice.
#[derive(Clone, Debug)]
enum Harm {
    Change(prop::sample::Index, u8),
    Cut(prop::sample::Index, usize),
    Twice(prop::sample::Index, usize),
    End(prop::sample::Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Harm::Change(at, byte)),
        (place(), 1..600_usize).prop_map(|(at, length)| Harm::Cut(at, length)),
        (place(), 1..600_usize).prop_map(|(at, length)| Harm::Twice(at, length)),
        place().prop_map(Harm::End),
    ]
}

fn harmed(mut file: Vec<u8>, harms: &[Harm]) -> Vec<u8> {
    for harm in harms {
        if file.is_empty() {
            break;
        }
        let range = |at: &prop::sample::Index, length: usize| {
            let at = at.index(file.len());
            at..(at + length).min(file.len())
        };
        match harm {
            Harm::Change(at, byte) => {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            Harm::Cut(at, length) => drop(file.drain(range(at, *length))),
            Harm::Twice(at, length) => {
                let range = range(at, *length);
                let piece = file[range.clone()].to_vec();
                file.splice(range.end..range.end, piece);
            }
            Harm::End(at) => file.truncate(at.index(file.len())),
        }
    }
    file
}

/// Pieces of which an archive is made, in no sensible order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        &b"WARC/1.0\r\n"[..],
        b"WARC-Type: response\r\n",
        b"WARC-Record-ID: <a>\r\nWARC-Date: 2020\r\n",
        b"Content-Length: 3\r\n",
        b"Content-Length: 60\r\n",
        b"Content-Length: 99999999999\r\n",
        b"\r\n",
        b"\r\n\r\n",
        b"abc",
        b"HTTP/1.1 200 OK\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Encoding: br\r\n",
        b"filedesc://a 1.2.3.4 20140102030405 text/plain 3\n",
        b"http://a 1.2.3.4 20140102030405 text/html 20\n",
        &[0x1f, 0x8b, 8, 0],
        &[0x28, 0xb5, 0x2f, 0xfd],
        &[0x5d, 0x2a, 0x4d, 0x18, 3, 0, 0, 0],
        &[0; 10],
    ]);
    prop::collection::vec(words, 0..40).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        survive(&bytes);
        survive(&gzip(&bytes));
    }

    #[test]
    fn any_pieces_are_read_to_their_end(one in pieces(), other in pieces()) {
        survive(&one);
        survive(&[gzip(&one), other.clone()].concat());
        survive(&[gzip(&one), gzip(&other)].concat());
        survive(&[other, gzip(&one)].concat());
    }

    #[test]
    fn a_harmed_archive_is_read_to_its_end(
        which in 0..7_usize,
        harms in prop::collection::vec(harm(), 1..5),
    ) {
        survive(&harmed(archives().swap_remove(which), &harms));
    }

    #[test]
    fn harm_to_one_member_spares_the_others(harms in prop::collection::vec(harm(), 1..4)) {
        let mut packed = members(&resources(3));
        packed[1] = harmed(packed[1].clone(), &harms);
        let told = summary(&packed.concat());
        prop_assert!(told.starts_with("urn:0") && told.ends_with("urn:2"), "{told}");
    }
}
