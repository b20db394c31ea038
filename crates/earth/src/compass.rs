//! The named directions.

use std::fmt;

use crate::bearing::Bearing;

/// One of the sixteen points of the compass, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "a direction's name says all there is to say")]
pub enum Compass {
    North,
    NorthNorthEast,
    NorthEast,
    EastNorthEast,
    East,
    EastSouthEast,
    SouthEast,
    SouthSouthEast,
    South,
    SouthSouthWest,
    SouthWest,
    WestSouthWest,
    West,
    WestNorthWest,
    NorthWest,
    NorthNorthWest,
}

/// The four words all the others are made of, and the letters they shorten to.
const WORDS: [(&str, char); 4] = [("north", 'n'), ("east", 'e'), ("south", 's'), ("west", 'w')];

/// What may follow the last word: `northern`, `northerly`, `northward`.
const ENDINGS: [&str; 7] = ["", "ern", "erly", "ward", "wards", "bound", "ernmost"];

impl Compass {
    /// All sixteen, clockwise from north.
    pub const ALL: [Self; 16] = [
        Self::North,
        Self::NorthNorthEast,
        Self::NorthEast,
        Self::EastNorthEast,
        Self::East,
        Self::EastSouthEast,
        Self::SouthEast,
        Self::SouthSouthEast,
        Self::South,
        Self::SouthSouthWest,
        Self::SouthWest,
        Self::WestSouthWest,
        Self::West,
        Self::WestNorthWest,
        Self::NorthWest,
        Self::NorthNorthWest,
    ];

    /// The direction that English words or letters name.
    ///
    /// Read are `NE`, `N.E.`, `north east`, `north-east`, `northeastern` and the like.
    /// Case does not matter; words and letters are not mixed.
    pub fn parse(text: &str) -> Option<Self> {
        let joined: String = text
            .trim()
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '.' | '‐' | '‑'))
            .flat_map(char::to_lowercase)
            .collect();
        let letters = letters_of_words(&joined).unwrap_or(joined);
        Self::ALL.into_iter().find(|point| point.short_name().eq_ignore_ascii_case(&letters))
    }

    /// The abbreviation: `NE`.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::North => "N",
            Self::NorthNorthEast => "NNE",
            Self::NorthEast => "NE",
            Self::EastNorthEast => "ENE",
            Self::East => "E",
            Self::EastSouthEast => "ESE",
            Self::SouthEast => "SE",
            Self::SouthSouthEast => "SSE",
            Self::South => "S",
            Self::SouthSouthWest => "SSW",
            Self::SouthWest => "SW",
            Self::WestSouthWest => "WSW",
            Self::West => "W",
            Self::WestNorthWest => "WNW",
            Self::NorthWest => "NW",
            Self::NorthNorthWest => "NNW",
        }
    }

    /// The words: `north-east`.
    pub const fn long_name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::NorthNorthEast => "north-north-east",
            Self::NorthEast => "north-east",
            Self::EastNorthEast => "east-north-east",
            Self::East => "east",
            Self::EastSouthEast => "east-south-east",
            Self::SouthEast => "south-east",
            Self::SouthSouthEast => "south-south-east",
            Self::South => "south",
            Self::SouthSouthWest => "south-south-west",
            Self::SouthWest => "south-west",
            Self::WestSouthWest => "west-south-west",
            Self::West => "west",
            Self::WestNorthWest => "west-north-west",
            Self::NorthWest => "north-west",
            Self::NorthNorthWest => "north-north-west",
        }
    }

    /// The middle of the directions it stands for.
    pub fn bearing(self) -> Bearing {
        Bearing::new(f64::from(self as u8) * 22.5)
    }
}

/// The abbreviation: `NE`.
impl fmt::Display for Compass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.short_name())
    }
}

/// `ne` for `northeast` and `northeastern`; nothing unless it is words throughout.
fn letters_of_words(joined: &str) -> Option<String> {
    let mut letters = String::new();
    let mut rest = joined;
    while let Some((after, letter)) =
        WORDS.iter().find_map(|&(word, letter)| Some((rest.strip_prefix(word)?, letter)))
    {
        letters.push(letter);
        rest = after;
    }
    (!letters.is_empty() && ENDINGS.contains(&rest)).then_some(letters)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for point in Compass::ALL {
            check(point.short_name(), Some(point));
            check(point.long_name(), Some(point));
            assert_eq!(point.bearing().compass_of_sixteen(), point);
        }
    }

    #[test]
    fn the_same_direction_is_written_in_many_ways() {
        let ways = ["NE", "ne", "N.E.", "N-E", "north east", "Northeast", "NORTH-EASTERN"];
        for way in ways {
            check(way, Some(Compass::NorthEast));
        }
        check("southerly", Some(Compass::South));
        check(" west ", Some(Compass::West));
    }

    #[test]
    fn what_the_compass_does_not_have_is_no_direction() {
        for text in ["", "up", "north-south", "EN", "Weston", "nest", "n east", "northerneast"] {
            check(text, None);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = Compass::parse(&text);
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Option<Compass>) {
        assert_eq!(Compass::parse(text), expected, "{text}");
    }
}
