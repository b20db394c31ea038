//! How well what was accepted agrees with what was wanted.

/// How well what was accepted agrees with what was wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// How many were accepted and wanted.
    pub correct: usize,
    /// How many were accepted.
    pub accepted: usize,
    /// How many were wanted.
    pub wanted: usize,
}

impl Agreement {
    /// The share of the accepted that was wanted.
    pub fn precision(self) -> f64 {
        share(self.correct, self.accepted)
    }

    /// The share of the wanted that was accepted.
    pub fn recall(self) -> f64 {
        share(self.correct, self.wanted)
    }

    /// The harmonic mean of both.
    pub fn f(self) -> f64 {
        share(2 * self.correct, self.accepted + self.wanted)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(correct: usize, accepted: usize, precision: f64, recall: f64, f: f64) {
        let found = Agreement { correct, accepted, wanted: 100 };
        for (found, expected) in
            [(found.precision(), precision), (found.recall(), recall), (found.f(), f)]
        {
            assert!((found - expected).abs() < 1e-6, "{found}");
        }
    }

    #[test]
    fn the_numbers_of_the_paper_come_out() {
        check(96, 128, 0.75, 0.96, 0.842_105);
        check(91, 91, 1.0, 0.91, 0.952_880);
        let of = |correct, accepted| Agreement { correct, accepted, wanted: 100 }.f();
        assert!((of(91, 91) - of(96, 128) - 0.1108).abs() < 1e-4);
    }

    #[test]
    fn nothing_agrees_with_nothing_by_nothing() {
        check(0, 0, 0.0, 0.0, 0.0);
    }
}
