//! How far a search around one place goes, as a number to change; of a ring both radii, and of a sector its direction.

use earth::Meters;
use query::{Query, Region, Relation, Space, Spot};
use search::Answer;

use super::fields::{directions, keys, places};
use crate::frame::Frame;
use crate::map_data::reach;
use crate::parameters::Parameters;

/// A radius that can be changed by a number.
pub(super) struct Radius {
    pub(super) km: String,
    /// How far away a ring begins.
    pub(super) from: Option<String>,
    /// Whether what lies farther away counts as well, but less.
    pub(super) fades: bool,
    /// What goes along with the number.
    pub(super) hidden: Vec<(&'static str, String)>,
}

/// The direction of a search that goes one way, to be turned to another.
pub(super) struct Turn {
    pub(super) directions: Vec<(String, String, bool)>,
    /// What goes along with the direction.
    pub(super) hidden: Vec<(&'static str, String)>,
}

/// The radius of a search around one place, to be changed by a number. What is near may lie farther, but less well; whoever
/// changes the number says how far it may.
pub(super) fn radius(parameters: &Parameters, query: &Query, answer: &Answer) -> Option<Radius> {
    let space = query.space.as_ref()?;
    let [anchor] = space.anchors.as_slice() else { return None };
    if let Spot::Drawn(region) = &anchor.at {
        let Region::Circle(center, far) = region else { return None };
        let circle = format!("{},{},{}", center.lat, center.lon, far.0);
        let mut hidden = vec![("q", query.theme.to_string()), ("circle", circle)];
        hidden.extend(common(parameters));
        return Some(Radius { km: km(*far), from: None, fades: false, hidden });
    }
    let (from, far) = match space.relation {
        Relation::Within(far) => (None, far),
        Relation::Ring(from, far) => (Some(km(from)), far),
        Relation::Near => (None, reach(answer)?),
        _ => return None,
    };
    let hidden = around(parameters, query, space);
    Some(Radius { km: km(far), from, fades: space.relation == Relation::Near, hidden })
}

/// The direction of a search that goes one way.
pub(super) fn turn(frame: &Frame, parameters: &Parameters, query: &Query) -> Option<Turn> {
    let space = query.space.as_ref()?;
    let Relation::Toward(compass) = space.relation else { return None };
    let is_drawn = space.anchors.iter().any(|it| matches!(it.at, Spot::Drawn(_)));
    (!is_drawn).then(|| Turn {
        directions: directions(frame, compass),
        hidden: around(parameters, query, space),
    })
}

/// The fields that ask around the same place. Its name alone may be that of another.
fn around(parameters: &Parameters, query: &Query, space: &Space) -> Vec<(&'static str, String)> {
    let own = [("what", query.theme.to_string()), ("where", places(space))];
    let choose = keys(space).map(|it| ("choose", it));
    own.into_iter().chain(choose).chain(common(parameters)).collect()
}

/// What stays in whatever way a region changes.
fn common(parameters: &Parameters) -> impl Iterator<Item = (&'static str, String)> {
    let kept = [("sort", parameters.sort.clone()), ("at", parameters.at.clone())];
    kept.into_iter().filter_map(|(name, it)| Some((name, it?)))
}

/// A distance in kilometres, as exact as anybody wants it: to ten metres, and of less than a kilometre to one.
fn km(far: Meters) -> String {
    let step = if far.0 < 1_000.0 { 1.0 } else { 10.0 };
    format!("{}", (far.0 / step).round() * step / 1_000.0)
}
