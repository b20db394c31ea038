//! The `d` of a path, as short as it gets at a tenth of a pixel.

use crate::mercator::Spot;

/// A path on its way.
#[derive(Default)]
pub(super) struct Path {
    text: String,
    /// Where the pen is, in tenths of a pixel.
    at: [i64; 2],
    /// Whether the last number had a point in it, so that one that begins with a point needs no blank.
    had_point: bool,
}

impl Path {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &[Spot]) {
        self.draw(line, false);
    }

    /// Adds a ring whose end is not repeated.
    pub(super) fn ring(&mut self, ring: &[Spot]) {
        self.draw(ring, true);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn draw(&mut self, corners: &[Spot], closes: bool) {
        let mut steps: Vec<[i64; 2]> =
            corners.iter().map(|it| it.map(|at| (at * 10.0).round() as i64)).collect();
        steps.dedup();
        if closes && steps.len() > 1 && steps.first() == steps.last() {
            steps.pop();
        }
        if steps.len() < if closes { 3 } else { 2 } {
            return;
        }
        let first = steps[0];
        self.command('M');
        first.into_iter().for_each(|tenths| self.number(tenths));
        self.at = first;
        self.command('l');
        for step in &steps[1..] {
            let [x, y] = [step[0] - self.at[0], step[1] - self.at[1]];
            self.number(x);
            self.number(y);
            self.at = *step;
        }
        if closes {
            self.text.push('z');
        }
    }

    fn command(&mut self, letter: char) {
        self.text.push(letter);
        self.had_point = false;
    }

    fn number(&mut self, tenths: i64) {
        let is_first = self.text.ends_with(|it: char| it.is_ascii_alphabetic());
        let number = tenth(tenths);
        let ends_itself = number.starts_with('-') || (self.had_point && number.starts_with('.'));
        if !is_first && !ends_itself {
            self.text.push(' ');
        }
        self.had_point = number.contains('.');
        self.text.push_str(&number);
    }
}

/// So many tenths as a number: `-.5`, `12`, `3.7`.
pub(super) fn tenth(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, part) = (tenths.abs() / 10, tenths.abs() % 10);
    match (whole, part) {
        (_, 0) if whole == 0 => "0".to_owned(),
        (_, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}.{part}"),
        _ => format!("{sign}{whole}.{part}"),
    }
}

/// A number of pixels, to a tenth.
pub(super) fn pixels(number: f64) -> String {
    tenth((number * 10.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_stand_only_where_they_must() {
        check(&[[0.0, 0.0], [1.0, -2.0], [1.5, -1.5]], "M0 0l1-2 .5.5");
        check(&[[10.04, 3.0], [10.0, 3.0], [9.5, 13.5]], "M10 3l-.5 10.5");
        check(&[[1.0, 1.0], [1.0, 1.0]], "");
    }

    #[test]
    fn a_ring_is_closed() {
        let mut path = Path::default();
        path.ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0]]);
        assert_eq!(path.text(), "M0 0l4 0 0 4z");
    }

    #[track_caller]
    fn check(line: &[Spot], expected: &str) {
        let mut path = Path::default();
        path.line(line);
        assert_eq!(path.text(), expected);
    }
}
