//! Tags and text of an HTML document, in the order in which they stand.
//!
//! The states of the WHATWG tokenizer, folded together. Every byte is looked at once, and what comes
//! out are slices of what went in.

use memchr::{memchr, memchr_iter, memchr2_iter};

/// One piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Text as it was written, with its character references.
    Text(&'a str),
    /// The beginning of an element; its attributes are in [`Tokens::attributes`].
    Start { name: &'a str, self_closing: bool },
    /// The end of an element.
    End { name: &'a str },
}

/// Name and value as they were written, the value with its character references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

/// So many attributes of a tag are kept. Real tags rarely have twenty.
const MOST_ATTRIBUTES: usize = 64;

/// A walk through a document.
pub(crate) struct Tokens<'a> {
    html: &'a str,
    at: usize,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(html: &'a str) -> Self {
        Self { html, at: 0, attributes: Vec::with_capacity(16) }
    }

    /// The attributes of the start tag that came last, in their order.
    pub(crate) fn attributes(&self) -> &[Attribute<'a>] {
        &self.attributes
    }

    /// The next piece; comments, doctypes and torn tags are passed over.
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        while self.at < self.html.len() {
            let text = self.text();
            if !text.is_empty() {
                return Some(Token::Text(text));
            }
            if let Some(tag) = self.markup() {
                return Some(tag);
            }
        }
        None
    }

    /// What stands before the end tag of this element and is not markup; the end tag comes next.
    pub(crate) fn raw_text(&mut self, name: &str) -> &'a str {
        let start = self.at;
        let mut from = start;
        while let Some(found) = memchr(b'<', &self.bytes()[from..]) {
            from += found;
            if self.is_end_tag(from, name) {
                return self.cut(start, from);
            }
            from += 1;
        }
        self.cut(start, self.html.len())
    }

    /// The text of a script, where an end tag inside `<!-- <script>` does not count.
    pub(crate) fn script_text(&mut self) -> &'a str {
        let (start, mut comment) = (self.at, Comment::None);
        for found in memchr2_iter(b'<', b'>', &self.bytes()[start..]) {
            let at = start + found;
            comment = match comment {
                Comment::None if self.html[at..].starts_with("<!--") => Comment::Plain,
                Comment::Plain if self.is_name(at, "<script") => Comment::WithScript,
                Comment::WithScript if self.is_end_tag(at, "script") => Comment::Plain,
                Comment::None | Comment::Plain if self.is_end_tag(at, "script") => {
                    return self.cut(start, at);
                }
                _ if self.html[start..=at].ends_with("-->") => Comment::None,
                comment => comment,
            };
        }
        self.cut(start, self.html.len())
    }

    /// All that is left.
    pub(crate) fn rest(&mut self) -> &'a str {
        self.cut(self.at, self.html.len())
    }

    fn bytes(&self) -> &'a [u8] {
        self.html.as_bytes()
    }

    fn peek(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    fn cut(&mut self, start: usize, end: usize) -> &'a str {
        self.at = end;
        &self.html[start..end]
    }

    fn is_end_tag(&self, at: usize, name: &str) -> bool {
        self.bytes()[at..].starts_with(b"</") && self.is_name(at + 2, name)
    }

    /// Whether this name stands here in any case and ends where a tag's name may end.
    fn is_name(&self, at: usize, name: &str) -> bool {
        let end = at + name.len();
        let here = self.bytes().get(at..end);
        here.is_some_and(|here| here.eq_ignore_ascii_case(name.as_bytes()))
            && self.peek(end).is_some_and(ends_name)
    }

    /// Text up to where markup begins. A `<` that begins nothing is text.
    fn text(&mut self) -> &'a str {
        let start = self.at;
        let mut from = start;
        while let Some(found) = memchr(b'<', &self.bytes()[from..]) {
            from += found;
            if self.begins_markup(from) {
                return self.cut(start, from);
            }
            from += 1;
        }
        self.cut(start, self.html.len())
    }

    fn begins_markup(&self, at: usize) -> bool {
        match self.peek(at + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => self.peek(at + 2).is_some(),
            Some(next) => next.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// The tag that begins here; none if it is a comment or the like.
    fn markup(&mut self) -> Option<Token<'a>> {
        match (self.peek(self.at + 1)?, self.peek(self.at + 2)) {
            (b'/', Some(next)) if next.is_ascii_alphabetic() => self.tag(self.at + 2, true),
            (b'!', _) if self.html[self.at..].starts_with("<!--") => self.skip_comment(),
            (b'!' | b'?' | b'/', _) => self.skip_past(b'>'),
            _ => self.tag(self.at + 1, false),
        }
    }

    fn skip_past(&mut self, end: u8) -> Option<Token<'a>> {
        let found = memchr(end, &self.bytes()[self.at..]);
        self.at = found.map_or(self.html.len(), |found| self.at + found + 1);
        None
    }

    fn skip_comment(&mut self) -> Option<Token<'a>> {
        let start = self.at + "<!--".len();
        let comment = &self.html[start..];
        if comment.starts_with('>') || comment.starts_with("->") {
            return self.skip_past(b'>');
        }
        let mut ends = memchr_iter(b'>', comment.as_bytes());
        let end =
            ends.find(|&end| comment[..end].ends_with("--") || comment[..end].ends_with("--!"));
        self.at = end.map_or(self.html.len(), |end| start + end + 1);
        None
    }

    /// The tag whose name begins here; none if the document ends inside it.
    fn tag(&mut self, name_start: usize, is_end: bool) -> Option<Token<'a>> {
        self.attributes.clear();
        let name_end = self.until(name_start, ends_name)?;
        let name = &self.html[name_start..name_end];
        let self_closing = self.read_attributes(name_end)?;
        Some(if is_end { Token::End { name } } else { Token::Start { name, self_closing } })
    }

    /// Reads up to behind the `>`. Whether a `/` stood right before it.
    fn read_attributes(&mut self, from: usize) -> Option<bool> {
        let (mut at, mut slash) = (from, None);
        loop {
            at = self.until(at, |byte| !byte.is_ascii_whitespace())?;
            match self.peek(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(slash == Some(at));
                }
                b'/' => {
                    at += 1;
                    slash = Some(at);
                }
                _ => at = self.read_attribute(at)?,
            }
        }
    }

    fn read_attribute(&mut self, start: usize) -> Option<usize> {
        // A name may begin with the sign that ends all others.
        let name_end = self.until(start + 1, |byte| ends_name(byte) || byte == b'=')?;
        let name = &self.html[start..name_end];
        let after = self.until(name_end, |byte| !byte.is_ascii_whitespace())?;
        if self.peek(after)? != b'=' {
            self.keep(name, "");
            return Some(after);
        }
        let value_start = self.until(after + 1, |byte| !byte.is_ascii_whitespace())?;
        let (value_start, value_end, next) = match self.peek(value_start)? {
            b'>' => (value_start, value_start, value_start),
            quote @ (b'"' | b'\'') => {
                let inside = value_start + 1;
                let end = memchr(quote, &self.bytes()[inside..]);
                let end = inside + self.or_torn(end)?;
                (inside, end, end + 1)
            }
            _ => {
                let end =
                    self.until(value_start, |byte| byte.is_ascii_whitespace() || byte == b'>')?;
                (value_start, end, end)
            }
        };
        self.keep(name, &self.html[value_start..value_end]);
        Some(next)
    }

    fn keep(&mut self, name: &'a str, value: &'a str) {
        if self.attributes.len() < MOST_ATTRIBUTES {
            self.attributes.push(Attribute { name, value });
        }
    }

    /// Where the first such byte stands; if there is none, the tag is torn and all is read.
    fn until(&mut self, from: usize, is_such: impl Fn(u8) -> bool) -> Option<usize> {
        let rest = self.bytes().get(from..).unwrap_or_default();
        let found = rest.iter().position(|&byte| is_such(byte));
        Some(from + self.or_torn(found)?)
    }

    fn or_torn(&mut self, found: Option<usize>) -> Option<usize> {
        if found.is_none() {
            self.at = self.html.len();
        }
        found
    }
}

/// Whether a script is inside a comment, and whether that has begun a script of its own.
#[derive(Clone, Copy)]
enum Comment {
    None,
    Plain,
    WithScript,
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{
        BufferQueue, TagKind, Token as TwinToken, TokenSink, TokenSinkResult, Tokenizer,
        TokenizerOpts,
    };
    use proptest::prelude::*;

    use super::*;

    /// Tags as `<name a=b>` and `</name>`, text as it is.
    fn written(html: &str) -> String {
        let mut tokens = Tokens::new(html);
        let mut out = String::new();
        while let Some(token) = tokens.next() {
            match token {
                Token::Text(text) => out.push_str(text),
                Token::End { name } => out.push_str(&format!("</{}>", name.to_ascii_lowercase())),
                Token::Start { name, self_closing } => {
                    let mut names: Vec<String> = Vec::new();
                    out.push_str(&format!("<{}", name.to_ascii_lowercase()));
                    for attribute in tokens.attributes() {
                        let name = attribute.name.to_ascii_lowercase();
                        if !names.contains(&name) {
                            out.push_str(&format!(" {name}={}", attribute.value));
                            names.push(name);
                        }
                    }
                    out.push_str(if self_closing { "/>" } else { ">" });
                }
            }
        }
        out
    }

    /// The same, by the tokenizer of html5ever.
    fn written_by_twin(html: &str) -> String {
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(html));
        let tokenizer = Tokenizer::new(Twin::default(), TokenizerOpts::default());
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.out.into_inner()
    }

    #[derive(Default)]
    struct Twin {
        out: RefCell<String>,
    }

    impl TokenSink for Twin {
        type Handle = ();

        fn process_token(&self, token: TwinToken, _line: u64) -> TokenSinkResult<()> {
            let mut out = self.out.borrow_mut();
            match token {
                TwinToken::CharacterTokens(text) => out.push_str(&text),
                TwinToken::TagToken(tag) if tag.kind == TagKind::EndTag => {
                    out.push_str(&format!("</{}>", tag.name));
                }
                TwinToken::TagToken(tag) => {
                    out.push_str(&format!("<{}", tag.name));
                    for attribute in &tag.attrs {
                        out.push_str(&format!(" {}={}", attribute.name.local, attribute.value));
                    }
                    out.push_str(if tag.self_closing { "/>" } else { ">" });
                }
                _ => {}
            }
            TokenSinkResult::Continue
        }
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(written(html), expected, "{html}");
    }

    #[test]
    fn attributes_are_read_with_any_quotes_or_none() {
        check("<a href='x' title=\"a > b\" rel=y>t</a>", "<a href=x title=a > b rel=y>t</a>");
        check("<A HREF = x disabled>", "<a href=x disabled=>");
        check("<br/><img src=a/>", "<br/><img src=a/>");
    }

    #[test]
    fn a_sign_that_begins_no_tag_is_text() {
        check("1 < 2 <3 a<b", "1 < 2 <3 a");
        check("a </", "a </");
        check("<", "<");
    }

    #[test]
    fn comments_and_doctypes_are_passed_over() {
        check("a<!-- b --!>c<!-->d<!--->e<!doctype html>f<?php ?>g</ >h", "acdefgh");
        check("a<!-- b", "a");
    }

    #[test]
    fn a_torn_tag_is_dropped() {
        check("a<b c='d>e", "a");
        check("a<b c", "a");
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        let mut tokens = Tokens::new("a</styles></STYLE >b");
        assert_eq!(tokens.raw_text("style"), "a</styles>");
        assert_eq!(tokens.next(), Some(Token::End { name: "STYLE" }));
        assert_eq!(Tokens::new("a<b>").raw_text("style"), "a<b>");
    }

    #[test]
    fn a_script_inside_a_comment_of_a_script_is_part_of_it() {
        let script = |html: &'static str| Tokens::new(html).script_text();
        assert_eq!(script("a</script>b"), "a");
        assert_eq!(script("<!-- a</script>b"), "<!-- a");
        assert_eq!(script("<!--<script>a</script>--></script>b"), "<!--<script>a</script>-->");
        assert_eq!(script("<!--><script>a</script>b"), "<!--><script>a");
    }

    #[test]
    fn attributes_beyond_the_limit_are_passed_over() {
        let many = (0..1000).map(|it| format!(" a{it}")).collect::<Vec<_>>().concat();
        let html = format!("<b{many}>c");
        let mut tokens = Tokens::new(&html);
        assert!(matches!(tokens.next(), Some(Token::Start { name: "b", .. })));
        assert_eq!(tokens.attributes().len(), MOST_ATTRIBUTES);
        assert_eq!(tokens.next(), Some(Token::Text("c")));
    }

    proptest! {
        #[test]
        fn tokens_are_those_of_html5ever(html in "[<>/!a-b=\"' \\-?ä]{0,40}") {
            prop_assert_eq!(written(&html), written_by_twin(&html));
        }
    }
}
