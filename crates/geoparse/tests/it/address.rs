//! Addresses in texts of many countries, and what only looks like one.

use std::sync::LazyLock;

use gazetteer::{Gazetteer, Kind, Precision};
use geoparse::{Address, AddressParts, Addresses, Hints, Position};
use proptest::prelude::*;

use crate::address_table::{TABLE, Written};

static ADDRESSES: LazyLock<Addresses<'static>> =
    LazyLock::new(|| Addresses::new(world::gazetteer()));

fn gazetteer() -> &'static Gazetteer {
    world::gazetteer()
}

fn found(text: &str) -> Vec<Address> {
    ADDRESSES.find(text, &Hints::default())
}

fn country_of(position: Option<Position>) -> &'static str {
    let place = position.map(|it| gazetteer().place(it.place));
    place.and_then(|it| it.country()).and_then(|it| it.tag("iso2")).unwrap_or("")
}

#[track_caller]
fn compare(address: &Address, expected: &Written) {
    let parts = address.parts();
    let got =
        [parts.street, parts.number, parts.postcode, parts.city, country_of(address.position)];
    let Written { street, number, postcode, city, country, text } = expected;
    assert_eq!(got, [*street, *number, *postcode, *city, *country], "{text:?}");
}

#[test]
fn street_and_number_stand_as_they_were_written() {
    let line = |text: &str| ADDRESSES.parse(text, &Hints::default()).street_line();
    assert_eq!(line("Mannerheimintie 2, Helsinki").as_deref(), Some("Mannerheimintie 2"));
    assert_eq!(line("10 Downing Street, London").as_deref(), Some("10 Downing Street"));
    assert_eq!(line("Helsinki, Finland"), None);
}

#[test]
fn an_address_known_to_be_one_is_taken_apart() {
    for written in TABLE {
        compare(&ADDRESSES.parse(written.text, &Hints::default()), written);
    }
}

#[test]
fn an_address_is_found_between_lines_of_other_text() {
    for written in TABLE {
        let text = format!(
            "Welcome to our shop\nWe are here for you.\n{}\nTelefon: 0123 456789\nE-Mail",
            written.text
        );
        let full: Vec<_> = found(&text).into_iter().filter(Address::is_full).collect();
        assert_eq!(full.len(), 1, "{:?}: {full:?}", written.text);
        compare(&full[0], written);
    }
}

#[test]
fn an_address_is_found_after_a_label() {
    for label in [
        "Address: ",
        "Anschrift: ",
        "Adresse : ",
        "Find us at ",
        "Anfahrt: ",
        "• ",
        "Firma Muster, ",
    ] {
        let text = format!("{label}Lange Straße 5, 26122 Oldenburg");
        assert_eq!(found(&text).len(), 1, "{text:?}");
    }
}

#[track_caller]
fn no_full_address(text: &str) {
    let full: Vec<_> = found(text).into_iter().filter(Address::is_full).collect();
    assert!(full.is_empty(), "{text:?}: {full:?}");
}

#[test]
fn telephone_numbers_dates_prices_and_hours_are_no_addresses() {
    no_full_address("Tel. 0441 12345, Oldenburg");
    no_full_address("Phone: +1 212 555 0199 New York");
    no_full_address("5 May 2024, London");
    no_full_address("Published on October 15, 2025 Washington");
    no_full_address("Am 17. Juni 1953 Berlin");
    no_full_address("Preis: 12,50 Euro in Hamburg");
    no_full_address("Only $25 Boston");
    no_full_address("Mo-Fr 9-18 Uhr Oldenburg");
    no_full_address("Open 9 to 5, Chicago");
}

#[test]
fn numbers_beside_the_names_of_towns_are_no_addresses() {
    no_full_address("Windows 10 Seattle");
    no_full_address("Page 5 London");
    no_full_address("Im Jahr 1848 zog er von Dortmund nach Essen.");
    no_full_address("1945 Berlin");
    no_full_address("Hannover 96 - Werder Bremen 2:1");
    no_full_address("Chicago 98, Boston 95");
    no_full_address("Bielefeld 55F, Chicago 61F");
    no_full_address("Chapter 12, Paris");
    no_full_address("Apollo 11, Houston");
    no_full_address("In 1848 he moved from San Diego to Oklahoma City.");
    no_full_address("© 2025 Kloster-Club. Alle Rechte vorbehalten. Oldenburg");
    no_full_address("Marktplatz 2024 Duisburg");
}

#[test]
fn a_street_without_a_number_is_no_full_address() {
    no_full_address("Die Baustelle in der Lange Straße in Oldenburg dauert an.");
    no_full_address("Lange Straße, 26122 Oldenburg");
    no_full_address("They met on Main Street, Springfield, IL 62701");
    no_full_address("rue de la Paix, 75002 Paris");
}

#[track_caller]
fn boxed(text: &str, po_box: &str) {
    let addresses = found(text);
    assert!(addresses.iter().all(|it| !it.is_full()), "{text:?}: {addresses:?}");
    let boxes: Vec<_> =
        addresses.iter().filter_map(|it| it.po_box.as_ref()).map(|it| it.text.as_str()).collect();
    assert_eq!(boxes, [po_box], "{text:?}");
    assert_eq!(
        ADDRESSES.parse(text, &Hints::default()).po_box.map(|it| it.text).as_deref(),
        Some(po_box),
        "{text:?}"
    );
}

#[test]
fn a_box_at_the_post_office_is_told_apart() {
    boxed("Postfach 12 34, 26122 Oldenburg", "Postfach 12 34");
    boxed("P.O. Box 1234, Austin, TX 78701", "P.O. Box 1234");
    boxed("PO Box 55, Manchester M3 2PW", "PO Box 55");
    boxed("BP 120, 75002 Paris", "BP 120");
    boxed("Apartado de Correos 31, 28013 Madrid", "Apartado de Correos 31");
    boxed("Casella postale 7, 00184 Roma", "Casella postale 7");
    boxed("skrytka pocztowa 5, 00-238 Warszawa", "skrytka pocztowa 5");
    boxed("Postbus 900, 1012 LM Amsterdam", "Postbus 900");
    boxed("Postboks 15, 0026 Oslo", "Postboks 15");
    boxed("Caixa Postal 44, 1100-053 Lisboa", "Caixa Postal 44");
}

#[track_caller]
fn lies_at(text: &str, key: &str) {
    let address = ADDRESSES.parse(text, &Hints::default());
    let city = address.position.and_then(|it| it.city).map(|it| gazetteer().place(it));
    assert_eq!(city.map(|it| it.key()), Some(key), "{text:?}: {:?}", city.map(|it| it.label()));
}

#[test]
fn the_postcode_tells_towns_of_one_name_apart() {
    lies_at("Lange Straße 5, 26122 Oldenburg", "gn:2857458");
    lies_at("Lange Straße 5, 23758 Oldenburg", "gn:2857451");
    lies_at("5 Main St, Oldenburg, IN 47036", "gn:4262555");
    lies_at("2253 Mill Road\n47036 Oldenburg", "gn:4262555");
    lies_at("5 High St, Springfield, IL 62701", "gn:4250542");
    lies_at("5 High St, Springfield, MA 01103", "gn:4951788");
    lies_at("Zeil 1, 60313 Frankfurt", "gn:2925533");
    lies_at("Halbe Stadt 7, 15230 Frankfurt", "gn:2925535");
    lies_at("12 King Street, London, ON N6A 1B2", "gn:6058560");
    lies_at("12 King Street, London E1 6AN", "gn:2643743");
}

#[test]
fn what_is_known_of_the_page_decides_where_the_address_does_not() {
    let hints = |country: &str| Hints { country: Some(country.to_owned()), ..Hints::default() };
    let city = |country| {
        ADDRESSES.parse("1 High Street, Newcastle", &hints(country)).position.and_then(|it| it.city)
    };
    assert_ne!(city("AU"), city("GB"));
}

#[test]
fn a_house_the_gazetteer_knows_is_found_exactly() {
    let house = gazetteer()
        .places()
        .filter(|it| it.kind() == Kind::Street && it.label().contains("Helsinki"))
        .find_map(|street| gazetteer().houses(street.id()).next().map(|house| (street, house)));
    let (street, house) = house.expect("central Helsinki has houses");
    let text = format!("{} {}, 00100 Helsinki", street.name(), house.number);
    let position = ADDRESSES.parse(&text, &Hints::default()).position.expect("Helsinki is known");
    assert_eq!(position.precision, Precision::House, "{text}");
    assert!(position.point.distance(house.point).0 < 30.0, "{text}");
}

#[test]
fn separate_parts_are_resolved_like_a_text() {
    let parts = AddressParts {
        street: "Lange Straße",
        number: "5",
        postcode: "26122",
        city: "Oldenburg",
        country: "DE",
        ..AddressParts::default()
    };
    let position = ADDRESSES.locate(&parts, &Hints::default()).expect("Oldenburg is known");
    assert_eq!(position.city.map(|it| gazetteer().place(it).key()), Some("gn:2857458"));
    assert_eq!(ADDRESSES.locate(&AddressParts::default(), &Hints::default()), None);
}

#[test]
fn a_hundred_thousand_numbers_take_no_longer_than_their_length() {
    // Bounded windows: ten times the text must not take a hundred times as long, or this would take hours.
    let text = "12 ".repeat(100_000);
    assert!(found(&text).is_empty());
    let streets = "Straße ".repeat(50_000);
    assert!(found(&streets).is_empty());
}

fn check_bounds(text: &str, addresses: &[Address]) {
    let mut end = 0;
    for address in addresses {
        assert!(
            address.span.start >= end && address.span.end <= text.len(),
            "{text:?}: {address:?}"
        );
        end = address.span.end;
        let parts = [
            &address.street,
            &address.number,
            &address.unit,
            &address.po_box,
            &address.postcode,
            &address.city,
            &address.region,
            &address.country,
        ];
        for part in parts.into_iter().flatten() {
            assert_eq!(text.get(part.range.clone()), Some(part.text.as_str()), "{text:?}");
            assert!(
                address.span.start <= part.range.start && part.range.end <= address.span.end,
                "{text:?}"
            );
        }
    }
}

/// Pieces of addresses and of what is none, in any order.
fn shuffled() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "Lange",
        "Straße",
        "5",
        "12a",
        "26122",
        "Oldenburg",
        ",",
        "\n",
        "rue",
        "de la",
        "Paix",
        "St.",
        "NW1",
        "6XE",
        "London",
        "IL",
        "Apt",
        "#3",
        "-",
        "/",
        "ul.",
        "Postfach",
        "12",
        "Box",
        "(RM)",
        "\t",
        "D-",
        "USA",
        "3º",
        "B",
        "bis",
        "é",
        "Ã\u{9f}",
        ".",
        "🏠",
        "in",
    ]);
    let gaps = prop::sample::select(vec!["", " ", " ", " "]);
    prop::collection::vec((pieces, gaps), 0..40)
        .prop_map(|list| list.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect())
}

proptest! {
    #[test]
    fn any_text_is_read_and_parts_lie_where_they_say(text in any::<String>()) {
        check_bounds(&text, &found(&text));
        check_bounds(&text, &[ADDRESSES.parse(&text, &Hints::default())]);
    }

    #[test]
    fn pieces_of_addresses_in_any_order_are_read(text in shuffled()) {
        check_bounds(&text, &found(&text));
        check_bounds(&text, &[ADDRESSES.parse(&text, &Hints::default())]);
    }
}
