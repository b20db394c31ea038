//! The normal forms of links, each worked out once: the links of a site's menu stand on all its pages.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use frontier::Rules;
use url::Url;
use xxhash_rust::xxh3::Xxh3Default;

/// So many normal forms are remembered by each thread, some megabytes.
const MOST: usize = 1 << 13;

thread_local! {
    static MET: RefCell<Met> = RefCell::default();
}

/// The links that a thread has met of late.
#[derive(Default)]
struct Met {
    rules: Rules,
    forms: HashMap<Box<str>, Option<Url>, BuildHasherDefault<Xxh3Default>>,
}

/// The normal form of a link, if it has one.
pub(crate) fn normal_form(rules: &Rules, text: &str) -> Option<Url> {
    MET.with_borrow_mut(|met| {
        if met.rules != *rules {
            *met = Met { rules: rules.clone(), ..Met::default() };
        }
        if let Some(form) = met.forms.get(text) {
            return form.clone();
        }
        let form = rules.normal_form(text).ok();
        if met.forms.len() >= MOST {
            met.forms.clear();
        }
        met.forms.insert(text.into(), form.clone());
        form
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_the_same_the_second_time_and_another_under_other_rules() {
        let text = "http://example.org/a?b=2&a=1#top";
        let form = |rules: &Rules| normal_form(rules, text).map(String::from);
        let usual = Rules::default();
        let sorted = Rules { sort_parameters: true, ..Rules::default() };
        for _ in 0..2 {
            assert_eq!(form(&usual).as_deref(), Some("http://example.org/a?b=2&a=1"));
        }
        assert_eq!(form(&sorted).as_deref(), Some("http://example.org/a?a=1&b=2"));
        assert_eq!(normal_form(&usual, "mailto:anna@example.org"), None);
    }

    #[test]
    fn links_without_end_do_not_fill_the_memory() {
        for number in 0..2 * MOST {
            normal_form(&Rules::default(), &format!("http://example.org/{number}"));
        }
        assert!(MET.with_borrow(|it| it.forms.len()) <= MOST);
    }
}
