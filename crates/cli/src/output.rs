//! What the program says: answers on standard output, complaints on standard error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use anyhow::Result;

/// Prints an answer.
pub(crate) fn say(text: &str) -> Result<()> {
    let text = &harmless(text);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// The text without what a terminal would obey instead of show: names come from anybody's data.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t'))
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(is_harmful) {
        Cow::Owned(text.replace(is_harmful, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Prints a value as JSON.
pub(crate) fn say_json(value: &serde_json::Value) -> Result<()> {
    say(&serde_json::to_string_pretty(value)?)
}

/// Prints an error with its causes on one line.
pub(crate) fn complain(error: &anyhow::Error) {
    // If nobody reads the complaint either, there is nobody left to tell.
    let _ = writeln!(io::stderr(), "strabo: {}", harmless(&with_causes(error)));
}

/// An error with its causes on one line. What has been said already is not said again: many errors tell
/// their cause themselves.
pub(crate) fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

/// True if the reader of the answer has gone, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// Rows with their columns aligned; numbers to the right, words to the left.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let width = |column: usize| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let is_number =
        |cell: &String| cell.chars().all(|it| it.is_ascii_digit() || "., %-".contains(it));
    let widths: Vec<_> =
        (0..columns).map(|it| (width(it), cells(it).skip(1).all(is_number))).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, (width, is_number)) in row.iter().zip(&widths) {
            let padding = " ".repeat(width - cell.chars().count());
            line += &if *is_number {
                format!("{padding}{cell}  ")
            } else {
                format!("{cell}{padding}  ")
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// How many letters a line of the terminal has; nothing if the answer does not go to a terminal.
pub(crate) fn width() -> Option<usize> {
    let out = io::stdout();
    let size = out.is_terminal().then(|| rustix::termios::tcgetwinsize(&out))?.ok()?;
    // Some terminals do not tell.
    Some(usize::from(size.ws_col)).filter(|it| *it > 0)
}

/// A text as lines of some ninety letters, each behind a margin.
pub(crate) fn wrapped(margin: &str, text: &str) -> String {
    wrapped_to(92, margin, text)
}

/// A text as lines of at most so many letters, each behind a margin; a longer word is a line of its own.
pub(crate) fn wrapped_to(width: usize, margin: &str, text: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|it| !it.is_empty()) {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            out += &format!("{margin}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out + &format!("{margin}{line}\n")
}

/// A number with its thousands apart: `234,908`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn long_texts_become_lines() {
        let text = wrapped("  ", &"word ".repeat(30));
        let widths: Vec<_> = text.lines().map(str::len).collect();
        assert_eq!(widths, [2 + 18 * 5 - 1, 2 + 12 * 5 - 1]);
    }

    #[test]
    fn a_cause_is_said_once() {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        let failure = archive::Failure::Read { path: "x".into(), error: missing() };
        assert_eq!(with_causes(&failure.into()), "x cannot be read: no such file");
        let silent = anyhow::Error::new(missing()).context("x").context("y");
        assert_eq!(with_causes(&silent), "y: x: no such file");
    }

    #[test]
    fn a_name_cannot_give_orders_to_the_terminal() {
        assert_eq!(
            harmless("Bad\u{1b}[31m\u{7}\u{202e} Town\n"),
            "Bad\u{fffd}[31m\u{fffd}\u{fffd} Town\n"
        );
        assert_eq!(harmless("Łódź\n"), "Łódź\n");
    }

    #[test]
    fn numbers_stand_at_the_right_and_words_at_the_left() {
        let rows = [["kind", "count"], ["city", "9"], ["airport", "123"]]
            .map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&rows), "kind     count\ncity         9\nairport    123\n");
    }
}
