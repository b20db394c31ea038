//! Places, stored pages and statistics.

use crate::driver::{ENTER, TAB};
use crate::stage::Stage;

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
fn every_page_leads_to_the_next_search() {
    let stage = Stage::new();
    let browser = &stage.browser;
    for path in ["/place/gn:658225", "/page/ateneum", "/statistics", "/help", "/about"] {
        browser.visit(path);
        browser.click("header #q");
        browser.keys("museum near Helsinki".chars().chain([ENTER]));
        browser.wait("return location.pathname === '/search'");
        browser.wait("return document.querySelectorAll('.card').length > 4");
    }
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
    browser.click("main [name=q]");
    browser.keys("museum".chars().chain([ENTER]));
    browser.wait("return document.querySelector('.lines polyline')");
    let sum = browser.value(
        "return [...document.querySelectorAll('#by-month + .scroll td')].reduce((sum, it) => sum + Number(it.textContent), 0)",
    );
    let total =
        browser.value("return document.querySelector('.key li').textContent.split(': ')[1]");
    assert_eq!(sum.to_string(), total.as_str().unwrap());
    // One by month, one by place.
    assert_eq!(browser.value("return document.querySelectorAll(`a[href*='csv']`).length"), 2);
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
