//! The places a page means: text in, mentions, addresses and a footprint out.

mod address;

pub use crate::address::{Address, AddressParts, Addresses, Hints, Part, Position};
