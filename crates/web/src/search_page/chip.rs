//! Chips: the parts of a query as they were understood, and what else its places may be.

use gazetteer::Gazetteer;
use query::{ChipKind, Understood};

use crate::parameters::Parameters;

/// So many other places of a name are offered.
const MOST_OTHERS: usize = 5;

/// A part of the query that was understood, with the way to take it out.
pub(super) struct Chip {
    pub(super) label: String,
    pub(super) kind: &'static str,
    pub(super) without: String,
}

/// A place that may be another of its name.
pub(super) struct Chooser {
    pub(super) shown: String,
    pub(super) others: Vec<(String, String)>,
}

pub(super) fn chips(parameters: &Parameters, understood: &Understood) -> Vec<Chip> {
    let chip = |it: &query::Chip| {
        let without = match &it.span {
            Some(span) => {
                let text = &understood.text;
                let rest = format!("{} {}", &text[..span.start], &text[span.end..]);
                let rest: Vec<&str> = rest.split_whitespace().collect();
                let choose =
                    if it.kind == ChipKind::Space { None } else { parameters.choose.clone() };
                Parameters { choose, ..parameters.with_text(rest.join(" ")) }
            }
            None => parameters.without_region(),
        };
        Chip { label: it.label.clone(), kind: kind(it.kind), without: without.link() }
    };
    understood.chips.iter().map(chip).collect()
}

fn kind(kind: ChipKind) -> &'static str {
    match kind {
        ChipKind::Space => "where",
        ChipKind::Opener => "unused",
        ChipKind::Word | ChipKind::Phrase | ChipKind::Title | ChipKind::Topic => "what",
        ChipKind::Excluded => "not",
        ChipKind::Site | ChipKind::Language | ChipKind::Sort => "how",
        ChipKind::After | ChipKind::Before => "when",
    }
}

pub(super) fn choosers(
    gazetteer: &Gazetteer,
    parameters: &Parameters,
    understood: &Understood,
) -> Vec<Chooser> {
    let Some(space) = &understood.query.space else { return Vec::new() };
    let chosen: Vec<&str> = space.anchors.iter().filter_map(|it| it.key.as_deref()).collect();
    let with_others = space.anchors.iter().filter(|it| !it.others.is_empty());
    with_others
        .map(|anchor| {
            let other = |it: &query::Choice| {
                let key = gazetteer.place(it.place).key();
                let keys = chosen.iter().filter(|it| Some(**it) != anchor.key.as_deref());
                let keys: Vec<&str> = keys.copied().chain([key]).collect();
                let choose = Some(keys.join(","));
                (it.label.clone(), Parameters { choose, ..parameters.at_page(1) }.link())
            };
            Chooser {
                shown: anchor.label.clone(),
                others: anchor.others.iter().take(MOST_OTHERS).map(other).collect(),
            }
        })
        .collect()
}
