//! What readers said about wrong places, the latest first.

use std::io;
use std::path::Path;

use askama::Template;
use index::Generation;
use serde::Deserialize;

use crate::card::copy_link;
use crate::frame::Frame;

/// So many of the latest are shown.
const MOST: usize = 20;

/// A line of the book that stored pages write into.
#[derive(Debug, PartialEq, Deserialize)]
struct Line {
    at: String,
    id: String,
    wrong: String,
    right: String,
}

/// What a reader said of a page.
struct Word {
    at: String,
    /// The title of the page, and where it is; nothing if it is not in the index any more.
    page: Option<(String, String)>,
    line: Line,
}

#[derive(Template)]
#[template(path = "crawls/feedback.html")]
struct FeedbackView<'a> {
    frame: &'a Frame,
    total: u64,
    words: Vec<Word>,
}

/// The latest words of readers with the pages they are about, as HTML.
pub(super) fn feedback(frame: &Frame, generation: &Generation, book: &Path) -> String {
    let (total, lines) = read(book).unwrap_or_else(|error| {
        tracing::warn!(book = %book.display(), %error, "the book of feedback cannot be read");
        (0, Vec::new())
    });
    let page = |id: &str| {
        let document = generation.document(generation.by_id(id)?).ok()?;
        let title = document.title.trim();
        let title = if title.is_empty() { id } else { title };
        Some((title.to_owned(), copy_link(id)))
    };
    let moment = |at: &str| at.parse().map(|it| frame.moment(&it)).unwrap_or_default();
    let word = |line: Line| Word { at: moment(&line.at), page: page(&line.id), line };
    let view = FeedbackView { frame, total, words: lines.into_iter().map(word).collect() };
    view.render().unwrap_or_else(|error| {
        tracing::error!(%error, "what readers said cannot be shown");
        String::new()
    })
}

/// How many lines the book has, and the last of them that can be read, the latest first. The book has an end at 16 MiB, so
/// that all of it is read at once.
fn read(book: &Path) -> io::Result<(u64, Vec<Line>)> {
    let text = match std::fs::read(book) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((0, Vec::new())),
        text => text?,
    };
    let lines = || text.split(|it| *it == b'\n').filter(|it| !it.is_empty());
    let latest = lines().rev().filter_map(|it| serde_json::from_slice(it).ok()).take(MOST);
    Ok((lines().count() as u64, latest.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_words_come_first_and_a_torn_line_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("feedback.jsonl");
        assert_eq!(read(&book).unwrap(), (0, Vec::new()));
        let line = |number: usize| {
            format!(
                "{{\"at\":\"2026-11-19T05:00:00Z\",\"id\":\"p{number}\",\"wrong\":\"a\",\"right\":\"b\"}}\n"
            )
        };
        let text: String = (0..30).map(line).collect();
        std::fs::write(&book, text + "{\"at\":\"2026-11").unwrap();
        let (total, latest) = read(&book).unwrap();
        assert_eq!((total, latest.len()), (31, MOST));
        assert_eq!((latest[0].id.as_str(), latest[19].id.as_str()), ("p29", "p10"));
    }
}
