//! How two places lie to each other.

use std::fmt;

use earth::{Bearing, Meters};
use geo::{Area, BooleanOps, BoundingRect, Intersects, MultiPolygon, Relate};

use crate::gazetteer::Gazetteer;
use crate::place::{Place, PlaceId};

/// How one place lies to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// The first holds all of the second.
    Contains,
    /// The first lies wholly in the second.
    Within,
    /// They share some ground, and each has some of its own.
    Overlaps,
    /// They share a border and no ground.
    Adjacent,
    /// They share nothing.
    Disjoint,
}

/// How two places lie to each other, and how far and in which direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Topology {
    /// The relation of the first to the second.
    pub relation: Relation,
    /// From the middle of the first to the middle of the second.
    pub distance: Meters,
    /// The way to go from the first to the second; none if both are at one point.
    pub bearing: Option<Bearing>,
}

/// Two outlines of different makers never agree to the metre: what they share counts as ground only beyond
/// this part of the smaller one. The widest slivers seen between Natural Earth and census outlines are
/// around 2 %.
const SLIVER: f64 = 0.04;

impl Relation {
    /// The relation in one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Contains => "contains",
            Self::Within => "within",
            Self::Overlaps => "overlaps",
            Self::Adjacent => "adjacent",
            Self::Disjoint => "disjoint",
        }
    }

    /// The relation seen from the other side.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Contains => Self::Within,
            Self::Within => Self::Contains,
            other => other,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Gazetteer {
    /// How one place lies to another, with distance and direction.
    pub fn topology(&self, one: PlaceId, other: PlaceId) -> Topology {
        let (from, to) = (self.place(one).point(), self.place(other).point());
        let distance = from.distance(to);
        Topology {
            relation: self.relation(one, other),
            distance,
            bearing: (distance.0 > 0.0).then(|| from.bearing(to)),
        }
    }

    /// How one place lies to another.
    ///
    /// What the hierarchy says is so, because nobody draws two outlines alike. Where it is silent, outlines
    /// decide (DE-9IM, less slivers), an outline and a point if there is one outline, and without outlines the
    /// published lists of neighbours.
    pub fn relation(&self, one: PlaceId, other: PlaceId) -> Relation {
        if one == other {
            return Relation::Equal;
        }
        if self.holds(one, other) {
            return Relation::Contains;
        }
        if self.holds(other, one) {
            return Relation::Within;
        }
        if self.published_neighbours(one).any(|it| it.id() == other) {
            return Relation::Adjacent;
        }
        let (first, second) = (self.place(one), self.place(other));
        match (first.has_outline(), second.has_outline()) {
            (true, true) => match outlines(&first, &second) {
                Relation::Disjoint if self.touches_a_part(&first, &second) => Relation::Adjacent,
                relation => relation,
            },
            (true, false) if self.covers(one, &second) => Relation::Contains,
            (false, true) if self.covers(other, &first) => Relation::Within,
            _ => Relation::Disjoint,
        }
    }

    /// True if the narrower place borders on a part of its own kind of the wider one.
    ///
    /// Between outlines of different makers (a county of the census, a state of Natural Earth) there may be a
    /// gap where there is a border; parts of one kind have one maker.
    fn touches_a_part(&self, one: &Place<'_>, other: &Place<'_>) -> bool {
        let (wide, narrow) = if one.kind() < other.kind() { (one, other) } else { (other, one) };
        let parts = self.shapes.around(self.ring_tree(), narrow.row.shape).into_iter();
        let mut parts = parts.map(|shape| self.place(PlaceId(self.shapes.place(shape))));
        wide.kind() < narrow.kind()
            && parts.any(|part| {
                part.kind() == narrow.kind()
                    && self.holds(wide.id(), part.id())
                    && outlines(narrow, &part) != Relation::Disjoint
            })
    }

    /// True if the outline of a place runs around the point of another that may lie in it.
    fn covers(&self, whole: PlaceId, part: &Place<'_>) -> bool {
        // A city near a border may have its point on the wrong side of a rough outline: what the hierarchy
        // puts in another place of the same kind stays there.
        let kind = self.place(whole).kind();
        let elsewhere = self.ancestors(part.id()).any(|it| it.kind() == kind);
        !elsewhere
            && kind < part.kind()
            && self
                .shapes
                .holding(self.ring_tree(), part.point())
                .iter()
                .any(|&it| self.shapes.place(it) == whole.0)
    }

    /// The places of the same kind that border on a place, by their keys.
    ///
    /// From outlines; for a place without one, from the published list.
    pub fn neighbours(&self, place: PlaceId) -> Vec<Place<'_>> {
        let this = self.place(place);
        let mut found: Vec<Place<'_>> = self.published_neighbours(place).collect();
        if let Some(outline) = this.outline() {
            for shape in self.shapes.around(self.ring_tree(), this.row.shape) {
                let other = self.place(PlaceId(self.shapes.place(shape)));
                let is_new = other.kind() == this.kind() && other.id() != place;
                if is_new
                    && found.iter().all(|it| it.id() != other.id())
                    && outline.intersects(&self.shapes.outline(shape))
                {
                    found.push(other);
                }
            }
        }
        found.sort_by_key(Place::key);
        found
    }
}

fn outlines(first: &Place<'_>, second: &Place<'_>) -> Relation {
    let (Some(one), Some(other)) = (first.outline(), second.outline()) else {
        return Relation::Disjoint;
    };
    let apart = match (one.bounding_rect(), other.bounding_rect()) {
        (Some(a), Some(b)) => !a.intersects(&b),
        _ => true,
    };
    if apart {
        return Relation::Disjoint;
    }
    let matrix = geo::PreparedGeometry::from(&one).relate(&geo::PreparedGeometry::from(&other));
    match () {
        () if matrix.is_disjoint() => Relation::Disjoint,
        () if matrix.is_touches() => Relation::Adjacent,
        () if matrix.is_equal_topo() => Relation::Equal,
        () if matrix.is_contains() => Relation::Contains,
        () if matrix.is_within() => Relation::Within,
        () => by_shared_ground(&one, &other),
    }
}

/// Between outlines that cross: slivers are a border, and all but a sliver is the whole.
fn by_shared_ground(one: &MultiPolygon<f64>, other: &MultiPolygon<f64>) -> Relation {
    let shared = one.intersection(other).unsigned_area();
    let (first, second) = (one.unsigned_area(), other.unsigned_area());
    let (of_first, of_second) =
        (shared / first.max(f64::MIN_POSITIVE), shared / second.max(f64::MIN_POSITIVE));
    match () {
        () if of_first.max(of_second) <= SLIVER => Relation::Adjacent,
        () if of_first.min(of_second) >= 1.0 - SLIVER => Relation::Equal,
        () if of_second >= 1.0 - SLIVER => Relation::Contains,
        () if of_first >= 1.0 - SLIVER => Relation::Within,
        () => Relation::Overlaps,
    }
}
