//! Logistic regression over terms, learned one sample at a time.

use serde::{Deserialize, Serialize};

use crate::term::{Term, TermMap};

/// How far one sample moves a weight that has hardly been moved before. On nine simulated webs a lower
/// rate made no sure difference.
const RATE: f32 = 0.15;
/// Keeps the first steps of a weight from being longer than all later ones together.
const CAUTION: f32 = 0.5;
/// How much a weight counts as an error by itself, so that what was met once by accident does not say
/// much.
const RESTRAINT: f32 = 0.01;
/// So many terms have weights. Those of an honest site are some ten thousand.
const MOST_TERMS: usize = 1 << 20;

/// What is expected of a link, from 0 to 1 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// The chance that its page is relevant.
    pub(crate) relevant: f32,
    /// The share of relevant pages among its page and the best of those first met on it.
    pub(crate) harvest: f32,
}

/// A link that was followed: its terms, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) terms: Box<[Term]>,
    pub(crate) is_relevant: bool,
    /// What is to be harvested by way of it; nothing as long as nobody has looked at its links.
    pub(crate) harvest: Option<f32>,
}

impl Sample {
    /// What the link was worth: its page, or what is to be harvested by way of it if that is known.
    pub(crate) fn worth(&self) -> Option<f32> {
        if self.is_relevant { Some(1.0) } else { self.harvest }
    }
}

/// What a term says about one thing, and how far that was moved so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Lever {
    value: f32,
    moved: f32,
}

impl Lever {
    /// Moves it by an error. Every lever has a step of its own (Duchi, Hazan and Singer 2011), so that
    /// what is met rarely learns as much from each sample as what is met often does from many.
    fn push(&mut self, error: f32) {
        self.moved += error * error;
        let step = RATE / (CAUTION + self.moved.sqrt());
        self.value += step * (error - RESTRAINT * self.value);
    }

    fn is_sound(self) -> bool {
        self.value.is_finite() && self.moved.is_finite() && self.moved >= 0.0
    }
}

/// What a term says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weight {
    relevant: Lever,
    harvest: Lever,
}

/// Two regressions over the same terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regression {
    weights: TermMap<Weight>,
}

impl Regression {
    /// Says what a term says before anything was learned.
    pub(crate) fn expect(&mut self, term: Term, value: f32) {
        let lever = Lever { value, moved: 0.0 };
        self.weights.insert(term, Weight { relevant: lever, harvest: lever });
    }

    /// What is expected of a link with these terms.
    pub(crate) fn predict(&self, terms: impl Iterator<Item = Term>) -> Prediction {
        let (mut relevant, mut harvest) = (0.0, 0.0);
        for weight in terms.filter_map(|it| self.weights.get(&it)) {
            relevant += weight.relevant.value;
            harvest += weight.harvest.value;
        }
        Prediction { relevant: logistic(relevant), harvest: logistic(harvest) }
    }

    /// What a term says about the page of a link: more than 0 is in favour.
    pub(crate) fn says(&self, term: Term) -> f32 {
        self.weights.get(&term).map_or(0.0, |it| it.relevant.value)
    }

    /// What a term says about what is to be harvested by way of a link.
    pub(crate) fn says_of_harvest(&self, term: Term) -> f32 {
        self.weights.get(&term).map_or(0.0, |it| it.harvest.value)
    }

    /// Learns from a sample.
    pub(crate) fn learn(&mut self, sample: &Sample) {
        let expected = self.predict(sample.terms.iter().copied());
        let truth = if sample.is_relevant { 1.0 } else { 0.0 };
        for term in &sample.terms {
            if self.weights.len() >= MOST_TERMS && !self.weights.contains_key(term) {
                continue;
            }
            let weight = self.weights.entry(*term).or_default();
            weight.relevant.push(truth - expected.relevant);
            if let Some(harvest) = sample.harvest {
                weight.harvest.push(harvest - expected.harvest);
            }
        }
    }

    /// Learns from a sample what is to be harvested by way of it, and nothing else.
    pub(crate) fn learn_harvest(&mut self, sample: &Sample) {
        let expected = self.predict(sample.terms.iter().copied()).harvest;
        let Some(harvest) = sample.harvest else { return };
        for term in &sample.terms {
            // Its terms were met when it was learned that it is relevant or not.
            if let Some(weight) = self.weights.get_mut(term) {
                weight.harvest.push(harvest - expected);
            }
        }
    }

    /// Whether a term has a weight.
    pub(crate) fn knows(&self, term: Term) -> bool {
        self.weights.contains_key(&term)
    }

    /// All weights, in the order of their terms.
    pub(crate) fn weights(&self) -> Vec<(Term, Weight)> {
        let mut weights: Vec<_> = self.weights.iter().map(|it| (*it.0, *it.1)).collect();
        weights.sort_unstable_by_key(|it| it.0);
        weights
    }

    /// A regression with these weights; nothing if one of them is no number.
    pub(crate) fn of(weights: Vec<(Term, Weight)>) -> Option<Self> {
        let is_sound = |it: &Weight| it.relevant.is_sound() && it.harvest.is_sound();
        let is_fine = weights.len() <= MOST_TERMS && weights.iter().all(|it| is_sound(&it.1));
        is_fine.then(|| Self { weights: weights.into_iter().collect() })
    }
}

/// From any number to one between 0 and 1.
fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample(terms: &[u32], is_relevant: bool) -> Sample {
        Sample { terms: terms.iter().map(|it| Term(*it)).collect(), is_relevant, harvest: None }
    }

    fn relevant(model: &Regression, terms: &[u32]) -> f32 {
        model.predict(terms.iter().map(|it| Term(*it))).relevant
    }

    #[test]
    fn the_first_step_is_as_worked_out_by_hand() {
        // Expected is 1/2, the error 1/2: it is moved by 0.25, and the step is 0.15 / (0.5 + 0.5).
        let mut model = Regression::default();
        model.learn(&sample(&[1, 2], true));
        assert!((model.says(Term(1)) - 0.075).abs() < 1e-6);
        assert!((relevant(&model, &[1, 2]) - 0.537_430).abs() < 1e-6);
        assert!((relevant(&model, &[3]) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn chances_come_near_the_shares_they_were_learned_from() {
        let mut model = Regression::default();
        for round in 0..3_000_u32 {
            model.learn(&sample(&[0, 1], round % 10 < 8));
            model.learn(&sample(&[0, 2], round % 10 < 1));
        }
        assert!((relevant(&model, &[0, 1]) - 0.8).abs() < 0.1);
        assert!((relevant(&model, &[0, 2]) - 0.1).abs() < 0.1);
    }

    #[test]
    fn a_weight_that_is_no_number_is_refused() {
        let mut model = Regression::default();
        model.expect(Term(7), f32::NAN);
        assert!(Regression::of(model.weights()).is_none());
        assert!(Regression::of(Regression::default().weights()).is_some());
    }

    proptest! {
        #[test]
        fn whatever_is_learned_chances_stay_chances(
            lessons in prop::collection::vec((prop::collection::vec(0..20_u32, 0..30), any::<bool>()), 0..200),
        ) {
            let mut model = Regression::default();
            for (terms, is_relevant) in &lessons {
                model.learn(&sample(terms, *is_relevant));
            }
            let chance = relevant(&model, &(0..20).collect::<Vec<_>>());
            prop_assert!((0.0..=1.0).contains(&chance));
            prop_assert!(Regression::of(model.weights()).is_some());
        }
    }
}
