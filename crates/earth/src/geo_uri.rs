//! Positions as `geo:` links write them (RFC 5870).

use crate::coordinates::point;
use crate::distance::Meters;
use crate::point::Point;

/// Where a `geo:` link points to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoUri {
    /// The position; the altitude is left out.
    pub point: Point,
    /// How far off it may be, if the link says so.
    pub uncertainty: Option<Meters>,
}

/// The position of a link such as `geo:60.17,24.94,12;u=35;crs=wgs84`.
///
/// Also understood is what Android adds: `geo:60.17,24.94?z=11`, and `geo:0,0?q=60.17,24.94(Home)`,
/// where only the query has the position. If the query has a name instead, there is none.
/// Any other reference system than WGS 84 is none of ours.
pub fn parse_geo_uri(text: &str) -> Option<GeoUri> {
    let (scheme, rest) = text.trim().split_once(':')?;
    if !scheme.eq_ignore_ascii_case("geo") {
        return None;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut parts = path.split(';');
    let mut found = GeoUri { point: coordinates(parts.next()?)?, uncertainty: None };
    for parameter in parts {
        found.heed(parameter)?;
    }
    if let Some(search) = search(query).filter(|_| found.point == Point::default()) {
        found.point = searched_point(search)?;
    }
    Some(found)
}

impl GeoUri {
    /// Takes in what a parameter says; nothing if it makes the position none of ours.
    fn heed(&mut self, parameter: &str) -> Option<()> {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match name.to_ascii_lowercase().as_str() {
            "crs" if !value.eq_ignore_ascii_case("wgs84") => return None,
            "u" => self.uncertainty = Some(Meters(number(value).filter(|&meters| meters >= 0.0)?)),
            _ => {}
        }
        Some(())
    }
}

/// Latitude, longitude and perhaps an altitude.
fn coordinates(text: &str) -> Option<Point> {
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Option<_>>()?;
    match numbers[..] {
        [lat, lon] | [lat, lon, _] => point(lat, lon),
        _ => None,
    }
}

/// The value of `q` in Android's query.
fn search(query: &str) -> Option<&str> {
    query.split('&').find_map(|parameter| parameter.strip_prefix("q="))
}

/// The point before the label in `60.17,24.94(Home)`.
fn searched_point(search: &str) -> Option<Point> {
    let plain = search.replace("%2C", ",").replace("%2c", ",").replace("%28", "(");
    let before_label = plain.split('(').next()?;
    coordinates(before_label.trim_matches(['+', ' ']))
}

/// A number as the RFC has it: digits, perhaps a minus and decimals, no exponent.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let well_formed = is_digits(whole) && is_digits(decimals);
    well_formed.then(|| text.parse().ok())?.filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_link_has_latitude_then_longitude() {
        check("geo:60.17,24.94", (60.17, 24.94), None);
        check("GEO:-33.87,151.21", (-33.87, 151.21), None);
        check("geo:0,0", (0.0, 0.0), None);
    }

    #[test]
    fn a_link_may_say_how_far_off_it_is() {
        check("geo:60.17,24.94,12;u=35;crs=wgs84", (60.17, 24.94), Some(35.0));
        check("geo:60.17,24.94;crs=WGS84;u=0.5", (60.17, 24.94), Some(0.5));
        check_none("geo:60.17,24.94;u=-5");
    }

    #[test]
    fn what_android_adds_is_understood() {
        check("geo:60.17,24.94?z=11", (60.17, 24.94), None);
        check("geo:60.17,24.94?q=restaurants", (60.17, 24.94), None);
        check("geo:0,0?q=60.17,24.94(Home)", (60.17, 24.94), None);
        check("geo:0,0?z=3&q=60.17%2C24.94", (60.17, 24.94), None);
        check_none("geo:0,0?q=Helsinki");
    }

    #[test]
    fn another_reference_system_is_refused() {
        check_none("geo:1,2;crs=nad27");
    }

    #[test]
    fn other_links_are_no_positions() {
        for text in [
            "",
            "geo:",
            "geo:60.17",
            "geo:1,2,3,4",
            "geo:91,0",
            "geo:0,181",
            "geo:1e1,0",
            "http:1,2",
            "geo:,",
        ] {
            check_none(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = parse_geo_uri(&text);
            let _ = parse_geo_uri(&format!("geo:{text}"));
            let _ = parse_geo_uri(&format!("geo:0,0?q={text}"));
        }

        #[test]
        fn a_point_is_read_back(lat in -90.0..=90.0_f64, lon in -180.0..180.0_f64) {
            let read = parse_geo_uri(&format!("geo:{lat},{lon}")).unwrap();
            prop_assert_eq!(read.point, Point::new(lat, lon));
        }
    }

    #[track_caller]
    fn check(text: &str, (lat, lon): (f64, f64), uncertainty: Option<f64>) {
        let expected = GeoUri { point: Point::new(lat, lon), uncertainty: uncertainty.map(Meters) };
        assert_eq!(parse_geo_uri(text), Some(expected), "{text}");
    }

    #[track_caller]
    fn check_none(text: &str) {
        assert_eq!(parse_geo_uri(text), None, "{text}");
    }
}
