//! The records of a file that we wrote, read without patience: each is a whole member, or it is told.

use std::io::{ErrorKind, Read};

use crate::head::{self, Reading};
use crate::packing::{Packing, Unpacker};
use crate::record::Record;

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;
/// How much of a record is kept in memory. No page that we fetch is as large.
const KEPT: usize = 64 << 20;

/// What comes next in the file.
#[derive(Debug)]
pub(crate) enum Next {
    /// A whole record; the next one begins there.
    Record(Box<Record>, u64),
    /// The file ends behind the last record.
    End,
    /// The file ends within a member that begins there.
    Torn(u64),
    /// What begins there is no record of ours.
    Damaged(u64, String),
}

/// Reads one member after the other.
pub(crate) struct Members<R> {
    reader: R,
    unpacker: Unpacker,
    /// Bytes of the file, those before `at` already used.
    raw: Vec<u8>,
    at: usize,
    /// Where the next member begins.
    offset: u64,
    /// A member, unpacked, up to what is kept.
    plain: Vec<u8>,
}

impl<R: Read> Members<R> {
    /// The members that the reader gives from here on, which is at that offset of the file.
    pub(crate) fn new(reader: R, offset: u64) -> Self {
        let (raw, plain) = (Vec::new(), Vec::new());
        Self { reader, unpacker: Unpacker::new(), raw, at: 0, offset, plain }
    }

    /// The next record. An error of the reader is one of the system, not of the file.
    pub(crate) fn next(&mut self) -> std::io::Result<Next> {
        const MARK: [u8; 4] = [0x1f, 0x8b, 8, 0];
        while self.raw.len() - self.at < MARK.len() && self.read_more()? {}
        let ahead = &self.raw[self.at..];
        if ahead.is_empty() {
            return Ok(Next::End);
        }
        if ahead.len() < MARK.len() && MARK.starts_with(ahead) {
            return Ok(Next::Torn(self.offset));
        }
        if Packing::of(ahead) != Some(Packing::Gzip) {
            return Ok(self.damaged("no gzip member begins there"));
        }
        self.unpack()
    }

    fn unpack(&mut self) -> std::io::Result<Next> {
        if let Err(fault) = self.unpacker.begin(Packing::Gzip) {
            return Ok(self.damaged(&fault.reason));
        }
        self.plain.clear();
        let (mut length, mut size) = (0, 0);
        loop {
            let before = self.plain.len();
            let step = self.unpacker.step(&self.raw[self.at..], &mut self.plain);
            let gave = self.plain.len() - before;
            self.plain.truncate(KEPT);
            self.at += step.took;
            length += step.took as u64;
            size += gave as u64;
            match step.end {
                Some(Ok(())) => break,
                Some(Err(fault)) => return Ok(self.damaged(&fault.reason)),
                None if step.took == 0 && gave == 0 && !self.read_more()? => {
                    return Ok(Next::Torn(self.offset));
                }
                None => {}
            }
        }
        Ok(match self.record(size) {
            Ok(record) => {
                self.offset += length;
                Next::Record(Box::new(record), self.offset)
            }
            Err(reason) => self.damaged(&reason),
        })
    }

    /// The record in the member, which unpacks to so many bytes.
    fn record(&self, size: u64) -> Result<Record, String> {
        let Reading::Whole(headers, start) = head::read(&self.plain) else {
            return Err("the member does not begin with the head of a record".to_owned());
        };
        if !head::is_warc(&self.plain) {
            return Err("the member does not begin with a record".to_owned());
        }
        let stated = headers.get("Content-Length").and_then(|it| it.parse::<u64>().ok());
        let length = stated.ok_or("the head has no Content-Length")?;
        let is_kept = size == self.plain.len() as u64;
        if size != (start as u64).saturating_add(length).saturating_add(4)
            || is_kept && !self.plain.ends_with(b"\r\n\r\n")
        {
            return Err(format!("the record states {length} bytes, but its member has others"));
        }
        let mut record = Record::new(headers, self.offset);
        let end = (start as u64 + length).min(self.plain.len() as u64) as usize;
        record.body = self.plain[start..end].to_vec();
        record.length = length;
        record.truncated |= record.body.len() as u64 != length;
        Ok(record)
    }

    fn damaged(&self, reason: &str) -> Next {
        Next::Damaged(self.offset, reason.to_owned())
    }

    fn read_more(&mut self) -> std::io::Result<bool> {
        if self.at >= CHUNK {
            self.raw.drain(..self.at);
            self.at = 0;
        }
        let end = self.raw.len();
        self.raw.resize(end + CHUNK, 0);
        let read = loop {
            match self.reader.read(&mut self.raw[end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.raw.truncate(end + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::packed::warcinfo;

    fn member(name: &str) -> Vec<u8> {
        warcinfo(name, jiff::Timestamp::UNIX_EPOCH, &[("software", name)])
    }

    /// One letter for each record, and how it ends: `.` well, `~` torn, `!` damaged.
    fn summary(bytes: &[u8]) -> (String, u64) {
        let mut members = Members::new(bytes, 0);
        let mut summary = String::new();
        let mut end = 0;
        loop {
            match members.next().unwrap() {
                Next::Record(record, next) => {
                    assert_eq!(record.offset, end);
                    summary.push_str(record.headers.get("WARC-Filename").unwrap());
                    end = next;
                }
                Next::End => return (summary + ".", end),
                Next::Torn(at) => return (summary + "~", at),
                Next::Damaged(at, _) => return (summary + "!", at),
            }
        }
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str, offset: usize) {
        assert_eq!(summary(bytes), (expected.to_owned(), offset as u64));
    }

    #[test]
    fn a_file_ends_behind_a_record_or_within_one() {
        let (a, b) = (member("a"), member("b"));
        let file = [&a[..], &b].concat();
        check(&file, "ab.", file.len());
        check(b"", ".", 0);
        for cut in 1..b.len() {
            check(&file[..a.len() + cut], "a~", a.len());
        }
    }

    #[test]
    fn what_is_no_record_is_damage() {
        let (a, b) = (member("a"), member("b"));
        check(&[&a[..], b"rubbish"].concat(), "a!", a.len());
        check(&[&a[..], &[0; 9]].concat(), "a!", a.len());
        check(&[&a[..], b"WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n"].concat(), "a!", a.len());
        let mut harmed = [&a[..], &b].concat();
        let crc = harmed.len() - 8;
        harmed[crc] ^= 1;
        check(&harmed, "a!", a.len());
        let mut other = Vec::new();
        crate::packer::Packer::new().pack(b"no record", &mut other);
        check(&[&a[..], &other].concat(), "a!", a.len());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..500), at in any::<prop::sample::Index>()) {
            summary(&bytes);
            let mut file = member("a");
            let at = at.index(file.len());
            file.splice(at..at, bytes);
            summary(&file);
        }
    }
}
