//! All routes for programs.

use std::net::SocketAddr;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use url::form_urlencoded;
use web::Settings;

use crate::server::{self, Said, Server, exchange};

const PAGES: &str = r#"{"id":"hel-bakery","url":"https://kahvi.example/hakaniemi","title":"Hakaniemi bakery","text":"The bakery in the market hall sells rye bread & <b>buns</b>.","points":[24.9513,60.1790],"published":"2024-03-02","language":"en","topic":["food"]}
{"id":"hel-museum","url":"https://museot.example/ateneum","title":"Ateneum art museum","text":"The museum in Helsinki shows Finnish painting.","place":"Helsinki","published":"2024-05-14"}
{"id":"edi castle/1","url":"https://castles.example/edinburgh","title":"=Edinburgh, \"Castle\"","text":"The castle stands on a rock. Its museum is old.","points":[-3.2008,55.9486],"published":"2021-04-05"}
{"id":"fin-bread","url":"https://kahvi.example/bread","title":"Rye bread in Finland","text":"In Finland rye bread is eaten every day.","place":"Finland","published":"2024-05-01","language":"en"}
{"id":"nowhere","title":"Bread","text":"Bread is made of flour.","language":"en"}
"#;

/// The address of the server that all tests here ask.
static SERVER: LazyLock<SocketAddr> =
    LazyLock::new(|| Server::for_ever(PAGES, Settings::default()));

fn send(method: &str, target: &str, media_type: &str, body: &[u8]) -> Said {
    let media_type = format!("Content-Type: {media_type}\r\n");
    Said::read(&mut server::open(*SERVER, method, target, &media_type, body))
}

fn get(target: &str) -> Said {
    server::get(*SERVER, target, "")
}

#[track_caller]
fn good(target: &str) -> Value {
    let said = get(target);
    assert_eq!(said.status, 200, "{said:?}");
    said.json()
}

/// The server answers with this status, and with JSON that tells this.
#[track_caller]
fn check(target: &str, status: u16, fact: &str) {
    let said = get(target);
    assert_eq!(said.status, status, "{said:?}");
    let error = said.json()["error"].as_str().unwrap_or_default().to_owned();
    assert!(error.contains(fact), "{error}");
}

#[test]
fn what_is_typed_is_completed_with_what_holds_it_and_how_far_it_is() {
    let answer = good("/api/v1/suggest?q=hels&at=60.2,24.7&limit=3");
    let first = &answer["suggestions"][0];
    assert_eq!(first["id"], "gn:658225");
    assert_eq!(first["label"], "Helsinki, Uusimaa, Finland");
    assert_eq!(first["kind"], "city");
    let holders = first["hierarchy"].as_array().unwrap();
    assert!(holders.iter().any(|it| it["name"] == "Uusimaa" && it["kind"] == "region"), "{first}");
    assert!(first["distance_m"].as_f64().unwrap() > 5_000.0);
    assert!(answer["suggestions"].as_array().unwrap().len() <= 3);
    assert_eq!(good("/api/v1/suggest?q=")["suggestions"], serde_json::json!([]));
    let point = good("/api/v1/suggest?q=60.17,24.94");
    assert_eq!(point["suggestions"][0]["kind"], "coordinate");
    assert_eq!(point["suggestions"][0]["id"], Value::Null);
}

#[test]
fn a_wrong_parameter_is_refused_by_its_name() {
    check("/api/v1/suggest", 400, "q");
    check("/api/v1/suggest?q=a&colour=red", 400, "colour");
    check("/api/v1/suggest?q=a&limit=51", 400, "at most 50");
    check("/api/v1/suggest?q=a&limit=many", 400, "limit");
    check("/api/v1/suggest?q=a&at=here", 400, "latitude,longitude");
    check(&format!("/api/v1/suggest?q={}", "a".repeat(1001)), 400, "1001 characters");
    check("/api/v1/search?q=museum&colour=red", 400, "colour");
    check("/api/v1/search?q=museum&limit=x", 400, "/api/openapi.json lists the parameters");
    check("/tiles/a/0/0.mvt", 404, "/tiles/zoom/column/row.mvt");
    check("/nominatim/nothing", 404, "/api/openapi.json");
    check("/search.kml?q=museum&limit=1001", 400, "at most 1000");
    check("/search.csv?q=museum&bbox=1,2,3", 400, "no box");
    check("/api/v1/nothing", 404, "nothing here");
    let said = send("DELETE", "/api/v1/search?q=museum", "text/plain", b"");
    assert_eq!(said.status, 405);
    assert!(said.json()["error"].is_string() && said.header("allow").is_some(), "{said:?}");
}

#[test]
fn a_place_is_told_with_names_lineage_outline_and_counts() {
    let finland = good("/api/v1/places/gn:660013");
    assert_eq!(finland["type"], "Feature");
    assert_eq!(finland["geometry"]["type"], "MultiPolygon");
    assert_eq!(finland["bbox"].as_array().unwrap().len(), 4);
    let facts = &finland["properties"];
    assert_eq!(facts["name"], "Finland");
    assert_eq!(facts["documents"], 3);
    assert!(facts["names"].as_array().unwrap().iter().any(|it| it["name"] == "Suomi"));
    assert_eq!(facts["lineage"][0]["kind"], "continent");
    let bare = good("/api/v1/places/gn:660013?outline=false");
    assert_eq!(bare["geometry"]["type"], "Point");
    assert_eq!(get("/api/v1/places/gn%3A660013").status, 200);
    check("/api/v1/places/gn:0", 404, "no place gn:0");
    check("/api/v1/places/%ff", 400, "UTF-8");
}

#[test]
fn outlines_turn_as_the_standard_wants() {
    let finland = good("/api/v1/places/gn:660013");
    let polygons = finland["geometry"]["coordinates"].as_array().unwrap();
    for polygon in polygons {
        for (at, ring) in polygon.as_array().unwrap().iter().enumerate() {
            let corner = |it: &Value| (it[0].as_f64().unwrap(), it[1].as_f64().unwrap());
            let ring: Vec<_> = ring.as_array().unwrap().iter().map(corner).collect();
            assert_eq!(ring.first(), ring.last());
            let turn = |it: &[(f64, f64)]| it[0].0 * it[1].1 - it[1].0 * it[0].1;
            let area: f64 = ring.windows(2).map(turn).sum();
            assert_eq!(area > 0.0, at == 0);
        }
    }
}

#[test]
fn a_place_has_children_neighbours_and_places_nearby() {
    let children = good("/api/v1/places/gn:660013/children?limit=2");
    assert!(children["total"].as_u64().unwrap() > 10);
    assert_eq!(children["places"].as_array().unwrap().len(), 2);
    let all = good("/api/v1/places/gn:660013/children");
    let uusimaa = all["places"].as_array().unwrap().iter().find(|it| it["name"] == "Uusimaa");
    assert_eq!(uusimaa.unwrap()["documents"], 2);
    let neighbours = good("/api/v1/places/gn:660013/neighbours");
    let names: Vec<_> = neighbours["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"Sweden") && names.contains(&"Norway"), "{names:?}");
    let nearby = good("/api/v1/places/gn:658225/nearby?limit=5&reach=30000");
    let nearby = nearby["places"].as_array().unwrap();
    assert_eq!(nearby.len(), 5);
    assert!(nearby.iter().all(|it| it["id"] != "gn:658225"));
    assert!(nearby[0]["distance_m"].as_f64() <= nearby[4]["distance_m"].as_f64());
    check("/api/v1/places/gn:658225/nearby?kind=country", 400, "too large");
    check("/api/v1/places/gn:658225/nearby?kind=planet", 400, "no kind");
    check("/api/v1/places/gn:658225/nearby?reach=-1", 400, "reach");
}

#[test]
fn the_pages_of_a_place_are_those_in_it() {
    let pages = good("/api/v1/places/gn:658225/pages");
    assert_eq!(pages["total"], 2);
    let bread = good("/api/v1/places/gn:660013/pages?what=bread&sort=time");
    let ids: Vec<_> =
        bread["features"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, ["fin-bread", "hel-bakery"]);
    check("/api/v1/places/gn:0/pages", 404, "no place");
    check("/api/v1/places/gn:658225/pages?sort=size", 400, "sort is");
}

#[test]
fn a_name_may_mean_several_places() {
    let places = good("/api/v1/places?name=Oldenburg");
    let places = places["places"].as_array().unwrap();
    assert!(places.len() > 2);
    assert_eq!(places[0]["label"], "Oldenburg, Lower Saxony, Germany");
    assert!(places[0]["confidence"].as_f64() > places[1]["confidence"].as_f64());
}

#[test]
fn exports_have_the_hits_of_the_page_with_the_same_query_string() {
    let query = "q=museum&page=2&sort=relevance";
    let said = get(&format!("/search.geojson?{query}"));
    assert_eq!(said.header("content-type"), Some("application/geo+json"));
    assert_eq!(said.header("access-control-allow-origin"), Some("*"));
    assert_eq!(said.json()["features"].as_array().unwrap().len(), 2);

    let said = get(&format!("/search.csv?{query}"));
    assert_eq!(said.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert!(said.body.starts_with("rank,id,title,url,"));
    assert!(said.body.contains("\"'=Edinburgh, \"\"Castle\"\"\""), "{}", said.body);
    assert_eq!(said.body.matches("\r\n").count(), 3);

    let said = get(&format!("/search.kml?{query}"));
    assert_eq!(said.header("content-type"), Some("application/vnd.google-earth.kml+xml"));
    assert_eq!(said.body.matches("<Placemark>").count(), 2);

    let bakery = get("/search.kml?q=bakery").body;
    assert!(bakery.contains("rye bread &amp; &lt;b&gt;buns&lt;/b&gt;"), "{bakery}");
}

#[test]
fn a_hit_at_a_house_says_its_address() {
    let line =
        r#"{"id":"a","title":"Bread","text":"Rye bread.","address":"Mannerheimintie 2, Helsinki"}"#;
    let address = Server::for_ever(line, Settings::default());
    let ask = |target: &str| server::get(address, target, "");
    let answer = ask("/api/v1/search?q=bread").json();
    let place = &answer["features"][0]["properties"]["place"];
    assert_eq!(place["label"], "Mannerheimintie 2, Helsinki, Uusimaa, Finland");
    assert_eq!(
        (&place["address"], &place["id"]),
        (&"Mannerheimintie 2".into(), &"gn:658225".into())
    );
    for target in
        ["/search?q=bread", "/search.csv?q=bread", "/search.kml?q=bread", "/search.geojson?q=bread"]
    {
        ask(target).says("Mannerheimintie 2, Helsinki, Uusimaa, Finland");
    }
}

#[test]
fn a_feed_has_points_totals_and_links_to_its_other_parts() {
    let said = get("/search.atom?q=museum&limit=1");
    assert_eq!(said.header("content-type"), Some("application/atom+xml; charset=utf-8"));
    let feed = &said.body;
    assert!(feed.contains("<opensearch:totalResults>2</opensearch:totalResults>"), "{feed}");
    assert!(feed.contains("<opensearch:startIndex>1</opensearch:startIndex>"));
    assert!(feed.contains("<opensearch:itemsPerPage>1</opensearch:itemsPerPage>"));
    assert!(feed.contains("<georss:point>"));
    assert!(feed.contains("rel=\"self\""));
    assert!(!feed.contains("rel=\"previous\""));
    let next = feed.split("rel=\"next\"").nth(1).unwrap().split("href=\"").nth(1).unwrap();
    let next = next.split('"').next().unwrap().replace("&amp;", "&");
    let path = next.strip_prefix(&format!("http://{}", *SERVER)).unwrap();
    let second = get(path).body;
    assert!(second.contains("rel=\"previous\"") && !second.contains("rel=\"next\""), "{second}");
    assert!(second.contains("<opensearch:startIndex>2</opensearch:startIndex>"));
}

#[test]
fn the_description_names_every_route_of_ours() {
    let description = good("/api/openapi.json");
    assert!(description["openapi"].as_str().unwrap().starts_with("3."));
    for path in
        ["/api/v1/search", "/api/v1/suggest", "/api/v1/places/{id}/nearby", "/search.geojson"]
    {
        assert!(description["paths"][path]["get"].is_object(), "{path}");
    }
    let parameters =
        description["paths"]["/api/v1/search"]["get"]["parameters"].as_array().unwrap();
    assert!(parameters.iter().any(|it| it["name"] == "where"), "{parameters:?}");
}

#[test]
fn photon_s_clients_find_what_they_look_for() {
    let answer = good("/api?q=Finland&lang=de&osm_tag=place&limit=1");
    let finland = &answer["features"][0];
    assert_eq!(finland["properties"]["name"], "Finland");
    assert_eq!(finland["properties"]["countrycode"], "FI");
    assert_eq!(finland["properties"]["type"], "country");
    let (extent, bounds) = (&finland["properties"]["extent"], &finland["bbox"]);
    assert_eq!(
        [&extent[0], &extent[1], &extent[2], &extent[3]],
        [&bounds[0], &bounds[3], &bounds[2], &bounds[1]]
    );
    let city = good("/api?q=helsin&lat=60&lon=24");
    assert_eq!(city["features"][0]["properties"]["city"], Value::Null);
    assert_eq!(city["features"][0]["properties"]["state"], "Uusimaa");
    let boxed = good("/api?q=Oldenburg&bbox=-90,35,-80,45");
    assert_eq!(boxed["features"][0]["properties"]["state"], "Indiana");
    let here = good("/reverse?lat=60.1699&lon=24.9384&limit=10");
    assert!(
        here["features"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it["properties"]["name"] == "Helsinki")
    );
    assert_eq!(good("/reverse?lat=-40&lon=-120")["features"], serde_json::json!([]));
    check("/api", 400, "q");
    check("/api?q=a&lat=north&lon=1", 400, "lat");
    check("/reverse?lat=91&lon=0", 400, "globe");
    check("/reverse?lat=NaN&lon=0", 400, "globe");
}

#[test]
fn nominatim_s_clients_find_what_they_look_for() {
    let list =
        good("/nominatim/search?q=Paris,+Texas&format=json&addressdetails=1&limit=1&email=x");
    assert_eq!(list[0]["display_name"], "Paris, Texas, United States");
    assert_eq!(list[0]["address"]["country_code"], "us");
    assert_eq!(list[0]["class"], "place");
    assert!(list[0]["lat"].is_string() && list[0]["boundingbox"].as_array().unwrap().len() == 4);
    assert_eq!(good("/nominatim/search?q=Xyzzyqwop"), serde_json::json!([]));
    assert_eq!(good("/nominatim/search?city=Osaka&country=Japan")[0]["name"], "Osaka");
    assert_eq!(good("/nominatim/search?q=Paris&countrycodes=us,ca")[0]["address"], Value::Null);
    let boxed = good("/nominatim/search?q=Oldenburg&viewbox=-90,45,-80,35&bounded=1");
    assert_eq!(boxed[0]["display_name"], "Oldenburg, Indiana, United States");
    let said = get("/nominatim/search?q=Finland&format=geojson&polygon_geojson=1");
    assert_eq!(said.header("content-type"), Some("application/geo+json"));
    assert_eq!(said.json()["features"][0]["geometry"]["type"], "MultiPolygon");
    let here = good("/nominatim/reverse?lat=60.1699&lon=24.9384&zoom=10&format=jsonv2");
    assert_eq!(here["address"]["city"], "Helsinki");
    assert_eq!(good("/nominatim/reverse?lat=60.1699&lon=24.9384&zoom=3")["name"], "Finland");
    assert_eq!(good("/nominatim/reverse?lat=-40&lon=-120")["error"], "Unable to geocode");
    check("/nominatim/search", 400, "nothing to look for");
    check("/nominatim/search?q=a&format=xml", 400, "json, jsonv2 or geojson");
    check("/nominatim/search?q=a&viewbox=1,2", 400, "no viewbox");
}

#[test]
fn a_browser_finds_the_description_on_every_page_and_searches_by_its_template() {
    for page in ["/", "/search?q=museum", "/help"] {
        let body = get(page).body;
        let link =
            body.split("<link ").find(|it| it.starts_with("rel=\"search\"")).expect("a link");
        assert!(link.contains("type=\"application/opensearchdescription+xml\""), "{link}");
        assert!(link.contains("href=\"/opensearch.xml\"") && link.contains("title="), "{link}");
    }
    let description = get("/opensearch.xml").body;
    let template = |kind: &str| {
        let url = description.split("<Url ").find(|it| it.starts_with(&format!("type=\"{kind}\"")));
        let template = url.and_then(|it| it.split("template=\"").nth(1)?.split('"').next());
        template.expect("a template").replace("&amp;", "&").replace("&#38;", "&")
    };
    // A browser knows what is typed, leaves blank what need not be there, and comes to where the page is.
    let fill = |template: &str| {
        let filled = template.replace("{searchTerms}", "museum%20in%20Helsinki");
        let mut parts = filled.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').expect("a brace is closed");
            assert!(name.ends_with('?'), "{name} has to be known");
            filled += rest;
        }
        let path = filled.split_once("://").and_then(|it| it.1.split_once('/'));
        format!("/{}", path.expect("an address").1)
    };
    let page = get(&fill(&template("text/html")));
    assert_eq!((page.status, page.header("location")), (303, Some("/search?q=museum+in+Helsinki")));
    get("/search?q=museum+in+Helsinki").says("class=\"card\"");
    let typed = get(&fill(&template("application/x-suggestions+json")));
    assert_eq!(typed.json()[0], "museum in Helsinki");
}

#[test]
fn opensearch_is_described_and_answered() {
    let said = get("/opensearch.xml");
    assert_eq!(
        said.header("content-type"),
        Some("application/opensearchdescription+xml; charset=utf-8")
    );
    for part in ["<Tags>", "{geo:box?}", "{geo:radius?}", "{time:start?}", "{searchTerms}", "&amp;"]
    {
        assert!(said.body.contains(part), "{part}: {}", said.body);
    }
    let blank = "count=&startIndex=&startPage=&bbox=&lat=&lon=&radius=&name=&start=&end=";
    assert_eq!(good(&format!("/opensearch/geojson?q=museum&{blank}"))["totalResults"], 2);
    assert_eq!(
        good("/opensearch/geojson?q=museum&lat=60.17&lon=24.94&radius=5000")["totalResults"],
        1
    );
    assert_eq!(good("/opensearch/geojson?q=museum&end=2022-01-01")["totalResults"], 1);
    assert_eq!(good("/opensearch/geojson?q=museum&name=Helsinki")["totalResults"], 1);
    let page = get("/opensearch/html?q=museum&bbox=20,55,30,65&start=2024-01-01");
    assert_eq!(page.status, 303);
    assert_eq!(
        page.header("location"),
        Some("/search?q=museum+after%3A2024-01-01&bbox=20%2C55%2C30%2C65")
    );
    assert!(get("/opensearch/atom?q=museum").body.contains("/search.atom?q=museum&amp;limit=20"));
    let typed = good("/opensearch/suggest?q=hels");
    assert_eq!(typed[0], "hels");
    assert_eq!(typed[1][0], "Helsinki, Uusimaa, Finland");
    check("/opensearch/atom?q=museum&start=yesterday", 400, "no time");
    check("/opensearch/atom?q=museum&count=few", 400, "whole number");
    check("/opensearch/atom", 400, "name a word or a place");
}

#[test]
fn a_sent_text_is_geoparsed() {
    let text = "She moved from Paris, Texas to Helsinki in May.".as_bytes();
    let said = send("POST", "/api/v1/geoparse", "text/plain; charset=utf-8", text);
    assert_eq!(said.status, 200, "{said:?}");
    let answer = said.json();
    let named: Vec<_> =
        answer["mentions"].as_array().unwrap().iter().map(|it| it["text"].clone()).collect();
    assert!(named.contains(&"Helsinki".into()) && named.contains(&"Paris".into()), "{answer}");
    assert!(answer["footprint"]["places"].as_array().unwrap().len() > 1);
    let body = br#"{"html":"<title>Oldenburg</title><p>A page about <b>Bremen</b>."}"#;
    let answer =
        send("POST", "/api/v1/geoparse?explain=true&language=en", "application/json", body).json();
    assert_eq!(answer["title_mentions"][0]["text"], "Oldenburg");
    assert!(answer["mentions"][0]["why"].is_object());
}

#[test]
fn what_cannot_be_geoparsed_is_refused() {
    let refuse = |target: &str, media_type: &str, body: &[u8], status: u16| {
        let said = send("POST", target, media_type, body);
        assert_eq!(said.status, status, "{said:?}");
        assert!(said.json()["error"].is_string());
    };
    refuse("/api/v1/geoparse", "image/png", b"x", 415);
    refuse("/api/v1/geoparse", "application/json", b"{", 400);
    refuse("/api/v1/geoparse", "application/json", b"{}", 400);
    refuse("/api/v1/geoparse?language=german", "text/plain", b"x", 400);
    refuse("/api/v1/geoparse?colour=red", "text/plain", b"x", 400);
    refuse("/api/v1/geoparse", "text/plain", &vec![b'x'; 256_001], 413);
    // What is far too long is not even read.
    let head = "POST /api/v1/geoparse HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10000000\r\n\r\n";
    let said = exchange(*SERVER, head, b"x");
    assert_eq!(said.status, 413, "{said:?}");
    assert!(said.json()["error"].as_str().is_some_and(|it| it.contains("send a part of it")));
    assert_eq!(get("/api/v1/geoparse").status, 405);
}

#[test]
fn pages_and_places_are_collections_of_ogc() {
    let landing = good("/ogc");
    let relations: Vec<_> =
        landing["links"].as_array().unwrap().iter().map(|it| it["rel"].clone()).collect();
    for relation in ["self", "service-desc", "conformance", "data"] {
        assert!(relations.contains(&relation.into()), "{relation}");
    }
    assert!(good("/ogc/conformance?f=json")["conformsTo"].as_array().unwrap().len() > 3);
    assert_eq!(good("/ogc/collections")["collections"].as_array().unwrap().len(), 2);
    assert_eq!(good("/ogc/collections/pages")["itemType"], "record");

    let said = get("/ogc/collections/pages/items?limit=2");
    assert_eq!(said.header("content-type"), Some("application/geo+json"));
    let all = said.json();
    assert_eq!((&all["numberMatched"], &all["numberReturned"]), (&5.into(), &2.into()));
    let next = all["links"].as_array().unwrap().iter().find(|it| it["rel"] == "next").unwrap();
    let next = next["href"].as_str().unwrap().split(&SERVER.to_string()).nth(1).unwrap().to_owned();
    let second = good(&next);
    assert_ne!(second["features"][0]["id"], all["features"][0]["id"]);
    assert!(second["links"].as_array().unwrap().iter().any(|it| it["rel"] == "prev"));

    let found =
        good("/ogc/collections/pages/items?q=museum&bbox=20,55,30,65&datetime=2024-01-01/..");
    assert_eq!(found["numberMatched"], 1);
    assert_eq!(found["features"][0]["id"], "hel-museum");
    assert_eq!(found["features"][0]["time"]["date"], "2024-05-14");
    let one = good("/ogc/collections/pages/items/edi%20castle%2F1");
    assert_eq!(one["id"], "edi castle/1");
    assert_eq!(one["geometry"]["type"], "Point");
    let place = good("/ogc/collections/places/items/gn:660013");
    assert_eq!(place["geometry"]["type"], "MultiPolygon");
    let inside = good("/ogc/collections/places/items?bbox=24.8,60.1,25.1,60.3&q=Helsinki");
    assert_eq!(inside["features"][0]["id"], "gn:658225");

    check("/ogc/collections/roads", 404, "no collection");
    check("/ogc/collections/pages/items/none", 404, "no page");
    check("/ogc/collections/pages/items?colour=red", 400, "colour");
    check("/ogc/collections/pages/items?datetime=now", 400, "no time");
    check("/ogc/collections/pages/items?limit=0", 400, "limit");
    check("/ogc?f=html", 400, "f=json");
}

#[test]
fn the_server_tells_how_it_is() {
    assert_eq!(get("/healthz").status, 200);
    let ready = good("/readyz");
    assert_eq!((&ready["status"], &ready["documents"]), (&"ready".into(), &5.into()));
    get("/api/v1/places/gn:658225");
    get("/nothing/here");
    let numbers = get("/metrics").body;
    let counted =
        "strabo_http_requests_total{method=\"GET\",route=\"/api/v1/places/{id}\",status=\"200\"}";
    assert!(numbers.contains(counted), "{numbers}");
    assert!(numbers.contains("route=\"other\",status=\"404\""));
    assert!(numbers.contains("strabo_http_request_seconds_bucket{"));
    assert!(numbers.contains("strabo_index_generation 1"));
    assert!(numbers.contains("strabo_index_documents 5"));
}

#[test]
fn what_is_read_is_open_to_pages_of_other_sites_and_what_is_sent_is_not() {
    for target in ["/api/v1/search?q=museum", "/api?q=a", "/ogc", "/api/v1/nothing"] {
        assert_eq!(get(target).header("access-control-allow-origin"), Some("*"), "{target}");
    }
    let said = send("POST", "/api/v1/geoparse", "text/plain", b"Rome");
    assert_eq!(said.header("access-control-allow-origin"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_query_string_breaks_the_server(
        route in 0..ROUTES.len(),
        pairs in proptest::collection::vec((0..NAMES.len(), value()), 0..5),
        tail in "\\PC{0,20}",
    ) {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs {
            query.append_pair(NAMES[name], &value);
        }
        let tail: String = form_urlencoded::byte_serialize(tail.as_bytes()).collect();
        let said = get(&format!("{}?{}{tail}", ROUTES[route], query.finish()));
        prop_assert!(said.status < 500, "{said:?}");
    }

    #[test]
    fn no_bytes_break_the_geoparser(
        body in proptest::collection::vec(any::<u8>(), 0..2_000),
        kind in 0..3usize,
    ) {
        let kind = ["text/plain", "text/html", "application/json"][kind];
        let said = send("POST", "/api/v1/geoparse", kind, &body);
        prop_assert!(said.status < 500, "{said:?}");
    }
}

const ROUTES: [&str; 24] = [
    "/api/v1/search",
    "/api/v1/suggest",
    "/api/v1/places",
    "/api/v1/places/gn:658225",
    "/api/v1/places/gn:658225/children",
    "/api/v1/places/gn:658225/neighbours",
    "/api/v1/places/gn:658225/nearby",
    "/api/v1/places/gn:658225/pages",
    "/search.geojson",
    "/search.kml",
    "/search.csv",
    "/search.atom",
    "/opensearch/html",
    "/opensearch/atom",
    "/opensearch/geojson",
    "/opensearch/suggest",
    "/api",
    "/reverse",
    "/nominatim/search",
    "/nominatim/reverse",
    "/ogc",
    "/ogc/collections/pages/items",
    "/ogc/collections/places/items",
    "/ogc/collections/pages/items/hel-museum",
];

const NAMES: [&str; 28] = [
    "q",
    "what",
    "relation",
    "where",
    "choose",
    "at",
    "bbox",
    "circle",
    "polygon",
    "sort",
    "skip",
    "limit",
    "page",
    "name",
    "lat",
    "lon",
    "zoom",
    "format",
    "datetime",
    "offset",
    "start",
    "end",
    "count",
    "radius",
    "viewbox",
    "countrycodes",
    "kind",
    "reach",
];

/// What people, programs and attackers write.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,30}",
        "[-+0-9.e,/ ]{0,24}",
        Just("museum near Helsinki".to_owned()),
        Just("60.17,24.94".to_owned()),
        Just("-180,-90,180,90".to_owned()),
        Just("170,-20,-170,20".to_owned()),
        Just("NaN".to_owned()),
        Just("1e308".to_owned()),
        Just("18446744073709551615".to_owned()),
        Just("-9999-01-01/9999-12-31".to_owned()),
        Just("gn:660013".to_owned()),
        Just("\u{0}\u{202e}'\"<>&".to_owned()),
    ]
}
