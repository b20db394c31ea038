//! Places, stored pages and statistics.

use crate::driver::{ENTER, TAB};
use crate::stage::Stage;
use crate::{SEARCH, see_map};

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
fn the_front_page_has_a_query_to_try() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/");
    let text = browser.wait("return document.querySelector('.examples a')?.textContent");
    browser.click(".examples a");
    browser.wait("return location.pathname === '/search' && document.querySelector('.card')");
    assert_eq!(browser.value("return document.getElementById('q').value"), text);
}

#[test]
fn a_language_is_chosen_once_for_all_pages() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/place/gn:658225?theme=museum");
    let page = browser.path();
    browser.click(".foot a[hreflang=de]");
    browser.wait("return document.documentElement.lang === 'de'");
    assert_eq!(browser.path(), page, "it is the same page");
    browser.visit(SEARCH);
    see_map(browser);
    let label = browser.value("return document.querySelector('.search-area').textContent");
    assert_eq!(label, "In diesem Gebiet suchen", "scripts speak it, too");
    browser.click(".foot a[hreflang=en]");
    browser.wait("return document.documentElement.lang === 'en'");
}

#[test]
fn answers_are_saved_in_every_form_that_is_offered() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+near+Helsinki");
    browser.value(
        "window.saved = null;
         const links = [...document.querySelectorAll('.tools a[href^=\"/search.\"]')];
         Promise.all(links.map(async (it) => {
            const answer = await fetch(it.href);
            return [it.textContent, answer.status, (await answer.text()).includes('Ateneum')];
         })).then((it) => { window.saved = it; })",
    );
    let saved = browser.wait("return window.saved");
    let forms = ["GeoJSON", "KML", "CSV", "Atom"].map(|it| serde_json::json!([it, 200, true]));
    assert_eq!(saved, serde_json::Value::from(forms.to_vec()));
}

#[test]
fn a_stored_page_leads_to_its_places_and_to_what_is_near() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/page/hall");
    let follow = |heading: &str, path: &str| {
        let link = format!(
            "[...document.querySelectorAll('h2')].find((it) => it.textContent === '{heading}')?.nextElementSibling.querySelector('a')"
        );
        browser.wait(&format!("return {link}"));
        browser.value(&format!("{link}.click()"));
        browser.wait(&format!(
            "return location.pathname.startsWith('{path}') && document.querySelector('h1')"
        ));
    };
    follow("About the same place", "/page/cellar");
    browser.visit("/page/sea");
    follow("Pages nearby", "/page/library");
    browser.click(".stored a.place");
    browser.wait("return document.querySelector('h1').textContent.startsWith('Beausoleil')");
}

#[test]
fn several_queries_are_counted_at_once() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/statistics?q=museum");
    browser.click("main label:nth-of-type(2) [name=q]");
    browser.keys("castle".chars().chain([ENTER]));
    browser.wait("return document.querySelectorAll('.lines polyline').length === 2");
    let key = browser.value(
        "return [...document.querySelectorAll('.key li')].map((it) => it.textContent.trim())",
    );
    assert_eq!(key, serde_json::json!(["museum: 9", "castle: 1"]));
    let row = "[...document.querySelectorAll('#by-place + .scroll tr')].find((it) => it.textContent.includes('United Kingdom'))";
    let counts = browser
        .value(&format!("return [...{row}.querySelectorAll('td')].map((it) => it.textContent)"));
    assert_eq!(counts, serde_json::json!(["1", "1"]));
    browser.value(&format!("{row}.querySelector('td:last-child a').click()"));
    browser.wait("return document.querySelector('#hit-1 h2 a')?.textContent === 'The castle'");
}

#[test]
fn keys_alone_lead_through_places_and_statistics() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/place");
    for name in ["europe", "finland", "uusimaa"] {
        browser.tab_to(&format!(".children a[href$='/{name}']"));
        browser.keys([ENTER]);
        browser.wait(&format!(
            "return location.pathname.endsWith('/{name}') && document.readyState === 'complete'"
        ));
    }
    browser.tab_to("#theme");
    browser.keys("fortress".chars().chain([ENTER]));
    browser.wait("return document.querySelectorAll('.card').length === 1");
    browser.tab_to(".ways a[href='/statistics']");
    browser.keys([ENTER]);
    browser
        .wait("return location.pathname === '/statistics' && document.readyState === 'complete'");
    browser.tab_to("main [name=q]");
    browser.keys("museum".chars().chain([ENTER]));
    browser.wait("return document.querySelector('.lines polyline')");
    browser.tab_to("#by-month + .scroll");
    browser.tab_to("#by-place + .scroll a");
    browser.keys([ENTER]);
    browser.wait("return location.pathname.startsWith('/place/')");
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
