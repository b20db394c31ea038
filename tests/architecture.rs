//! The shape of the workspace: arrows point one way, pure crates stay pure, every crate is explained.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates in the order a page travels; a crate may depend on those before it.
const ORDER: [&str; 19] = [
    "earth",
    "text",
    "gazetteer",
    "import",
    "world",
    "basemap",
    "page",
    "geoparse",
    "query",
    "archive",
    "fetch",
    "frontier",
    "focus",
    "crawl",
    "testkit",
    "index",
    "search",
    "web",
    "cli",
];

/// Crates that turn values into values, knowing no clock, disk or network.
const PURE: [&str; 6] = ["earth", "text", "page", "geoparse", "query", "focus"];

/// What a pure crate does not know.
const EFFECTS: [&str; 6] =
    ["tokio", "reqwest", "std::fs", "std::net", "std::time::SystemTime", "Instant::now"];

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The crates of the workspace with the names in their `[dependencies]`.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = fs::read_dir(root().join("crates")).expect("the workspace has crates");
    let mut found = BTreeMap::new();
    for entry in crates.flatten() {
        let manifest = read(entry.path().join("Cargo.toml"));
        let section = manifest.split("[dependencies]").nth(1).unwrap_or("");
        let section = section.split("\n[").next().unwrap_or("");
        let names = section
            .lines()
            .filter_map(|line| line.split_once([' ', '=', '.']).map(|it| it.0.to_owned()));
        found.insert(
            entry.file_name().to_string_lossy().into_owned(),
            names.filter(|it| !it.is_empty()).collect(),
        );
    }
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a crate has sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_crate_has_its_place_in_the_order() {
    let mut known: Vec<_> = ORDER.to_vec();
    known.sort_unstable();
    assert_eq!(dependencies().keys().collect::<Vec<_>>(), known);
}

#[test]
fn the_manifest_lists_the_crates_in_that_order() {
    let manifest = read(root().join("Cargo.toml"));
    let listed: Vec<_> = manifest
        .lines()
        .filter_map(|it| it.trim().strip_prefix("\"crates/")?.strip_suffix("\","))
        .collect();
    assert_eq!(listed, ORDER);
}

#[test]
fn arrows_point_one_way() {
    let place = |name: &str| ORDER.iter().position(|it| *it == name);
    for (from, targets) in dependencies() {
        for target in targets {
            if let Some(at) = place(&target) {
                assert!(
                    Some(at) < place(&from),
                    "{from} depends on {target}, which stands behind it"
                );
            }
        }
    }
}

#[test]
fn pure_crates_know_no_clock_disk_or_network() {
    for name in PURE {
        for file in sources(&root().join("crates").join(name).join("src")) {
            let text = read(&file);
            for effect in EFFECTS {
                assert!(!text.contains(effect), "{} uses {effect}", file.display());
            }
        }
    }
}

#[test]
fn every_crate_has_its_section_in_the_architecture() {
    let text = read(root().join("docs/architecture.md"));
    for name in dependencies().keys() {
        assert!(
            text.contains(&format!("## `{name}`")),
            "docs/architecture.md has no section for {name}"
        );
    }
}
