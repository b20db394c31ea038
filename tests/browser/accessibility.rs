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

#[test]
fn axe_finds_nothing_to_mend() {
    let stage = Stage::for_operators();
    let browser = &stage.browser;
    stage.sign_in();
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
            check(browser, &format!("{colours}, {width} wide, {path}"));
        }
    }
}
