//! The pages of the operators.

use crate::accessibility;
use crate::driver::Browser;
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
    browser.visit("/crawls");
    browser.click("#index button");
    browser.wait("return document.querySelector('#index .state')?.textContent.includes('is made')");
    browser.resize(320, 640);
    let overflow = "const it = document.documentElement; return it.scrollWidth - it.clientWidth";
    for path in ["/crawls", "/crawls/new", "/crawls/own"] {
        browser.visit(path);
        assert_eq!(browser.value(overflow), 0, "{path} is too wide");
        accessibility::check(browser, path);
    }
    assert_eq!(complaints_but(browser, "401"), Vec::<String>::new());
}

/// What the browser has complained about, but for answers with this status.
fn complaints_but(browser: &Browser, status: &str) -> Vec<String> {
    browser.complaints().into_iter().filter(|it| !it.contains(status)).collect()
}
