//! Lists of numbers as one writes them: `1-5`, `1,3,7-9`.

use std::collections::BTreeSet;
use std::str::FromStr;

/// More webs than this nobody waits for.
const MOST: u64 = 1_000;

/// Different numbers in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers(pub(super) Vec<u64>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no list of numbers: write 7, 1-5 or 1,3,7-9");
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let mut numbers = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last - first >= MOST {
                return Err(wrong());
            }
            numbers.extend(first..=last);
        }
        if numbers.len() as u64 > MOST {
            return Err(format!("\"{text}\" are more than {MOST} numbers"));
        }
        Ok(Self(numbers.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[u64]>) {
        assert_eq!(text.parse::<Numbers>().ok().map(|it| it.0).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_list_has_numbers_and_ranges() {
        check("7", Some(&[7]));
        check("1-5", Some(&[1, 2, 3, 4, 5]));
        check("9, 1-2,2", Some(&[1, 2, 9]));
        for text in ["", "5-1", "a", "1-", "-3", "1,,2", "0-99999999999", "1-2-3"] {
            check(text, None);
        }
    }
}
