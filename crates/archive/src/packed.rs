//! Exchanges made ready for the archive: records, packed.

use std::cell::RefCell;
use std::io::Write;

use jiff::Timestamp;

use crate::digest::Digest;
use crate::entry::Draft;
use crate::exchange::{Exchange, Response};
use crate::message::{About, write_head};
use crate::packer::Packer;
use crate::record_id::RecordId;

/// The longest value that is written, in bytes. A record's head is read up to 64 KB, so that three
/// URLs fit in.
const LONGEST_VALUE: usize = 16 * 1024;
/// So much memory a thread keeps for its next exchange.
const KEPT: usize = 1 << 20;
/// Shorter bodies are packed whatever they are.
const SHORT: usize = 256;
/// How things begin that are packed already: gzip, Zstandard, ZIP, PNG, JPEG, GIF, WOFF 2.
const PACKED_ALREADY: [&[u8]; 7] = [
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"wOF2",
];

/// An exchange as it will stand in the archive.
#[derive(Clone, Debug)]
pub struct Packed {
    /// One gzip member for each record.
    bytes: Vec<u8>,
    digest: Option<Digest>,
    draft: Option<Draft>,
}

impl Packed {
    /// The digest of the body; none if there was no answer.
    pub fn digest(&self) -> Option<Digest> {
        self.digest
    }

    /// How many bytes it takes in the archive.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the catalogue will say, as far as it is known.
    pub(crate) fn draft(&self) -> Option<&Draft> {
        self.draft.as_ref()
    }
}

/// The exchange, ready to be appended. This is where the time goes, so it is done outside of locks.
pub fn pack(exchange: &Exchange<'_>) -> Packed {
    thread_local! {
        static PRESS: RefCell<Press> = RefCell::new(Press::new());
    }
    PRESS.with_borrow_mut(|press| press.pack(exchange))
}

/// The record that opens a file and tells who wrote it.
pub(crate) fn warcinfo(file: &str, date: Timestamp, fields: &[(&str, &str)]) -> Vec<u8> {
    let mut press = Press::new();
    write_fields(fields, &mut press.block);
    let mut head = Head::new(&mut press.plain, "warcinfo", RecordId::fresh(), date);
    head.put("WARC-Filename", file);
    head.digest(&[&press.block]);
    head.finish("application/warc-fields", press.block.len());
    press.finish()
}

/// What packing needs, kept from one exchange to the next.
struct Press {
    packer: Packer,
    /// The record, as far as it is to be packed.
    plain: Vec<u8>,
    /// The head of the message within the record, or its fields.
    block: Vec<u8>,
}

impl Press {
    fn new() -> Self {
        Self { packer: Packer::new(), plain: Vec::new(), block: Vec::new() }
    }

    fn pack(&mut self, exchange: &Exchange<'_>) -> Packed {
        let mut packed = Packed { bytes: Vec::with_capacity(4096), digest: None, draft: None };
        let id = exchange.response.as_ref().map(|it| self.response(exchange, it, &mut packed));
        if id.is_some() && !exchange.request.is_empty() {
            self.request(exchange, id, &mut packed.bytes);
        }
        if id.is_none() || !exchange.fields.is_empty() {
            self.metadata(exchange, id, &mut packed.bytes);
        }
        self.plain.shrink_to(KEPT);
        self.block.shrink_to(KEPT);
        packed
    }

    fn response(
        &mut self,
        exchange: &Exchange<'_>,
        response: &Response<'_>,
        packed: &mut Packed,
    ) -> RecordId {
        self.clear();
        let about = write_head(response.head, &mut self.block);
        let digest = payload(response, &about);
        let body = if response.revisit.is_some() { b"" } else { response.body };

        let id = RecordId::fresh();
        let kind = if response.revisit.is_some() { "revisit" } else { "response" };
        let mut head = Head::about(&mut self.plain, kind, id, exchange);
        if let Some(revisit) = &response.revisit {
            head.put("WARC-Profile", revisit.sameness.profile());
            head.put_url("WARC-Refers-To-Target-URI", revisit.url);
            head.show("WARC-Refers-To-Date", revisit.date);
        }
        if let Some(truncated) = response.truncated {
            head.put("WARC-Truncated", truncated.name());
        }
        if let Some(digest) = digest {
            head.show("WARC-Payload-Digest", digest);
        }
        // The digest of the body says of nearly all the block whether it is whole.
        if digest.is_none() || response.truncated.is_some() || response.revisit.is_some() {
            head.digest(&[&self.block, body]);
        }
        head.finish("application/http; msgtype=response", self.block.len() + body.len());

        self.plain.extend_from_slice(&self.block);
        if is_packed(body, &about) {
            self.packer.pack_before(&self.plain, &[body, b"\r\n\r\n"], &mut packed.bytes);
        } else {
            self.plain.extend_from_slice(body);
            self.plain.extend_from_slice(b"\r\n\r\n");
            self.packer.pack(&self.plain, &mut packed.bytes);
        }
        packed.digest = digest;
        packed.draft = Some(Draft::new(
            exchange.url,
            exchange.date,
            if response.revisit.is_some() { Some("warc/revisit") } else { about.mime.as_deref() },
            about.status,
            digest,
            packed.bytes.len() as u64,
        ));
        id
    }

    fn request(&mut self, exchange: &Exchange<'_>, response: Option<RecordId>, out: &mut Vec<u8>) {
        self.clear();
        write_head(exchange.request, &mut self.block);
        let mut head = Head::about(&mut self.plain, "request", RecordId::fresh(), exchange);
        head.concurrent_to(response);
        head.digest(&[&self.block]);
        head.finish("application/http; msgtype=request", self.block.len());
        self.finish_into(out);
    }

    fn metadata(&mut self, exchange: &Exchange<'_>, response: Option<RecordId>, out: &mut Vec<u8>) {
        self.clear();
        write_fields(exchange.fields, &mut self.block);
        let mut head = Head::about(&mut self.plain, "metadata", RecordId::fresh(), exchange);
        head.concurrent_to(response);
        head.digest(&[&self.block]);
        head.finish("application/warc-fields", self.block.len());
        self.finish_into(out);
    }

    fn clear(&mut self) {
        self.plain.clear();
        self.block.clear();
    }

    fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.finish_into(&mut out);
        out
    }

    fn finish_into(&mut self, out: &mut Vec<u8>) {
        self.plain.extend_from_slice(&self.block);
        self.plain.extend_from_slice(b"\r\n\r\n");
        self.packer.pack(&self.plain, out);
    }
}

/// The digest of the body. A server that says "not modified" sends none, and means the one of then.
/// What does not begin like a response has no body that could be told from its head.
fn payload(response: &Response<'_>, about: &About) -> Option<Digest> {
    about.status?;
    let is_elsewhere = response.revisit.is_some() && response.body.is_empty();
    response.digest.or_else(|| (!is_elsewhere).then(|| Digest::of(response.body)))
}

/// Whether packing the body once more would be in vain. Brotli has no mark to know it by.
fn is_packed(body: &[u8], about: &About) -> bool {
    body.len() >= SHORT
        && (about.coding.as_deref().is_some_and(|it| it.ends_with("br"))
            || PACKED_ALREADY.iter().any(|it| body.starts_with(it)))
}

/// The head of a record while it is written.
struct Head<'a>(&'a mut Vec<u8>);

impl<'a> Head<'a> {
    fn new(out: &'a mut Vec<u8>, kind: &str, id: RecordId, date: Timestamp) -> Self {
        out.extend_from_slice(b"WARC/1.1\r\n");
        let mut head = Self(out);
        head.put("WARC-Type", kind);
        head.show("WARC-Record-ID", id);
        head.show("WARC-Date", date);
        head
    }

    fn about(out: &'a mut Vec<u8>, kind: &str, id: RecordId, exchange: &Exchange<'_>) -> Self {
        let mut head = Self::new(out, kind, id, exchange.date);
        head.put_url("WARC-Target-URI", exchange.url);
        if kind == "metadata" {
            return head;
        }
        if let Some(address) = exchange.address {
            head.show("WARC-IP-Address", address.to_canonical());
        }
        if let Some(protocol) = exchange.protocol {
            head.put("WARC-Protocol", protocol);
        }
        head
    }

    fn concurrent_to(&mut self, response: Option<RecordId>) {
        if let Some(id) = response {
            self.show("WARC-Concurrent-To", id);
        }
    }

    fn put(&mut self, name: &str, value: &str) {
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b": ");
        write_value(value, self.0);
        self.0.extend_from_slice(b"\r\n");
    }

    /// URLs have neither blanks nor control characters nor angle brackets, in which some write them; where one
    /// does, it is escaped.
    fn put_url(&mut self, name: &str, url: &str) {
        let is_odd = |it: u8| it <= b' ' || matches!(it, 0x7f | b'<' | b'>');
        if !url.bytes().any(is_odd) {
            return self.put(name, url);
        }
        let mut escaped = String::with_capacity(url.len() + 16);
        for letter in url.chars() {
            if letter.is_ascii() && is_odd(letter as u8) {
                escaped.push_str(&format!("%{:02X}", letter as u8));
            } else {
                escaped.push(letter);
            }
        }
        self.put(name, &escaped);
    }

    /// Puts a value that has no other letters than names, times and numbers have.
    fn show(&mut self, name: &str, value: impl std::fmt::Display) {
        write!(self.0, "{name}: {value}\r\n").expect("memory can be written to");
    }

    fn digest(&mut self, block: &[&[u8]]) {
        self.show("WARC-Block-Digest", Digest::of_all(block));
    }

    fn finish(mut self, content_type: &str, length: usize) {
        self.put("Content-Type", content_type);
        self.show("Content-Length", length);
        self.0.extend_from_slice(b"\r\n");
    }
}

/// The fields, one in a line.
fn write_fields(fields: &[(&str, &str)], out: &mut Vec<u8>) {
    for (name, value) in fields {
        let letters = name.bytes().filter(|it| it.is_ascii_graphic() && *it != b':');
        let start = out.len();
        out.extend(letters);
        if out.len() > start {
            out.extend_from_slice(b": ");
            write_value(value, out);
            out.extend_from_slice(b"\r\n");
        }
    }
}

/// The value on one line, and no longer than it may be.
fn write_value(value: &str, out: &mut Vec<u8>) {
    let value = value.trim();
    let value = &value[..value.floor_char_boundary(LONGEST_VALUE)];
    let start = out.len();
    out.extend_from_slice(value.as_bytes());
    if value.bytes().any(|it| it.is_ascii_control()) {
        out[start..].iter_mut().filter(|it| it.is_ascii_control()).for_each(|it| *it = b' ');
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::{Kind, Record, Records, Revisit, Sameness, Truncated};

    const REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nHost: example.org\r\n\r\n";

    fn exchange(response: Option<Response<'_>>) -> Exchange<'_> {
        Exchange {
            url: "https://example.org/a",
            date: "2026-01-02T03:04:05.006Z".parse().unwrap(),
            address: Some("192.0.2.7".parse().unwrap()),
            protocol: Some("http/1.1"),
            request: REQUEST,
            response,
            fields: &[("via", "https://example.org/"), ("hops", "L")],
        }
    }

    fn records(exchange: &Exchange<'_>) -> Vec<Record> {
        Records::new(pack(exchange).bytes())
            .map(|it| it.expect("what we write is readable"))
            .collect()
    }

    #[track_caller]
    fn check(exchange: &Exchange<'_>, kinds: &[Kind]) -> Vec<Record> {
        let records = records(exchange);
        assert_eq!(records.iter().map(|it| it.kind).collect::<Vec<_>>(), kinds);
        for record in &records {
            assert_ne!(record.digest_agrees(), Some(false), "{record:?}");
        }
        records
    }

    #[test]
    fn an_exchange_is_a_response_with_its_request_and_what_else_there_is_to_say() {
        let response =
            Response::new(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"Ships");
        let records =
            check(&exchange(Some(response)), &[Kind::Response, Kind::Request, Kind::Metadata]);
        let http = records[0].http().unwrap();
        assert_eq!((http.status, http.body.as_slice()), (200, &b"Ships"[..]));
        assert_eq!(records[1].body, REQUEST);
        assert_eq!(records[2].body, b"via: https://example.org/\r\nhops: L\r\n");
        for record in &records {
            assert_eq!(record.target.as_deref(), Some("https://example.org/a"));
            assert_eq!(record.date.unwrap().to_string(), "2026-01-02T03:04:05.006Z");
            assert_eq!(record.digest_agrees(), Some(true));
        }
        let concurrent = format!("<{}>", records[0].id.as_deref().unwrap());
        for record in &records[1..] {
            assert_eq!(record.headers.get("WARC-Concurrent-To"), Some(&*concurrent));
        }
    }

    #[test]
    fn a_failed_fetch_is_a_record_that_says_why() {
        let failed = Exchange { fields: &[("error", "no such host")], ..exchange(None) };
        let records = check(&failed, &[Kind::Metadata]);
        assert_eq!(records[0].body, b"error: no such host\r\n");
        check(&Exchange { fields: &[], ..failed }, &[Kind::Metadata]);
    }

    #[test]
    fn a_revisit_has_the_head_alone_and_names_the_earlier_answer() {
        let date = "2025-01-02T03:04:05.123456Z".parse().unwrap();
        for (sameness, body) in [(Sameness::Digest, &b"Ships"[..]), (Sameness::NotModified, b"")] {
            let revisit = Some(Revisit { sameness, url: "https://example.org/b", date });
            let digest = Some(Digest::of(b"Ships")).filter(|_| body.is_empty());
            let head = b"HTTP/1.1 304 Not Modified\r\nETag: 1\r\n\r\n";
            let response = Response { digest, revisit, ..Response::new(head, body) };
            let exchange = Exchange { request: b"", fields: &[], ..exchange(Some(response)) };
            let record = check(&exchange, &[Kind::Revisit]).remove(0);
            assert_eq!(record.body, head);
            assert_eq!(record.refers_to_target().as_deref(), Some("https://example.org/b"));
            assert_eq!(record.refers_to_date(), Some(date));
            assert_eq!(record.payload_digest(), Some(&*Digest::of(b"Ships").to_string()));
            assert_eq!(record.headers.get("WARC-Profile"), Some(sameness.profile()));
        }
    }

    #[test]
    fn a_body_that_was_cut_is_marked() {
        let truncated = Some(Truncated::Length);
        let response = Response { truncated, ..Response::new(b"HTTP/1.1 200 OK", b"Shi") };
        let records = records(&exchange(Some(response)));
        assert!(records[0].truncated);
        assert_eq!(records[0].headers.get("WARC-Truncated"), Some("length"));
    }

    #[test]
    fn a_body_that_is_packed_already_is_stored() {
        let body = [
            b"\x1f\x8b".to_vec(),
            (0..100_000_u32).map(|it| (it.wrapping_mul(it) >> 7) as u8).collect(),
        ];
        let body = body.concat();
        let response = Response::new(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &body);
        let exchange = Exchange { request: b"", fields: &[], ..exchange(Some(response)) };
        let record = check(&exchange, &[Kind::Response]).remove(0);
        assert!(record.body.ends_with(&body));
        assert_eq!(record.digest_agrees(), Some(true));
        assert!(pack(&exchange).size() > body.len());
    }

    #[test]
    fn what_is_no_line_is_made_one() {
        let odd = Exchange {
            url: "http://a/b c\r\nX: y",
            fields: &[("a: b\r\n", "c\r\nd: e\r\n"), ("", "f")],
            ..exchange(None)
        };
        let record = check(&odd, &[Kind::Metadata]).remove(0);
        assert_eq!(record.target.as_deref(), Some("http://a/b%20c%0D%0AX:%20y"));
        assert_eq!(record.body, b"ab: c  d: e\r\n");
        let bracketed = Exchange { url: "<http://a/>", ..exchange(None) };
        let record = check(&bracketed, &[Kind::Metadata]).remove(0);
        assert_eq!(record.target.as_deref(), Some("%3Chttp://a/%3E"));
    }

    #[test]
    fn a_url_without_end_leaves_a_readable_record() {
        let url = format!("http://a/{}", "é".repeat(100_000));
        let record = check(&Exchange { url: &url, ..exchange(None) }, &[Kind::Metadata]).remove(0);
        assert!(url.starts_with(&record.target.unwrap()));
    }
}
