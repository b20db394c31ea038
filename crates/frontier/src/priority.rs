//! How much a link is worth, and its place in a queue.

use serde::{Deserialize, Serialize};

/// What a strategy thinks a link is worth: more is earlier. Not a number is worth nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Priority(pub f32);

/// A priority as an unsigned number that grows as the priority falls, so that a table in the order
/// of its keys has the best link first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(crate) struct Rank(pub(crate) u32);

impl From<Priority> for Rank {
    fn from(priority: Priority) -> Self {
        let value = if priority.0.is_nan() { f32::NEG_INFINITY } else { priority.0 };
        // Minus zero is zero.
        let bits = (value + 0.0).to_bits();
        // The bits of a float in the order of its value: all are turned for a negative one,
        // the sign alone for a positive one.
        let rising = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        Self(!rising)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_better_link_has_a_smaller_rank(one: f32, other: f32) {
            prop_assume!(!one.is_nan() && !other.is_nan());
            let ranks = Rank::from(Priority(one)).cmp(&Rank::from(Priority(other)));
            prop_assert_eq!(ranks, other.partial_cmp(&one).expect("both are numbers"));
        }
    }

    #[test]
    fn what_is_no_number_comes_last() {
        let worst = Rank::from(Priority(f32::NEG_INFINITY));
        assert_eq!(Rank::from(Priority(f32::NAN)), worst);
        assert_eq!(Rank::from(Priority(-0.0)), Rank::from(Priority(0.0)));
    }
}
