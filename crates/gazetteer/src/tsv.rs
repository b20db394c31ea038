//! Facts as tab-separated text: what people bring, what `export` writes, what the repository keeps.
//!
//! A file starts with a line that names its columns; they decide what the lines below it are:
//! places (`name`, `lat`, `lon` and more), shapes (`place`, `outline` in WKT) or houses (`street`, `number`).
//! Lists are parted by `|`; a backslash takes the meaning from what follows it (`\t`, `\n`, `\|`, `\\`).
//! Lines that start with `#source` name who is to be thanked; other lines with `#` are comments.

use std::fmt::Write as _;
use std::io::{self, BufRead};

use earth::Point;
use xxhash_rust::xxh3::xxh3_64;

use crate::fact::{Fact, HouseFact, Name, NameClass, PlaceFact, Seat, ShapeFact, SourceFact};
use crate::kind::Kind;
use crate::wkt;

/// The columns of a places file, in the order they are written.
pub const PLACE_COLUMNS: &str =
    "key\tkind\tname\tlat\tlon\tparent\tpopulation\tseat\tnames\tadjacent\ttags";
/// The columns of a shapes file.
pub const SHAPE_COLUMNS: &str = "place\toutline";
/// The columns of a houses file.
pub const HOUSE_COLUMNS: &str = "street\tnumber\tlat\tlon\tpostcode";

/// The outline of a country may take megabytes; nothing takes more than this.
const LONGEST_LINE: u64 = 64 << 20;

/// What the first line of a file says about the lines below it.
#[derive(Clone, Debug)]
pub struct Columns {
    names: Vec<String>,
    table: Table,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Table {
    Places,
    Shapes,
    Houses,
}

impl Columns {
    /// Reads the line that names the columns.
    pub fn parse(line: &str) -> Result<Self, String> {
        let names: Vec<_> =
            line.trim_end().split('\t').map(|it| it.trim().to_lowercase()).collect();
        let has = |name: &str| names.iter().any(|it| it == name);
        let table = match () {
            () if has("outline") && has("place") => Table::Shapes,
            () if has("street") && has("number") && has("lat") && has("lon") => Table::Houses,
            () if has("name") || has("key") => Table::Places,
            () => {
                return Err("the first line names no columns: places need \"name\", \"lat\" and \
                            \"lon\", shapes \"place\" and \"outline\", houses \"street\", \"number\", \
                            \"lat\" and \"lon\", with tabs between them"
                    .to_owned());
            }
        };
        Ok(Self { names, table })
    }

    /// Reads one line below it.
    pub fn fact(&self, line: &str) -> Result<Fact, String> {
        let cells: Vec<&str> = line.trim_end_matches(['\r', '\n']).split('\t').collect();
        let row = Row { names: &self.names, cells: &cells };
        match self.table {
            Table::Places => row.place().map(Fact::Place),
            Table::Shapes => row.shape().map(Fact::Shape),
            Table::Houses => row.house().map(Fact::House),
        }
    }
}

/// Reads a file line by line and hands over each fact, or what is wrong with its line, with the line's number.
///
/// An error if the first line names no columns, or as soon as `take` gives one.
pub fn read<E: From<io::Error>>(
    mut input: impl BufRead,
    mut take: impl FnMut(u64, Result<Fact, String>) -> Result<(), E>,
) -> Result<(), E> {
    let mut columns: Option<Columns> = None;
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        if io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut buffer)? == 0 {
            break;
        }
        if buffer.len() as u64 == LONGEST_LINE && !buffer.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            take(number, Err("the line is longer than 64 MiB".to_owned()))?;
            continue;
        }
        let Ok(line) = std::str::from_utf8(&buffer) else {
            take(number, Err("the line is not UTF-8".to_owned()))?;
            continue;
        };
        let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        match &columns {
            _ if line.is_empty() => {}
            _ if line.starts_with('#') => {
                if let Some(source) = source(line) {
                    take(number, Ok(Fact::Source(source)))?;
                }
            }
            Some(columns) => take(number, columns.fact(line))?,
            None => {
                let named = Columns::parse(line)
                    .map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
                columns = Some(named);
            }
        }
    }
    Ok(())
}

/// Reads a `#source` line.
pub fn source(line: &str) -> Option<SourceFact> {
    let mut cells = line.trim_end().strip_prefix("#source\t")?.split('\t').map(str::to_owned);
    let mut next = || cells.next().unwrap_or_default();
    Some(SourceFact { title: next(), licence: next(), url: next(), date: next() })
}

/// The fact as a line of its table, without the line end.
pub fn line(fact: &Fact) -> String {
    match fact {
        Fact::Place(place) => place_line(place),
        Fact::Shape(shape) => {
            format!("{}\t{}", escaped(&shape.place, false), wkt::write(&shape.outline))
        }
        Fact::House(house) => house_line(house),
        Fact::Source(it) => {
            format!("#source\t{}\t{}\t{}\t{}", it.title, it.licence, it.url, it.date)
        }
    }
}

struct Row<'a> {
    names: &'a [String],
    cells: &'a [&'a str],
}

impl Row<'_> {
    fn cell(&self, name: &str) -> &str {
        let column = self.names.iter().position(|it| it == name);
        column.and_then(|column| self.cells.get(column)).copied().unwrap_or("").trim()
    }

    fn text(&self, name: &str) -> String {
        plain(self.cell(name))
    }

    fn list(&self, name: &str) -> Vec<&str> {
        split_list(self.cell(name))
    }

    fn point(&self) -> Result<Option<Point>, String> {
        let (lat, lon) = (self.cell("lat"), self.cell("lon"));
        if lat.is_empty() && lon.is_empty() {
            return Ok(None);
        }
        let number = |text: &str| {
            text.parse::<f64>().map_err(|_| format!("\"{text}\" is no number of degrees"))
        };
        let point = Point::new(number(lat)?, number(lon)?);
        if point.lat.abs() <= 90.0 && point.lon.abs() <= 180.0 {
            Ok(Some(point))
        } else {
            Err(format!("{lat}, {lon} is not on the globe: latitude goes to 90, longitude to 180"))
        }
    }

    fn place(&self) -> Result<PlaceFact, String> {
        let name = self.text("name");
        let point = self.point()?;
        let kind = match self.cell("kind") {
            "" => Kind::Poi,
            word => word.parse().map_err(|error: crate::kind::UnknownKind| error.to_string())?,
        };
        let key = match self.text("key") {
            key if !key.is_empty() => key,
            _ if name.is_empty() => return Err("the place has neither a name nor a key".to_owned()),
            _ => own_key(&name, point),
        };
        let population = match self.cell("population") {
            "" => 0,
            text => text.parse().map_err(|_| format!("\"{text}\" is no number of people"))?,
        };
        Ok(PlaceFact {
            key,
            kind,
            name,
            point,
            parent: self.text("parent"),
            population,
            seat: seat(self.cell("seat"))?,
            names: self.list("names").into_iter().map(name_from).collect(),
            adjacent: self.list("adjacent").into_iter().map(plain).collect(),
            tags: self.list("tags").into_iter().map(tag_from).collect::<Result<_, _>>()?,
        })
    }

    fn shape(&self) -> Result<ShapeFact, String> {
        Ok(ShapeFact { place: self.text("place"), outline: wkt::read(self.cell("outline"))? })
    }

    fn house(&self) -> Result<HouseFact, String> {
        let point = self.point()?.ok_or("the house has no position")?;
        let (street, number) = (self.text("street"), self.text("number"));
        Ok(HouseFact { street, number, point, postcode: self.text("postcode") })
    }
}

/// A place without a key gets one from its name and position, so that it stays the same over imports.
fn own_key(name: &str, point: Option<Point>) -> String {
    let place =
        point.map_or_else(String::new, |point| format!("{:.5},{:.5}", point.lat, point.lon));
    format!("own:{:016x}", xxh3_64(format!("{name}|{place}").as_bytes()))
}

fn seat(word: &str) -> Result<Seat, String> {
    match word {
        "" => Ok(Seat::None),
        "county" => Ok(Seat::County),
        "region" => Ok(Seat::Region),
        "country" => Ok(Seat::Country),
        _ => Err(format!("\"{word}\" is no seat: use country, region, county or leave it empty")),
    }
}

const fn seat_word(seat: Seat) -> &'static str {
    match seat {
        Seat::None => "",
        Seat::County => "county",
        Seat::Region => "region",
        Seat::Country => "country",
    }
}

/// A name's class stands before it: `=US` is short, `~Finnish` a demonym, anything else an alternate.
fn name_from(cell: &str) -> Name {
    let (class, text) = match cell.as_bytes().first() {
        Some(b'=') => (NameClass::Short, &cell[1..]),
        Some(b'~') => (NameClass::Demonym, &cell[1..]),
        _ => (NameClass::Alternate, cell),
    };
    Name { text: plain(text), class }
}

fn tag_from(cell: &str) -> Result<(String, String), String> {
    let (word, value) =
        cell.split_once('=').ok_or_else(|| format!("the tag \"{cell}\" has no \"=\""))?;
    Ok((plain(word), plain(value)))
}

fn place_line(place: &PlaceFact) -> String {
    let (lat, lon) =
        place.point.map_or_else(Default::default, |it| (degrees(it.lat), degrees(it.lon)));
    let population =
        if place.population == 0 { String::new() } else { place.population.to_string() };
    let names: Vec<_> = place.names.iter().map(name_cell).collect();
    let adjacent: Vec<_> = place.adjacent.iter().map(|key| escaped(key, false)).collect();
    let tags = place
        .tags
        .iter()
        .map(|(word, value)| format!("{}={}", escaped(word, false), escaped(value, false)));
    [
        escaped(&place.key, false),
        place.kind.to_string(),
        escaped(&place.name, false),
        lat,
        lon,
        escaped(&place.parent, false),
        population,
        seat_word(place.seat).to_owned(),
        names.join("|"),
        adjacent.join("|"),
        tags.collect::<Vec<_>>().join("|"),
    ]
    .join("\t")
}

fn name_cell(name: &Name) -> String {
    match name.class {
        NameClass::Short => format!("={}", escaped(&name.text, false)),
        NameClass::Demonym => format!("~{}", escaped(&name.text, false)),
        NameClass::Main | NameClass::Alternate => escaped(&name.text, true),
    }
}

fn house_line(house: &HouseFact) -> String {
    let (street, number) = (escaped(&house.street, false), escaped(&house.number, false));
    let (lat, lon) = (degrees(house.point.lat), degrees(house.point.lon));
    format!("{street}\t{number}\t{lat}\t{lon}\t{}", escaped(&house.postcode, false))
}

/// Six digits are 11 cm, and the precision of the gazetteer file.
pub(crate) fn degrees(value: f64) -> String {
    let mut text = String::new();
    write!(text, "{value:.6}").expect("a string takes any text");
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    if trimmed == "-0" { "0".to_owned() } else { trimmed.to_owned() }
}

fn escaped(text: &str, leading_class: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // A leading sign would be taken for a name's class, a leading # for a comment.
    if text.starts_with('#') || (leading_class && text.starts_with(['=', '~'])) {
        out.push('\\');
    }
    for letter in text.chars() {
        match letter {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\\' | '|' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

fn plain(cell: &str) -> String {
    if !cell.contains('\\') {
        return cell.to_owned();
    }
    let mut out = String::with_capacity(cell.len());
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => {}
            },
            _ => out.push(letter),
        }
    }
    out
}

fn split_list(cell: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut start, mut escape) = (0, false);
    for (at, letter) in cell.char_indices() {
        match letter {
            _ if escape => escape = false,
            '\\' => escape = true,
            '|' => {
                items.push(&cell[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&cell[start..]);
    items.retain(|item| !item.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(columns: &str, line: &str) -> Result<Fact, String> {
        Columns::parse(columns)?.fact(line)
    }

    #[test]
    fn name_and_position_are_enough_for_a_place_of_ones_own() {
        let Ok(Fact::Place(place)) = read("Name\tLat\tLon", "Our club\t53.1\t8.2") else {
            panic!("a place is expected")
        };
        assert_eq!((place.name.as_str(), place.kind), ("Our club", Kind::Poi));
        assert!(place.key.starts_with("own:"));
    }

    #[test]
    fn a_bad_cell_is_told_with_its_value() {
        let check = |line: &str, expected: &str| {
            assert_eq!(read(PLACE_COLUMNS, line).unwrap_err(), expected);
        };
        check(
            "k\tcity\tX\t95\t8",
            "95, 8 is not on the globe: latitude goes to 90, longitude to 180",
        );
        check("k\tcity\tX\tnorth\t8", "\"north\" is no number of degrees");
        check("k\tcity\tX\t1\t8\t\tmany", "\"many\" is no number of people");
        check("\tcity\t\t1\t8", "the place has neither a name nor a key");
    }

    #[test]
    fn a_file_without_columns_is_refused() {
        assert!(
            Columns::parse("Oldenburg\t53\t8")
                .unwrap_err()
                .starts_with("the first line names no columns")
        );
    }

    #[test]
    fn a_source_line_is_read_back() {
        let thanks = SourceFact {
            title: "GeoNames".into(),
            licence: "CC BY 4.0".into(),
            url: "https://www.geonames.org".into(),
            date: "2026-11-01".into(),
        };
        assert_eq!(source(&line(&Fact::Source(thanks.clone()))), Some(thanks));
    }

    fn any_name() -> impl Strategy<Value = Name> {
        let class = prop_oneof![
            Just(NameClass::Alternate),
            Just(NameClass::Short),
            Just(NameClass::Demonym)
        ];
        ("[^ ]([ -~äß|\\\\\t\n=~]{0,8}[^ \t\r\n])?", class)
            .prop_map(|(text, class)| Name { text, class })
    }

    proptest! {
        #[test]
        fn a_place_is_read_back_from_its_line(
            name in "[a-zA-Z|\\\\=~ßé]{1,12}",
            names in prop::collection::vec(any_name(), 0..4),
            lat in -90_000_000_i32..=90_000_000,
            population in 0_u64..10_000_000_000,
        ) {
            let mut place = PlaceFact::new("x:1", Kind::City, name).at(f64::from(lat) / 1e6, 8.25);
            place.names = names.into_iter().filter(|name| name.text.trim() == name.text).collect();
            place.population = population;
            place.tags = vec![("tz".into(), "a=b|c".into())];
            place.key = "#1".into();
            let fact = Fact::Place(place);
            prop_assert_eq!(read(PLACE_COLUMNS, &line(&fact)), Ok(fact));
        }

        #[test]
        fn any_line_is_a_fact_or_an_error(columns in "[a-z\t]{0,40}", text in any::<String>()) {
            for head in [columns.as_str(), PLACE_COLUMNS, SHAPE_COLUMNS, HOUSE_COLUMNS] {
                let _ = read(head, &text);
            }
        }
    }
}
