//! Sites about other things: recipes, programming, chess. They have many links and no addresses.

use crate::chance::Chance;
use crate::language::Language;
use crate::markup::{link, list, paragraph, slug};
use crate::phrasebook::{Phrasebook, Voice};
use crate::sheet::Sheet;
use crate::web::Page;

/// How many pages such a site has.
const PAGES: usize = 44;
/// How many links to its own pages a page has, and how many to those of others.
const LINKS: (usize, usize) = (6, 4);

/// What these sites are about, and in which language.
const SECTIONS: [(&str, Language); 4] = [
    ("recipes", Language::English),
    ("recipes", Language::German),
    ("programming", Language::English),
    ("games", Language::English),
];

/// A site about other things.
pub(crate) struct Pastime {
    pub(crate) name: &'static str,
    pub(crate) root: String,
    section: &'static str,
    language: Language,
}

/// All of them.
pub(crate) fn pastimes() -> Vec<Pastime> {
    let sites = SECTIONS.iter().flat_map(|(section, language)| {
        let book = Phrasebook::of(*language);
        let names = book.ways(section, "site").iter().zip(book.ways(section, "host"));
        names.map(|(name, host)| Pastime {
            name,
            root: format!("http://{host}.example"),
            section,
            language: *language,
        })
    });
    sites.collect()
}

impl Pastime {
    /// The titles and paths of its pages.
    fn contents(&self, chance: &Chance) -> Vec<(String, String)> {
        let mut contents: Vec<(String, String)> = Vec::new();
        for number in 0..PAGES {
            let chance = chance.of(&format!("{} {number}", self.root));
            let title = Voice::new(self.language, self.section, chance).sentence("dish");
            let path = format!("/{}/{}-{number}", self.section, slug(&title));
            contents.push((title, path));
        }
        contents
    }

    /// The pages of the site, with links to the others and, now and then, to where people live.
    pub(crate) fn pages(
        &self,
        all: &[Self],
        chance: &Chance,
        elsewhere: &[(String, String)],
    ) -> Vec<Page> {
        let contents = self.contents(chance);
        let others: Vec<(String, String)> = all
            .iter()
            .filter(|it| it.root != self.root)
            .flat_map(|it| {
                let absolute =
                    |(title, path): (String, String)| (title, format!("{}{path}", it.root));
                it.contents(chance).into_iter().map(absolute)
            })
            .collect();
        let mut front = self.sheet(self.name);
        front.heading(1, self.name);
        front.push(list(contents.iter().map(|it| link(&it.1, &it.0))));
        front.push(list(
            all.iter()
                .filter(|it| it.root != self.root)
                .map(|it| link(&format!("{}/", it.root), it.name)),
        ));
        let mut pages = vec![front.page(format!("{}/", self.root))];
        for (title, path) in &contents {
            let mut choice = chance.of(path);
            let mut voice = Voice::new(self.language, self.section, choice.of("voice"));
            let mut sheet = self.sheet(title);
            sheet.heading(1, title);
            for _ in 0..choice.between(2, 3) {
                let count = choice.between(2, 3);
                sheet.push(paragraph(&voice.sentences("say", count)));
            }
            let near = choice.some(&contents, LINKS.0);
            let near = near.into_iter().filter(|it| it.1 != *path);
            let far = choice.some(&others, LINKS.1);
            let mut links: Vec<String> = near.chain(far).map(|it| link(&it.1, &it.0)).collect();
            if choice.percent(10) {
                links.extend(choice.pick(elsewhere).map(|it| link(&it.0, &it.1)));
            }
            sheet.push(list(links));
            pages.push(sheet.page(format!("{}{path}", self.root)));
        }
        pages
    }

    fn sheet(&self, title: &str) -> Sheet {
        let mut sheet = Sheet::new(self.language, format!("{title} – {}", self.name));
        sheet.menu("/", self.name);
        sheet.foot(self.name);
        sheet
    }
}
