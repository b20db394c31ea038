//! How many downloads each strategy has: a share of the web, or a number.

use std::fmt;
use std::str::FromStr;

/// How many downloads each strategy has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Allowance {
    /// So much of all URLs of the web, 0 to 1.
    Share(f64),
    /// So many.
    Downloads(u64),
}

impl Allowance {
    /// How many downloads that are in a web of so many URLs. Rounded down, as the scorer does.
    pub(super) fn downloads(self, urls: u64) -> u64 {
        match self {
            Self::Share(share) => ((share * urls as f64) as u64).max(1),
            Self::Downloads(downloads) => downloads,
        }
    }
}

impl FromStr for Allowance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no budget: write 10% of the web, or 6000 downloads");
        let trimmed = text.trim();
        let budget = match trimmed.strip_suffix('%') {
            Some(percent) => {
                let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
                (percent > 0.0 && percent <= 100.0).then(|| Self::Share(percent / 100.0))
            }
            None => trimmed.parse().ok().filter(|it| *it > 0).map(Self::Downloads),
        };
        budget.ok_or_else(wrong)
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => write!(f, "{} % of the web", (share * 1e6).round() / 1e4),
            Self::Downloads(downloads) => write!(f, "{downloads} downloads"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        let found = text.parse::<Allowance>().ok().map(|it| it.downloads(60_026));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_budget_is_a_share_of_the_web_or_a_number() {
        check("10%", Some(6002));
        check(" 2.5 %", Some(1500));
        check("0.0001%", Some(1));
        check("6000", Some(6000));
        for text in ["", "%", "0", "0%", "101%", "-3", "NaN%", "inf%", "10 pages"] {
            check(text, None);
        }
    }

    #[test]
    fn a_budget_is_told_as_it_was_given() {
        let told = |text: &str| text.parse::<Allowance>().expect("it is one").to_string();
        assert_eq!(told("10%"), "10 % of the web");
        assert_eq!(told("2.5%"), "2.5 % of the web");
        assert_eq!(told("600"), "600 downloads");
    }
}
