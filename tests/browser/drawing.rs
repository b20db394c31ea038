//! Regions drawn on the map and changed there.

use crate::driver::{BACKSPACE, DOWN, ENTER, ESCAPE, Hand, LEFT, RIGHT, UP};
use crate::stage::Stage;
use crate::{SEARCH, pixels, see_map};

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
fn while_one_draws_one_can_type_into_the_box() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit(SEARCH);
    see_map(browser);
    browser.click("[data-draws=polygon]");
    browser.wait("return document.activeElement.className === 'sheet'");
    // With the cross on the map the space bar would set a corner.
    browser.keys([UP]);
    browser.wait("return document.querySelector('.cross:not([hidden])')");
    browser.value("const it = document.getElementById('q'); it.focus(); it.select()");
    browser.keys("old mapsx".chars().chain([BACKSPACE]));
    assert_eq!(browser.value("return document.getElementById('q').value"), "old maps");
    let is_drawing = "return document.querySelector('[data-draws=polygon][aria-pressed=true]')";
    browser.wait(is_drawing);
    // A hand on the map gives the keys back to it.
    let (x, y) = browser.middle(".host");
    browser.hand(&[Hand::Move(x + 150.0, y + 150.0), Hand::Press, Hand::Release]);
    browser.wait("return document.activeElement.className === 'sheet'");
    browser.keys([ESCAPE]);
    browser.wait("return document.querySelector('[data-draws=polygon][aria-pressed=false]')");
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
fn a_ring_has_a_handle_at_either_edge() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+between+1+and+5+km+from+Helsinki&view=11/60.17/24.94");
    see_map(browser);
    assert_eq!(browser.value("return document.querySelectorAll('.handle').length"), 2);
    let (x, y) = browser.middle(".handle.inner");
    browser.hand(&[Hand::Move(x, y), Hand::Press, Hand::Move(x + 20.0, y), Hand::Release]);
    browser.wait(
        "return location.search.includes('from_km=') && document.querySelector('#map[data-ready]')",
    );
    let number = |id: &str| -> f64 {
        let script = format!("return document.getElementById('{id}').value");
        browser.value(&script).as_str().unwrap().parse().unwrap()
    };
    let (from, to) = (number("from-km"), number("km"));
    assert!((1.2..4.0).contains(&from) && (to - 5.0).abs() < 0.01, "{from} to {to}");
}

#[test]
fn a_sector_is_turned_by_its_field_and_by_its_handle() {
    let stage = Stage::new();
    let browser = &stage.browser;
    browser.visit("/search?q=museum+north+of+Helsinki&view=9/60.17/24.94");
    see_map(browser);
    let (x, y) = browser.middle(".handle.turn");
    let (middle_x, middle_y) = browser.middle(".host");
    assert!((x - middle_x).abs() < 3.0 && y < middle_y - 80.0, "it points to the north");
    browser.hand(&[
        Hand::Move(x, y),
        Hand::Press,
        Hand::Move(middle_x + 90.0, middle_y),
        Hand::Release,
    ]);
    browser.wait("return location.search.includes('relation=east+of') && document.querySelector('#map[data-ready]')");
    let place = browser.value("return document.querySelector('.chip.where span').textContent");
    assert_eq!(place, "east of Helsinki, Uusimaa, Finland");
    assert_eq!(browser.value("return document.getElementById('direction').value"), "east of");
    browser.value("document.querySelector('.handle.turn').focus()");
    browser.keys([DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, ENTER]);
    browser.wait("return location.search.includes('relation=south-east+of')");
}
