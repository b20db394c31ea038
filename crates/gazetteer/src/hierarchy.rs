//! Which place is part of which.

use crate::gazetteer::Gazetteer;
use crate::kind::Kind;
use crate::place::{Place, PlaceId};

impl Gazetteer {
    /// The place itself, then what it is part of, up to the world.
    pub fn lineage(&self, place: PlaceId) -> impl Iterator<Item = Place<'_>> {
        std::iter::successors(Some(self.place(place)), Place::parent)
    }

    /// What a place is part of, the narrowest first, up to the world.
    pub fn ancestors(&self, place: PlaceId) -> impl Iterator<Item = Place<'_>> {
        self.lineage(place).skip(1)
    }

    /// What holds a place, the narrowest first, up to the world, with what sort of place each is.
    ///
    /// The same as [`ancestors`](Self::ancestors) for those who ask very often and want nothing else.
    pub fn holders(&self, place: PlaceId) -> impl Iterator<Item = (PlaceId, Kind)> + '_ {
        let parent = |of: PlaceId| Some(self.parent_of(of)).filter(|it| *it < of);
        std::iter::successors(parent(place), move |it| parent(*it)).map(|it| (it, self.kind_of(it)))
    }

    /// The parts of a place one step down, best known first.
    pub fn children(&self, place: PlaceId) -> impl Iterator<Item = Place<'_>> {
        let first = self.row(place).children;
        let end = self.row(PlaceId(place.0.saturating_add(1))).children.min(self.len() as u32);
        (first..end).map(|number| self.place(PlaceId(number)))
    }

    /// How many steps it is from the world down to a place.
    pub fn depth(&self, place: PlaceId) -> usize {
        self.ancestors(place).count()
    }

    /// True if the first place is the second or has it among its parts' parts.
    pub fn holds(&self, whole: PlaceId, part: PlaceId) -> bool {
        // Numbers fall on the way up, so it can stop as soon as the whole is passed.
        self.lineage(part).map(|it| it.id()).take_while(|it| *it >= whole).any(|it| it == whole)
    }

    /// The narrowest place that holds both.
    pub fn common_ancestor(&self, one: PlaceId, other: PlaceId) -> Place<'_> {
        let (mut a, mut b) = (self.place(one), self.place(other));
        while a.id() != b.id() {
            let higher = if a.id() > b.id() { &mut a } else { &mut b };
            match higher.parent() {
                Some(parent) => *higher = parent,
                None => return self.place(PlaceId::WORLD),
            }
        }
        a
    }

    /// How many steps lead from one place to the other through what holds both.
    pub fn hierarchical_distance(&self, one: PlaceId, other: PlaceId) -> usize {
        let shared = self.depth(self.common_ancestor(one, other).id());
        self.depth(one) + self.depth(other) - 2 * shared
    }

    /// The keys from below the world down to a place: `gn:6255148/gn:2921044/gn:2862926/…`.
    pub fn facet_path(&self, place: PlaceId) -> String {
        let mut keys: Vec<_> = self.lineage(place).map(|it| it.key()).collect();
        keys.pop();
        keys.reverse();
        keys.join("/")
    }
}
