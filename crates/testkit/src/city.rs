//! Cities of the world: known by name, without streets; each has a small portal.

use gazetteer::{Gazetteer, Kind};

use crate::business::{noun, nouns};
use crate::chance::Chance;
use crate::language::Language;
use crate::markup::{escaped, link, list, paragraph, slug};
use crate::phrasebook::Voice;
use crate::sheet::Sheet;
use crate::web::Page;

use Language::{English, Finnish, French, German};

/// Cities with a portal.
const PORTALS: [(&str, Language); 24] = [
    ("Hamburg", German),
    ("Bremen", German),
    ("Oldenburg", German),
    ("Wien", German),
    ("Zürich", German),
    ("Nice", French),
    ("Marseille", French),
    ("Lyon", French),
    ("Genève", French),
    ("Québec", French),
    ("Turku", Finnish),
    ("Tampere", Finnish),
    ("Oulu", Finnish),
    ("Edinburgh", English),
    ("Bristol", English),
    ("Lisbon", English),
    ("Athens", English),
    ("Tallinn", English),
    ("Stockholm", English),
    ("New Orleans", English),
    ("Vancouver", English),
    ("Sydney", English),
    ("Yokohama", English),
    ("Cape Town", English),
];

/// Cities that are in the news, by the language of the paper.
const IN_THE_NEWS: [(Language, &[&str]); 4] = [
    (
        English,
        &[
            "Hamburg",
            "Rotterdam",
            "Venice",
            "Genoa",
            "Lisbon",
            "Tallinn",
            "Stockholm",
            "Bergen",
            "Edinburgh",
            "Bristol",
            "Cork",
            "Halifax",
            "Boston",
            "New Orleans",
            "Vancouver",
            "Sydney",
            "Auckland",
            "Yokohama",
            "Singapore",
            "Mumbai",
            "Cape Town",
            "Buenos Aires",
            "Valparaíso",
            "Jakarta",
            "Bangkok",
            "Dhaka",
            "Copenhagen",
            "Helsinki",
            "Monaco",
            "Reykjavík",
        ],
    ),
    (
        German,
        &[
            "Hamburg",
            "Bremen",
            "Oldenburg",
            "Kiel",
            "Rostock",
            "Köln",
            "Dresden",
            "Passau",
            "Wilhelmshaven",
            "Emden",
            "Stralsund",
            "Koblenz",
            "Basel",
            "Linz",
            "Helsinki",
            "Monaco",
        ],
    ),
    (
        French,
        &[
            "Nice",
            "Marseille",
            "Bordeaux",
            "Nantes",
            "Genève",
            "Québec",
            "Toulon",
            "Dunkerque",
            "La Rochelle",
            "Cannes",
            "Lyon",
            "Bruges",
            "Monaco",
            "Helsinki",
        ],
    ),
    (
        Finnish,
        &[
            "Turku", "Tampere", "Oulu", "Kotka", "Rauma", "Porvoo", "Hanko", "Vaasa", "Pori",
            "Kemi", "Helsinki", "Monaco",
        ],
    ),
];

/// What a portal has a page about.
const TRADES: [&str; 6] = ["bakery", "museum", "cafe", "sailing", "hotel", "architects"];

/// A city of the gazetteer, by the name that a page gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct City {
    pub(crate) name: &'static str,
    pub(crate) country: String,
    pub(crate) language: Language,
}

/// The cities that have a portal.
pub(crate) fn with_portal(gazetteer: &Gazetteer) -> Vec<City> {
    PORTALS.iter().filter_map(|(name, language)| known(gazetteer, name, *language)).collect()
}

/// The cities that a paper of this language writes about.
pub(crate) fn in_the_news(gazetteer: &Gazetteer, language: Language) -> Vec<City> {
    let names = IN_THE_NEWS.iter().filter(|it| it.0 == language).flat_map(|it| it.1);
    names.filter_map(|name| known(gazetteer, name, language)).collect()
}

/// The best known city of the name, if the gazetteer has one.
fn known(gazetteer: &Gazetteer, name: &'static str, language: Language) -> Option<City> {
    let mut bearers = gazetteer.named(name).map(|it| it.0);
    let city = bearers.find(|it| it.kind() == Kind::City)?;
    let country = city.country().map(|it| it.name().to_owned()).unwrap_or_default();
    Some(City { name, country, language })
}

impl City {
    /// `Hamburg, Germany` in English; elsewhere readers know.
    pub(crate) fn label(&self) -> String {
        if self.language == English && self.country != self.name && !self.country.is_empty() {
            format!("{}, {}", self.name, self.country)
        } else {
            self.name.to_owned()
        }
    }

    /// Whether it has a portal.
    pub(crate) fn has_portal(&self) -> bool {
        PORTALS.contains(&(self.name, self.language))
    }

    /// Where its portal is, if it has one.
    pub(crate) fn portal(&self) -> String {
        let greeting = match self.language {
            English => "hello",
            Finnish => "moi",
            French => "bonjour",
            German => "moin",
        };
        format!("http://{greeting}-{}.example", slug(self.name))
    }

    /// `Bakeries in Bristol`.
    fn heading(&self, trade: &str) -> String {
        let nouns = nouns(self.language, trade);
        match self.language {
            English | German => format!("{nouns} in {}", self.name),
            French => format!("{nouns} à {}", self.name),
            Finnish => format!("{nouns} – {}", self.name),
        }
    }

    /// The pages of its portal; `others` are links to elsewhere.
    pub(crate) fn pages(&self, chance: &Chance, others: &[(String, String)]) -> Vec<Page> {
        let root = self.portal();
        let mut chance = chance.of(&root);
        let voice = |chance: &Chance, page: &str| {
            Voice::new(self.language, "town", chance.of(page)).knowing("city", self.name)
        };
        let mut front = self.sheet(&self.label());
        let mut speaker = voice(&chance, "front");
        front.heading(1, &self.label());
        front.push(paragraph(&speaker.sentences("say", 3)));
        front.push(paragraph(&speaker.sentences("say", 2)));
        front.push(list(others.iter().map(|it| link(&it.0, &it.1))));
        let mut pages = vec![front.page(format!("{root}/"))];

        let mut events = self.sheet(&speaker.sentence("news"));
        let mut speaker = voice(&chance, "events");
        events.heading(1, &format!("{}: {}", self.name, speaker.sentence("news")));
        events.push(paragraph(&speaker.sentences("eventsay", 2)));
        events.push(paragraph(&speaker.sentences("say", 2)));
        pages.push(events.page(format!("{root}/events")));

        for trade in TRADES {
            let mut sheet = self.sheet(&self.heading(trade));
            sheet.heading(1, &self.heading(trade));
            for number in 0..chance.between(3, 4) {
                let mut speaker =
                    Voice::new(self.language, trade, chance.of(&format!("{trade} {number}")))
                        .knowing("town", self.name)
                        .knowing("noun", noun(self.language, trade))
                        .knowing("district", self.name);
                let name = speaker.sentence("name");
                sheet.heading(2, &format!("{name}, {}", self.name));
                sheet.push(paragraph(&speaker.sentences("say", 2)));
            }
            pages.push(sheet.page(format!("{root}/{trade}")));
        }
        pages
    }

    fn sheet(&self, title: &str) -> Sheet {
        let mut voice = Voice::new(self.language, "town", Chance::new(0).of(self.name));
        let title = if title.contains(self.name) {
            title.to_owned()
        } else {
            format!("{title} – {}", self.name)
        };
        let mut sheet = Sheet::new(self.language, title);
        sheet.menu("/", self.name);
        for trade in TRADES {
            sheet.menu(format!("/{trade}"), nouns(self.language, trade));
        }
        sheet.menu("/events", voice.sentence("news"));
        sheet.foot(escaped(&self.label()));
        sheet
    }
}
