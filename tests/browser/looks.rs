//! The page on other screens, in other colours, on paper and without scripts, and what it costs to load.

use crate::driver::{ENTER, TAB};
use crate::stage::Stage;
use crate::{SEARCH, see_map};

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
    let covered = "const [pill, from] = ['.switcher', '.map-from'].map((it) => document.querySelector(it).getBoundingClientRect()); \
                   return Math.max(pill.bottom - from.top, 0)";
    assert_eq!(browser.value(covered), 0, "whom the map comes from can be read");
    // The list opens where the map was looked at.
    browser.value("[...document.querySelectorAll('.pin-button:not(.cluster)')].at(-1).click()");
    browser.click(".switcher");
    browser.wait("return document.querySelector('.side').offsetHeight");
    let seen = "const it = document.querySelector('.card.chosen').getBoundingClientRect(); \
                return it.bottom > 0 && it.top < innerHeight";
    assert_eq!(browser.value(seen), true);
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
        // The picture fills its frame, and nothing is below it but whose map it is.
        let rest = browser.value(
            "const bottom = (it) => document.querySelector(it).getBoundingClientRect().bottom; \
             return Math.abs(bottom('#map') - bottom('#map .map-from')) < 3",
        );
        assert_eq!(rest, true, "{path}");
    }
    browser.value("document.querySelector('#feedback').open = true");
    browser.click("[name=wrong]");
    browser.keys("Helsinki".chars().chain([TAB]).chain("Espoo".chars()).chain([ENTER]));
    browser.wait("return document.querySelector('#feedback[role=status]')");
    browser.visit("/statistics");
    browser.click("main [name=q]");
    browser.keys("museum".chars().chain([ENTER]));
    browser.wait("return document.querySelector('.lines polyline')");
    browser.click("#by-place + .scroll td a");
    browser.wait("return location.pathname === '/search' && document.querySelector('.card')");
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
