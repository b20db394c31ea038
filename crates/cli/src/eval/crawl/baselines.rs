//! What reference crawlers reach that walk over the plan of a web without fetching it.

use std::collections::BTreeMap;

/// At which shares of a web harvests are told.
pub(super) const SHARES: [f64; 5] = [0.01, 0.02, 0.05, 0.10, 0.20];

/// The harvests of the reference crawlers, at each of the shares.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Baselines(BTreeMap<String, [f64; SHARES.len()]>);

impl Baselines {
    /// Reads the table that the reference crawlers write; lines that are no row of it are left out.
    pub(super) fn parse(text: &str) -> Self {
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (name, numbers) = words.split_at(words.len().checked_sub(SHARES.len())?);
            let mut harvests = [0.0; SHARES.len()];
            for (harvest, number) in harvests.iter_mut().zip(numbers) {
                *harvest = number.parse().ok().filter(|it: &f64| it.is_finite())?;
            }
            (line.starts_with(' ') && !name.is_empty()).then(|| (name.join(" "), harvests))
        };
        Self(text.lines().filter_map(row).collect())
    }

    /// The harvest of one of them at one of the shares: `oracle`, `broad`, `linkdist`, `random`.
    pub(super) fn harvest(&self, name: &str, share: usize) -> Option<f64> {
        self.0.get(name)?.get(share).copied()
    }

    /// Those among these names that are known.
    pub(super) fn known<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        names.iter().copied().filter(|it| self.0.contains_key(*it)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "simweb 1.0.0 tool f7f0 profile urban 0318 seed 7: 3026 pages, 95 hosts, relevant(roi) 93 = 3.07 %, plan 0.7 s
  harvest at              1 %      2 %      5 %     10 %     20 %
  broad                0.1333   0.1167   0.1126   0.0662   0.0430
  oracle               0.1667   0.1167   0.0861   0.1093   0.0777
  limit min(1,r/B)     1.0000   1.0000   0.6147   0.3073   0.1537
";

    #[track_caller]
    fn check(text: &str, name: &str, share: usize, expected: Option<f64>) {
        assert_eq!(Baselines::parse(text).harvest(name, share), expected, "{text}");
    }

    #[test]
    fn each_row_has_a_name_and_five_harvests() {
        check(TABLE, "broad", 0, Some(0.1333));
        check(TABLE, "oracle", 3, Some(0.1093));
        check(TABLE, "limit min(1,r/B)", 4, Some(0.1537));
        check(TABLE, "oracle", 5, None);
        check(TABLE, "random", 0, None);
        assert_eq!(Baselines::parse(TABLE).known(&["random", "oracle"]), ["oracle"]);
    }

    #[test]
    fn what_is_no_table_has_no_rows() {
        for text in
            ["", "\n\n", " 1 2 3 4 5", "  broad 1 2 3 4", "  broad NaN 1 1 1 1", "x 1 1 1 1 1"]
        {
            assert_eq!(Baselines::parse(text), Baselines::default(), "{text}");
        }
    }
}
