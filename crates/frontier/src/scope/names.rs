//! The names of hosts as people write them into a scope.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, de};
use url::Host;

/// Reads a list of names into the spelling that URLs have, so that none is silently never met.
pub(super) fn read<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeSet<String>, D::Error> {
    let names = Vec::<String>::deserialize(source)?;
    names.iter().map(|it| spelled(it).map_err(de::Error::custom)).collect()
}

fn spelled(name: &str) -> Result<String, String> {
    let bare = name.trim().trim_matches('.');
    let host = Host::parse(bare).map_err(|_| {
        format!("{name:?} is not the name of a host: write it without scheme and path")
    })?;
    Ok(host.to_string())
}
