//! Hunspell dictionaries: of which stems a word can be a form.

use std::collections::{HashMap, HashSet};

use crate::packages::archive::Files;
use crate::sink::ImportError;

pub(super) const STEMS: &str = "index.dic";
pub(super) const AFFIXES: &str = "index.aff";

/// Names stand in a dictionary with a capital; only what stands there without one is kept.
///
/// Compounds, and endings put behind endings, are not followed: their words count as unknown.
pub(super) struct Dictionary {
    /// Flags by stem: which rules apply to it.
    stems: HashMap<String, HashSet<u64>>,
    /// The flag of stems that are no words by themselves.
    needs_affix: Option<u64>,
    /// Rules by the ending or beginning they add.
    suffixes: HashMap<String, Vec<Rule>>,
    prefixes: HashMap<String, Vec<Rule>>,
}

struct Rule {
    flag: u64,
    strip: String,
    condition: Vec<Letters>,
    /// Rules that apply to what this one makes.
    further: HashSet<u64>,
}

/// One position of a condition: any letter, one of these, or none of these.
enum Letters {
    Any,
    In(Vec<char>),
    NotIn(Vec<char>),
}

#[derive(Clone, Copy)]
enum Flags {
    Single,
    Double,
    Numbers,
}

impl Dictionary {
    pub(super) fn read(files: &Files) -> Result<Self, ImportError> {
        let (affixes, stems) = (files.text(AFFIXES)?, files.text(STEMS)?);
        let dictionary = Self::parse(affixes, stems);
        if dictionary.stems.is_empty() {
            return Err(files.foreign(STEMS, "Hunspell dictionary", &"it has no stems"));
        }
        Ok(dictionary)
    }

    fn parse(affixes: &str, stems: &str) -> Self {
        let mut dictionary = Self {
            stems: HashMap::new(),
            needs_affix: None,
            suffixes: HashMap::new(),
            prefixes: HashMap::new(),
        };
        let (flags, unwanted) = dictionary.read_affixes(affixes);
        // The first line is a count.
        for line in stems.lines().skip(1) {
            let entry = line.split([' ', '\t']).next().unwrap_or_default();
            let (stem, marks) = entry.split_once('/').unwrap_or((entry, ""));
            let marks = flags.of(marks);
            let lower = stem.chars().all(char::is_lowercase);
            if lower && !stem.is_empty() && marks.is_disjoint(&unwanted) {
                dictionary.stems.entry(stem.to_owned()).or_default().extend(marks);
            }
        }
        dictionary
    }

    /// Reads the rules; returns how flags are written, and those of stems that are no words.
    fn read_affixes(&mut self, affixes: &str) -> (Flags, HashSet<u64>) {
        let mut flags = Flags::Single;
        let mut unwanted = HashSet::new();
        for line in affixes.lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            match fields.as_slice() {
                ["FLAG", "long", ..] => flags = Flags::Double,
                ["FLAG", "num", ..] => flags = Flags::Numbers,
                ["NEEDAFFIX", flag, ..] => self.needs_affix = flags.of(flag).into_iter().next(),
                ["FORBIDDENWORD" | "ONLYINCOMPOUND", flag, ..] => unwanted.extend(flags.of(flag)),
                [sort @ ("SFX" | "PFX"), flag, strip, added, rest @ ..] => {
                    // The heading of a group of rules has a Y or N and a count in these places.
                    if rest.is_empty() && added.parse::<u32>().is_ok() {
                        continue;
                    }
                    let (added, further) = added.split_once('/').unwrap_or((added, ""));
                    let Some(flag) = flags.of(flag).into_iter().next() else { continue };
                    let condition = rest.first().filter(|it| !it.contains(':'));
                    let rule = Rule {
                        flag,
                        strip: if *strip == "0" { "" } else { strip }.to_owned(),
                        condition: condition.map(|it| letters(it)).unwrap_or_default(),
                        further: flags.of(further),
                    };
                    let rules =
                        if *sort == "SFX" { &mut self.suffixes } else { &mut self.prefixes };
                    let added = if added == "0" { "" } else { added };
                    rules.entry(added.to_owned()).or_default().push(rule);
                }
                _ => {}
            }
        }
        (flags, unwanted)
    }

    /// The stems the word can be a form of, the word itself among them if it is one.
    pub(super) fn stems_of(&self, word: &str) -> Vec<String> {
        let bare = self.stems.get(word);
        let bare = bare.filter(|flags| self.needs_affix.is_none_or(|it| !flags.contains(&it)));
        let mut found: Vec<String> = bare.iter().map(|_| word.to_owned()).collect();
        self.strip_suffixes(word, None, &mut found);
        for (at, _) in word.char_indices().skip(1) {
            for rule in self.prefixes.get(&word[..at]).into_iter().flatten() {
                let rest = rule.strip.clone() + &word[at..];
                if !starts_as(&rule.condition, &rest) {
                    continue;
                }
                if self.stems.get(&rest).is_some_and(|flags| flags.contains(&rule.flag)) {
                    found.push(rest.clone());
                }
                self.strip_suffixes(&rest, Some(rule.flag), &mut found);
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Finds stems with one ending taken off; only those the prefix of that flag may stand before.
    fn strip_suffixes(&self, word: &str, prefix: Option<u64>, found: &mut Vec<String>) {
        let ends = word.char_indices().map(|(at, _)| at).skip(1).chain([word.len()]);
        for at in ends {
            for rule in self.suffixes.get(&word[at..]).into_iter().flatten() {
                let stem = word[..at].to_owned() + &rule.strip;
                if stem == word || !ends_as(&rule.condition, &stem) {
                    continue;
                }
                let Some(flags) = self.stems.get(&stem) else { continue };
                let may_follow = |it| flags.contains(&it) || rule.further.contains(&it);
                if flags.contains(&rule.flag) && prefix.is_none_or(may_follow) {
                    found.push(stem);
                }
            }
        }
    }
}

impl Flags {
    fn of(self, text: &str) -> HashSet<u64> {
        let letters: Vec<u64> = text.chars().map(u64::from).collect();
        match self {
            Self::Single => letters.into_iter().collect(),
            Self::Double => {
                letters.chunks(2).map(|it| it.iter().fold(0, |a, b| a << 32 | b)).collect()
            }
            Self::Numbers => text.split(',').filter_map(|it| it.parse().ok()).collect(),
        }
    }
}

/// Reads `[^aeiou]y` and its like.
fn letters(condition: &str) -> Vec<Letters> {
    let mut all = Vec::new();
    let mut rest = condition.chars();
    while let Some(letter) = rest.next() {
        all.push(match letter {
            '.' => Letters::Any,
            '[' => {
                let mut class: Vec<char> = rest.by_ref().take_while(|&it| it != ']').collect();
                if class.first() == Some(&'^') {
                    class.remove(0);
                    Letters::NotIn(class)
                } else {
                    Letters::In(class)
                }
            }
            letter => Letters::In(vec![letter]),
        });
    }
    all
}

impl Letters {
    fn allow(&self, letter: char) -> bool {
        match self {
            Self::Any => true,
            Self::In(these) => these.contains(&letter),
            Self::NotIn(these) => !these.contains(&letter),
        }
    }
}

fn starts_as(condition: &[Letters], word: &str) -> bool {
    let mut letters = word.chars();
    condition.iter().all(|class| letters.next().is_some_and(|it| class.allow(it)))
}

fn ends_as(condition: &[Letters], word: &str) -> bool {
    let mut letters = word.chars().rev();
    condition.iter().rev().all(|class| letters.next().is_some_and(|it| class.allow(it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFFIXES: &str = "SET UTF-8\nONLYINCOMPOUND c\nPFX U Y 1\nPFX U 0 un .\n\
        SFX S Y 2\nSFX S y ies [^aeiou]y\nSFX S 0 s [^sy]\nSFX D Y 1\nSFX D 0 ed [^ey]\n";
    const STEMS: &str = "6\ncity/S\ntour/SD\nlock/USD\nLondon/S\nth/c\nboy po:noun\n";

    #[track_caller]
    fn check(word: &str, stems: &[&str]) {
        assert_eq!(Dictionary::parse(AFFIXES, STEMS).stems_of(word), stems);
    }

    #[test]
    fn a_stem_is_a_form_of_itself() {
        check("tour", &["tour"]);
        check("boy", &["boy"]);
    }

    #[test]
    fn a_rule_applies_to_stems_that_bear_its_flag_and_end_as_it_asks() {
        check("cities", &["city"]);
        check("tours", &["tour"]);
        check("citys", &[]);
        check("cityed", &[]);
    }

    #[test]
    fn a_prefix_may_stand_before_an_ending() {
        check("unlocked", &["lock"]);
        check("untoured", &[]);
    }

    #[test]
    fn a_name_and_half_a_word_are_no_words() {
        check("london", &[]);
        check("londons", &[]);
        check("th", &[]);
    }

    #[test]
    fn flags_can_be_pairs_of_letters_and_numbers() {
        let stems_of = |affixes: &str, stems: &str| {
            Dictionary::parse(affixes, stems).stems_of("toren").join(" ")
        };
        assert_eq!(stems_of("FLAG long\nSFX Aa Y 1\nSFX Aa 0 en .", "1\ntor/BbAa"), "tor");
        assert_eq!(stems_of("FLAG num\nSFX 12 Y 1\nSFX 12 0 en .", "1\ntor/1,2"), "");
    }
}
