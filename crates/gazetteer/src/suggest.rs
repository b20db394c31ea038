//! Places while one types.

use std::collections::HashMap;

use earth::{Meters, Point};

use crate::fact::NameClass;
use crate::gazetteer::Gazetteer;
use crate::name_index::{Completion, aptness, price_of_going_on};
use crate::place::{Place, PlaceId};
use crate::spelling::spelling;

/// A place that may be meant by what was typed so far.
pub struct Suggestion<'g> {
    /// The place.
    pub place: Place<'g>,
    /// The name that fits what was typed, as it is spelled in the index.
    pub matched: String,
    /// How many typing errors were forgiven.
    pub edits: u8,
    /// How well it fits, 0 to 1: match, importance, nearness.
    pub score: f64,
}

/// How many cities around the focus are looked at beside the best known ones of the world, so that a near
/// place is found however little known it is.
const NEAR: usize = 300;
const NEAR_REACH: Meters = Meters(150_000.0);
/// Nobody reads more suggestions than this.
const MOST: usize = 1000;
/// With so many names that begin as typed, typing errors are not looked for.
const ENOUGH: usize = 3;
/// What standing at the focus is worth, in importance.
const AT_FOCUS: f64 = 0.36;
/// The distance at which half of that is left.
const HALF: f64 = 30_000.0;

impl Gazetteer {
    /// The places whose names begin with what was typed, forgiving typing errors if need be, best first.
    ///
    /// With a focus, near places come before far ones that are about as well known.
    pub fn suggest(&self, typed: &str, focus: Option<Point>, most: usize) -> Vec<Suggestion<'_>> {
        let key = spelling_typed(typed);
        self.suggest_key(&key, forgiven(&key), focus, most)
    }

    /// The places whose names begin exactly with what was typed, best first: without guessing, many texts can be tried.
    pub fn suggest_exact(
        &self,
        typed: &str,
        focus: Option<Point>,
        most: usize,
    ) -> Vec<Suggestion<'_>> {
        self.suggest_key(&spelling_typed(typed), 0, focus, most)
    }

    fn suggest_key(
        &self,
        key: &str,
        forgiven: u8,
        focus: Option<Point>,
        most: usize,
    ) -> Vec<Suggestion<'_>> {
        let mut found = Found { gazetteer: self, focus, by_place: HashMap::new() };
        let most = most.min(MOST);
        let wanted = if focus.is_some() { most * 4 } else { most + most / 2 };
        for edits in 0..=forgiven {
            for completion in self.index.complete(key, edits, wanted) {
                for (id, class) in self.index.bearers(&completion).take(wanted) {
                    found.offer(id, class, &completion);
                }
            }
            // What was typed right needs no guessing, and one guess no second.
            let enough = if edits == 0 { most.min(ENOUGH) } else { 1 };
            if found.by_place.len() >= enough {
                break;
            }
        }
        if let Some(focus) = focus {
            found.offer_near(focus, key);
        }
        found.best(most)
    }
}

/// What was typed as it would be spelled; a blank at the end tells that a word is complete.
fn spelling_typed(typed: &str) -> String {
    let mut key = spelling(typed);
    // `st` may be the beginning of `Stuttgart`: a last word is left as it was typed until a blank follows.
    let folded = text::fold(typed);
    if !typed.ends_with(|it: char| it.is_whitespace() || it == '.') {
        let last = folded.rsplit(' ').next().unwrap_or("");
        let kept = key.rfind(' ').map_or(0, |at| at + 1);
        key.truncate(kept);
        key.push_str(last);
    }
    key
}

/// How many typing errors a text of this length may have.
pub(crate) fn forgiven(key: &str) -> u8 {
    match key.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

struct Found<'g> {
    gazetteer: &'g Gazetteer,
    focus: Option<Point>,
    by_place: HashMap<PlaceId, Suggestion<'g>>,
}

impl<'g> Found<'g> {
    fn offer(&mut self, id: PlaceId, class: NameClass, name: &Completion) {
        self.offer_at(id, class, &name.spelling, name.edits, name.price);
    }

    fn offer_at(&mut self, id: PlaceId, class: NameClass, matched: &str, edits: u8, price: f64) {
        let place = self.gazetteer.place(id);
        let aptness = aptness(place.kind(), class, &spelling(place.name()), matched);
        // A by-name is suggested when it is typed out, hardly before.
        let aptness = if aptness < 0.95 && price > 0.0 { aptness - 0.10 } else { aptness };
        let score = place.importance() * aptness - price + nearness(&place, self.focus);
        let known = self.by_place.get(&id).is_some_and(|it| it.score >= score);
        if !known {
            self.by_place
                .insert(id, Suggestion { place, matched: matched.to_owned(), edits, score });
        }
    }

    fn offer_near(&mut self, focus: Point, key: &str) {
        for (id, _) in self.gazetteer.nearest_cities(focus, NEAR, NEAR_REACH) {
            let name = spelling(self.gazetteer.place(id).name());
            if name.starts_with(key) {
                self.offer_at(id, NameClass::Main, &name, 0, price_of_going_on(key, &name));
            }
        }
    }

    fn best(self, most: usize) -> Vec<Suggestion<'g>> {
        let mut all: Vec<_> = self.by_place.into_values().collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.id().cmp(&b.place.id())));
        all.truncate(most);
        all
    }
}

/// What it is worth to lie near the focus.
pub(crate) fn nearness(place: &Place<'_>, focus: Option<Point>) -> f64 {
    focus.map_or(0.0, |focus| AT_FOCUS * HALF / (HALF + focus.distance(place.point()).0))
}
