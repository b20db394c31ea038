//! Which of two links comes first that are worth the same.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Which of two links comes first that are worth the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lots {
    /// The one that was found first.
    Fifo,
    /// The one that draws the better lot; under the same number every link draws the same lot again.
    Random(u64),
}

/// By lot, as Ahlers and Boll do it: what was found first is mostly the menu of a single host.
impl Default for Lots {
    fn default() -> Self {
        Self::Random(1)
    }
}

impl Lots {
    /// The lot that a link draws.
    pub(crate) fn lot(self, url: &str) -> Lot {
        match self {
            Self::Fifo => Lot(0),
            Self::Random(seed) => Lot((xxh3_64_with_seed(url.as_bytes(), seed) >> 48) as u16),
        }
    }
}

/// What is taken off a priority, so that links of one priority get into an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lot(pub(crate) u16);

/// No lot takes off as much. At 1/2, which the links of a relevant page have, a priority of 32 bits
/// still holds thirty different lots.
const MOST: f64 = 1.0 / (1 << 20) as f64;
/// No lot takes off this part of a priority, so that those far away from a seed keep their order too.
const MOST_OF_IT: f64 = 1.0 / 16.0;

impl Lot {
    /// The priority with the lot in it: no more than it was, and less by next to nothing.
    pub(crate) fn settle(self, priority: f64) -> f32 {
        // The last sixteenth is left out, for rounding must not take off more than all lots do.
        let part = f64::from(self.0) / 65_536.0 * 15.0 / 16.0;
        (priority - part * MOST.min(priority * MOST_OF_IT)) as f32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn without_lots_a_priority_stays_what_it_is() {
        let settled = Lots::Fifo.lot("http://example.org/").settle(0.3);
        assert!((settled - 0.3).abs() < f32::EPSILON);
    }

    #[test]
    fn a_hundred_links_of_one_priority_draw_some_thirty_lots() {
        let lot = |it| Lots::default().lot(&format!("http://example.org/{it}")).settle(0.5);
        let lots: std::collections::HashSet<u32> = (0..100).map(|it| lot(it).to_bits()).collect();
        assert!(lots.len() > 24, "{}", lots.len());
    }

    proptest! {
        #[test]
        fn what_is_worth_more_comes_first_whatever_the_lots(
            priority in 0.0..1.0_f64, one in any::<u16>(), other in any::<u16>(),
        ) {
            let more = priority + MOST;
            prop_assert!(Lot(one).settle(more) > Lot(other).settle(priority));
            prop_assert!((0.0..=1.0).contains(&Lot(one).settle(priority)));
        }

        #[test]
        fn far_links_keep_their_order_whatever_the_lots(
            links in 1..120_i32, one in any::<u16>(), other in any::<u16>(),
        ) {
            let (nearer, farther) = (0.5_f64.powi(links), 0.5_f64.powi(links + 1));
            prop_assert!(Lot(one).settle(nearer) > Lot(other).settle(farther));
        }
    }
}
