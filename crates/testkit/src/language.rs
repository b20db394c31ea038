//! The languages that pages of the small web are written in.

use jiff::civil::Date;

/// A language that pages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
}

impl Language {
    /// The language in two letters.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Finnish => "fi",
            Self::French => "fr",
            Self::German => "de",
        }
    }

    /// A day as people write it: `3 May 2026`, `3. toukokuuta 2026`, `3 mai 2026`, `3. Mai 2026`.
    pub(crate) fn day(self, date: Date) -> String {
        let month = self.months()[usize::from(date.month().unsigned_abs()) - 1];
        let dot = if matches!(self, Self::Finnish | Self::German) { "." } else { "" };
        format!("{}{dot} {month} {}", date.day(), date.year())
    }

    fn months(self) -> [&'static str; 12] {
        match self {
            Self::English => [
                "January",
                "February",
                "March",
                "April",
                "May",
                "June",
                "July",
                "August",
                "September",
                "October",
                "November",
                "December",
            ],
            Self::Finnish => [
                "tammikuuta",
                "helmikuuta",
                "maaliskuuta",
                "huhtikuuta",
                "toukokuuta",
                "kesäkuuta",
                "heinäkuuta",
                "elokuuta",
                "syyskuuta",
                "lokakuuta",
                "marraskuuta",
                "joulukuuta",
            ],
            Self::French => [
                "janvier",
                "février",
                "mars",
                "avril",
                "mai",
                "juin",
                "juillet",
                "août",
                "septembre",
                "octobre",
                "novembre",
                "décembre",
            ],
            Self::German => [
                "Januar",
                "Februar",
                "März",
                "April",
                "Mai",
                "Juni",
                "Juli",
                "August",
                "September",
                "Oktober",
                "November",
                "Dezember",
            ],
        }
    }
}
