//! What axe has to say about every page.

use std::path::Path;

use crate::driver::Browser;
use crate::stage::Stage;
use crate::{SEARCH, see_map};

/// Lets axe look at the page that is shown; it must find nothing to mend.
#[track_caller]
pub(crate) fn check(browser: &Browser, what: &str) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(&file) else {
        #[expect(clippy::print_stdout, reason = "whoever runs the tests is told what was not")]
        {
            println!("skipped: axe-core is not installed: run \"cd static && npm ci\"");
        }
        return;
    };
    browser.value(&axe);
    browser.value(
        "axe.run().then((it) => { window.found = it.violations.map((v) => \
         `${v.id}: ${v.nodes.map((n) => n.html + n.failureSummary).join('; ')}`); })",
    );
    let found = browser.wait("return window.found && [window.found]");
    assert_eq!(found[0].as_array().unwrap().len(), 0, "{what}: {found:#}");
}

/// The colours and widths that pages are looked at in.
pub(crate) const LOOKS: [(&str, u32); 4] =
    [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)];

/// Lets axe look at the page that is shown, in all colours and widths.
#[track_caller]
pub(crate) fn check_all_looks(browser: &Browser, what: &str) {
    for (colours, width) in LOOKS {
        browser.resize(width, 800);
        browser.prefer(colours);
        check(browser, &format!("{colours}, {width} wide, {what}"));
    }
}

#[test]
fn axe_finds_nothing_to_mend() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    browser.visit("/crawls");
    browser.wait("return document.querySelector('#token')");
    check_all_looks(browser, "the way in for operators");
    stage.sign_in();
    for (colours, width) in LOOKS {
        browser.resize(width, 800);
        browser.prefer(colours);
        for path in [
            SEARCH,
            "/",
            "/search?q=zeppelin+in+Frankfurt",
            "/search?q=museum&bbox=24.9,60.15,24.98,60.19",
            "/search?q=museum+near+Helsinki&explain=true",
            "/search?q=museum&sort=colour",
            "/page/ateneum",
            "/page/library",
            "/place",
            "/place/gn:658225",
            "/statistics",
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
            check(browser, &format!("{colours}, {width} wide, {path}"));
        }
    }
    // What is broken in here is a page, too.
    stage.lose_the_book();
    browser.visit("/page/ateneum");
    browser.value(
        "const form = document.querySelector('form[action$=feedback]'); form.wrong.value = 'Helsinki';
         form.right.value = 'Espoo'; form.submit()",
    );
    browser.wait("return document.querySelector('h1')?.textContent === 'Something went wrong'");
    check_all_looks(browser, "what went wrong");
}

#[test]
fn axe_finds_nothing_to_mend_where_there_is_nothing_yet() {
    let stage = Stage::empty();
    let browser = &stage.browser;
    for path in ["/", "/search?q=museum", "/statistics?q=museum", "/place", "/crawls"] {
        browser.visit(path);
        check_all_looks(browser, path);
    }
}

#[test]
fn axe_finds_nothing_to_mend_where_it_was_too_much() {
    let stage = Stage::with_limits();
    let browser = &stage.browser;
    browser.visit("/help");
    for _ in 0..20 {
        browser.value("for (let it = 0; it < 30; it += 1) fetch('/healthz')");
        browser.visit("/help");
        if browser.value("return document.querySelector('h1').textContent")
            == "That was too much at once"
        {
            return check_all_looks(browser, "too much");
        }
    }
    panic!("it is never too much: {}", browser.path());
}
