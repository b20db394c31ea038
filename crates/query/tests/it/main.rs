//! What people ask, in nine languages, against the places of the whole world.

mod ambiguity;
mod fields;
mod languages;
mod places;
mod properties;
mod theme;

use std::sync::LazyLock;

use jiff::civil::date;
use query::{Asked, Parser, Query, Relation, Understood};

static PARSER: LazyLock<Parser<'static>> = LazyLock::new(|| Parser::new(world::gazetteer()));

fn asked(text: &str) -> Asked<'_> {
    Asked::new(text, date(2024, 5, 15))
}

fn understand(text: &str) -> Understood {
    PARSER.understand(&asked(text))
}

/// The relation of a query in words; nothing if it has no place.
fn relation(query: &Query) -> String {
    let name = |relation: Relation| match relation {
        Relation::Within(far) => format!("within {far}"),
        Relation::Ring(near, far) => format!("{near} to {far}"),
        relation => relation.name().to_owned(),
    };
    query.space.as_ref().map(|it| name(it.relation)).unwrap_or_default()
}

/// The labels of a query's places.
fn labels(query: &Query) -> String {
    let anchors = query.space.iter().flat_map(|it| &it.anchors);
    anchors.map(|it| it.label.as_str()).collect::<Vec<_>>().join(" + ")
}

/// Words, relation and labels: `museums | near | Berlin, State of Berlin, Germany`.
fn in_short(query: &Query) -> String {
    format!("{} | {} | {}", query.theme, relation(query), labels(query))
}
