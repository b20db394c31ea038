//! How deep a host is followed, as it stands in a task file: a number, or that there is no limit.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

/// What stands where there is no limit. TOML has no word for nothing, and leaving the line out
/// means the usual depth.
const UNLIMITED: &str = "unlimited";

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) fn write<S: Serializer>(depth: &Option<u32>, to: S) -> Result<S::Ok, S::Error> {
    match depth {
        Some(depth) => to.serialize_u32(*depth),
        None => to.serialize_str(UNLIMITED),
    }
}

pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    from.deserialize_any(Depth)
}

struct Depth;

impl Visitor<'_> for Depth {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of links, or \"{UNLIMITED}\"")
    }

    fn visit_u64<E: Error>(self, depth: u64) -> Result<Self::Value, E> {
        let wrong = |_| E::invalid_value(Unexpected::Unsigned(depth), &self);
        u32::try_from(depth).map(Some).map_err(wrong)
    }

    fn visit_i64<E: Error>(self, depth: i64) -> Result<Self::Value, E> {
        let wrong = |_| E::invalid_value(Unexpected::Signed(depth), &self);
        u32::try_from(depth).map(Some).map_err(wrong)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        match word {
            UNLIMITED => Ok(None),
            other => Err(E::invalid_value(Unexpected::Str(other), &self)),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}
