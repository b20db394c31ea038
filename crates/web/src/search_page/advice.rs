//! Advice: what to do where nothing was found.

use gazetteer::{Gazetteer, Kind, Place};
use query::{Anchor, Space, Spot, Theme, Understood};
use search::Suggestion;

use super::fields::keys;
use crate::frame::Frame;
use crate::inquiry::{Inquiry, finds_something};
use crate::parameters::Parameters;
use crate::shelf::Shelf;

/// What to do where nothing was found: sentences with links.
pub(super) fn advice(
    frame: &Frame,
    shelf: &Shelf,
    parameters: &Parameters,
    inquiry: &Inquiry,
) -> Vec<(String, String)> {
    let Inquiry { understood, answer, lacks_words } = inquiry;
    let mut advice: Vec<_> = answer
        .suggestions
        .iter()
        .map(|it| with_other_words(frame, parameters, understood, it))
        .collect();
    // Another place does not help where no page has the words.
    let space = understood.query.space.as_ref().filter(|_| !lacks_words);
    if let Some(space) = space {
        let theme = understood.query.theme.to_string();
        if !parameters.has_region() {
            let farther =
                farther_away(frame, shelf.gazetteer(), parameters, &theme, space).into_iter();
            let worthwhile = farther.filter(|it| is_worthwhile(frame, shelf, &it.1));
            advice.extend(worthwhile.map(|(sentence, it)| (sentence, it.link())));
        }
        if !theme.is_empty() {
            let text = format!("{theme}, []");
            let everywhere =
                Parameters { choose: None, ..parameters.without_region().with_text(text) };
            advice.push((frame.say("Look everywhere").to_owned(), everywhere.link()));
        }
    }
    let simpler = [
        words_alone(frame, parameters, understood),
        place_alone(frame, shelf.gazetteer(), parameters, understood),
    ];
    // Who knows better already needs no simpler query.
    if advice.is_empty() {
        let worthwhile =
            simpler.into_iter().flatten().filter(|it| is_worthwhile(frame, shelf, &it.1));
        advice.extend(worthwhile.map(|(sentence, it)| (sentence, it.link())));
    }
    advice
}

/// The words without language, site, time and topic, wherever pages with them are.
fn words_alone(
    frame: &Frame,
    parameters: &Parameters,
    understood: &Understood,
) -> Option<(String, Parameters)> {
    let theme = &understood.query.theme;
    let words = Theme { terms: theme.terms.clone(), ..Theme::default() }.to_string();
    if !theme.has_limits() || words.is_empty() {
        return None;
    }
    let text = format!("{words}, []");
    let alone = Parameters { choose: None, ..parameters.without_region().with_text(text) };
    Some((frame.fill("Search for “{}” alone", &words), alone))
}

/// All pages about the place.
fn place_alone(
    frame: &Frame,
    gazetteer: &Gazetteer,
    parameters: &Parameters,
    understood: &Understood,
) -> Option<(String, Parameters)> {
    let anchor = understood.query.space.as_ref()?.anchors.first()?;
    let place = gazetteer.by_key(anchor.key.as_deref()?)?;
    let text = match anchor.at {
        Spot::Place(_) => inside(&place),
        // The key is that of the street or the town.
        _ => format!("in [{}]", anchor.label),
    };
    let alone = Parameters { choose: None, ..parameters.without_region().with_text(text) };
    Some((frame.fill("All pages about {}", frame.label(&anchor.label)), alone))
}

/// That a place is meant and no other of its name, as a query says it.
fn inside(place: &Place<'_>) -> String {
    format!("in [{} {}]", place.name(), place.key())
}

/// The same with a word spelled otherwise or left out.
fn with_other_words(
    frame: &Frame,
    parameters: &Parameters,
    understood: &Understood,
    suggestion: &Suggestion,
) -> (String, String) {
    let (word, instead, sentence) = match suggestion {
        Suggestion::Spelling { word, instead, .. } => {
            (word, instead.as_str(), frame.fill("Search for “{}” instead", instead))
        }
        Suggestion::Without { word, documents: 1 } => {
            (word, "", frame.fill("Leave out “{}” (one page)", word))
        }
        Suggestion::Without { word, documents } => {
            let sentence = frame.fill2("Leave out “{}” ({} pages)", word, frame.number(documents));
            (word, "", sentence)
        }
    };
    let text = understood.text.replacen(word.as_str(), instead, 1);
    let text: Vec<&str> = text.split_whitespace().collect();
    (sentence, parameters.with_text(text.join(" ")).link())
}

/// Whether there is a hit: nobody is sent from one empty page to another.
fn is_worthwhile(frame: &Frame, shelf: &Shelf, parameters: &Parameters) -> bool {
    finds_something(shelf, parameters, Some(frame.language.code()))
}

/// The same in what holds the place, and within some kilometres of it.
fn farther_away(
    frame: &Frame,
    gazetteer: &Gazetteer,
    parameters: &Parameters,
    theme: &str,
    space: &Space,
) -> Vec<(String, Parameters)> {
    let Some(anchor) = space.anchors.first() else { return Vec::new() };
    let mut advice = Vec::new();
    if let Some(holder) = holder(gazetteer, anchor) {
        let sign = if theme.is_empty() { "" } else { ", " };
        let text = format!("{theme}{sign}{}", inside(&holder));
        let wider = Parameters { choose: None, ..parameters.with_text(text) };
        advice.push((frame.fill("Look in {} instead", frame.label(&holder.label())), wider));
    }
    if space.anchors.len() == 1 {
        let wider = Parameters {
            km: Some("50".to_owned()),
            what: Some(theme.to_owned()),
            r#where: Some(anchor.text.clone()),
            choose: keys(space),
            ..parameters.with_text("")
        };
        advice.push((frame.fill("Look within 50 km of {}", frame.label(&anchor.label)), wider));
    }
    advice
}

/// What holds a place or an address, as its label names it next.
fn holder<'g>(gazetteer: &'g Gazetteer, anchor: &Anchor) -> Option<Place<'g>> {
    let place = gazetteer.by_key(anchor.key.as_deref()?)?;
    let is_shown = |it: &Place<'_>| matches!(it.kind(), Kind::Country | Kind::Region | Kind::City);
    // Names may have commas themselves.
    let is_rest = |it: &Place<'_>| {
        anchor.label.strip_suffix(&it.label()).is_some_and(|before| before.ends_with(", "))
    };
    gazetteer.lineage(place.id()).find(|it| is_shown(it) && is_rest(it))
}
