//! Chips: the parts of a query as they were understood, and what else its places may be.

use earth::{Compass, Meters};
use gazetteer::Gazetteer;
use index::Generation;
use jiff::civil::Date;
use query::{Anchor, ChipKind, Relation, Sort, Space, Spot, Understood};

use crate::frame::Frame;
use crate::parameters::Parameters;
use crate::place_page::kind_name;
use crate::wording::Language;

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
    /// The others: what to call them, how many pages there are about them, and where that leads to.
    pub(super) others: Vec<(String, String, String)>,
}

pub(super) fn chips(frame: &Frame, parameters: &Parameters, understood: &Understood) -> Vec<Chip> {
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
        Chip {
            label: chip_label(frame, understood, it),
            kind: kind(it.kind),
            without: without.link(),
        }
    };
    understood.chips.iter().map(chip).collect()
}

/// What a chip says, in the reader's language.
fn chip_label(frame: &Frame, understood: &Understood, chip: &query::Chip) -> String {
    let theme = &understood.query.theme;
    let day = |it: Option<Date>| it.map_or_else(|| chip.label.clone(), |it| frame.language.day(it));
    match chip.kind {
        ChipKind::Space => {
            let space = understood.query.space.as_ref();
            space.map_or_else(|| chip.label.clone(), |it| space_label(frame, it))
        }
        ChipKind::Site => match chip.label.strip_prefix("not ") {
            Some(host) => frame.fill("not {}", host),
            None => chip.label.clone(),
        },
        ChipKind::Language => frame.language.name_of(&chip.label).to_owned(),
        ChipKind::After => frame.fill("from {}", day(theme.after)),
        ChipKind::Before => frame.fill("before {}", day(theme.before)),
        ChipKind::Sort => match understood.query.sort {
            Sort::Relevance => frame.say("Relevance").to_owned(),
            Sort::Distance => frame.say("Distance").to_owned(),
            Sort::Time => frame.say("Publish time").to_owned(),
        },
        _ => chip.label.clone(),
    }
}

/// What another reading asks, in the reader's language.
pub(super) fn reading(frame: &Frame, other: &query::Other) -> String {
    let theme = other.query.theme.to_string();
    match &other.query.space {
        None => frame.fill("{}, anywhere", theme),
        Some(space) => format!("{theme} {}", space_label(frame, space)).trim().to_owned(),
    }
}

/// Where a query looks, in the reader's language: `near Helsinki, Uusimaa, Finland`.
pub(super) fn space_label(frame: &Frame, space: &Space) -> String {
    let anchors: Vec<String> = space.anchors.iter().map(|it| anchor_label(frame, it)).collect();
    match (space.relation, anchors.as_slice()) {
        (Relation::Between, [one, other]) => frame.fill2("between {} and {}", one, other),
        (relation, _) => related(frame, relation, &anchors.join(" – ")),
    }
}

/// A relation without its places, in the reader's language: `within 5 km of`.
pub(super) fn relation_label(frame: &Frame, relation: Relation) -> String {
    related(frame, relation, "").trim_end().to_owned()
}

fn related(frame: &Frame, relation: Relation, all: &str) -> String {
    let far = |it: Meters| distance(frame, it);
    match relation {
        Relation::In => frame.fill("in {}", all),
        Relation::Near => frame.fill("near {}", all),
        Relation::At => frame.fill("at {}", all),
        Relation::Within(most) => frame.fill2("within {} of {}", far(most), all),
        Relation::Ring(least, most) => {
            let values: [&dyn std::fmt::Display; 3] = [&far(least), &far(most), &all];
            frame.language.fill("between {} and {} from {}", &values)
        }
        Relation::Around => frame.fill("around {}", all),
        Relation::Outside => frame.fill("outside {}", all),
        Relation::Toward(compass) => toward(frame, compass, all),
        Relation::Between => frame.fill("between {}", all),
        Relation::Along => frame.fill("along {}", all),
        Relation::Overlaps => frame.fill("overlapping {}", all),
        Relation::NextTo => frame.fill("next to {}", all),
    }
}

fn toward(frame: &Frame, compass: Compass, place: &str) -> String {
    match compass.long_name() {
        "north" => frame.fill("north of {}", place),
        "north-east" => frame.fill("north-east of {}", place),
        "east" => frame.fill("east of {}", place),
        "south-east" => frame.fill("south-east of {}", place),
        "south" => frame.fill("south of {}", place),
        "south-west" => frame.fill("south-west of {}", place),
        "west" => frame.fill("west of {}", place),
        _ => frame.fill("north-west of {}", place),
    }
}

pub(super) fn anchor_label(frame: &Frame, anchor: &Anchor) -> String {
    match &anchor.at {
        Spot::Me(_) => frame.say("your position").to_owned(),
        Spot::Drawn(_) => frame.say("the region on the map").to_owned(),
        Spot::Point(_) => match anchor.label.split_once(" (near ") {
            Some((point, near)) => {
                frame.fill2("{} (near {})", point, frame.label(near.trim_end_matches(')')))
            }
            None => anchor.label.clone(),
        },
        Spot::Place(_) | Spot::Address { .. } => frame.label(&anchor.label),
    }
}

/// A distance as somebody may have written it: `500 m`, `1 km`, `2.5 km`.
fn distance(frame: &Frame, far: Meters) -> String {
    if far.0 < 1_000.0 {
        return format!("{} m", far.0.round());
    }
    let km = format!("{}", (far.0 / 10.0).round() / 100.0);
    let km = if frame.language == Language::German { km.replace('.', ",") } else { km };
    format!("{km} km")
}

/// Another place of a name; what is a division around a city says so.
fn choice(frame: &Frame, gazetteer: &Gazetteer, choice: &query::Choice) -> String {
    let kind = gazetteer.place(choice.place).kind();
    match choice.label.strip_suffix(&format!(" ({kind})")) {
        Some(label) => format!("{} ({})", frame.label(label), kind_name(frame, kind)),
        None => frame.label(&choice.label),
    }
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
    frame: &Frame,
    generation: &Generation,
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
                let count = generation.count_within(it.place).unwrap_or(0);
                let pages = pages(frame, count, understood.query.theme.is_empty());
                (
                    choice(frame, gazetteer, it),
                    pages,
                    Parameters { choose, ..parameters.at_page(1) }.link(),
                )
            };
            Chooser {
                shown: frame.label(&anchor.label),
                others: anchor.others.iter().take(MOST_OTHERS).map(other).collect(),
            }
        })
        .collect()
}

/// How many pages there are, and whether they are those that are looked for or all of the place.
fn pages(frame: &Frame, count: u64, is_all_asked: bool) -> String {
    match count {
        0 => frame.say("no pages").to_owned(),
        1 if is_all_asked => frame.say("one page").to_owned(),
        more if is_all_asked => frame.fill("{} pages", frame.number(&more)),
        more => frame.fill("{} pages in all", frame.number(&more)),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, Uri, header};
    use jiff::civil::date;
    use query::{Asked, Parser};

    use super::*;

    fn frame(language: &'static str) -> Frame {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language));
        Frame::of(&headers, &Uri::from_static("/search"))
    }

    #[track_caller]
    fn check(text: &str, english: &str, german: &str) {
        let parser = Parser::new(world::gazetteer());
        let understood = parser.understand(&Asked::new(text, date(2026, 5, 1)));
        let said = |language| {
            let chips = chips(&frame(language), &Parameters::of(text), &understood);
            chips.into_iter().map(|it| it.label).collect::<Vec<_>>().join("; ")
        };
        assert_eq!((said("en").as_str(), said("de").as_str()), (english, german));
    }

    #[test]
    fn chips_speak_the_language_of_the_reader() {
        check(
            "museum near Helsinki",
            "museum; near Helsinki, Uusimaa, Finland",
            "museum; nahe Helsinki, Uusimaa, Finnland",
        );
        check(
            "museum within 1 km of Helsinki",
            "museum; within 1 km of Helsinki, Uusimaa, Finland",
            "museum; im Umkreis von 1 km um Helsinki, Uusimaa, Finnland",
        );
        check(
            "museum between 1.5 and 2 km from Helsinki",
            "museum; between 1.5 km and 2 km from Helsinki, Uusimaa, Finland",
            "museum; zwischen 1,5 km und 2 km von Helsinki, Uusimaa, Finnland",
        );
        check(
            "north-east of Helsinki",
            "north-east of Helsinki, Uusimaa, Finland",
            "nordöstlich von Helsinki, Uusimaa, Finnland",
        );
        check(
            "flood after:2024-05 lang:fi -site:a.org sort:time",
            "flood; from 1 May 2024; Finnish; not a.org; Publish time",
            "flood; ab 1. Mai 2024; Finnisch; nicht a.org; Datum",
        );
    }
}
