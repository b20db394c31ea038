//! Assets: styles, scripts and pictures, part of the program.

use std::collections::HashMap;
use std::io::Write;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../static/built"]
struct Folder;

/// A file of `static/built`, as it is sent.
struct Asset {
    plain: Vec<u8>,
    packed: Vec<u8>,
    kind: &'static str,
}

struct Assets {
    files: HashMap<String, Asset>,
    /// Changes whenever a file does, and stands in every address of them.
    version: String,
}

fn assets() -> &'static Assets {
    static ASSETS: OnceLock<Assets> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let mut names: Vec<_> = Folder::iter().collect();
        names.sort();
        let mut all = Vec::new();
        let mut files = HashMap::new();
        for name in names {
            let Some(file) = Folder::get(&name) else { continue };
            all.extend_from_slice(&file.data);
            let plain = file.data.into_owned();
            let (packed, kind) = (packed(&plain), kind(&name));
            files.insert(name.into_owned(), Asset { plain, packed, kind });
        }
        let version = format!("{:08x}", xxhash_rust::xxh3::xxh3_64(&all) as u32);
        Assets { files, version }
    })
}

/// The address of an asset; it never means another content.
pub(crate) fn link(name: &str) -> String {
    format!("/static/{}/{name}", assets().version)
}

/// Sends an asset.
pub(crate) async fn send(
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let assets = assets();
    let Some(asset) = assets.files.get(&name) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    // An old address, from a page of an earlier program, gets what there is now, but not for long.
    let keep = if version == assets.version {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=60"
    };
    let common = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
    ];
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|it| it.to_str().ok());
    if accepted.is_some_and(|it| it.contains("gzip")) && asset.packed.len() < asset.plain.len() {
        let body = asset.packed.as_slice();
        return (common, [(header::CONTENT_ENCODING, "gzip")], body).into_response();
    }
    (common, asset.plain.as_slice()).into_response()
}

fn packed(plain: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail; if it did, the plain file would be sent.
    let written = packer.write_all(plain).and_then(|()| packer.finish());
    written.unwrap_or_else(|_| plain.to_vec())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// How large an asset is on its way, in bytes.
#[cfg(test)]
pub(crate) fn sent_bytes(name: &str) -> usize {
    assets().files.get(name).map_or(0, |it| it.packed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_keep_within_their_budgets() {
        let own = sent_bytes("strabo.css") + sent_bytes("strabo.js");
        assert!((1..=25_000).contains(&own), "own styles and scripts have {own} bytes");
        let map = sent_bytes("map.js");
        assert!((1..=120_000).contains(&map), "the map has {map} bytes");
    }

    #[test]
    fn an_address_names_the_version() {
        assert!(link("strabo.css").starts_with("/static/"));
        assert!(link("strabo.css").ends_with("/strabo.css"));
    }
}
