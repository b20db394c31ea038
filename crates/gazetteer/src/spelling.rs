//! The one spelling under which a name is kept and looked up.

/// The spelling under which a name is kept and looked up.
///
/// Folded, and with the abbreviations people use written out: `St. Louis` and `Saint Louis`, `Lange Str.`
/// and `Lange Straße`, `D.C.` and `DC` are the same.
pub fn spelling(name: &str) -> String {
    let folded = initials_joined(text::fold(name));
    if folded.split(' ').any(is_short) { written_out(&folded) } else { folded }
}

/// `u s a` is `usa`: single letters that follow each other are one abbreviation.
fn initials_joined(folded: String) -> String {
    let is_single = |word: &str| word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
    let mut words = folded.split(' ').peekable();
    let mut joined = String::with_capacity(folded.len());
    let mut changed = false;
    while let Some(word) = words.next() {
        joined.push_str(word);
        if let Some(next) = words.peek() {
            let run = is_single(word) && is_single(next);
            changed |= run;
            if !run {
                joined.push(' ');
            }
        }
    }
    if changed { joined } else { folded }
}

/// The long form of a word that is often abbreviated anywhere in a name: `st` is `saint`.
pub fn long_form(word: &str) -> Option<&'static str> {
    // Most words are longer than any abbreviation.
    if word.len() > 5 {
        None
    } else if word == "str" {
        Some("strasse")
    } else {
        look_up(&WORDS, word)
    }
}

fn is_short(word: &str) -> bool {
    word.ends_with("str")
        || word == "sankt"
        || WORDS.iter().any(|(short, _)| *short == word)
        || LAST_WORDS.iter().any(|(short, _)| *short == word)
}

/// Abbreviations anywhere in a name.
const WORDS: [(&str, &str); 10] = [
    ("st", "saint"),
    ("sankt", "saint"),
    ("ste", "sainte"),
    ("mt", "mount"),
    ("ft", "fort"),
    ("av", "avenue"),
    ("bd", "boulevard"),
    ("blvd", "boulevard"),
    ("intl", "international"),
    ("pl", "place"),
];

/// Abbreviations at the end of a name, where `St` is a street and no saint.
const LAST_WORDS: [(&str, &str); 9] = [
    ("st", "street"),
    ("ave", "avenue"),
    ("rd", "road"),
    ("dr", "drive"),
    ("ln", "lane"),
    ("sq", "square"),
    ("hwy", "highway"),
    ("pkwy", "parkway"),
    ("pl", "platz"),
];

fn written_out(folded: &str) -> String {
    let words: Vec<_> = folded.split(' ').collect();
    let last = words.len() - 1;
    let full = words.iter().enumerate().map(|(at, word)| {
        let ends = at == last && at > 0;
        match ends.then(|| look_up(&LAST_WORDS, word)).flatten().or_else(|| look_up(&WORDS, word)) {
            Some(full) => full.to_owned(),
            None if *word == "str" => "strasse".to_owned(),
            None if word.len() > 4 && word.ends_with("str") => format!("{word}asse"),
            None => (*word).to_owned(),
        }
    });
    full.collect::<Vec<_>>().join(" ")
}

fn look_up(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(short, _)| *short == word).map(|(_, full)| *full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(one: &str, other: &str) {
        assert_eq!(spelling(one), spelling(other));
    }

    #[test]
    fn abbreviations_are_written_out() {
        same("St. Louis", "Saint Louis");
        same("Sankt Pölten", "St. Pölten");
        same("Ste-Foy", "Sainte-Foy");
        same("Mt. Vernon", "Mount Vernon");
        same("Lange Str.", "Lange Straße");
        same("Rigaer Str. ", "rigaer strasse");
        same("Hauptstr.", "Hauptstraße");
    }

    #[test]
    fn a_saint_at_the_end_is_a_street() {
        assert_eq!(spelling("26th St"), "26th street");
        assert_eq!(spelling("St Ives"), "saint ives");
        assert_eq!(spelling("St"), "saint");
    }

    #[test]
    fn initials_are_one_word() {
        same("Washington, D.C.", "Washington DC");
        same("U.S.A.", "USA");
        assert_eq!(spelling("Val d'Or"), "val d or");
        assert_eq!(spelling("A"), "a");
    }

    #[test]
    fn case_hyphens_and_sharp_s_do_not_matter() {
        same("GROSS-GERAU", "Groß Gerau");
        same("Stratford-upon-Avon", "stratford upon avon");
    }
}
