//! The path of a URL in its normal form.

use crate::normal::{Rules, percent, session};

/// What servers give for a folder when nothing else is asked.
const DEFAULT_DOCUMENTS: [&str; 10] = [
    "index.html",
    "index.htm",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "index.shtml",
    "default.htm",
    "default.asp",
    "default.aspx",
];

/// Appends the path, which begins with a slash.
pub(super) fn write(rules: &Rules, path: &str, out: &mut String) {
    if is_ordinary(path) && !rules.drop_default_documents {
        return out.push_str(path);
    }
    let start = out.len();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(raw) = segments.next() {
        let end = out.len();
        out.push('/');
        percent::respell(raw, out);
        if rules.drop_sessions {
            session::strip(end + 1, out);
        }
        let segment = &out[end + 1..];
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                let is_up = segment == "..";
                out.truncate(end);
                if is_up {
                    out.truncate(out[start..].rfind('/').map_or(start, |at| start + at));
                }
                out.push_str(if is_last { "/" } else { "" });
            }
            // The slashes of `/web/2001/http://example.org/` are those of a URL.
            "" if !is_last && rules.collapse_slashes && !out[start..end].ends_with(':') => {
                out.truncate(end);
            }
            _ if rules.drop_sessions && session::is_segment(segment) => out.truncate(end),
            _ if is_last && rules.drop_default_documents && is_default(segment) => {
                out.truncate(end + 1);
            }
            _ => {}
        }
    }
    if out.len() == start {
        out.push('/');
    }
}

/// Whether the path is in its normal form at first sight, as most are.
fn is_ordinary(path: &str) -> bool {
    let mut last = 0;
    let has_nothing = path.bytes().all(|byte| {
        let is_second = last == b'/' && matches!(byte, b'/' | b'.');
        last = byte;
        !is_second && percent::is_plain(byte) && !matches!(byte, b';' | b'(')
    });
    has_nothing && path.starts_with('/')
}

fn is_default(segment: &str) -> bool {
    DEFAULT_DOCUMENTS.iter().any(|it| segment.eq_ignore_ascii_case(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let mut out = String::from("host");
        write(&Rules::default(), path, &mut out);
        assert_eq!(out, format!("host{expected}"));
    }

    #[test]
    fn slashes_beyond_the_first_vanish() {
        check("//a///b//", "/a/b/");
        check("/a/", "/a/");
        check("/a", "/a");
    }

    #[test]
    fn the_slashes_of_a_url_in_the_path_stay() {
        check("/web/2001/http://example.org//a", "/web/2001/http://example.org/a");
    }

    #[test]
    fn sessions_in_the_path_vanish() {
        check("/a;jsessionid=1A2B3C4D5E6F7A8B/b", "/a/b");
        check("/shop/(S(lit3py55t21z5v55vlm25s55))/cart.aspx", "/shop/cart.aspx");
        check("/(X(1)S(lit3py55t21z5v55vlm25s55))/", "/");
        check("/..;jsessionid=1A2B3C4D5E6F7A8B", "/");
    }

    #[test]
    fn what_only_resembles_a_session_stays() {
        check("/a;jsessionid=no/b", "/a;jsessionid=no/b");
        check("/kafka_(band)", "/kafka_(band)");
        check("/(S(1))/a", "/(S(1))/a");
    }

    #[test]
    fn default_documents_stay_unless_the_rules_drop_them() {
        check("/a/index.html", "/a/index.html");
        let mut out = String::new();
        let rules = Rules { drop_default_documents: true, ..Rules::default() };
        write(&rules, "/a/Index.html", &mut out);
        assert_eq!(out, "/a/");
    }
}
