//! Snippets: the part of a document that shows why it was found.

use std::ops::Range;

use index::Document;

/// A snippet has about so many letters.
const LENGTH: usize = 240;

/// A piece of a text, and what it is to the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// What it is.
    pub kind: PieceKind,
}

/// What a piece of a text is to the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Nothing.
    Plain,
    /// A word that was asked for.
    Theme,
    /// The name of a place that fits.
    Place,
}

/// The part of a document that has most of the words asked for, and a place that fits, near each other.
///
/// `is_asked` says of a folded word whether it was asked for, `fits` of a place whether it is on the ground.
pub(crate) fn snippet(
    document: &Document,
    is_asked: &dyn Fn(&str) -> Option<usize>,
    fits: &dyn Fn(u32) -> bool,
) -> Vec<Piece> {
    let text = document.text.as_str();
    let hits = hits(document, is_asked, fits);
    let window = window(text, &hits);
    pieces(text, window, &hits)
}

/// A text as a whole, marked in the same way.
pub(crate) fn marked(text: &str, is_asked: &dyn Fn(&str) -> Option<usize>) -> Vec<Piece> {
    let mut hits = Vec::new();
    words(text, is_asked, &mut hits);
    pieces(text, 0..text.len(), &hits)
}

struct Hit {
    span: Range<usize>,
    kind: PieceKind,
    /// Which of the words, so that two different ones count more than one twice.
    number: usize,
}

fn words(text: &str, is_asked: &dyn Fn(&str) -> Option<usize>, hits: &mut Vec<Hit>) {
    let mut terms = text::Terms::of(text);
    let mut term = String::new();
    while let Some(span) = terms.read(&mut term) {
        if let Some(number) = is_asked(&term) {
            hits.push(Hit { span, kind: PieceKind::Theme, number });
        }
    }
}

fn hits(
    document: &Document,
    is_asked: &dyn Fn(&str) -> Option<usize>,
    fits: &dyn Fn(u32) -> bool,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    words(&document.text, is_asked, &mut hits);
    for mark in &document.marks {
        let span = mark.start as usize..mark.end as usize;
        if document.text.get(span.clone()).is_some() && fits(mark.place) {
            hits.push(Hit { span, kind: PieceKind::Place, number: usize::MAX });
        }
    }
    // Where a word that was asked for is also a place, it is the place that was found.
    hits.sort_by_key(|it| (it.span.start, it.kind != PieceKind::Place));
    let mut end = 0;
    hits.retain(|it| {
        let is_free = it.span.start >= end;
        if is_free {
            end = it.span.end;
        }
        is_free
    });
    hits
}

/// The stretch with most different hits; of equal ones the first.
fn window(text: &str, hits: &[Hit]) -> Range<usize> {
    let mut best: (usize, usize) = (0, 0);
    for (first, hit) in hits.iter().enumerate() {
        let inside = hits[first..].iter().take_while(|it| it.span.end <= hit.span.start + LENGTH);
        let mut seen = Vec::new();
        let mut value = 0;
        for it in inside {
            if seen.contains(&it.number) {
                value += 1;
            } else {
                seen.push(it.number);
                value += 10;
            }
        }
        if value > best.0 {
            best = (value, hit.span.start);
        }
    }
    // A little of what stands before, from the start of a sentence or at least of a word.
    let earliest = text.floor_char_boundary(best.1.saturating_sub(LENGTH / 4));
    let before = &text[earliest..best.1];
    let start = match before.rfind(['\n', '.', '!', '?']) {
        Some(at) => earliest + at + 1,
        None if earliest == 0 => 0,
        None => earliest + before.find(' ').map_or(0, |it| it + 1),
    };
    let latest = text.floor_char_boundary((start + LENGTH).min(text.len()));
    let end = if latest == text.len() {
        latest
    } else {
        text[start..latest].rfind(char::is_whitespace).map_or(latest, |it| start + it)
    };
    start..end.max(start)
}

fn pieces(text: &str, window: Range<usize>, hits: &[Hit]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |span: Range<usize>, kind: PieceKind| {
        let text = text[span].with_single_blanks();
        if !text.is_empty() {
            pieces.push(Piece { text, kind });
        }
    };
    let mut at = window.start;
    for hit in hits.iter().filter(|it| it.span.start >= window.start && it.span.end <= window.end) {
        add(at..hit.span.start, PieceKind::Plain);
        add(hit.span.clone(), hit.kind);
        at = hit.span.end;
    }
    add(at..window.end, PieceKind::Plain);
    if let Some(first) = pieces.first_mut() {
        first.text = first.text.trim_start().to_owned();
    }
    if let Some(last) = pieces.last_mut() {
        last.text = last.text.trim_end().to_owned();
    }
    pieces.retain(|it| !it.text.is_empty());
    pieces
}

trait Blanks {
    /// The text with one blank for every run of blanks and line ends.
    fn with_single_blanks(&self) -> String;
}

impl Blanks for str {
    fn with_single_blanks(&self) -> String {
        let mut out = String::with_capacity(self.len());
        for letter in self.chars() {
            if !letter.is_whitespace() {
                out.push(letter);
            } else if !out.ends_with(' ') {
                out.push(' ');
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use index::Mark;

    use super::*;

    fn asked(words: &'static [&'static str]) -> impl Fn(&str) -> Option<usize> {
        move |word| words.iter().position(|it| *it == word)
    }

    #[test]
    fn words_and_places_are_marked_apart() {
        let text = "The bakery in Oldenburg opens at six.".to_owned();
        let marks = vec![Mark { start: 14, end: 23, place: 7 }];
        let document = Document { text, marks, ..Document::default() };
        let pieces = snippet(&document, &asked(&["bakery"]), &|place| place == 7);
        let kinds: Vec<_> = pieces.iter().map(|it| (it.text.as_str(), it.kind)).collect();
        assert_eq!(
            kinds,
            [
                ("The ", PieceKind::Plain),
                ("bakery", PieceKind::Theme),
                (" in ", PieceKind::Plain),
                ("Oldenburg", PieceKind::Place),
                (" opens at six.", PieceKind::Plain),
            ]
        );
    }

    #[test]
    fn the_snippet_is_where_most_of_the_words_are() {
        let filler = "Nothing of interest is said here at all. ".repeat(20);
        let text = format!("A castle. {filler}The castle with its museum. {filler}");
        let document = Document { text, ..Document::default() };
        let pieces = snippet(&document, &asked(&["castle", "museum"]), &|_| false);
        let all: String = pieces.iter().map(|it| it.text.as_str()).collect();
        assert!(all.starts_with("The castle with its museum."), "{all}");
    }

    #[test]
    fn without_hits_the_text_starts_the_snippet() {
        let document = Document { text: "One.\n\nTwo.".to_owned(), ..Document::default() };
        let pieces = snippet(&document, &asked(&[]), &|_| false);
        assert_eq!(pieces, [Piece { text: "One. Two.".to_owned(), kind: PieceKind::Plain }]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_snippet(text in "\\PC{0,400}", start in 0u32..400, length in 0u32..20) {
            let marks = vec![Mark { start, end: start + length, place: 1 }];
            let document = Document { text, marks, ..Document::default() };
            snippet(&document, &|word| (word.len() == 2).then_some(0), &|_| true);
        }
    }
}
