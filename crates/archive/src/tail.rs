//! The end of a file that grows by whole records, or not at all.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// What a tail is written to.
pub(crate) trait Cuttable: Write {
    /// Takes away all behind so many bytes, and goes on writing there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Cuttable for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.seek(SeekFrom::Start(length))?;
        Ok(())
    }
}

/// The end of a file that grows by whole records, or not at all.
pub(crate) struct Tail<F> {
    pub(crate) file: F,
    /// Where the last whole record ends.
    end: u64,
    /// Whether there may be something behind it.
    torn: bool,
}

impl<F: Cuttable> Tail<F> {
    /// The tail behind so many bytes. What is there is cut off before the next record is written.
    pub(crate) fn at(file: F, end: u64) -> Self {
        Self { file, end, torn: true }
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Appends the bytes, and tells where they begin. If that fails, none of them are there.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.mend()?;
        if let Err(error) = self.file.write_all(bytes) {
            self.torn = true;
            // If not even this can be done, it is done before the next record.
            let _ = self.mend();
            return Err(error);
        }
        let start = self.end;
        self.end += bytes.len() as u64;
        Ok(start)
    }

    /// Sees to it that the file ends with a whole record.
    pub(crate) fn mend(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.cut(self.end)?;
            self.torn = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with so much room.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
        is_stuck: bool,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.room - self.bytes.len());
            if fits == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.extend_from_slice(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Cuttable for Disk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.is_stuck {
                return Err(io::Error::other("stuck"));
            }
            self.bytes.truncate(length as usize);
            Ok(())
        }
    }

    #[test]
    fn what_does_not_fit_is_not_there_at_all() {
        let mut tail = Tail::at(Disk { bytes: vec![], room: 10, is_stuck: false }, 0);
        assert_eq!(tail.append(b"abcdef").unwrap(), 0);
        assert_eq!(tail.append(b"ghijkl").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!((tail.file.bytes.as_slice(), tail.end()), (&b"abcdef"[..], 6));
    }

    #[test]
    fn writing_goes_on_once_there_is_room() {
        let mut tail = Tail::at(Disk { bytes: vec![], room: 10, is_stuck: false }, 0);
        tail.append(b"abcdef").unwrap();
        assert!(tail.append(b"ghijkl").is_err());
        tail.file.room = 20;
        assert_eq!(tail.append(b"ghijkl").unwrap(), 6);
        assert_eq!(tail.file.bytes, b"abcdefghijkl");
    }

    #[test]
    fn nothing_is_written_behind_a_torn_record() {
        let mut tail = Tail::at(Disk { bytes: vec![], room: 10, is_stuck: false }, 0);
        tail.append(b"abcdef").unwrap();
        tail.file.is_stuck = true;
        assert!(tail.append(b"ghijkl").is_err());
        tail.file.room = 20;
        assert!(tail.append(b"m").is_err());
        assert_eq!(tail.file.bytes, b"abcdefghij");
        tail.file.is_stuck = false;
        assert_eq!(tail.append(b"m").unwrap(), 6);
        assert_eq!(tail.file.bytes, b"abcdefm");
    }
}
