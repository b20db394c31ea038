//! The page as people use it: in a real browser, with keys and pointer.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/stage.rs"]
mod stage;

use std::f64::consts::PI;
use std::path::Path;

use crate::driver::{Browser, DOWN, ENTER, ESCAPE, Hand, LEFT, RIGHT, TAB, UP};
use crate::stage::{Stage, TOKEN};

/// The pages of the stage around Helsinki, with the map where its pins stand apart.
const SEARCH: &str = "/search?q=museum+near+Helsinki&view=12/60.17/24.94";

/// Waits until the map is drawn.
#[track_caller]
fn see_map(browser: &Browser) {
    browser.wait("return document.querySelector('#map[data-ready] .pin-button')");
}

#[test]
fn keys_alone_lead_from_a_few_letters_to_a_list_with_a_map() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/");
    browser.wait("return document.activeElement.id === 'q' && document.activeElement.role");
    browser.keys("museum near Helsin".chars());
    browser
        .wait("return document.querySelectorAll('#q-offers:not([hidden]) [role=option]').length");
    browser.keys([DOWN]);
    let chosen = browser.wait(
        "const field = document.getElementById('q');
         return document.getElementById(field.getAttribute('aria-activedescendant'))?.textContent",
    );
    assert!(chosen.as_str().unwrap().contains("Helsinki"), "{chosen}");
    browser.keys([ENTER]);
    browser.wait("return document.querySelectorAll('.card').length > 4");
    see_map(browser);
    assert!(browser.path().contains("Helsinki"), "{}", browser.path());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn escape_closes_the_suggestions_and_keeps_the_text() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/");
    browser.wait("return document.activeElement.role === 'combobox'");
    browser.keys("museum in Hels".chars());
    browser.wait("return document.querySelector('#q-offers:not([hidden])')");
    browser.keys([ESCAPE]);
    browser.wait("return document.querySelector('#q-offers[hidden]')");
    assert_eq!(browser.value("return document.getElementById('q').value"), "museum in Hels");
}

#[test]
fn near_me_searches_around_the_user_on_a_click() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.stand(60.1601, 24.9001);
    browser.visit("/search?q=museum+in+Monaco");
    browser.click(".near-me");
    browser.wait("return location.search.includes('at=60.160,24.900'.replace(',', '%2C'))");
    browser.wait("return document.querySelectorAll('.card').length > 4");
    let first = browser.value("return document.querySelector('.card h2 a').textContent");
    assert!(first.as_str().unwrap().contains("Museum in the"), "{first}");
}

#[test]
fn pins_stand_where_the_hits_are() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let pins = browser.value(
        "const map = document.querySelector('.host').getBoundingClientRect();
         return [...document.querySelectorAll('.pin-button:not(.cluster)')].map((pin) => {
            const box = pin.getBoundingClientRect();
            const { lat, lon } = document.getElementById(`hit-${pin.dataset.numbers}`).dataset;
            return [box.x + 16 - map.x - map.width / 2, box.y + 37 - map.y - map.height / 2, Number(lat), Number(lon)];
         })",
    );
    let pins = pins.as_array().unwrap();
    assert!(pins.len() >= 4, "{pins:?}");
    for pin in pins {
        let number = |at: usize| pin[at].as_f64().unwrap();
        let [x, y] = pixels(12.0, (60.17, 24.94), (number(2), number(3)));
        assert!((number(0) - x).abs() < 2.0 && (number(1) - y).abs() < 2.0, "{pin} is not {x} {y}");
    }
}

/// How far right and down of the middle of a Mercator map a point is, in pixels.
fn pixels(zoom: f64, middle: (f64, f64), point: (f64, f64)) -> [f64; 2] {
    let world = 256.0 * zoom.exp2();
    let place = |(lat, lon): (f64, f64)| {
        let lat = lat.to_radians();
        [(lon + 180.0) / 360.0, 0.5 - (PI / 4.0 + lat / 2.0).tan().ln() / (2.0 * PI)]
    };
    let (from, to) = (place(middle), place(point));
    [(to[0] - from[0]) * world, (to[1] - from[1]) * world]
}

#[test]
fn a_pin_and_its_entry_light_each_other_up() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let number =
        browser.value("return document.querySelector('.pin-button:not(.cluster)').dataset.numbers");
    let number = number.as_str().unwrap();
    let (pin, card) = (format!(".pin-button[data-numbers='{number}']"), format!("#hit-{number}"));
    let (x, y) = browser.middle(&pin);
    browser.hand(&[Hand::Move(x, y)]);
    browser.wait(&format!("return document.querySelector(\"{card}.hovered\")"));
    let (x, y) = browser.middle(&format!("{card} h2"));
    browser.hand(&[Hand::Move(x, y)]);
    browser.wait(&format!("return document.querySelector(\"{pin}.hovered\")"));
    browser.wait(&format!("return !document.querySelector(\"{card}.hovered\")"));

    browser.click(&pin);
    browser.wait(&format!("return document.querySelector(\"{card}.chosen:focus\")"));
    let label =
        browser.value("return document.querySelector('.label-box:not([hidden])').textContent");
    let label = label.as_str().unwrap();
    let title = browser.value(&format!("return document.querySelector('{card} h2 a').textContent"));
    let way = browser.value(&format!("return document.querySelector('{card}').dataset.way"));
    for part in
        ["Longitude", "Latitude", "60.", "24.", way.as_str().unwrap(), title.as_str().unwrap()]
    {
        assert!(label.contains(part), "{part} is not in {label}");
    }
}

#[test]
fn arrow_keys_go_from_pin_to_pin_within_one_tab_stop() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    assert_eq!(
        browser.value("return document.querySelectorAll(`.pin-button[tabindex='0']`).length"),
        1
    );
    browser.value("document.querySelector(`.pin-button[tabindex='0']`).focus()");
    let focused = "return document.activeElement.getAttribute('data-numbers')";
    let first = browser.value(focused);
    browser.keys([RIGHT]);
    let second = browser.value(focused);
    assert_ne!(first, second);
    browser.keys([LEFT]);
    assert_eq!(browser.value(focused), first);
    browser.keys([TAB]);
    assert_eq!(browser.value(focused), serde_json::Value::Null);
}

#[test]
fn hits_at_one_spot_are_a_stack_to_choose_from() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    browser.click(".pin-button.cluster");
    browser.wait("return document.querySelectorAll('.label-box:not([hidden]) li').length === 2");
    browser.click(".label-box li:last-child .entry");
    browser.wait("return document.querySelector('.card.chosen:focus')");
}

#[test]
fn a_cluster_opens_into_its_members() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+near+Helsinki&view=5/60.17/24.94");
    see_map(browser);
    let before = browser.value("return document.querySelectorAll('.pin-button').length").as_u64();
    browser.click(".pin-button.cluster");
    let more =
        format!("return document.querySelectorAll('.pin-button').length > {}", before.unwrap());
    browser.wait(&more);
}

#[test]
fn the_area_in_view_can_be_searched() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    assert_eq!(browser.value("return document.querySelector('.search-area').hidden"), true);
    browser.value("document.querySelector('.host').focus()");
    browser.keys([RIGHT, RIGHT]);
    browser.wait("return !document.querySelector('.search-area').hidden");
    browser.wait(
        "return location.search.includes('view=12/60.17/') && !location.search.includes('24.94')",
    );
    browser.click(".search-area");
    browser.wait("return location.search.includes('bbox=') && document.querySelector('.chip')");
    let path = browser.path();
    assert!(path.contains("q=museum") && path.contains("view=12"), "{path}");
    see_map(browser);
    let outside = browser.value(
        "return [...document.querySelectorAll('.card')].filter((it) => it.dataset.lon < 24).length",
    );
    assert_eq!(outside, 0);
}

#[test]
fn searching_as_the_map_moves_is_a_wish_that_is_remembered() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let wish = "return document.querySelector('.map-area input').checked";
    assert_eq!(browser.value(wish), false);
    browser.click(".map-area input");
    browser.value("document.querySelector('.host').focus()");
    browser.keys([RIGHT, RIGHT]);
    browser.wait("return location.search.includes('bbox=') && document.querySelector('.chip')");
    see_map(browser);
    assert_eq!(browser.value(wish), true);
}

#[test]
fn a_box_drawn_with_the_pointer_is_searched() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    browser.click("[data-draws=box]");
    let (x, y) = browser.middle(".host");
    browser.hand(&[
        Hand::Move(x - 100.0, y - 100.0),
        Hand::Press,
        Hand::Move(x, y),
        Hand::Move(x + 100.0, y + 50.0),
        Hand::Release,
    ]);
    browser.wait(
        "return location.search.includes('bbox=') && document.querySelector('#map[data-ready]')",
    );
    let path = browser.path();
    let edges = path.split_once("bbox=").unwrap().1.split('&').next().unwrap();
    let edges: Vec<f64> = edges.split(',').map(|it| it.parse().unwrap()).collect();
    let [left, top] = pixels(12.0, (60.17, 24.94), (edges[3], edges[0]));
    let [right, bottom] = pixels(12.0, (60.17, 24.94), (edges[1], edges[2]));
    for (found, drawn) in [(left, -100.0), (top, -100.0), (right, 100.0), (bottom, 50.0)] {
        assert!((found - drawn).abs() < 2.0, "{path}: {found} is not {drawn}");
    }
}

#[test]
fn a_polygon_and_a_circle_can_be_drawn_and_given_up() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    browser.click("[data-draws=polygon]");
    browser.keys([ESCAPE]);
    browser.wait("return document.querySelector('[data-draws=polygon][aria-pressed=false]')");
    browser.click("[data-draws=polygon]");
    let (x, y) = browser.middle(".host");
    for (right, down) in [(-150.0, -150.0), (150.0, -150.0), (150.0, 150.0), (-150.0, 150.0)] {
        browser.hand(&[Hand::Move(x + right, y + down), Hand::Press, Hand::Release]);
    }
    browser.keys([ENTER]);
    browser.wait(
        "return location.search.includes('polygon=') && document.querySelector('#map[data-ready]')",
    );
    browser.click("[data-draws=circle]");
    browser.hand(&[Hand::Move(x, y), Hand::Press, Hand::Move(x + 120.0, y), Hand::Release]);
    browser.wait(
        "return location.search.includes('circle=') && document.querySelector('#map[data-ready]')",
    );
    assert!(!browser.path().contains("polygon="), "{}", browser.path());
}

#[test]
fn a_radius_changes_by_its_number_and_by_its_handle() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+within+5+km+of+Helsinki");
    see_map(browser);
    let count = "return document.querySelectorAll('.card').length";
    let few = browser.value(count).as_u64().unwrap();
    browser.value("const it = document.getElementById('km'); it.focus(); it.select()");
    browser.keys("300\u{e007}".chars());
    browser.wait(
        "return location.search.includes('km=300') && document.querySelector('#map[data-ready]')",
    );
    let many = browser.value(count).as_u64().unwrap();
    assert!(few < many, "{few} hits within 5 km, {many} within 300 km");
    let (x, y) = browser.middle(".handle");
    let (middle, _) = browser.middle(".host");
    browser.hand(&[
        Hand::Move(x, y),
        Hand::Press,
        Hand::Move(f64::midpoint(x, middle), y),
        Hand::Release,
    ]);
    let script = "return !location.search.includes('km=300') && document.querySelector('#map[data-ready]') \
                  && document.getElementById('km').value";
    let pulled: f64 = browser.wait(script).as_str().unwrap().parse().unwrap();
    assert!((100.0..200.0).contains(&pulled), "{pulled} km");
}

#[test]
fn a_search_from_the_map_changes_the_list_in_place_and_back_undoes_it() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.resize(1280, 500);
    browser.visit(SEARCH);
    see_map(browser);
    let cards = "return document.querySelectorAll('.card').length";
    let all = browser.value(cards);
    browser.value("window.isSamePage = true; scrollTo(0, 300)");
    browser.wait("return scrollY === 300");
    browser.value("document.querySelector('.host').focus({ preventScroll: true })");
    browser.keys([RIGHT, RIGHT]);
    browser.wait("return !document.querySelector('.search-area').hidden");
    browser.value("document.querySelector('.search-area').focus({ preventScroll: true })");
    browser.keys([ENTER]);
    browser.wait("return location.search.includes('bbox=')");
    see_map(browser);
    assert_eq!(browser.value("return [window.isSamePage, scrollY]"), serde_json::json!([true, 0]));
    assert_eq!(browser.value("return document.querySelector('#box [name=bbox]') !== null"), true);
    assert_eq!(browser.value("return document.querySelector('.search-area').hidden"), true);
    let focus = "return document.activeElement.className";
    assert_eq!(browser.value(focus), "host", "the focus stays at the map");
    let few = browser.value(cards);
    assert!(few.as_u64() < all.as_u64(), "{few} of {all}");
    browser.back();
    browser.wait("return !location.search.includes('bbox=') && scrollY === 300");
    see_map(browser);
    assert_eq!(browser.value(cards), all);
    browser.forward();
    browser.wait("return document.querySelector('#box [name=bbox]')");
    assert_eq!(browser.value(cards), few);
    assert_eq!(browser.value("return window.isSamePage"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn searches_as_the_map_moves_are_one_step_back() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let steps = browser.value("return history.length").as_u64().unwrap();
    browser.click(".map-area input");
    for _ in 0..2 {
        let before = browser.path();
        browser.value("document.querySelector('.host').focus({ preventScroll: true })");
        browser.keys([RIGHT, RIGHT]);
        let box_of = "new URLSearchParams(location.search).get('bbox')";
        browser.wait(&format!(
            "return {box_of} && {box_of} !== new URLSearchParams({before:?}.split('?')[1]).get('bbox')"
        ));
        see_map(browser);
    }
    assert_eq!(browser.value("return history.length"), steps + 1);
    browser.back();
    browser.wait("return !location.search.includes('bbox=')");
    browser.value("localStorage.clear()");
}

#[test]
fn the_order_the_chips_and_the_box_change_the_list_in_place() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+near+Helsinki");
    see_map(browser);
    browser.value("window.isSamePage = true");
    browser.click(".sorts a:last-child");
    browser.wait("return location.search.includes('sort=time')");
    let days = browser
        .value("return [...document.querySelectorAll('.card time')].map((it) => it.dateTime)");
    let days: Vec<&str> = days.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(days.len() > 4 && days.is_sorted_by(|one, next| one >= next), "{days:?}");
    assert_eq!(browser.value("return document.activeElement.id"), "results");
    browser.click(".chip.where a");
    browser.wait("return !document.querySelector('.chip.where')");
    browser.value("const it = document.getElementById('q'); it.focus(); it.select()");
    browser.keys("castle".chars().chain([ENTER]));
    browser.wait("return document.title.startsWith('castle')");
    assert_eq!(browser.value("return document.querySelectorAll('.card').length"), 1);
    assert_eq!(
        browser.value("return document.querySelector('#count').textContent"),
        "One page found"
    );
    assert_eq!(browser.value("return window.isSamePage"), true);
    browser.back();
    browser.wait("return document.getElementById('q').value.includes('museum')");
}

#[test]
fn a_polygon_a_box_and_a_circle_can_be_drawn_with_keys_alone() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let start = |kind: &str| {
        browser.value(&format!("document.querySelector('[data-draws={kind}]').focus()"));
        browser.keys([ENTER]);
        browser.wait("return document.activeElement.className === 'sheet'");
    };
    start("polygon");
    // The first key shows the cross in the middle of the map.
    browser.keys([UP, LEFT, LEFT, LEFT, LEFT, UP, UP, UP, UP, ' ']);
    browser.keys([RIGHT; 8].into_iter().chain([' ']));
    browser.keys([DOWN; 8].into_iter().chain([' ', ENTER]));
    browser.wait(
        "return location.search.includes('polygon=') && document.querySelector('#map[data-ready]')",
    );
    let corners = browser.value("return new URLSearchParams(location.search).get('polygon')");
    let corners: Vec<Vec<f64>> = corners
        .as_str()
        .unwrap()
        .split(',')
        .map(|it| it.split(' ').map(|it| it.parse().unwrap()).collect())
        .collect();
    let expected = [(-64.0, -64.0), (64.0, -64.0), (64.0, 64.0)];
    assert_eq!(corners.len(), expected.len());
    for (corner, (right, down)) in corners.iter().zip(expected) {
        let [x, y] = pixels(12.0, (60.17, 24.94), (corner[1], corner[0]));
        assert!((x - right).abs() < 2.0 && (y - down).abs() < 2.0, "{corner:?} is at {x} {y}");
    }
    assert_eq!(browser.value("return document.activeElement.dataset.draws"), "polygon");
    start("box");
    browser.keys([UP, ' ', RIGHT, RIGHT, DOWN, DOWN, ENTER]);
    browser.wait(
        "return location.search.includes('bbox=') && document.querySelector('#map[data-ready]')",
    );
    start("circle");
    browser.keys([UP, ' ', RIGHT, RIGHT, ' ']);
    browser.wait(
        "return location.search.includes('circle=') && document.querySelector('#map[data-ready]')",
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_was_drawn_can_be_changed_by_hand_and_by_keys() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum&bbox=24.9,60.15,24.98,60.19&view=12/60.17/24.94");
    see_map(browser);
    assert_eq!(browser.value("return document.querySelectorAll('.handle').length"), 4);
    let edges = || -> Vec<f64> {
        let text = browser.value("return new URLSearchParams(location.search).get('bbox')");
        text.as_str().unwrap().split(',').map(|it| it.parse().unwrap()).collect()
    };
    let (x, y) = browser.middle(".handle:nth-child(3)");
    browser.hand(&[Hand::Move(x, y), Hand::Press, Hand::Move(x + 40.0, y - 30.0), Hand::Release]);
    browser.wait(
        "return !location.search.includes('24.98,60.19&') && document.querySelector('#map[data-ready]')",
    );
    let pulled = edges();
    assert!(pulled[2] > 24.98 && pulled[3] > 60.19, "{pulled:?}");
    assert!((pulled[0] - 24.9).abs() < 1e-4 && (pulled[1] - 60.15).abs() < 1e-4, "{pulled:?}");
    browser.value("document.querySelector('.handle').focus()");
    browser.keys([LEFT, LEFT, ENTER]);
    browser.wait(
        "return !location.search.includes('24.9,') && document.querySelector('#map[data-ready]')",
    );
    assert!(edges()[0] < 24.9, "{:?}", edges());
    assert_eq!(browser.value("return document.activeElement.className"), "handle corner");

    browser.visit("/search?q=museum&circle=60.17,24.94,3000&view=12/60.17/24.94");
    see_map(browser);
    let (x, y) = browser.middle(".handle.middle");
    browser.hand(&[Hand::Move(x, y), Hand::Press, Hand::Move(x + 50.0, y), Hand::Release]);
    browser.wait(
        "return !location.search.includes('24.94,3000') && location.search.includes(',3000')",
    );
}

#[test]
fn a_chosen_hit_shows_all_places_of_its_page() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let asked = "return performance.getEntriesByType('resource').filter((it) => it.name.includes('/page/')).length";
    assert_eq!(browser.value(asked), 0);
    browser.click(".card .show");
    browser.wait("return document.querySelector('.label-box:not([hidden])')");
    browser.wait(&asked.replace(".length", ".length === 1"));
    browser.keys([ESCAPE]);
    browser.wait("return document.querySelector('.label-box[hidden]')");
}

#[test]
fn a_name_of_several_places_offers_the_others() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+in+Frankfurt");
    let shown = browser.value("return document.querySelector('.chooser strong').textContent");
    assert_eq!(shown, "Frankfurt am Main, Hesse, Germany");
    browser.click(".chooser a");
    browser.wait("return location.search.includes('choose=')");
    let shown = browser.wait("return document.querySelector('.chooser strong')?.textContent");
    assert_eq!(shown, "Frankfurt (Oder), Brandenburg, Germany");
}

#[test]
fn where_nothing_is_found_the_page_says_why_and_leads_on() {
    let stage = Stage::new();
    let browser = &stage.browser;
    let why = "return document.querySelector('.empty p').textContent";
    browser.visit("/search?q=zeppelin+in+Monaco");
    assert_eq!(browser.value(why), "No page has these words, here or elsewhere.");
    browser.visit("/search?q=in+Portugal");
    assert_eq!(browser.value(why), "No page is about this place.");
    browser.visit("/search?q=castle+in+Monaco");
    assert_eq!(browser.value(why), "There are such pages, but none of them is about this place.");
    browser.click(".empty li:last-child a");
    browser.wait("return document.querySelectorAll('.card').length === 1");
}

#[test]
fn places_lead_down_to_pages_and_up_again() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/");
    browser.click(".ways a");
    for name in ["Europe", "Finland", "Uusimaa"] {
        let link = format!(
            "[...document.querySelectorAll('.children a')].find((it) => it.textContent === '{name}')"
        );
        browser.wait(&format!("return {link}"));
        browser.value(&format!("{link}.click()"));
        browser
            .wait(&format!("return document.querySelector('h1').textContent.startsWith('{name}')"));
    }
    browser.wait("return document.querySelectorAll('.card').length >= 6");
    browser.wait("return document.querySelector('#map[data-ready] .pin-button')");
    browser.click(".trail li:nth-child(3) a");
    browser.wait("return document.querySelector('h1').textContent.startsWith('Finland')");
    browser.click("#theme");
    browser.keys("spies".chars().chain([ENTER]));
    browser.wait("return document.querySelectorAll('.card').length === 1");
}

#[test]
fn a_reader_can_say_that_a_place_is_wrong() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/page/ateneum");
    browser
        .value("document.querySelector('form[action$=feedback]').closest('details').open = true");
    browser.click("[name=wrong]");
    browser.keys("Helsinki".chars().chain([TAB]).chain("Espoo".chars()).chain([ENTER]));
    let thanks = browser.wait("return document.querySelector('p.note[role=status]')?.textContent");
    assert!(thanks.as_str().unwrap().starts_with("Thank you"), "{thanks}");
}

#[test]
fn statistics_are_a_chart_a_table_and_a_file() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/statistics");
    browser.click("[name=q]");
    browser.keys("museum".chars().chain([ENTER]));
    browser.wait("return document.querySelector('.lines polyline')");
    let sum = browser.value(
        "return [...document.querySelectorAll('#by-month + .scroll td')].reduce((sum, it) => sum + Number(it.textContent), 0)",
    );
    let total =
        browser.value("return document.querySelector('.key li').textContent.split(': ')[1]");
    assert_eq!(sum.to_string(), total.as_str().unwrap());
    assert_eq!(browser.value("return document.querySelectorAll(`a[href*='csv']`).length"), 1);
}

#[test]
fn paper_shows_the_list_and_the_map_and_no_tools() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+within+5+km+of+Helsinki");
    see_map(browser);
    browser.on_paper();
    let hidden = browser.value(
        "return ['.box', '.ways', '.foot', '.map-tools', '.map-area', '.radius', '.narrow', '.show'] \
         .filter((it) => document.querySelector(it)?.offsetHeight)",
    );
    assert_eq!(hidden, serde_json::json!([]));
    let seen = browser.value(
        "return ['.card', '.paper'].filter((it) => !document.querySelector(it)?.offsetHeight)",
    );
    assert_eq!(seen, serde_json::json!([]));
    browser.value("document.querySelector('.paper').scrollIntoView()");
    browser.wait("return document.querySelector('.paper').naturalWidth");
}

#[test]
fn colours_of_the_readers_own_leave_everything_in_sight() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.wish("forced-colors", "active");
    browser.visit(SEARCH);
    see_map(browser);
    browser.picture("forced-colours");
    let pin = browser.value(
        "const it = getComputedStyle(document.querySelector('.pin-button span'));
         return [it.color, it.backgroundColor, it.borderTopStyle]",
    );
    assert_ne!(pin[0], pin[1], "{pin}");
    assert_eq!(pin[2], "solid");
}

#[test]
fn who_wants_no_motion_gets_none() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.wish("prefers-reduced-motion", "reduce");
    browser.visit(SEARCH);
    see_map(browser);
    browser.click(".map-tools button");
    // A zoom without motion ends where it should in one step: no view between the two is ever kept.
    browser.wait("return location.search.includes('view=13/')");
    assert_eq!(browser.value("return document.getAnimations().length"), 0);
}

#[test]
fn keys_alone_go_through_the_whole_page() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    browser.keys([TAB, TAB, ENTER]);
    browser.wait("return document.activeElement.id === 'results'");
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..90 {
        browser.keys([TAB]);
        let it = browser.value(
            "const it = document.activeElement, box = it.getBoundingClientRect();
             return it === document.body ? null : [it.className || it.tagName, box.width * box.height > 0]",
        );
        if it.is_null() {
            break;
        }
        assert_eq!(it[1], true, "{it} has the focus and is not seen");
        seen.push(it[0].as_str().unwrap().to_owned());
    }
    for part in ["show", "host", "pin-button", "quiet keys-button"] {
        assert!(seen.iter().any(|it| it.starts_with(part)), "{part} is not in {seen:?}");
    }
}

#[test]
fn an_operator_makes_a_task_and_watches_it() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    browser.visit("/crawls");
    browser.click("#token");
    browser.keys(TOKEN.chars().chain([ENTER]));
    browser.wait("return document.querySelector('.crawls .tasks, .crawls .note') && !document.getElementById('token')");
    browser.visit("/crawls/new");
    let fill = |field: &str, text: &str| {
        browser.value(&format!(
            "const it = document.getElementById('{field}'); it.value = {text:?}; it.dispatchEvent(new Event('input'))"
        ));
    };
    fill("name", "own");
    fill("region", "Helsinki\nxqzvwk");
    let meant = browser.wait("return document.querySelectorAll('.meant li').length === 2 && document.querySelector('.meant').textContent");
    let meant = meant.as_str().unwrap();
    assert!(meant.contains("Finland") && meant.contains("xqzvwk"), "{meant}");
    fill("region", "Helsinki");
    let home = browser.value("return `${location.origin}/search?q=museum+near+Helsinki`");
    fill("seeds", home.as_str().unwrap());
    fill("contact", "me@example.org");
    fill("budget", "40 pages");
    fill("delay", "0");
    browser.value("document.querySelector('[name=private]').checked = true");
    browser.value("document.querySelector('button[value=begin]').click()");
    browser.wait("return location.pathname === '/crawls/own'");
    // The page was not loaded again: what happens arrives by itself.
    browser.wait("return document.querySelectorAll('#pages li').length >= 5");
    browser.wait(
        "return document.querySelector('#curve svg') && document.querySelector('#finds circle')",
    );
    browser.wait("return document.querySelector('#now .state').textContent.includes('done')");
    browser.picture("monitor");
    browser.click("#pages .reason a");
    browser.wait(
        "return location.pathname === '/crawls/own/explain' && document.querySelector('.facts')",
    );
    browser.visit("/crawls");
    browser.click("#index button");
    browser.wait("return document.querySelector('#index .state')?.textContent.includes('is made')");
    browser.resize(320, 640);
    let overflow = "const it = document.documentElement; return it.scrollWidth - it.clientWidth";
    for path in ["/crawls", "/crawls/new", "/crawls/own"] {
        browser.visit(path);
        assert_eq!(browser.value(overflow), 0, "{path} is too wide");
    }
    assert_eq!(complaints_but(browser, "401"), Vec::<String>::new());
}

/// What the browser has complained about, but for answers with this status.
fn complaints_but(browser: &Browser, status: &str) -> Vec<String> {
    browser.complaints().into_iter().filter(|it| !it.contains(status)).collect()
}

#[test]
fn back_leads_to_the_same_place_in_list_and_map() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.resize(1280, 500);
    browser.visit("/search?q=museum+near+Helsinki");
    see_map(browser);
    browser.value("document.querySelector('.host').focus({ preventScroll: true })");
    browser.keys([RIGHT, RIGHT, RIGHT]);
    browser.wait("return location.search.includes('view=')");
    let path = browser.path();
    browser.value("scrollTo(0, 300)");
    browser.wait("return scrollY === 300");
    browser.visit("/search?q=castle");
    browser.wait("return document.querySelector('.card')");
    browser.back();
    browser.wait("return document.querySelectorAll('.card').length > 4");
    see_map(browser);
    assert_eq!(browser.path(), path);
    browser.wait("return scrollY === 300");
}

#[test]
fn keys_act_anywhere_until_they_are_turned_off() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    let entry = "return document.activeElement.closest('.card')?.id";
    browser.keys(['j', 'j', 'k']);
    assert_eq!(browser.value(entry), "hit-1");
    browser.keys(['m']);
    browser.wait("return document.activeElement.closest('#map')");
    browser.keys(['/']);
    browser.wait("return document.activeElement.id === 'q'");
    browser.value("document.activeElement.blur()");
    browser.keys(['?']);
    browser.wait("return document.querySelector('dialog[open]')");
    browser.click("dialog input[type=checkbox]");
    browser.keys([ESCAPE]);
    browser.wait("return !document.querySelector('dialog[open]')");
    browser.value("document.activeElement.blur()");
    browser.keys(['j']);
    assert_eq!(browser.value(entry), serde_json::Value::Null);
}

#[test]
fn narrow_screens_take_turns_between_list_and_map() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.resize(320, 640);
    browser.visit("/search?q=museum+near+Helsinki");
    let overflow = "const it = document.documentElement; return it.scrollWidth - it.clientWidth";
    browser.wait("return document.querySelector('.switcher')");
    browser.picture("narrow-list");
    assert_eq!(browser.value(overflow), 0);
    assert_eq!(browser.value("return document.getElementById('map').offsetHeight"), 0);
    browser.click(".switcher");
    see_map(browser);
    browser.picture("narrow-map");
    assert_eq!(browser.value(overflow), 0);
    assert_eq!(browser.value("return document.querySelector('.side').offsetHeight"), 0);
    browser.click(".switcher");
    browser.wait("return document.querySelector('.side').offsetHeight");
    // A map that was not seen while the list changed shows the new one.
    browser.click(".sorts a:last-child");
    browser.wait("return location.search.includes('sort=time')");
    let first = browser.value("return document.querySelector('#hit-1 h2 a').textContent");
    browser.click("#hit-1 .show");
    let shown = browser
        .wait("return document.querySelector('.label-box:not([hidden]) .label-link')?.textContent");
    assert_eq!(shown, first);
    assert_eq!(browser.value(overflow), 0);
    for path in [
        "/",
        "/page/ateneum",
        "/place/gn:658225",
        "/statistics?q=museum&q=a+castle+or+a+fortress&q=inclass:flood",
        "/help",
        "/about",
        "/nothing",
        "/search?q=zeppelin+in+Frankfurt",
        "/search?q=museum+near+Helsinki&explain=true",
    ] {
        browser.visit(path);
        assert_eq!(browser.value(overflow), 0, "{path} is too wide");
    }
}

#[test]
fn the_map_follows_the_colours_that_are_wished_for() {
    let stage = Stage::new();
    let browser = &stage.browser;
    let sea = "return document.querySelector('.ol-layer').style.backgroundColor";
    browser.visit(SEARCH);
    see_map(browser);
    browser.picture("light");
    let light = browser.value(sea);
    browser.prefer("dark");
    let other = format!("const it = (() => {{ {sea} }})(); return it !== {light} && it");
    browser.wait(&other);
    browser.picture("dark");
    browser.prefer("light");
    browser.wait(&format!("return (() => {{ {sea} }})() === {light}"));
}

#[test]
fn the_map_says_where_it_knows_no_streets() {
    let stage = Stage::new();
    let browser = &stage.browser;
    let note = "return document.querySelector('#map[data-ready] p.map-note[role=status]')";
    browser.visit("/search?q=museum&view=15.5/43.7396/7.4268");
    assert_eq!(browser.wait(&format!("{note} && [{}.textContent]", &note[7..]))[0], "");
    browser.visit("/search?q=museum&view=15.5/30/-40");
    let text = browser.wait(&format!("{note}?.textContent"));
    assert_eq!(text, "No street map is installed for this area");
}

#[test]
fn stored_pages_and_places_have_maps_too() {
    let stage = Stage::new();
    let browser = &stage.browser;
    for path in ["/page/ateneum", "/place/gn:658225", "/place"] {
        browser.visit(path);
        browser.wait("return document.querySelector('#map[data-ready] canvas')");
        browser.picture(&path[1..].replace(['/', ':'], "-"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn without_scripts_the_page_is_whole() {
    let stage = Stage::without_scripts();
    let browser = &stage.browser;
    browser.visit("/");
    browser.click("#q");
    browser.keys("museum near Helsinki".chars().chain([ENTER]));
    browser.wait("return document.querySelectorAll('.card').length > 4");
    browser.picture("without-scripts");
    assert_eq!(
        browser.value("return document.querySelectorAll('.switcher, .host, .near-me').length"),
        0
    );
    assert_eq!(browser.value("return document.querySelectorAll('#map noscript img').length"), 1);
    browser.click(".sorts a:last-child");
    browser.wait("return location.search.includes('sort=time')");
    browser.click(".facets section a");
    browser.wait("return document.querySelectorAll('.card').length > 0 && document.querySelector('.chip.where')");
    browser.click(".chip.where a");
    browser.wait("return !document.querySelector('.chip.where')");
    browser.visit("/search?q=museum+in+Frankfurt");
    browser.click(".chooser a");
    browser.wait("return location.search.includes('choose=')");
    for path in ["/place/gn:658225", "/page/ateneum"] {
        browser.visit(path);
        browser.wait("return document.querySelector('#map img')?.naturalWidth");
    }
}

#[test]
fn a_page_of_results_keeps_within_its_budget() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.requests();
    browser.visit("/search?q=museum+near+Helsinki");
    see_map(browser);
    let shift = browser.wait(
        "window.shift ??= (() => {
            const seen = { sum: 0, rounds: 0 };
            const add = (list) => { for (const it of list.getEntries()) if (!it.hadRecentInput) seen.sum += it.value; };
            new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
            return seen;
         })();
         return ++window.shift.rounds > 5 && [window.shift.sum]",
    );
    assert!(shift[0].as_f64().unwrap() <= 0.02, "the layout shifts by {shift}");
    let requests = browser.requests();
    let origin = browser.value("return location.origin");
    let strangers: Vec<_> = requests
        .iter()
        .filter(|it| !it.url.starts_with(origin.as_str().unwrap()) && !it.url.starts_with("data:"))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    let bytes: u64 = requests.iter().map(|it| it.bytes).sum();
    assert!(requests.len() <= 20, "{} requests: {requests:#?}", requests.len());
    assert!(bytes <= 250_000, "{bytes} bytes: {requests:#?}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn axe_finds_nothing_to_mend() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(&file) else {
        #[expect(clippy::print_stdout, reason = "whoever runs the tests is told what was not")]
        {
            println!("skipped: axe-core is not installed: run \"cd static && npm ci\"");
        }
        return;
    };
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    browser.visit("/crawls");
    browser.click("#token");
    browser.keys(TOKEN.chars().chain([ENTER]));
    browser.wait("return !document.getElementById('token')");
    let looks = [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)];
    for (colours, width) in looks {
        browser.resize(width, 800);
        browser.prefer(colours);
        for path in [
            SEARCH,
            "/",
            "/search?q=zeppelin+in+Frankfurt",
            "/search?q=museum&bbox=24.9,60.15,24.98,60.19",
            "/search?q=museum+near+Helsinki&explain=true",
            "/page/ateneum",
            "/place",
            "/place/gn:658225",
            "/statistics?q=museum",
            "/help",
            "/about",
            "/nothing",
            "/crawls",
            "/crawls/new",
        ] {
            browser.visit(path);
            if path == SEARCH && width > 320 {
                see_map(browser);
            }
            browser.value(&axe);
            browser.value(
                "axe.run().then((it) => { window.found = it.violations.map((v) => \
                 `${v.id}: ${v.nodes.map((n) => n.html + n.failureSummary).join('; ')}`); })",
            );
            let found = browser.wait("return window.found && [window.found]");
            assert_eq!(
                found[0].as_array().unwrap().len(),
                0,
                "{colours}, {width} wide, {path}: {found:#}"
            );
        }
    }
}
