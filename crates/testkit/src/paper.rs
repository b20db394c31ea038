//! Newspapers: dated articles about harbour festivals, flood protection and the neighbourhood.

use std::collections::{BTreeMap, HashSet};

use gazetteer::Gazetteer;
use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::json;

use crate::address::Form;
use crate::business::Business;
use crate::chance::Chance;
use crate::city::{City, in_the_news};
use crate::language::Language;
use crate::markup::{escaped, link, list, paragraph, slug};
use crate::phrasebook::Voice;
use crate::sheet::Sheet;
use crate::web::Page;

/// Articles are at most so old, in days: two years.
const OLDEST: usize = 730;
/// How many articles a page lists.
const LISTED: usize = 25;

/// What an article is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Festivals of harbours and of the sea, mostly in summer.
    Harbour,
    /// Protection from floods, mostly in autumn and winter, and more from year to year.
    Flood,
    /// A business of the neighbourhood.
    Local,
}

impl Topic {
    const ALL: [Self; 3] = [Self::Harbour, Self::Flood, Self::Local];

    /// The topic in a word or two, as pages state it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Harbour => "harbour festival",
            Self::Flood => "flood protection",
            Self::Local => "neighbourhood",
        }
    }

    fn section(self) -> &'static str {
        match self {
            Self::Harbour => "harbour",
            Self::Flood => "flood",
            Self::Local => "local",
        }
    }

    /// How likely a day has such an article, of a hundred.
    fn likeliness(self, day: Date, age: usize) -> usize {
        let is_summer = (5..=9).contains(&day.month());
        match self {
            Self::Harbour if is_summer => 100,
            Self::Harbour => 15,
            Self::Flood if is_summer => 20,
            Self::Flood => 100 - 70 * age / OLDEST,
            Self::Local => 60,
        }
    }
}

/// A newspaper.
pub(crate) struct Paper {
    pub(crate) name: &'static str,
    pub(crate) root: &'static str,
    language: Language,
    /// How many articles there are of each topic.
    counts: [usize; 3],
}

/// The newspapers.
pub(crate) const PAPERS: [Paper; 4] = [
    Paper {
        name: "The Harbour Lantern",
        root: "http://the-harbour-lantern.example",
        language: Language::English,
        counts: [80, 70, 30],
    },
    Paper {
        name: "Der Deichbote",
        root: "http://der-deichbote.example",
        language: Language::German,
        counts: [32, 38, 0],
    },
    Paper {
        name: "Le Petit Phare",
        root: "http://le-petit-phare.example",
        language: Language::French,
        counts: [28, 24, 10],
    },
    Paper {
        name: "Satamaviesti",
        root: "http://satamaviesti.example",
        language: Language::Finnish,
        counts: [24, 22, 10],
    },
];

struct Article {
    topic: Topic,
    date: Date,
    title: String,
    path: String,
    /// What it is about: a city, or a business by its number.
    city: Option<City>,
    business: Option<usize>,
}

impl Paper {
    /// The pages of the paper. It writes about cities of the world, and about the businesses of its readers.
    pub(crate) fn pages(
        &self,
        gazetteer: &Gazetteer,
        all: &[Business],
        today: Date,
        chance: &Chance,
    ) -> Vec<Page> {
        let chance = chance.of(self.root);
        let cities = in_the_news(gazetteer, self.language);
        let articles = self.articles(&cities, all, today, &chance);
        let mut pages = Vec::new();
        for topic in Topic::ALL {
            let of: Vec<&Article> = articles.iter().filter(|it| it.topic == topic).collect();
            pages.extend(self.section(topic, &of));
        }
        let mut months: BTreeMap<String, Vec<&Article>> = BTreeMap::new();
        for it in &articles {
            months.entry(month_of(it.date)).or_default().push(it);
        }
        pages.push(self.front(&articles, months.keys()));
        for (month, of) in &months {
            pages.push(self.month(month, of));
        }
        let written = |at: usize| self.article(&articles, at, &cities, all, &chance);
        pages.extend((0..articles.len()).map(written));
        pages
    }

    /// What is in the paper, the newest first.
    fn articles(
        &self,
        cities: &[City],
        all: &[Business],
        today: Date,
        chance: &Chance,
    ) -> Vec<Article> {
        let mut articles = Vec::new();
        let mut paths = HashSet::new();
        for (topic, count) in Topic::ALL.into_iter().zip(self.counts) {
            for number in 0..count {
                let mut choice = chance.of(&format!("{topic:?} {number}"));
                let date = day(topic, today, &mut choice);
                let is_local = topic == Topic::Local;
                let business = if is_local { self.reader(all, &mut choice) } else { None };
                let city = if is_local { None } else { choice.pick(cities).cloned() };
                if business.is_none() && city.is_none() {
                    continue;
                }
                let mut voice = self.voice(topic, &choice, city.as_ref(), cities, business, all);
                let title = voice.sentence("title");
                let mut path = format!("/{:04}/{:02}/{}", date.year(), date.month(), slug(&title));
                while !paths.insert(path.clone()) {
                    path.push_str("-2");
                }
                articles.push(Article { topic, date, title, path, city, business });
            }
        }
        articles.sort_by(|a, b| (b.date, &a.path).cmp(&(a.date, &b.path)));
        articles
    }

    /// A business that speaks the paper's language.
    fn reader(&self, all: &[Business], choice: &mut Chance) -> Option<usize> {
        let readers: Vec<usize> =
            (0..all.len()).filter(|it| all[*it].language == self.language).collect();
        choice.pick(&readers).copied()
    }

    fn voice(
        &self,
        topic: Topic,
        choice: &Chance,
        city: Option<&City>,
        cities: &[City],
        business: Option<usize>,
        all: &[Business],
    ) -> Voice {
        let mut voice = Voice::new(self.language, topic.section(), choice.of("voice"));
        if let Some(city) = city {
            let others: Vec<&City> = cities.iter().filter(|it| *it != city).collect();
            let others = choice.of("others").some(&others, 2);
            voice.know("city", city.name);
            voice.know("other", others.first().map_or("", |it| it.name));
            voice.know("another", others.last().map_or("", |it| it.name));
        }
        if let Some(it) = business.and_then(|it| all.get(it)) {
            let noun = it.noun();
            voice.know("name", &it.name);
            voice.know("noun", noun);
            let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            voice.know("a", article);
            voice.know("street", &it.address.street);
            voice.know("house", &it.address.number);
            voice.know("town", it.address.town());
            voice.know("district", &it.district);
        }
        voice
    }

    fn sheet(&self, title: &str) -> Sheet {
        let mut sheet = Sheet::new(self.language, format!("{title} – {}", self.name));
        sheet.menu("/", self.name);
        for topic in Topic::ALL {
            if self.counts[topic as usize] > 0 {
                sheet.menu(format!("/{}", topic.section()), self.title_of(topic));
            }
        }
        sheet.foot(format!(
            "{} · {}",
            escaped(self.name),
            link("/subscribe/summer-offer", "Abo / abonnement / subscribe")
        ));
        sheet
    }

    /// What the paper calls a topic.
    fn title_of(&self, topic: Topic) -> &'static str {
        match (self.language, topic) {
            (Language::English, Topic::Harbour) => "Harbour festivals",
            (Language::English, Topic::Flood) => "Flood protection",
            (Language::English, Topic::Local) => "Around the corner",
            (Language::German, Topic::Harbour) => "Hafenfeste",
            (Language::German, Topic::Flood) => "Hochwasserschutz",
            (Language::German, Topic::Local) => "Um die Ecke",
            (Language::French, Topic::Harbour) => "Fêtes du port",
            (Language::French, Topic::Flood) => "Inondations",
            (Language::French, Topic::Local) => "Au coin de la rue",
            (Language::Finnish, Topic::Harbour) => "Satamajuhlat",
            (Language::Finnish, Topic::Flood) => "Tulvasuojelu",
            (Language::Finnish, Topic::Local) => "Kulman takana",
        }
    }

    fn front<'a>(&self, articles: &[Article], months: impl Iterator<Item = &'a String>) -> Page {
        let mut sheet = self.sheet(self.name);
        sheet.heading(1, self.name);
        sheet.push(rows(articles.iter().take(LISTED)));
        sheet.push(list(months.map(|it| link(&format!("/archive/{it}"), it))));
        sheet.page(format!("{}/", self.root))
    }

    /// The list of a topic, on as many pages as it takes.
    fn section(&self, topic: Topic, articles: &[&Article]) -> Vec<Page> {
        let path = |number: usize| match number {
            0 => format!("/{}", topic.section()),
            number => format!("/{}/page/{}", topic.section(), number + 1),
        };
        let parts: Vec<_> = articles.chunks(LISTED).collect();
        let page = |(number, part): (usize, &&[&Article])| {
            let mut sheet = self.sheet(self.title_of(topic));
            sheet.heading(1, self.title_of(topic));
            sheet.push(rows(part.iter().copied()));
            if number + 1 < parts.len() {
                sheet.push(format!("<p>{}</p>", link(&path(number + 1), "»")));
            }
            sheet.page(format!("{}{}", self.root, path(number)))
        };
        parts.iter().enumerate().map(page).collect()
    }

    fn month(&self, month: &str, articles: &[&Article]) -> Page {
        let mut sheet = self.sheet(month);
        sheet.heading(1, month);
        sheet.push(rows(articles.iter().copied()));
        sheet.page(format!("{}/archive/{month}", self.root))
    }

    fn article(
        &self,
        articles: &[Article],
        at: usize,
        cities: &[City],
        all: &[Business],
        chance: &Chance,
    ) -> Page {
        let it = &articles[at];
        let mut choice = chance.of(&it.path);
        let mut voice = self.voice(it.topic, &choice, it.city.as_ref(), cities, it.business, all);
        let mut sheet = self.sheet(&it.title);
        sheet.heading(1, &it.title);
        sheet.published(it.date);
        sheet.topic(it.topic);
        let linked = json!({
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": it.title,
            "datePublished": it.date.to_string(),
            "articleSection": it.topic.name(),
        });
        sheet.head(format!("<script type=\"application/ld+json\">{linked}</script>"));
        let lead = voice.sentence("lead");
        sheet.summary(&lead);
        if let Some(city) = &it.city {
            sheet.push(format!("<p><b>{}</b> – {}</p>", escaped(&city.label()), escaped(&lead)));
        } else {
            sheet.push(paragraph(&[lead]));
        }
        for _ in 0..choice.between(2, 3) {
            let count = choice.between(2, 3);
            sheet.push(paragraph(&voice.sentences("say", count)));
        }
        if let Some(business) = it.business.and_then(|it| all.get(it)) {
            let mut speaker = business.voice_in(self.language, &it.path, all);
            sheet.push(paragraph(&speaker.sentences("say", 2)));
            sheet.push(format!("<p>{}</p>", link(&business.url(), &business.name)));
            sheet.address(business, Form::Plain);
        }
        if let Some(city) = it.city.as_ref().filter(|it| it.has_portal())
            && choice.percent(30)
        {
            sheet.push(format!("<p>{}</p>", link(&format!("{}/", city.portal()), city.name)));
        }
        let others = choice.some(articles, 3);
        sheet.push(rows(others.into_iter().filter(|other| other.path != it.path)));
        sheet.page(format!("{}{}", self.root, it.path))
    }
}

/// `2026-05`.
fn month_of(date: Date) -> String {
    format!("{:04}-{:02}", date.year(), date.month())
}

fn rows<'a>(articles: impl Iterator<Item = &'a Article>) -> String {
    list(articles.map(|it| format!("{}, {}", link(&it.path, &it.title), it.date)))
}

/// A day of the last two years on which such an article may have been written.
fn day(topic: Topic, today: Date, choice: &mut Chance) -> Date {
    loop {
        let age = choice.between(1, OLDEST);
        let day = today.saturating_sub((age as i64).days());
        if choice.percent(topic.likeliness(day, age)) {
            return day;
        }
    }
}
