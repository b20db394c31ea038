//! Base maps of the operator's own.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::{Value, json};
use web::{Settings, TileServer};

use crate::server::{Said, Server, get};

const PAGE: &str = r#"{"id":"a","url":"https://a.example/","title":"A museum","text":"A museum in Helsinki.","place":"Helsinki"}"#;
/// Pages with a map.
const MAPS: [&str; 4] = ["/search?q=museum+in+Helsinki", "/place", "/place/gn:658225/x", "/page/a"];

/// What the script of the map is told on a page.
#[track_caller]
fn told(said: &Said) -> Value {
    let text = said.body.split("id=\"map-data\">").nth(1).and_then(|it| it.split('<').next());
    serde_json::from_str(text.expect("there is data")).expect("it is JSON")
}

/// Whom the picture without scripts comes from.
#[track_caller]
fn under_the_picture(said: &Said) -> &str {
    let plain = said.body.split("class=\"map-from\">").nth(1);
    plain.and_then(|it| it.split("</p>").next()).expect("there is a picture")
}

#[track_caller]
fn good(address: SocketAddr, target: &str) -> Said {
    let said = get(address, target, "");
    assert_eq!(said.status, 200, "{target}: {}", said.body);
    said
}

#[test]
fn a_tile_server_is_allowed_named_and_told_to_the_map() {
    let template = "https://tiles.example.org:8443/{z}/{x}/{y}.png";
    let tile_server = TileServer::new(template, "Maps & <Friends>");
    let address = Server::for_ever(PAGE, Settings { tile_server, ..Settings::default() });
    for target in MAPS {
        let said = good(address, target);
        let policy = said.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("img-src 'self' data: https://tiles.example.org:8443;"),
            "{policy}"
        );
        assert_eq!(policy.matches("tiles.example.org").count(), 1, "for pictures alone: {policy}");
        assert_eq!(said.header("cross-origin-embedder-policy"), None, "tiles say no such thing");
        let told = told(&said);
        assert_eq!(told["xyz"], json!({ "url": template }), "{target}");
        assert_eq!(told["credits"][0]["name"], "Maps & <Friends>");
        assert_eq!(told["credits"][1]["name"], "GeoNames");
        assert_eq!(told.get("zooms"), None);
        // The server draws the embedded map.
        assert!(under_the_picture(&said).contains("Natural Earth"), "{target}");
    }
    assert!(TileServer::new("https://tiles.example.org/{z}/{x}.png", "").is_none());
}

#[test]
fn a_file_of_tiles_is_served_named_and_told_to_the_map() {
    // The streets of two towns, which have other zooms than the map of the world that is part of the program.
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/towns.pmtiles");
    let map = basemap::Basemap::open(&file).expect("it is a file of tiles");
    let (least, most) = map.zooms();
    assert_ne!((least, most), basemap::Basemap::embedded().zooms());
    let basemap = Some(file);
    let council = Some("The town <council>".to_owned());
    let settings =
        Settings { basemap: basemap.clone(), map_attribution: council, ..Settings::default() };
    let address = Server::for_ever(PAGE, settings);
    for target in MAPS {
        let said = good(address, target);
        let policy = said.header("content-security-policy").expect("a policy");
        assert!(policy.contains("img-src 'self' data:;"), "{policy}");
        assert_eq!(said.header("cross-origin-embedder-policy"), Some("require-corp"));
        let told = told(&said);
        assert_eq!(told["zooms"], json!([least, most]), "{target}");
        assert_eq!(told.get("xyz"), None);
        assert_eq!(told["credits"][0]["name"], "The town <council>");
        let under = under_the_picture(&said);
        assert!(!under.contains("Natural Earth"), "{under}");
        assert!(
            under.contains("The town &#60;council") || under.contains("The town &lt;council"),
            "{under}"
        );
    }
    // The tiles are those of the file: it has none of the whole world, and some of a town.
    assert_eq!(get(address, "/tiles/0/0/0.mvt", "").status, 204);
    let (x, y) = tile_of_helsinki(most);
    let tile = get(address, &format!("/tiles/{most}/{x}/{y}.mvt"), "");
    assert_eq!((tile.status, tile.header("content-encoding")), (200, Some("gzip")));
    good(address, "/map.svg?place=gn:658225").says("The town &lt;council&gt;");

    // Without a word of the operator's the file speaks for itself.
    let address = Server::for_ever(PAGE, Settings { basemap, ..Settings::default() });
    let said = told(&good(address, "/place"));
    let about: Value =
        serde_json::from_str(&map.about().expect("it says what it is")).expect("JSON");
    let names: Vec<_> =
        said["credits"].as_array().expect("a list").iter().map(|it| it["name"].clone()).collect();
    assert!(
        about["attribution"].as_str().is_some_and(|it| it.contains("OpenStreetMap")),
        "{about}"
    );
    assert!(names[0].as_str().is_some_and(|it| it.contains("OpenStreetMap")), "{names:?}");
}

/// Column and row of the tile with the railway station of Helsinki.
fn tile_of_helsinki(zoom: u8) -> (u32, u32) {
    let (lat, lon) = (60.1710_f64.to_radians(), 24.9414_f64);
    let across = f64::from(1_u32 << zoom);
    let x = (lon + 180.0) / 360.0 * across;
    let y = (1.0 - lat.tan().asinh() / std::f64::consts::PI) / 2.0 * across;
    (x as u32, y as u32)
}
