//! Tables that can be shown on a page and in a text.

use web::escaped;

/// What stands where there is no figure.
const NOTHING: &str = "–";

/// A table with a head; the first column names what the others tell of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether its cells are words and no figures.
    is_wordy: bool,
}

impl Table {
    /// A table with nothing but its head.
    pub(super) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A table of words with nothing but its head.
    pub(super) fn of_words(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { is_wordy: true, ..Self::new(head) }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The head and the rows.
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        [&self.head].into_iter().chain(&self.rows).cloned().collect()
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as an HTML element.
    pub(super) fn html(&self) -> String {
        let class = if self.is_wordy { " class=\"words\"" } else { "" };
        let mut html = format!("<div class=\"wide\"><table{class}>\n<thead><tr>");
        for cell in &self.head {
            html += &format!("<th scope=\"col\">{}</th>", escaped(cell));
        }
        html += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            html += "<tr>";
            for (at, cell) in row.iter().enumerate() {
                let cell = escaped(cell);
                html += &if at == 0 {
                    format!("<th scope=\"row\">{cell}</th>")
                } else {
                    format!("<td>{cell}</td>")
                };
            }
            html += "</tr>\n";
        }
        html + "</tbody></table></div>\n"
    }

    /// The table as Markdown has it.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<_> = cells.iter().map(|it| it.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(self.head.len()));
        let rows: String = self.rows.iter().map(|it| line(it)).collect();
        line(&self.head) + &rule + &rows
    }
}

/// A figure with so many digits behind the point.
pub(super) fn figure(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| NOTHING.to_owned(), |it| format!("{it:.digits$}"))
}

/// A share as per cent.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NOTHING.to_owned(), |it| format!("{:.1} %", it * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_same_on_a_page_and_in_a_text() {
        let mut table = Table::new(["strategy", "a|b"]);
        assert!(table.is_empty());
        table.row(["<broad>".to_owned(), figure(Some(0.12345), 3)]);
        table.row(["best".to_owned(), percent(None)]);
        assert_eq!(
            table.markdown(),
            "| strategy | a\\|b |\n|---|---|\n| <broad> | 0.123 |\n| best | – |\n"
        );
        let html = table.html();
        assert!(html.contains("<th scope=\"row\">&lt;broad&gt;</th><td>0.123</td>"), "{html}");
        assert_eq!(percent(Some(0.0625)), "6.2 %");
    }
}
