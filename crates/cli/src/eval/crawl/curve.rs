//! What a crawl had found after so many downloads.

/// What a crawl had found after so many downloads, at some points in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Curve(Vec<(u64, u64)>);

impl Curve {
    /// Downloads with what was relevant among them; what goes backwards is left out.
    pub(super) fn new(points: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut kept: Vec<(u64, u64)> = Vec::new();
        for (downloads, relevant) in points {
            if kept.last().map_or(0, |it| it.0) < downloads {
                kept.push((downloads, relevant));
            }
        }
        Self(kept)
    }

    /// Downloads with what was relevant among them.
    pub(super) fn points(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// What was relevant among so many downloads, on the straight line between two points; nothing
    /// if there were not so many.
    pub(super) fn relevant_at(&self, downloads: u64) -> Option<f64> {
        let next = self.0.partition_point(|it| it.0 < downloads);
        let after = self.0.get(next)?;
        let before = next.checked_sub(1).map_or((0, 0), |it| self.0[it]);
        let share = (downloads - before.0) as f64 / (after.0 - before.0) as f64;
        Some(before.1 as f64 + share * (after.1 as f64 - before.1 as f64))
    }

    /// The share of relevant ones among so many downloads.
    pub(super) fn harvest_at(&self, downloads: u64) -> Option<f64> {
        let relevant = self.relevant_at(downloads)?;
        (downloads > 0).then(|| relevant / downloads as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(points: &[(u64, u64)], downloads: u64, expected: Option<f64>) {
        let curve = Curve::new(points.iter().copied());
        assert_eq!(curve.relevant_at(downloads), expected, "{points:?} at {downloads}");
    }

    #[test]
    fn between_two_points_lies_a_straight_line_from_nothing_on() {
        let points = [(10, 5), (20, 15)];
        check(&points, 0, Some(0.0));
        check(&points, 5, Some(2.5));
        check(&points, 10, Some(5.0));
        check(&points, 18, Some(13.0));
        check(&points, 20, Some(15.0));
    }

    #[test]
    fn behind_the_last_point_nothing_is_known() {
        check(&[(10, 5)], 11, None);
        check(&[], 1, None);
        check(&[], 0, None);
    }

    #[test]
    fn points_that_go_backwards_are_left_out() {
        assert_eq!(Curve::new([(0, 0), (5, 1), (5, 3), (4, 2), (6, 2)]).points(), [(5, 1), (6, 2)]);
        assert_eq!(Curve::new([(4, 1)]).harvest_at(4), Some(0.25));
        assert_eq!(Curve::new([(4, 1)]).harvest_at(0), None);
    }
}
