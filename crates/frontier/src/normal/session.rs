//! The ids of sessions, which make one page look like thousands.

/// Names that mean nothing but a session: PHP, Java, `ColdFusion`, ASP, osCommerce and its children.
const SURE: [&str; 12] = [
    "phpsessid",
    "phpsessionid",
    "jsessionid",
    "aspsessionid",
    "cftoken",
    "oscsid",
    "xtcsid",
    "modsid",
    "zenid",
    "sessid",
    "jservsessionid",
    "bv_sessionid",
];

/// Names that may as well mean a site, a story or a section.
const UNSURE: [&str; 7] = ["sid", "session", "sessionid", "session_id", "sess", "s", "mscsid"];

/// Whether the parameter is a session, going by its name and its value.
///
/// A sure name wants eight letters and digits; an unsure one wants sixteen in which both occur,
/// as in the hashes and random numbers that frameworks make.
pub(super) fn is_parameter(name: &str, value: &str) -> bool {
    let is = |known: &&str| name.eq_ignore_ascii_case(known);
    SURE.iter().any(is) && looks_random(value, 8)
        || UNSURE.iter().any(is) && looks_random(value, 16) && is_mixed(value)
}

/// Cuts sessions such as `;jsessionid=…` out of the segment that begins at the place.
pub(super) fn strip(start: usize, out: &mut String) {
    let mut from = start;
    while let Some(at) = out[from..].find(';').map(|at| from + at) {
        let end = out[at + 1..].find(';').map_or(out.len(), |end| at + 1 + end);
        let (name, value) = out[at + 1..end].split_once('=').unwrap_or_default();
        if is_parameter(name, value) {
            out.replace_range(at..end, "");
        } else {
            from = at + 1;
        }
    }
}

/// Whether the segment is the state that ASP.NET puts into paths: `(S(…))`, `(X(1)F(…))`.
pub(super) fn is_segment(segment: &str) -> bool {
    let Some(mut rest) = segment.strip_prefix('(').and_then(|it| it.strip_suffix(')')) else {
        return false;
    };
    let mut longest = 0;
    while let Some((name, after)) = rest.split_once('(') {
        let Some((value, after)) = after.split_once(')') else { return false };
        let is_id = value.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'));
        if name.len() != 1 || !is_id {
            return false;
        }
        longest = longest.max(value.len());
        rest = after;
    }
    // The shortest that ASP.NET makes has 24.
    rest.is_empty() && longest >= 20
}

fn looks_random(value: &str, least: usize) -> bool {
    let is_id =
        |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.' | b'!' | b',');
    value.len() >= least && value.bytes().all(is_id)
}

fn is_mixed(value: &str) -> bool {
    let (digits, letters) = value.bytes().fold((0, 0), |(digits, letters), it| {
        (digits + usize::from(it.is_ascii_digit()), letters + usize::from(it.is_ascii_alphabetic()))
    });
    // A title such as `the-lighthouse-of-1887` has digits, too, but few, and hyphens.
    digits >= 3 && letters >= 3 && digits + letters == value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parameter: &str, expected: bool) {
        let (name, value) = parameter.split_once('=').unwrap();
        assert_eq!(is_parameter(name, value), expected, "{parameter}");
    }

    #[test]
    fn a_name_that_means_a_session_is_one_with_an_id() {
        check("PHPSESSID=2Aa3ASdfasfdadf", true);
        check("jsessionid=0123456789ABCDEF.node1", true);
        check("phpsessid=7", false);
    }

    #[test]
    fn a_name_that_may_mean_a_story_needs_a_value_like_a_hash() {
        check("sid=d41d8cd98f00b204e9800998ecf8427e", true);
        check("sid=1234", false);
        check("sid=the-lighthouse-of-1887", false);
        check("id=d41d8cd98f00b204e9800998ecf8427e", false);
    }

    #[test]
    fn all_sessions_of_a_segment_are_cut_out() {
        let mut out =
            String::from("/a;x=1;jsessionid=0123456789ABCDEF;y=2;JSESSIONID=0123456789ABCDEF");
        strip(1, &mut out);
        assert_eq!(out, "/a;x=1;y=2");
    }
}
