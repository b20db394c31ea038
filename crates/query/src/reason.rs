//! Why some words were read as a place: every piece of evidence with its weight.

/// A piece of evidence for or against reading words as a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Reason {
    Known,
    Relation,
    Unmarked,
    Whole,
    Last,
    First,
    Comma,
    Capital,
    SmallLetters,
    SeveralWords,
    Chain,
    Thing,
    OrdinaryWord,
    VeryCommon,
    Compound,
    PartOfName,
    Article,
    Code,
    Narrow,
    Inflected,
    Guessed,
    Position,
    Chosen,
}

/// Every reason with what a full measure of it adds to the logarithm of the odds, and its name for people.
///
/// The weights were set by hand, on the queries in the tests. Those that the geoparser has too are near to its own.
const TABLE: [(Reason, f64, &str); 23] = [
    (Reason::Known, 5.0, "how well known the place is"),
    (Reason::Relation, 1.0, "a word like \"in\" stands beside it"),
    (Reason::Unmarked, -1.0, "no word like \"in\" stands beside it"),
    (Reason::Whole, 2.0, "it is all there is"),
    (Reason::Last, 1.0, "it comes last"),
    (Reason::First, 0.3, "it comes first"),
    (Reason::Comma, 1.5, "it stands behind a comma"),
    (Reason::Capital, 1.5, "it has a capital letter where other words have none"),
    (Reason::SmallLetters, -1.0, "it has small letters where other words have capitals"),
    (Reason::SeveralWords, 1.2, "its name has several words"),
    (Reason::Chain, 3.0, "it stands beside what holds it"),
    (Reason::Thing, 2.0, "it stands beside what people look for at a place"),
    (Reason::OrdinaryWord, -1.0, "it is an ordinary word too"),
    (Reason::VeryCommon, -3.0, "it is a very common word too"),
    (Reason::Compound, -1.5, "it is an ordinary word before another"),
    (Reason::PartOfName, -2.0, "it is part of a longer name"),
    (Reason::Article, -0.4, "an article stands before it"),
    (Reason::Code, -5.0, "it is an abbreviation"),
    (Reason::Narrow, -1.0, "it is a postcode, street or house of its town"),
    (Reason::Inflected, -0.6, "it is a case form of the name"),
    (Reason::Guessed, -1.0, "it is spelled almost like the name"),
    (Reason::Position, 6.0, "it is a position"),
    (Reason::Chosen, 20.0, "it was chosen"),
];

impl Reason {
    /// What so much of it adds.
    pub(crate) fn weight(self, amount: f64) -> f64 {
        TABLE[self as usize].1 * amount
    }

    /// The reason in a few words.
    pub(crate) fn label(self) -> &'static str {
        TABLE[self as usize].2
    }
}

/// Pieces of evidence, added up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) total: f64,
    pieces: Vec<(Reason, f64)>,
}

impl Tally {
    pub(crate) fn add(&mut self, reason: Reason, amount: f64) {
        let gain = reason.weight(amount);
        if gain != 0.0 {
            self.total += gain;
            self.pieces.push((reason, gain));
        }
    }

    pub(crate) fn has(&self, reason: Reason) -> bool {
        self.pieces.iter().any(|it| it.0 == reason)
    }

    /// What speaks most for the place.
    pub(crate) fn strongest_for(&self) -> Option<&'static str> {
        let best = self.pieces.iter().filter(|it| it.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|it| it.0.label())
    }

    /// What speaks most against it.
    pub(crate) fn strongest_against(&self) -> Option<&'static str> {
        let worst = self.pieces.iter().filter(|it| it.1 < 0.0).min_by(|a, b| a.1.total_cmp(&b.1));
        worst.map(|it| it.0.label())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_at_its_place_in_the_table() {
        assert!(TABLE.iter().enumerate().all(|(at, it)| it.0 as usize == at));
    }

    #[test]
    fn the_strongest_pieces_are_told() {
        let mut tally = Tally::default();
        tally.add(Reason::Known, 0.3);
        tally.add(Reason::Last, 1.0);
        tally.add(Reason::OrdinaryWord, 2.0);
        assert_eq!(tally.strongest_for(), Some("how well known the place is"));
        assert_eq!(tally.strongest_against(), Some("it is an ordinary word too"));
        assert!((tally.total - 0.5).abs() < 1e-9);
    }
}
