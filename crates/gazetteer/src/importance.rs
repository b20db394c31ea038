//! How well known a place is, before anything is asked.

use crate::draft::split_tags;
use crate::fact::Seat;
use crate::kind::Kind;

/// How well known a place is, 0 to 1.
///
/// People and names make a place known: the logarithm of its population, and of how many languages and
/// spellings have a word for it. Where a city and a region share a name, the city is mostly meant
/// (New York, Salzburg, Madrid); where a city and a country do, the country is (Luxembourg, Panama).
pub(crate) fn importance(
    kind: Kind,
    population: u64,
    names: usize,
    seat: Seat,
    has_code: bool,
) -> f64 {
    let people = ((population + 1) as f64).log10() / 7.6;
    let fame = ((names + 1) as f64).log10() / 2.5;
    let known = 0.72 * people.min(1.0) + 0.18 * fame.min(1.0);
    match kind {
        Kind::World => 0.95,
        Kind::Continent => 0.93,
        Kind::Country => 0.55 + 0.45 * known,
        Kind::Region => 0.03 + 0.86 * known,
        Kind::County => 0.72 * known,
        Kind::Municipality => 0.70 * known,
        Kind::City => known + seat_bonus(seat),
        Kind::District => 0.80 * known,
        Kind::Airport => {
            if has_code {
                0.30 + 0.14 * fame.min(1.0)
            } else {
                0.16
            }
        }
        Kind::Postcode => 0.22,
        Kind::Feature => 0.20 + 0.3 * fame.min(1.0),
        Kind::Street => 0.10,
        Kind::Poi => 0.12 + 0.3 * fame.min(1.0),
    }
    .clamp(0.0, 1.0)
}

/// What an airport with a code has from the city it serves.
pub(crate) fn importance_from_city(city: f64) -> f64 {
    0.20 * city
}

/// The least a place has by its tag `importance`, 0 to 1; 0 if it has none.
///
/// Nobody lives in an ocean, so neither people nor the few names a hand-written list gives tell how well known
/// it is. The list says so itself.
pub(crate) fn given_importance(tags: &str) -> f64 {
    // Nearly no place has the tag.
    if !tags.contains("importance") {
        return 0.0;
    }
    let given = split_tags(tags).into_iter().find(|(word, _)| word == "importance");
    let number = given.and_then(|(_, value)| value.parse::<f64>().ok());
    number.filter(|it| (0.0..=1.0).contains(it)).unwrap_or(0.0)
}

/// A seat of government is better known than its size says.
fn seat_bonus(seat: Seat) -> f64 {
    match seat {
        Seat::None => 0.0,
        Seat::County => 0.005,
        Seat::Region => 0.015,
        Seat::Country => 0.08,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::join_tags;

    #[test]
    fn a_city_beats_the_region_of_its_name() {
        let city = importance(Kind::City, 8_804_190, 150, Seat::None, false);
        let region = importance(Kind::Region, 19_500_000, 60, Seat::None, false);
        assert!(city > region, "{city} against {region}");
    }

    #[test]
    fn an_importance_is_given_by_a_tag_that_is_a_number_up_to_one() {
        let of = |value: &str| given_importance(&join_tags(&[("importance".into(), value.into())]));
        assert_eq!(of("0.7").to_bits(), 0.7_f64.to_bits());
        for value in ["national", "7", "-1", "NaN", ""] {
            assert_eq!(of(value).to_bits(), 0.0_f64.to_bits(), "{value}");
        }
    }

    #[test]
    fn a_country_beats_the_city_of_its_name() {
        let city = importance(Kind::City, 76_684, 60, Seat::Country, false);
        let country = importance(Kind::Country, 607_950, 50, Seat::None, false);
        assert!(country > city, "{country} against {city}");
    }

    #[test]
    fn a_state_beats_the_small_towns_of_its_name() {
        let town = importance(Kind::City, 40_000, 5, Seat::None, false);
        let state = importance(Kind::Region, 22_000_000, 40, Seat::None, false);
        assert!(state > town);
    }
}
