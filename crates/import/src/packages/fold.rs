//! Names made comparable: without case, accents and punctuation.

/// Words that say what a division is, not which: they stand behind the name.
///
/// Taken from the names of admin2 units: each of them ends fifteen or more in some country.
const TRAILING: [&str; 38] = [
    " Atoll",
    " Aūdany",
    " Barrio",
    " Borough",
    " Census Area",
    " City and Borough",
    " County",
    " Department",
    " District",
    " Division",
    " Governorate",
    " Gun",
    " Járás",
    " Kommun",
    " Kommune",
    " Local Government Area",
    " Municipality",
    " Oblast",
    " Okrug",
    " Parish",
    " Planning Region",
    " Prefecture",
    " Province",
    " Raion",
    " Rayon",
    " Regency",
    " Region",
    " Shi",
    " Subregion",
    " Tumani",
    " kommun",
    " novads",
    " pagasts",
    " vald",
    " İlçesi",
    "-gu",
    "-gun",
    "-si",
];

/// The same in front of the name.
const LEADING: [&str; 55] = [
    "Amphoe ",
    "Bashkia ",
    "Bezirk ",
    "Cantón ",
    "Circunscrição de ",
    "Commune of ",
    "Comuna ",
    "Departamento ",
    "Departamento de ",
    "Département d'",
    "Département de ",
    "Département de l'",
    "Département de la ",
    "Département des ",
    "Département du ",
    "Gemeente ",
    "Grad ",
    "Huyện ",
    "Judeţul ",
    "Kabupaten ",
    "Komuna e ",
    "Kota ",
    "Kreis ",
    "Landkreis ",
    "Markaz ",
    "Muang ",
    "Municipality of ",
    "Municipio de ",
    "Municipiul ",
    "Nohiyai ",
    "Nomós ",
    "Obshtina ",
    "Okres ",
    "Općina ",
    "Oraş ",
    "Oraș ",
    "Partido de ",
    "Politischer Bezirk ",
    "Powiat ",
    "Province of ",
    "Provincia ",
    "Provincia de ",
    "Provincia de la ",
    "Provincia del ",
    "Provincia dell'",
    "Provincia della ",
    "Provincia di ",
    "Provincie ",
    "Província de ",
    "Regierungsbezirk ",
    "Shahrestān-e ",
    "Srŏk ",
    "State of ",
    "Thành Phố ",
    "Thị Xã ",
];

/// The name folded, and without apostrophes: inside a word they are spelling, no gap (Xi'an, Xian).
pub(super) fn fold_name(name: &str) -> String {
    text::fold(&name.replace(['\'', '’', '‘', '`'], ""))
}

/// The name without the word for its sort: `Potter County` is `Potter`.
pub(super) fn bare(name: &str) -> Option<&str> {
    let behind = TRAILING.iter().filter_map(|word| name.strip_suffix(word));
    let before = LEADING.iter().filter_map(|word| name.strip_prefix(word));
    let shortest = behind.min_by_key(|rest| rest.len()).or(before.min_by_key(|rest| rest.len()));
    shortest.filter(|rest| rest.chars().count() > 1)
}

/// The folded name without the word for its sort, to compare divisions by.
pub(super) fn fold_bare(name: &str) -> String {
    fold_name(bare(name).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_punctuation_do_not_count() {
        assert_eq!(fold_name("Saint-Étienne-du-Rouvray"), "saint etienne du rouvray");
        assert_eq!(fold_name("L'Abergement"), "labergement");
        assert_eq!(fold_name("  Łódź!"), "lodz");
        assert_eq!(fold_name("Straße"), "strasse");
    }

    #[test]
    fn a_division_is_bared_of_the_word_for_its_sort() {
        assert_eq!(bare("Potter County"), Some("Potter"));
        assert_eq!(bare("Landkreis Oldenburg"), Some("Oldenburg"));
        assert_eq!(bare("Provincia dell'Aquila"), Some("Aquila"));
        assert_eq!(bare("Département de la Somme"), Some("Somme"));
        assert_eq!(bare("City and Borough of Juneau"), None);
        assert_eq!(bare("Oldenburg"), None);
    }
}
