//! How good a list of graded answers is, and whether one system's lists are better than another's by more than chance.

/// So many answers are looked at.
pub(crate) const DEPTH: usize = 10;
/// A page with this grade or a better one is an answer; a lower grade only touches the question.
pub(crate) const ANSWERS: u8 = 2;
/// So often the test flips coins.
const ROUNDS: usize = 10_000;

/// The measures of one list, or their means over many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measures {
    /// Discounted gain, as a share of what the best list would have (Järvelin and Kekäläinen 2002).
    pub(crate) ndcg: f64,
    /// The share of the first ten places that hold an answer.
    pub(crate) precision: f64,
    /// One over the rank of the first answer; 0 if there is none.
    pub(crate) reciprocal_rank: f64,
}

impl Measures {
    /// The measures of a list of grades, beside all the grades that there are.
    pub(crate) fn of(grades: &[u8], ideal: &[u8]) -> Self {
        let best = gain(ideal);
        let is_answer = |grade: &u8| *grade >= ANSWERS;
        let answers = grades.iter().take(DEPTH).filter(|it| is_answer(it)).count();
        let first = grades.iter().take(DEPTH).position(is_answer);
        Self {
            ndcg: if best == 0.0 { 0.0 } else { gain(grades) / best },
            precision: answers as f64 / DEPTH as f64,
            reciprocal_rank: first.map_or(0.0, |it| 1.0 / (it + 1) as f64),
        }
    }

    /// The means over many lists; all 0 for none.
    pub(crate) fn mean<'m>(lists: impl Iterator<Item = &'m Self>) -> Self {
        let mut sum = Self::default();
        let mut count = 0.0_f64;
        for it in lists {
            sum.ndcg += it.ndcg;
            sum.precision += it.precision;
            sum.reciprocal_rank += it.reciprocal_rank;
            count += 1.0;
        }
        let count = count.max(1.0);
        Self {
            ndcg: sum.ndcg / count,
            precision: sum.precision / count,
            reciprocal_rank: sum.reciprocal_rank / count,
        }
    }
}

/// The gain of the first ten: 1, 3 and 7 for the grades, less by the logarithm of the rank.
fn gain(grades: &[u8]) -> f64 {
    let one = |(rank, grade): (usize, &u8)| {
        (f64::from(1_u32 << grade) - 1.0) / ((rank + 2) as f64).log2()
    };
    grades.iter().take(DEPTH).enumerate().map(one).fold(0.0, |sum, it| sum + it)
}

/// How two systems differ on the same queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Difference {
    /// The mean of the differences.
    pub(crate) mean: f64,
    /// How often chance alone would give a mean difference as large, either way.
    pub(crate) p: f64,
    /// On so many queries the first is better.
    pub(crate) better: usize,
    /// And on so many it is worse.
    pub(crate) worse: usize,
}

impl Difference {
    /// The paired randomisation test (Smucker, Allan and Carterette 2007): if the systems were equal, each difference
    /// could as well have the other sign. The coins are the same in every run.
    pub(crate) fn of(differences: &[f64]) -> Self {
        let size = differences.len().max(1) as f64;
        let sum: f64 = differences.iter().sum();
        let mut coins = Coins(1);
        // Sums of the same numbers in another order may differ in their last digits.
        let bar = sum.abs() - 1e-9;
        let as_large = (0..ROUNDS)
            .filter(|_| {
                let flipped: f64 =
                    differences.iter().map(|it| if coins.flip() { *it } else { -it }).sum();
                flipped.abs() >= bar
            })
            .count();
        Self {
            mean: sum / size,
            p: (as_large + 1) as f64 / (ROUNDS + 1) as f64,
            better: differences.iter().filter(|it| **it > 0.0).count(),
            worse: differences.iter().filter(|it| **it < 0.0).count(),
        }
    }
}

/// Coins that fall the same way in every run (`SplitMix64`).
struct Coins(u64);

impl Coins {
    fn flip(&mut self) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (it ^ (it >> 31)) >> 63 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 5e-5, "{actual} is not {expected}");
    }

    #[test]
    fn a_list_is_measured_as_by_hand() {
        // 7 / 1 + 0 / 1.5850 + 1 / 2 + 3 / 2.3219 = 8.7920 against 7 / 1 + 3 / 1.5850 + 1 / 2 = 9.3928.
        let measures = Measures::of(&[3, 0, 1, 2], &[3, 2, 1]);
        check(measures.ndcg, 0.936_04);
        check(measures.precision, 0.2);
        check(measures.reciprocal_rank, 1.0);
    }

    #[test]
    fn a_page_that_only_touches_the_question_is_no_answer() {
        let measures = Measures::of(&[1, 1, 2], &[2, 1, 1]);
        check(measures.precision, 0.1);
        check(measures.reciprocal_rank, 1.0 / 3.0);
        // 1 + 1 / 1.5850 + 3 / 2 = 3.1309 against 3 + 1 / 1.5850 + 1 / 2 = 4.1309.
        check(measures.ndcg, 0.757_92);
    }

    #[test]
    fn what_stands_behind_the_tenth_does_not_count() {
        let mut grades = vec![0; DEPTH];
        grades.push(3);
        assert_eq!(Measures::of(&grades, &[3]), Measures::default());
    }

    #[test]
    fn nothing_to_find_is_no_success() {
        assert_eq!(Measures::of(&[0, 0], &[]), Measures::default());
    }

    #[test]
    fn three_queries_of_one_sign_come_about_by_chance_once_in_four() {
        // Of the eight ways to choose the signs, all plus and all minus are as large.
        let difference = Difference::of(&[0.1, 0.2, 0.3]);
        check(difference.mean, 0.2);
        assert!((difference.p - 0.25).abs() < 0.02, "{}", difference.p);
        assert_eq!((difference.better, difference.worse), (3, 0));
    }

    #[test]
    fn equal_systems_differ_by_chance_alone() {
        check(Difference::of(&[0.0; 5]).p, 1.0);
        check(Difference::of(&[0.2, -0.2]).p, 1.0);
    }

    #[test]
    fn twenty_queries_of_one_sign_are_hardly_chance() {
        // Two in a million; the test itself cannot say less than one in 10,001.
        check(Difference::of(&[0.1; 20]).p, 1.0 / 10_001.0);
    }
}
