//! Figures about several crawls: medians, ratios, and how much of the possible was reached.

use super::curve::Curve;

/// The middle of some numbers, or the mean of the two in the middle; nothing of no numbers.
pub(super) fn median(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.into_iter().filter(|it| it.is_finite()).collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some(f64::midpoint(numbers[middle - 1], numbers[middle])),
    }
}

/// How many times as much one is as the other; nothing where the other is nothing.
pub(super) fn ratio(one: f64, other: f64) -> Option<f64> {
    (other > 0.0).then(|| one / other)
}

/// How much of the way from a broad crawl to the oracle was gone; nothing where there is no way.
pub(super) fn efficiency(harvest: f64, broad: f64, oracle: f64) -> Option<f64> {
    (oracle > broad).then(|| (harvest - broad) / (oracle - broad))
}

/// Where one crawl had found less than another after as many downloads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Behind {
    /// How many points were compared.
    pub(super) compared: usize,
    /// At how many of them it was behind.
    pub(super) points: usize,
    /// After how many downloads it was behind for the last time.
    pub(super) last: u64,
    /// The most by which its harvest was less.
    pub(super) most: f64,
}

impl Behind {
    /// Compares two crawls at the points of the first, from so many downloads on up to so many.
    pub(super) fn of(one: &Curve, other: &Curve, from: u64, to: u64) -> Self {
        let mut behind = Self::default();
        for &(downloads, relevant) in one.points() {
            if !(from.max(1)..=to).contains(&downloads) {
                continue;
            }
            let Some(others) = other.relevant_at(downloads) else { continue };
            behind.compared += 1;
            let less = (others - relevant as f64) / downloads as f64;
            if less > 0.0 {
                behind.points += 1;
                behind.last = downloads;
                behind.most = behind.most.max(less);
            }
        }
        behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(numbers: &[f64], expected: Option<f64>) {
        assert_eq!(median(numbers.iter().copied()), expected, "{numbers:?}");
    }

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_two_middles() {
        check(&[], None);
        check(&[3.0], Some(3.0));
        check(&[9.0, 1.0, 4.0], Some(4.0));
        check(&[9.0, 1.0, 4.0, 2.0], Some(3.0));
        check(&[f64::NAN, 1.0, f64::INFINITY], Some(1.0));
    }

    #[test]
    fn the_published_harvests_have_the_published_ratios() {
        let rounded = |one, other| ratio(one, other).map(|it| (it * 1000.0).round() / 1000.0);
        assert_eq!(rounded(0.12, 0.04), Some(3.0));
        assert_eq!(rounded(0.12, 0.055), Some(2.182));
        assert_eq!(rounded(0.055, 0.04), Some(1.375));
        assert_eq!(ratio(0.1, 0.0), None);
    }

    #[test]
    fn efficiency_is_nought_for_the_broad_crawl_and_one_for_the_oracle() {
        assert_eq!(efficiency(0.1, 0.1, 0.3), Some(0.0));
        assert_eq!(efficiency(0.3, 0.1, 0.3), Some(1.0));
        let halfway = efficiency(0.2, 0.1, 0.3).expect("there is a way");
        assert!((halfway - 0.5).abs() < 1e-9, "{halfway}");
        assert_eq!(efficiency(0.2, 0.1, 0.1), None);
    }

    #[test]
    fn being_behind_counts_from_the_first_share_of_the_budget_on() {
        let one = Curve::new([(10, 0), (20, 2), (30, 9)]);
        let other = Curve::new([(15, 3), (30, 6)]);
        // At 10 it is behind by 2 of 10, at 20 the other has 4 and so it is behind by 2 of 20.
        let all = Behind::of(&one, &other, 0, 30);
        assert_eq!(all, Behind { compared: 3, points: 2, last: 20, most: 0.2 });
        let later = Behind::of(&one, &other, 11, 30);
        assert_eq!(later, Behind { compared: 2, points: 1, last: 20, most: 0.1 });
        assert_eq!(Behind::of(&one, &other, 21, 30).points, 0);
    }
}
