//! Choices that look random and are the same every time.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Choices that look random and are the same every time: `SplitMix64` (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The choices for something with a name: they do not change when something else is added.
    pub(crate) fn of(&self, name: &str) -> Self {
        Self(xxh3_64_with_seed(name.as_bytes(), self.0))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number from `first` to `last`, both included.
    pub(crate) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last + 1 - first)
    }

    /// True in so many cases of a hundred.
    pub(crate) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of several, if there are any.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// So many different ones of several, or all of them.
    pub(crate) fn some<'a, T>(&mut self, from: &'a [T], most: usize) -> Vec<&'a T> {
        let mut all: Vec<&T> = from.iter().collect();
        self.shuffle(&mut all);
        all.truncate(most);
        all
    }

    /// Puts a list into another order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_name_choose_the_same() {
        let list = |name: &str| {
            let mut chance = Chance::new(7).of(name);
            (0..9).map(|_| chance.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(list("bakery"), list("bakery"));
        assert_ne!(list("bakery"), list("museum"));
    }

    #[test]
    fn of_nothing_nothing_is_chosen() {
        let mut chance = Chance::new(1);
        assert_eq!(chance.pick::<u8>(&[]), None);
        assert!(chance.some::<u8>(&[], 3).is_empty());
        assert_eq!(chance.below(0), 0);
    }

    #[test]
    fn a_shuffled_list_has_all_its_members() {
        let mut list: Vec<_> = (0..50).collect();
        Chance::new(3).shuffle(&mut list);
        assert_ne!(list, (0..50).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
    }
}
