//! The pages of the operators.

use crate::accessibility::check_all_looks;
use crate::driver::{Browser, ENTER};
use crate::stage::Stage;

#[test]
fn an_operator_makes_a_task_and_watches_it() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    stage.sign_in();
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
    let home = browser.value("return `${location.origin}/place/gn:658225`");
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
    browser.click("#pages .reason summary");
    browser.click("#pages .reason a");
    browser.wait(
        "return location.pathname === '/crawls/own/explain' && document.querySelector('.facts')",
    );
    check_all_looks(browser, "why a link is there");
    browser.visit("/crawls/own");
    check_all_looks(browser, "a task");
    browser.resize(1280, 800);
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

#[test]
fn an_operator_pauses_resumes_stops_and_clones_a_task() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    stage.sign_in();
    browser.visit("/crawls/new");
    begin_slowly(browser);
    browser.wait("return location.pathname === '/crawls/slow'");
    // What can be done changes without loading the page again.
    browser.value("window.isSamePage = true");
    let says = |word: &str| {
        browser.wait(&format!(
            "return document.querySelector('#now .state')?.textContent.includes('{word}')"
        ));
    };
    let press = |order: &str| {
        let button = format!("#controls form[action$='/{order}'] button");
        browser.wait(&format!("return document.querySelector(`{button}`)"));
        browser.value(&format!("document.querySelector(`{button}`).click()"));
    };
    says("running");
    press("pause");
    says("paused");
    press("resume");
    says("running");
    press("stop");
    says("stopped");
    browser.click("#controls a[href*='from=slow']");
    browser.wait("return location.pathname === '/crawls/new'");
    let field =
        |name: &str| browser.value(&format!("return document.getElementById('{name}').value"));
    assert_eq!(field("region"), "Helsinki");
    assert_eq!(field("budget"), "500 pages");
    assert!(!["", "slow"].contains(&field("name").as_str().unwrap()), "it has a name of its own");
    browser.value("document.querySelector('button[value=keep]').click()");
    browser.wait(
        "return location.pathname.startsWith('/crawls/') && document.querySelector('#now .state')",
    );
    assert_eq!(complaints_but(browser, "401"), Vec::<String>::new());
}

/// Fills in the form of a task that asks this server for a page every few seconds, and begins it.
fn begin_slowly(browser: &Browser) {
    let home = browser.value("return `${location.origin}/place/gn:658225`");
    for (field, text) in [
        ("name", "slow"),
        ("region", "Helsinki"),
        ("seeds", home.as_str().unwrap()),
        ("contact", "me@example.org"),
        ("budget", "500 pages"),
        ("delay", "2"),
    ] {
        browser.value(&format!("document.getElementById('{field}').value = {text:?}"));
    }
    browser.value("document.querySelector('[name=private]').checked = true");
    browser.value("document.querySelector('button[value=begin]').click()");
}

#[test]
fn keys_alone_make_a_task_and_stop_it() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    stage.sign_in();
    let home = browser.value("return `${location.origin}/place/gn:658225`");
    browser.tab_to("a.button[href='/crawls/new']");
    browser.keys([ENTER]);
    browser.wait("return location.pathname === '/crawls/new'");
    for (field, text) in
        [("name", "keys"), ("seeds", home.as_str().unwrap()), ("contact", "me@example.org")]
    {
        browser.tab_to(&format!("#{field}"));
        browser.keys(text.chars());
    }
    browser.tab_to("[name=private]");
    browser.keys([' ']);
    browser.tab_to("button[value=begin]");
    browser.keys([ENTER]);
    browser.wait("return location.pathname === '/crawls/keys'");
    browser.wait("return document.querySelector('#controls form[action$=\"/stop\"] button')");
    browser.tab_to("#controls form[action$='/stop'] button");
    browser.keys([ENTER]);
    browser.wait("return document.querySelector('#now .state')?.textContent.includes('stopped')");
}

#[test]
fn without_scripts_an_operator_makes_a_task_and_watches_it() {
    let stage = Stage::for_operators_without_scripts();
    let browser = &stage.browser;
    stage.sign_in();
    browser.visit("/crawls/new?live=no");
    begin_slowly(browser);
    browser.wait("return location.pathname === '/crawls/slow'");
    // The page loads itself anew.
    browser.wait("return document.querySelector('#pages li')");
    browser.value("document.querySelector('#controls form[action$=\"/stop\"]').submit()");
    browser.wait("return document.querySelector('#now .state')?.textContent.includes('stopped')");
    browser.visit("/crawls?live=no");
    browser.wait("return document.querySelector('#task-slow .state')");
}

/// What the browser has complained about, but for answers with this status.
fn complaints_but(browser: &Browser, status: &str) -> Vec<String> {
    browser.complaints().into_iter().filter(|it| !it.contains(status)).collect()
}
