//! Text within HTML, SVG, KML and Atom.

/// The text as it is written within HTML and XML, also between quotation marks, without what XML
/// forbids.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(letter),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_become_an_element_or_leave_its_quotation_marks() {
        assert_eq!(
            escaped("<b title=\"'x'\"> & ä\u{1}\n"),
            "&lt;b title=&quot;&#39;x&#39;&quot;&gt; &amp; ä\n"
        );
    }
}
