//! The radius of a search around one place, as a number to change.

use query::{Query, Relation, Spot};
use search::Answer;

use crate::map_data::reach;
use crate::parameters::Parameters;

/// A radius that can be changed by a number.
pub(super) struct Radius {
    pub(super) km: String,
    /// Whether what lies farther away counts as well, but less.
    pub(super) fades: bool,
    /// What goes along with the number.
    pub(super) hidden: Vec<(&'static str, String)>,
}

/// The radius of a search around one place, to be changed by a number. What is near may lie farther, but less well; whoever
/// changes the number says how far it may.
pub(super) fn radius(parameters: &Parameters, query: &Query, answer: &Answer) -> Option<Radius> {
    let space = query.space.as_ref()?;
    let anchor = space.anchors.first()?;
    let km = |meters: f64| format!("{}", (meters / 10.0).round() / 100.0);
    let kept = |name: &'static str, it: &Option<String>| it.clone().map(|it| (name, it));
    let common = [
        kept("choose", &parameters.choose),
        kept("sort", &parameters.sort),
        kept("at", &parameters.at),
    ];
    let theme = query.theme.to_string();
    match (&anchor.at, space.relation) {
        (Spot::Drawn(query::Region::Circle(center, far)), _) => {
            let circle = format!("{},{},{}", center.lat, center.lon, far.0);
            let hidden = [Some(("q", theme)), Some(("circle", circle))].into_iter().chain(common);
            Some(Radius { km: km(far.0), fades: false, hidden: hidden.flatten().collect() })
        }
        (Spot::Drawn(_), _) => None,
        (_, Relation::Within(_) | Relation::Near) if space.anchors.len() == 1 => {
            let far = match space.relation {
                Relation::Within(far) => far,
                _ => reach(answer)?,
            };
            let place = anchor.text.clone();
            let hidden = [Some(("what", theme)), Some(("where", place))].into_iter().chain(common);
            let fades = space.relation == Relation::Near;
            Some(Radius { km: km(far.0), fades, hidden: hidden.flatten().collect() })
        }
        _ => None,
    }
}
