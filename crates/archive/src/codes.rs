//! Codes for the symbols of deflate: short ones for what is frequent (RFC 1951, 3.2.2).

/// The longest code of a symbol that deflate knows.
pub(crate) const LONGEST: usize = 15;

/// A code, its first bit lowest, and how many bits it has; none for a symbol that does not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) bits: u16,
    pub(crate) length: u8,
}

/// The codes of symbols that occur so often, none longer than this.
///
/// At least two symbols have one: not every reader takes fewer.
pub(crate) fn codes<const N: usize>(counts: &[u32; N], longest: usize) -> [Code; N] {
    codes_of_lengths(&lengths(counts, longest))
}

/// The codes that have these lengths: in order of the lengths, then of the symbols.
pub(crate) fn codes_of_lengths<const N: usize>(lengths: &[u8; N]) -> [Code; N] {
    let mut numbers = [0_u16; LONGEST + 1];
    lengths.iter().filter(|it| **it > 0).for_each(|it| numbers[usize::from(*it)] += 1);
    let mut next = [0_u16; LONGEST + 1];
    for length in 1..=LONGEST {
        next[length] = (next[length - 1] + numbers[length - 1]) << 1;
    }
    lengths.map(|length| {
        if length == 0 {
            return Code::default();
        }
        let next = &mut next[usize::from(length)];
        let bits = next.reverse_bits() >> (u16::BITS - u32::from(length));
        *next += 1;
        Code { bits, length }
    })
}

/// How long the best codes are (Huffman 1952) that are no longer than this.
fn lengths<const N: usize>(counts: &[u32; N], longest: usize) -> [u8; N] {
    let symbols = counts.iter().enumerate().map(|(symbol, count)| (*count, symbol));
    let mut used: Vec<_> = symbols.clone().filter(|it| it.0 > 0).collect();
    let lacking = 2_usize.saturating_sub(used.len());
    used.extend(symbols.filter(|it| it.0 == 0).take(lacking));
    used.sort_unstable();
    let mut numbers = numbers_of_lengths(&used, longest);
    let mut lengths = [0; N];
    let mut length = longest;
    // The rarest have the longest.
    for (_, symbol) in used {
        while numbers[length] == 0 {
            length -= 1;
        }
        numbers[length] -= 1;
        lengths[symbol] = length as u8;
    }
    lengths
}

/// How many codes there are of each length for symbols in the order of their counts, two at least.
fn numbers_of_lengths(used: &[(u32, usize)], longest: usize) -> [u32; LONGEST + 1] {
    let mut numbers = [0; LONGEST + 1];
    depths(used).for_each(|it| numbers[it.min(longest)] += 1);
    // Where codes were cut there are more than there is room for: one of the longest goes, and joins
    // the longest of the others, which becomes longer by one.
    let room = 1_u32 << longest;
    let mut taken: u32 = (1..=longest).map(|it| numbers[it] << (longest - it)).sum();
    while taken > room {
        numbers[longest] -= 1;
        if let Some(shorter) = (1..longest).rev().find(|it| numbers[*it] > 0) {
            numbers[shorter] -= 1;
            numbers[shorter + 1] += 2;
        }
        taken -= 1;
    }
    numbers
}

/// How deep the symbols lie in the tree of which the two rarest parts are joined, again and again.
fn depths(used: &[(u32, usize)]) -> impl Iterator<Item = usize> {
    let leaves = used.len();
    // Symbols stand before what was joined, and that is joined in order of its counts.
    let mut parents = vec![0; 2 * leaves - 1];
    let mut joined: Vec<u32> = Vec::with_capacity(leaves);
    let (mut leaf, mut inner) = (0, 0);
    for parent in leaves..2 * leaves - 1 {
        let mut sum = 0;
        for _ in 0..2 {
            let is_leaf = leaf < leaves && joined.get(inner).is_none_or(|it| used[leaf].0 <= *it);
            if is_leaf {
                sum += used[leaf].0;
                parents[leaf] = parent;
                leaf += 1;
            } else {
                sum += joined[inner];
                parents[leaves + inner] = parent;
                inner += 1;
            }
        }
        joined.push(sum);
    }
    // The last one is the root, and each other one is deeper by one than its parent.
    let mut depths = parents;
    for at in (0..2 * leaves - 2).rev() {
        depths[at] = depths[depths[at]] + 1;
    }
    depths.truncate(leaves);
    depths.into_iter()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lengths of the codes, which fill all the room that there is.
    #[track_caller]
    fn check<const N: usize>(counts: &[u32; N], longest: usize) -> [u8; N] {
        let lengths = codes(counts, longest).map(|it| it.length);
        let taken: u32 = lengths.iter().filter(|it| **it > 0).map(|it| 1 << (15 - it)).sum();
        assert_eq!(taken, 1 << 15, "{lengths:?}");
        assert!(lengths.iter().all(|it| usize::from(*it) <= longest), "{lengths:?}");
        assert!(counts.iter().zip(lengths).all(|(count, length)| *count == 0 || length > 0));
        lengths
    }

    #[test]
    fn what_is_frequent_has_a_short_code() {
        assert_eq!(check(&[1, 8, 4, 0, 1], 15), [3, 1, 2, 0, 3]);
        assert_eq!(check(&[5, 5, 5, 5], 15), [2, 2, 2, 2]);
    }

    #[test]
    fn two_symbols_have_a_code_though_fewer_occur() {
        assert_eq!(check(&[0, 0, 0], 15), [1, 1, 0]);
        assert_eq!(check(&[0, 0, 7], 15), [1, 0, 1]);
    }

    #[test]
    fn no_code_is_too_long() {
        // Each is as frequent as all before, which makes the deepest of all trees.
        let doubled: [u32; 30] = std::array::from_fn(|it| 1 << it);
        assert_eq!(check(&doubled, 15)[29], 1);
        check(&doubled, 7);
        check(&[1; 128], 7);
    }

    /// The codes of the example in RFC 1951, 3.2.2, in which the first bit is the highest.
    #[test]
    fn codes_follow_from_their_lengths() {
        let codes = codes_of_lengths(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let bits = codes.map(|it| it.bits.reverse_bits() >> (16 - it.length));
        assert_eq!(bits, [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111]);
    }

    proptest! {
        #[test]
        fn any_counts_have_codes(counts in prop::array::uniform32(0..100_000_u32)) {
            check(&counts, 15);
            check(&counts, 7);
        }
    }
}
