//! The bytes of an archive, unpacked, with marks where members begin and where something is missing.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};

use crate::head::{self, LOOK};
use crate::packing::{Fault, Packing, Unpacker};

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;
/// How far back the next member is looked for when one turns out to be damaged: damage is often
/// noticed only when the unpacker has run on into what follows. Most members are smaller than this.
const RETAINED: usize = 1 << 20;
/// The largest dictionary of Zstandard.
const LARGEST_DICTIONARY: usize = 16 << 20;
/// By how much a file may grow when unpacked, and how many bytes are free. Pages seldom shrink to a
/// twentieth; a bomb is a thousand times its packed size.
const GROWTH: u64 = 200;
const FREE_GROWTH: u64 = 64 << 20;
/// How often, all in all, a byte of the file may be read again, and how many bytes are free.
const REREADING: u64 = 4;
const FREE_REREADING: u64 = 32 << 20;

/// Something that is missing from the bytes.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    /// Where in the file it begins, or the member in which it is.
    pub(crate) offset: u64,
    pub(crate) reason: String,
    /// Whether nothing is missing, but the member is not what was packed.
    pub(crate) checksum: bool,
}

/// Bytes that belong together: a member, or everything that is not packed.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Where it begins in the file.
    offset: u64,
    /// Where it begins among all bytes, unpacked.
    start: u64,
    plain: bool,
    /// Its running number.
    number: u64,
}

enum State {
    /// Before a member, or whatever there is.
    Between,
    /// Within a member, which begins there in the file.
    Member(Packing, u64),
    /// Within bytes that are not packed.
    Plain,
    /// Looking for a member, and from that offset on for a record. A member that follows plain
    /// bytes must begin with a record: it could be a packed page. And a record may be seen within a
    /// damaged member, since what does not shrink is stored as it is.
    Scan {
        after_plain: bool,
        plain_from: u64,
    },
    End,
}

/// The bytes of an archive, unpacked.
pub(crate) struct Source<R> {
    reader: R,
    /// Whether the reader has no more.
    drained: bool,
    failure: Option<String>,
    /// Bytes of the file, those before `at` already used.
    raw: Vec<u8>,
    at: usize,
    /// Where `raw` begins in the file.
    base: u64,
    state: State,
    unpacker: Unpacker,
    /// Unpacked bytes, those before `pos` already used.
    out: Vec<u8>,
    pos: usize,
    /// Where `out` begins among all bytes, unpacked.
    out_base: u64,
    /// The stretches that begin among the bytes ahead.
    starts: VecDeque<Stretch>,
    /// What is missing at the end of the bytes ahead. Nothing is put behind it until it is taken.
    damage: Option<Damage>,
    /// The stretch of the next byte.
    stretch: Stretch,
    stretches: u64,
    /// How many bytes have been unpacked.
    unpacked: u64,
    /// How many bytes have been gone back.
    reread: u64,
    /// Whether records of ARC are to be expected.
    pub(crate) arc: bool,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            drained: false,
            failure: None,
            raw: Vec::new(),
            at: 0,
            base: 0,
            state: State::Between,
            unpacker: Unpacker::new(),
            out: Vec::new(),
            pos: 0,
            out_base: 0,
            starts: VecDeque::new(),
            damage: None,
            stretch: Stretch { offset: 0, start: 0, plain: true, number: 0 },
            stretches: 0,
            unpacked: 0,
            reread: 0,
            arc: false,
        }
    }

    /// How many bytes of the file have been used.
    pub(crate) fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// The bytes ahead, up to where something is missing.
    pub(crate) fn window(&self) -> &[u8] {
        &self.out[self.pos..]
    }

    /// Sees to it that the window has so many bytes. If it cannot, the file ends or is damaged there.
    pub(crate) fn ensure(&mut self, bytes: usize) -> bool {
        loop {
            self.pass_starts();
            if self.window().len() >= bytes {
                return true;
            }
            if self.damage.is_some() || !self.fill() {
                return false;
            }
        }
    }

    /// Goes on by so many bytes of the window.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.pos += bytes;
        self.pass_starts();
        if self.pos >= CHUNK {
            self.out.drain(..self.pos);
            self.out_base += self.pos as u64;
            self.pos = 0;
        }
    }

    /// Takes the bytes back, which were the last to be consumed, unless too much was taken back
    /// already. They must be of the stretch in which we are.
    pub(crate) fn unread(&mut self, bytes: &[u8]) -> bool {
        if !self.may_reread(bytes.len()) {
            return false;
        }
        self.out.splice(..self.pos, bytes.iter().copied());
        self.out_base = self.out_base + self.pos as u64 - bytes.len() as u64;
        self.pos = 0;
        true
    }

    /// What is missing right here; it is told once.
    pub(crate) fn take_damage(&mut self) -> Option<Damage> {
        if self.window().is_empty() { self.damage.take() } else { None }
    }

    /// What is missing right here.
    pub(crate) fn damage_here(&self) -> Option<&Damage> {
        self.damage.as_ref().filter(|_| self.window().is_empty())
    }

    /// Where the next byte stands in the file, or the member that holds it.
    pub(crate) fn offset(&self) -> u64 {
        let within = if self.stretch.plain { self.here() - self.stretch.start } else { 0 };
        self.stretch.offset + within
    }

    /// The running number of the member, or of the stretch of plain bytes, that has the next byte.
    pub(crate) fn stretch(&self) -> u64 {
        self.stretch.number
    }

    /// Whether the next byte is the first of its stretch.
    pub(crate) fn at_start(&self) -> bool {
        self.here() == self.stretch.start
    }

    /// Whether the next byte is not packed.
    pub(crate) fn is_plain(&self) -> bool {
        self.stretch.plain
    }

    /// How many bytes ahead the next stretch begins, as far as it is known.
    pub(crate) fn next_start(&self) -> Option<usize> {
        self.starts.front().map(|it| (it.start - self.here()) as usize)
    }

    /// In plain bytes: goes on to the next record or packed member, which may be right here.
    pub(crate) fn scan(&mut self) {
        self.put_back();
        self.state = State::Scan { after_plain: true, plain_from: 0 };
    }

    /// In plain bytes: takes what follows for a packed member.
    pub(crate) fn unpack_from_here(&mut self) {
        self.put_back();
        self.state = State::Between;
    }

    /// Puts the plain bytes that are ahead back to those of the file.
    fn put_back(&mut self) {
        let ahead = self.out.len() - self.pos;
        self.base = self.base + self.at as u64 - ahead as u64;
        self.raw.splice(..self.at, self.out.drain(self.pos..));
        self.at = 0;
        // What can be missing behind plain bytes is only what could not be read.
        self.failure = self.damage.take().map(|it| it.reason).or(self.failure.take());
    }

    fn here(&self) -> u64 {
        self.out_base + self.pos as u64
    }

    /// Enters the stretches that begin here.
    fn pass_starts(&mut self) {
        while let Some(stretch) = self.starts.front()
            && stretch.start <= self.here()
        {
            self.stretch = *stretch;
            self.starts.pop_front();
        }
    }

    fn may_reread(&mut self, bytes: usize) -> bool {
        let reread = self.reread + bytes as u64;
        let allowed = reread <= FREE_REREADING + REREADING * self.position();
        if allowed {
            self.reread = reread;
        }
        allowed
    }

    fn mark_start(&mut self, plain: bool) {
        self.stretches += 1;
        let start = self.out_base + self.out.len() as u64;
        let stretch = Stretch { offset: self.position(), start, plain, number: self.stretches };
        match self.starts.back_mut() {
            // The one before was empty. There may be a great many of these.
            Some(last) if last.start == start => *last = stretch,
            _ => self.starts.push_back(stretch),
        }
    }

    fn mark_damage(&mut self, offset: u64, reason: String, checksum: bool) {
        self.damage = Some(Damage { offset, reason, checksum });
    }

    /// Gets on by one step. There is none if the file has ended.
    fn fill(&mut self) -> bool {
        match self.state {
            State::Between => self.begin(),
            State::Member(packing, offset) => self.unpack(packing, offset),
            State::Plain => self.copy(),
            State::Scan { after_plain, plain_from } => self.find(after_plain, plain_from),
            State::End => return false,
        }
        true
    }

    fn begin(&mut self) {
        self.look_ahead(LOOK);
        let ahead = &self.raw[self.at..];
        if ahead.is_empty() {
            return self.end();
        }
        if ahead.starts_with(&[0x5d, 0x2a, 0x4d, 0x18]) {
            self.learn();
        }
        let ahead = &self.raw[self.at..];
        if let Some(packing) = Packing::of(ahead) {
            let offset = self.position();
            self.mark_start(false);
            self.state = State::Member(packing, offset);
            if let Err(fault) = self.unpacker.begin(packing) {
                self.give_up(offset, fault);
            }
        } else if self.stretches == 0 || head::is_warc(ahead) || head::is_arc_file(ahead) {
            self.mark_start(true);
            self.state = State::Plain;
        } else {
            let reason = format!("{} is neither a packed member nor a record", shown(ahead));
            self.mark_damage(self.position(), reason, false);
            self.state = State::Scan { after_plain: false, plain_from: 0 };
        }
    }

    /// A frame of Zstandard that is to be skipped may hold the dictionary for the others.
    ///
    /// The unpacker skips the frame afterwards.
    fn learn(&mut self) {
        let Some(length) = self.raw.get(self.at + 4..self.at + 8) else { return };
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        if length > LARGEST_DICTIONARY {
            return;
        }
        self.look_ahead(8 + length);
        let Some(dictionary) = self.raw.get(self.at + 8..self.at + 8 + length) else { return };
        self.unpacker.learn(dictionary, LARGEST_DICTIONARY);
    }

    fn unpack(&mut self, packing: Packing, offset: u64) {
        let start = self.out.len();
        let step = self.unpacker.step(&self.raw[self.at..], &mut self.out);
        let gave = self.out.len() - start;
        self.at += step.took;
        self.unpacked += gave as u64;
        match step.end {
            Some(Ok(())) => self.state = State::Between,
            Some(Err(fault)) => self.give_up(offset, fault),
            None if self.unpacked > FREE_GROWTH + GROWTH * self.position() => {
                // What follows is no bomb for what this one did.
                self.unpacked = FREE_GROWTH + GROWTH * self.position();
                let reason = format!(
                    "the {} unpacks to more than {GROWTH} times its size, as a bomb would",
                    packing.name()
                );
                self.mark_damage(offset, reason, false);
                self.state = State::Scan { after_plain: false, plain_from: self.position() };
            }
            None if step.took == 0 && gave == 0 && !self.read_more() => {
                let reason = format!("the file ends within the {}", packing.name());
                self.give_up(offset, Fault { reason, checksum: false });
            }
            None => {}
        }
    }

    /// Leaves a damaged member and looks for the next, if possible from its own first bytes on.
    fn give_up(&mut self, offset: u64, fault: Fault) {
        self.mark_damage(offset, fault.reason, fault.checksum);
        self.look_ahead(LOOK);
        let ahead = &self.raw[self.at..];
        if fault.checksum && (ahead.is_empty() || Packing::of(ahead).is_some()) {
            self.state = State::Between;
            return;
        }
        self.state = State::Scan { after_plain: false, plain_from: self.position() };
        let used = (self.position() - offset) as usize;
        let back = used.saturating_sub(1).min(self.at).min(RETAINED);
        if used == 0 {
            self.at += 1;
        } else if self.may_reread(back) {
            self.at -= back;
        }
    }

    fn copy(&mut self) {
        if self.at == self.raw.len() && !self.read_more() {
            return self.end();
        }
        let end = self.raw.len().min(self.at + CHUNK);
        self.out.extend_from_slice(&self.raw[self.at..end]);
        self.at = end;
    }

    /// Looks through one chunk for a member, or from the offset `plain_from` on for a record.
    fn find(&mut self, after_plain: bool, plain_from: u64) {
        self.look_ahead(CHUNK + LOOK);
        let ahead = &self.raw[self.at..];
        if ahead.is_empty() {
            return self.end();
        }
        // The last bytes are left for the next time, when more can be seen behind them.
        let tried = if self.drained { ahead.len() } else { ahead.len() - LOOK };
        let member = member(&mut self.unpacker, ahead, tried, after_plain);
        let bound = member.unwrap_or(tried);
        let from = plain_from.saturating_sub(self.base + self.at as u64).min(bound as u64) as usize;
        let seen = &ahead[from..ahead.len().min(bound + LOOK)];
        let record = head::find(seen, self.arc).map(|it| from + it).filter(|it| *it < bound);
        if let Some(record) = record {
            self.at += record;
            self.mark_start(true);
            self.state = State::Plain;
        } else if let Some(member) = member {
            self.at += member;
            self.state = State::Between;
        } else if self.drained {
            self.at += tried;
        } else {
            // A line of ARC is known by the end of the line before it.
            self.at += tried - 1;
        }
    }

    fn end(&mut self) {
        if let Some(reason) = self.failure.take() {
            self.mark_damage(self.position(), reason, false);
        }
        self.state = State::End;
    }

    /// Sees to it that so many bytes of the file are ahead, if it has them.
    fn look_ahead(&mut self, bytes: usize) {
        while self.raw.len() - self.at < bytes && self.read_more() {}
    }

    /// Reads some more of the file, if it has more.
    fn read_more(&mut self) -> bool {
        if self.drained {
            return false;
        }
        let spare = self.at.saturating_sub(RETAINED);
        if spare >= RETAINED || !matches!(self.state, State::Member(..)) && self.at >= CHUNK {
            let gone = if matches!(self.state, State::Member(..)) { spare } else { self.at };
            self.raw.drain(..gone);
            self.base += gone as u64;
            self.at -= gone;
        }
        let end = self.raw.len();
        self.raw.resize(end + CHUNK, 0);
        let read = loop {
            match self.reader.read(&mut self.raw[end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(read) => break read.min(CHUNK),
                Err(error) => {
                    self.failure = Some(format!("reading failed: {error}"));
                    break 0;
                }
            }
        };
        self.raw.truncate(end + read);
        self.drained = read == 0;
        read > 0
    }
}

/// Where a packed member begins among the first `tried` of the bytes.
fn member(unpacker: &mut Unpacker, bytes: &[u8], tried: usize, with_record: bool) -> Option<usize> {
    let seen = |at: usize| &bytes[at..bytes.len().min(at + LOOK)];
    let begins = |at: &usize| match Packing::of(&bytes[*at..]) {
        Some(Packing::Gzip) => unpacker.trial(seen(*at)).is_some_and(|start| {
            !with_record || start.starts_with(b"WARC/") || start.starts_with(b"filedesc:")
        }),
        Some(Packing::Zstd) => !with_record && bytes[*at] == 0x28,
        None => false,
    };
    memchr::memchr2_iter(0x1f, 0x28, &bytes[..tried]).find(begins)
}

/// The first bytes, to be shown to a person.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(24)];
    format!("\"{}\"", start.escape_ascii())
}
