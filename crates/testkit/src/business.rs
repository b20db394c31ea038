//! The businesses of the small web: who is where, what it is called, what it says.

use std::collections::HashSet;

use gazetteer::{Gazetteer, Kind};

use crate::address::{Address, Form};
use crate::chance::Chance;
use crate::language::Language;
use crate::markup::{escaped, slug};
use crate::phrasebook::{Phrasebook, Voice};
use crate::town::Town;

/// How far away a district may be for a house to be in it, in metres.
const DISTRICT: f64 = 1_500.0;
/// How many neighbours a business knows.
const NEIGHBOURS: usize = 4;
/// A name that is taken is chosen anew so often; then the street is added to it.
const TRIES: usize = 40;

/// The trades, with how many of a hundred businesses follow them.
pub(crate) const TRADES: [(&str, usize); 14] = [
    ("bakery", 12),
    ("cafe", 11),
    ("museum", 11),
    ("restaurant", 9),
    ("hotel", 7),
    ("bookshop", 7),
    ("gallery", 7),
    ("sailing", 6),
    ("chess", 5),
    ("choir", 5),
    ("lawyers", 6),
    ("architects", 6),
    ("bicycles", 4),
    ("florist", 4),
];

/// Somebody at an address, with a trade.
#[derive(Clone, Debug)]
pub(crate) struct Business {
    pub(crate) name: String,
    pub(crate) trade: &'static str,
    pub(crate) language: Language,
    pub(crate) address: Address,
    pub(crate) district: String,
    /// How its pages write the address.
    pub(crate) form: Form,
    /// The host of its own site, if it has one.
    pub(crate) host: Option<String>,
    /// Its page in the directory of the town.
    pub(crate) entry: String,
    /// The nearest others, the nearest first.
    pub(crate) neighbours: Vec<Neighbour>,
    chance: Chance,
}

/// What a business knows of another nearby.
#[derive(Clone, Debug)]
pub(crate) struct Neighbour {
    pub(crate) name: String,
    /// What it is: `bakery`.
    pub(crate) noun: &'static str,
    /// Its own site, or its page in the directory.
    pub(crate) url: String,
    /// Its page in the directory.
    pub(crate) entry: String,
}

/// The businesses of a town: so many, if there are so many houses; the first of them with a site of their own.
pub(crate) fn businesses(
    gazetteer: &Gazetteer,
    town: Town,
    chance: &Chance,
    (count, sites): (usize, usize),
) -> Vec<Business> {
    let mut taken = HashSet::new();
    let houses = town.houses(gazetteer, chance);
    let mut all: Vec<Business> = Vec::new();
    for address in houses.into_iter().take(count) {
        let chance = chance.of(&address.line());
        let mut it = Business::at(gazetteer, address, all.len(), &chance, &mut taken);
        if all.len() < sites {
            it.host = Some(format!("{}.example", slug(&it.name)));
        }
        all.push(it);
    }
    for at in 0..all.len() {
        let mut others: Vec<usize> = (0..all.len()).filter(|it| *it != at).collect();
        let from = all[at].address.point;
        let far = |other: usize| from.distance(all[other].address.point).0;
        others.sort_by(|a, b| far(*a).total_cmp(&far(*b)));
        let nearest = others.iter().take(NEIGHBOURS).map(|it| Neighbour::of(&all[*it]));
        all[at].neighbours = nearest.collect();
    }
    all
}

impl Neighbour {
    fn of(it: &Business) -> Self {
        Self { name: it.name.clone(), noun: it.noun(), url: it.url(), entry: it.entry.clone() }
    }
}

impl Business {
    fn at(
        gazetteer: &Gazetteer,
        address: Address,
        number: usize,
        chance: &Chance,
        taken: &mut HashSet<String>,
    ) -> Self {
        let mut choice = chance.of("trade");
        let trade = trade(number);
        let language = if choice.percent(65) { Language::English } else { address.town.language() };
        // A name need not be in the language of the page.
        let speaks = if choice.percent(35) { Language::English } else { address.town.language() };
        let mut names = Voice::new(speaks, trade, chance.of("name"));
        let name = (0..TRIES).map(|_| names.sentence("name")).find(|it| !taken.contains(it));
        let name =
            name.unwrap_or_else(|| format!("{}, {}", names.sentence("name"), address.street));
        taken.insert(name.clone());
        let near = gazetteer.nearest_cities(address.point, 4, earth::Meters(DISTRICT));
        let mut near = near.iter().map(|it| gazetteer.place(it.0));
        let district = near.find(|it| it.kind() == Kind::District);
        let district = district.map_or(address.town(), |it| it.name()).to_owned();
        let form = choice.pick(&Form::ALL).copied().unwrap_or(Form::Plain);
        let entry =
            format!("{}/place/{}-{}", directory(address.town), slug(&name), slug(&address.house()));
        Self {
            name,
            trade,
            language,
            address,
            district,
            form,
            host: None,
            entry,
            neighbours: Vec::new(),
            chance: chance.clone(),
        }
    }

    /// Its own site, or its page in the directory.
    pub(crate) fn url(&self) -> String {
        self.host.as_ref().map_or_else(|| self.entry.clone(), |it| format!("http://{it}/"))
    }

    /// What it is, in the language of its pages: `bakery`.
    pub(crate) fn noun(&self) -> &'static str {
        noun(self.language, self.trade)
    }

    /// A voice that speaks about it in a language; what is said differs by the name of the page.
    pub(crate) fn voice_in(&self, language: Language, page: &str) -> Voice {
        self.voice_of(language, self.trade, self.chance.of(page))
    }

    /// A voice that knows it and speaks the phrases of a section.
    pub(crate) fn voice_of(
        &self,
        language: Language,
        section: &'static str,
        chance: Chance,
    ) -> Voice {
        let neighbour = self.neighbours.first();
        let noun = noun(language, self.trade);
        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        Voice::new(language, section, chance)
            .knowing("name", &self.name)
            .knowing("street", &self.address.street)
            .knowing("town", self.address.town())
            .knowing("district", &self.district)
            .knowing("neighbour", neighbour.map_or("the old post office", |it| it.name.as_str()))
            .knowing("noun", noun)
            .knowing("a", article)
    }

    /// A voice that speaks about it in the language of its pages.
    pub(crate) fn voice(&self, page: &str) -> Voice {
        self.voice_in(self.language, page)
    }

    /// The choices for a page of it.
    pub(crate) fn chance(&self, page: &str) -> Chance {
        self.chance.of(page)
    }

    /// When it is open, as a table or a list.
    pub(crate) fn hours(&self, language: Language) -> String {
        let mut chance = self.chance.of("hours");
        let days = Phrasebook::of(language).ways("any", "days");
        let closed = Phrasebook::of(language).ways("any", "closed").first().copied();
        let (from, to) = (chance.between(7, 11), chance.between(16, 21));
        let times = [
            format!("{from}:00–{to}:00"),
            format!("{}:00–{}:30", from + 1, to - 2),
            if chance.percent(40) {
                "12:00–16:00".to_owned()
            } else {
                closed.unwrap_or("–").to_owned()
            },
        ];
        let rows = days.iter().zip(times);
        if chance.percent(50) {
            let row = |(day, time)| format!("<tr><th>{day}</th><td>{time}</td></tr>");
            let rows: Vec<String> = rows.map(row).collect();
            format!("<table class=\"hours\">{}</table>", rows.concat())
        } else {
            let rows = rows.map(|(day, time)| format!("{day}: {time}")).collect::<Vec<_>>();
            format!("<p class=\"hours\">{}</p>", escaped(&rows.join("; ")))
        }
    }

    /// What schema.org calls it.
    pub(crate) fn kind(&self) -> &'static str {
        match self.trade {
            "bakery" => "Bakery",
            "cafe" => "CafeOrCoffeeShop",
            "restaurant" => "Restaurant",
            "museum" => "Museum",
            "gallery" => "ArtGallery",
            "hotel" => "Hotel",
            "bookshop" => "BookStore",
            "florist" => "Florist",
            "bicycles" => "BikeStore",
            "lawyers" => "LegalService",
            "architects" => "ProfessionalService",
            _ => "SportsActivityLocation",
        }
    }
}

/// Where the directory of a town is.
pub(crate) fn directory(town: Town) -> &'static str {
    match town {
        Town::Helsinki => "http://helsinki-street-by-street.example",
        Town::Monaco => "http://monaco-door-to-door.example",
    }
}

/// What a business of a trade is called: `bakery`.
pub(crate) fn noun(language: Language, trade: &str) -> &'static str {
    Phrasebook::of(language).ways(trade, "noun").first().copied().unwrap_or("house")
}

/// What businesses of a trade are called: `bakeries`. Clubs are told apart.
pub(crate) fn nouns(language: Language, trade: &str) -> String {
    let all = Phrasebook::of(language).ways(trade, "nouns").first().copied().unwrap_or("houses");
    match (trade, language) {
        ("sailing", Language::English) => "Sailing clubs".to_owned(),
        ("chess", Language::English) => "Chess clubs".to_owned(),
        ("choir", Language::English) => "Singing and music clubs".to_owned(),
        ("lawyers", Language::English) => "Law offices".to_owned(),
        ("architects", Language::English) => "Architects' offices".to_owned(),
        _ => {
            let mut letters = all.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
        }
    }
}

/// The trade of a business by its number: every trade has its share of any hundred in a row.
fn trade(number: usize) -> &'static str {
    // 37 and 100 have no common divisor, so a hundred steps meet every number once.
    let mut at = number * 37 % 100;
    for (trade, share) in TRADES {
        if at < share {
            return trade;
        }
        at -= share;
    }
    TRADES[0].0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trade_has_its_share_of_a_hundred() {
        for (name, share) in TRADES {
            assert_eq!((0..100).filter(|it| trade(*it) == name).count(), share, "{name}");
        }
    }

    #[test]
    fn every_trade_has_its_words_in_three_languages() {
        for (trade, _) in TRADES {
            for language in [Language::English, Language::Finnish, Language::French] {
                let book = Phrasebook::of(language);
                for key in ["noun", "nouns", "name", "say", "thing"] {
                    assert!(!book.ways(trade, key).is_empty(), "{key} of {trade} in {language:?}");
                }
            }
        }
    }
}
