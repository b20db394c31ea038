//! Finnish cases and genitives: `Helsingissä` is in `Helsinki`.

/// A form from which a word may be made by inflection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stem {
    /// The word as a gazetteer may know it, folded.
    pub(crate) word: String,
    pub(crate) case: Case,
}

/// What an ending says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Case {
    /// In or on it: `Helsingissä`, `Tampereella`. It needs no other word to be a relation.
    Inside,
    /// From it: `Helsingistä`.
    From,
    /// Of it: `Helsingin`, `Berlins`. It says something beside a relation only.
    Of,
    /// The partitive: `Helsinkiä`. It says something beside a relation only.
    Part,
}

/// Endings, folded. The illative (`Helsinkiin`) is left out: nobody asks what is into a city.
const ENDINGS: [(&str, Case); 9] = [
    ("ssa", Case::Inside),
    ("lla", Case::Inside),
    ("sta", Case::From),
    ("lta", Case::From),
    ("ta", Case::Part),
    ("n", Case::Of),
    ("a", Case::Part),
    ("s", Case::Of),
    ("tta", Case::Part),
];

/// Consonants before the last vowel in a weak syllable, and what they are in the name itself.
const GRADATION: [(&str, &str); 12] = [
    ("ng", "nk"),
    ("nn", "nt"),
    ("mm", "mp"),
    ("ll", "lt"),
    ("rr", "rt"),
    ("lj", "lk"),
    ("rj", "rk"),
    ("d", "t"),
    ("v", "p"),
    ("k", "kk"),
    ("p", "pp"),
    ("t", "tt"),
];

/// A name is not shorter than this.
const SHORTEST: usize = 3;

/// The words of which a folded word may be a case form, the plainest first.
pub(crate) fn stems(word: &str) -> Vec<Stem> {
    let mut found: Vec<Stem> = Vec::new();
    if !word.is_ascii() || word.bytes().any(|it| it.is_ascii_digit()) {
        return found;
    }
    for (ending, case) in ENDINGS {
        let Some(stem) = word.strip_suffix(ending).filter(|it| it.len() >= SHORTEST) else {
            continue;
        };
        let mut add = |word: String| {
            let stem = Stem { word, case };
            if !found.contains(&stem) {
                found.push(stem);
            }
        };
        forms(stem).for_each(&mut add);
    }
    found
}

/// What a stem may be in the nominative: itself, with the strong grade, with another last vowel.
fn forms(stem: &str) -> impl Iterator<Item = String> + '_ {
    let vowels = ends_in_vowel(stem).then(|| {
        let (body, last) = stem.split_at(stem.len() - 1);
        let grades = std::iter::once(body.to_owned()).chain(strong(body));
        grades.flat_map(move |body| {
            // `Lahdessa` is in `Lahti`, `Tampereella` in `Tampere`.
            let short = body.ends_with(last).then(|| body.clone());
            let i = (last == "e").then(|| format!("{body}i"));
            [Some(format!("{body}{last}")), i, short].into_iter().flatten()
        })
    });
    let plain = vowels.is_none().then(|| stem.to_owned());
    // `Bukarestissa` is in `Bukarest`, `New Yorkissa` in `New York`.
    let foreign = stem.strip_suffix('i').map(str::to_owned);
    plain.into_iter().chain(vowels.into_iter().flatten()).chain(foreign)
}

fn ends_in_vowel(word: &str) -> bool {
    word.ends_with(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// The strong grades that the consonants at the end of a stem's body may stand for.
fn strong(body: &str) -> impl Iterator<Item = String> + '_ {
    let graded = GRADATION
        .iter()
        .filter_map(|(weak, strong)| body.strip_suffix(weak).map(|it| format!("{it}{strong}")));
    // `Turussa` is in `Turku`: a k is lost without a trace.
    graded.chain(Some(format!("{body}k")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, name: &str, case: Case) {
        let wanted = Stem { word: name.to_owned(), case };
        assert!(stems(word).contains(&wanted), "{word}: {:?}", stems(word));
    }

    #[test]
    fn what_is_in_a_city_ends_so() {
        check("helsingissa", "helsinki", Case::Inside);
        check("turussa", "turku", Case::Inside);
        check("tampereella", "tampere", Case::Inside);
        check("lahdessa", "lahti", Case::Inside);
        check("rovaniemella", "rovaniemi", Case::Inside);
        check("lappeenrannassa", "lappeenranta", Case::Inside);
        check("hangossa", "hanko", Case::Inside);
        check("kreikassa", "kreikka", Case::Inside);
        check("suomessa", "suomi", Case::Inside);
        check("espoossa", "espoo", Case::Inside);
        check("yorkissa", "york", Case::Inside);
    }

    #[test]
    fn other_cases_stand_beside_a_relation() {
        check("helsingin", "helsinki", Case::Of);
        check("helsinkia", "helsinki", Case::Part);
        check("turkua", "turku", Case::Part);
        check("helsingista", "helsinki", Case::From);
        check("tampereelta", "tampere", Case::From);
        check("berlins", "berlin", Case::Of);
        check("tamperetta", "tampere", Case::Part);
    }

    #[test]
    fn a_number_or_another_script_has_no_cases() {
        assert_eq!(stems("26122"), []);
        assert_eq!(stems("москва"), []);
        assert_eq!(stems("n"), []);
    }
}
