//! A trend: how many pages there are of each month, as bars and as a table.

use jiff::civil::Date;

use crate::parameters::Parameters;
use crate::wording::Language;

/// More bars than this cannot be told apart: then they stand for years.
const MOST_BARS: usize = 60;
/// With fewer bars than this the chart is narrow, so that a bar is not as wide as the page.
const LEAST_BARS: usize = 8;
/// The chart's height, in its own units; a bar is ten wide.
const HEIGHT: f64 = 60.0;

/// How many pages there are of each month or year.
pub(crate) struct Trend {
    pub(crate) bars: Vec<Bar>,
    /// The chart is so wide, in its own units.
    pub(crate) width: usize,
    pub(crate) most: u64,
    /// The names of the first and the last bar, or of the only one, to be written under the chart.
    pub(crate) ends: Vec<String>,
    /// How the chart is laid out: for one bar, for few, or for many.
    pub(crate) class: &'static str,
    pub(crate) is_by_year: bool,
}

/// A month or a year.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) count: u64,
    /// The same search within this time.
    pub(crate) link: String,
    pub(crate) x: usize,
    pub(crate) y: String,
    pub(crate) height: String,
}

impl Trend {
    /// The trend of months with their counts, in order; nothing if there is no span of time in it.
    pub(crate) fn of(
        language: Language,
        parameters: &Parameters,
        months: &[((i16, i8), u64)],
    ) -> Option<Self> {
        let (first, last) = (months.first()?.0, months.last()?.0);
        let span = (month_number(last) - month_number(first) + 1) as usize;
        let is_by_year = span > MOST_BARS;
        let begin = |step: i32| {
            if is_by_year {
                (first.0 + step as i16, 1)
            } else {
                month_of(month_number(first) + step)
            }
        };
        let steps = if is_by_year { i32::from(last.0 - first.0) + 1 } else { span as i32 };
        let count = |(year, month): (i16, i8)| -> u64 {
            let falls = |it: &&((i16, i8), u64)| it.0.0 == year && (is_by_year || it.0.1 == month);
            months.iter().filter(falls).map(|it| it.1).sum()
        };
        let counts: Vec<((i16, i8), u64)> =
            (0..steps).map(|it| (begin(it), count(begin(it)))).collect();
        let most = counts.iter().map(|it| it.1).max()?.max(1);
        let bar = |(place, &(at, count)): (usize, &((i16, i8), u64))| {
            let next = if is_by_year { (at.0 + 1, 1) } else { month_of(month_number(at) + 1) };
            let height = HEIGHT * count as f64 / most as f64;
            Bar {
                name: name(language, at, is_by_year),
                count,
                link: within(parameters, at, next).link(),
                x: place * 10,
                y: format!("{:.1}", HEIGHT - height),
                height: format!("{height:.1}"),
            }
        };
        let bars: Vec<Bar> = counts.iter().enumerate().map(bar).collect();
        let mut ends = vec![bars.first()?.name.clone(), bars.last()?.name.clone()];
        ends.dedup();
        let class = match bars.len() {
            1 => " one",
            2..LEAST_BARS => " few",
            _ => "",
        };
        Some(Self { width: bars.len() * 10, bars, most, ends, class, is_by_year })
    }
}

/// Months are counted through, so that they can be added to.
pub(crate) fn month_number((year, month): (i16, i8)) -> i32 {
    i32::from(year) * 12 + i32::from(month) - 1
}

/// The year and month of such a number.
pub(crate) fn month_of(number: i32) -> (i16, i8) {
    (number.div_euclid(12) as i16, (number.rem_euclid(12) + 1) as i8)
}

fn name(language: Language, (year, month): (i16, i8), is_by_year: bool) -> String {
    if is_by_year { year.to_string() } else { format!("{} {year}", language.month(month)) }
}

/// The search within a time; operators of time that it had are left out.
fn within(parameters: &Parameters, from: (i16, i8), to: (i16, i8)) -> Parameters {
    let timeless = |text: &str| -> String {
        let is_kept = |it: &&str| !it.starts_with("after:") && !it.starts_with("before:");
        text.split_whitespace().filter(is_kept).collect::<Vec<_>>().join(" ")
    };
    let mut bare = parameters.clone();
    bare.q = timeless(&bare.q);
    bare.what = bare.what.as_deref().map(timeless);
    let first = |(year, month): (i16, i8)| {
        Date::new(year, month, 1).map_or_else(|_| year.to_string(), |it| it.to_string())
    };
    bare.with_operator(&format!("after:{} before:{}", first(from), first(to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(months: &[((i16, i8), u64)]) -> Option<Trend> {
        Trend::of(Language::English, &Parameters::of("flood after:2020"), months)
    }

    #[test]
    fn months_without_pages_have_their_bar() {
        let trend = trend(&[((2023, 11), 4), ((2024, 2), 8)]).expect("there is a trend");
        let counts: Vec<u64> = trend.bars.iter().map(|it| it.count).collect();
        assert_eq!(counts, [4, 0, 0, 8]);
        assert_eq!(trend.ends, ["November 2023", "February 2024"]);
        assert_eq!(trend.class, " few");
        assert_eq!(trend.bars[0].height, "30.0");
    }

    #[test]
    fn a_bar_leads_to_its_time() {
        let trend = trend(&[((2023, 12), 1)]).expect("there is a trend");
        assert_eq!((trend.ends.join(" "), trend.class), ("December 2023".to_owned(), " one"));
        assert!(trend.bars[0].link.contains("q=flood+after%3A2023-12-01+before%3A2024-01-01"));
    }

    #[test]
    fn a_long_time_is_shown_by_year() {
        let trend = trend(&[((1999, 5), 1), ((1999, 7), 2), ((2024, 1), 3)]).expect("a trend");
        assert!(trend.is_by_year);
        assert_eq!((trend.bars.len(), trend.bars[0].count), (26, 3));
        assert!(self::trend(&[]).is_none());
    }
}
