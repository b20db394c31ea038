//! A page while it is being written, and the frames that sites put around their pages.

use jiff::civil::Date;
use xxhash_rust::xxh3::xxh3_64;

use crate::address::{Address, Form};
use crate::business::Business;
use crate::language::Language;
use crate::markup::{escaped, link};
use crate::paper::Topic;
use crate::web::Page;

/// A page while it is being written.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    language: Language,
    title: String,
    summary: String,
    head: Vec<String>,
    menu: Vec<(String, String)>,
    body: Vec<String>,
    foot: String,
    addresses: Vec<Address>,
    published: Option<Date>,
    topic: Option<Topic>,
}

impl Sheet {
    /// An empty page with a title.
    pub(crate) fn new(language: Language, title: impl Into<String>) -> Self {
        Self {
            language,
            title: title.into(),
            summary: String::new(),
            head: Vec::new(),
            menu: Vec::new(),
            body: Vec::new(),
            foot: String::new(),
            addresses: Vec::new(),
            published: None,
            topic: None,
        }
    }

    /// Adds a piece of HTML.
    pub(crate) fn push(&mut self, html: impl Into<String>) {
        self.body.push(html.into());
    }

    /// Adds a heading.
    pub(crate) fn heading(&mut self, level: u8, text: &str) {
        self.push(format!("<h{level}>{}</h{level}>", escaped(text)));
    }

    /// Adds a link to the menu.
    pub(crate) fn menu(&mut self, target: impl Into<String>, text: impl Into<String>) {
        self.menu.push((target.into(), text.into()));
    }

    /// What search engines are to show of the page.
    pub(crate) fn summary(&mut self, text: impl Into<String>) {
        self.summary = text.into();
    }

    /// What stands at the end of the page, as HTML.
    pub(crate) fn foot(&mut self, html: impl Into<String>) {
        self.foot = html.into();
    }

    /// Adds an element of the head.
    pub(crate) fn head(&mut self, element: impl Into<String>) {
        self.head.push(element.into());
    }

    /// Adds the address of a business, in its own form or, where there are many, in another.
    pub(crate) fn address(&mut self, of: &Business, form: Form) {
        self.push(of.address.html(form, &of.name));
        self.head.extend(of.address.head(form, of.kind(), &of.name));
        self.addresses.push(of.address.clone());
    }

    /// Says that an address is on the page that was written by other means.
    pub(crate) fn has(&mut self, address: &Address) {
        self.addresses.push(address.clone());
    }

    /// Says when the page was published, for readers and for programs.
    pub(crate) fn published(&mut self, date: Date) {
        self.published = Some(date);
        self.head(format!(
            "<meta property=\"article:published_time\" content=\"{date}T08:00:00Z\">"
        ));
        let day = self.language.day(date);
        self.push(format!("<p class=\"date\"><time datetime=\"{date}\">{day}</time></p>"));
    }

    /// Files the page under a topic.
    pub(crate) fn topic(&mut self, topic: Topic) {
        self.topic = Some(topic);
        let name = topic.name();
        self.head(format!("<meta property=\"article:section\" content=\"{name}\">"));
        self.head(format!("<meta name=\"keywords\" content=\"{name}\">"));
    }

    /// The page, in the frame that all pages of its host have.
    pub(crate) fn page(self, url: impl Into<String>) -> Page {
        let url = url.into();
        let host = url.split('/').nth(2).unwrap_or_default();
        let html = self.html(xxh3_64(host.as_bytes()));
        Page {
            url,
            html,
            language: self.language,
            addresses: self.addresses,
            published: self.published,
            topic: self.topic,
        }
    }

    fn html(&self, frame: u64) -> String {
        let code = self.language.code();
        let title = escaped(&self.title);
        let mut head = format!("<meta charset=\"utf-8\">\n<title>{title}</title>\n");
        if !self.summary.is_empty() {
            let summary = escaped(&self.summary);
            head += &format!("<meta name=\"description\" content=\"{summary}\">\n");
        }
        for element in &self.head {
            head += &format!("{element}\n");
        }
        let body = self.framed(frame);
        format!(
            "<!DOCTYPE html>\n<html lang=\"{code}\">\n<head>\n{head}</head>\n<body>\n{body}\n</body>\n</html>\n"
        )
    }

    fn framed(&self, frame: u64) -> String {
        let links: Vec<String> = self.menu.iter().map(|it| link(&it.0, &it.1)).collect();
        let items: Vec<String> = links.iter().map(|it| format!("<li>{it}</li>")).collect();
        let text = self.body.join("\n");
        let foot = &self.foot;
        match frame % 4 {
            0 => format!(
                "<header><nav>{}</nav></header>\n<main>\n{text}\n</main>\n<footer>{foot}</footer>",
                links.join(" | ")
            ),
            1 => format!(
                "<div id=\"top\"><ul class=\"menu\">{}</ul></div>\n<div id=\"content\">\n{text}\n</div>\n\
                 <div id=\"bottom\">{foot}</div>",
                items.concat()
            ),
            // As pages were made when columns were cells.
            2 => format!(
                "<table><tr><td valign=\"top\" class=\"menu\">{}</td><td valign=\"top\">\n{text}\n</td></tr>\
                 <tr><td colspan=\"2\">{foot}</td></tr></table>",
                links.join("<br>")
            ),
            _ => format!(
                "<article>\n{text}\n</article>\n<aside>{foot}</aside>\n<nav><ol>{}</ol></nav>",
                items.concat()
            ),
        }
    }
}
