//! The dumps of geonames.org: places, alternate names, hierarchy and postal codes.
//!
//! The formats are described in <https://download.geonames.org/export/dump/readme.txt> and
//! <https://download.geonames.org/export/zip/readme.txt>.

use std::collections::HashSet;
use std::path::Path;

use earth::Point;
use gazetteer::{Fact, Kind, NameClass, PlaceFact, Seat};

use crate::lines::{Pass, each_line};
use crate::sink::{ImportError, Sink};
use crate::source;

/// Which places of a dump are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeonamesOptions {
    /// Feature classes (`A`) and single feature codes (`S.AIRP`).
    pub features: Vec<String>,
    /// Cities with fewer people are passed over; divisions and airports are not cities.
    pub min_population: u64,
}

/// Divisions, cities, airports and continents, of any size.
impl Default for GeonamesOptions {
    fn default() -> Self {
        let features = ["A", "P", "S.AIRP", "L.CONT"].map(str::to_owned).to_vec();
        Self { features, min_population: 0 }
    }
}

/// Reads the files of geonames.org.
///
/// Alternate names and the hierarchy stand in files of their own and come out as facts of their own:
/// they bear the key of the place and an empty name, and add to the place what they know.
/// Read the places first: then only what concerns a place that was kept comes out.
#[derive(Debug, Default)]
pub struct Geonames {
    options: GeonamesOptions,
    /// The ids of the places kept so far: four bytes for each.
    kept: HashSet<u32>,
}

/// What a file of geonames.org holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Places,
    AlternateNames,
    Hierarchy,
    PostalCodes,
}

/// What a line amounts to: facts to keep, nothing of interest, or the reason why it is bad.
type Read = Result<Option<PlaceFact>, String>;

impl Geonames {
    /// A reader that keeps what the options ask for.
    pub fn new(options: GeonamesOptions) -> Self {
        Self { options, kept: HashSet::new() }
    }

    /// Reads one file, `.txt` or the `.zip` around it.
    ///
    /// Its first line tells what it holds, by the number of columns: the dump of places and that of
    /// postal codes are both called `allCountries`.
    pub fn import(&mut self, path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        let file = path.display().to_string();
        let mut content = None;
        each_line(Pass::ONLY, path, sink, &mut |sink, number, line| {
            let columns: Vec<&str> = line.split('\t').collect();
            if line.is_empty() || line.starts_with('#') {
                return Ok(());
            }
            let content = if let Some(known) = content {
                known
            } else {
                let found = Content::of(&file, columns.len())?;
                sink.fact(source::GEONAMES.of(path));
                *content.insert(found)
            };
            match self.read(content, &columns) {
                Ok(Some(place)) => sink.fact(Fact::Place(place)),
                Ok(None) => sink.pass(),
                Err(reason) => sink.bad(&file, number, reason)?,
            }
            Ok(())
        })
    }

    fn read(&mut self, content: Content, columns: &[&str]) -> Read {
        match content {
            Content::Places => self.place(columns),
            Content::AlternateNames => self.alternate_name(columns),
            Content::Hierarchy => self.hierarchy(columns),
            Content::PostalCodes => postal_code(columns),
        }
    }

    /// A line of `allCountries.txt`, `DE.txt` or `cities500.txt`.
    fn place(&mut self, columns: &[&str]) -> Read {
        let columns = exactly::<19>(columns)?;
        let id = id(columns[0])?;
        let feature = Feature { class: columns[6], code: columns[7] };
        let Some(kind) = feature.kind().filter(|_| feature.is_among(&self.options.features)) else {
            return Ok(None);
        };
        let population = population(columns[14])?;
        if feature.class == "P" && population < self.options.min_population {
            return Ok(None);
        }
        let mut place = PlaceFact::new(key(id), kind, name(columns[1])?);
        place.point = Some(point(columns[4], columns[5])?);
        place.population = population;
        place.seat = feature.seat();
        put_names(&mut place, columns[2], columns[3]);
        Codes::of(columns).put(&feature, &mut place);
        put_tags(&mut place, &feature, columns[17]);
        self.kept.insert(id);
        Ok(Some(place))
    }

    /// A line of `alternateNamesV2.txt`: a place without a name of its own, with one more name.
    ///
    /// The kind is a placeholder; the place's own fact has the true one.
    fn alternate_name(&self, columns: &[&str]) -> Read {
        let columns = at_least::<4>(columns)?;
        let id = id(columns[1])?;
        let Some(class) = class_of(columns[2]).filter(|_| self.concerns(id)) else {
            return Ok(None);
        };
        let mut place = PlaceFact::new(key(id), Kind::City, "");
        place.also(class, name(columns[3])?);
        Ok(Some(place))
    }

    /// A line of `hierarchy.txt`: a place without a name of its own, with its parent.
    fn hierarchy(&self, columns: &[&str]) -> Read {
        let [parent, child] = at_least::<2>(columns)?;
        let (parent, child) = (id(parent)?, id(child)?);
        // Other types tell of tourist regions and the like.
        let is_part = columns.get(2).is_none_or(|kind| matches!(kind.trim(), "" | "ADM"));
        if !is_part || !self.concerns(child) || !self.concerns(parent) {
            return Ok(None);
        }
        Ok(Some(PlaceFact::new(key(child), Kind::City, "").within(key(parent))))
    }

    /// True for the places kept, and for all if no places were read.
    fn concerns(&self, id: u32) -> bool {
        self.kept.is_empty() || self.kept.contains(&id)
    }
}

/// A line of the postal codes.
fn postal_code(columns: &[&str]) -> Read {
    let columns = exactly::<12>(columns)?;
    let [country, code] = [columns[0].trim(), name(columns[1])?];
    if !is_country(country) {
        return Err(format!("\"{}\" is no country code of two letters", shown(country)));
    }
    let unspaced: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let mut place = PlaceFact::new(format!("zip:{country}-{unspaced}"), Kind::Postcode, code);
    place.point = Some(point(columns[9], columns[10])?);
    put_tag(&mut place, "city", columns[2]);
    put_tag(&mut place, "iso2", country);
    Ok(Some(place))
}

impl Content {
    fn of(file: &str, columns: usize) -> Result<Self, ImportError> {
        match columns {
            19 => Ok(Self::Places),
            12 => Ok(Self::PostalCodes),
            8..=10 => Ok(Self::AlternateNames),
            2..=3 => Ok(Self::Hierarchy),
            _ => Err(ImportError::Foreign {
                file: file.to_owned(),
                expected: "file of GeoNames",
                reason: format!(
                    "its first line has {columns} columns, where places have 19, \
                     postal codes 12, alternate names 10 and the hierarchy 3"
                ),
            }),
        }
    }
}

/// A feature class and code of geonames.org (<https://www.geonames.org/export/codes.html>).
struct Feature<'l> {
    class: &'l str,
    code: &'l str,
}

impl Feature<'_> {
    fn is_among(&self, wanted: &[String]) -> bool {
        let whole = format!("{}.{}", self.class, self.code);
        wanted.iter().any(|wanted| wanted == self.class || *wanted == whole)
    }

    /// The kind of such a place; none for what is abandoned, historical or no place.
    fn kind(&self) -> Option<Kind> {
        Some(match (self.class, self.code) {
            ("A", "PCL" | "PCLD" | "PCLF" | "PCLI" | "PCLIX" | "PCLS" | "TERR") => Kind::Country,
            ("A", "ADM1") => Kind::Region,
            ("A", "ADM2") => Kind::County,
            ("A", "ADM3" | "ADM4" | "ADM5") => Kind::Municipality,
            ("P", "PPLH" | "PPLQ" | "PPLW" | "PPLCH") => return None,
            ("P", "PPLX") => Kind::District,
            ("P", _) => Kind::City,
            ("L", "CONT") => Kind::Continent,
            ("T" | "H" | "L" | "V", _) => Kind::Feature,
            ("S", "AIRP" | "AIRF") => Kind::Airport,
            ("S", _) => Kind::Poi,
            _ => return None,
        })
    }

    fn seat(&self) -> Seat {
        match (self.class, self.code) {
            ("P", "PPLC" | "PPLG") => Seat::Country,
            ("P", "PPLA") => Seat::Region,
            ("P", "PPLA2" | "PPLA3" | "PPLA4" | "PPLA5") => Seat::County,
            _ => Seat::None,
        }
    }
}

/// The codes of the divisions a place lies in: country, region, county, and two narrower.
struct Codes<'l>(Vec<&'l str>);

impl<'l> Codes<'l> {
    /// The codes up to the first that is unknown; `00` stands for "no region in particular".
    fn of(columns: &[&'l str; 19]) -> Self {
        let all = [columns[8], columns[10], columns[11], columns[12], columns[13]];
        Self(all.into_iter().take_while(|code| !matches!(*code, "" | "00")).collect())
    }

    /// The first `depth` codes: `DE.06`.
    fn path(&self, depth: usize) -> Option<String> {
        self.0.get(..depth).filter(|codes| !codes.is_empty()).map(|codes| codes.join("."))
    }

    /// Gives the place its parent in the form `adm:DE.06`, and if it is a division, its own path as
    /// the tag `adm`: the dump knows codes and no ids, and the builder joins the two.
    fn put(&self, feature: &Feature<'_>, place: &mut PlaceFact) {
        let own = match (feature.class, feature.code) {
            // Some territories are within a country and share its code.
            ("A", "TERR") => Some(1).filter(|_| self.0.len() == 1),
            ("A", "ADM5") => None,
            ("A", code) => Some(code.strip_prefix("ADM").map_or(1, |n| 1 + depth(n))),
            _ => None,
        };
        let narrowest = own.map_or(self.0.len(), |own| (own - 1).min(self.0.len())).min(3);
        if place.kind > Kind::Continent {
            place.parent =
                self.path(narrowest).map(|path| format!("adm:{path}")).unwrap_or_default();
        }
        if let Some(path) = own.and_then(|own| self.path(own)) {
            place.tags.push(("adm".to_owned(), path));
        }
        put_short_names(place);
    }
}

/// Countries and regions go by their codes too, if these are letters: `DE`, `CA`, `ZH`.
fn put_short_names(place: &mut PlaceFact) {
    let Some(path) = place.tag("adm").map(str::to_owned) else { return };
    if place.kind == Kind::Country {
        put_tag(place, "iso2", &path);
    }
    let code = path.rsplit('.').next().unwrap_or_default();
    if place.kind <= Kind::Region && code.chars().all(|c| c.is_ascii_uppercase()) {
        place.also(NameClass::Short, code);
    }
}

/// The number in `ADM3`.
fn depth(digits: &str) -> usize {
    digits.parse().unwrap_or(0)
}

/// The plain-ASCII name and the list of other names.
fn put_names(place: &mut PlaceFact, ascii: &str, others: &str) {
    place.also(NameClass::Alternate, ascii);
    for other in others.split(',') {
        let is_code = matches!(other.len(), 3 | 4) && other.bytes().all(|b| b.is_ascii_uppercase());
        let is_short = place.kind == Kind::Airport && is_code;
        place.also(if is_short { NameClass::Short } else { NameClass::Alternate }, other);
    }
}

fn put_tags(place: &mut PlaceFact, feature: &Feature<'_>, zone: &str) {
    put_tag(place, "tz", zone);
    if matches!(place.kind, Kind::Feature | Kind::Poi) {
        put_tag(place, "feature", &format!("{}.{}", feature.class, feature.code));
    }
}

fn put_tag(place: &mut PlaceFact, word: &str, value: &str) {
    if !value.trim().is_empty() {
        place.tags.push((word.to_owned(), value.trim().to_owned()));
    }
}

/// What a name of this language is; none for links, postal codes and keys of other databases.
fn class_of(language: &str) -> Option<NameClass> {
    match language {
        "iata" | "icao" | "faac" | "abbr" => Some(NameClass::Short),
        "link" | "wkdt" | "post" | "unlc" | "phon" => None,
        _ => Some(NameClass::Alternate),
    }
}

fn key(id: u32) -> String {
    format!("gn:{id}")
}

fn id(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("\"{}\" is no id of GeoNames", shown(text)))
}

fn name(text: &str) -> Result<&str, String> {
    let text = text.trim();
    if text.is_empty() { Err("the name is empty".to_owned()) } else { Ok(text) }
}

fn population(text: &str) -> Result<u64, String> {
    let number = if text.is_empty() { "0" } else { text };
    number.parse().map_err(|_| format!("\"{}\" is no population", shown(text)))
}

fn point(lat: &str, lon: &str) -> Result<Point, String> {
    let degrees = |text: &str, most: f64| {
        text.trim().parse::<f64>().ok().filter(|degrees| degrees.abs() <= most)
    };
    match (degrees(lat, 90.0), degrees(lon, 180.0)) {
        (Some(lat), Some(lon)) => Ok(Point::new(lat, lon)),
        _ => Err(format!("\"{}, {}\" is no point on earth", shown(lat), shown(lon))),
    }
}

fn is_country(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn exactly<'a, 'l, const N: usize>(columns: &'a [&'l str]) -> Result<&'a [&'l str; N], String> {
    columns.try_into().map_err(|_| format!("the line has {} columns, not {N}", columns.len()))
}

fn at_least<'l, const N: usize>(columns: &[&'l str]) -> Result<[&'l str; N], String> {
    let short = || format!("the line has {} columns, not {N}", columns.len());
    columns.first_chunk().copied().ok_or_else(short)
}

/// As much of a text as an error can carry.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use gazetteer::Name;
    use proptest::prelude::*;

    use super::*;
    use crate::trial::{Trial, check_thanks, trial, with_file};

    #[test]
    fn the_source_is_thanked_first() {
        check_thanks("GeoNames", "DE.txt", &import(&[berlin()]));
    }

    #[test]
    fn a_city_has_its_point_population_names_and_parent() {
        let trial = import(&[berlin()]);
        let berlin = trial.place("gn:2950159");
        assert_eq!((berlin.kind, berlin.name.as_str()), (Kind::City, "Berlín"));
        assert_eq!(berlin.point, Some(Point::new(52.52437, 13.41053)));
        assert_eq!((berlin.population, berlin.seat), (3_426_354, Seat::Country));
        assert_eq!(berlin.parent, "adm:DE.16");
        assert_eq!(berlin.tag("tz"), Some("Europe/Berlin"));
        let names: Vec<_> = berlin.names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(names, ["Berlin", "Berlino", "柏林"]);
    }

    #[test]
    fn divisions_carry_the_path_that_others_name_as_their_parent() {
        let trial = import(&[
            place(1, "Germany", "A", "PCLI", ["DE", "00", "", ""]),
            place(2, "Lower Saxony", "A", "ADM1", ["DE", "06", "", ""]),
            place(3, "Oldenburg", "A", "ADM2", ["DE", "06", "03403", ""]),
            place(4, "Wahnbek", "A", "ADM3", ["DE", "06", "03403", "034"]),
            place(5, "Etzhorn", "P", "PPL", ["DE", "06", "03403", "034"]),
        ]);
        let paths: Vec<_> =
            trial.places().into_iter().map(|p| (p.tag("adm"), &*p.parent)).collect();
        let expected = [
            (Some("DE"), ""),
            (Some("DE.06"), "adm:DE"),
            (Some("DE.06.03403"), "adm:DE.06"),
            (Some("DE.06.03403.034"), "adm:DE.06.03403"),
            (None, "adm:DE.06.03403"),
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_territory_within_a_country_does_not_pass_for_the_country() {
        let trial = import(&[place(1, "Ashmore", "A", "TERR", ["AU", "03", "", ""])]);
        assert_eq!(trial.place("gn:1").tag("adm"), None);
        assert_eq!(trial.place("gn:1").parent, "adm:AU.03");
    }

    #[test]
    fn codes_of_letters_are_short_names() {
        let trial = import(&[
            place(1, "United States", "A", "PCLI", ["US", "00", "", ""]),
            place(2, "California", "A", "ADM1", ["US", "CA", "", ""]),
            place(3, "Uusimaa", "A", "ADM1", ["FI", "01", "", ""]),
        ]);
        check_short(trial.place("gn:1"), &["US"]);
        check_short(trial.place("gn:2"), &["CA"]);
        check_short(trial.place("gn:3"), &[]);
    }

    #[test]
    fn feature_codes_become_kinds() {
        let kind = |class, code| Feature { class, code }.kind();
        assert_eq!(kind("A", "PCLD"), Some(Kind::Country));
        assert_eq!(kind("A", "ADM4"), Some(Kind::Municipality));
        assert_eq!(kind("A", "ADM1H"), None);
        assert_eq!(kind("P", "PPLX"), Some(Kind::District));
        assert_eq!(kind("P", "PPLQ"), None);
        assert_eq!(kind("S", "AIRP"), Some(Kind::Airport));
        assert_eq!(kind("S", "CSTL"), Some(Kind::Poi));
        assert_eq!(kind("L", "CONT"), Some(Kind::Continent));
        assert_eq!(kind("H", "LK"), Some(Kind::Feature));
        assert_eq!(kind("R", "ST"), None);
    }

    #[test]
    fn rivers_and_small_places_are_passed_over_unless_asked_for() {
        let lines = [place(1, "Rhine", "H", "STM", ["DE", "", "", ""]), berlin()];
        let kept = |options| run(Geonames::new(options), &[("DE.txt", &lines.concat())]).report;
        let all = GeonamesOptions { features: vec!["H".into(), "P".into()], min_population: 0 };
        let large = GeonamesOptions { min_population: 4_000_000, ..Default::default() };
        assert_eq!(kept(GeonamesOptions::default()).kept, 1);
        assert_eq!(kept(all).kept, 2);
        assert_eq!((kept(large.clone()).kept, kept(large).passed), (0, 2));
    }

    #[test]
    fn alternate_names_add_to_the_places_kept_and_to_no_others() {
        let names = "1\t2950159\tfi\tBerliini\t\t\t\t\t\t\n\
                     2\t2950159\tiata\tBER\t\t\t\t\t\t\n\
                     3\t2950159\tlink\thttps://example.org\t\t\t\t\t\t\n\
                     4\t77\tfi\tMuualla\t\t\t\t\t\t\n";
        let trial =
            run(Geonames::default(), &[("DE.txt", &berlin()), ("alternateNamesV2.txt", names)]);
        let added: Vec<_> = trial.places()[1..].iter().flat_map(|p| p.names.clone()).collect();
        let berliini = Name { text: "Berliini".into(), class: NameClass::Alternate };
        let ber = Name { text: "BER".into(), class: NameClass::Short };
        assert_eq!(added, [berliini, ber]);
        assert!(trial.places()[1..].iter().all(|p| p.key == "gn:2950159" && p.name.is_empty()));
        assert_eq!(trial.report.passed, 2);
    }

    #[test]
    fn names_read_alone_all_come_out() {
        let names = "4\t77\tfi\tMuualla\t\t\t\t\t\t\n";
        assert_eq!(run(Geonames::default(), &[("alternateNamesV2.txt", names)]).report.kept, 1);
    }

    #[test]
    fn the_hierarchy_names_parents() {
        let trial = run(Geonames::default(), &[("hierarchy.txt", "5\t6\tADM\n5\t7\ttour\n")]);
        assert_eq!(trial.place("gn:6").parent, "gn:5");
        assert_eq!((trial.report.kept, trial.report.passed), (1, 1));
    }

    #[test]
    fn a_postal_code_is_known_by_country_and_code_without_spaces() {
        let line = "GB\tSW1A 1AA\tLondon\tEngland\tENG\t\t\t\t\t51.501\t-0.1416\t6\n";
        let trial = run(Geonames::default(), &[("allCountries.txt", line)]);
        let code = trial.place("zip:GB-SW1A1AA");
        assert_eq!((code.kind, code.name.as_str()), (Kind::Postcode, "SW1A 1AA"));
        assert_eq!((code.tag("city"), code.tag("iso2")), (Some("London"), Some("GB")));
        assert!(code.names.is_empty());
    }

    #[test]
    fn a_line_that_makes_no_sense_is_a_bad_record() {
        check_bad(&berlin().replace("2950159", "Berlin"), "\"Berlin\" is no id of GeoNames");
        check_bad(
            &berlin().replace("52.52437", "152.5"),
            "\"152.5, 13.41053\" is no point on earth",
        );
        check_bad(&berlin().replace("52.52437", "NaN"), "\"NaN, 13.41053\" is no point on earth");
        check_bad(&berlin().replace("3426354", "many"), "\"many\" is no population");
        check_bad(&berlin().replace("Berlín", " "), "the name is empty");
        check_bad("1\tBerlin\n", "the line has 2 columns, not 19");
    }

    #[test]
    fn a_file_of_other_columns_is_refused() {
        let error = run(Geonames::default(), &[("DE.csv", "a,b\n")]).result.unwrap_err();
        assert!(error.to_string().contains("is no file of GeoNames: its first line has 1 columns"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_give_an_error_or_bad_records(bytes: Vec<u8>, columns in 1_usize..20) {
            let mut mixed = "\t".repeat(columns - 1).into_bytes();
            mixed.push(b'\n');
            mixed.extend(bytes.iter().map(|&b| if b % 8 == 0 { b'\t' } else { b }));
            let _ = with_file("any.txt", &mixed, |path, sink| {
                Geonames::default().import(path, sink)
            });
        }
    }

    fn import(lines: &[String]) -> Trial {
        run(Geonames::default(), &[("DE.txt", &lines.concat())])
    }

    fn run(mut geonames: Geonames, files: &[(&str, &str)]) -> Trial {
        let folder = tempfile::tempdir().unwrap();
        trial(|sink| {
            for (name, text) in files {
                let path = folder.path().join(name);
                std::fs::write(&path, text).unwrap();
                geonames.import(&path, sink)?;
            }
            Ok(())
        })
    }

    #[track_caller]
    fn check_bad(line: &str, reason: &str) {
        let trial = import(&[berlin(), line.to_owned()]);
        assert_eq!((trial.report.kept, trial.reason()), (1, reason));
    }

    #[track_caller]
    fn check_short(place: &PlaceFact, expected: &[&str]) {
        let short = |name: &&Name| name.class == NameClass::Short;
        let found: Vec<_> = place.names.iter().filter(short).map(|n| n.text.as_str()).collect();
        assert_eq!(found, expected);
    }

    fn berlin() -> String {
        "2950159\tBerlín\tBerlin\tBerlino,柏林\t52.52437\t13.41053\tP\tPPLC\tDE\t\t16\t00\t\t\t\
         3426354\t74\t43\tEurope/Berlin\t2025-01-01\n"
            .to_owned()
    }

    fn place(id: u32, name: &str, class: &str, code: &str, codes: [&str; 4]) -> String {
        let [country, first, second, third] = codes;
        let mut line = format!("{id}\t{name}\t\t\t50.0\t10.0\t{class}\t{code}\t{country}\t\t");
        let _ = writeln!(line, "{first}\t{second}\t{third}\t\t0\t\t\t\t2025-01-01");
        line
    }
}
