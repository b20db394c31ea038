//! Where a street's name may lie around its house number, and how sure that is.

use std::ops::Range;

use crate::address::street_word::{
    Tongue, Tongues, compound, is_direction, is_highway, is_lying, is_month, is_own_name,
    is_particle, roles,
};
use crate::address::token::{Gap, Tokens};
use crate::address::{number, unit};

/// A stretch of words that may be a street's name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Street {
    pub(crate) words: Range<usize>,
    pub(crate) proof: Proof,
    pub(crate) tongues: Tongues,
}

/// What shows that some words are a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// Only that a number stands beside them.
    Beside,
    /// A word that may be much else, or that says where something lies: `Park`, `Am Markt`.
    Hint,
    /// A word for a street.
    Word,
}

/// Hardly a street's name has more words.
const MOST_WORDS: usize = 7;

/// The streets that may end right before the house number at `number`.
pub(crate) fn before(tokens: &Tokens<'_>, number: usize) -> Vec<Street> {
    let end = without_number_word(tokens, number);
    let comma = tokens.gap(end) == Gap::Comma && tokens.gap(number) <= Gap::Comma;
    if end == 0 || (end == number && tokens.gap(number) > Gap::Blank && !comma) {
        return Vec::new();
    }
    if comma && is_numeric(tokens.word(end - 1)) {
        return Vec::new();
    }
    let start = tokens.segment_start(end).max(end.saturating_sub(MOST_WORDS));
    let mut found: Vec<Street> = Vec::new();
    found.extend(led(tokens, start..end));
    if !comma || found.is_empty() {
        found.extend(ended(tokens, start..end));
        found.extend(lying(tokens, start..end));
    }
    if !comma && !is_proved(&found) {
        found.extend(unproved_before(tokens, start..end));
    }
    found
}

/// The streets that may begin right after the house number that ends at `from`.
pub(crate) fn after(tokens: &Tokens<'_>, from: usize) -> Vec<Street> {
    if from >= tokens.len() || tokens.gap(from) > Gap::Comma {
        return Vec::new();
    }
    let end = (from..=from + MOST_WORDS)
        .find(|&at| {
            at >= tokens.len()
                || (at > from && (tokens.gap(at) >= Gap::Comma || starts_unit(tokens, at)))
        })
        .unwrap_or(from + MOST_WORDS + 1);
    let mut found = Vec::new();
    found.extend(highway(tokens, from..end));
    if found.is_empty() {
        found.extend(led_after(tokens, from..end));
        found.extend(ends_after(tokens, from..end));
    }
    if tokens.gap(from) <= Gap::Blank && !is_proved(&found) {
        found.extend(unproved_after(tokens, from..end));
    }
    found
}

fn is_proved(streets: &[Street]) -> bool {
    streets.iter().any(|it| it.proof == Proof::Word)
}

/// The streets in a text without a house number.
pub(crate) fn alone(tokens: &Tokens<'_>, from: usize) -> Vec<Street> {
    let end = tokens.segment_end(from).min(from + MOST_WORDS + 1);
    let mut found = Vec::new();
    found.extend(highway(tokens, from..end));
    found.extend(led_after(tokens, from..end));
    found.extend(ends_after(tokens, from..end));
    found.extend((from..end).find_map(|at| {
        let (tongue, strong) = compound(tokens.word(at))?;
        let stop = past_directions(tokens, at + 1, end);
        let words = from..stop;
        Some(Street { words, proof: proof(strong), tongues: Tongues::of(tongue) })
    }));
    found
}

fn proof(strong: bool) -> Proof {
    if strong { Proof::Word } else { Proof::Hint }
}

/// Where the street ends before `nº 5`, `No. 5`, `Nr. 5`.
fn without_number_word(tokens: &Tokens<'_>, number: usize) -> usize {
    let Some(before) = number.checked_sub(1) else { return 0 };
    let says_number = matches!(
        tokens.word(before),
        "no" | "nr" | "num" | "numero" | "nro" | "n" | "c" | "cp" | "hnr"
    );
    if says_number && before > 0 && tokens.gap(number) <= Gap::Blank { before } else { number }
}

/// `Rue de la Paix`: from its leading word on.
fn led(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    let leads = |at: &usize| {
        let roles = roles(tokens.word(*at));
        let follows_number = *at == range.start + 1 && number::is_number(tokens.word(range.start));
        let cut = is_abbreviated(tokens, *at)
            && (tokens.word(*at).len() > 1 || tokens.marked(at + 1, '/'));
        let starts =
            tokens.gap(*at) >= Gap::Comma && (tokens.word(*at).len() > 1 || tokens.is_capital(*at));
        let sure = !roles.weak || cut || starts;
        roles.may_lead() && sure && (at + 1 < range.end || follows_number)
    };
    if is_particle(tokens.word(range.end - 1)) && !tokens.is_capital(range.end - 1) {
        return None;
    }
    let mut start = range.clone().find(leads)?;
    let roles = roles(tokens.word(start));
    // `25 Strada 50`, `Grande Rue 5`: what stands right before the leading word may belong to it.
    if start == range.start + 1 && number::is_number(tokens.word(range.start)) {
        start = range.start;
    }
    let proof = proof(!roles.weak || is_abbreviated(tokens, start));
    Some(Street { words: start..range.end, proof, tongues: roles.leads })
}

/// `ul.`, `C/`: a mark shows that the word was cut.
fn is_abbreviated(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.bytes_with_stop(at..at + 1).len() > tokens.bytes(at..at + 1).len()
        || tokens.marked(at + 1, '/')
}

/// `Lange Straße`, `Maria Dehlis vei`, `Hauptstr.`: up to a last word that ends a street.
fn ended(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    let (at, tongues, strong, alone) =
        range.clone().rev().take(2).find_map(|at| ending(tokens, at))?;
    let is_odd = tongues == Tongues::of(Tongue::English) && !strong;
    if is_odd || (at + 1 < range.end && !is_direction(tokens.word(at + 1))) {
        return None;
    }
    let start = if alone {
        name_start(tokens, range.start, at)
    } else {
        adjective_start(tokens, range.start, at)
    };
    // English streets have their number before them: behind, it needs more to prove one.
    let strong = strong && tongues != Tongues::of(Tongue::English);
    Some(Street { words: start..range.end, proof: proof(strong), tongues })
}

fn ending(tokens: &Tokens<'_>, at: usize) -> Option<(usize, Tongues, bool, bool)> {
    let roles = roles(tokens.word(at));
    if roles.may_end() {
        return Some((at, roles.ends, !roles.weak, true));
    }
    let (tongue, strong) = compound(tokens.word(at))?;
    Some((at, Tongues::of(tongue), strong, false))
}

/// The words before a lone `Straße` or `vei` that name it: at most three, joined ones counting as one.
fn name_start(tokens: &Tokens<'_>, least: usize, ending: usize) -> usize {
    let mut start = ending;
    let mut names = 0;
    while start > least && names < 3 {
        let part =
            tokens.is_capital(start - 1) || is_particle(tokens.word(start - 1)) || names == 0;
        if !part {
            break;
        }
        start -= 1;
        names += usize::from(tokens.gap(start) != Gap::Tight);
    }
    // `in der Kölner Straße` begins with `Kölner`.
    let is_small = |at: &usize| is_particle(tokens.word(*at)) && !tokens.is_capital(*at);
    (start..ending).find(|at| !is_small(at)).unwrap_or(start)
}

/// The words before a compound that describe it: `Lange`, `Berliner`, `An der Alten`.
fn adjective_start(tokens: &Tokens<'_>, least: usize, compound: usize) -> usize {
    let mut start = compound;
    while start > least && start + 4 > compound {
        let word = tokens.word(start - 1);
        let bends =
            ["e", "er", "en", "a", "i"].iter().any(|it| word.ends_with(it)) && word.len() > 2;
        let adjective = tokens.is_capital(start - 1) && (bends || word.len() <= 3);
        let joined = tokens.gap(start) == Gap::Tight;
        if !adjective && !joined && !is_lying(word) && !is_particle(word) {
            break;
        }
        start -= 1;
    }
    // A particle cannot begin a street's name: `in der Lange Straße` begins with `Lange`.
    while start < compound && !tokens.is_capital(start) {
        start += 1;
    }
    start
}

/// `Am Markt`, `Unter den Linden`.
fn lying(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    let start = range.clone().find(|&at| {
        is_lying(tokens.word(at))
            && tokens.written(at) != "IN"
            && tokens.is_capital(at)
            && at + 1 < range.end
            && range.end - at <= 5
    })?;
    let named = tokens.is_capital(range.end - 1);
    named.then_some(Street {
        words: start..range.end,
        proof: Proof::Hint,
        tongues: Tongues::default(),
    })
}

/// Any few words of the segment, unless they are a date's.
fn unproved_before(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    // `3 Maja 12`: streets are called after days.
    if range.len() == 2
        && is_numeric(tokens.word(range.start))
        && is_month(tokens.word(range.start + 1))
    {
        return Some(Street { words: range, proof: Proof::Beside, tongues: Tongues::default() });
    }
    let start = range.clone().find(|&at| !is_numeric(tokens.word(at)))?;
    unproved(tokens, start..range.end)
}

fn unproved(tokens: &Tokens<'_>, words: Range<usize>) -> Option<Street> {
    let named = words.clone().any(|at| tokens.word(at).len() > 1 && !is_numeric(tokens.word(at)));
    let dated = words.clone().any(|at| is_month(tokens.word(at)));
    (named && !dated && words.len() <= MOST_WORDS).then_some(Street {
        words,
        proof: Proof::Beside,
        tongues: Tongues::default(),
    })
}

fn is_numeric(word: &str) -> bool {
    word.bytes().next().is_some_and(|it| it.is_ascii_digit())
}

fn led_after(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    let lead = range.clone().take(2).find(|&at| {
        let it = roles(tokens.word(at));
        it.may_lead() && at + 1 < range.end
    })?;
    let it = roles(tokens.word(lead));
    // `10 Downing Place` begins with no leading word; `12 Grande Rue` does, but then ends with it.
    if lead > range.start
        && !matches!(
            tokens.word(range.start),
            "grande" | "grand" | "vieille" | "petite" | "ancienne"
        )
    {
        return None;
    }
    // `Strada 50` is rather a street with its number behind.
    let named = (lead + 1..range.end).any(|at| !is_numeric(tokens.word(at)));
    named.then_some(Street { words: range, proof: proof(!it.weak), tongues: it.leads })
}

/// `West 26th Street North`: up to the first sure ending; if there is none, to any unsure one.
fn ends_after(tokens: &Tokens<'_>, range: Range<usize>) -> Vec<Street> {
    let until = |at: usize, tongues: Tongues, strong: bool| {
        let words = range.start..past_directions(tokens, at + 1, range.end);
        Street { words, proof: proof(strong), tongues }
    };
    if is_named_alone(tokens, range.clone()) {
        return vec![until(range.start, Tongues::of(Tongue::English), true)];
    }
    let mut unsure = Vec::new();
    for at in range.start + 1..range.end {
        let Some((_, tongues, strong, _)) = ending(tokens, at) else { continue };
        let goes_on = names_street_at(tokens, at + 1, range.end);
        match () {
            () if is_saint(tokens, at, range.end) || (strong && goes_on) => {}
            () if strong => return vec![until(at, tongues, strong)],
            () => unsure.push(until(at, tongues, strong)),
        }
    }
    if is_ordinal_street(tokens, range.clone()) {
        unsure.push(until(range.start + 1, Tongues::of(Tongue::English), true));
    }
    unsure
}

/// `W 65th`: in American grids the word for the street is left out.
fn is_ordinal_street(tokens: &Tokens<'_>, range: Range<usize>) -> bool {
    let word = tokens.word(range.start + 1);
    let ordinal = is_numeric(word) && ["st", "nd", "rd", "th"].iter().any(|it| word.ends_with(it));
    range.len() > 1 && ordinal && is_direction(tokens.word(range.start))
}

/// `24 Broadway`: a street's word that needs no name beside it.
fn is_named_alone(tokens: &Tokens<'_>, range: Range<usize>) -> bool {
    let end = past_directions(tokens, range.start + 1, range.end);
    is_own_name(tokens.word(range.start))
        && (end == range.end || tokens.gap(end) >= Gap::Comma || is_numeric(tokens.word(end)))
}

/// True for a `St` that is no street: another street's word follows its name.
fn is_saint(tokens: &Tokens<'_>, at: usize, end: usize) -> bool {
    tokens.word(at) == "st"
        && is_name(tokens, at + 1, end)
        && names_street_later(tokens, at + 1..end)
}

fn is_name(tokens: &Tokens<'_>, at: usize, end: usize) -> bool {
    at < end && !is_direction(tokens.word(at)) && tokens.gap(at) <= Gap::Blank
}

/// True if `Kilda Road` follows: then `St` before it is a saint.
fn names_street_later(tokens: &Tokens<'_>, range: Range<usize>) -> bool {
    range.start + 1 < range.end && names_street_at(tokens, range.start + 1, range.end)
}

fn names_street_at(tokens: &Tokens<'_>, at: usize, end: usize) -> bool {
    let it = roles(tokens.word(at));
    at < end && it.may_end() && !it.weak
}

fn past_directions(tokens: &Tokens<'_>, from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end && at < from + 2 && tokens.gap(at) <= Gap::Blank && is_direction(tokens.word(at))
    {
        at += 1;
    }
    at
}

/// `State Highway 27`, `Highway 10 W`, `County Road KK`: the number belongs to the road.
fn highway(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    let at = range.clone().take(4).find(|&at| at + 1 < range.end && is_numbered(tokens, at))?;
    let end = past_directions(tokens, at + 2, range.end);
    Some(Street {
        words: range.start..end,
        proof: Proof::Word,
        tongues: Tongues::of(Tongue::English),
    })
}

/// True if the road at this word has its number, or its letters, behind it.
fn is_numbered(tokens: &Tokens<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |it| tokens.word(it));
    let rural =
        matches!(before, "county" | "state" | "co" | "farm" | "ranch" | "township" | "forest");
    let road = is_highway(tokens.word(at)) || (rural && matches!(tokens.word(at), "road" | "rd"));
    let lettered = tokens.word(at + 1).len() <= 2
        && tokens.is_capital(at + 1)
        && tokens.gap(at + 2) >= Gap::Comma;
    let worded = tokens.word(at).len() > 3 || rural;
    road && tokens.gap(at + 1) <= Gap::Blank
        && (is_road_number(tokens.word(at + 1)) || (lettered && worded))
}

/// True if the number at this word belongs to the road before it.
pub(crate) fn is_numbered_road(tokens: &Tokens<'_>, number: usize) -> bool {
    let Some(before) = number.checked_sub(1) else { return false };
    let word = tokens.word(before);
    let sure = matches!(
        word,
        "highway" | "hwy" | "interstate" | "route" | "rte" | "fm" | "cr" | "sr" | "sh" | "freeway"
    );
    sure && tokens.gap(number) <= Gap::Blank
}

fn is_road_number(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits) && word.len() <= digits + 1
}

fn unproved_after(tokens: &Tokens<'_>, range: Range<usize>) -> Option<Street> {
    if is_numeric(tokens.word(range.start)) { None } else { unproved(tokens, range) }
}

fn starts_unit(tokens: &Tokens<'_>, at: usize) -> bool {
    unit::at(tokens, at).is_some()
}
