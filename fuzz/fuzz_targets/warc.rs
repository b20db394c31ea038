//! Any bytes are an archive: it is read to its end, however they come.

#![no_main]

use std::io::Read;

use archive::{Limits, Records};
use libfuzzer_sys::fuzz_target;

/// Gives a few bytes at a time.
struct Sips<'a>(&'a [u8]);

impl Read for Sips<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(5);
        self.0.read(&mut buffer[..most])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { body: 1 << 16 };
    let whole: Vec<_> = Records::new(bytes).with_limits(limits).collect();
    for record in whole.iter().flatten() {
        assert!(record.body.len() as u64 <= record.length.min(1 << 16));
        if let Some(http) = record.http_within(1 << 16) {
            assert!(http.body.len() <= 1 << 16);
        }
        record.digest_agrees();
    }
    let sipped: Vec<_> = Records::new(Sips(bytes)).with_limits(limits).collect();
    assert_eq!(sipped, whole);
});
