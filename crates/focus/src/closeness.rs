//! How near the places of a link lie to each other, after Kozanidis, Stamou and Spiros.

/// Half the circumference of the earth in kilometres: nothing is farther away.
const HALF_GLOBE_KM: f64 = 20_015.114;
/// Without a region, places this far apart have nothing to do with each other.
const WITHOUT_REGION_KM: f64 = 1_000.0;
/// However small the region, what lies within a day trip belongs together.
const LEAST_KM: f64 = 100.0;

/// What a distance is measured by, to make it a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Yardstick {
    /// This many kilometres are 1, and so is everything farther.
    Fixed(f64),
    /// Half the circumference of the earth is 1. Then nearly every seed is let in.
    Globe,
    /// The nearest together of the seeds are 0, the farthest apart are 1. Links are measured by the
    /// same two.
    Batch,
}

impl Default for Yardstick {
    fn default() -> Self {
        Self::Fixed(WITHOUT_REGION_KM)
    }
}

impl Yardstick {
    /// That of a region whose box has this diagonal.
    pub fn of_diagonal(km: f64) -> Self {
        Self::Fixed(km.max(LEAST_KM))
    }
}

/// The mean distance over all pairs; nothing if there is no pair.
pub(crate) fn average_distance<P: Copy>(
    places: &[P],
    distance_km: impl Fn(P, P) -> f64,
) -> Option<f64> {
    let mut sum = 0.0;
    let mut pairs = 0_u32;
    for (at, one) in places.iter().enumerate() {
        for other in &places[at + 1..] {
            sum += distance_km(*one, *other);
            pairs += 1;
        }
    }
    (pairs > 0).then(|| sum / f64::from(pairs))
}

/// The nearest and the farthest of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    least: f64,
    most: f64,
}

impl Extremes {
    /// Those of these distances; nothing of none.
    pub(crate) fn of(distances: impl Iterator<Item = f64>) -> Option<Self> {
        distances.fold(None, |so_far: Option<Self>, it| {
            let so_far = so_far.unwrap_or(Self { least: it, most: it });
            Some(Self { least: so_far.least.min(it), most: so_far.most.max(it) })
        })
    }
}

/// How much places belong together, 0 to 1, by their mean distance; 1 for a single place.
pub(crate) fn correlation(
    yardstick: Yardstick,
    batch: Option<Extremes>,
    average_km: Option<f64>,
) -> f64 {
    let Some(average) = average_km else { return 1.0 };
    let part = match (yardstick, batch) {
        (Yardstick::Fixed(km), _) => average / km.max(f64::MIN_POSITIVE),
        (Yardstick::Globe, _) => average / HALF_GLOBE_KM,
        (Yardstick::Batch, Some(of)) if of.most > of.least => {
            (average - of.least) / (of.most - of.least)
        }
        (Yardstick::Batch, Some(_)) => 0.0,
        (Yardstick::Batch, None) => average / WITHOUT_REGION_KM,
    };
    1.0 - part.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};

    use super::*;

    fn gazetteer() -> Gazetteer {
        let mut draft = Draft::new();
        for (key, lat, lon) in [
            ("patras", 38.24444, 21.73444),
            ("athens", 37.98376, 23.72784),
            ("piraeus", 37.94745, 23.63708),
            ("lisbon", 38.71667, -9.13333),
            ("oldenburg", 53.14118, 8.21467),
            ("bremen", 53.07582, 8.80717),
            ("athens-al", 34.80243, -86.97219),
        ] {
            let place = PlaceFact::new(key, Kind::City, key).at(lat, lon).within("world");
            draft.add(Fact::Place(place));
        }
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Gazetteer::from_bytes("greece", file).expect("it was just written")
    }

    fn average(keys: &[&str]) -> f64 {
        let gazetteer = gazetteer();
        let point = |key: &&str| gazetteer.by_key(key).expect("it is there").point();
        let points: Vec<_> = keys.iter().map(point).collect();
        average_distance(&points, |a, b| a.distance(b).km()).expect("there are two")
    }

    #[track_caller]
    fn check(keys: &[&str], km: f64, fixed: f64, globe: f64) {
        let average = average(keys);
        assert!((average - km).abs() < 0.01, "{average}");
        let of = |yardstick| correlation(yardstick, None, Some(average));
        assert!((of(Yardstick::default()) - fixed).abs() < 1e-6, "{}", of(Yardstick::default()));
        assert!((of(Yardstick::Globe) - globe).abs() < 1e-6, "{}", of(Yardstick::Globe));
    }

    #[test]
    fn places_near_each_other_belong_together() {
        check(&["athens", "piraeus"], 8.922, 0.991_078, 0.999_554);
        check(&["patras", "athens", "piraeus"], 118.481, 0.881_519, 0.994_080);
        check(&["athens", "lisbon"], 2851.290, 0.0, 0.857_543);
        check(&["athens", "piraeus", "lisbon"], 1901.519, 0.0, 0.904_996);
        check(&["athens", "athens-al"], 9225.198, 0.0, 0.539_088);
    }

    #[test]
    fn distances_are_great_circles() {
        for (one, other, km) in [
            ("patras", "athens", 176.784),
            ("patras", "piraeus", 169.737),
            ("piraeus", "lisbon", 2844.344),
            ("oldenburg", "bremen", 40.212),
        ] {
            let found = average(&[one, other]);
            assert!((found - km).abs() < 0.01, "{one} to {other}: {found}");
        }
    }

    #[test]
    fn a_batch_is_measured_by_its_nearest_and_its_farthest() {
        let batch = [
            average(&["athens", "piraeus"]),
            average(&["patras", "athens", "piraeus"]),
            average(&["athens", "lisbon"]),
        ];
        let of = Extremes::of(batch.iter().copied());
        for (average, expected) in batch.iter().zip([1.0, 0.961_455, 0.0]) {
            let found = correlation(Yardstick::Batch, of, Some(*average));
            assert!((found - expected).abs() < 1e-6, "{found}");
        }
        let alike = Extremes::of([7.0, 7.0].into_iter());
        assert!((correlation(Yardstick::Batch, alike, Some(7.0)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_single_place_is_one_clear_place() {
        assert_eq!(average_distance(&[1], |_, _| 5.0), None);
        assert!((correlation(Yardstick::default(), None, None) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_small_region_is_measured_by_a_hundred_kilometres() {
        assert_eq!(Yardstick::of_diagonal(20.0), Yardstick::Fixed(100.0));
        assert_eq!(Yardstick::of_diagonal(250.0), Yardstick::Fixed(250.0));
    }
}
