//! Lengths along the surface of the earth.

use std::fmt;
use std::str::FromStr;

use crate::point::Point;

/// The mean radius of the earth (IUGG), on which all great-circle distances here are computed.
pub(crate) const EARTH_RADIUS: f64 = 6_371_008.8;

/// A length in metres.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Meters(pub f64);

/// Why a text is no distance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetersError {
    /// It does not begin with a number.
    #[error("distance \"{0}\" does not begin with a number: write \"5 km\"")]
    NoNumber(String),
    /// It is a number and nothing else.
    #[error("distance \"{0}\" has no unit: write \"{0} km\" or \"{0} mi\"")]
    NoUnit(String),
    /// Its unit is none of ours.
    #[error("distance \"{text}\" is in \"{unit}\": the units are m, km, mi, nmi, yd and ft")]
    UnknownUnit {
        /// The whole text.
        text: String,
        /// The part that should be a unit.
        unit: String,
    },
}

impl Meters {
    /// The great-circle distance between two points.
    pub fn haversine(a: Point, b: Point) -> Self {
        let (lat_a, lat_b) = (a.lat.to_radians(), b.lat.to_radians());
        let half_lat = ((lat_b - lat_a) / 2.0).sin();
        let half_lon = ((b.lon - a.lon).to_radians() / 2.0).sin();
        let chord = half_lat * half_lat + lat_a.cos() * lat_b.cos() * half_lon * half_lon;
        Self(2.0 * EARTH_RADIUS * chord.sqrt().min(1.0).asin())
    }

    /// This length in kilometres.
    pub fn km(self) -> f64 {
        self.0 / 1000.0
    }
}

/// As people say it: `850 m`, `1.2 km`, `177 km`.
impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            m if m < 995.0 => write!(f, "{m:.0} m"),
            m if m < 9950.0 => write!(f, "{:.1} km", m / 1000.0),
            m => write!(f, "{:.0} km", m / 1000.0),
        }
    }
}

/// As people type it: `5 km`, `2.5km`, `2,5 km`, `1,000 m`, `3 miles`, `500ft`.
///
/// A comma before exactly three digits groups thousands, any other is a decimal comma.
impl FromStr for Meters {
    type Err = MetersError;

    fn from_str(text: &str) -> Result<Self, MetersError> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let (number, unit) = text.split_at(end.unwrap_or(text.len()));
        let number = amount(number).filter(|number| number.is_finite());
        let number = number.ok_or_else(|| MetersError::NoNumber(text.to_owned()))?;

        let unit = unit.trim();
        if unit.is_empty() {
            return Err(MetersError::NoUnit(text.to_owned()));
        }
        match meters_in(unit) {
            Some(meters) => Ok(Self(number * meters)),
            None => Err(MetersError::UnknownUnit { text: text.to_owned(), unit: unit.to_owned() }),
        }
    }
}

/// The value of digits with at most one point and with commas for thousands or decimals.
fn amount(digits: &str) -> Option<f64> {
    let (whole, groups) = match digits.split_once(',') {
        None => return digits.parse().ok(),
        Some((whole, decimals)) if decimals.len() != 3 && decimals.parse::<u64>().is_ok() => {
            return format!("{whole}.{decimals}").parse().ok();
        }
        Some(parts) => parts,
    };
    let (groups, decimals) = groups.split_once('.').unwrap_or((groups, "0"));
    if !groups.split(',').all(|group| group.len() == 3) {
        return None;
    }
    format!("{whole}{}.{decimals}", groups.replace(',', "")).parse().ok()
}

fn meters_in(unit: &str) -> Option<f64> {
    Some(match unit.trim_end_matches('.').to_lowercase().as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "km" | "kms" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1000.0,
        "mi" | "mile" | "miles" => 1609.344,
        "nmi" | "nautical mile" | "nautical miles" => 1852.0,
        "yd" | "yds" | "yard" | "yards" => 0.9144,
        "ft" | "foot" | "feet" => 0.3048,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PATRAS: Point = Point::new(38.24444, 21.73444);
    const ATHENS: Point = Point::new(37.98376, 23.72784);
    const ATHENS_IN_ALABAMA: Point = Point::new(34.80243, -86.97219);
    const PIRAEUS: Point = Point::new(37.94745, 23.63708);
    const LISBON: Point = Point::new(38.71667, -9.13333);
    const OLDENBURG: Point = Point::new(53.14118, 8.21467);
    const BREMEN: Point = Point::new(53.07582, 8.80717);

    #[test]
    fn distances_are_those_of_the_worked_examples() {
        check_km(PATRAS, ATHENS, 176.784);
        check_km(PATRAS, PIRAEUS, 169.737);
        check_km(ATHENS, PIRAEUS, 8.922);
        check_km(ATHENS, LISBON, 2851.290);
        check_km(PIRAEUS, LISBON, 2844.344);
        check_km(OLDENBURG, BREMEN, 40.212);
        check_km(ATHENS, ATHENS_IN_ALABAMA, 9225.198);
    }

    #[test]
    fn the_farthest_one_can_go_is_half_the_circumference() {
        check_km(Point::new(0.0, 0.0), Point::new(0.0, 180.0), 20_015.115);
        check_km(Point::new(90.0, 7.0), Point::new(-90.0, 70.0), 20_015.115);
    }

    #[test]
    fn a_distance_reads_as_people_say_it() {
        for (meters, said) in [(850.4, "850 m"), (996.0, "1.0 km"), (176_784.0, "177 km")] {
            assert_eq!(Meters(meters).to_string(), said);
        }
    }

    #[test]
    fn a_distance_is_read_as_people_type_it() {
        check("5 km", 5000.0);
        check("800 m", 800.0);
        check("3 mi", 4828.032);
        check("2.5km", 2500.0);
        check("500ft", 152.4);
        check(" 10 Nautical Miles ", 18_520.0);
        check("0.5 mi.", 804.672);
    }

    #[test]
    fn a_comma_before_three_digits_groups_thousands() {
        check("1,000 m", 1000.0);
        check("1,250.5 m", 1250.5);
        check("1,000,000 m", 1_000_000.0);
        check("2,5 km", 2500.0);
        check_error(
            "1,00,000 m",
            "distance \"1,00,000 m\" does not begin with a number: write \"5 km\"",
        );
    }

    #[test]
    fn an_error_names_the_way_out() {
        check_error("", "distance \"\" does not begin with a number: write \"5 km\"");
        check_error("-5 km", "distance \"-5 km\" does not begin with a number: write \"5 km\"");
        check_error("5", "distance \"5\" has no unit: write \"5 km\" or \"5 mi\"");
        check_error(
            "5 parsec",
            "distance \"5 parsec\" is in \"parsec\": the units are m, km, mi, nmi, yd and ft",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = text.parse::<Meters>();
        }

        #[test]
        fn text_like_a_distance_is_never_below_zero(text in "[-0-9.,]{0,8} ?(m|km|mi|ft)?") {
            if let Ok(Meters(meters)) = text.parse() {
                prop_assert!(meters >= 0.0);
            }
        }
    }

    #[track_caller]
    fn check(text: &str, meters: f64) {
        let Meters(read) = text.parse().unwrap();
        assert!((read - meters).abs() < 1e-6, "{text} is {read}");
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        assert_eq!(text.parse::<Meters>().unwrap_err().to_string(), expected);
    }

    #[track_caller]
    fn check_km(a: Point, b: Point, km: f64) {
        let (there, back) = (a.distance(b).km(), b.distance(a).km());
        assert!((there - km).abs() < 0.01, "{there}");
        assert!((there - back).abs() < 1e-9);
    }
}
