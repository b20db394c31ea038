//! The site of a business: a few pages, some with the address, most without.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::address::Form;
use crate::business::Business;
use crate::language::Language;
use crate::markup::{escaped, link, list, paragraph, slug};
use crate::phrasebook::{Phrasebook, Voice};
use crate::sheet::Sheet;
use crate::web::Page;

/// How old news of a business may be, in days.
const OLDEST: usize = 700;

/// The pages of a business that has a site.
pub(crate) fn pages(of: &Business, today: Date) -> Vec<Page> {
    let Some(host) = &of.host else { return Vec::new() };
    let site = Site { of, root: format!("http://{host}"), names: Names::of(of) };
    let mut pages = vec![site.front(), site.about(), site.visit(), site.imprint()];
    pages.extend(site.things());
    pages.extend(site.news(today));
    if site.is_for_germans() {
        pages.push(site.german());
    }
    pages
}

/// How a site calls its pages.
struct Names {
    home: String,
    about: String,
    visit: String,
    news: String,
    imprint: String,
    more: String,
}

impl Names {
    fn of(business: &Business) -> Self {
        let mut voice = Voice::new(business.language, "any", business.chance("menu"));
        let mut name = |key: &str| voice.sentence(key);
        Self {
            home: name("home"),
            about: name("about"),
            visit: name("visit"),
            news: name("news"),
            imprint: name("imprint"),
            more: name("more"),
        }
    }
}

struct Site<'a> {
    of: &'a Business,
    root: String,
    names: Names,
}

impl Site<'_> {
    fn sheet(&self, title: &str) -> Sheet {
        let mut sheet = Sheet::new(self.of.language, title);
        let names = &self.names;
        // Some link to the old name of the front page, which moves on.
        let home = if self.of.chance("home").percent(25) { "/index.html" } else { "/" };
        sheet.menu(home, &names.home);
        sheet.menu("/about", &names.about);
        sheet.menu("/more/", &names.more);
        sheet.menu("/news/", &names.news);
        sheet.menu("/visit", &names.visit);
        sheet.menu("/imprint", &names.imprint);
        if self.is_for_germans() {
            sheet.menu("/de", "Deutsch");
        }
        sheet.foot(format!(
            "{} · {}",
            escaped(&self.of.name),
            link(&self.of.entry, &format!("{}: {}", self.of.address.town(), self.of.noun()))
        ));
        sheet
    }

    /// Whether visitors come from far enough for a page in their language.
    fn is_for_germans(&self) -> bool {
        matches!(self.of.trade, "museum" | "hotel")
    }

    fn voice(&self, page: &str) -> Voice {
        self.of.voice(page)
    }

    fn front(&self) -> Page {
        let mut voice = self.voice("front");
        let tagline = voice.phrase("tagline");
        let mut sheet = self.sheet(&format!("{} – {tagline}", self.of.name));
        let intro = voice.sentence("intro");
        sheet.summary(&intro);
        sheet.heading(1, &self.of.name);
        sheet.push(paragraph(&[vec![intro], voice.sentences("say", 2)].concat()));
        sheet.push(paragraph(&[voice.sentences("general", 2), voice.sentences("say", 1)].concat()));
        if self.of.chance("front").percent(60) {
            sheet.heading(2, &voice.sentence("hours"));
            sheet.push(self.of.hours(self.of.language));
        }
        if self.of.chance("address").percent(55) {
            sheet.address(self.of, self.of.form);
        }
        sheet.heading(3, &voice.sentence("neighbours"));
        sheet.push(list(
            self.of
                .neighbours
                .iter()
                .map(|it| format!("{} ({})", link(&it.url, &it.name), escaped(it.noun))),
        ));
        sheet.page(format!("{}/", self.root))
    }

    fn about(&self) -> Page {
        let mut voice = self.voice("about");
        let mut sheet = self.sheet(&format!("{} – {}", self.names.about, self.of.name));
        sheet.heading(1, &self.names.about);
        sheet.push(paragraph(&voice.sentences("general", 3)));
        sheet.push(paragraph(&[voice.sentences("say", 2), voice.sentences("general", 2)].concat()));
        sheet.page(format!("{}/about", self.root))
    }

    fn visit(&self) -> Page {
        let mut voice = self.voice("visit");
        let mut sheet = self.sheet(&format!("{} – {}", self.of.name, self.names.visit));
        sheet.heading(1, &self.names.visit);
        sheet.push(paragraph(&[voice.sentence("intro"), voice.sentence("say")]));
        sheet.heading(2, &voice.sentence("address"));
        sheet.address(self.of, self.of.form);
        sheet.push(paragraph(&voice.sentences("near", 2)));
        sheet.heading(2, &voice.sentence("hours"));
        sheet.push(self.of.hours(self.of.language));
        sheet.page(format!("{}/visit", self.root))
    }

    fn imprint(&self) -> Page {
        let mut voice = self.voice("imprint");
        let mut sheet = self.sheet(&format!("{} – {}", self.names.imprint, self.of.name));
        sheet.heading(1, &self.names.imprint);
        sheet.push(paragraph(&voice.sentences("imprinttext", 1)));
        sheet.address(self.of, Form::Lines);
        let host = self.root.trim_start_matches("http://");
        sheet.push(format!("<p>hello@{host}</p>"));
        sheet.page(format!("{}/imprint", self.root))
    }

    /// What the business has or does, one page for each.
    fn things(&self) -> Vec<Page> {
        let mut choice = self.of.chance("things");
        let all = Phrasebook::of(self.of.language).ways(self.of.trade, "thing");
        let most = choice.between(2, 4);
        let things = choice.some(all, most);
        let mut index = self.sheet(&format!("{} – {}", self.names.more, self.of.name));
        let mut voice = self.voice("more");
        index.heading(1, &self.names.more);
        index.push(paragraph(&voice.sentences("say", 2)));
        let path = |thing: &str| format!("/more/{}", slug(thing));
        index.push(list(things.iter().map(|it| link(&path(it), &capital(it)))));
        let mut pages = vec![index.page(format!("{}/more/", self.root))];
        for thing in &things {
            let mut voice = self.voice(thing);
            let mut sheet = self.sheet(&format!("{} – {}", capital(thing), self.of.name));
            sheet.heading(1, &capital(thing));
            sheet.push(paragraph(&voice.sentences("say", 1)));
            sheet.push(paragraph(&voice.sentences("general", 2)));
            voice.know("thing", **thing);
            sheet.push(paragraph(&voice.sentences("say", 2)));
            pages.push(sheet.page(format!("{}{}", self.root, path(thing))));
        }
        pages
    }

    fn news(&self, today: Date) -> Vec<Page> {
        let mut choice = self.of.chance("news");
        let mut dates: Vec<Date> = (0..choice.between(1, 3))
            .map(|_| today.saturating_sub((choice.between(3, OLDEST) as i64).days()))
            .collect();
        dates.sort_unstable();
        dates.dedup();
        dates.reverse();
        let mut index = self.sheet(&format!("{} – {}", self.names.news, self.of.name));
        index.heading(1, &self.names.news);
        let mut pages = Vec::new();
        let mut links = Vec::new();
        for date in dates {
            let mut voice = self.voice(&format!("news {date}"));
            let first = voice.sentence("say");
            let title = first.split([',', ';', ':']).next().unwrap_or(&first);
            let title = title.trim_end_matches('.').to_owned();
            let path = format!("/news/{date}");
            links.push(format!("{date}: {}", link(&path, &title)));
            let mut sheet = self.sheet(&format!("{title} – {}", self.of.name));
            sheet.heading(1, &title);
            sheet.published(date);
            let more = [vec![first], voice.sentences("general", 1), voice.sentences("say", 1)];
            sheet.push(paragraph(&more.concat()));
            sheet.push(paragraph(&voice.sentences("general", 2)));
            pages.push(sheet.page(format!("{}{path}", self.root)));
        }
        index.push(list(links));
        pages.push(index.page(format!("{}/news/", self.root)));
        pages
    }

    /// For visitors from Germany.
    fn german(&self) -> Page {
        let mut voice = self.of.voice_in(Language::German, "german");
        let tagline = voice.phrase("tagline");
        let mut sheet = Sheet::new(Language::German, format!("{} – {tagline}", self.of.name));
        sheet.menu("/", voice.sentence("home"));
        sheet.menu("/visit", voice.sentence("visit"));
        sheet.heading(1, &self.of.name);
        sheet.push(paragraph(&[vec![voice.sentence("intro")], voice.sentences("say", 2)].concat()));
        sheet.push(paragraph(&voice.sentences("general", 2)));
        sheet.heading(2, &voice.sentence("address"));
        sheet.address(self.of, self.of.form);
        sheet.heading(2, &voice.sentence("hours"));
        sheet.push(self.of.hours(Language::German));
        sheet.page(format!("{}/de", self.root))
    }
}

/// Words with a capital at the beginning.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
