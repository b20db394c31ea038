//! Whether links kept what they had promised.

use super::judged::Judged;

/// How many classes promises are divided into.
const CLASSES: usize = 10;

/// The pages whose links had promised about the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Class {
    /// How many.
    pub(super) pages: usize,
    /// How many of them were relevant.
    pub(super) relevant: usize,
    /// What their links had promised, in all.
    promised: f64,
}

impl Class {
    /// What a link of it promised, on average.
    pub(super) fn promise(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.promised / self.pages as f64)
    }

    /// The share of relevant pages.
    pub(super) fn kept(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.relevant as f64 / self.pages as f64)
    }
}

/// Whether links kept what they had promised: the priority of each page's link against the crawl's
/// judgement of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Calibration {
    /// Promises from 0 to 0.1, from 0.1 to 0.2, and so on.
    pub(super) classes: [Class; CLASSES],
    errors: f64,
}

impl Calibration {
    /// That of the answers of a crawl, without its seeds, which nobody had to judge beforehand.
    pub(super) fn of(answers: &[Judged]) -> Self {
        let mut calibration = Self::default();
        for answer in answers.iter().filter(|it| it.via.is_some()) {
            let (Some(relevant), Some(priority)) = (answer.relevant, answer.priority) else {
                continue;
            };
            let promise = priority.clamp(0.0, 1.0);
            let class = ((promise * CLASSES as f64) as usize).min(CLASSES - 1);
            let class = &mut calibration.classes[class];
            class.pages += 1;
            class.relevant += usize::from(relevant);
            class.promised += promise;
            calibration.errors += (promise - f64::from(u8::from(relevant))).powi(2);
        }
        calibration
    }

    /// How many pages there are.
    pub(super) fn pages(&self) -> usize {
        self.classes.iter().map(|it| it.pages).sum()
    }

    /// The mean squared distance of a promise from what came of it; 0 is perfect.
    pub(super) fn brier(&self) -> Option<f64> {
        (self.pages() > 0).then(|| self.errors / self.pages() as f64)
    }

    /// By how much promise and fulfilment of a page's class differ, on average; 0 is perfect.
    pub(super) fn error(&self) -> Option<f64> {
        let gap = |it: &Class| (it.promised - it.relevant as f64).abs();
        let gaps: f64 = self.classes.iter().map(gap).sum();
        (self.pages() > 0).then(|| gaps / self.pages() as f64)
    }

    /// That of several crawls together.
    pub(super) fn together<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for calibration in all {
            sum.errors += calibration.errors;
            for (sum, class) in sum.classes.iter_mut().zip(&calibration.classes) {
                sum.pages += class.pages;
                sum.relevant += class.relevant;
                sum.promised += class.promised;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(priority: f64, relevant: bool) -> Judged {
        Judged {
            via: Some("http://a.example/".to_owned()),
            relevant: Some(relevant),
            priority: Some(priority),
            ..Judged::default()
        }
    }

    #[track_caller]
    fn check(answers: &[(f64, bool)], brier: Option<f64>, error: Option<f64>) {
        let answers: Vec<_> = answers.iter().map(|it| answer(it.0, it.1)).collect();
        let calibration = Calibration::of(&answers);
        let rounded = |it: Option<f64>| it.map(|it| (it * 1e6).round() / 1e6);
        assert_eq!(rounded(calibration.brier()), brier, "{answers:?}");
        assert_eq!(rounded(calibration.error()), error, "{answers:?}");
    }

    #[test]
    fn a_promise_that_is_kept_as_often_as_it_says_is_no_error() {
        check(&[(1.0, true), (0.0, false)], Some(0.0), Some(0.0));
        check(
            &[(0.25, true), (0.25, false), (0.25, false), (0.25, false)],
            Some(0.1875),
            Some(0.0),
        );
        check(&[(0.8, false), (0.8, false)], Some(0.64), Some(0.8));
        check(&[], None, None);
    }

    #[test]
    fn promises_fall_into_ten_classes_and_seeds_into_none() {
        let seed = Judged { via: None, ..answer(1.0, true) };
        let unread = Judged { relevant: None, ..answer(0.5, true) };
        let answers = [seed, unread, answer(0.05, false), answer(0.1, true), answer(7.0, true)];
        let calibration = Calibration::of(&answers);
        let pages = calibration.classes.map(|it| it.pages);
        assert_eq!(pages, [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(calibration.classes[1].kept(), Some(1.0));
        assert_eq!(calibration.classes[1].promise(), Some(0.1));
        assert_eq!(calibration.classes[2].kept(), None);
    }

    #[test]
    fn two_crawls_together_are_as_one_crawl_of_both() {
        let (one, other) = ([answer(0.3, true)], [answer(0.34, false), answer(0.9, true)]);
        let both: Vec<_> = one.iter().chain(&other).cloned().collect();
        let together = Calibration::together([&Calibration::of(&one), &Calibration::of(&other)]);
        assert_eq!(together.classes, Calibration::of(&both).classes);
        let difference = together.errors - Calibration::of(&both).errors;
        assert!(difference.abs() < 1e-9, "{difference}");
    }
}
