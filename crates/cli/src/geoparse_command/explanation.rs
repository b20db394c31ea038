//! Why each mention was taken for a place, and for this one.

use std::collections::BTreeMap;

use geoparse::{Considered, Mention, Reason, Why};
use web::findings::{Findings, class_name};

use super::report::{meaning, percent};

/// So many letters before and behind a mention show where it stands.
const CONTEXT: usize = 30;
/// Evidence that weighs less than this changes nothing.
const LEAST_WEIGHT: f32 = 0.05;

/// A candidate less probable than this is not worth a line, unless it is the only other.
const LEAST_SHARE: f32 = 0.01;

/// Lines of evidence are no longer than this.
const WIDTH: usize = 100;

/// Every mention with its evidence.
pub(crate) fn of(findings: &Findings<'_>) -> String {
    if findings.mentions().next().is_none() {
        return "mentions: none\n".to_owned();
    }
    let mut text = "mentions, with the logarithms of the odds that the evidence adds\n".to_owned();
    for (is_in_title, _, mention) in findings.mentions() {
        let whole = if is_in_title { &findings.page.title } else { &findings.page.text };
        let of_title = if is_in_title { ", in the title" } else { "" };
        let point = mention.point.map(|it| format!(", {it}")).unwrap_or_default();
        text += &format!("\n  {}\n", in_context(whole, mention));
        text += &format!(
            "    {} ({}{of_title}){point}, {} sure\n",
            meaning(findings, mention),
            class_name(mention.class),
            percent(f64::from(mention.confidence)),
        );
        text += &why(findings, mention.why.as_deref());
    }
    text
}

/// The mention between the words around it.
fn in_context(text: &str, mention: &Mention) -> String {
    let (before, rest) = text.split_at(mention.span.start.min(text.len()));
    let (name, after) = rest.split_at(mention.span.len().min(rest.len()));
    let start = before.char_indices().rev().nth(CONTEXT - 1).map_or(0, |it| it.0);
    let end = after.char_indices().nth(CONTEXT).map_or(after.len(), |it| it.0);
    let open = if start > 0 { "…" } else { "" };
    let close = if end < after.len() { "…" } else { "" };
    let shown = format!("{open}{}[{name}]{}{close}", &before[start..], &after[..end]);
    shown.replace(['\n', '\t'], " ")
}

fn why(findings: &Findings<'_>, why: Option<&Why>) -> String {
    let Some(why) = why else {
        return "    its own words say what it is\n".to_owned();
    };
    let mut text = format!("    a place?  {}\n", evidence(&why.is_place, 14));
    let is_shown = |(at, it): &(usize, &Considered)| *at < 2 || it.share >= LEAST_SHARE;
    for (at, it) in why.candidates.iter().enumerate().filter(is_shown) {
        let place = findings.gazetteer.place(it.place);
        text += &format!(
            "    {:<8}  {:>5}  {} ({})\n                     {}\n",
            if at == 0 { "which?" } else { "" },
            percent(f64::from(it.share)),
            place.label(),
            place.kind(),
            evidence(&it.reasons, 21),
        );
    }
    text
}

/// The pieces of evidence, the weightiest first; those of one reason are added up.
///
/// They begin in this column, and so do the lines that are needed for the rest.
fn evidence(pieces: &[(Reason, f32)], column: usize) -> String {
    let mut sums: BTreeMap<Reason, f32> = BTreeMap::new();
    for (reason, weight) in pieces {
        *sums.entry(*reason).or_default() += weight;
    }
    let mut sums: Vec<_> = sums.into_iter().filter(|it| it.1.abs() >= LEAST_WEIGHT).collect();
    sums.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let mut text = String::new();
    let mut at = column;
    for (reason, weight) in sums {
        let piece = format!("{weight:+.1} {}", reason.label());
        let is_first = text.is_empty();
        if !is_first && at + piece.len() + 3 > WIDTH {
            text += &format!(",\n{}", " ".repeat(column));
            at = column;
        } else if !is_first {
            text += ", ";
            at += 2;
        }
        at += piece.len();
        text += &piece;
    }
    text
}

#[cfg(test)]
mod tests {
    use geoparse::Class;

    use super::*;

    #[test]
    fn a_mention_stands_between_the_words_around_it() {
        let check = |text: &str, name: &str, expected: &str| {
            let start = text.find(name).unwrap();
            let mention = Mention {
                span: start..start + name.len(),
                class: Class::Place,
                place: None,
                point: None,
                is_listed: false,
                confidence: 0.5,
                why: None,
            };
            assert_eq!(in_context(text, &mention), expected);
        };
        check("Łódź\nis far", "Łódź", "[Łódź] is far");
        let long = "é".repeat(40);
        let shown = "é".repeat(30);
        check(&format!("{long}Köln{long}"), "Köln", &format!("…{shown}[Köln]{shown}…"));
    }

    #[test]
    fn evidence_of_one_reason_is_added_up_and_lines_stay_short() {
        let pieces = [(Reason::Known, 1.5), (Reason::Locative, 2.2), (Reason::Known, -0.5)];
        assert_eq!(evidence(&pieces, 10), "+2.2 behind a word like \"in\", +1.0 how well known");
        let narrow = evidence(&pieces, 60);
        assert_eq!(
            narrow.lines().nth(1),
            Some(format!("{}+1.0 how well known", " ".repeat(60)).as_str())
        );
    }
}
