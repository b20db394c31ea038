//! The end of an address: postcode, city, region, country, in the orders of the world.

use std::ops::Range;

use gazetteer::{NameClass, Place};

use crate::address::atlas::Atlas;
use crate::address::postcode::{self, Postcode};
use crate::address::street_word::{compound, is_direction, is_month, is_particle, roles};
use crate::address::token::{Gap, Tokens};
use crate::address::unit;

/// Postcode, city, region and country, as far as they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Town {
    pub(crate) unit: Option<Range<usize>>,
    pub(crate) postcode: Option<Postcode>,
    pub(crate) city: Option<Range<usize>>,
    /// The gazetteer knows a town of that name.
    pub(crate) known: bool,
    pub(crate) region: Option<Range<usize>>,
    pub(crate) country: Option<Range<usize>>,
    /// Words passed over that belong to nothing.
    pub(crate) skipped: usize,
    /// The first word after it.
    pub(crate) end: usize,
}

/// Town names of more words are not looked up.
const MOST_WORDS: usize = 5;
/// Between street and city hardly more stands than the name of a quarter.
const MOST_SKIPPED: usize = 2;

/// How freely an address is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// The text is known to be an address.
    Given,
    /// The address stands somewhere in a text.
    Found,
}

/// Words that tell what follows in forms and tables.
fn is_label(word: &str) -> bool {
    matches!(
        word,
        "plz"
            | "ort"
            | "stadt"
            | "wohnort"
            | "postleitzahl"
            | "city"
            | "town"
            | "zip"
            | "zipcode"
            | "postcode"
            | "postal"
            | "code"
            | "state"
            | "country"
            | "land"
            | "ville"
            | "localidad"
            | "ciudad"
            | "citta"
            | "cap"
            | "cp"
            | "cep"
            | "postnummer"
            | "postort"
            | "postinumero"
            | "kaupunki"
            | "paikkakunta"
            | "woonplaats"
            | "plaats"
            | "gemeente"
            | "miasto"
            | "kod"
            | "pocztowy"
            | "locality"
            | "localita"
            | "localite"
            | "codigo"
            | "cidade"
            | "localidade"
            | "region"
            | "sted"
            | "stad"
            | "pays"
            | "pais"
            | "poblacion"
            | "provincia"
            | "comune"
            | "bundesland"
            | "by"
            | "province"
            | "suburb"
            | "and"
            | "postale"
            | "commune"
            | "adresse"
            | "address"
    )
}

/// Words that begin another way to reach somebody; an address ends before them.
fn is_contact(word: &str) -> bool {
    matches!(
        word,
        "tel"
            | "telefon"
            | "telephone"
            | "telefono"
            | "telefone"
            | "phone"
            | "fon"
            | "fax"
            | "telefax"
            | "mobil"
            | "mobile"
            | "handy"
            | "email"
            | "mail"
            | "www"
            | "http"
            | "https"
            | "puh"
            | "puhelin"
            | "tlf"
            | "tfn"
            | "call"
            | "ph"
    )
}

impl Town {
    /// True if nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.postcode.is_none()
            && self.city.is_none()
            && self.region.is_none()
            && self.country.is_none()
    }

    /// Reads on from the first word after street and number.
    pub(crate) fn after(
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        from: usize,
        manner: Manner,
    ) -> Self {
        let mut town = Self { end: from, ..Self::default() };
        let mut at = from;
        while at < tokens.len() && at < from + 24 {
            match town.step(atlas, tokens, at, manner) {
                Some(next) => at = next,
                None => match town.pass_over(atlas, tokens, at, manner) {
                    Some(next) => at = next,
                    None => break,
                },
            }
        }
        town
    }

    /// Takes the next part; gives the word after it.
    fn step(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        if (tokens.gap(at) == Gap::Stop && at > 0) || is_contact(tokens.word(at)) {
            return None;
        }
        if let Some(next) = self.past_words_between(tokens, at) {
            return Some(next);
        }
        self.take_postcode(tokens, at)
            .or_else(|| self.take_unit(tokens, at, manner))
            .or_else(|| self.take_region_of_city(atlas, tokens, at))
            .or_else(|| self.take_country(atlas, tokens, at, manner))
            .or_else(|| self.take_region(atlas, tokens, at, manner))
            .or_else(|| self.take_city(atlas, tokens, at, manner))
    }

    /// `in`, and the labels of forms: `PLZ:`, `Ort`.
    fn past_words_between(&self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        let word = tokens.word(at);
        let joins = matches!(word, "in" | "a" | "à" | "en" | "w" | "i") && !tokens.is_capital(at);
        let joins = joins
            && self.city.is_none()
            && tokens.gap(at) <= Gap::Blank
            && tokens.gap(at + 1) == Gap::Blank;
        let parted = tokens.gap(at) >= Gap::Comma || is_label(tokens.word(at.wrapping_sub(1)));
        let labels = is_label(word)
            && parted
            && (tokens.gap(at + 1) >= Gap::Comma
                || is_label(tokens.word(at + 1))
                || tokens.marked(at + 1, '/'));
        // `New Jersey Ave., NW, Washington`: the quarter of the city belongs to the street.
        let turns = self.is_empty()
            && is_direction(word)
            && tokens.is_capital(at)
            && tokens.gap(at + 1) != Gap::Blank;
        ((joins || labels || turns) && at + 1 < tokens.len()).then_some(at + 1)
    }

    fn take_postcode(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        if self.postcode.is_some() || tokens.marked(at, '#') {
            return None;
        }
        let half = || self.city.as_ref().and_then(|_| postcode::half_at(tokens, at));
        let code = postcode::at(tokens, at).or_else(half)?;
        // A bare four-digit number after a city may be a year or the next line's house number.
        let loose = self.city.is_some() && !code.sure && tokens.gap(at) == Gap::Line;
        if loose && code.words.len() == 1 && tokens.word(at).len() == 4 {
            return None;
        }
        self.end = code.words.end;
        self.postcode = Some(code);
        Some(self.end)
    }

    fn take_unit(&mut self, tokens: &Tokens<'_>, at: usize, manner: Manner) -> Option<usize> {
        if !self.is_empty() {
            return None;
        }
        let bare = || (manner == Manner::Given && is_bare_unit(tokens, at)).then_some(at..at + 1);
        let unit = unit::at(tokens, at).or_else(bare)?;
        self.end = unit.end;
        // `Bldg 3, Ste 200`: the first is kept, the others are passed.
        self.unit.get_or_insert(unit);
        Some(self.end)
    }

    /// `Atlanta, Georgia`: a region that holds the city comes before a country of the same name.
    fn take_region_of_city(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
    ) -> Option<usize> {
        let city = self.city.clone().filter(|_| self.region.is_none() && tokens.is_capital(at))?;
        let city = tokens.slice(city);
        let words = longest(tokens, at, 3, |name| name.len() > 3 && holds_town(atlas, city, name))?;
        self.end = words.end;
        self.region = Some(words);
        Some(self.end)
    }

    fn take_country(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        let starts = self.city.is_some()
            || self.postcode.is_some()
            || (manner == Manner::Given && self.region.is_some());
        if self.country.is_some() || !starts || (manner == Manner::Found && !tokens.is_capital(at))
        {
            return None;
        }
        let words = longest(tokens, at, 4, |name| name.len() > 1 && atlas.country(name).is_some())?;
        // `L-2340 Luxembourg`: where no city was named, what may be one is one.
        let unnamed = self.city.is_none() && self.region.is_none() && tokens.gap(at) <= Gap::Line;
        if unnamed
            && tokens.gap(at) != Gap::Comma
            && is_town(atlas, tokens.slice(words.clone()), true)
        {
            return None;
        }
        // Two letters are a country only where no region can be meant: `CA` is California after a city.
        if tokens.slice(words.clone()).len() == 2
            && self.region.is_none()
            && !atlas.regions(tokens.slice(words.clone())).is_empty()
        {
            return None;
        }
        self.end = words.end;
        self.country = Some(words);
        Some(self.end)
    }

    fn take_region(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        let unsaid = self.postcode.is_none() && !is_rather_town(atlas, tokens, at);
        let free = manner == Manner::Given && (is_code(atlas, tokens, at) || unsaid);
        let wanted = self.city.is_some() || free || self.region_and_code(tokens, at);
        if self.region.is_some() || !wanted {
            return None;
        }
        let city = self.city.clone().map_or("", |it| tokens.slice(it));
        let ends = tokens.gap(at + 1) == Gap::Stop || postcode::at(tokens, at + 1).is_some();
        let is_region = |name: &str| {
            let lettered =
                name.bytes().all(|it| it.is_ascii_uppercase() || (ends && it.is_ascii_lowercase()));
            let capital = name.chars().next().is_some_and(char::is_uppercase);
            let coded = name.len() <= 3 && lettered && (capital || manner == Manner::Given);
            let named = name.len() > 3 && (capital || manner == Manner::Given);
            (coded || named) && lies_in(atlas, city, name)
        };
        let words = longest(tokens, at, 3, is_region)?;
        // `Hazlet, NJ 07730`: before another region stands a city, whatever else bears its name.
        if self.city.is_none() && town_code_end(atlas, tokens, words.end) {
            return None;
        }
        self.end = words.end;
        self.region = Some(words);
        Some(self.end)
    }

    /// `NSW 2000` without a city.
    fn region_and_code(&self, tokens: &Tokens<'_>, at: usize) -> bool {
        let written = tokens.written(at);
        let coded =
            (2..=3).contains(&written.len()) && written.bytes().all(|it| it.is_ascii_uppercase());
        coded && self.skipped > 0 && postcode::at(tokens, at + 1).is_some()
    }

    fn take_city(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        let replaces = self.city.is_some() && self.postcode.is_none() && self.region.is_none();
        if self.city.is_some()
            && !(replaces && tokens.gap(at) == Gap::Comma && Self::is_followed(atlas, tokens, at))
        {
            return None;
        }
        if manner == Manner::Found && !tokens.is_capital(at) && !is_before_sure_code(tokens, at) {
            return None;
        }
        let after_code = self.postcode.is_some() && self.city.is_none();
        if let Some(words) = longest(tokens, at, MOST_WORDS, |name| {
            is_town(atlas, name, after_code || manner == Manner::Given)
        }) {
            self.end = words.end;
            self.city = Some(words);
            self.known = true;
            return Some(self.end);
        }
        if self.city.is_some() {
            return None;
        }
        self.take_unknown_city(atlas, tokens, at, manner)
    }

    /// True if a town at this word would be followed by region, postcode or country, so that it is the city
    /// and what was taken for it a quarter.
    fn is_followed(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> bool {
        let end = longest(tokens, at, MOST_WORDS, |name| is_town(atlas, name, true))
            .map_or(at, |it| it.end);
        let coded = postcode::at(tokens, end).is_some();
        let name = tokens.written(end);
        end > at
            && (coded
                || (!name.is_empty()
                    && (atlas.country(name).is_some() || !atlas.regions(name).is_empty())))
    }

    /// A city that the gazetteer does not know: capital words right after a postcode, or right before a
    /// region with a postcode.
    fn take_unknown_city(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        let end = unknown_end(tokens, at);
        if end == at {
            return None;
        }
        let after_code = self.postcode.as_ref().is_some_and(|it| it.words.end == at)
            && tokens.gap(at) <= Gap::Line;
        let before_code = self.postcode.is_none()
            && (town_code_end(atlas, tokens, end) || ends_with_code(tokens, end, manner));
        if !(after_code || before_code) {
            return None;
        }
        self.end = end;
        self.city = Some(at..end);
        Some(end)
    }

    /// Passes over the name of a quarter between street and city.
    fn pass_over(
        &mut self,
        atlas: &Atlas<'_>,
        tokens: &Tokens<'_>,
        at: usize,
        manner: Manner,
    ) -> Option<usize> {
        let most = if manner == Manner::Given { 2 * MOST_SKIPPED } else { MOST_SKIPPED };
        if self.city.is_some() || self.postcode.is_some() || self.skipped >= most {
            return None;
        }
        if is_contact(tokens.word(at)) {
            return None;
        }
        let parted = tokens.gap(at) >= Gap::Comma || manner == Manner::Given;
        let end = tokens.segment_end(at);
        let short = end - at <= 4 && end < tokens.len() && tokens.gap(end) != Gap::Stop;
        let street = manner == Manner::Found && (at..end).any(|it| names_street(tokens.word(it)));
        let numeric = (at..end).any(|it| tokens.word(it).bytes().all(|byte| byte.is_ascii_digit()));
        if !parted || !short || street || (numeric && manner == Manner::Found) {
            return None;
        }
        // Only a postcode or a town right behind makes it worth it.
        let leads_on = postcode::at(tokens, end).is_some()
            || has_town_name(atlas, tokens, end)
            || manner == Manner::Given;
        self.skipped += 1;
        leads_on.then_some(end)
    }
}

/// `belfast bt1 5bb`: before a code that is nothing else, a town may do without its capital.
fn is_before_sure_code(tokens: &Tokens<'_>, at: usize) -> bool {
    (at + 1..=at + 3).any(|it| postcode::at(tokens, it).is_some_and(|code| code.sure))
}

fn names_street(word: &str) -> bool {
    let it = roles(word);
    (!it.weak && (it.may_lead() || it.may_end()))
        || compound(word).is_some_and(|(_, strong)| strong)
}

/// `NSW`, `IA`: the code of a region, in capitals.
fn is_code(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> bool {
    let name = tokens.written(at);
    let capitals = (2..=3).contains(&name.len()) && name.bytes().all(|it| it.is_ascii_uppercase());
    let ends = tokens.gap(at + 1) >= Gap::Comma || postcode::at(tokens, at + 1).is_some();
    capitals && ends && !atlas.regions(name).is_empty()
}

/// True if the words here are the name of a town that is better known than any region of that name.
fn is_rather_town(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(words) = longest(tokens, at, MOST_WORDS, |name| is_town(atlas, name, true)) else {
        return false;
    };
    let name = tokens.slice(words);
    let town = atlas.towns(name).iter().map(|(it, _)| it.importance()).fold(0.0, f64::max);
    let region = atlas
        .regions(name)
        .iter()
        .map(|it| atlas.gazetteer.place(*it).importance())
        .fold(0.0, f64::max);
    town >= region
}

/// True if a town of some size is named here.
pub(crate) fn has_town_name(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is_capital(at)
        && longest(tokens, at, MOST_WORDS, |name| is_town(atlas, name, false)).is_some()
}

/// `IL 62701`, `NW1 6XE`: what follows an unknown city.
fn town_code_end(atlas: &Atlas<'_>, tokens: &Tokens<'_>, at: usize) -> bool {
    let sure = |at: usize| postcode::at(tokens, at).is_some_and(|it| it.sure);
    let coded = |at: usize| postcode::at(tokens, at).is_some();
    let name = tokens.written(at);
    let region = name.len() <= 3
        && name.bytes().all(|it| it.is_ascii_uppercase())
        && !atlas.regions(name).is_empty();
    sure(at) || (region && coded(at + 1))
}

/// True if what is known to be an address ends with a postcode here.
fn ends_with_code(tokens: &Tokens<'_>, at: usize, manner: Manner) -> bool {
    manner == Manner::Given
        && postcode::at(tokens, at).is_some_and(|it| it.words.end == tokens.len())
}

/// Where an unknown city that starts here ends.
fn unknown_end(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut end = at;
    while end < tokens.len() && end < at + 4 {
        let follows = end == at || tokens.gap(end) <= Gap::Blank;
        let word = tokens.word(end);
        let lettered = !word.bytes().any(|it| it.is_ascii_digit());
        let is_part = tokens.is_capital(end) || (end > at && is_particle(word));
        let coded = end > at
            && word.len() <= 3
            && tokens.written(end).bytes().all(|it| it.is_ascii_uppercase());
        if !follows || !lettered || !is_part || coded {
            break;
        }
        end += 1;
    }
    while end > at && !tokens.is_capital(end - 1) {
        end -= 1;
    }
    end
}

/// The longest name from this word on that passes, within one segment.
fn longest(
    tokens: &Tokens<'_>,
    at: usize,
    most: usize,
    passes: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let limit = tokens.segment_end(at).min(at + most);
    (at + 1..=limit).rev().map(|end| at..end).find(|words| passes(tokens.slice(words.clone())))
}

/// A town of which people have heard, or any at all beside a postcode.
fn is_town(atlas: &Atlas<'_>, name: &str, any: bool) -> bool {
    // Towns below these many people are found by chance in many words of a text, by a name of another language more
    // often than by their own.
    const HEARD_OF: u64 = 1_500;
    const HEARD_OF_ABROAD: u64 = 30_000;
    let least =
        |class: NameClass| if class == NameClass::Main { HEARD_OF } else { HEARD_OF_ABROAD };
    let heard = |place: &Place<'_>, class: NameClass| any || place.population() >= least(class);
    is_wordy(name, any) && atlas.towns(name).iter().any(|(place, class)| heard(place, *class))
}

/// True if there is a real word in a name: `R. D.` and `May` are in many a list of references.
fn is_wordy(name: &str, any: bool) -> bool {
    let least = if any { 2 } else { 3 };
    let words = name.split(|it: char| !it.is_alphanumeric());
    let long = words.clone().any(|it| it.chars().count() >= least);
    let digits = name.starts_with(|it: char| it.is_ascii_digit());
    long && !digits && (any || !is_month(&name.to_lowercase()))
}

/// `52 Main St 3 Brooklyn`: a short number between street and city.
fn is_bare_unit(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.word(at);
    let short = (1..=3).contains(&word.len()) && word.bytes().all(|it| it.is_ascii_digit());
    short && at > 0 && tokens.gap(at) == Gap::Blank && tokens.gap(at + 1) == Gap::Blank
}

/// True if a town of the first name lies in a division of the second.
fn holds_town(atlas: &Atlas<'_>, city: &str, region: &str) -> bool {
    let regions = atlas.regions(region);
    !regions.is_empty()
        && atlas
            .towns(city)
            .iter()
            .any(|(town, _)| regions.iter().any(|it| atlas.gazetteer.holds(*it, town.id())))
}

/// True if there is a region of this name; with a city known there, one of its towns.
fn lies_in(atlas: &Atlas<'_>, city: &str, region: &str) -> bool {
    let regions = atlas.regions(region);
    if regions.is_empty() || city.is_empty() {
        return !regions.is_empty();
    }
    let towns = atlas.towns(city);
    let coded = region.len() <= 3;
    coded
        || towns.is_empty()
        || towns
            .iter()
            .any(|(town, _)| regions.iter().any(|it| atlas.gazetteer.holds(*it, town.id())))
}
