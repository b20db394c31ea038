//! What was asked of the geocoder: its words, what each weighs, and which names stand in them.

use crate::fact::NameClass;
use crate::gazetteer::Gazetteer;
use crate::kind::Kind;
use crate::place::PlaceId;
use crate::spelling::spelling;
use crate::suggest::forgiven;

/// A query has fewer words than this, or is no query; what follows is not looked at.
pub(crate) const MOST_WORDS: usize = 24;
/// Hardly a name has more words.
const LONGEST_NAME: usize = 7;
/// How many places of one name are considered.
const MOST_BEARERS: usize = 600;

/// A word that only says what sort of thing is named, in the languages the query language speaks.
const GENERIC: &[&str] = &[
    "airport",
    "airfield",
    "aerodrome",
    "airbase",
    "airpark",
    "airstrip",
    "air",
    "base",
    "field",
    "international",
    "national",
    "regional",
    "municipal",
    "metropolitan",
    "memorial",
    "executive",
    "force",
    "naval",
    "army",
    "flughafen",
    "flugplatz",
    "aeroport",
    "aeroporto",
    "aeropuerto",
    "lentoasema",
    "flygplats",
    "luchthaven",
    "lufthavn",
    "city",
    "town",
    "village",
    "county",
    "state",
    "province",
    "region",
    "district",
    "municipality",
    "stadt",
    "kreis",
    "landkreis",
    "regierungsbezirk",
    "departement",
    "department",
    "provincia",
    "comune",
    "commune",
    "ville",
    "ciudad",
    "gemeente",
    "oblast",
    "republic",
];

/// A word that asks for an airport, whichever of them stands in the airport's own name.
const AIRPORT_WORDS: &[&str] = &[
    "airport",
    "airfield",
    "aerodrome",
    "airbase",
    "airpark",
    "airstrip",
    "afb",
    "flughafen",
    "flugplatz",
    "fliegerhorst",
    "aeroport",
    "aeroporto",
    "aeropuerto",
    "aerodromo",
    "lentoasema",
    "flygplats",
    "luchthaven",
    "lufthavn",
    "lotnisko",
];

/// Words that say of what kind the place is that they stand beside.
const KIND_WORDS: &[(Kind, &[&str])] = &[
    (Kind::Country, &["republic", "republik", "kingdom"]),
    (
        Kind::Region,
        &["state", "province", "region", "bundesland", "land", "provincia", "oblast", "prefecture"],
    ),
    (
        Kind::County,
        &[
            "county",
            "district",
            "department",
            "departement",
            "kreis",
            "landkreis",
            "provincia",
            "regierungsbezirk",
        ],
    ),
    (Kind::City, &["city", "town", "village", "stadt", "ville", "ciudad", "comune"]),
];

/// A word that joins others.
const JOINING: &[&str] = &[
    "a", "al", "am", "an", "and", "at", "auf", "au", "aux", "bei", "d", "da", "das", "de", "del",
    "della", "den", "der", "des", "di", "die", "do", "dos", "du", "e", "el", "en", "et", "im",
    "in", "l", "la", "las", "le", "les", "lo", "los", "of", "on", "san", "sur", "the", "und",
    "upon", "van", "von", "y", "zu", "zur",
];

/// A word that is or ends a street's name.
const STREET_WORDS: &[&str] = &[
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "av",
    "lane",
    "ln",
    "drive",
    "dr",
    "boulevard",
    "blvd",
    "court",
    "way",
    "square",
    "terrace",
    "highway",
    "hwy",
    "rue",
    "chemin",
    "impasse",
    "quai",
    "allee",
    "allees",
    "via",
    "viale",
    "piazza",
    "corso",
    "calle",
    "avenida",
    "plaza",
    "paseo",
    "carrer",
    "rua",
    "travessa",
    "strasse",
    "str",
    "gasse",
    "weg",
    "platz",
    "ufer",
    "damm",
    "straat",
    "laan",
    "plein",
    "gracht",
    "katu",
    "tie",
    "gatan",
    "vagen",
    "gata",
    "vej",
    "gade",
    "veien",
    "ulica",
    "ul",
    "aleja",
];
const STREET_ENDINGS: &[&str] = &[
    "strasse", "str", "gasse", "weg", "platz", "allee", "ufer", "damm", "straat", "laan", "gracht",
    "katu", "tie", "gatan", "vagen", "vej", "gade", "veien", "kuja", "polku",
];

/// A query on its way to an answer.
pub(crate) struct Asked {
    pub(crate) words: Vec<AskedWord>,
    pub(crate) spans: Vec<Span>,
    /// The words that ask for an airport, if the query does.
    pub(crate) airport_words: u32,
}

/// A word of the query.
pub(crate) struct AskedWord {
    pub(crate) text: String,
    /// As it was written.
    pub(crate) written: String,
    /// What it counts for in judging how much of the query was understood.
    pub(crate) weight: f64,
    /// A comma or a line end stands before it.
    pub(crate) breaks: bool,
}

/// Some words of the query that are a name.
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The name as it is spelled in the index.
    pub(crate) spelling: String,
    pub(crate) edits: u8,
    /// Those who bear it, best known first.
    pub(crate) bearers: Vec<(PlaceId, NameClass)>,
    /// The same by number.
    sorted: Vec<PlaceId>,
}

impl Span {
    pub(crate) fn new(
        range: std::ops::Range<usize>,
        spelling: String,
        edits: u8,
        bearers: Vec<(PlaceId, NameClass)>,
    ) -> Self {
        let mut sorted: Vec<_> = bearers
            .iter()
            .filter(|(_, class)| *class != NameClass::Demonym)
            .map(|(id, _)| *id)
            .collect();
        sorted.sort_unstable();
        Self { start: range.start, end: range.end, spelling, edits, bearers, sorted }
    }

    pub(crate) fn mask(&self) -> u32 {
        mask(self.start..self.end)
    }

    pub(crate) fn names(&self, place: PlaceId) -> bool {
        self.sorted.binary_search(&place).is_ok()
    }
}

/// The bits of a range of words.
pub(crate) fn mask(range: std::ops::Range<usize>) -> u32 {
    range.fold(0, |bits, at| bits | 1 << at)
}

impl Asked {
    pub(crate) fn new(gazetteer: &Gazetteer, query: &str) -> Self {
        let mut words: Vec<AskedWord> = text::words(query)
            .take(MOST_WORDS)
            .map(|word| AskedWord {
                written: query[word.start..word.end].to_owned(),
                weight: weight(&word.text),
                breaks: word.before.contains([',', ';', '\n', '(', ')']),
                text: word.text,
            })
            .collect();
        lighten_addresses(&mut words);
        let airport_words = airport_words(&mut words);
        let mut asked = Self { words, spans: Vec::new(), airport_words };
        asked.find_exact(gazetteer);
        asked
    }

    /// Everything the words weigh together.
    pub(crate) fn whole_weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// What the words behind these bits weigh.
    pub(crate) fn weight_of(&self, bits: u32) -> f64 {
        let chosen = self.words.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        chosen.map(|(_, word)| word.weight).sum()
    }

    /// The words that say that a place of this kind is meant: `Washington State`, `Kreis Oldenburg`.
    pub(crate) fn kind_words(&self, kind: Kind) -> u32 {
        let words =
            KIND_WORDS.iter().find(|(it, _)| *it == kind).map_or(&[][..], |(_, words)| words);
        let is_one = |at: &usize| words.contains(&self.words[*at].text.as_str());
        (0..self.words.len()).filter(is_one).fold(0, |bits, at| bits | 1 << at)
    }

    /// The words of a range as one spelling.
    pub(crate) fn spelling_of(&self, range: std::ops::Range<usize>) -> String {
        let words: Vec<_> = self.words[range].iter().map(|word| word.text.as_str()).collect();
        spelling(&words.join(" "))
    }

    fn find_exact(&mut self, gazetteer: &Gazetteer) {
        for start in 0..self.words.len() {
            for end in start + 1..=self.words.len().min(start + LONGEST_NAME) {
                let spelling = self.spelling_of(start..end);
                let bearers: Vec<_> = gazetteer.index.exact(&spelling).take(MOST_BEARERS).collect();
                if !bearers.is_empty() {
                    self.spans.push(Span::new(start..end, spelling, 0, bearers));
                }
            }
        }
    }

    /// Adds names that are words of the query but for typing errors, where no name was found.
    pub(crate) fn find_similar(&mut self, gazetteer: &Gazetteer) {
        let covered = self
            .spans
            .iter()
            .filter(|span| span.edits == 0)
            .fold(0, |bits, span| bits | span.mask());
        let known: Vec<_> = self.spans.iter().map(|span| (span.start, span.end)).collect();
        let mut found = Vec::new();
        for start in 0..self.words.len() {
            for end in start + 1..=self.words.len().min(start + 3) {
                let bits = mask(start..end);
                let numbers =
                    self.words[start..end].iter().any(|word| starts_with_digit(&word.text));
                // A word that is a name by itself may still be a wrong one in a longer name: `Los Angles`.
                let is_found = known.contains(&(start, end));
                let new = bits & !covered != 0 || (end > start + 1 && !is_found);
                if numbers || !new || self.words[start..end].iter().skip(1).any(|word| word.breaks)
                {
                    continue;
                }
                let spelling = self.spelling_of(start..end);
                let edits = forgiven(&spelling);
                if edits == 0 {
                    continue;
                }
                for name in gazetteer.index.similar(&spelling, edits, 4) {
                    let bearers = gazetteer.index.bearers(&name).take(MOST_BEARERS / 10).collect();
                    found.push(Span::new(start..end, name.spelling.clone(), name.edits, bearers));
                }
            }
        }
        self.spans.extend(found);
    }
}

pub(crate) fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// True for what can stand on a door: `5`, `12b`.
pub(crate) fn is_house_number(word: &str) -> bool {
    let digits = word.chars().take_while(char::is_ascii_digit).count();
    (1..=5).contains(&digits) && word.len() - digits <= 1
}

pub(crate) fn is_generic(word: &str) -> bool {
    GENERIC.contains(&word)
}

pub(crate) fn is_joining(word: &str) -> bool {
    JOINING.contains(&word)
}

fn weight(word: &str) -> f64 {
    match word {
        _ if starts_with_digit(word) => 0.4,
        _ if is_generic(word) => 0.4,
        _ if is_joining(word) => 0.3,
        _ => 1.0,
    }
}

/// The words that ask for an airport, or none. What asks for one weighs as much as a name: a city of the
/// same name is not meant.
fn airport_words(words: &mut [AskedWord]) -> u32 {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it| it.text == word);
    let asks = |at: usize| {
        AIRPORT_WORDS.contains(&words[at].text.as_str())
            || (is(at, "base") && at > 0 && (is(at - 1, "air") || is(at - 1, "force")))
            || (is(at, "station") && at > 0 && is(at - 1, "air"))
    };
    let asking: Vec<usize> = (0..words.len()).filter(|&at| asks(at)).collect();
    if asking.is_empty() {
        return 0;
    }
    for at in asking.iter().copied() {
        words[at].weight = 1.0;
    }
    let about = |at: &usize| asking.contains(at) || is_generic(&words[*at].text);
    (0..words.len()).filter(about).fold(0, |bits, at| bits | 1 << at)
}

pub(crate) fn is_street_word(word: &str) -> bool {
    STREET_WORDS.contains(&word)
        || STREET_ENDINGS
            .iter()
            .any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending))
}

/// In a part of the query that looks like street and number, words weigh little: streets are mostly unknown,
/// and the city after them is what counts then.
fn lighten_addresses(words: &mut [AskedWord]) {
    let mut start = 0;
    while start < words.len() {
        let end = (start + 1..words.len()).find(|&at| words[at].breaks).unwrap_or(words.len());
        lighten_address(&mut words[start..end]);
        start = end;
    }
}

fn lighten_address(part: &mut [AskedWord]) {
    let number = part.iter().position(|word| is_house_number(&word.text));
    let street = part.iter().position(|word| is_street_word(&word.text));
    let (Some(number), Some(street)) = (number, street) else { return };
    // With the number first the street is all up to its last street word, `257 west 26th street new york`;
    // with the number last it is all before it, `Lister Meile 29 Hannover`.
    let last_street_word =
        part.iter().rposition(|word| is_street_word(&word.text)).unwrap_or(street);
    let is_leading_word = matches!(
        part[street].text.as_str(),
        "rue"
            | "via"
            | "viale"
            | "calle"
            | "avenue"
            | "avenida"
            | "rua"
            | "boulevard"
            | "place"
            | "chemin"
            | "quai"
            | "piazza"
            | "ul"
            | "ulica"
    );
    let range = match () {
        () if number > street => 0..number + 1,
        () if is_leading_word => number..part.len(),
        () => number..last_street_word + 1,
    };
    for word in &mut part[range] {
        word.weight = word.weight.min(0.25);
    }
}
