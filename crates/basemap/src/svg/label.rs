//! Where names are written so that they can be read.

use crate::mercator::{Frame, Spot};

/// Places on the picture that are taken already.
#[derive(Default)]
pub(super) struct Room {
    picture: Option<Frame>,
    pins: Vec<Frame>,
    /// By names and their dots.
    taken: Vec<Frame>,
}

/// A text that has found its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// The point of the text at its baseline that `anchor` speaks of.
    pub(super) at: Spot,
    pub(super) anchor: Anchor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Pixels between a dot's middle and the name beside it.
const GAP: f64 = 5.0;

/// Half the room that a dot takes.
const DOT: f64 = 2.5;

/// Pixels between two names: closer ones read as one.
const BREATH: f64 = 2.0;

/// The part of a font's size that stands above the baseline, and below it.
const ABOVE: f64 = 0.8;
const BELOW: f64 = 0.25;

impl Room {
    /// All room there is in a picture.
    pub(super) fn of(picture: Frame) -> Self {
        Self { picture: Some(picture), ..Self::default() }
    }

    /// Keeps the square around a pin free of names.
    pub(super) fn take(&mut self, pin: Spot, radius: f64) {
        self.pins.push(square(pin, radius));
    }

    /// A place for a name beside its dot: right, left, above or below; none if all are taken.
    pub(super) fn beside(&mut self, [x, y]: Spot, size: f64, text: &str) -> Option<Placed> {
        let dot = square([x, y], DOT);
        if self.taken.iter().any(|frame| frame.meets(dot)) {
            return None;
        }
        // Where a pin lies on the dot, the name stands beside the pin.
        let radius = |frame: &Frame| (frame.high[0] - frame.low[0]) / 2.0;
        let covers = self.pins.iter().filter(|frame| frame.meets(dot)).map(radius);
        let gap = covers.fold(GAP, |gap, radius| gap.max(radius + DOT + 2.0 * BREATH));
        let middle = y + size * (ABOVE - BELOW) / 2.0;
        let tried = [
            Placed { at: [x + gap, middle], anchor: Anchor::Start },
            Placed { at: [x - gap, middle], anchor: Anchor::End },
            Placed { at: [x, y - gap - size * BELOW + 1.0], anchor: Anchor::Middle },
            Placed { at: [x, y + gap + size * ABOVE - 1.0], anchor: Anchor::Middle },
        ];
        let placed = tried.into_iter().find(|placed| self.try_to_take(placed, size, text))?;
        self.taken.push(dot);
        Some(placed)
    }

    /// A place for a name around its own middle.
    pub(super) fn over(&mut self, [x, y]: Spot, size: f64, text: &str) -> Option<Placed> {
        let at = [x, y + size * (ABOVE - BELOW) / 2.0];
        let placed = Placed { at, anchor: Anchor::Middle };
        self.try_to_take(&placed, size, text).then_some(placed)
    }

    fn try_to_take(&mut self, placed: &Placed, size: f64, text: &str) -> bool {
        let width = width(text) * size;
        let [x, y] = placed.at;
        let left = match placed.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let frame = Frame {
            low: [left - BREATH, y - size * ABOVE - BREATH / 2.0],
            high: [left + width + BREATH, y + size * BELOW + BREATH / 2.0],
        };
        let is_in = |it: Frame| it.contains(frame.low) && it.contains(frame.high);
        let mut others = self.pins.iter().chain(&self.taken);
        let is_free = self.picture.is_none_or(is_in) && others.all(|other| !frame.meets(*other));
        if is_free {
            self.taken.push(frame);
        }
        is_free
    }
}

fn square([x, y]: Spot, radius: f64) -> Frame {
    Frame { low: [x - radius, y - radius], high: [x + radius, y + radius] }
}

/// About how wide a text is, as a multiple of its font's size; no reader's font is known.
fn width(text: &str) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | 't' | 'f' | 'r' | ' ' | '.' | ',' | '\'' | '’' | '-' => 0.36,
        'm' | 'w' | 'M' | 'W' => 0.92,
        'A'..='Z' => 0.7,
        // Ideographs, kana and hangul are as wide as high.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => 1.0,
        _ => 0.6,
    };
    text.chars().map(letter).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PICTURE: Frame = Frame { low: [0.0, 0.0], high: [200.0, 100.0] };

    #[test]
    fn a_name_stands_to_the_right_of_its_dot_if_there_is_room() {
        check([50.0, 50.0], Some(Anchor::Start));
        check([190.0, 50.0], Some(Anchor::End));
        check([500.0, 50.0], None);
    }

    #[test]
    fn a_name_keeps_clear_of_a_pin_on_its_dot() {
        let mut room = Room::of(PICTURE);
        room.take([50.0, 50.0], 11.0);
        let placed = room.beside([50.0, 50.0], 11.0, "Oulu").unwrap();
        assert!(placed.at[0] >= 63.0, "{placed:?}");
    }

    proptest! {
        #[test]
        fn no_name_lies_on_another_or_on_a_pin(
            dots in prop::collection::vec([0.0..200.0, 0.0..100.0], 1..40),
            pins in prop::collection::vec([0.0..200.0, 0.0..100.0], 0..4),
        ) {
            let mut room = Room::of(PICTURE);
            pins.iter().for_each(|&pin| room.take(pin, 11.0));
            for dot in dots {
                let placed = room.beside(dot, 11.0, "Oulu").or(room.over(dot, 9.0, "12"));
                prop_assert!(placed.is_none_or(|it| PICTURE.contains(it.at)));
            }
            for (number, frame) in room.taken.iter().enumerate() {
                let is_name = frame.high[1] - frame.low[1] > 3.0 * DOT;
                let is_off_pins = room.pins.iter().all(|pin| !pin.meets(*frame));
                prop_assert!(is_off_pins || !is_name);
                prop_assert!(room.taken[..number].iter().all(|other| !other.meets(*frame)));
            }
        }
    }

    #[track_caller]
    fn check(dot: Spot, expected: Option<Anchor>) {
        let placed = Room::of(PICTURE).beside(dot, 11.0, "Jyväskylä");
        assert_eq!(placed.map(|it| it.anchor), expected);
    }
}
