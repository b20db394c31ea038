//! What becomes of a link whose visit ends by an error of the program.

use std::time::Duration;

use frontier::{Ended, Outcome, State, Tally};

/// How such errors are counted.
pub(crate) const CLASS: &str = "program";

/// The link is given up: the same would happen again. Its host is not to blame.
pub(crate) fn outcome() -> Outcome {
    Outcome {
        state: State::Dropped("an error of the program".to_owned()),
        visit: None,
        again: None,
        ended: Some(Ended::Answered(Duration::ZERO)),
        address: None,
        tally: Tally { error: true, ..Tally::default() },
    }
}
