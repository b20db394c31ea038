//! Text within HTML, and in URLs.

/// The text as it is written within HTML and XML, also between quotation marks.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A paragraph of sentences.
pub(crate) fn paragraph(sentences: &[String]) -> String {
    format!("<p>{}</p>", escaped(&sentences.join(" ")))
}

/// A link.
pub(crate) fn link(target: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(target), escaped(text))
}

/// A list of pieces of HTML.
pub(crate) fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let item = |it: T| format!("<li>{}</li>\n", it.as_ref());
    let items: Vec<String> = items.into_iter().map(item).collect();
    format!("<ul>\n{}</ul>", items.concat())
}

/// Words as a part of a URL: `Café Sininen Kettu` is `cafe-sininen-kettu`.
pub(crate) fn slug(words: &str) -> String {
    let folded = text::fold(words);
    let kept = folded.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
    kept.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_letters_digits_and_hyphens() {
        for (words, expected) in [
            ("Café Sininen Kettu", "cafe-sininen-kettu"),
            ("Hôtel de l'Ancre dorée", "hotel-de-l-ancre-doree"),
            ("Straße 2 b", "strasse-2-b"),
        ] {
            assert_eq!(slug(words), expected);
        }
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(link("/?a=1&b=\"", "<b>"), "<a href=\"/?a=1&amp;b=&quot;\">&lt;b&gt;</a>");
    }
}
