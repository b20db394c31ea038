//! The pages that people see.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;

use web::Settings;

use crate::server::{Said, Server, exchange, get as get_with};

/// Some pages, one of them hostile in every field.
fn documents() -> String {
    let hostile = serde_json::json!({
        "id": "<i>\"'&/../..",
        "url": "javascript:alert(1)//</script>",
        "title": "</title><script>alert(1)</script> museum",
        "text": "<script>alert(1)</script>\n\" onmouseover=\"alert(2) museum in Helsinki {{ 7*7 }} </script>",
        "place": "Helsinki",
        "topic": ["<b>topic</b>"],
        "published": "2024-06-01",
    });
    let mut lines = hostile.to_string();
    for number in 0..40 {
        let (lat, lon) = (60.16 + f64::from(number) * 0.001, 24.93 + f64::from(number) * 0.001);
        let month = number % 12 + 1;
        let page = serde_json::json!({
            "id": format!("m{number}"),
            "url": format!("https://museums-{}.example/{number}", number % 7),
            "title": format!("Museum number {number}"),
            "text": format!("The museum of hall {number} in Helsinki shows old maps, ships and stories of the harbour. It opens at ten."),
            "points": [lon, lat],
            "published": format!("2024-{month:02}-10"),
            "language": if number % 3 == 0 { "de" } else { "en" },
        });
        lines += &format!("\n{page}");
    }
    let map = serde_json::json!({
        "id": "map", "url": "https://maps.museum/old", "title": "A map", "text": "An old chart.",
        "topic": "Maps",
    });
    lines += &format!("\n{map}");
    let quay = serde_json::json!({
        "id": "quay", "url": "https://quays.example/1", "title": "A quay",
        "text": "An old quay in Denmark, where ships are mended.", "language": "en",
    });
    lines += &format!("\n{quay}");
    lines
}

/// The address of the server that all tests here ask.
static SERVER: LazyLock<SocketAddr> =
    LazyLock::new(|| Server::for_ever(&documents(), Settings::default()));

fn get(target: &str) -> Said {
    get_with(*SERVER, target, "")
}

#[track_caller]
fn good(target: &str) -> Said {
    let said = get(target);
    assert_eq!(said.status, 200, "{target}: {}", said.body);
    said
}

const HOSTILE: &str = "/page/%3Ci%3E%22%27%26%2F..%2F..";
/// One address of every page.
const PAGES: [&str; 12] = [
    "/",
    "/search?q=museum+in+Helsinki",
    "/search?q=museum&explain=true&page=2",
    "/search?q=museum&circle=60.17,24.94,3000",
    "/search?q=nothinglikethis+in+Helsinki",
    "/place",
    "/place/gn:658225/helsinki",
    "/place/gn:658225/helsinki?theme=museum",
    HOSTILE,
    "/statistics?q=museum&q=harbour",
    "/help",
    "/about",
];

#[test]
fn every_page_is_whole_and_guarded() {
    for target in PAGES {
        let said = good(target);
        assert!(said.body.ends_with("</html>\n") || said.body.ends_with("</html>"), "{target}");
        assert_eq!(said.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = said.header("content-security-policy").expect("a policy");
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        for name in
            ["x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy"]
        {
            assert!(said.header(name).is_some(), "{target} has no {name}");
        }
        assert!(!said.body.contains(" style=") && !said.body.contains(" onclick="), "{target}");
    }
}

#[test]
fn every_page_has_one_box_to_search_with() {
    for target in PAGES.into_iter().chain(["/nothing", "/statistics"]) {
        let body = get(target).body;
        assert_eq!(body.matches("role=\"search\"").count(), 1, "{target}");
        assert_eq!(body.matches(" id=\"q\"").count(), 1, "{target}");
    }
}

#[test]
fn topics_are_offered_and_counted() {
    for target in ["/statistics", "/help"] {
        let body = good(target).body;
        assert!(body.contains("inclass%3A%22Maps%22") && body.contains(">Maps</a>"), "{target}");
    }
    assert!(good("/search?q=inclass:maps").body.contains("One page found"));
}

#[test]
fn statistics_are_a_table_by_month_or_by_place() {
    let by_month = good("/statistics.csv?q=museum").body;
    assert!(by_month.starts_with("\"month\",\"museum\"\r\n\"2024-"), "{by_month}");
    let by_place = good("/statistics.csv?by=place&q=museum").body;
    assert!(by_place.starts_with("\"place\",\"key\",\"museum\"\r\n"), "{by_place}");
    assert!(by_place.contains("\"gn:"), "{by_place}");
    let page = good("/statistics?q=museum").body;
    assert!(page.contains("href=\"/place/gn:") && page.contains("by=place"), "{page}");
    assert!(!page.contains("places=all"), "there are no more");
}

#[test]
fn no_place_is_left_out_of_browsing_and_of_statistics() {
    let gazetteer = world::gazetteer();
    let europe = gazetteer.by_key("gn:660013").and_then(|it| it.parent()).expect("a continent");
    // A page about each of sixty places of one region: more than are shown or counted at first.
    let mut regions = gazetteer.children(europe.id()).flat_map(|it| gazetteer.children(it.id()));
    let region = regions.find(|it| gazetteer.children(it.id()).count() >= 60).expect("a region");
    let parts: Vec<_> = gazetteer.children(region.id()).take(60).collect();
    let mut lines = String::new();
    for (part, number) in parts.iter().zip(0..) {
        let page = serde_json::json!({
            "id": format!("p{number}"), "url": format!("https://a{number}.example/"), "title": "A mill",
            "text": "An old mill with a story of its own.", "place": part.key(),
        });
        lines += &format!("{page}\n");
    }
    let address = Server::for_ever(&lines, Settings::default());
    let good = |target: &str| {
        let said = get_with(address, target, "");
        assert_eq!(said.status, 200, "{target}: {}", said.body);
        said
    };
    let names = |target: &str, class: &str| {
        let body = good(target).body;
        let list =
            body.split(class).nth(1).and_then(|it| it.split("</ul>").next()).unwrap_or_default();
        (list.matches("<li>").count(), list.to_owned())
    };
    let list = "<ul class=\"children\">";
    for theme in ["", "?theme=mill"] {
        let (count, _) = names(&format!("/place/{}/x{theme}", region.key()), list);
        assert_eq!(count, 60, "{theme}");
        // Continents have pages within a theme as they have without one.
        let (_, first) = names(&format!("/place{theme}"), list);
        assert!(first.contains(&format!("/place/{}", europe.key())), "{theme}: {first}");
        assert!(first.contains("<span>60</span>"), "{theme}: {first}");
        good(&format!("/place{theme}"))
            .says("Places in it with pages <small class=\"note\">1</small>");
    }
    // A place nearby is counted within the theme, and left out where it has no page about it.
    let near = |theme: &str| {
        let page = good(&format!("/place/{}/x?theme={theme}", parts[0].key())).body;
        page.contains("Nearby places with pages") && page.contains("<span>1 · ")
    };
    assert!(near("mill") && !near("castle"));

    let query = format!("mill+in+[{}]", region.key());
    let page = good(&format!("/statistics?q={query}"));
    page.says("The 20 with most pages, of 60 places.");
    let link = page.body.split("href=\"").find(|it| it.contains("places=all")).expect("a link");
    let link =
        link.split('"').next().unwrap_or_default().replace("&#38;", "&").replace("&amp;", "&");
    let all = good(link.split('#').next().expect("an address"));
    assert_eq!(all.body.matches("<th scope=\"row\"><a href=\"/place/").count(), 60);
    let csv = good(&format!("/statistics.csv?by=place&q={query}")).body;
    assert_eq!(csv.lines().count(), 61, "{csv}");
}

#[test]
fn help_shows_examples_that_find_something() {
    let body = good("/help").body;
    for text in ["museums in Helsinki", "near Helsinki", "within 5 km of Helsinki"] {
        let line = body.lines().find(|it| it.contains(text)).unwrap_or_else(|| panic!("no {text}"));
        let target = line.split("href=\"").nth(1).and_then(|it| it.split('"').next());
        let found = good(&target.expect("a link").replace("&amp;", "&")).body;
        assert!(found.contains("class=\"card\""), "{text}");
    }
    assert!(
        body.contains("<td>trains from Berlin to Munich</td>"),
        "what finds nothing has no link"
    );
}

#[test]
fn whose_map_it_is_stands_under_it_without_scripts() {
    for target in ["/search?q=museum+in+Helsinki", "/place/gn:658225/helsinki", "/page/m1"] {
        let body = good(target).body;
        let plain = body.split("<noscript>").nth(1).and_then(|it| it.split("</noscript>").next());
        assert!(plain.is_some_and(|it| it.contains(">OpenStreetMap</a>")), "{target}");
    }
    assert!(
        good("/map.svg?q=museum").body.contains("Natural Earth, OpenStreetMap, GeoNames</text>")
    );
    // No name of the map shows through.
    good("/map.svg?q=museum").says("fill-opacity=\"0.85\"/><text class=\"map-label\" x=\"636\"");
}

#[test]
fn german_readers_are_told_in_german_what_was_understood() {
    let german = |target: &str| get_with(*SERVER, target, "Accept-Language: de\r\n").body;
    let body = german("/search?q=museum+near+Helsinki+lang:x");
    for part in ["nahe Helsinki, Uusimaa, Finnland", "wird als Wort gelesen"] {
        assert!(body.contains(part), "no {part}: {body}");
    }
    assert!(german("/search?q=museum+near+Helsinki").contains("Gespeicherte Kopie"));
    assert!(german("/search?q=museum&sort=luck").contains("sort ist relevance"));
    assert!(german("/place").contains(">Europa</a>"));
}

#[test]
fn a_title_leads_to_the_page_and_a_link_to_its_stored_copy() {
    let body = good("/search?q=title:map+inclass:maps").body;
    assert!(
        body.contains("<a href=\"https://maps.museum/old\" rel=\"noopener nofollow ugc\""),
        "{body}"
    );
    assert!(body.contains("<a class=\"copy\" href=\"/page/map\""), "{body}");
    // Nobody can be under a name that is set aside for examples.
    assert!(good("/search?q=museum").body.contains("</span><a href=\"/page/m"));
    let address = |target: &str| {
        let body = good(target).body;
        body.split("<p class=\"address\">")
            .nth(1)
            .and_then(|it| it.split("</p>").next())
            .map(str::to_owned)
    };
    assert_eq!(address("/page/m1").as_deref(), Some("https://museums-1.example/1"));
    assert!(address("/page/map").is_some_and(|it| it.contains("href=\"https://maps.museum/old\"")));
}

#[test]
fn who_cannot_see_that_a_word_is_a_place_hears_which_one() {
    let check = |language: &str, heard: &str| {
        let head = format!("Accept-Language: {language}\r\n");
        let said = get_with(*SERVER, "/page/quay", &head);
        let link = said.body.split("<a class=\"place\"").nth(1).expect("a place is named");
        let link = link.split("</a>").next().unwrap_or_default();
        let spoken =
            format!(">Denmark</span><span class=\"unseen\" lang=\"{language}\"> {heard}</span>");
        assert!(link.ends_with(&spoken), "{link}");
    };
    check("en", "(place: Denmark)");
    check("de", "(Ort: Dänemark)");
}

#[test]
fn crawled_text_never_becomes_markup() {
    for target in [
        "/search?q=museum+in+Helsinki&sort=time",
        "/search?q=title:alert",
        HOSTILE,
        "/place/gn:658225/helsinki",
    ] {
        let said = good(target);
        assert!(!said.body.contains("<script>alert"), "{target}");
        assert!(!said.body.contains("\" onmouseover=\""), "{target}");
        assert!(!said.body.contains("href=\"javascript:"), "{target}");
        assert!(!said.body.contains("<b>topic"), "{target}");
    }
    assert!(
        good(HOSTILE).body.contains("&#60;script&#62;alert(1)")
            || good(HOSTILE).body.contains("&lt;script&gt;alert(1)")
    );
    let asked = good("/search?q=%3Cscript%3Ealert(3)%3C/script%3E");
    assert!(!asked.body.contains("<script>alert(3)"));
}

#[test]
fn a_result_page_keeps_within_its_budget() {
    let said = get_with(*SERVER, "/search?q=museum+in+Helsinki", "Accept-Encoding: gzip\r\n");
    assert_eq!((said.status, said.header("content-encoding")), (200, Some("gzip")));
    assert!(said.sent <= 15_000, "the page has {} bytes", said.sent);
    assert!(said.body.contains("41 pages found"), "{}", said.body);
    assert_eq!(said.body.matches("<article").count(), 10);
}

#[test]
fn a_list_has_numbers_places_and_ways_to_narrow_it() {
    let body = good("/search?q=museum+near+Helsinki&page=2").body;
    for part in [
        "id=\"hit-11\"",
        "data-lat=\"60.",
        "rel=\"prev\"",
        "site:museums-",
        "/search.geojson?",
        "sort=distance",
        "class=\"bars\"",
        "<noscript><picture><source media=\"(max-width: 26rem)\" srcset=\"/map.svg?",
    ] {
        assert!(
            body.contains(part) || body.contains(&part.replace(':', "%3A")),
            "there is no {part}"
        );
    }
    let choice = good("/search?q=schools+in+Athens").body;
    assert!(choice.contains("choose=gn") && choice.contains("Georgia"), "other Athens are offered");
}

#[test]
fn what_nobody_calls_near_stands_under_a_line_that_says_so() {
    let near = good("/search?q=museum+near+Helsinki").body;
    assert!(near.contains("41 pages found ·") && !near.contains("class=\"farther\""), "{near}");
    let far = good("/search?q=museum+near+Tokyo").body;
    assert!(far.contains("41 pages found, none of them near"), "{far}");
    assert!(far.contains("There is nothing near Tokyo, Japan. These are farther away:"), "{far}");
    assert!(far.contains("sort=distance\" rel=\"nofollow\">The nearest first</a>"), "{far}");
    let line = |it: &str| it.find("class=\"farther\"");
    assert!(line(&far) < far.find("<ol class=\"cards\""), "it stands above the list");
    assert!(!good("/search?q=museum+in+Helsinki").body.contains(" data-far"));
    let german = get_with(*SERVER, "/search?q=museum+near+Tokyo", "Accept-Language: de\r\n").body;
    assert!(german.contains("41 Seiten gefunden, keine davon in der Nähe"), "{german}");
}

#[test]
fn pictures_are_drawn_as_wide_as_they_are_shown() {
    let wide = |target: &str| good(target).body.contains(" width=\"320\" ");
    assert!(wide("/map.svg?q=museum&wide=320") && !wide("/map.svg?q=museum"));
    for target in ["/search?q=museum", "/place", "/place/gn:658225/helsinki", "/page/m1"] {
        assert!(good(target).body.contains("&amp;wide=3"), "{target}");
    }
}

#[test]
fn a_place_without_an_outline_is_a_dot_on_its_map() {
    let gazetteer = world::gazetteer();
    let bare = gazetteer.geocode("Alavus", None, 1)[0].place;
    let (with, without) = ("gn:660013", bare.key());
    assert!(!bare.has_outline() && gazetteer.by_key(with).is_some_and(|it| it.has_outline()));
    for (key, is_dot) in [(with, false), (without, true)] {
        let picture = good(&format!("/map.svg?place={key}")).body;
        assert_eq!(picture.contains("class=\"map-mark\""), is_dot, "{key}");
        let page = good(&format!("/place/{key}/x")).body;
        assert!(page.contains(&format!("\"isDot\":{is_dot}")), "{key}: {page}");
    }
}

#[test]
fn how_far_a_hit_is_is_said_where_that_was_asked() {
    for target in [
        "/search?q=museum+near+Helsinki",
        "/search?q=museum+in+Helsinki&sort=distance",
        "/search?q=museum&circle=60.17,24.94,3000",
    ] {
        good(target).says("data-way=\"");
    }
    // How far it is from the middle of a continent says nothing.
    for target in ["/search?q=museum+in+Europe", "/search?q=museum"] {
        assert!(!good(target).body.contains("data-way=\""), "{target}");
    }
}

#[test]
fn a_radius_is_changed_by_a_number() {
    let body = good("/search?q=museum+within+2+km+of+Helsinki").body;
    assert!(body.contains("name=\"km\"") && body.contains("value=\"2\""));
    let near = good("/search?what=museum&where=Helsinki&km=0.5").body;
    let far = good("/search?what=museum&where=Helsinki&km=20").body;
    assert!(far.contains("41 pages found") && !near.contains("41 pages found"));
    assert!(far.contains("value=\"museum, within 20 km of [Helsinki]\""));
    assert_eq!(get("/search?what=museum&where=Helsinki&km=far").status, 400);
    // What is near has a radius, too, to be changed to another.
    let soft = good("/search?q=museum+near+Helsinki").body;
    assert!(soft.contains("name=\"km\"") && soft.contains("name=\"where\" value=\"Helsinki\""));
    assert!(!good("/search?q=museum+in+Helsinki").body.contains("name=\"km\""));
}

#[test]
fn what_is_wrong_is_said_and_the_form_stays() {
    let said = get("/search?q=museum&sort=colour");
    assert_eq!(said.status, 400);
    assert_eq!(said.body.matches("<h1").count(), 1, "whoever hears the page is told what it is");
    assert!(
        said.body.contains("sort is relevance, distance or time")
            && said.body.contains("value=\"museum\"")
    );
    for (target, status) in
        [("/nothing", 404), ("/page/none", 404), ("/place/gn:0/x", 404), ("/statistics?q=-", 400)]
    {
        assert_eq!(get(target).status, status, "{target}");
    }
    let bare = get("/place/gn:658225?theme=old+maps&page=2");
    let whole = "/place/gn:658225/helsinki?theme=old+maps&page=2";
    assert_eq!((bare.status, bare.header("location")), (308, Some(whole)));
    let read = get("/page/none/feedback");
    assert_eq!(read.status, 405);
    read.says("This address cannot be used in this way.");
}

#[test]
fn another_place_is_advised_only_where_it_can_help() {
    let nowhere = good("/search?q=nothinglikethis+in+Helsinki");
    nowhere.says("No page has these words, here or elsewhere.");
    assert!(!nowhere.body.contains("Look everywhere"), "it would not help");
    assert!(!nowhere.body.contains("Look within 50 km"), "it would not help");
    good("/search?q=ships+in+Monaco").says("Look everywhere");
}

#[test]
fn a_place_named_after_a_region_was_drawn_takes_its_place() {
    let circle = "circle=43.73,7.42,3000";
    let said = good(&format!("/search?q=museum+in+Helsinki&{circle}&drawn_for=museum"));
    said.says("41 pages found");
    said.says("Keep the region");
    said.says("data-address=\"/search?q=museum+in+Helsinki\"");
    assert!(!said.body.contains("name=\"circle\""), "the form has let go of it");
    // Neither the same text nor one without a place puts an end to it.
    for target in [
        format!("/search?q=museum+in+Helsinki&{circle}&drawn_for=museum+in+Helsinki"),
        format!("/search?q=ships&{circle}&drawn_for=museum"),
        format!("/search?q=museum+in+Helsinki&{circle}"),
    ] {
        let said = good(&target);
        said.says("Nothing found");
        said.says("name=\"circle\"");
    }
}

#[test]
fn names_that_are_not_ours_are_passed_over_and_what_cannot_be_read_is_named() {
    for target in ["/search?q=museum&utm_source=x", "/map.svg?q=museum&utm_source=x"] {
        good(target);
    }
    let unread = get("/search?q=museum&page=abc");
    assert_eq!(unread.status, 400);
    unread.says("value=\"museum\"");
    unread.says("“page” in the address of this page cannot be read.");
    let unread = get("/place/gn:658225/helsinki?page=abc");
    assert_eq!(unread.status, 400);
    unread.says("“abc” is no number of a page.");
}

#[test]
fn robots_are_told_what_is_worth_reading() {
    let robots = good("/robots.txt");
    assert_eq!(robots.header("content-type"), Some("text/plain; charset=utf-8"));
    robots.says("Disallow: /search\n");
    let noindex = "<meta name=\"robots\" content=\"noindex\">";
    for target in ["/search?q=museum", "/page/m1"] {
        good(target).says(noindex);
    }
    for target in ["/", "/place", "/place/gn:658225/helsinki", "/help", "/about"] {
        assert!(!good(target).body.contains(noindex), "{target}");
    }
}

#[test]
fn no_file_of_the_server_can_be_asked_for() {
    for target in [
        "/static/x/../../Cargo.toml",
        "/static/x/..%2f..%2fCargo.toml",
        "/../etc/passwd",
        "/page/..%2f..%2fetc%2fpasswd",
        "/tiles/0/0/..%2f0.mvt",
    ] {
        assert!(matches!(get(target).status, 400 | 404), "{target}");
    }
}

#[test]
fn the_page_speaks_german_to_who_wants_it() {
    let said =
        get_with(*SERVER, "/search?q=museum+in+Helsinki", "Accept-Language: de-AT,en;q=0.5\r\n");
    assert!(said.body.contains("<html lang=\"de\">") && said.body.contains("41 Seiten gefunden"));
    let chosen = get("/language/de?back=/help");
    assert_eq!((chosen.status, chosen.header("location")), (303, Some("/help")));
    assert!(chosen.header("set-cookie").expect("a cookie").starts_with("language=de;"));
    assert_eq!(get("/language/de?back=https://example.org").header("location"), Some("/"));
}

#[test]
fn tiles_and_drawn_maps_are_served() {
    let tile = get("/tiles/0/0/0.mvt");
    assert_eq!((tile.status, tile.header("content-encoding")), (200, Some("gzip")));
    assert_eq!(get("/tiles/99/0/0.mvt").status, 204);
    let picture = good("/map.svg?q=museum+in+Helsinki");
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.body.starts_with("<svg ") && picture.body.contains("map-pin"));
    let policy = picture.header("content-security-policy").expect("a policy");
    assert!(policy.contains("style-src 'nonce-") && !policy.contains("unsafe"), "{policy}");
    let place = good("/map.svg?place=gn:658225&theme=museum&page=2");
    place.says("<title>Map of Helsinki</title>");
    // Its pins have the numbers of the list.
    place.says(">11</text>");
    good("/place/gn:658225/helsinki?theme=museum&page=2")
        .says("/map.svg?place=gn%3A658225&#38;theme=museum&#38;page=2");
}

#[test]
fn feedback_is_kept_and_thanked_for() {
    let said = post_feedback("m1", "wrong=Helsinki&right=Espoo".len());
    assert_eq!((said.status, said.header("location")), (303, Some("/page/m1?thanks#feedback")));
    let thanked = good("/page/m1?thanks").body;
    assert!(thanked.contains("id=\"feedback\" role=\"status\">Thank you. It was kept"));
    assert_eq!(post_feedback("none", 10).status, 404);
    // Who says nothing is asked again, with the form open.
    let said = post_feedback("m1", "wrong=".len());
    assert_eq!((said.status, said.header("location")), (303, Some("/page/m1?empty#feedback")));
    good("/page/m1?empty").says("Nothing was sent");
    assert_eq!(good("/page/m1").header("referrer-policy"), Some("same-origin"));
    let foreign = post_feedback_from("Origin: https://elsewhere.example\r\n", "m1", 26);
    assert_eq!(foreign.status, 403);
    foreign.says("This form was not sent from a page of this server.");
    assert_eq!(post_feedback_from("Origin: http://x\r\n", "m1", 26).status, 303);
}

/// Says that a page is in Espoo, with a body that is said to have this length.
fn post_feedback(page: &str, length: usize) -> Said {
    post_feedback_from("", page, length)
}

/// The same with more lines in the head.
fn post_feedback_from(origin: &str, page: &str, length: usize) -> Said {
    let head = format!(
        "POST /page/{page}/feedback HTTP/1.1\r\nHost: x\r\n{origin}Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n"
    );
    exchange(*SERVER, &head, b"wrong=Helsinki&right=Espoo")
}

#[test]
fn who_asks_too_much_is_told_to_wait() {
    let settings = Settings { rate: 1, behind_proxy: true, ..Settings::default() };
    let address = Server::for_ever(&documents(), settings);
    let ask =
        |who: &str, target: &str| get_with(address, target, &format!("X-Forwarded-For: {who}\r\n"));
    let refused = |target: &str| {
        let mut said = (0..50).map(|_| ask("198.51.100.7", target));
        said.find(|it| it.status == 429).expect("it asks too much")
    };
    let page = refused("/help");
    assert_eq!(page.header("retry-after"), Some("1"));
    page.says("That was too much at once");
    assert_eq!(ask("198.51.100.8", "/help").status, 200);
    for target in ["/api/v1/suggest?q=hels", "/ogc", "/nominatim/search?q=hels", "/search.csv?q=x"]
    {
        let said = refused(target);
        assert!(said.json()["error"].as_str().unwrap().contains("wait"), "{target}");
        assert_eq!(said.header("retry-after"), Some("1"), "{target}");
    }
}

#[test]
fn large_heads_and_bodies_are_refused() {
    let huge = format!("X-Large: {}\r\n", "x".repeat(10 << 20));
    let mut stream = TcpStream::connect(*SERVER).unwrap();
    let _ = stream.write_all(format!("GET / HTTP/1.1\r\nHost: x\r\n{huge}\r\n").as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(
        answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"),
        "{:?}",
        &answer[..answer.len().min(80)]
    );
    assert_eq!(post_feedback("m1", 10_000_000).status, 413);
    good("/help");
}
