//! The parameters of a URL in their normal form.

use crate::normal::{Rules, percent, session, tracking};

/// Appends the query with its question mark, or nothing where nothing is left of it.
///
/// A parameter without a name vanishes, one without a value loses its sign, and one that is there
/// twice with the same value is there once: links that add their own parameter to those of the page
/// would otherwise grow for ever.
pub(super) fn write(rules: &Rules, query: &str, out: &mut String) {
    let mut text = String::with_capacity(query.len());
    percent::respell(query, &mut text);
    let mut parameters: Vec<_> = text.split('&').filter_map(|it| kept(rules, it)).collect();
    if rules.sort_parameters {
        parameters.sort_by_key(|it| it.0);
    }
    drop_repeated(&mut parameters);
    for (place, (name, value)) in parameters.into_iter().enumerate() {
        out.push(if place == 0 { '?' } else { '&' });
        out.push_str(name);
        if !value.is_empty() {
            out.push('=');
            out.push_str(value);
        }
    }
}

fn kept<'a>(rules: &Rules, parameter: &'a str) -> Option<(&'a str, &'a str)> {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let is_noise = name.is_empty()
        || rules.drop_tracking && tracking::is_tracking(name)
        || rules.drop_sessions && session::is_parameter(name, value);
    (!is_noise).then_some((name, value))
}

/// Drops what is there for the second time. Beyond a few dozen parameters only neighbours are
/// compared, so that no link costs more than it is worth.
fn drop_repeated(parameters: &mut Vec<(&str, &str)>) {
    if parameters.len() > 64 {
        return parameters.dedup();
    }
    let mut at = 1;
    while at < parameters.len() {
        if parameters[..at].contains(&parameters[at]) {
            parameters.remove(at);
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: &str) {
        let mut out = String::new();
        write(&Rules { sort_parameters: true, ..Rules::default() }, query, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn parameters_stand_in_the_order_of_their_names() {
        check("b=2&a=1", "?a=1&b=2");
        check("tag=z&page=1&tag=a", "?page=1&tag=z&tag=a");
    }

    #[test]
    fn empty_parameters_vanish_and_empty_values_lose_their_sign() {
        check("", "");
        check("&&a=1&", "?a=1");
        check("=1&b=", "?b");
    }

    #[test]
    fn a_parameter_repeated_with_its_value_is_there_once() {
        check("a=1&b=1&a=1&a=2", "?a=1&a=2&b=1");
    }

    #[test]
    fn tracking_and_sessions_vanish() {
        check("utm_source=x&id=7&FBCLID=abc", "?id=7");
        check("PHPSESSID=2Aa3ASdfasfdadf&id=7", "?id=7");
        check("utm_campaign=x", "");
    }

    #[test]
    fn a_query_that_is_a_path_stays() {
        check("/category/3", "?/category/3");
        check("article%2F1234", "?article%2F1234");
    }
}
