//! Positions as plus codes (Open Location Codes) write them.
//!
//! A code divides the globe into 20-degree cells, each cell into 20 by 20, four times over; from
//! the eleventh digit on each digit divides into 5 rows of 4 columns. Cells are counted in whole
//! units, each the smallest cell there is, so that no digit hangs on rounding.
//! The specification is at <https://github.com/google/open-location-code>.

use std::fmt;

use crate::bounds::Bounds;
use crate::point::{Point, wrap_longitude};

/// A plus code, full (`8FVC2222+22`) or short (`2222+22`, to be read near a known place).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlusCode {
    /// Upper case, at most fifteen digits.
    text: String,
}

/// The digits: none can be mistaken for another, and few words can be spelled with them.
const DIGITS: &[u8; 20] = b"23456789CFGHJMPQRVWX";

/// Digits before the plus of a full code.
const BEFORE_PLUS: usize = 8;

/// Up to here digits come in pairs, latitude and longitude.
const PAIRED: usize = 10;

/// More digits than these are allowed but mean nothing.
const LONGEST: usize = 15;

const GRID_ROWS: i64 = 5;
const GRID_COLUMNS: i64 = 4;

/// Smallest cells to a degree: the last pair leaves 1/8000 degree, five grid digits divide it on.
const LAT_UNITS: i64 = 8000 * GRID_ROWS.pow(5);
const LON_UNITS: i64 = 8000 * GRID_COLUMNS.pow(5);

/// How far the reference of a short code may be from it, in shares of the distance to the next cell
/// with the same short code. At a half, a slightly different reference would find the wrong cell.
const SAFE_SHARE: f64 = 0.3;

impl PlusCode {
    /// The code of the cell around the point, with this many digits.
    ///
    /// There are codes of 2, 4, 6, 8 and 10 to 15 digits; other lengths get the next longer code,
    /// or the longest. Ten digits are a cell of 14 by 14 metres.
    pub fn encode(point: Point, length: usize) -> Self {
        let length = length.clamp(2, LONGEST);
        let length = if length < PAIRED { length.next_multiple_of(2) } else { length };
        Self { text: write(lat_units(point.lat), lon_units(point.lon), length) }
    }

    /// The code that the text is, in either case; none if it is not a code.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let (before, after) = text.split_once('+')?;
        let well_formed = is_before_plus(before) && is_after_plus(after);
        let padded = before.contains('0');
        if !well_formed || padded && !after.is_empty() || before.is_empty() && after.is_empty() {
            return None;
        }
        let meaningful = after.len().min(LONGEST - BEFORE_PLUS);
        Some(Self { text: format!("{before}+{}", &after[..meaningful]) })
    }

    /// Whether its first digits are missing and only a place near by can tell where it is.
    pub fn is_short(&self) -> bool {
        self.missing() > 0
    }

    /// The cell that a full code stands for.
    pub fn bounds(&self) -> Option<Bounds> {
        let cell = self.cell()?;
        Some(Bounds {
            south: degrees_of_lat(cell.south),
            west: degrees_of_lon(cell.west),
            north: degrees_of_lat(cell.south + cell.height),
            east: degrees_of_lon(cell.west + cell.width),
        })
    }

    /// The middle of the cell that a full code stands for.
    pub fn center(&self) -> Option<Point> {
        self.bounds().map(Bounds::center)
    }

    /// The full code nearest to the reference that ends in this short one; a full code is itself.
    #[must_use]
    pub fn recover_nearest(&self, reference: Point) -> Self {
        let missing = self.missing();
        let beginning = Self::encode(reference, PAIRED).text;
        let code = Self { text: format!("{}{}", &beginning[..missing], self.text) };
        match code.cell() {
            Some(cell) if missing > 0 => {
                let cell = cell.nearest_repetition(reference, missing);
                Self { text: write(cell.south, cell.west, code.digits().count()) }
            }
            _ => code,
        }
    }

    /// The code without the digits that the reference makes superfluous.
    ///
    /// It stays as it is if it is short or padded already, or if the reference is too far away.
    #[must_use]
    pub fn shorten(&self, reference: Point) -> Self {
        let Some(center) = self.center().filter(|_| !self.text.contains('0')) else {
            return self.clone();
        };
        let sideways = wrap_longitude(center.lon - reference.lon);
        let apart = (center.lat - reference.lat).abs().max(sideways.abs());
        let superfluous = [8, 6, 4].into_iter().find(|&digits| {
            let leaves_digits = digits < self.text.len() - 1;
            leaves_digits && apart < repetition_degrees(digits) * SAFE_SHARE
        });
        Self { text: self.text[superfluous.unwrap_or(0)..].to_owned() }
    }

    /// How many digits a short code lacks.
    fn missing(&self) -> usize {
        BEFORE_PLUS - self.text.find('+').unwrap_or(BEFORE_PLUS)
    }

    /// The values of the digits, without padding.
    fn digits(&self) -> impl Iterator<Item = i64> {
        self.text.bytes().filter_map(value)
    }

    fn cell(&self) -> Option<Cell> {
        if self.is_short() {
            return None;
        }
        let mut cell = Cell::whole();
        for (at, digit) in self.digits().enumerate() {
            cell.enter(at, digit);
        }
        Some(cell)
    }
}

/// As it is written, in capitals: `8FVC2222+22`.
impl fmt::Display for PlusCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A rectangle in units, counted from the south pole and the date line.
#[derive(Clone, Copy)]
struct Cell {
    south: i64,
    west: i64,
    height: i64,
    width: i64,
}

impl Cell {
    /// What the first pair of digits divides: more than there is of the globe.
    fn whole() -> Self {
        Self { south: 0, west: 0, height: 400 * LAT_UNITS, width: 400 * LON_UNITS }
    }

    /// Divides as the digit at this place of the code does.
    fn divide(&mut self, at: usize) {
        match at {
            PAIRED.. => {
                self.height /= GRID_ROWS;
                self.width /= GRID_COLUMNS;
            }
            _ if at.is_multiple_of(2) => self.height /= 20,
            _ => self.width /= 20,
        }
    }

    /// Goes into the part that the digit at this place of the code names.
    fn enter(&mut self, at: usize, digit: i64) {
        self.divide(at);
        let (row, column) = match at {
            PAIRED.. => (digit / GRID_COLUMNS, digit % GRID_COLUMNS),
            _ if at.is_multiple_of(2) => (digit, 0),
            _ => (0, digit),
        };
        self.south += row * self.height;
        self.west += column * self.width;
    }

    /// The digit for this place of the code whose part holds the corner at these units.
    fn digit_towards(&self, at: usize, lat: i64, lon: i64) -> i64 {
        let mut part = *self;
        part.divide(at);
        let (row, column) = ((lat - part.south) / part.height, (lon - part.west) / part.width);
        match at {
            PAIRED.. => row * GRID_COLUMNS + column,
            _ if at.is_multiple_of(2) => row,
            _ => column,
        }
    }

    /// Of the cells that share all but their first digits, the one nearest to the reference.
    fn nearest_repetition(mut self, reference: Point, missing: usize) -> Self {
        let mut repetition = Self::whole();
        (0..missing).for_each(|at| repetition.divide(at));

        // Twice the distance from the reference to the centre: a centre may lie at half a unit.
        let north = 2 * self.south + self.height - 2 * lat_units(reference.lat);
        let east = 2 * self.west + self.width - 2 * lon_units(reference.lon);
        let (up, down) = (self.south + repetition.height, self.south - repetition.height);
        if north > repetition.height && down >= 0 {
            self.south = down;
        } else if north < -repetition.height && up < 180 * LAT_UNITS {
            self.south = up;
        }
        if east > repetition.width {
            self.west -= repetition.width;
        } else if east < -repetition.width {
            self.west += repetition.width;
        }
        self.west = self.west.rem_euclid(360 * LON_UNITS);
        self
    }
}

/// The code of this length for the cell with the corner at these units.
fn write(lat: i64, lon: i64, length: usize) -> String {
    let mut text = String::new();
    let mut cell = Cell::whole();
    for at in 0..length.max(BEFORE_PLUS) {
        if at == BEFORE_PLUS {
            text.push('+');
        }
        if at >= length {
            text.push('0');
            continue;
        }
        let digit = cell.digit_towards(at, lat, lon);
        cell.enter(at, digit);
        text.push(char::from(DIGITS[digit as usize]));
    }
    if length <= BEFORE_PLUS {
        text.push('+');
    }
    text
}

/// Pairs of digits, four in a full code; the last ones of a full code may be padded with zeros.
fn is_before_plus(before: &str) -> bool {
    let digits = before.trim_end_matches('0');
    let full = before.len() == BEFORE_PLUS;
    let padded = digits.len() < before.len();
    before.len() <= BEFORE_PLUS
        && before.len().is_multiple_of(2)
        && digits.len().is_multiple_of(2)
        && digits.bytes().all(|digit| value(digit).is_some())
        && (!padded || full && !digits.is_empty())
        && (!full || is_on_the_globe(digits))
}

/// Whether the first pair names a cell that exists: 9 rows and 18 columns of 20 degrees do.
fn is_on_the_globe(digits: &str) -> bool {
    let mut values = digits.bytes().filter_map(value);
    values.next().is_some_and(|row| row < 9) && values.next().is_some_and(|column| column < 18)
}

/// Nothing or at least two digits.
fn is_after_plus(after: &str) -> bool {
    after.len() != 1 && after.bytes().all(|digit| value(digit).is_some())
}

fn value(digit: u8) -> Option<i64> {
    DIGITS.iter().position(|&known| known == digit).map(|value| value as i64)
}

/// Units from the south pole; the north pole belongs to the last cell.
fn lat_units(lat: f64) -> i64 {
    let lat = lat.clamp(-90.0, 90.0);
    (units(lat, LAT_UNITS) + 90 * LAT_UNITS).min(180 * LAT_UNITS - 1)
}

/// Units from the date line eastwards, less than one turn.
fn lon_units(lon: f64) -> i64 {
    let lon = wrap_longitude(lon);
    (units(lon, LON_UNITS) + 180 * LON_UNITS).rem_euclid(360 * LON_UNITS)
}

/// Whole units to this many degrees, rounded down.
///
/// Decimal degrees are not exact in binary: 1.2 must not fall below the cell that begins at 1.2.
/// A millionth of a unit is allowed for that, as in the reference implementation.
fn units(degrees: f64, per_degree: i64) -> i64 {
    let units = degrees * per_degree as f64;
    ((units * 1e6).round() / 1e6).floor() as i64
}

fn degrees_of_lat(units: i64) -> f64 {
    (units - 90 * LAT_UNITS) as f64 / LAT_UNITS as f64
}

fn degrees_of_lon(units: i64) -> f64 {
    (units - 180 * LON_UNITS) as f64 / LON_UNITS as f64
}

/// How far apart the cells are whose codes differ in this many first digits only.
fn repetition_degrees(digits: usize) -> f64 {
    400.0 / 20_f64.powi(digits as i32 / 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_point_has_a_code_of_every_length() {
        check_encode((20.375, 2.775), 6, "7FG49Q00+");
        check_encode((20.370_062_5, 2.782_187_5), 10, "7FG49QCJ+2V");
        check_encode((20.370_113_5, 2.782_235_351_56), 13, "7FG49QCJ+2VXGJ");
        check_encode((47.000_062_5, 8.000_062_5), 10, "8FVC2222+22");
        check_encode((1.286_785, 103.854_503), 10, "6PH57VP3+PR");
        check_encode((37.539_669_125, -122.375_069_724), 15, "849VGJQF+VX7QR3J");
        check_encode((58.73, 69.95), 8, "9JCFPXJ2+");
    }

    #[test]
    fn a_length_without_codes_gets_the_next_longer() {
        check_encode((20.375, 2.775), 5, "7FG49Q00+");
        check_encode((20.375, 2.775), 0, "7F000000+");
        check_encode((37.539_669_125, -122.375_069_724), 100, "849VGJQF+VX7QR3J");
    }

    #[test]
    fn decimals_that_are_not_exact_in_binary_fall_into_the_cell_they_begin() {
        check_encode((1.2, 3.4), 10, "6FH56C22+22");
        check_encode((-2.804, 7.003), 13, "6F9952W3+C6222");
        check_encode((0.49, -76.97), 15, "67G5F2RJ+2222222");
        check_encode((80.009_999_999_9, 58.57), 15, "CHGW2H5C+X2RRRRR");
    }

    #[test]
    fn the_poles_and_the_date_line_have_codes() {
        check_encode((90.0, 1.0), 4, "CFX30000+");
        check_encode((90.0, 1.0), 10, "CFX3X2X2+X2");
        check_encode((1.0, 180.0), 4, "62H20000+");
        check_encode((-89.999_937_5, -179.999_937_5), 10, "22222222+22");
        check_encode((1.0, 181.0), 4, "62H30000+");
    }

    #[test]
    fn what_is_not_on_the_globe_gets_the_code_of_something_that_is() {
        check_encode((92.0, 1.0), 4, "CFX30000+");
        check_encode((f64::INFINITY, f64::INFINITY), 2, "CF000000+");
        check_encode((f64::NAN, f64::NAN), 2, "6F000000+");
    }

    #[test]
    fn a_code_is_a_cell() {
        check_bounds("7FG49Q00+", [20.35, 2.75, 20.4, 2.8]);
        check_bounds("8fvc2222+22", [47.0, 8.0, 47.000_125, 8.000_125]);
        check_bounds("7FG49QCJ+2VXGJ", [20.370_113, 2.782_234_375, 20.370_114, 2.782_236_328_13]);
        check_bounds("84000000+", [30.0, -140.0, 50.0, -120.0]);
        check_bounds("6VGX0000+", [0.0, 179.0, 1.0, 180.0]);
    }

    #[test]
    fn digits_after_the_fifteenth_mean_nothing() {
        let (long, longer) = (parse("849VGJQF+VX7QR3J"), parse("849VGJQF+VX7QR3J7QR3J"));
        assert_eq!(long, longer);
    }

    #[test]
    fn full_and_short_codes_are_told_apart() {
        for code in ["8FWC2345+G6", "8FWC2345+G6G", "8fwc2345+", "8FWCX400+"] {
            check(code, Some(false));
        }
        for code in ["WC2345+G6g", "2345+G6", "45+G6", "+G6", "22+"] {
            check(code, Some(true));
        }
    }

    #[test]
    fn what_breaks_a_rule_is_no_code() {
        for text in [
            "",
            "+",
            "G+",
            "8FWC2345+G",
            "8FWC2_45+G6",
            "8FWC2η45+G6",
            "8FWC2345+G6+",
            "8FWC2345G6+",
            "8FWC2300+G6",
            "WC2300+G6g",
            "WC2345+G",
            "WC2300+",
            "849VGJQF+VX7QR3JU",
            "00000000+",
            "8F0C2345+G6",
            "8FW00000+",
            "8FWC2345",
            "F2222222+22",
            "2W222222+22",
            "0441+2345",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn a_reference_makes_digits_superfluous_and_gives_them_back() {
        check_short("9C3W9QCJ+2VX", (51.370_112_5, -1.217_765_625), "+2VX");
        check_short("9C3W9QCJ+2VX", (51.370_867_5, -1.217_765_625), "CJ+2VX");
        check_short("9C3W9QCJ+2VX", (51.370_112_5, -1.202_665_625), "9QCJ+2VX");
        check_short("8FJFW222+", (42.899, 9.012), "22+");
        check_short("8FRCXGRF+PM", (47.0, 8.55), "XGRF+PM");
        check_short("9C3W9QCJ+2VX", (60.17, 24.94), "9C3W9QCJ+2VX");
    }

    #[test]
    fn a_short_code_near_a_pole_stays_on_the_globe() {
        check_recover("2222+22", (89.6, 0.0), "CFX22222+22");
        check_recover("XXXXXX+XX", (-81.0, 0.0), "2CXXXXXX+XX");
    }

    #[test]
    fn a_short_code_is_recovered_across_the_date_line() {
        let code = PlusCode::encode(Point::new(1.01, -179.95), 10);
        let reference = Point::new(1.0, 179.9);
        let short = code.shorten(reference);
        assert!(short.is_short());
        assert_eq!(short.recover_nearest(reference), code);
    }

    #[test]
    fn a_code_is_never_shortened_to_nothing() {
        let code = parse("8FJFW222+");
        assert_eq!(code.shorten(code.center().unwrap()).to_string(), "22+");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = PlusCode::parse(&text);
        }

        #[test]
        fn text_like_a_code_is_read_back_as_it_is_written(
            text in "[02-9CFGHJMPQRVWX]{0,8}\\+[02-9CFGHJMPQRVWX]{0,9}", near in points(),
        ) {
            if let Some(code) = PlusCode::parse(&text) {
                prop_assert_eq!(Some(code.clone()), PlusCode::parse(&code.to_string()));
                let full = code.recover_nearest(near);
                prop_assert!(!full.is_short());
                prop_assert_eq!(Some(full.clone()), PlusCode::parse(&full.to_string()));
                prop_assert_eq!(full.bounds().is_some(), true);
            }
        }

        #[test]
        fn a_point_lies_in_the_cell_of_its_code(point in points(), length in 0..20_usize) {
            let code = PlusCode::encode(point, length);
            let bounds = code.bounds().unwrap();
            // A point less than a millionth of a unit below a cell counts as in it.
            let slack = 1e-12;
            prop_assert!(bounds.south - slack <= point.lat && point.lat <= bounds.north);
            prop_assert!(bounds.west - slack <= point.lon && point.lon <= bounds.east);
        }

        #[test]
        fn the_center_of_a_cell_has_the_code_of_the_cell(point in points(), length in 0..15_usize) {
            let code = PlusCode::encode(point, length);
            let again = PlusCode::encode(code.center().unwrap(), code.digits().count());
            prop_assert_eq!(code, again);
        }

        #[test]
        fn a_shortened_code_is_recovered(
            point in points(), north in -0.3..0.3_f64, east in -0.3..0.3_f64, length in 8..15_usize,
        ) {
            let code = PlusCode::encode(point, length);
            let reference = Point::new((point.lat + north).clamp(-90.0, 90.0), point.lon + east);
            prop_assert_eq!(code.shorten(reference).recover_nearest(reference), code);
        }
    }

    #[track_caller]
    fn check(text: &str, is_short: Option<bool>) {
        assert_eq!(PlusCode::parse(text).map(|code| code.is_short()), is_short, "{text}");
    }

    #[track_caller]
    fn check_encode((lat, lon): (f64, f64), length: usize, expected: &str) {
        assert_eq!(PlusCode::encode(Point::new(lat, lon), length).to_string(), expected);
    }

    #[track_caller]
    fn check_bounds(code: &str, [south, west, north, east]: [f64; 4]) {
        let bounds = parse(code).bounds().unwrap();
        let off =
            [bounds.south - south, bounds.west - west, bounds.north - north, bounds.east - east];
        assert!(off.iter().all(|off| off.abs() < 1e-10), "{bounds:?}");
    }

    #[track_caller]
    fn check_short(full: &str, (lat, lon): (f64, f64), short: &str) {
        assert_eq!(parse(full).shorten(Point::new(lat, lon)).to_string(), short);
        check_recover(short, (lat, lon), full);
    }

    #[track_caller]
    fn check_recover(short: &str, (lat, lon): (f64, f64), full: &str) {
        assert_eq!(parse(short).recover_nearest(Point::new(lat, lon)).to_string(), full);
    }

    #[track_caller]
    fn parse(text: &str) -> PlusCode {
        PlusCode::parse(text).unwrap_or_else(|| panic!("{text} is no code"))
    }

    fn points() -> impl Strategy<Value = Point> {
        (-90.0..=90.0_f64, -180.0..180.0_f64).prop_map(|(lat, lon)| Point::new(lat, lon))
    }
}
