//! One search after the other on the same page, and the way back.

use crate::driver::{ENTER, RIGHT};
use crate::stage::Stage;
use crate::{SEARCH, see_map};

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
    // The box fills the map: there is nothing to pull.
    assert_eq!(browser.value("return document.querySelector('.handles').hidden"), true);
}

#[test]
fn a_place_that_is_typed_puts_an_end_to_the_region() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum&circle=60.17,24.94,3000");
    see_map(browser);
    browser.value("const it = document.getElementById('q'); it.focus(); it.select()");
    browser.keys("museum in Monaco".chars().chain([ENTER]));
    browser
        .wait("return document.querySelector('#hit-1 h2 a')?.textContent === 'Museum of the sea'");
    assert_eq!(browser.path(), "/search?q=museum+in+Monaco");
    // The link goes on in the next line: its middle is beside it.
    browser.value("document.querySelector('p.note a').click()");
    browser.wait("return location.search.includes('circle=') && document.querySelector('#hit-2')");
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
fn the_order_the_chips_and_the_box_change_the_list_in_place() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+near+Helsinki");
    see_map(browser);
    browser.value("window.isSamePage = true");
    browser.click(".sorts a:last-child");
    browser.wait("return location.search.includes('sort=time')");
    // First what is near, then what is farther away.
    let lists = "[...document.querySelectorAll('.cards')]";
    let days = "[...list.querySelectorAll('time')].map((it) => it.dateTime)";
    let lists = browser.value(&format!("return {lists}.map((list) => {days})"));
    let [near, far] = &lists.as_array().unwrap()[..] else { panic!("{lists}") };
    for list in [near, far] {
        let days: Vec<_> = list.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert!(days.len() > 1 && days.is_sorted_by(|one, next| one >= next), "{lists}");
    }
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
    browser.value("const it = document.getElementById('q'); it.focus(); it.select()");
    browser.keys("museum between 1 and 4 km from Helsinki".chars().chain([ENTER]));
    browser.wait("return document.title.startsWith('museum between')");
    let relation = browser.value("return document.querySelector('.three select').value");
    assert_eq!(relation, "between 1000 and 4000 m from");
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
fn a_word_without_an_end_takes_two_lines_and_no_more_width() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.resize(360, 700);
    browser.visit(&format!("/search?q=museum+{}", "a".repeat(300)));
    browser.wait("return document.querySelector('.empty a')");
    let tallest =
        "return Math.max(...[...document.querySelectorAll('.chip')].map((it) => it.offsetHeight))";
    assert!(browser.value(tallest).as_u64().unwrap() < 60);
    assert_eq!(browser.value("return document.documentElement.scrollWidth <= innerWidth"), true);
}
