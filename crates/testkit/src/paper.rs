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
        name: "The Quayside Lantern",
        root: "http://the-quayside-lantern.example",
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

/// What an article is about: a city somewhere, or a business of a reader.
#[derive(Clone, Copy)]
enum Subject<'a> {
    City(&'a City),
    Business(&'a Business),
}

struct Article<'a> {
    topic: Topic,
    subject: Subject<'a>,
    date: Date,
    title: String,
    path: String,
    chance: Chance,
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
            let of: Vec<&Article<'_>> = articles.iter().filter(|it| it.topic == topic).collect();
            pages.extend(self.section(topic, &of));
        }
        let mut months: BTreeMap<String, Vec<&Article<'_>>> = BTreeMap::new();
        for it in &articles {
            months.entry(month_of(it.date)).or_default().push(it);
        }
        pages.push(self.front(&articles, months.keys()));
        for (month, of) in &months {
            pages.push(self.month(month, of));
        }
        pages.extend(articles.iter().map(|it| self.article(&articles, &cities, it)));
        pages
    }

    /// What is in the paper, the newest first.
    fn articles<'a>(
        &self,
        cities: &'a [City],
        all: &'a [Business],
        today: Date,
        chance: &Chance,
    ) -> Vec<Article<'a>> {
        let readers: Vec<&Business> =
            all.iter().filter(|it| it.language == self.language).collect();
        let mut articles = Vec::new();
        let mut paths = HashSet::new();
        for (topic, count) in Topic::ALL.into_iter().zip(self.counts) {
            for number in 0..count {
                let chance = chance.of(&format!("{topic:?} {number}"));
                let mut choice = chance.clone();
                let date = day(topic, today, &mut choice);
                let subject = match topic {
                    Topic::Local => choice.pick(&readers).copied().map(Subject::Business),
                    _ => choice.pick(cities).map(Subject::City),
                };
                let Some(subject) = subject else { continue };
                let title = self.voice(topic, subject, cities, &chance, "title").sentence("title");
                let mut path = format!("/{:04}/{:02}/{}", date.year(), date.month(), slug(&title));
                while !paths.insert(path.clone()) {
                    path.push_str("-2");
                }
                articles.push(Article { topic, subject, date, title, path, chance });
            }
        }
        articles.sort_by(|a, b| (b.date, &a.path).cmp(&(a.date, &b.path)));
        articles
    }

    /// A voice that speaks about the subject of an article; `part` is the title or the text.
    fn voice(
        &self,
        topic: Topic,
        subject: Subject<'_>,
        cities: &[City],
        chance: &Chance,
        part: &str,
    ) -> Voice {
        let section = topic.section();
        match subject {
            Subject::Business(it) => it.voice_of(self.language, section, chance.of(part)),
            Subject::City(city) => {
                let others: Vec<&City> = cities.iter().filter(|it| *it != city).collect();
                let others = chance.of("others").some(&others, 2);
                Voice::new(self.language, section, chance.of(part))
                    .knowing("city", city.name)
                    .knowing("other", others.first().map_or("", |it| it.name))
                    .knowing("another", others.last().map_or("", |it| it.name))
            }
        }
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
            link("/subscribe/summer-offer", self.offer())
        ));
        sheet
    }

    /// The words of a link that leads nowhere any more.
    fn offer(&self) -> &'static str {
        match self.language {
            Language::English => "Our summer offer",
            Language::German => "Unser Sommerangebot",
            Language::French => "Notre offre de l'été",
            Language::Finnish => "Kesän tarjous",
        }
    }

    /// What the paper calls a topic.
    fn title_of(&self, topic: Topic) -> &'static str {
        match (self.language, topic) {
            (Language::English, Topic::Harbour) => "On the quays",
            (Language::English, Topic::Flood) => "High water",
            (Language::English, Topic::Local) => "Around the corner",
            (Language::German, Topic::Harbour) => "Am Kai",
            (Language::German, Topic::Flood) => "Hochwasser",
            (Language::German, Topic::Local) => "Um die Ecke",
            (Language::French, Topic::Harbour) => "Sur les quais",
            (Language::French, Topic::Flood) => "Crues",
            (Language::French, Topic::Local) => "Au coin de la rue",
            (Language::Finnish, Topic::Harbour) => "Laiturilla",
            (Language::Finnish, Topic::Flood) => "Tulvat",
            (Language::Finnish, Topic::Local) => "Kulman takana",
        }
    }

    fn front<'a>(
        &self,
        articles: &[Article<'_>],
        months: impl Iterator<Item = &'a String>,
    ) -> Page {
        let mut sheet = self.sheet(self.name);
        sheet.heading(1, self.name);
        sheet.push(rows(articles.iter().take(LISTED)));
        sheet.push(list(months.map(|it| link(&format!("/archive/{it}"), it))));
        sheet.page(format!("{}/", self.root))
    }

    /// The list of a topic, on as many pages as it takes.
    fn section(&self, topic: Topic, articles: &[&Article<'_>]) -> Vec<Page> {
        let path = |number: usize| match number {
            0 => format!("/{}", topic.section()),
            number => format!("/{}/page/{}", topic.section(), number + 1),
        };
        let parts: Vec<_> = articles.chunks(LISTED).collect();
        let page = |(number, part): (usize, &&[&Article<'_>])| {
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

    fn month(&self, month: &str, articles: &[&Article<'_>]) -> Page {
        let mut sheet = self.sheet(month);
        sheet.heading(1, month);
        sheet.push(rows(articles.iter().copied()));
        sheet.page(format!("{}/archive/{month}", self.root))
    }

    fn article(&self, articles: &[Article<'_>], cities: &[City], it: &Article<'_>) -> Page {
        let mut choice = it.chance.of("page");
        let mut voice = self.voice(it.topic, it.subject, cities, &it.chance, "text");
        let mut sheet = self.sheet(&it.title);
        sheet.heading(1, &it.title);
        sheet.published(it.date);
        sheet.topic(it.topic);
        sheet.head(it.head());
        let lead = voice.sentence("lead");
        sheet.summary(&lead);
        sheet.push(match it.subject {
            Subject::City(city) => {
                format!("<p><b>{}</b> – {}</p>", escaped(&city.label()), escaped(&lead))
            }
            Subject::Business(_) => paragraph(&[lead]),
        });
        // Of a business there is less to tell, and it speaks for itself below.
        let paragraphs = if it.topic == Topic::Local { 1 } else { choice.between(2, 3) };
        for _ in 0..paragraphs {
            let count = choice.between(2, 3);
            sheet.push(paragraph(&voice.sentences("say", count)));
        }
        match it.subject {
            Subject::Business(business) => {
                let mut voice = business.voice_in(self.language, &it.path);
                sheet.push(paragraph(&voice.sentences("say", 2)));
                sheet.push(format!("<p>{}</p>", link(&business.url(), &business.name)));
                sheet.address(business, Form::Plain);
            }
            Subject::City(city) if city.has_portal() && choice.percent(30) => {
                let portal = format!("{}/", city.portal());
                sheet.push(format!("<p>{}</p>", link(&portal, city.name)));
            }
            Subject::City(_) => {}
        }
        // By date and not by title: a page is not about the places of its neighbours.
        let others = choice.some(articles, 3).into_iter().filter(|other| other.path != it.path);
        sheet.push(list(others.map(|it| link(&it.path, &self.language.day(it.date)))));
        sheet.page(format!("{}{}", self.root, it.path))
    }
}

impl Article<'_> {
    /// What programs read of it.
    fn head(&self) -> String {
        let linked = json!({
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": self.title,
            "datePublished": self.date.to_string(),
            "articleSection": self.topic.name(),
        });
        format!("<script type=\"application/ld+json\">{linked}</script>")
    }
}

/// `2026-05`.
fn month_of(date: Date) -> String {
    format!("{:04}-{:02}", date.year(), date.month())
}

fn rows<'a>(articles: impl Iterator<Item = &'a Article<'a>>) -> String {
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
