//! The harvest curve: which share of the pages was relevant, over all and lately.

use super::journal::Record;
use crate::wording::Language;

/// The size of the drawing, as the template has it.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 160.0;
/// The share of so few pages says nothing.
const FEWEST: u64 = 10;
/// "Lately" is so many points of the curve.
const WINDOW: usize = 16;

/// The harvest curve as a page draws it.
pub(crate) struct Curve {
    /// The line of the share over all pages so far.
    pub(crate) whole: String,
    /// The line of the share of the last pages.
    pub(crate) lately: String,
    /// What the upper edge stands for.
    pub(crate) top: String,
    /// What the right edge stands for.
    pub(crate) pages: String,
    /// The share over all pages, and lately.
    pub(crate) shares: (String, String),
}

impl Curve {
    /// The curve of a record; nothing if there is too little to draw.
    pub(crate) fn of(language: Language, record: &Record) -> Option<Self> {
        let points: Vec<_> = record.curve.iter().filter(|it| it.0 >= FEWEST).copied().collect();
        if !record.has_goal || points.len() < 2 {
            return None;
        }
        let share = |pages: u64, relevant: u64| relevant as f64 / pages.max(1) as f64;
        let whole: Vec<f64> = points.iter().map(|it| share(it.0, it.1)).collect();
        let lately: Vec<f64> = (0..points.len())
            .map(|at| {
                let before = if at < WINDOW { (0, 0) } else { points[at - WINDOW] };
                share(points[at].0 - before.0, points[at].1.saturating_sub(before.1))
            })
            .collect();
        let most = whole.iter().chain(&lately).copied().fold(0.0, f64::max);
        let top = [0.05, 0.1, 0.2, 0.5].into_iter().find(|it| *it >= most).unwrap_or(1.0);
        let (first, last) = (points[0].0, points[points.len() - 1].0);
        let line = |shares: &[f64]| {
            let mut text = String::new();
            for (point, share) in points.iter().zip(shares) {
                let x = (point.0 - first) as f64 / (last - first).max(1) as f64 * WIDTH;
                let y = HEIGHT - (share / top).min(1.0) * HEIGHT;
                text.push_str(if text.is_empty() { "M" } else { " L" });
                text.push_str(&format!("{x:.1} {y:.1}"));
            }
            text
        };
        let percent =
            |it: f64| format!("{} %", language.decimal(it * 100.0, usize::from(it < 0.1)));
        let newest = |shares: &[f64]| percent(shares.last().copied().unwrap_or_default());
        Some(Self {
            whole: line(&whole),
            lately: line(&lately),
            top: format!("{} %", (top * 100.0).round()),
            pages: language.number(last),
            shares: (newest(&whole), newest(&lately)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(curve: Vec<(u64, u64)>, has_goal: bool, expected: Option<(&str, &str)>) {
        let record = Record { curve, has_goal, ..Record::default() };
        let found = Curve::of(Language::English, &record).map(|it| it.shares);
        let expected = expected.map(|(one, other)| (one.to_owned(), other.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_curve_ends_with_the_share_over_all_and_lately() {
        check((1..=100).map(|it| (it, it / 2)).collect(), true, Some(("50 %", "50 %")));
        // Nothing at first, everything lately.
        let late = (1..=100).map(|it: u64| (it, it.saturating_sub(50)));
        check(late.collect(), true, Some(("50 %", "100 %")));
        check((1..=100).map(|it| (it, 0)).collect(), true, Some(("0.0 %", "0.0 %")));
    }

    #[test]
    fn without_a_goal_or_pages_there_is_no_curve() {
        check((1..=100).map(|it| (it, 0)).collect(), false, None);
        check(Vec::new(), true, None);
        check((1..=9).map(|it| (it, 1)).collect(), true, None);
    }

    #[test]
    fn a_line_stays_within_the_drawing() {
        let record = Record { curve: vec![(10, 10), (20, 0)], has_goal: true, ..Record::default() };
        let curve = Curve::of(Language::English, &record).expect("a curve");
        assert_eq!((curve.whole.as_str(), curve.top.as_str()), ("M0.0 0.0 L600.0 160.0", "100 %"));
    }
}
