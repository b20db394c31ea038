//! The ways to read some words as an address, and which of them is best.

use std::ops::Range;

use gazetteer::NameClass;

use crate::address::atlas::{Atlas, iso};
use crate::address::postcode::Postcode;
use crate::address::street::{self, Proof, Street};
use crate::address::street_word::{self, Tongue, Tongues};
use crate::address::token::{Gap, Tokens};
use crate::address::town::{Manner, Town, has_town_name};
use crate::address::{number, po_box, postcode, unit};

/// One way to read some words as an address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) street: Option<Street>,
    pub(crate) number: Option<Range<usize>>,
    pub(crate) unit: Option<Range<usize>>,
    pub(crate) po_box: Option<Range<usize>>,
    pub(crate) town: Town,
    pub(crate) score: f64,
}

/// Every way to read words that are known to be an address, the best first.
pub(crate) fn given(atlas: &Atlas<'_>, tokens: &Tokens<'_>) -> Option<Reading> {
    let mut readings = vec![town_only(atlas, tokens, 0)];
    for at in 0..tokens.len() {
        if at > 0 && postcode::at(tokens, at).is_some() {
            readings.push(town_only(atlas, tokens, at));
        }
        readings.extend(boxed(atlas, tokens, at, Manner::Given));
        readings.extend(numbered(atlas, tokens, at, Manner::Given));
        if at == 0 || tokens.gap(at) >= Gap::Comma {
            readings.extend(unnumbered(atlas, tokens, at));
        }
    }
    for reading in &mut readings {
        take_last_code(tokens, reading);
        reading.score -= 0.4 * unexplained(reading, tokens.len()) as f64;
    }
    best(readings)
}

/// Whatever stands between, a postcode that ends an address is its postcode.
fn take_last_code(tokens: &Tokens<'_>, reading: &mut Reading) {
    let free = reading
        .street
        .as_ref()
        .map_or(0, |it| it.words.end)
        .max(reading.number.as_ref().map_or(0, |it| it.end));
    if reading.town.postcode.is_some() || reading.street.is_none() {
        return;
    }
    let ends = |code: &Postcode| {
        code.words.end == tokens.len() && tokens.slice(code.words.clone()).len() >= 5
    };
    reading.town.postcode =
        (free..tokens.len()).find_map(|at| postcode::at(tokens, at).filter(ends));
}

/// The best way to read the number at this word of a text as part of an address.
pub(crate) fn found(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> Option<Reading> {
    if let Some(boxed) = boxed(atlas, tokens, at, Manner::Found) {
        return Some(boxed);
    }
    best(numbered(atlas, tokens, at, Manner::Found))
}

fn best(readings: Vec<Reading>) -> Option<Reading> {
    readings.into_iter().reduce(|best, next| if next.score > best.score { next } else { best })
}

/// The readings in which the house number stands at this word.
fn numbered(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize, manner: Manner) -> Vec<Reading> {
    let one = || (manner == Manner::Given && is_one(tokens, at)).then_some(at..at + 1);
    let Some(mut number) = number::at(tokens, at).or_else(one) else { return Vec::new() };
    if continues_number(tokens, at) || street::is_numbered_road(tokens, at) && at + 1 != number.end
    {
        return Vec::new();
    }
    let unit = unit_before(tokens, &mut number);
    if unit.is_none()
        && at > 0
        && unit::is_word(tokens.word(at - 1))
        && tokens.gap(at) <= Gap::Blank
    {
        return Vec::new();
    }
    let mut readings = Vec::new();
    for street in street::after(tokens, number.end) {
        let odd = street.tongues.put_number_last() || is_dated(tokens, &number, &street);
        if manner == Manner::Found && odd {
            continue;
        }
        readings.extend(with_town(atlas, tokens, &street, &number, unit.as_ref(), manner, true));
    }
    if unit.is_none() && !street::is_numbered_road(tokens, at) {
        for street in street::before(tokens, number.start) {
            let tongues = street.tongues;
            let found = with_town(atlas, tokens, &street, &number, None, manner, false);
            readings.extend(found.into_iter().filter(|it| !is_rather_code(tokens, it, tongues)));
        }
    }
    readings
}

/// `on April 13, Road works`: a day, or a number that does not begin anything before a comma.
fn is_dated(tokens: &Tokens<'_>, number: &Range<usize>, street: &Street) -> bool {
    let begins = tokens.gap(number.start) >= Gap::Comma;
    // `au 14, rue de la Paix` is how the French write it.
    let leads = street_word::roles(tokens.word(street.words.start)).may_lead();
    let parted = tokens.gap(street.words.start) == Gap::Comma && !leads;
    let month =
        number.start.checked_sub(1).is_some_and(|it| street_word::is_month(tokens.word(it)));
    !begins && (parted || month)
}

/// `One Harbour Square`: fine addresses spell their number.
fn is_one(tokens: &Tokens<'_>, at: usize) -> bool {
    let named = street::after(tokens, at + 1)
        .iter()
        .any(|it| it.proof == Proof::Word && it.words.len() > 1);
    tokens.word(at) == "one" && named
}

/// `Lange Straße, 26122 Oldenburg`: a number as long as a postcode right before the city is one, except that houses
/// have four digits where Spanish and Portuguese are spoken.
fn is_rather_code(tokens: &Tokens<'_>, reading: &Reading, tongues: Tongues) -> bool {
    let Some(number) = &reading.number else { return false };
    let city_follows = reading.town.city.as_ref().is_some_and(|it| it.start == number.end);
    let bare = reading.town.postcode.is_none() && tokens.gap(number.end) == Gap::Blank;
    let digits = if is_plain_number(tokens.word(number.start)) {
        tokens.word(number.start).len()
    } else {
        0
    };
    let long_streets = tongues.has(Tongue::Spanish) || tongues.has(Tongue::Portuguese);
    let parted = tokens.gap(number.start) == Gap::Comma;
    city_follows && bare && (digits == 5 || (digits == 4 && (parted || !long_streets)))
}

/// `641/9`: its second half is no number of its own.
fn continues_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |it| tokens.word(it));
    tokens.gap(at) == Gap::Tight && before.bytes().last().is_some_and(|it| it.is_ascii_digit())
}

/// `Unit 12/345`: what a unit's word stands before is the unit. `Flat 3, 12 High Street` likewise.
fn unit_before(tokens: &Tokens<'_>, number: &mut Range<usize>) -> Option<Range<usize>> {
    let at = number.start;
    let is_unit = |word: &str| unit::is_word(word) || word == "u";
    let named = at > 0 && is_unit(tokens.word(at - 1)) && tokens.gap(at) <= Gap::Blank;
    if named && number.len() == 2 && tokens.marked(at + 1, '/') {
        number.start += 1;
        return Some(at..at + 1);
    }
    let start = at.checked_sub(2)?;
    let unit = unit::at(tokens, start).filter(|it| it.end == at)?;
    (unit::is_word(tokens.word(start))).then_some(unit.start + 1..unit.end)
}

/// Each street with each of its ends, and with the town that follows or goes before.
fn with_town(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    street: &Street,
    number: &Range<usize>,
    unit: Option<&Range<usize>>,
    manner: Manner,
    number_first: bool,
) -> Vec<Reading> {
    let mut readings = Vec::new();
    for words in ends(atlas, tokens, street, manner, number_first) {
        let street = Street { words, ..street.clone() };
        let end = street.words.end.max(number.end);
        let town = town_around(atlas, tokens, street.words.start.min(number.start), end, manner);
        let mut number = number.clone();
        let mut unit = unit.cloned().or_else(|| town.unit.clone());
        if joins_number(tokens, &street, &number, unit.as_ref()) {
            number.end += 1;
            unit = None;
        }
        let mut reading = Reading {
            street: Some(street),
            number: Some(number),
            unit,
            town,
            ..Reading::default()
        };
        reading.score = score(tokens, &reading, number_first);
        readings.push(reading);
    }
    readings
}

/// `Königsallee 60 F`: where numbers have letters, one behind the number belongs to it.
fn joins_number(
    tokens: &Tokens<'_>,
    street: &Street,
    number: &Range<usize>,
    unit: Option<&Range<usize>>,
) -> bool {
    let lettered =
        [Tongue::German, Tongue::Dutch, Tongue::Danish].iter().any(|it| street.tongues.has(*it));
    let behind = unit.is_some_and(|it| {
        it.start == number.end && it.len() == 1 && tokens.word(it.start).len() == 1
    });
    lettered && behind
}

/// Where a street that begins after its number may end: where it was read to, or before a town within.
fn ends(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    street: &Street,
    manner: Manner,
    number_first: bool,
) -> Vec<Range<usize>> {
    let whole = street.words.clone();
    let mut ends: Vec<_> = before_direction(atlas, tokens, street, manner).into_iter().collect();
    ends.push(whole.clone());
    let ended = street.tongues.has(Tongue::English) || street.tongues.has(Tongue::German);
    let runs_on = number_first && (!ended || street.tongues.has(Tongue::French));
    if !runs_on {
        return ends;
    }
    for end in whole.start + 1..whole.end {
        let coded = postcode::at(tokens, end).is_some();
        let town = Town::after(atlas, tokens, end, manner);
        let long_enough = end >= whole.start + 2
            || (street.proof == Proof::Beside
                && !street_word::is_direction(tokens.word(whole.start)));
        if long_enough && (coded || ends_street(atlas, tokens, &town, end, street.tongues)) {
            ends.push(whole.start..end);
        }
    }
    ends
}

/// `465 East 170th Street South Holland`: the last point of the compass may begin the name of the town.
fn before_direction(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    street: &Street,
    manner: Manner,
) -> Option<Range<usize>> {
    let last = street.words.end.checked_sub(1)?;
    let turns =
        matches!(tokens.word(last), "north" | "south" | "east" | "west") && street.words.len() > 2;
    if !turns || tokens.gap(last + 1) > Gap::Blank {
        return None;
    }
    let town = Town::after(atlas, tokens, last, manner);
    let begins = town.city.is_some_and(|it| town.known && it.start == last && it.len() > 1);
    begins.then_some(street.words.start..last)
}

/// True if the town begins here and is either well known or has region, postcode or country beside it.
fn ends_street(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    town: &Town,
    at: usize,
    tongues: Tongues,
) -> bool {
    let Some(city) = town.city.as_ref().filter(|it| town.known && it.start == at) else {
        return false;
    };
    let after = city.end;
    let coded = town.postcode.as_ref().is_some_and(|it| it.words.start == after);
    let backed = tokens.gap(after) <= Gap::Blank
        && (coded || town.country.as_ref().is_some_and(|it| it.start == after));
    // `Boulevard Princesse Charlotte 98000 Monaco`: the town stands behind its code, not before.
    let code_end = town.postcode.as_ref().map_or(after, |it| it.words.end);
    let is_behind =
        coded && tokens.gap(code_end) <= Gap::Blank && has_town_name(atlas, tokens, code_end);
    if is_behind || street_word::is_particle(tokens.word(at - 1)) {
        return false;
    }
    backed || is_known_city(atlas, tokens, city, tongues)
}

/// Without a comma before it, only a city of some size ends a street's name, and one where such names are at home.
fn is_known_city(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    city: &Range<usize>,
    tongues: Tongues,
) -> bool {
    const LARGE: u64 = 15_000;
    let at_home = |iso: &str| tongues.is_empty() || tongues.are_spoken_in(iso);
    let towns = atlas.towns(tokens.slice(city.clone()));
    let large = |class: NameClass| if class == NameClass::Main { LARGE } else { 8 * LARGE };
    towns.iter().any(|(town, class)| town.population() >= large(*class) && at_home(iso(town)))
}

/// The town behind the street, else the one before it.
fn town_around(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    start: usize,
    end: usize,
    manner: Manner,
) -> Town {
    let after = Town::after(atlas, tokens, end, manner);
    if after.city.is_some() || start == 0 {
        return after;
    }
    match town_before(atlas, tokens, start, manner) {
        Some(before) => Town { unit: after.unit, ..before },
        None => after,
    }
}

/// `26122 Oldenburg, Lange Straße 5`: the town right before the street.
fn town_before(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    street: usize,
    manner: Manner,
) -> Option<Town> {
    let parted = tokens.gap(street) >= Gap::Comma && tokens.gap(street) < Gap::Stop;
    if !parted {
        return None;
    }
    let from = street.saturating_sub(6);
    (from..street)
        .filter(|&at| at == 0 || tokens.gap(at) >= Gap::Comma || postcode::at(tokens, at).is_some())
        .map(|at| Town::after(atlas, tokens, at, manner))
        .find(|town| {
            let coded = town.postcode.as_ref().is_some_and(|it| it.words.end <= street);
            town.end == street && town.known && (coded || manner == Manner::Given)
        })
}

fn boxed(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize, manner: Manner) -> Option<Reading> {
    if !tokens.word(at).bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let po_box = po_box::around(tokens, at)?;
    let town = Town::after(atlas, tokens, po_box.end, manner);
    let score = 5.0 + town_score(&town);
    Some(Reading { po_box: Some(po_box), town, score, ..Reading::default() })
}

/// Streets without a number, beginning at this word.
fn unnumbered(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> Vec<Reading> {
    if is_plain_number(tokens.word(at)) && !tokens.marked(at, '#') {
        return Vec::new();
    }
    let at = if tokens.marked(at, '#') { at + 1 } else { at };
    let mut streets = street::alone(tokens, at);
    let end = tokens.segment_end(at);
    if at == 0 && end < tokens.len() && !tokens.word(0).bytes().any(|it| it.is_ascii_digit()) {
        streets.push(Street { words: at..end, proof: Proof::Beside, tongues: Tongues::default() });
    }
    let mut readings = Vec::new();
    for street in streets {
        let runs_on = !street.tongues.has(Tongue::English) || street.tongues.has(Tongue::French);
        for words in ends(atlas, tokens, &street, Manner::Given, runs_on) {
            let town = town_around(atlas, tokens, words.start, words.end, Manner::Given);
            let unit = at
                .checked_sub(2)
                .and_then(|start| unit::at(tokens, start))
                .map(|it| it.start + 1..it.end);
            let street = Street { words, ..street.clone() };
            let mut reading = Reading { street: Some(street), unit, town, ..Reading::default() };
            reading.score = score(tokens, &reading, true) - doubt(tokens, &reading);
            readings.push(reading);
        }
    }
    readings
}

/// What the want of a number takes from a street of which nothing, or little, shows that it is one.
fn doubt(tokens: &Tokens<'_>, reading: &Reading) -> f64 {
    let Some(street) = &reading.street else { return 0.0 };
    let end = street.words.end;
    let parted = tokens.gap(end) >= Gap::Comma;
    // Four digits right behind a street are rather its number; the readings with one know when they are not.
    let numbered = reading.town.postcode.as_ref().is_some_and(|it| it.words == (end..end + 1))
        && tokens.word(end).len() == 4;
    match street.proof {
        _ if numbered => 0.8,
        Proof::Word => 0.0,
        Proof::Hint if parted => 0.4,
        Proof::Hint => 1.5,
        Proof::Beside => 0.75,
    }
}

fn is_plain_number(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_digit())
}

/// A town and no street; what stands before it is the name of whatever is there.
fn town_only(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> Reading {
    let town = Town::after(atlas, tokens, at, Manner::Given);
    let score = town_score(&town);
    Reading { town, score, ..Reading::default() }
}

/// What the parts are worth together; the weights say which reading wins where two are possible.
fn score(tokens: &Tokens<'_>, reading: &Reading, number_first: bool) -> f64 {
    let street = reading.street.as_ref().map_or(0.0, |it| street_score(tokens, it, number_first));
    let number =
        reading.number.clone().map_or(0.0, |it| number_score(tokens, &it, reading, number_first));
    let unit = if reading.unit.is_some() { 0.3 } else { 0.0 };
    street + number + unit + town_score(&reading.town)
}

fn street_score(tokens: &Tokens<'_>, street: &Street, number_first: bool) -> f64 {
    let proof = match street.proof {
        Proof::Word => 2.0,
        Proof::Hint => 1.5,
        Proof::Beside => 0.8,
    };
    let bare =
        street.words.len() == 1 && street_word::roles(tokens.word(street.words.start)).may_end();
    let first = street.tongues.has(Tongue::English) || street.tongues.has(Tongue::French);
    let usual = match (street.tongues.is_empty(), first == number_first) {
        (true, _) => 0.0,
        (false, true) => 0.1,
        (false, false) => -0.1,
    };
    let is_named = street_word::is_own_name(tokens.word(street.words.start));
    proof + usual - if bare && !is_named { 1.2 } else { 0.0 }
}

/// Five digits without a street's word are rather a postcode, as are four after a town.
fn number_score(
    tokens: &Tokens<'_>,
    number: &Range<usize>,
    reading: &Reading,
    number_first: bool,
) -> f64 {
    let digits = tokens.word(number.start).bytes().take_while(u8::is_ascii_digit).count();
    let sure = reading.street.as_ref().is_some_and(|it| it.proof > Proof::Beside);
    match digits {
        5.. if !sure => 0.4,
        4 if !sure && !number_first => 0.6,
        _ => 1.0,
    }
}

pub(crate) fn town_score(town: &Town) -> f64 {
    let postcode = town.postcode.as_ref().map_or(0.0, |it| if it.sure { 1.4 } else { 1.2 });
    let city = match () {
        () if town.city.is_none() => 0.0,
        () if town.known => 1.0,
        () => 0.3,
    };
    let region = if town.region.is_some() { 0.8 } else { 0.0 };
    let country = if town.country.is_some() { 0.8 } else { 0.0 };
    postcode + city + region + country - 0.1 * town.skipped as f64
}

/// How many words belong to no part.
fn unexplained(reading: &Reading, words: usize) -> usize {
    let town = &reading.town;
    let parts = [
        reading.street.as_ref().map(|it| it.words.clone()),
        reading.number.clone(),
        reading.unit.clone(),
        reading.po_box.clone(),
        town.postcode.as_ref().map(|it| it.words.clone()),
        town.city.clone(),
        town.region.clone(),
        town.country.clone(),
    ];
    let explained: usize = parts.into_iter().flatten().map(|it| it.len()).sum();
    words.saturating_sub(explained)
}
