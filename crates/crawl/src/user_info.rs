//! The name and the password that stand before the host of a link, which nobody is told.

use frontier::{NoLink, Rules};

/// What is given as a link, as it may be told: without a name and a password before its host. What cannot be read may
/// have them anywhere, and in doubt too much is left out.
pub(crate) fn without_user_info(link: &str) -> String {
    let begin = link.find("://").map_or(0, |it| it + 3);
    let (scheme, rest) = link.split_at(begin);
    let authority = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let last = rest.rfind('@').filter(|it| rest[..*it].contains(':'));
    let end = last.or_else(|| rest[..authority].rfind('@'));
    end.map_or_else(|| link.to_owned(), |it| format!("{scheme}{}", &rest[it + 1..]))
}

/// What is given as a link and why it is none, as both may be told.
pub(crate) fn told(rules: &Rules, link: &str, reason: NoLink) -> (String, NoLink) {
    let told = without_user_info(link);
    if told == link {
        return (told, reason);
    }
    // The reason may name a part of the password.
    let reason = rules.normal_form(&told).err();
    let before = || NoLink::BadHost("what stands before its @".to_owned());
    (told, reason.unwrap_or_else(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_without_a_name_and_a_password_is_told_as_it_stands() {
        for link in ["http://a.example/@me", "a.example", "http://a.example/a:b", ""] {
            assert_eq!(without_user_info(link), link);
        }
    }
}
