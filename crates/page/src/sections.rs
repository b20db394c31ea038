//! The sections a page was filed under, as newspapers have them: `Sport`, `Culture`.

use crate::flow::{Flow, Setting};

/// So many are kept; a page that states more has taken keywords for sections.
const MOST: usize = 8;
/// What is longer, in bytes, is a sentence and no section.
const LONGEST: usize = 100;

/// The sections that were stated so far, each once.
#[derive(Default)]
pub(crate) struct Sections(pub(crate) Vec<String>);

impl Sections {
    /// Adds one, as it stands in an attribute or a script.
    pub(crate) fn note(&mut self, raw: &str) {
        // References are longer than what they stand for.
        if raw.len() > LONGEST * 4 {
            return;
        }
        let mut flow = Flow::default();
        flow.write(raw, Setting::default());
        let section = flow.text;
        let is_new = || !self.0.iter().any(|it| it.eq_ignore_ascii_case(&section));
        if (1..=LONGEST).contains(&section.len()) && self.0.len() < MOST && is_new() {
            self.0.push(section);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::page::read;
    use crate::response::Response;

    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        assert_eq!(read(&Response::new(html.as_bytes())).sections, expected, "{html}");
    }

    #[test]
    fn sections_are_stated_in_the_head_and_in_scripts() {
        check("<meta property=article:section content='Art &amp; more'>", &["Art & more"]);
        check(
            r#"<script type="application/ld+json">{"@type":"NewsArticle","articleSection":["Sport","Chess"]}</script>"#,
            &["Sport", "Chess"],
        );
        check(
            r#"<script type="application/ld+json">{"@graph":[{"articleSection":"Sport"}]}</script>
               <meta property="article:section" content="sport">"#,
            &["Sport"],
        );
    }

    #[test]
    fn neither_nothing_nor_a_sentence_is_a_section() {
        check("<meta property=article:section content=' '>", &[]);
        check(&format!("<meta property=article:section content='{}'>", "x".repeat(101)), &[]);
    }

    #[test]
    fn only_a_few_sections_are_kept() {
        let metas: Vec<String> =
            (0..50).map(|it| format!("<meta property=article:section content=s{it}>")).collect();
        let metas = metas.concat();
        assert_eq!(read(&Response::new(metas.as_bytes())).sections.len(), super::MOST);
    }
}
