//! Given names and surnames with how usual they are.

use std::collections::BTreeMap;

use crate::packages::archive::Files;
use crate::sink::ImportError;

pub(super) const CENSUS_GIVEN: [&str; 2] = ["names/dist.female.first", "names/dist.male.first"];
pub(super) const CENSUS_SURNAMES: &str = "names/dist.all.last";

/// Whose names are taken from Faker.
pub(super) const LOCALES: [&str; 22] = [
    "en_US", "en_GB", "en_IE", "en_NZ", "de_DE", "de_AT", "de_CH", "fr_FR", "fr_BE", "fr_CH",
    "es_ES", "es_MX", "it_IT", "nl_NL", "nl_BE", "pt_PT", "pt_BR", "fi_FI", "sv_SE", "da_DK",
    "no_NO", "pl_PL",
];

/// A name in a list that tells no frequencies is at most this usual.
const MOST_WITHOUT_FREQUENCY: f64 = 1e-3;

/// A name in a dictionary is as usual as the rarest in the lists: one person in a hundred thousand.
const RAREST: f64 = 1e-5;

/// Shares of the people who bear a name, by the folded name; the largest in any country.
#[derive(Debug, Default)]
pub(super) struct Persons {
    pub(super) given: BTreeMap<String, f64>,
    pub(super) surnames: BTreeMap<String, f64>,
}

impl Persons {
    /// Adds the names of the United States census of 1990.
    pub(super) fn add_census(&mut self, names: &Files) -> Result<(), ImportError> {
        for file in CENSUS_GIVEN {
            add_census(names, file, &mut self.given)?;
        }
        add_census(names, CENSUS_SURNAMES, &mut self.surnames)
    }

    /// Adds the lists of names in a Python class; an error if it has none of one sort.
    pub(super) fn add_provider(&mut self, faker: &Files, file: &str) -> Result<(), ImportError> {
        let (mut given, mut surnames) = (0, 0);
        for (title, names) in lists(faker.text(file)?) {
            if title.contains("first_names") {
                given += names.len();
                add_shares(&names, &mut self.given);
            } else if title.contains("last_names") {
                surnames += names.len();
                add_shares(&names, &mut self.surnames);
            }
        }
        if given == 0 || surnames == 0 {
            return Err(faker.foreign(
                file,
                "list of names",
                &"given names or surnames are missing",
            ));
        }
        Ok(())
    }

    pub(super) fn add_given<'a>(&mut self, names: impl IntoIterator<Item = &'a String>) {
        names.into_iter().for_each(|name| add(&mut self.given, name, RAREST));
    }

    pub(super) fn add_surnames<'a>(&mut self, names: impl IntoIterator<Item = &'a String>) {
        names.into_iter().for_each(|name| add(&mut self.surnames, name, RAREST));
    }
}

/// The file of Faker that has the names of a locale.
pub(super) fn provider(locale: &str) -> String {
    format!("faker/providers/person/{locale}/__init__.py")
}

fn add(list: &mut BTreeMap<String, f64>, name: &str, share: f64) {
    let name = text::fold(name);
    if !name.is_empty() && !name.contains(' ') {
        let most = list.entry(name).or_default();
        *most = most.max(share);
    }
}

/// Lines have a name, its share in percent, and what it adds up to.
fn add_census(
    names: &Files,
    file: &str,
    list: &mut BTreeMap<String, f64>,
) -> Result<(), ImportError> {
    for line in names.text(file)?.lines() {
        let mut fields = line.split_whitespace();
        let (Some(name), Some(percent)) = (fields.next(), fields.next()) else { continue };
        let percent: f64 =
            percent.parse().map_err(|error| names.foreign(file, "list of names", &error))?;
        // The shares are given to three decimals: four of five surnames have none left.
        if percent > 0.0 {
            add(list, name, percent / 100.0);
        }
    }
    Ok(())
}

fn add_shares(names: &[Weighted<'_>], list: &mut BTreeMap<String, f64>) {
    let total: f64 = names.iter().filter_map(|(_, weight)| *weight).sum();
    let even = (1.0 / names.len() as f64).min(MOST_WITHOUT_FREQUENCY);
    for &(name, weight) in names {
        let weighted = weight.filter(|_| total > 0.0).map(|weight| weight / total);
        let share = weighted.unwrap_or(even);
        if share > 0.0 {
            add(list, name, share);
        }
    }
}

/// A name with how often it is borne, if the list tells.
type Weighted<'a> = (&'a str, Option<f64>);

/// Every list in the class: its title, and the names in it with their weights if they have any.
///
/// A list stands over several lines: `    first_names = (`, then a name in quotes on each, then
/// `    )` indented like the title.
fn lists(class: &str) -> Vec<(&str, Vec<Weighted<'_>>)> {
    let mut all: Vec<(&str, Vec<Weighted<'_>>)> = Vec::new();
    let mut open = false;
    for line in class.lines() {
        let inner = line.strip_prefix("    ").unwrap_or_default();
        if !inner.starts_with(' ') {
            let title = inner.split_once(" = ").filter(|(_, value)| value.ends_with(['(', '[']));
            open = title.is_some();
            if let Some((title, _)) = title {
                all.push((title, Vec::new()));
            }
        } else if let Some((_, names)) = all.last_mut().filter(|_| open) {
            names.extend(name(inner));
        }
    }
    all.retain(|(_, names)| !names.is_empty());
    all
}

/// Reads `"Anna",` or `("Anna", 0.5),` or `"Anna": 0.5,`.
fn name(line: &str) -> Option<Weighted<'_>> {
    let (_, rest) = line.split('#').next()?.split_once('"')?;
    let (name, rest) = rest.split_once('"')?;
    let weight = rest.trim_matches(|c: char| !c.is_ascii_digit());
    Some((name, weight.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &str = "class Provider(PersonProvider):\n    first_names_male = (\n\
        \x20       \"Anton\",\n        \"Jörg\",  # old\n    )\n\
        \x20   first_names = first_names_male\n\n\
        \x20   last_names: ElementsType[str] = OrderedDict(\n        (\n\
        \x20           (\"Houston\", 0.25),\n            (\"Le Roux\", 0.75),\n        )\n    )\n";

    #[test]
    fn lists_are_read_with_and_without_weights() {
        let lists = lists(CLASS);
        assert_eq!(lists[0].1, [("Anton", None), ("Jörg", None)]);
        assert_eq!(lists[1].1, [("Houston", Some(0.25)), ("Le Roux", Some(0.75))]);
        assert_eq!(lists.len(), 2);
    }

    #[test]
    fn a_weight_is_a_share_and_a_list_without_has_small_ones() {
        let mut names = BTreeMap::new();
        add_shares(&[("Houston", Some(1.0)), ("Le Roux", Some(3.0))], &mut names);
        add_shares(&[("Jörg", None)], &mut names);
        let expected = [("houston".to_owned(), 0.25), ("jorg".to_owned(), MOST_WITHOUT_FREQUENCY)];
        assert_eq!(names, BTreeMap::from(expected));
    }
}
