//! The forms of the search page: whatever one changes, all else is asked again as it was.

use std::net::SocketAddr;
use std::sync::LazyLock;

use web::Settings;

use crate::server::{Said, Server, get as get_with};

/// Museums in the lesser of two towns of a name, in the greater one, and around Helsinki; a temple in a region that is
/// called like its capital, and not in that.
fn documents() -> String {
    let page = |id: String, lon: f64, lat: f64| {
        let text = "A museum of bridges and their builders.";
        let page = serde_json::json!({
            "id": id, "url": format!("https://museum.example/{id}"), "title": format!("Museum {id}"),
            "text": text, "points": [lon, lat], "published": "2024-03-01", "language": "en",
        });
        page.to_string()
    };
    let oder = (0..3).map(|it| page(format!("oder{it}"), 14.54 + f64::from(it) * 0.01, 52.34));
    let main = (0..2).map(|it| page(format!("main{it}"), 8.68, 50.11 + f64::from(it) * 0.01));
    let far = [page("helsinki".into(), 24.94, 60.17), page("espoo".into(), 24.66, 60.21)];
    let temple = serde_json::json!({
        "id": "hammadi", "url": "https://temple.example/", "title": "A temple", "text": "A temple.",
        "points": [32.24, 26.05], "language": "en",
    });
    let all = oder.chain(main).chain(far).chain([temple.to_string()]);
    all.collect::<Vec<_>>().join("\n")
}

static SERVER: LazyLock<SocketAddr> =
    LazyLock::new(|| Server::for_ever(&documents(), Settings::default()));

/// The lesser Frankfurt, which its name alone does not mean.
const ODER: &str = "gn:2925535";

#[track_caller]
fn good(target: &str) -> Said {
    let said = get_with(*SERVER, target, "");
    assert_eq!(said.status, 200, "{target}: {}", said.body);
    said
}

/// The page that a form of another leads to, with some of its fields changed: what a browser sends of the form that holds a
/// text. A field that is not there fails.
#[track_caller]
fn sent(page: &Said, form: &str, changed: &[(&str, &str)]) -> Said {
    good(&address(page, form, changed))
}

#[track_caller]
fn address(page: &Said, form: &str, changed: &[(&str, &str)]) -> String {
    let forms = page.body.split("<form").skip(1).filter_map(|it| it.split("</form>").next());
    let form = forms.into_iter().find(|it| it.contains(form)).expect("there is such a form");
    let mut fields = Vec::new();
    for piece in form.split('<') {
        let of = |name: &str| {
            let value = piece.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
            Some(value.replace("&#34;", "\"").replace("&#38;", "&").replace("&amp;", "&"))
        };
        if let Some(name) = of("name") {
            fields.push((name, of("value").unwrap_or_default()));
        } else if piece.starts_with("option ") && piece.contains(" selected>") {
            fields.last_mut().expect("options stand in a field").1 = of("value").expect("a value");
        }
    }
    for (name, value) in changed {
        let field = fields.iter_mut().find(|it| it.0 == *name);
        (*value).clone_into(&mut field.unwrap_or_else(|| panic!("no {name} in {form}")).1);
    }
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    format!("/search?{}", pairs.extend_pairs(fields).finish())
}

/// What the chip of the place says.
fn place(page: &Said) -> String {
    let chip = page.body.split("class=\"chip where\"").nth(1).unwrap_or_default();
    let label = chip.split("<span dir=\"auto\">").nth(1).unwrap_or_default();
    label.split('<').next().unwrap_or_default().to_owned()
}

const BOX: &str = "id=\"q\"";
const THREE: &str = "name=\"where\" id=\"where\"";
const RADIUS: &str = "id=\"km\"";

#[test]
fn another_radius_is_one_around_the_same_place() {
    for asked in ["museum+near+[Frankfurt+gn:2925535]", "museum+near+Frankfurt&choose=gn:2925535"] {
        let near = good(&format!("/search?q={asked}"));
        assert_eq!(place(&near), "near Frankfurt (Oder), Brandenburg, Germany");
        let within = sent(&near, RADIUS, &[("km", "7")]);
        assert_eq!(place(&within), "within 7 km of Frankfurt (Oder), Brandenburg, Germany");
        within.says("3 pages found");
        let wider = sent(&within, RADIUS, &[("km", "9")]);
        assert_eq!(place(&wider), "within 9 km of Frankfurt (Oder), Brandenburg, Germany");
    }
}

#[test]
fn advice_to_look_farther_is_about_the_same_place() {
    let none = good("/search?q=museum+within+500+m+of+[Frankfurt+gn:2925535]");
    none.says("Look within 50 km of Frankfurt (Oder), Brandenburg, Germany");
    none.says("where=Frankfurt&#38;choose=gn%3A2925535&#38;km=50");
}

#[test]
fn advice_leads_to_the_region_that_it_names_and_not_to_the_town_of_its_name() {
    let wider = good("/search?q=temple+in+[Esna+gn:355449]");
    wider.says("in+%5BQena+gn%3A350546%5D\" rel=\"nofollow\">Look in Qena, Egypt instead<");
    good("/search?q=temple%2C+in+%5BQena+gn%3A350546%5D").says("One page found");
    good("/search?q=temple+in+[Qena,+Egypt]").says("Nothing found");
    let alone = good("/search?q=nothinglikethis+in+[Qena+gn:350546]");
    alone.says("in+%5BQena+gn%3A350546%5D\" rel=\"nofollow\">All pages about Qena, Egypt<");
}

#[test]
fn a_radius_of_some_metres_can_be_changed() {
    let body = good("/search?q=museum+within+50+m+of+Helsinki").body;
    assert!(body.contains("min=\"0.001\" max=\"20000\" step=\"any\" value=\"0.05\""), "{body}");
}

#[test]
fn a_ring_has_a_number_for_either_edge() {
    let ring = good("/search?q=museum+between+2+and+5+km+from+Helsinki");
    ring.says("name=\"from_km\" type=\"number\" min=\"0\" max=\"20000\" step=\"any\" value=\"2\"");
    ring.says("\"inner\":2000.0");
    let other = sent(&ring, RADIUS, &[("from_km", "10"), ("km", "30")]);
    assert_eq!(place(&other), "between 10 km and 30 km from Helsinki, Uusimaa, Finland");
    other.says("One page found");
    let whole = sent(&ring, RADIUS, &[("from_km", "0"), ("km", "30")]);
    assert_eq!(place(&whole), "within 30 km of Helsinki, Uusimaa, Finland");
    assert_eq!(get_with(*SERVER, "/search?what=a&where=Rome&km=5&from_km=x", "").status, 400);
}

#[test]
fn a_direction_is_turned_to_another() {
    let north = good("/search?q=museum+north+of+[Frankfurt+gn:2925535]");
    north.says("\"bearing\":0.0");
    let west = sent(&north, "id=\"direction\"", &[("relation", "south-west of")]);
    assert_eq!(place(&west), "south-west of Frankfurt (Oder), Brandenburg, Germany");
    west.says("<option value=\"south-west of\" selected>");
}

#[test]
fn three_fields_sent_as_they_are_ask_the_same() {
    for asked in [
        "museum near [Frankfurt gn:2925535]",
        "museum within 2 km of Helsinki",
        "museum within 5 km of Helsinki",
        "museum within 800 m of Helsinki",
        "museum between 2 and 5 km from Helsinki",
        "museum between Frankfurt (Oder) and Berlin",
        "museum between [Paris, Texas] and [Dallas]",
        "museum along Berlin, Leipzig, Munich",
        "museum north-east of Helsinki",
        "museum south-west of Helsinki",
        "museum next to Helsinki",
        "museum overlapping Uusimaa",
        "museum around Helsinki",
        "museum at Helsinki",
        "museum in Helsinki",
        "museum",
    ] {
        let mut pairs = url::form_urlencoded::Serializer::new(String::new());
        let page = good(&format!("/search?{}", pairs.append_pair("q", asked).finish()));
        assert_eq!(place(&sent(&page, THREE, &[])), place(&page), "{asked}");
    }
}

#[test]
fn three_fields_keep_the_region_until_they_name_a_place() {
    let page = good("/search?q=museum&circle=52.34,14.55,3000");
    let same = sent(&page, THREE, &[("what", "bridges")]);
    assert_eq!(place(&same), "in the region on the map");
    same.says("3 pages found");
    let other = sent(&page, THREE, &[("where", "Helsinki")]);
    assert_eq!(place(&other), "in Helsinki, Uusimaa, Finland");
    other.says("Keep the region");
    // The same, where the box was empty.
    let page = good("/search?circle=52.34,14.55,3000");
    assert_eq!(place(&sent(&page, BOX, &[("q", "in Helsinki")])), "in Helsinki, Uusimaa, Finland");
}

#[test]
fn a_choice_holds_until_the_text_names_another_place() {
    let page = good(&format!("/search?q=museum+in+Frankfurt&choose={ODER}"));
    let chosen = "in Frankfurt (Oder), Brandenburg, Germany";
    assert_eq!(place(&page), chosen);
    let longer = sent(&page, BOX, &[("q", "museum bridges in Frankfurt")]);
    assert_eq!(place(&longer), chosen);
    longer.says("data-address=\"/search?q=museum+bridges+in+Frankfurt&#38;choose=gn%3A2925535\"");
    assert_eq!(place(&sent(&longer, BOX, &[("q", "bridges in Frankfurt")])), chosen);
    for (form, field, text) in
        [(BOX, "q", "museum in Helsinki"), (THREE, "where", "Helsinki"), (BOX, "q", "museum")]
    {
        let other = sent(&page, form, &[(field, text)]);
        let expected = if text == "museum" { "" } else { "in Helsinki, Uusimaa, Finland" };
        assert_eq!(place(&other), expected);
        assert!(!other.body.contains("choice is left out"), "nobody has asked for it: {text}");
    }
    // Who sends the choice along with the text is told that it is not for it.
    good(&format!("/search?q=museum+in+Helsinki&choose={ODER}")).says("the choice is left out");
}

#[test]
fn a_position_is_there_for_the_next_search_too() {
    let page = good("/search?q=museum+near+me&at=60.170,24.940");
    assert_eq!(place(&page), "near your position");
    let other = sent(&page, BOX, &[("q", "bridges near me")]);
    assert_eq!(place(&other), "near your position");
    assert_eq!(place(&sent(&other, THREE, &[("what", "museum")])), "near your position");
}

#[test]
fn more_statistics_are_of_the_same_pages() {
    let link = |target: &str| {
        let body = good(target).body;
        let link = body.split("href=\"/statistics?q=").nth(1).and_then(|it| it.split('"').next());
        link.map(|it| it.replace("&#38;", "&"))
    };
    let here = link("/search?q=museum+near+me&at=60.170,24.940");
    assert_eq!(here.as_deref(), Some("museum%2C+near+%5Bgeo%3A60.17%2C24.94%5D"));
    let circle = link("/search?q=museum&circle=52.34,14.55,3000");
    assert_eq!(circle.as_deref(), Some("museum%2C+within+3000+m+of+%5Bgeo%3A52.34%2C14.55%5D"),);
    let counted = good(&format!("/statistics?q={}", circle.unwrap_or_default()));
    counted.says("<td class=\"number\">3</td>");
    let drawn = "/search?q=museum&bbox=14.5,52.3,14.6,52.4";
    assert_eq!(link(drawn), None);
    good(drawn).says("There are no more statistics of a region on the map.");
}

#[test]
fn places_to_narrow_down_to_lie_where_one_looks_or_take_its_place() {
    let near = good("/search?q=museum+near+Helsinki").body;
    let places = near.split("<h3>Places</h3>").nth(1).and_then(|it| it.split("</ul>").next());
    let places = places.expect("there are places");
    assert!(places.contains("These take the place of “near Helsinki, Uusimaa, Finland”."));
    assert!(places.contains(">Helsinki</a>") && places.contains(">Espoo</a>"), "{places}");
    assert!(!good("/search?q=museum+in+Germany").body.contains("These take the place of"));
}

#[test]
fn a_way_and_a_place_say_what_they_are() {
    let near = good("/search?q=bridges+near+Helsinki");
    near.says("title=\"Distance and direction from Helsinki, Uusimaa, Finland\"");
    let text = r#"{"id":"a","url":"https://a.example/","title":"A bridge","text":"A bridge leads out of Helsinki to an island."}"#;
    let server = Server::for_ever(text, Settings::default());
    let said = get_with(server, "/search?q=bridge+in+Helsinki", "");
    said.says("<span class=\"unseen\" lang=\"en\">place </span>Helsinki</mark>");
}

#[test]
fn the_feed_of_a_list_has_as_many_entries_as_any_feed() {
    let body = good("/search?q=museum&page=1").body;
    let feed = body.split("type=\"application/atom+xml\" href=\"").nth(1).expect("a feed");
    assert!(feed.starts_with("/search.atom?q=museum\""), "{feed}");
}
