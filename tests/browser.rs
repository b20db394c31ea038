//! The page as people use it: in a real browser, with keys and pointer.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

#[path = "browser/accessibility.rs"]
mod accessibility;
#[path = "browser/drawing.rs"]
mod drawing;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/looks.rs"]
mod looks;
#[path = "browser/operators.rs"]
mod operators;
#[path = "browser/other_pages.rs"]
mod other_pages;
#[path = "browser/searching.rs"]
mod searching;
#[path = "browser/stage.rs"]
mod stage;

use std::f64::consts::PI;

use crate::driver::{Browser, DOWN, ENTER, ESCAPE, Hand, LEFT, RIGHT, TAB};
use crate::stage::Stage;

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
    // The next search is around the user as well, and the button is there on a phone.
    browser.value("const it = document.getElementById('q'); it.focus(); it.select()");
    browser.keys("chairs near me".chars().chain([ENTER]));
    browser.wait("return document.title.startsWith('chairs')");
    let place = browser.value("return document.querySelector('.chip.where span').textContent");
    assert_eq!(place, "near your position");
    browser.resize(360, 700);
    assert_eq!(browser.value("return document.querySelector('.near-me').offsetWidth > 20"), true);
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
fn a_hand_drags_the_map_and_turns_the_wheel() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    // Zoom, latitude and longitude as the address has them.
    let view = "new URLSearchParams(location.search).get('view').split('/').map(Number)";
    let (x, y) = browser.middle(".host");
    // Where no pin is.
    let (x, y) = (x - 60.0, y + 140.0);
    browser.hand(&[
        Hand::Move(x, y),
        Hand::Press,
        Hand::Move(x - 5.0, y),
        Hand::Move(x - 100.0, y),
        Hand::Move(x - 200.0, y),
        Hand::Release,
    ]);
    let dragged = format!("const [zoom, lat, lon] = {view}; return lon > 24.99 && [zoom, lat]");
    assert_eq!(browser.wait(&dragged), serde_json::json!([12, 60.17]));
    browser.wait("return !document.querySelector('.search-area').hidden");
    browser.wheel((x, y), -300);
    browser.wait(&format!("return {view}[0] > 12.1"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
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
