//! The text as it grows: words are joined, blanks fall together, blocks and cells are kept apart.

use std::ops::Range;

use crate::block::{Area, Block, Role};
use crate::entity::{Within, reference};

/// So much text of a page is read. The longest novels have this much.
const MOST_TEXT: usize = 4 << 20;
/// So many blocks of a page are read.
const MOST_BLOCKS: usize = 20_000;
/// So many bytes are written at a time, and the word in which they end: what would be too much text
/// is left out as a whole.
const LONG_RUN: usize = 1024;

/// Text in the making, with its blocks.
#[derive(Default)]
pub(crate) struct Flow {
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// Whether a limit was met and what follows is left out.
    pub(crate) is_full: bool,
    gap: Gap,
}

/// What will stand between the last word and the next one, from weak to strong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    #[default]
    None,
    Blank,
    Line,
    Block,
    Cell,
    Row,
}

/// What holds for the text that is written next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Setting {
    pub(crate) role: Role,
    pub(crate) area: Area,
    pub(crate) is_address: bool,
    pub(crate) is_linked: bool,
    pub(crate) keeps_lines: bool,
}

impl Flow {
    /// Makes sure that at least this much stands before the next word.
    pub(crate) fn part(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Where the words stand that were written since the text had this length.
    pub(crate) fn since(&self, start: usize) -> Range<usize> {
        let written = self.text.get(start..).unwrap_or_default();
        let words = written.trim_start_matches([' ', '\n', '\t']);
        self.text.len() - words.len()..self.text.len()
    }

    /// Appends a piece of the document's text.
    pub(crate) fn write(&mut self, piece: &str, setting: Setting) {
        let before = self.text.len();
        let mut rest = piece;
        while !rest.is_empty() && !self.is_full {
            rest = self.write_run(rest, setting);
        }
        if let Some(block) = self.blocks.last_mut().filter(|_| self.text.len() > before) {
            block.range.end = self.text.len();
            if setting.is_linked {
                block.linked += self.text.len() - before.max(block.range.start);
            }
        }
    }

    /// Appends a piece of text in which `&` is just that.
    pub(crate) fn write_plain(&mut self, piece: &str, setting: Setting) {
        let mut parts = piece.split('&');
        self.write(parts.next().unwrap_or_default(), setting);
        for part in parts {
            self.write("&amp;", setting);
            self.write(part, setting);
        }
    }

    /// Appends the words up to what is none, or deals with that. What is left comes back.
    fn write_run<'a>(&mut self, rest: &'a str, setting: Setting) -> &'a str {
        let bytes = rest.as_bytes();
        let run = run(bytes);
        if run > 0 {
            self.push(&rest[..run], setting);
            return &rest[run..];
        }
        match bytes[0] {
            b'\n' if setting.keeps_lines => self.pass(Gap::Line, rest, 1),
            b'&' => self.write_reference(rest, setting),
            byte if byte.is_ascii() => self.pass(Gap::Blank, rest, 1),
            _ => self.write_letter(rest, setting),
        }
    }

    fn pass<'a>(&mut self, gap: Gap, rest: &'a str, length: usize) -> &'a str {
        self.part(gap);
        &rest[length..]
    }

    fn write_reference<'a>(&mut self, rest: &'a str, setting: Setting) -> &'a str {
        let Some(found) = reference(rest, Within::Text) else {
            self.push("&", setting);
            return &rest[1..];
        };
        self.write_character(found.first, setting);
        if let Some(second) = found.second {
            self.write_character(second, setting);
        }
        &rest[found.length..]
    }

    fn write_letter<'a>(&mut self, rest: &'a str, setting: Setting) -> &'a str {
        let Some(letter) = rest.chars().next() else { return "" };
        self.write_character(letter, setting);
        &rest[letter.len_utf8()..]
    }

    fn write_character(&mut self, letter: char, setting: Setting) {
        if letter.is_whitespace() || letter.is_control() {
            self.part(Gap::Blank);
        } else if !is_invisible(letter) {
            self.push(letter.encode_utf8(&mut [0; 4]), setting);
        }
    }

    fn push(&mut self, letters: &str, setting: Setting) {
        let begins_block = self.gap >= Gap::Block || self.blocks.is_empty();
        self.is_full |= self.text.len() + letters.len() >= MOST_TEXT;
        self.is_full |= begins_block && self.blocks.len() >= MOST_BLOCKS;
        if self.is_full {
            return;
        }
        if begins_block {
            self.begin_block(setting);
        } else if self.gap > Gap::None {
            self.text.push(if self.gap == Gap::Line { '\n' } else { ' ' });
        }
        self.gap = Gap::None;
        self.text.push_str(letters);
    }

    fn begin_block(&mut self, setting: Setting) {
        if !self.text.is_empty() {
            self.text.push(if self.gap == Gap::Cell { '\t' } else { '\n' });
        }
        let start = self.text.len();
        self.blocks.push(Block {
            range: start..start,
            role: setting.role,
            area: setting.area,
            is_address: setting.is_address,
            is_main: false,
            linked: 0,
        });
    }
}

/// How many bytes are written as they are: letters, and single blanks between them.
fn run(bytes: &[u8]) -> usize {
    let is_plain = |at: usize| bytes.get(at).is_some_and(|it| PLAIN[usize::from(*it)]);
    let mut end = 0;
    while is_plain(end)
        || bytes.get(end) == Some(&b' ') && (1..LONG_RUN).contains(&end) && is_plain(end + 1)
    {
        end += 1;
    }
    end
}

/// The bytes of letters that are written as they are. The others are blanks, references, control
/// characters, and the first bytes of letters that may be blank or invisible.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = !matches!(byte as u8, 0..=b' ' | b'&' | 0x7f | 0xc2 | 0xe2 | 0xe3 | 0xef);
        byte += 1;
    }
    plain
};

/// Hyphens that only show at line ends, and marks that never do.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}
