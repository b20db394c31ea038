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
    /// It is part of a person's name.
    Person,
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

impl Reason {
    /// Every reason, in order.
    pub const ALL: [Self; 31] = [
        Self::Known,
        Self::SeveralWords,
        Self::OrdinaryWord,
        Self::GivenName,
        Self::Surname,
        Self::Locative,
        Self::WeakLocative,
        Self::PartBefore,
        Self::Chain,
        Self::SortAfter,
        Self::SortBefore,
        Self::OfATown,
        Self::Person,
        Self::Title,
        Self::NamedPerson,
        Self::CapitalBefore,
        Self::CapitalAfter,
        Self::Firm,
        Self::Speech,
        Self::NoCase,
        Self::Begins,
        Self::Short,
        Self::SameName,
        Self::Listed,
        Self::Supported,
        Self::Prior,
        Self::Holds,
        Self::Hierarchy,
        Self::Near,
        Self::Home,
        Self::NameClass,
    ];

    /// The reason in a few words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Known => "how well known",
            Self::SeveralWords => "several words",
            Self::OrdinaryWord => "an ordinary word too",
            Self::GivenName => "a given name too",
            Self::Surname => "a surname too",
            Self::Locative => "behind a word like \"in\"",
            Self::WeakLocative => "behind a word like \"of\"",
            Self::PartBefore => "behind a word like \"northern\"",
            Self::Chain => "beside what holds it or lies in it",
            Self::SortAfter => "says what sort of place",
            Self::SortBefore => "behind a sort of place",
            Self::OfATown => "before what towns have",
            Self::Person => "part of a person's name",
            Self::Title => "behind a title",
            Self::NamedPerson => "a person of the page is called so",
            Self::CapitalBefore => "behind a capital word",
            Self::CapitalAfter => "before a capital word",
            Self::Firm => "part of a firm's name",
            Self::Speech => "does what persons do",
            Self::NoCase => "capitals say nothing here",
            Self::Begins => "begins its sentence",
            Self::Short => "an abbreviation or code",
            Self::SameName => "surely a place elsewhere on the page",
            Self::Listed => "in a list with places",
            Self::Supported => "other places of the page are near",
            Self::Prior => "how well known",
            Self::Holds => "beside what holds it or lies in it",
            Self::Hierarchy => "the page names what holds it",
            Self::Near => "other places of the page are near",
            Self::Home => "the page or its site is at home there",
            Self::NameClass => "sort of name and of place",
        }
    }

    /// What a full measure of it adds to the logarithm of the odds.
    fn weight(self) -> f32 {
        match self {
            Self::Known => 5.0,
            Self::SeveralWords => 1.4,
            Self::OrdinaryWord => -1.0,
            Self::GivenName => -0.7,
            Self::Surname => -0.4,
            Self::Locative => 2.2,
            Self::WeakLocative => 0.5,
            Self::PartBefore => 1.2,
            Self::Chain => 3.0,
            Self::SortAfter => 1.2,
            Self::SortBefore => 1.0,
            Self::OfATown => 1.0,
            Self::Person => -4.5,
            Self::Title => -3.0,
            Self::NamedPerson => -2.5,
            Self::CapitalBefore => -1.5,
            Self::CapitalAfter => -1.0,
            Self::Firm => -4.5,
            Self::Speech => -1.5,
            Self::NoCase => -1.0,
            Self::Begins => -0.6,
            Self::Short => -2.0,
            Self::SameName => 1.0,
            Self::Listed => 1.5,
            Self::Supported => 1.0,
            Self::Prior => 9.0,
            Self::Holds => 7.0,
            Self::Hierarchy => 2.0,
            Self::Near => 2.0,
            Self::Home => 3.0,
            Self::NameClass => 1.0,
        }
    }
}

/// What each reason weighs. Some can be taken away to see what they bring.
#[derive(Clone, Debug)]
pub struct Weights([f32; Reason::ALL.len()]);

impl Default for Weights {
    fn default() -> Self {
        Self(Reason::ALL.map(Reason::weight))
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
