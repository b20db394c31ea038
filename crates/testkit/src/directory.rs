//! The directory of a town: a page for every business, with lists by trade and by street.

use std::collections::BTreeMap;

use crate::address::Form;
use crate::business::{Business, TRADES, directory, nouns};
use crate::language::Language;
use crate::markup::{escaped, link, list, paragraph, slug};
use crate::sheet::Sheet;
use crate::town::Town;
use crate::web::Page;

/// A street with fewer businesses gets no page.
const STREET: usize = 3;

/// The pages of the directory of a town.
pub(crate) fn pages(town: Town, all: &[Business]) -> Vec<Page> {
    let mut pages = vec![front(town, all)];
    for (trade, _) in TRADES {
        pages.extend(by_trade(town, all, trade));
    }
    for (street, members) in streets(all) {
        pages.push(by_street(town, street, &members));
    }
    pages.extend(all.iter().map(|it| entry(town, all, it)));
    pages
}

/// The streets that have a page, with their businesses.
fn streets(all: &[Business]) -> BTreeMap<&str, Vec<&Business>> {
    let mut streets: BTreeMap<&str, Vec<&Business>> = BTreeMap::new();
    for it in all {
        streets.entry(&it.address.street).or_default().push(it);
    }
    streets.retain(|_, members| members.len() >= STREET);
    streets
}

fn title(town: Town) -> &'static str {
    match town {
        Town::Helsinki => "Helsinki Street by Street",
        Town::Monaco => "Monaco Door to Door",
    }
}

fn sheet(language: Language, town: Town, name: &str) -> Sheet {
    let mut sheet = Sheet::new(language, format!("{name} – {}", title(town)));
    sheet.menu("/", title(town));
    for (trade, _) in TRADES.iter().take(7) {
        sheet.menu(format!("/trade/{trade}"), nouns(Language::English, trade));
    }
    sheet.foot(format!("{}, the directory of everybody with a door.", title(town)));
    sheet
}

fn front(town: Town, all: &[Business]) -> Page {
    let mut sheet = sheet(Language::English, town, "The directory");
    sheet.heading(1, title(town));
    sheet.push(format!(
        "<p>All {} bakeries, museums, clubs, offices and other houses of {} that have told us about themselves, \
         by trade and by street.</p>",
        all.len(),
        town.name()
    ));
    sheet.heading(2, "By trade");
    let count = |trade: &str| all.iter().filter(|it| it.trade == trade).count();
    sheet.push(list(TRADES.iter().filter(|it| count(it.0) > 0).map(|(trade, _)| {
        let name = nouns(Language::English, trade);
        let name = format!("{name} in {}", town.name());
        format!("{} ({})", link(&format!("/trade/{trade}"), &name), count(trade))
    })));
    sheet.heading(2, "By street");
    sheet.push(list(
        streets(all).keys().map(|street| link(&format!("/street/{}", slug(street)), street)),
    ));
    sheet.push(format!("<p>{}</p>", link("/private/owners", "For owners")));
    sheet.page(format!("{}/", directory(town)))
}

fn by_trade(town: Town, all: &[Business], trade: &str) -> Option<Page> {
    let members: Vec<&Business> = all.iter().filter(|it| it.trade == trade).collect();
    if members.is_empty() {
        return None;
    }
    let name = format!("{} in {}", nouns(Language::English, trade), town.name());
    let mut sheet = sheet(Language::English, town, &name);
    sheet.heading(1, &name);
    sheet.push(rows(&members));
    members.iter().for_each(|it| sheet.has(&it.address));
    Some(sheet.page(format!("{}/trade/{trade}", directory(town))))
}

fn by_street(town: Town, street: &str, members: &[&Business]) -> Page {
    let name = format!("{street}, {}", town.name());
    let mut sheet = sheet(Language::English, town, &name);
    sheet.heading(1, &name);
    let mut members = members.to_vec();
    members.sort_by_key(|it| {
        let digits = it.address.number.trim_end_matches(|it: char| !it.is_ascii_digit());
        (digits.parse::<u32>().unwrap_or(0), it.address.number.clone())
    });
    sheet.push(rows(&members));
    members.iter().for_each(|it| sheet.has(&it.address));
    sheet.page(format!("{}/street/{}", directory(town), slug(street)))
}

fn rows(members: &[&Business]) -> String {
    list(members.iter().map(|it| {
        let name = link(&it.entry, &it.name);
        format!("{name}, {}, {}", escaped(it.noun()), escaped(&it.address.line()))
    }))
}

fn entry(town: Town, all: &[Business], of: &Business) -> Page {
    let mut voice = of.voice("entry");
    let tagline = voice.phrase("tagline");
    let mut sheet = sheet(of.language, town, &format!("{}, {tagline}", of.name));
    let intro = voice.sentence("intro");
    sheet.summary(&intro);
    sheet.heading(1, &of.name);
    let count = of.chance("entry").between(1, 3);
    sheet.push(paragraph(&[vec![intro], voice.sentences("say", count)].concat()));
    sheet.push(paragraph(
        &[voice.sentences("general", 2), voice.sentences("say", 1), voice.sentences("near", 1)]
            .concat(),
    ));
    sheet.heading(2, &voice.sentence("address"));
    sheet.address(of, of.form);
    if of.form != Form::Lines {
        sheet.heading(3, &voice.sentence("hours"));
        sheet.push(of.hours(of.language));
    }
    if of.host.is_some() {
        sheet.push(format!("<p>{}</p>", link(&of.url(), &of.url())));
    }
    sheet.heading(3, &voice.sentence("neighbours"));
    sheet.push(list(
        of.neighbours.iter().map(|it| link(&it.entry, &format!("{} ({})", it.name, it.noun))),
    ));
    let trade = nouns(Language::English, of.trade);
    sheet.push(format!(
        "<p>{}</p>",
        link(&format!("/trade/{}", of.trade), &format!("{trade} in {}", town.name()))
    ));
    let street = slug(&of.address.street);
    if all.iter().filter(|it| it.address.street == of.address.street).count() >= STREET {
        sheet.push(format!("<p>{}</p>", link(&format!("/street/{street}"), &of.address.street)));
    }
    sheet.page(of.entry.clone())
}
