//! Any text is a link or none, and what is one has a normal form that is its own.

#![no_main]

use frontier::{Address, LONGEST, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (base, text) = input;
    let rules = Rules::default();
    let own = rules.normal_form(text).ok();
    let page = Address::parse(base, None).ok();
    let resolved = page.and_then(|page| rules.resolve(&page, text).ok());
    for form in own.into_iter().chain(resolved) {
        assert!(form.as_str().len() <= LONGEST);
        assert_eq!(rules.normal_form(form.as_str()), Ok(form));
    }
});
