//! The parts of a place: first those with pages, then the others, so many at a time.

use gazetteer::{Gazetteer, Kind, Place, PlaceId};
use index::Generation;
use search::Answer;

use super::{separated, themed};
use crate::card::place_link;
use crate::frame::Frame;
use crate::inquiry::Refusal;

/// So many parts stand on one page. Nine of ten places have fewer.
const PER_PAGE: usize = 200;

/// The parts of a place that stand on one page of them.
pub(super) struct Parts {
    /// Parts with pages: their names, how many pages, and where they are shown.
    pub(super) known: Vec<(String, u64, String)>,
    /// Parts without pages.
    pub(super) others: Vec<(String, String)>,
    /// How many there are of both kinds on all pages.
    pub(super) totals: (u64, u64),
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    /// Which of them stand here, if not all do: `201–400 of 932 places in it`.
    pub(super) range: Option<String>,
    pub(super) is_first: bool,
}

impl Parts {
    /// The parts with these counts, and all others that people speak of, on the page with this number.
    pub(super) fn of(
        frame: &Frame,
        gazetteer: &Gazetteer,
        id: PlaceId,
        theme: &str,
        counts: &[(PlaceId, u64)],
        number: usize,
    ) -> Self {
        let mut known: Vec<(Place<'_>, u64)> = counts
            .iter()
            .filter(|it| it.1 > 0)
            .map(|(part, count)| (gazetteer.place(*part), *count))
            .collect();
        known.sort_by_cached_key(|it| (std::cmp::Reverse(it.1), frame.language.name(&it.0)));
        let mut numbers: Vec<PlaceId> = known.iter().map(|it| it.0.id()).collect();
        numbers.sort_unstable();
        let is_other = |it: &Place<'_>| {
            it.kind() <= Kind::District && numbers.binary_search(&it.id()).is_err()
        };
        let mut others: Vec<Place<'_>> = gazetteer.children(id).filter(is_other).collect();
        others.sort_by(|a, b| b.importance().total_cmp(&a.importance()));

        let total = known.len() + others.len();
        let last = total.div_ceil(PER_PAGE).max(1);
        let number = number.min(last);
        let from = (number - 1) * PER_PAGE;
        let end = (from + PER_PAGE).min(total);
        let totals = (known.len() as u64, others.len() as u64);
        let here = themed(&place_link(&gazetteer.place(id)), theme);
        let page = |to: usize| match to {
            1 => format!("{here}#parts"),
            to => format!("{}parts={to}#parts", separated(&here)),
        };
        let link = |it: &Place<'_>| themed(&place_link(it), theme);
        let other = |it: &Place<'_>| (frame.language.name(it), link(it));
        let range = || {
            let shown =
                format!("{}–{}", frame.number(&(from as u64 + 1)), frame.number(&(end as u64)));
            frame.fill2("{} of {} places in it", shown, frame.number(&(total as u64)))
        };
        Self {
            others: others
                .iter()
                .skip(from.saturating_sub(known.len()))
                .take(end.saturating_sub(from.max(known.len())))
                .map(other)
                .collect(),
            known: known
                .iter()
                .skip(from)
                .take(PER_PAGE)
                .map(|(part, count)| (frame.language.name(part), *count, link(part)))
                .collect(),
            totals,
            previous: (number > 1).then(|| page(number - 1)),
            next: (number < last).then(|| page(number + 1)),
            range: (last > 1).then(range),
            is_first: number == 1,
        }
    }
}

/// How many pages there are about each part of the place.
pub(super) fn counts(
    generation: &Generation,
    gazetteer: &Gazetteer,
    id: PlaceId,
    theme: &str,
    answer: Option<&Answer>,
) -> Result<Vec<(PlaceId, u64)>, Refusal> {
    // Within a theme pages are counted one by one; without one the hierarchy of the index knows.
    if let (false, Some(answer)) = (theme.is_empty(), answer) {
        return Ok(answer.facets.as_ref().map(|it| it.places.clone()).unwrap_or_default());
    }
    let mut counts = Vec::new();
    for child in gazetteer.children(id) {
        let count = generation.count_within(child.id()).map_err(|it| Refusal::broken(&it))?;
        if count > 0 {
            counts.push((child.id(), count));
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::Language;

    /// The place with the most parts that are listed.
    fn largest(gazetteer: &Gazetteer) -> (PlaceId, usize) {
        let places = (0..gazetteer.len() as u32).map(PlaceId);
        let parts =
            |id: PlaceId| gazetteer.children(id).filter(|it| it.kind() <= Kind::District).count();
        let counted = places.map(|id| (id, parts(id)));
        counted.max_by_key(|it| it.1).expect("there are places")
    }

    #[test]
    fn page_by_page_every_part_is_listed_once() {
        let gazetteer = world::gazetteer();
        let (id, total) = largest(gazetteer);
        assert!(total > 2 * PER_PAGE, "{total} parts fit on two pages");
        // Every second one has pages.
        let places: Vec<PlaceId> = gazetteer
            .children(id)
            .filter(|it| it.kind() <= Kind::District)
            .map(|it| it.id())
            .collect();
        let counts: Vec<_> =
            places.iter().step_by(2).map(|it| (*it, 1 + u64::from(it.0 % 7))).collect();
        let frame = Frame { language: Language::English, here: String::new() };
        let (mut seen, mut number) = (Vec::new(), 1);
        loop {
            let parts = Parts::of(&frame, gazetteer, id, "old maps", &counts, number);
            assert_eq!(parts.totals, (counts.len() as u64, (total - counts.len()) as u64));
            assert_eq!((parts.is_first, parts.previous.is_none()), (number == 1, number == 1));
            assert!(parts.known.len() + parts.others.len() <= PER_PAGE);
            assert!(parts.known.is_sorted_by(|one, next| one.1 >= next.1));
            seen.extend(parts.known.into_iter().map(|it| it.2));
            seen.extend(parts.others.into_iter().map(|it| it.1));
            let Some(next) = parts.next else { break };
            number += 1;
            assert!(next.ends_with(&format!("?theme=old+maps&parts={number}#parts")), "{next}");
        }
        seen.sort();
        let mut links: Vec<String> = places
            .iter()
            .map(|it| themed(&place_link(&gazetteer.place(*it)), "old maps"))
            .collect();
        links.sort();
        assert_eq!(seen, links);
        // Beyond the end there is the last page.
        let beyond = Parts::of(&frame, gazetteer, id, "", &counts, 9_999);
        assert!(beyond.next.is_none() && !beyond.others.is_empty());
    }
}
