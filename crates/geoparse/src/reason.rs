//! Why a name was taken for a place, and why for this one: every piece of evidence with its weight.

/// A piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Reason {
    // Is it a place?
    /// How well known the place is.
    Known,
    /// The name has several words.
    SeveralWords,
    /// The name is an ordinary word as well.
    OrdinaryWord,
    /// The name is a given name as well.
    GivenName,
    /// The name is a surname as well.
    Surname,
    /// `in`, `near`, `bei` stands before it.
    Locative,
    /// `of`, `de`, `to` stands before it.
    WeakLocative,
    /// `northern`, `downtown` stands before it.
    PartBefore,
    /// What it lies in or what lies in it stands beside it, behind a comma.
    Chain,
    /// `County`, `River` stands behind it.
    SortAfter,
    /// `Lake`, `city of` stands before it.
    SortBefore,
    /// `police`, `residents` stands behind it.
    OfATown,
    /// `Mr`, `Sheriff` stands before it.
    Title,
    /// A person of that name is named on the page.
    NamedPerson,
    /// Another capital word stands before it.
    CapitalBefore,
    /// Another capital word stands behind it.
    CapitalAfter,
    /// `Inc`, `Herald` stands behind it.
    Firm,
    /// `said`, `scored` stands behind it.
    Speech,
    /// Every word has a capital here, or none, so that capitals say nothing.
    NoCase,
    /// It begins its sentence, so that its capital says nothing.
    Begins,
    /// It is an abbreviation or a code.
    Short,
    /// The same name is surely a place elsewhere on the page.
    SameName,
    /// It stands in a list with places.
    Listed,
    /// Other places of the page lie near it.
    Supported,
    // Which place is it?
    /// How well known this one is among the places of the name.
    Prior,
    /// What stands beside it behind a comma holds it, or lies in it.
    Holds,
    /// What it lies in is named on the page.
    Hierarchy,
    /// Other places of the page are near.
    Near,
    /// It lies where the site or the page's country is at home.
    Home,
    /// By what sort of name it is named, and of what kind it is: codes and streets are meant less often.
    NameClass,
}

/// Every reason with what a full measure of it adds to the logarithm of the odds, and its name for people.
///
/// The weights were set by hand: no text whose marks may be passed on was there to learn them from.
const TABLE: [(Reason, f32, &str); 30] = [
    (Reason::Known, 5.0, "how well known"),
    (Reason::SeveralWords, 1.4, "several words"),
    (Reason::OrdinaryWord, -1.0, "an ordinary word too"),
    (Reason::GivenName, -0.7, "a given name too"),
    (Reason::Surname, -0.4, "a surname too"),
    (Reason::Locative, 1.5, "behind a word like \"in\""),
    (Reason::WeakLocative, 0.5, "behind a word like \"of\""),
    (Reason::PartBefore, 1.2, "behind a word like \"northern\""),
    (Reason::Chain, 3.0, "beside what holds it or lies in it"),
    (Reason::SortAfter, 1.2, "says what sort of place"),
    (Reason::SortBefore, 1.0, "behind a sort of place"),
    (Reason::OfATown, 1.0, "before what towns have"),
    (Reason::Title, -3.0, "behind a title"),
    (Reason::NamedPerson, -2.5, "a person of the page is called so"),
    (Reason::CapitalBefore, -1.5, "behind a capital word"),
    (Reason::CapitalAfter, -1.0, "before a capital word"),
    (Reason::Firm, -4.5, "part of a firm's name"),
    (Reason::Speech, -1.5, "does what persons do"),
    (Reason::NoCase, -1.0, "capitals say nothing here"),
    (Reason::Begins, -0.6, "begins its sentence"),
    (Reason::Short, -5.0, "an abbreviation or code"),
    (Reason::SameName, 1.0, "surely a place elsewhere on the page"),
    (Reason::Listed, 1.5, "in a list with places"),
    (Reason::Supported, 1.0, "other places of the page are near"),
    (Reason::Prior, 9.0, "how well known"),
    (Reason::Holds, 7.0, "beside what holds it or lies in it"),
    (Reason::Hierarchy, 2.0, "the page names what holds it"),
    (Reason::Near, 2.0, "other places of the page are near"),
    (Reason::Home, 3.0, "the page or its site is at home there"),
    (Reason::NameClass, 1.0, "sort of name and of place"),
];

impl Reason {
    /// Every reason, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|it| it.0)
    }

    /// The reason in a few words.
    pub fn label(self) -> &'static str {
        TABLE[self as usize].2
    }
}

/// What each reason weighs. Some can be taken away to see what they bring.
#[derive(Clone, Debug)]
pub struct Weights([f32; TABLE.len()]);

impl Default for Weights {
    fn default() -> Self {
        Self(TABLE.map(|it| it.1))
    }
}

impl Weights {
    /// The same without some reasons.
    #[must_use]
    pub fn without(mut self, reasons: &[Reason]) -> Self {
        for reason in reasons {
            self.0[*reason as usize] = 0.0;
        }
        self
    }

    /// What so much of a reason adds.
    pub(crate) fn of(&self, reason: Reason, amount: f32) -> f32 {
        self.0[reason as usize] * amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_at_its_place_in_the_table() {
        assert!(Reason::all().enumerate().all(|(at, it)| it as usize == at));
    }

    #[test]
    fn what_is_left_out_weighs_nothing() {
        let less = Weights::default().without(&[Reason::Locative]);
        assert!(less.of(Reason::Locative, 1.0).abs() < f32::EPSILON);
        assert!(less.of(Reason::Chain, 1.0) > 0.0);
    }
}
