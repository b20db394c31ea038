//! The places a page means: text in, mentions, addresses and a footprint out.
