//! How much a crawl may spend.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How much a crawl may spend: pages, time, bytes, or as much as there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Budget {
    /// Until nothing is left to fetch.
    #[default]
    Unlimited,
    /// So many answers.
    Pages(u64),
    /// So long.
    Time(Duration),
    /// So many bytes, as they were transferred.
    Bytes(u64),
}

/// What a crawl has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Answers.
    pub pages: u64,
    /// Bytes, as they were transferred.
    pub bytes: u64,
    /// Time.
    pub time: Duration,
}

impl Budget {
    /// How long it lasts, if it is one of time.
    pub(crate) fn time_left(&self, spent: &Spent) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time.saturating_sub(spent.time)),
            _ => None,
        }
    }

    /// Whether it is used up.
    pub fn is_used_up(&self, spent: &Spent) -> bool {
        match self {
            Self::Unlimited => false,
            Self::Pages(pages) => spent.pages >= *pages,
            Self::Time(time) => spent.time >= *time,
            Self::Bytes(bytes) => spent.bytes >= *bytes,
        }
    }
}

/// This is no budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no budget: write 500, \"500 pages\", 30min, 2h or 1.5GB")]
pub struct NoBudget(String);

impl FromStr for Budget {
    type Err = NoBudget;

    fn from_str(text: &str) -> Result<Self, NoBudget> {
        let wrong = || NoBudget(text.to_owned());
        let trimmed = text.trim();
        if trimmed == "unlimited" {
            return Ok(Self::Unlimited);
        }
        let split = trimmed.find(|it: char| !it.is_ascii_digit() && it != '.' && it != '_');
        let (number, unit) = trimmed.split_at(split.unwrap_or(trimmed.len()));
        let number: f64 = number.replace('_', "").parse().map_err(|_| wrong())?;
        let seconds = |times: f64| {
            Duration::try_from_secs_f64(number * times).map(Self::Time).map_err(|_| wrong())
        };
        let bytes = |times: f64| Ok(Self::Bytes((number * times) as u64));
        let budget = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "page" | "pages" | "p" if number.fract() == 0.0 => Ok(Self::Pages(number as u64)),
            "s" | "sec" | "second" | "seconds" => seconds(1.0),
            "m" | "min" | "minute" | "minutes" => seconds(60.0),
            "h" | "hour" | "hours" => seconds(3600.0),
            "d" | "day" | "days" => seconds(86_400.0),
            "b" | "byte" | "bytes" => bytes(1.0),
            "kb" => bytes(1e3),
            "mb" => bytes(1e6),
            "gb" => bytes(1e9),
            "tb" => bytes(1e12),
            _ => Err(wrong()),
        }?;
        let is_nothing = budget.is_used_up(&Spent::default());
        if is_nothing { Err(wrong()) } else { Ok(budget) }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => write!(f, "unlimited"),
            Self::Pages(pages) => write!(f, "{pages} pages"),
            Self::Time(time) => write!(f, "{} s", time.as_secs_f64()),
            Self::Bytes(bytes) => write!(f, "{bytes} bytes"),
        }
    }
}

impl TryFrom<String> for Budget {
    type Error = NoBudget;
    fn try_from(text: String) -> Result<Self, NoBudget> {
        text.parse()
    }
}

impl From<Budget> for String {
    fn from(budget: Budget) -> Self {
        budget.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Budget>) {
        assert_eq!(text.parse().ok(), expected, "{text}");
    }

    #[test]
    fn a_budget_is_pages_time_or_bytes() {
        check("500", Some(Budget::Pages(500)));
        check("10_000 pages", Some(Budget::Pages(10_000)));
        check("30min", Some(Budget::Time(Duration::from_mins(30))));
        check("1.5 h", Some(Budget::Time(Duration::from_mins(90))));
        check("2GB", Some(Budget::Bytes(2_000_000_000)));
        check("unlimited", Some(Budget::Unlimited));
    }

    #[test]
    fn what_is_none_is_told() {
        for text in ["", "0", "many", "5 apples", "1.5 pages", "-3", "1..2", "0 h"] {
            check(text, None);
        }
        let told = "5 apples".parse::<Budget>().expect_err("it is none").to_string();
        assert!(told.starts_with("\"5 apples\" is no budget: write 500"), "{told}");
    }

    proptest! {
        #[test]
        fn a_budget_is_read_as_it_is_written(pages in 1..u64::from(u32::MAX), is_pages: bool) {
            let budget = if is_pages { Budget::Pages(pages) } else { Budget::Bytes(pages) };
            prop_assert_eq!(budget.to_string().parse(), Ok(budget));
        }

        #[test]
        fn any_text_is_a_budget_or_an_error(text in ".{0,20}") {
            let _ = text.parse::<Budget>();
        }
    }
}
