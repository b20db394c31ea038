//! The portal of a town with streets: the front door that leads everywhere.

use crate::address::Form;
use crate::business::{Business, TRADES, directory, nouns};
use crate::chance::Chance;
use crate::language::Language;
use crate::markup::{link, list, paragraph};
use crate::phrasebook::Voice;
use crate::sheet::Sheet;
use crate::town::Town;
use crate::web::Page;

/// How many businesses a page of the portal recommends.
const FAVOURITES: usize = 6;

/// Where the portal of a town is.
pub(crate) fn root(town: Town) -> &'static str {
    match town {
        Town::Helsinki => "http://hello-helsinki.example",
        Town::Monaco => "http://bonjour-monaco.example",
    }
}

/// The pages of the portal of a town; `elsewhere` are links to other towns, papers and pastimes.
pub(crate) fn pages(
    town: Town,
    all: &[Business],
    chance: &Chance,
    elsewhere: &[(String, String)],
) -> Vec<Page> {
    let chance = chance.of(root(town));
    let mut pages = vec![front(town, all, &chance, elsewhere), office(town, all)];
    pages.extend(TRADES.iter().map(|it| favourites(town, all, &chance, it.0)));
    pages
}

fn voice(town: Town, chance: &Chance, page: &str) -> Voice {
    Voice::new(Language::English, "town", chance.of(page)).knowing("city", town.name())
}

fn sheet(town: Town, title: &str) -> Sheet {
    let mut sheet = Sheet::new(Language::English, title);
    sheet.menu("/", format!("Hello, {}", town.name()));
    for (trade, _) in TRADES {
        sheet.menu(format!("/favourites/{trade}"), nouns(Language::English, trade));
    }
    sheet.menu("/office", "Tourist office");
    sheet.foot(link(&format!("{}/", directory(town)), "The whole directory"));
    sheet
}

fn front(town: Town, all: &[Business], chance: &Chance, elsewhere: &[(String, String)]) -> Page {
    let mut voice = voice(town, chance, "front");
    let mut sheet = sheet(town, &format!("{} for visitors and everybody else", town.name()));
    sheet.heading(1, &format!("Hello, {}", town.name()));
    sheet.push(paragraph(&voice.sentences("say", 3)));
    sheet.push(paragraph(&voice.sentences("eventsay", 2)));
    sheet.heading(2, "Sites from our streets");
    let sites = all.iter().filter(|it| it.host.is_some());
    sheet.push(list(sites.map(|it| {
        format!("{}, {} on {}", link(&it.url(), &it.name), it.noun(), it.address.street)
    })));
    sheet.heading(2, "Elsewhere");
    sheet.push(list(elsewhere.iter().map(|it| link(&it.0, &it.1))));
    sheet.page(format!("{}/", root(town)))
}

fn favourites(town: Town, all: &[Business], chance: &Chance, trade: &'static str) -> Page {
    let name = format!(
        "Our favourite {} in {}",
        nouns(Language::English, trade).to_lowercase(),
        town.name()
    );
    let mut sheet = sheet(town, &name);
    let mut voice = voice(town, chance, trade);
    sheet.heading(1, &name);
    sheet.push(paragraph(&voice.sentences("say", 2)));
    let members: Vec<&Business> = all.iter().filter(|it| it.trade == trade).collect();
    for it in chance.of(trade).some(&members, FAVOURITES) {
        let mut voice = it.voice_in(Language::English, "favourite");
        sheet.push(format!("<h2>{}</h2>", link(&it.url(), &it.name)));
        sheet.push(paragraph(&voice.sentences("say", 2)));
        sheet.address(it, Form::Plain);
    }
    sheet.page(format!("{}/favourites/{trade}", root(town)))
}

/// The tourist office sits with somebody who has an address.
fn office(town: Town, all: &[Business]) -> Page {
    let mut sheet = sheet(town, &format!("Tourist office of {}", town.name()));
    sheet.heading(1, "Tourist office");
    let host = all.iter().find(|it| it.trade == "bookshop");
    sheet.push(match host {
        Some(host) => format!(
            "<p>The tourist office has a desk in {}, where maps are free and advice is honest.</p>",
            link(&host.url(), &host.name)
        ),
        None => "<p>The tourist office is looking for a house.</p>".to_owned(),
    });
    if let Some(host) = host {
        sheet.address(host, Form::Microdata);
    }
    sheet.page(format!("{}/office", root(town)))
}
