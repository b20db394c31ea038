//! Facets: what the hits are, as ways to fewer of them.

use gazetteer::{Gazetteer, PlaceId};
use query::{Anchor, Relation, Space, Spot, Understood};

use super::chip::space_label;
use crate::frame::Frame;
use crate::parameters::Parameters;

/// So many entries of a facet are shown at once.
const MOST_ENTRIES: usize = 8;

/// What the hits are, in one respect.
pub(super) struct Facet {
    pub(super) name: &'static str,
    pub(super) entries: Vec<(String, u64, String)>,
}

/// The places one level down, as searches within them.
pub(super) fn places(
    frame: &Frame,
    gazetteer: &Gazetteer,
    parameters: &Parameters,
    understood: &Understood,
    counts: &[(PlaceId, u64)],
) -> Vec<(String, u64, String)> {
    let entry = |(id, count): &(PlaceId, u64)| {
        let place = gazetteer.place(*id);
        let theme = understood.query.theme.to_string();
        let sign = if theme.is_empty() { "" } else { ", " };
        let text = format!("{theme}{sign}in [{} {}]", place.name(), place.key());
        let narrowed = Parameters { choose: None, ..parameters.without_region().with_text(text) };
        (frame.language.name(&place), *count, narrowed.link())
    };
    counts.iter().take(MOST_ENTRIES).map(entry).collect()
}

/// What is no longer asked in one of the places, since a query has one relation; nothing if they lie where it looks.
pub(super) fn instead(frame: &Frame, space: &Space) -> Option<String> {
    let is_region = |it: &Anchor| matches!(it.at, Spot::Place(_));
    let holds_them = matches!(space.relation, Relation::In | Relation::At)
        && space.anchors.iter().all(is_region);
    (!holds_them).then(|| frame.fill("These take the place of “{}”.", space_label(frame, space)))
}

pub(super) fn named_facets(
    frame: &Frame,
    parameters: &Parameters,
    facets: &search::Facets,
) -> Vec<Facet> {
    let entries = |operator: &str, list: &[(String, u64)], shown: &dyn Fn(&str) -> String| {
        let known = list.iter().filter(|it| !it.0.is_empty()).take(MOST_ENTRIES);
        known
            .map(|(name, count)| {
                let link = parameters.with_operator(&format!("{operator}:{name}")).link();
                (shown(name), *count, link)
            })
            .collect::<Vec<_>>()
    };
    let language = |code: &str| frame.language.name_of(code).to_owned();
    let facets = [
        Facet { name: frame.say("Sites"), entries: entries("site", &facets.sites, &str::to_owned) },
        Facet {
            name: frame.say("Languages"),
            entries: entries("lang", &facets.languages, &language),
        },
    ];
    // One entry alone would change nothing.
    facets.into_iter().filter(|it| it.entries.len() > 1).collect()
}
