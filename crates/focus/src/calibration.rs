//! How sure one should be by how sure a classifier is.

use serde::{Deserialize, Serialize};

/// A rising curve from log odds, as a classifier gives them, to the share of what turned out to be
/// relevant among what it gave them to (isotonic regression).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Curve(Vec<(f32, f32)>);

/// A curve has so many points; it is not known to more than a per cent anyway.
const MOST_POINTS: usize = 128;
/// A point is known by so many cases at least, so that its share is hardly 0 or 1 by accident.
const FEWEST_CASES: usize = 50;

impl Curve {
    /// The curve that fits cases best: log odds with what turned out, from 0 to 1.
    pub(crate) fn of(mut cases: Vec<(f32, f32)>) -> Self {
        cases.retain(|it| it.0.is_finite());
        cases.sort_by(|a, b| a.0.total_cmp(&b.0));
        let size = cases.len().div_ceil(MOST_POINTS).max(FEWEST_CASES);
        let mut steps: Vec<Step> = Vec::new();
        for chunk in cases.chunks(size) {
            steps.push(Step::of(chunk));
            // Neighbours that fall are taken together until all rise.
            while let [.., one, two] = steps.as_slice()
                && one.share() >= two.share()
            {
                let joined = one.with(two);
                steps.truncate(steps.len() - 2);
                steps.push(joined);
            }
        }
        Self(steps.iter().map(|it| (it.middle() as f32, it.share() as f32)).collect())
    }

    /// How sure one should be at these log odds; nothing if nobody knows.
    pub(crate) fn at(&self, odds: f64) -> Option<f64> {
        let after = self.0.partition_point(|it| f64::from(it.0) < odds);
        let point = |at: usize| self.0.get(at).map(|it| (f64::from(it.0), f64::from(it.1)));
        let (low, high) = (after.checked_sub(1).and_then(point), point(after));
        match (low, high) {
            (Some((x, y)), Some((x2, y2))) if x2 > x => Some(y + (y2 - y) * (odds - x) / (x2 - x)),
            (Some((_, y)), _) | (None, Some((_, y))) => Some(y),
            (None, None) => None,
        }
    }

    /// Whether it is a curve that `of` may have made.
    pub(crate) fn is_sound(&self) -> bool {
        self.0.len() <= MOST_POINTS
            && self.0.iter().all(|it| it.0.is_finite() && (0.0..=1.0).contains(&it.1))
            && self.0.is_sorted_by(|one, two| one.0 <= two.0 && one.1 <= two.1)
    }
}

/// Cases with neighbouring log odds, summed up.
#[derive(Clone, Copy, Debug)]
struct Step {
    cases: f64,
    odds: f64,
    relevant: f64,
}

impl Step {
    fn of(cases: &[(f32, f32)]) -> Self {
        Self {
            cases: cases.len() as f64,
            odds: cases.iter().map(|it| f64::from(it.0)).sum(),
            relevant: cases.iter().map(|it| f64::from(it.1)).sum(),
        }
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            odds: self.odds + other.odds,
            relevant: self.relevant + other.relevant,
        }
    }

    fn share(&self) -> f64 {
        (self.relevant / self.cases).clamp(0.0, 1.0)
    }

    fn middle(&self) -> f64 {
        self.odds / self.cases
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_boaster_is_cut_down_to_what_turned_out() {
        // It claims log odds of -8 or 8; behind them are one and three of four.
        let cases = (0..4000).map(|it| match it % 8 {
            0..4 => (-8.0, f32::from(it % 4 == 0)),
            _ => (8.0, f32::from(it % 4 != 0)),
        });
        let curve = Curve::of(cases.map(|it| (it.0, it.1)).collect());
        let near = |odds: f64, share: f64| {
            assert!((curve.at(odds).expect("it knows") - share).abs() < 0.02, "{odds}");
        };
        near(-20.0, 0.25);
        near(0.0, 0.5);
        near(20.0, 0.75);
    }

    #[test]
    fn without_cases_nobody_knows() {
        assert_eq!(Curve::of(Vec::new()).at(1.0), None);
        assert_eq!(Curve::of(vec![(1.0, 1.0)]).at(-5.0), Some(1.0));
    }

    proptest! {
        #[test]
        fn a_curve_rises_and_stays_between_0_and_1(
            cases in prop::collection::vec((any::<f32>(), 0.0..=1.0_f32), 0..500),
            odds in any::<f64>(), more in 0.0..100.0_f64,
        ) {
            let curve = Curve::of(cases);
            prop_assert!(curve.is_sound());
            if let (Some(one), Some(two)) = (curve.at(odds), curve.at(odds + more)) {
                prop_assert!((0.0..=1.0).contains(&one));
                prop_assert!(two >= one - 1e-9);
            }
        }
    }
}
