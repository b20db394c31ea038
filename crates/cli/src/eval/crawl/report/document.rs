//! A document of sections, as a page that needs nothing else and as Markdown.

use web::escaped;

use super::super::chart::{Chart, STYLE};
use super::super::tabulation::Table;

/// What the page looks like beside its charts.
const PAGE: &str = "body{margin:0 auto;max-width:1080px;padding:24px 20px 64px;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1{font-size:24px;line-height:1.25;margin:8px 0 20px}
h2{font-size:18px;margin:40px 0 8px}
p{max-width:76ch;margin:8px 0 14px;color:var(--faint)}
.wide{overflow-x:auto;margin:12px 0 20px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 14px 4px 0;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
th:first-child{text-align:left}
tbody th{font-weight:500}
thead th{color:var(--faint);font-weight:500}
.words td,.words th{text-align:left;white-space:normal}
.charts{display:flex;flex-wrap:wrap;gap:20px;margin:14px 0}
";

/// A part of a section.
pub(super) enum Part {
    Table(Table),
    Charts(Vec<Chart>),
}

/// A section of a document.
pub(super) struct Section {
    title: &'static str,
    /// What has to be known to read it.
    text: &'static str,
    parts: Vec<Part>,
}

impl Section {
    pub(super) fn new(title: &'static str, text: &'static str, parts: Vec<Part>) -> Self {
        Self { title, text, parts }
    }

    /// Whether it tells nothing but what it would tell.
    fn is_empty(&self) -> bool {
        self.parts.iter().all(|it| match it {
            Part::Table(table) => table.is_empty(),
            Part::Charts(charts) => charts.is_empty(),
        })
    }
}

/// The document as a page of HTML that needs nothing else.
pub(super) fn html(title: &str, sections: &[Section]) -> String {
    let title = escaped(title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{PAGE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for section in sections.iter().filter(|it| !it.is_empty()) {
        html += &format!("<h2>{}</h2>\n", escaped(section.title));
        if !section.text.is_empty() {
            html += &format!("<p>{}</p>\n", escaped(section.text));
        }
        for part in &section.parts {
            match part {
                Part::Table(table) if table.is_empty() => {}
                Part::Table(table) => html += &table.html(),
                Part::Charts(charts) => {
                    let charts: String = charts.iter().map(Chart::svg).collect();
                    html += &format!("<div class=\"charts\">\n{charts}</div>\n");
                }
            }
        }
    }
    html + "</body>\n</html>\n"
}

/// The document as Markdown, without its charts.
pub(super) fn markdown(title: &str, sections: &[Section]) -> String {
    let mut text = format!("## {title}\n");
    for section in sections.iter().filter(|it| !it.is_empty()) {
        text += &format!("\n### {}\n", section.title);
        if !section.text.is_empty() {
            text += &format!("\n{}\n", section.text);
        }
        for part in &section.parts {
            match part {
                Part::Table(table) if table.is_empty() => {}
                Part::Table(table) => text += &format!("\n{}", table.markdown()),
                Part::Charts(_) => {}
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(table: Table, expected: &str) {
        let sections = [Section::new("Harvest", "It tells.", vec![Part::Table(table)])];
        assert_eq!(markdown("A & B", &sections), expected);
    }

    #[test]
    fn a_section_that_tells_nothing_is_left_out() {
        check(Table::new(["a"]), "## A & B\n");
        let mut table = Table::new(["a"]);
        table.row(["1"]);
        check(table, "## A & B\n\n### Harvest\n\nIt tells.\n\n| a |\n|---|\n| 1 |\n");
    }

    #[test]
    fn a_page_needs_no_script_and_nothing_from_elsewhere() {
        let mut table = Table::new(["a"]);
        table.row(["<script>"]);
        let page = html("A & B", &[Section::new("Harvest", "", vec![Part::Table(table)])]);
        assert!(page.contains("<h1>A &amp; B</h1>"), "{page}");
        for word in ["<script", "http:", "https:", "@import", "url("] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
