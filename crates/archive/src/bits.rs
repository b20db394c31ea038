//! Bits on their way into bytes, as deflate wants them: the lowest first.

/// Bits that go to the end of some bytes.
pub(crate) struct Bits<'a> {
    out: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, held: 0, count: 0 }
    }

    /// Puts so many bits, 32 at most.
    #[inline]
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.held |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= u32::BITS {
            self.out.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    /// The last byte is filled up with zeros.
    pub(crate) fn finish(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
    }
}
