//! A direction along the surface of the earth.

use crate::compass::Compass;

/// A direction in degrees clockwise from north, at least 0 and less than 360.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Bearing(f64);

impl Bearing {
    /// The direction this many degrees clockwise from north; full turns are taken off.
    pub fn new(degrees: f64) -> Self {
        let turned = degrees.rem_euclid(360.0);
        // A hair to the left of north rounds up to the full turn.
        Self(if turned >= 360.0 { 0.0 } else { turned })
    }

    /// Degrees clockwise from north.
    pub fn degrees(self) -> f64 {
        self.0
    }

    /// The nearest of the eight points of the compass: what people say.
    pub fn compass(self) -> Compass {
        Compass::ALL[self.sector(8) * 2]
    }

    /// The nearest of the sixteen points of the compass: what seafarers say.
    pub fn compass_of_sixteen(self) -> Compass {
        Compass::ALL[self.sector(16)]
    }

    /// Which of this many equal sectors around north it falls in.
    fn sector(self, sectors: usize) -> usize {
        (self.0 / 360.0 * sectors as f64).round() as usize % sectors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_eight_points_rules_45_degrees() {
        check(0.0, "N", "N");
        check(22.0, "N", "NNE");
        check(23.0, "NE", "NNE");
        check(90.0, "E", "E");
        check(110.0, "E", "ESE");
        check(225.0, "SW", "SW");
        check(337.0, "NW", "NNW");
        check(338.0, "N", "NNW");
        check(359.0, "N", "N");
    }

    #[test]
    fn full_turns_are_taken_off() {
        check(-90.0, "W", "W");
        check(765.0, "NE", "NE");
        check(-1e-20, "N", "N");
    }

    #[test]
    fn a_bearing_that_is_no_number_still_answers() {
        check(f64::NAN, "N", "N");
    }

    #[track_caller]
    fn check(degrees: f64, of_eight: &str, of_sixteen: &str) {
        let bearing = Bearing::new(degrees);
        assert_eq!(bearing.compass().short_name(), of_eight);
        assert_eq!(bearing.compass_of_sixteen().short_name(), of_sixteen);
    }
}
