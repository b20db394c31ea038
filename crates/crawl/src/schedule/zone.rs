//! The time zone that cron lines are meant in.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::tz::TimeZone;

/// Where systems keep what they know of time zones.
const DATABASE: &str = "/usr/share/zoneinfo";
/// No file of the database is larger than a hundredth of it.
const LARGEST: u64 = 1 << 20;

/// The time zone of the system with its name: that of `TZ`, or that of /etc/localtime, or UTC.
pub fn zone() -> (TimeZone, String) {
    let wished = std::env::var("TZ").ok().filter(|it| !it.is_empty());
    let wished = wished.map(|it| it.trim_start_matches(':').to_owned());
    if let Some(name) = wished {
        return named(Path::new(DATABASE), &name).map_or_else(utc, |zone| (zone, name));
    }
    let local = Path::new("/etc/localtime");
    // The file is mostly a link into the database, and the end of its path is the name.
    let name = local.canonicalize().ok().and_then(|it| {
        let name = it.strip_prefix(DATABASE).ok()?.to_str()?.to_owned();
        Some(name)
    });
    let name = name.unwrap_or_else(|| "local time".to_owned());
    read(local, &name).map_or_else(utc, |zone| (zone, name))
}

fn utc() -> (TimeZone, String) {
    (TimeZone::UTC, "UTC".to_owned())
}

/// The zone of this name in the database.
fn named(database: &Path, name: &str) -> Option<TimeZone> {
    let is_within = !name.starts_with('/') && name.split('/').all(|it| !matches!(it, ".." | ""));
    is_within.then(|| read(&database.join(name), name))?
}

fn read(path: &Path, name: &str) -> Option<TimeZone> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    TimeZone::tzif(name, &bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for name in ["../../etc/passwd", "/etc/localtime", "", "Nowhere/Nothing"] {
            assert!(named(Path::new(DATABASE), name).is_none(), "{name}");
        }
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "whoever runs the tests is to know")]
    fn a_zone_of_the_database_is_read() {
        let Some(berlin) = named(Path::new(DATABASE), "Europe/Berlin") else {
            eprintln!("skipped: there is no {DATABASE}");
            return;
        };
        let summer: jiff::Timestamp = "2026-07-01T12:00:00Z".parse().expect("a time");
        assert_eq!(berlin.to_offset(summer).seconds(), 7200);
    }
}
