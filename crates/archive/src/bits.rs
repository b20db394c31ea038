//! Bits on their way into bytes, as deflate wants them: the lowest first.

/// Bits that go to the end of some bytes.
pub(crate) struct Bits<'a> {
    out: &'a mut Vec<u8>,
    held: u64,
    /// How many are held: less than a byte.
    count: u32,
}

impl<'a> Bits<'a> {
    /// So many are put at once, at most.
    pub(crate) const MOST: u32 = 56;

    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, held: 0, count: 0 }
    }

    /// Makes room for so many bytes, which is quicker than making it for each.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes + 8);
    }

    /// Puts so many bits, [`Self::MOST`] at most.
    #[inline]
    pub(crate) fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        // All eight bytes are written, whatever is held: that is quicker than asking how many.
        let whole = (self.count / 8) as usize;
        let end = self.out.len() + whole;
        self.out.extend_from_slice(&self.held.to_le_bytes());
        self.out.truncate(end);
        self.held >>= self.count & !7;
        self.count %= 8;
    }

    /// The last byte is filled up with zeros.
    pub(crate) fn finish(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
    }
}
