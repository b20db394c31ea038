//! How well places found fit places marked: the measures that geoparsers are compared by.

use crate::corpus::Marked;

/// How far an answer may be off to be right, in kilometres: a hundred miles, as all published figures have it.
const RIGHT_KM: f64 = 161.0;
/// The error of a place that was not found: half around the earth.
const FARTHEST_KM: f64 = 20_039.0;

/// Which marked places count.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rules {
    /// Places marked without a position count for recognition too; else they are passed over.
    pub(crate) counts_unlocated: bool,
    /// Not every place of the texts is marked, so that finding more is no mistake.
    pub(crate) is_sparse: bool,
}

/// The counts of a corpus.
#[derive(Clone, Default)]
pub(crate) struct Score {
    gold: usize,
    found: usize,
    strict: usize,
    lenient: usize,
    right: usize,
    /// The error of every marked place with a position.
    errors: Vec<f64>,
    /// The errors of those that were found.
    found_errors: Vec<f64>,
}

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rates {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
}

impl Score {
    /// Adds a document: what people marked and what was found.
    pub(crate) fn add(&mut self, rules: Rules, gold: &[Marked], found: &[Marked]) {
        let mut found = found.to_vec();
        found.dedup_by_key(|it| (it.start, it.end));
        let pairs = matched(gold, &found);
        let mut passed_over = 0;
        for (mark, pair) in gold.iter().zip(&pairs) {
            if mark.point.is_none() && !rules.counts_unlocated {
                passed_over += usize::from(pair.is_some());
                continue;
            }
            self.gold += 1;
            self.lenient += usize::from(pair.is_some());
            let is_exact = |at: usize| (found[at].start, found[at].end) == (mark.start, mark.end);
            self.strict += usize::from(pair.is_some_and(is_exact));
            self.locate(mark, pair.map(|at| &found[at]));
        }
        let matched = pairs.iter().flatten().count();
        self.found += if rules.is_sparse { matched } else { found.len() } - passed_over;
    }

    fn locate(&mut self, mark: &Marked, found: Option<&Marked>) {
        let Some(point) = mark.point else { return };
        let error = found.and_then(|it| it.point).map(|it| it.distance(point).km());
        self.right += usize::from(error.is_some_and(|it| it <= RIGHT_KM));
        self.found_errors.extend(error);
        self.errors.push(error.unwrap_or(FARTHEST_KM));
    }

    pub(crate) fn gold(&self) -> usize {
        self.gold
    }

    /// The same span exactly.
    pub(crate) fn strict(&self) -> Rates {
        rates(self.strict, self.found, self.gold)
    }

    /// Spans that overlap.
    pub(crate) fn lenient(&self) -> Rates {
        rates(self.lenient, self.found, self.gold)
    }

    /// Spans that overlap and points within a hundred miles: finding and telling apart together.
    pub(crate) fn located(&self) -> Rates {
        rates(self.right, self.found, self.errors.len())
    }

    /// The part of all marked places that was found within a hundred miles.
    pub(crate) fn accuracy(&self) -> Option<f64> {
        part(self.right, self.errors.len())
    }

    /// The same of those that were found at all.
    pub(crate) fn accuracy_of_found(&self) -> Option<f64> {
        part(self.right, self.found_errors.len())
    }

    /// The error in the middle of those found, in kilometres.
    pub(crate) fn median_km(&self) -> Option<f64> {
        let mut errors = self.found_errors.clone();
        errors.sort_by(f64::total_cmp);
        errors.get(errors.len() / 2).copied()
    }
}

fn part(of: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| of as f64 / whole as f64)
}

fn rates(hits: usize, found: usize, gold: usize) -> Rates {
    let precision = part(hits, found).unwrap_or(0.0);
    let recall = part(hits, gold).unwrap_or(0.0);
    let sum = precision + recall;
    Rates { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
}

/// For every marked place the one found for it, if any: equal spans first, then the longest overlaps.
fn matched(gold: &[Marked], found: &[Marked]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; gold.len()];
    let mut is_taken = vec![false; found.len()];
    for (pair, mark) in pairs.iter_mut().zip(gold) {
        let same = |at: &usize| {
            !is_taken[*at] && (found[*at].start, found[*at].end) == (mark.start, mark.end)
        };
        if let Some(at) = (0..found.len()).find(same) {
            *pair = Some(at);
            is_taken[at] = true;
        }
    }
    let mut overlaps = Vec::new();
    for (index, mark) in gold.iter().enumerate().filter(|it| pairs[it.0].is_none()) {
        for (at, it) in found.iter().enumerate().filter(|it| !is_taken[it.0]) {
            let shared = mark.end.min(it.end).saturating_sub(mark.start.max(it.start));
            if shared > 0 {
                overlaps.push((std::cmp::Reverse(shared), index, at));
            }
        }
    }
    overlaps.sort_unstable();
    for (_, index, at) in overlaps {
        if pairs[index].is_none() && !is_taken[at] {
            pairs[index] = Some(at);
            is_taken[at] = true;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use earth::Point;

    use super::*;

    fn mark(start: usize, end: usize, lat: Option<f64>) -> Marked {
        Marked { start, end, point: lat.map(|lat| Point::new(lat, 10.0)) }
    }

    fn score(rules: Rules, gold: &[Marked], found: &[Marked]) -> Score {
        let mut score = Score::default();
        score.add(rules, gold, found);
        score
    }

    #[track_caller]
    fn check(rates: Rates, precision: f64, recall: f64) {
        assert!(
            (rates.precision - precision).abs() < 1e-9 && (rates.recall - recall).abs() < 1e-9,
            "{rates:?}"
        );
    }

    #[test]
    fn spans_count_strictly_and_leniently() {
        let gold = [mark(0, 5, Some(50.0)), mark(10, 20, Some(51.0))];
        let found = [mark(0, 5, Some(50.0)), mark(10, 15, Some(51.5)), mark(30, 32, Some(0.0))];
        let score = score(Rules::default(), &gold, &found);
        check(score.strict(), 1.0 / 3.0, 0.5);
        check(score.lenient(), 2.0 / 3.0, 1.0);
        check(score.located(), 2.0 / 3.0, 1.0);
    }

    #[test]
    fn a_place_too_far_off_is_found_but_not_right() {
        let score = score(Rules::default(), &[mark(0, 5, Some(50.0))], &[mark(0, 5, Some(52.0))]);
        check(score.lenient(), 1.0, 1.0);
        check(score.located(), 0.0, 0.0);
        assert_eq!(score.accuracy(), Some(0.0));
    }

    #[test]
    fn a_marked_place_without_position_is_passed_over_unless_it_counts() {
        let (gold, found) = ([mark(0, 5, None)], [mark(0, 5, Some(1.0)), mark(7, 9, Some(1.0))]);
        assert_eq!(score(Rules::default(), &gold, &found).found, 1);
        let all = Rules { counts_unlocated: true, ..Rules::default() };
        check(score(all, &gold, &found).strict(), 0.5, 1.0);
    }

    #[test]
    fn where_few_places_are_marked_finding_more_is_no_mistake() {
        let rules = Rules { is_sparse: true, ..Rules::default() };
        let found = [mark(0, 5, Some(50.0)), mark(7, 9, Some(1.0))];
        check(score(rules, &[mark(0, 5, Some(50.0))], &found).located(), 1.0, 1.0);
    }

    #[test]
    fn each_found_place_fits_one_marked_place_the_longest_overlap_first() {
        let gold = [mark(0, 4, Some(1.0)), mark(4, 10, Some(2.0))];
        assert_eq!(matched(&gold, &[mark(0, 10, Some(2.0))]), [None, Some(0)]);
    }
}
