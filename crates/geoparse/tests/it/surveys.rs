//! Whole pages: what they mean, and what ground they are about.

use std::sync::LazyLock;

use geoparse::{Class, Geoparser, Hints, Region, Site, Survey, url_places};
use page::{Page, Response};

static GEOPARSER: LazyLock<Geoparser<'static>> =
    LazyLock::new(|| Geoparser::new(world::gazetteer()));

fn survey(html: &str) -> (Page, Survey) {
    let page = page::read(&Response {
        url: Some("https://example.org/a"),
        ..Response::new(html.as_bytes())
    });
    let survey = GEOPARSER.survey(&page, &Hints::default());
    (page, survey)
}

fn region(name: &str) -> Region {
    Region::Place(world::gazetteer().named(name).next().expect("the world has it").0.id())
}

#[track_caller]
fn check_region(html: &str, name: &str, expected: bool) {
    let (_, survey) = survey(html);
    assert_eq!(survey.has_address_in(world::gazetteer(), &region(name)), expected, "{html}");
}

const CONTACT: &str =
    "<title>Contact</title><p>Baker Meier<br>Lange Straße 5<br>26122 Oldenburg<br>Tel. 0441 123";

#[test]
fn an_address_in_the_region_makes_a_page_relevant() {
    check_region(CONTACT, "Lower Saxony", true);
    check_region(CONTACT, "Germany", true);
    check_region(CONTACT, "Bavaria", false);
}

#[test]
fn a_town_without_a_street_and_a_post_box_do_not() {
    check_region("<p>We deliver to Oldenburg and Bremen.", "Lower Saxony", false);
    check_region("<p>Postfach 12 34, 26122 Oldenburg", "Lower Saxony", false);
    check_region("<p>Lange Straße, Oldenburg", "Lower Saxony", false);
}

#[test]
fn a_namesake_elsewhere_does_not() {
    check_region("<p>Markt 1, 23758 Oldenburg in Holstein", "Lower Saxony", false);
    check_region("<p>12 Main St, Oldenburg, IN 47036", "Germany", false);
}

#[test]
fn an_address_for_machines_counts_like_a_written_one() {
    let html = r#"<script type="application/ld+json">{"@type": "Bakery", "name": "Meier", "address": {"@type":
        "PostalAddress", "streetAddress": "Lange Straße 5", "postalCode": "26122", "addressLocality": "Oldenburg",
        "addressCountry": "DE"}}</script><p>Fresh bread."#;
    check_region(html, "Lower Saxony", true);
    check_region(html, "Bavaria", false);
}

#[test]
fn an_address_in_a_table_ends_with_its_row() {
    let (_, survey) = survey(
        "<table><tr><td>Italy<td>Via Roma 10<td>10121<td>Torino<tr><td>Spain<td>Calle Mayor 5<td>28013<td>Madrid</table>",
    );
    let cities: Vec<_> = survey
        .addresses
        .iter()
        .map(|it| {
            (
                it.city.as_ref().map(|it| it.text.as_str()),
                it.country.as_ref().map(|it| it.text.as_str()),
            )
        })
        .collect();
    assert_eq!(cities, [(Some("Torino"), None), (Some("Madrid"), None)]);
}

#[test]
fn the_footprint_tells_what_a_page_is_about() {
    let (_, survey) = survey(
        "<title>Walks in Helsinki</title><h1>Helsinki</h1><p>From the harbour of Helsinki to the islands. Trains come \
         from Tampere.",
    );
    let gazetteer = world::gazetteer();
    let focus = survey.footprint.focus.map(|it| gazetteer.place(it).name());
    assert_eq!(focus, Some("Helsinki"));
    assert_eq!(
        survey.footprint.most_frequent.map(|it| gazetteer.place(it).name()),
        Some("Helsinki")
    );
    let root = survey.footprint.hierarchy.first().map(|it| gazetteer.place(it.place).name());
    assert_eq!(root, Some("Finland"));
    assert!(survey.names_any_place());
}

#[test]
fn a_page_without_places_has_no_footprint() {
    let (_, survey) = survey("<title>How to knit</title><p>Take two needles and some wool.");
    assert!(!survey.names_any_place());
    assert_eq!(survey.footprint.focus, None);
}

#[test]
fn what_stands_in_an_address_is_part_of_it() {
    let (page, survey) = survey("<p>Visit us: 221 Main Street, Springfield, IL 62701");
    let classes: Vec<_> =
        survey.mentions.iter().map(|it| (&page.text[it.span.clone()], it.class)).collect();
    assert!(classes.contains(&("Springfield", Class::AddressPart)), "{classes:?}");
    assert!(
        classes.iter().all(|it| matches!(it.1, Class::Street | Class::AddressPart)),
        "{classes:?}"
    );
}

#[test]
fn places_around_a_link_are_those_of_its_window() {
    let (page, survey) = survey(
        "<p>Far away in Rome nothing happened for a very long time indeed, as everybody knows. Hotels in \
         <a href='/h'>Athens</a> and near Piraeus are cheap.",
    );
    let around: Vec<_> =
        survey.around(&page, &page.links[0], 4).map(|it| &page.text[it.span.clone()]).collect();
    assert_eq!(around, ["Athens", "Piraeus"]);
}

#[track_caller]
fn check_url(url: &str, expected: &[&str]) {
    let gazetteer = world::gazetteer();
    let found: Vec<_> =
        url_places(gazetteer, url).iter().map(|it| gazetteer.place(it.place).label()).collect();
    assert_eq!(found, expected, "{url}");
}

#[test]
fn urls_name_places() {
    check_url("https://www.losangeles.example/", &["Los Angeles, California, United States"]);
    check_url("https://example.com/hotels/new-york/", &["New York City, New York, United States"]);
    check_url("https://example.com/news/contact.html?page=5", &[]);
    check_url("https://visithelsinki.example/", &["Helsinki, Uusimaa, Finland"]);
    check_url(
        "https://oldenburg-online.example/bremen/",
        &["Oldenburg, Lower Saxony, Germany", "Bremen, Germany"],
    );
}

#[test]
fn a_site_is_at_home_where_its_pages_are() {
    let gazetteer = world::gazetteer();
    let mut site = Site::default();
    assert_eq!(site.home(gazetteer), None);
    let texts = [
        "The council of Lamar County met in Paris, Texas.",
        "Police in Paris, Texas, arrested a man from Blossom, Texas.",
        "Rain fell in Reno, Texas, and in Paris, Texas.",
        "The fair in Paris, Texas, opens on Friday.",
    ];
    for text in texts {
        site.add(&GEOPARSER.mentions(text, &Hints::default()));
    }
    let home = site.home(gazetteer).expect("everything is in one county");
    assert!(gazetteer.place(home).label().contains("Texas"));
    let hints = Hints { home: Some(home), ..Hints::default() };
    let text = "The mayor of Paris opened the bridge.";
    let label = |hints: &Hints| {
        GEOPARSER
            .mentions(text, hints)
            .first()
            .and_then(|it| it.place)
            .map(|it| gazetteer.place(it).label())
    };
    assert_eq!(label(&Hints::default()).as_deref(), Some("Paris, Île-de-France, France"));
    assert_eq!(label(&hints).as_deref(), Some("Paris, Texas, United States"));
}
