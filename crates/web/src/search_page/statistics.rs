//! The way from a list to more statistics of the same pages.

use query::{Query, Region, Relation, Spot};
use url::form_urlencoded::Serializer;

/// The statistics of a query; nothing if no text can ask it. They are asked by text alone, which can write a position and a
/// circle, but no box and no polygon.
pub(super) fn statistics(query: &Query) -> Option<String> {
    let mut query = query.clone();
    if let Some(space) = &mut query.space {
        for anchor in &mut space.anchors {
            match anchor.at {
                Spot::Me(point) => anchor.at = Spot::Point(point),
                Spot::Drawn(Region::Circle(center, far)) => {
                    anchor.at = Spot::Point(center);
                    space.relation = Relation::Within(far);
                }
                Spot::Drawn(_) => return None,
                _ => {}
            }
        }
    }
    let mut pairs = Serializer::new(String::new());
    pairs.append_pair("q", &query.to_string());
    Some(format!("/statistics?{}", pairs.finish()))
}
