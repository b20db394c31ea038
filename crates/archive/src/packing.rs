//! The members of packed files: gzip's, and the frames of Zstandard.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// The longest head of a gzip member that is read. Its one field with a stated length has 64 KB.
const LONGEST_HEAD: usize = 128 * 1024;
/// The largest window of Zstandard that is unpacked, as a power of two: 128 MB, the format's own
/// advice for decoders.
const LARGEST_WINDOW: u32 = 27;
/// How many bytes are unpacked in one step.
const ROOM: usize = 64 * 1024;
/// How many bytes are unpacked to see whether a member begins.
const TRIAL: usize = 512;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// The packing of a member that begins with the bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            // The last three flags of gzip have no meaning, so that no member sets them.
            [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0 => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip member",
            Self::Zstd => "zstd frame",
        }
    }
}

/// What one step of unpacking did.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// How many packed bytes it took.
    pub(crate) took: usize,
    /// Whether the member ended, or why it cannot be unpacked further.
    pub(crate) end: Option<Result<(), Fault>>,
}

/// Why a member cannot be unpacked.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) reason: String,
    /// Whether it was unpacked to its end, and only then found not to be what was packed.
    pub(crate) checksum: bool,
}

impl Fault {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), checksum: false }
    }
}

/// Unpacks one member after the other.
pub(crate) struct Unpacker {
    inflate: Decompress,
    crc: Crc,
    zstd: Option<Decoder<'static>>,
    dictionary: Vec<u8>,
    stage: Stage,
    /// Where a step unpacks to: clearing room in the caller's vector takes longer than the copy.
    room: Box<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Head,
    Data,
    Trailer,
    Frame,
}

impl Unpacker {
    pub(crate) fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            crc: Crc::new(),
            zstd: None,
            dictionary: Vec::new(),
            stage: Stage::Head,
            room: vec![0; ROOM].into(),
        }
    }

    /// Makes ready for a new member.
    pub(crate) fn begin(&mut self, packing: Packing) -> Result<(), Fault> {
        self.stage = match packing {
            Packing::Gzip => Stage::Head,
            Packing::Zstd => Stage::Frame,
        };
        self.inflate.reset(false);
        self.crc.reset();
        if packing == Packing::Zstd {
            self.begin_frame().map_err(|error| Fault::new(error.to_string()))?;
        }
        Ok(())
    }

    fn begin_frame(&mut self) -> std::io::Result<()> {
        if let Some(decoder) = &mut self.zstd {
            return decoder.reinit();
        }
        let mut decoder = Decoder::with_dictionary(&self.dictionary)?;
        decoder.set_parameter(zstd::zstd_safe::DParameter::WindowLogMax(LARGEST_WINDOW))?;
        self.zstd = Some(decoder);
        Ok(())
    }

    /// Unpacks the frames that follow with this dictionary, which may be a frame itself.
    pub(crate) fn learn(&mut self, dictionary: &[u8], largest: usize) {
        let packed = Packing::of(dictionary) == Some(Packing::Zstd);
        self.dictionary = if packed {
            zstd::bulk::decompress(dictionary, largest).unwrap_or_default()
        } else {
            dictionary.to_vec()
        };
        self.zstd = None;
    }

    /// Unpacks some of the member, putting it at the end of `out`.
    ///
    /// With no input at all it only gives what it still holds. A step that takes and gives nothing
    /// needs more input than it was given.
    pub(crate) fn step(&mut self, input: &[u8], out: &mut Vec<u8>) -> Step {
        match self.stage {
            Stage::Head => self.head(input),
            Stage::Data => self.data(input, out),
            Stage::Trailer => self.trailer(input),
            Stage::Frame => self.frame(input, out),
        }
    }

    /// The first bytes of the gzip member that begins here, if one does: some of it can be unpacked.
    ///
    /// The member that was being unpacked, if any, is given up.
    pub(crate) fn trial(&mut self, input: &[u8]) -> Option<&[u8]> {
        let start = head_length(input)?;
        self.inflate.reset(false);
        let room = &mut self.room[..TRIAL];
        self.inflate.decompress(&input[start..], room, FlushDecompress::None).ok()?;
        Some(&room[..self.inflate.total_out() as usize]).filter(|it| !it.is_empty())
    }

    fn head(&mut self, input: &[u8]) -> Step {
        match head_length(input) {
            Some(took) => {
                self.stage = Stage::Data;
                Step { took, end: None }
            }
            None if input.len() >= LONGEST_HEAD => Step {
                took: 0,
                end: Some(Err(Fault::new(format!(
                    "the head of the gzip member is longer than {LONGEST_HEAD} bytes"
                )))),
            },
            None => Step::default(),
        }
    }

    fn data(&mut self, input: &[u8], out: &mut Vec<u8>) -> Step {
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let result = self.inflate.decompress(input, &mut self.room, FlushDecompress::None);
        let given = &self.room[..(self.inflate.total_out() - written) as usize];
        self.crc.update(given);
        out.extend_from_slice(given);
        let took = (self.inflate.total_in() - read) as usize;
        let end = match result {
            Ok(Status::StreamEnd) => {
                self.stage = Stage::Trailer;
                None
            }
            Ok(_) => None,
            Err(error) => Some(Err(Fault::new(format!("the gzip member is damaged: {error}")))),
        };
        Step { took, end }
    }

    fn trailer(&mut self, input: &[u8]) -> Step {
        let Some(trailer) = input.first_chunk::<8>() else { return Step::default() };
        // The checksum stands in the lower half, the length in the upper.
        let both = u64::from_le_bytes(*trailer);
        let stated = (both as u32, (both >> 32) as u32);
        let found = (self.crc.sum(), self.crc.amount());
        let end = if stated == found {
            Ok(())
        } else {
            let reason = format!(
                "the gzip member states checksum {:08x} and {} bytes, but has {:08x} and {}",
                stated.0, stated.1, found.0, found.1
            );
            Err(Fault { reason, checksum: true })
        };
        Step { took: trailer.len(), end: Some(end) }
    }

    fn frame(&mut self, input: &[u8], out: &mut Vec<u8>) -> Step {
        let mut source = InBuffer::around(input);
        let mut target = OutBuffer::around(&mut self.room[..]);
        let decoder = self.zstd.as_mut().expect("the frame was begun");
        let result = decoder.run(&mut source, &mut target);
        let (took, gave) = (source.pos(), target.pos());
        out.extend_from_slice(&self.room[..gave]);
        let end = match result {
            Ok(0) => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(Fault::new(format!("the zstd frame is damaged: {error}")))),
        };
        Step { took, end }
    }
}

/// How long the head of a gzip member is (RFC 1952); nothing if its end is not among the bytes.
fn head_length(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 0x04 != 0 {
        let length = bytes.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    // The name of the file, and a comment: each ends with a zero.
    for flag in [0x08, 0x10] {
        if flags & flag != 0 {
            at += memchr::memchr(0, bytes.get(at..)?)? + 1;
        }
    }
    if flags & 0x02 != 0 {
        at += 2;
    }
    (at <= bytes.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(flags: u8, fields: &[u8], whole: bool) {
        let head = [&[0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3], fields].concat();
        assert_eq!(Packing::of(&head), Some(Packing::Gzip));
        assert_eq!(head_length(&head), whole.then_some(head.len()), "{flags:x} {fields:?}");
    }

    #[test]
    fn the_head_of_a_member_may_have_fields() {
        check(0, b"", true);
        check(0x04, b"\x03\x00abc", true);
        check(0x08, b"name\0", true);
        check(0x1e, b"\x01\x00anabc\0\0cc", true);
    }

    #[test]
    fn a_head_that_goes_on_is_not_whole() {
        check(0x04, b"\x04\x00abc", false);
        check(0x08, b"name", false);
        check(0x02, b"c", false);
    }

    #[test]
    fn members_are_known_by_their_first_bytes() {
        assert_eq!(Packing::of(&[0x1f, 0x8b, 8, 0xe0]), None);
        assert_eq!(Packing::of(&[0x1f, 0x8b]), None);
        assert_eq!(Packing::of(b"\x28\xb5\x2f\xfd"), Some(Packing::Zstd));
        assert_eq!(Packing::of(b"WARC/1.0"), None);
    }
}
