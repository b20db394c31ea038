//! Lines that go on in each other, put together.

use std::collections::BTreeMap;

use crate::mercator::Spot;

/// The end of a line, as something that can be looked up.
type End = [u64; 2];

/// The lines put together where the end of one is the end of another; each stays as long as it can.
pub(super) fn chained(lines: Vec<Vec<Spot>>) -> Vec<Vec<Spot>> {
    let mut open: Vec<Option<Vec<Spot>>> =
        lines.into_iter().filter(|line| line.len() > 1).map(Some).collect();
    let mut ends: BTreeMap<End, Vec<usize>> = BTreeMap::new();
    for (number, line) in open.iter().enumerate() {
        for spot in line.iter().flat_map(|line| [line[0], line[line.len() - 1]]) {
            ends.entry(end(spot)).or_default().push(number);
        }
    }
    let mut chains = Vec::new();
    for number in 0..open.len() {
        let Some(mut chain) = open[number].take() else { continue };
        // Forwards, then from the other end.
        for _ in 0..2 {
            while let Some(next) = following(&mut open, &ends, chain[chain.len() - 1]) {
                chain.extend(&next[1..]);
            }
            chain.reverse();
        }
        chains.push(chain);
    }
    chains
}

/// A line that has not been taken yet and begins here, turned round if need be.
fn following(
    open: &mut [Option<Vec<Spot>>],
    ends: &BTreeMap<End, Vec<usize>>,
    from: Spot,
) -> Option<Vec<Spot>> {
    let numbers = ends.get(&end(from))?;
    let mut line = numbers.iter().find_map(|&number| open[number].take())?;
    if end(line[0]) != end(from) {
        line.reverse();
    }
    Some(line)
}

fn end(spot: Spot) -> End {
    spot.map(f64::to_bits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pieces_become_one_line_whichever_way_they_run() {
        check(&[&[1, 2], &[4, 3], &[3, 2]], &[&[1, 2, 3, 4]]);
        check(&[&[1, 2], &[3, 4]], &[&[1, 2], &[3, 4]]);
        check(&[&[1, 2, 1]], &[&[1, 2, 1]]);
        check(&[&[5]], &[]);
    }

    proptest! {
        #[test]
        fn every_way_is_still_there_once(lines in prop::collection::vec(prop::collection::vec(0_u8..9, 2..5), 0..12)) {
            let before = spots(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let mut ways = ways(&before);
            let mut left = self::ways(&chained(before));
            ways.sort_unstable();
            left.sort_unstable();
            prop_assert_eq!(ways, left);
        }
    }

    fn ways(lines: &[Vec<Spot>]) -> Vec<[End; 2]> {
        let way = |pair: &[Spot]| {
            let mut way = [end(pair[0]), end(pair[1])];
            way.sort_unstable();
            way
        };
        lines.iter().flat_map(|line| line.windows(2).map(way)).collect()
    }

    fn spots(lines: &[&[u8]]) -> Vec<Vec<Spot>> {
        lines.iter().map(|line| line.iter().map(|&x| [f64::from(x), 0.5]).collect()).collect()
    }

    #[track_caller]
    fn check(lines: &[&[u8]], expected: &[&[u8]]) {
        assert_eq!(chained(spots(lines)), spots(expected));
    }
}
