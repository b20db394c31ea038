//! German nouns by their forms, with the names among them told apart.

use std::collections::{HashMap, HashSet};

use crate::packages::archive::Files;
use crate::sink::ImportError;

pub(super) const NOUNS: &str = "german_nouns/nouns.csv";

/// How the table calls names.
const NAMES: [&str; 5] = ["Eigenname", "Nachname", "Straßenname", "Toponym", "Vorname"];

/// The column from which on the forms stand; before are lemma, part of speech and gender.
const FORMS: usize = 7;

/// All in lower case.
#[derive(Debug, Default)]
pub(super) struct Nouns {
    /// Each form of a noun that is no name, with the other forms of that noun.
    ///
    /// The genitive in -s is left out of these: names have one too.
    pub(super) ordinary: HashMap<String, HashSet<String>>,
    pub(super) places: HashSet<String>,
    pub(super) given: HashSet<String>,
    pub(super) surnames: HashSet<String>,
}

impl Nouns {
    pub(super) fn read(files: &Files) -> Result<Self, ImportError> {
        Self::parse(files.text(NOUNS)?)
            .map_err(|error| files.foreign(NOUNS, "table of German nouns", &error))
    }

    fn parse(table: &str) -> Result<Self, csv::Error> {
        let mut nouns = Self::default();
        let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(table.as_bytes());
        for row in rows.records() {
            let row = row?;
            let (Some(lemma), Some(parts)) = (row.get(0), row.get(1)) else { continue };
            let parts: Vec<&str> = parts.split(',').collect();
            let lemma = lemma.to_lowercase();
            if parts.iter().any(|part| NAMES.contains(part)) {
                nouns.add_name(&parts, &lemma);
            } else if parts.contains(&"Substantiv") {
                let forms = row.iter().skip(FORMS).map(str::to_lowercase).chain([lemma]);
                nouns.add_noun(&forms.filter(|form| is_word(form)).collect());
            }
        }
        Ok(nouns)
    }

    fn add_name(&mut self, parts: &[&str], lemma: &str) {
        let lists = [
            ("Toponym", &mut self.places),
            ("Vorname", &mut self.given),
            ("Nachname", &mut self.surnames),
        ];
        for (part, list) in lists {
            if parts.contains(&part) && is_word(lemma) {
                list.insert(lemma.to_owned());
            }
        }
    }

    fn add_noun(&mut self, forms: &HashSet<String>) {
        for form in forms {
            let genitive = format!("{form}s");
            let others = forms.iter().filter(|&other| other != form && *other != genitive);
            self.ordinary.entry(form.clone()).or_default().extend(others.cloned());
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "lemma,pos,genus,g1,g2,g3,g4,nominativ singular,genitiv singular,plural\n\
        Kiel,Substantiv,m,,,,,Kiel,Kiels,Kiele\nKiel,\"Substantiv,Toponym\",,,,,,,,\n\
        Wolfgang,\"Substantiv,Vorname\",m\n";

    #[test]
    fn a_noun_is_known_with_its_other_forms_and_apart_from_names() {
        let nouns = Nouns::parse(TABLE).unwrap();
        assert_eq!(nouns.ordinary["kiel"], HashSet::from(["kiele".to_owned()]));
        assert!(nouns.places.contains("kiel") && nouns.given.contains("wolfgang"));
        assert!(!nouns.ordinary.contains_key("wolfgang"));
    }
}
