//! Intake: an item of a source becomes a document.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use earth::Point;
use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Geoparser, Hints, Survey};
use jiff::civil::{Date, DateTime};
use page::{Page, Response, Role};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::document::{Document, Mark, StreetLine, id_of_url, key_of_url};
use crate::source::Raw;
use crate::spot::{Spot, fixed};
use crate::towns::Towns;

/// So many spots of a document are kept, the weightiest first: a gazetteer in a page is not about all it lists.
const MOST_SPOTS: usize = 64;
/// The name under which rules for robots address us.
const ROBOT: &str = "strabo";
/// So many links of a page are read for what they say about their targets.
const MOST_LINKS: usize = 500;
/// What a link says in more bytes than this is not a name for its target.
const LONGEST_ANCHOR: usize = 120;
/// What is given as the place of a document is its place.
const GIVEN: f64 = 1.0;
/// A name ties a page to a place less than an address does: it may stand there for comparison, or in a list. Not so
/// much less that an address makes up for poor words.
const NAMED: f32 = 0.8;
/// A place that a page names only where it speaks of other pages is hardly what it is about: half of what a name counts.
const NAMED_IN_PASSING: f32 = 0.4;

/// Why an item did not become a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// The server answered with an error or a redirect.
    Status,
    /// It is no page but the rules for robots of a site.
    Rules,
    /// It is no text.
    NotText,
    /// The page asks not to be indexed.
    NoIndex,
    /// There is nothing in it.
    Empty,
    /// It only says that nothing has changed.
    Revisit,
    /// It could not be read.
    Broken,
    /// It is as it was when it was last indexed.
    Unchanged,
    /// A later copy of it was indexed.
    Superseded,
}

impl Skip {
    /// The reason in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Status => "error or redirect",
            Self::Rules => "rules for robots",
            Self::NotText => "no text",
            Self::NoIndex => "asks not to be indexed",
            Self::Empty => "empty",
            Self::Revisit => "revisit",
            Self::Broken => "broken",
            Self::Unchanged => "unchanged",
            Self::Superseded => "superseded by a later copy",
        }
    }
}

/// True for the address of a site's rules for robots, which archives hold beside its pages.
fn is_rules(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|it| it.path() == "/robots.txt")
}

/// The spots that a line states, and the street lines of some of them.
type Stated = (Vec<Spot>, Vec<StreetLine>);

/// What an item became.
pub(crate) enum Taken {
    Document(Box<Document>, Vec<Anchor>),
    Skipped(Skip, Option<String>),
}

/// What a link says of its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) target: u64,
    pub(crate) text: String,
}

/// Turns items of sources into documents.
pub(crate) struct Intake<'g> {
    gazetteer: &'g Gazetteer,
    geoparser: Geoparser<'g>,
    towns: Towns<'g>,
    /// The language of documents that do not tell, instead of finding it out.
    language: Option<String>,
}

impl<'g> Intake<'g> {
    pub(crate) fn new(gazetteer: &'g Gazetteer, language: Option<String>) -> Self {
        let towns = Towns::of(gazetteer);
        Self { gazetteer, geoparser: Geoparser::new(gazetteer), towns, language }
    }

    /// Takes in an item, unless `is_known` says that it is indexed as it is.
    pub(crate) fn take(&self, raw: &Raw, is_known: &(dyn Fn(&str, u64) -> bool + Sync)) -> Taken {
        match raw {
            Raw::Record(record) => self.record(record, is_known),
            Raw::Line(number, line) => self.line(*number, line, is_known),
            Raw::Broken(fact) => Taken::Skipped(Skip::Broken, Some(fact.clone())),
        }
    }

    fn record(
        &self,
        record: &archive::Record,
        is_known: &(dyn Fn(&str, u64) -> bool + Sync),
    ) -> Taken {
        let skip = |skip: Skip| Taken::Skipped(skip, None);
        if record.kind == archive::Kind::Revisit {
            return skip(Skip::Revisit);
        }
        let Some(target) = record.target.as_deref() else { return skip(Skip::Broken) };
        // Archives also hold names of servers and notes of their makers.
        if !target.starts_with("http://") && !target.starts_with("https://") {
            return skip(Skip::NotText);
        }
        let http = if record.kind == archive::Kind::Response { record.http() } else { None };
        if record.kind == archive::Kind::Response && http.is_none() {
            return skip(Skip::NotText);
        }
        if http.as_ref().is_some_and(|it| it.status != 200) {
            return skip(Skip::Status);
        }
        let body = http.as_ref().map_or(record.body.as_slice(), |it| it.body.as_slice());
        let source = xxh3_64(body);
        let url = url::Url::parse(target).map_or_else(|_| target.to_owned(), without_fragment);
        if is_rules(&url) {
            return skip(Skip::Rules);
        }
        let id = id_of_url(&url);
        if is_known(&id, source) {
            return skip(Skip::Unchanged);
        }
        let header = |name: &str| http.as_ref().and_then(|it| it.headers.joined(name));
        let content_type = header("content-type").or_else(|| record.content_type.clone());
        if !is_text(content_type.as_deref(), body) {
            return skip(Skip::NotText);
        }
        let (language, modified, link) =
            (header("content-language"), header("last-modified"), header("link"));
        let robots = http.as_ref().map(|it| it.headers.all("x-robots-tag").collect::<Vec<_>>());
        let robots = robots.map(|it| it.join("\n"));
        let page = page::read(&Response {
            url: Some(&url),
            content_type: content_type.as_deref(),
            content_language: language.as_deref(),
            last_modified: modified.as_deref(),
            robots_tag: robots.as_deref(),
            link: link.as_deref(),
            robot: Some(ROBOT),
            body,
        });
        if page.robots.noindex {
            return skip(Skip::NoIndex);
        }
        if page.text.is_empty() && page.title.is_empty() {
            return skip(Skip::Empty);
        }
        let fetched = record.date.map(jiff::Timestamp::as_second);
        let document = Document { id, url, fetched, source, ..self.page(&page, target) };
        let anchors = anchors(&page, &document.url);
        Taken::Document(Box::new(document), anchors)
    }

    /// The document of a page, but for its name.
    fn page(&self, page: &Page, url: &str) -> Document {
        let survey = self.geoparser.survey(page, &Hints::of_url(url));
        let mut document = Document {
            title: page.title.clone(),
            language: page.language().map(|it| it.code().to_owned()).unwrap_or_default(),
            published: page.date().map(|it| seconds(it.at)),
            fingerprint: page.fingerprint,
            topics: page.sections.clone(),
            canonical: page.canonical.clone().filter(|it| it != url),
            ..Document::default()
        };
        let has_main = page.blocks.iter().any(|it| it.is_main);
        let mut next = 0;
        for block in page.blocks.iter().filter(|it| it.is_main || !has_main) {
            let start = document.text.len();
            document.text.push_str(page.text_of(block));
            let end = document.text.len();
            document.text.push('\n');
            if matches!(block.role, Role::Heading(_)) {
                document.headings.push(start as u32..end as u32);
            }
            while survey.mentions.get(next).is_some_and(|it| it.span.start < block.range.start) {
                next += 1;
            }
            for it in survey.mentions[next..].iter().take_while(|it| it.span.end <= block.range.end)
            {
                let Some(place) = it.place else { continue };
                let place_in = |at: usize| (at - block.range.start + start) as u32;
                document.marks.push(Mark {
                    start: place_in(it.span.start),
                    end: place_in(it.span.end),
                    place: place.0,
                });
            }
        }
        document.text.truncate(document.text.trim_end().len());
        self.place(&mut document, &survey, &in_passing(page, url, &survey));
        document
    }

    /// Puts a document where its survey says it is; for every mention in the text, whether it stands there in passing.
    fn place(&self, document: &mut Document, survey: &Survey, in_passing: &[bool]) {
        document.focus = survey.footprint.focus.map(|it| it.0);
        document.most_frequent = survey.footprint.most_frequent.map(|it| it.0);
        document.spots = spots(self.gazetteer, survey, in_passing);
        document.street_lines = street_lines(survey, &document.spots);
    }

    fn line(
        &self,
        number: u64,
        line: &str,
        is_known: &(dyn Fn(&str, u64) -> bool + Sync),
    ) -> Taken {
        let broken =
            |fact: String| Taken::Skipped(Skip::Broken, Some(format!("line {number}: {fact}")));
        let mut given: Map<String, Value> = match serde_json::from_str(line.trim()) {
            Ok(Value::Object(given)) => given,
            Ok(_) => return broken("it is no object: write one object on each line".to_owned()),
            Err(error) => {
                return broken(format!(
                    "it is no JSON at column {}: write one object on each line",
                    error.column()
                ));
            }
        };
        // The first of several names that is there counts.
        let mut field = |names: &[&str]| {
            names.iter().find_map(|it| given.remove(*it)).filter(|it| !it.is_null())
        };
        let mut text_field = |names: &[&str]| match field(names) {
            Some(Value::String(text)) => text,
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let url = text_field(&["url"]);
        let id = match text_field(&["id"]) {
            id if !id.is_empty() => id,
            _ if !url.is_empty() => id_of_url(&url),
            _ => return broken("it has neither id nor url".to_owned()),
        };
        let source = xxh3_64(line.trim().as_bytes());
        if is_known(&id, source) {
            return Taken::Skipped(Skip::Unchanged, None);
        }
        let title = text_field(&["title"]);
        let text = text_field(&["text", "body", "content"]);
        if title.trim().is_empty() && text.trim().is_empty() {
            return Taken::Skipped(Skip::Empty, None);
        }
        let language = text_field(&["language", "lang"]);
        let published = match field(&["published", "date", "ts"]).as_ref().map(date) {
            Some(None) => {
                let fact = "published is no date: write 2024, 2024-05, 2024-05-31, 2024-05-31T12:00:00Z or seconds since 1970";
                return broken(fact.to_owned());
            }
            other => other.flatten(),
        };
        let (points, address, place) = (field(&["points"]), field(&["address"]), field(&["place"]));
        let stated = match self.stated(points.as_ref(), address.as_ref(), place.as_ref()) {
            Ok(stated) => stated,
            Err(fact) => return broken(fact),
        };
        let topics = field(&["topic", "topics"]).map(strings).unwrap_or_default();
        let fingerprint = page::fingerprint([title.as_str(), text.as_str()].into_iter());
        let language = self.language_of(&language, &title, &text);
        let mut document = Document {
            id,
            url,
            title,
            text,
            language,
            published,
            topics,
            fingerprint,
            source,
            ..Document::default()
        };
        match stated {
            Some((spots, street_lines)) => {
                document.focus = spots.first().and_then(|it| it.place);
                document.most_frequent = document.focus;
                (document.spots, document.street_lines) = (spots, street_lines);
            }
            None => self.survey_text(&mut document),
        }
        Taken::Document(Box::new(document), Vec::new())
    }

    /// The language by two letters: what is stated, else what is the rule, else what the words tell.
    fn language_of(&self, stated: &str, title: &str, text: &str) -> String {
        let code = |tag: &str| page::Language::parse(tag).map(|it| it.code().to_owned());
        if let Some(code) = code(stated).filter(|it| it != "un") {
            return code;
        }
        match (stated, self.language.as_deref()) {
            ("und", _) | (_, Some("und")) => String::new(),
            (_, Some(rule)) => code(rule).unwrap_or_default(),
            (_, None) => detected(title, text),
        }
    }

    /// Finds the places of a document that does not state them.
    fn survey_text(&self, document: &mut Document) {
        let page =
            Page { title: document.title.clone(), text: document.text.clone(), ..Page::default() };
        let language = Some(document.language.clone()).filter(|it| !it.is_empty());
        let survey =
            self.geoparser.survey(&page, &Hints { language, ..Hints::of_url(&document.url) });
        let mark = |it: &geoparse::Mention| {
            Some(Mark { start: it.span.start as u32, end: it.span.end as u32, place: it.place?.0 })
        };
        document.marks = survey.mentions.iter().filter_map(mark).collect();
        let in_passing = vec![false; survey.mentions.len()];
        self.place(document, &survey, &in_passing);
    }

    /// The spots that a line states, with their street lines; nothing if it states none.
    fn stated(
        &self,
        points: Option<&Value>,
        address: Option<&Value>,
        place: Option<&Value>,
    ) -> Result<Option<Stated>, String> {
        if points.is_none() && address.is_none() && place.is_none() {
            return Ok(None);
        }
        let (mut spots, mut street_lines) = (Vec::new(), Vec::new());
        for it in points.map(parse_points).transpose()?.unwrap_or_default() {
            spots.push(Spot::new(it, self.towns.around(it), GIVEN, GIVEN));
        }
        for name in address.cloned().map(strings).into_iter().flatten() {
            let (spot, street_line) = self
                .addressed(&name)
                .ok_or_else(|| format!("nobody knows the address \"{name}\""))?;
            street_lines.extend(street_line.map(|text| StreetLine {
                lat: spot.lat,
                lon: spot.lon,
                text,
            }));
            spots.push(spot);
        }
        for name in place.cloned().map(strings).into_iter().flatten() {
            let known = self.gazetteer.by_key(&name);
            let found = known.map(|it| it.id()).or_else(|| {
                let found = self.gazetteer.geocode(&name, None, 1);
                found.first().filter(|it| it.notes.is_empty()).map(|it| it.place.id())
            });
            let place = found.ok_or_else(|| format!("the gazetteer has no place \"{name}\""))?;
            spots.push(Spot::of_place(&self.gazetteer.place(place), GIVEN, GIVEN));
        }
        Ok(Some((spots, street_lines)))
    }

    /// Where an address is, and its street with the number.
    fn addressed(&self, address: &str) -> Option<(Spot, Option<String>)> {
        let parsed = self.geoparser.addresses().parse(address, &Hints::default());
        if let Some(it) = parsed.position {
            let city = it.city.unwrap_or(it.place);
            let street_line =
                parsed.street_line().filter(|_| it.point != self.gazetteer.place(city).point());
            return Some((Spot::new(it.point, Some(city), GIVEN, it.confidence), street_line));
        }
        let found = self.gazetteer.geocode(address, None, 1);
        let it = found.first().filter(|it| it.notes.is_empty())?;
        Some((Spot::new(it.point, Some(it.place.id()), GIVEN, it.confidence.max(0.5)), None))
    }
}

/// `"a"` and `["a", "b"]` alike.
fn strings(value: Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.into_iter().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// `[lon, lat]` as in `GeoJSON`, `{"lat": …, "lon": …}`, or a list of either.
fn parse_points(value: &Value) -> Result<Vec<Point>, String> {
    let point = |lat: Option<f64>, lon: Option<f64>| {
        let found = lat.zip(lon).and_then(|(lat, lon)| Point::checked(lat, lon));
        found.ok_or_else(|| format!("{value} is no point: write [longitude, latitude]"))
    };
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => match list.as_slice() {
            [lon, lat] if lon.is_number() => Ok(vec![point(lat.as_f64(), lon.as_f64())?]),
            list => Ok(list.iter().map(parse_points).collect::<Result<Vec<_>, _>>()?.concat()),
        },
        Value::Object(it) => {
            let number = |name: &str| it.get(name).and_then(Value::as_f64);
            Ok(vec![point(number("lat"), number("lon").or_else(|| number("lng")))?])
        }
        _ => Err(format!("{value} is no point: write [longitude, latitude]")),
    }
}

/// A date as people write it, in seconds since 1970; of a year or a month, its start.
fn date(value: &Value) -> Option<i64> {
    /// No date in seconds is as large; one in milliseconds is, from 1973 on.
    const MILLISECONDS: i64 = 100_000_000_000;
    match value {
        Value::Number(it) => {
            let number = it.as_i64()?;
            Some(if number.abs() >= MILLISECONDS { number / 1_000 } else { number })
        }
        Value::String(text) => {
            let text = text.trim();
            let instant = text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
            let civil = || text.parse::<DateTime>().ok().map(seconds);
            let day = |text: &str| text.parse::<Date>().ok().map(|it| seconds(it.at(0, 0, 0, 0)));
            let month = || day(&format!("{text}-01"));
            let year = || day(&format!("{text}-01-01"));
            instant.or_else(civil).or_else(|| day(text)).or_else(month).or_else(year)
        }
        _ => None,
    }
}

/// Seconds since 1970, as if clocks showed universal time everywhere.
fn seconds(at: DateTime) -> i64 {
    const START: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    at.duration_since(START).as_secs()
}

/// The language that a text is in; empty if it does not tell.
fn detected(title: &str, text: &str) -> String {
    let found = page::detect_language(&format!("{title}\n{text}"));
    found.map(|it| it.code().to_owned()).unwrap_or_default()
}

fn without_fragment(mut url: url::Url) -> String {
    url.set_fragment(None);
    url.into()
}

/// True for what a browser would show as text.
fn is_text(content_type: Option<&str>, body: &[u8]) -> bool {
    let kind = content_type
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match kind.as_str() {
        "" | "application/octet-stream" | "unknown/unknown" => {
            let start = &body[..body.len().min(512)];
            start.trim_ascii_start().starts_with(b"<") && !start.contains(&0)
        }
        "text/html" | "text/plain" | "application/xhtml+xml" => true,
        _ => false,
    }
}

/// What the links of a page say of other pages.
fn anchors(page: &Page, url: &str) -> Vec<Anchor> {
    let links = page.links.iter().filter(|it| !it.area.is_frame()).take(MOST_LINKS);
    let mut anchors = Vec::new();
    for link in links {
        let Some(text) = page.text.get(link.anchor.clone()).map(str::trim) else { continue };
        let is_name = text.len() >= 3
            && text.len() <= LONGEST_ANCHOR
            && text.chars().any(char::is_alphabetic);
        let target = link.url.as_str().split('#').next().unwrap_or_default();
        if is_name && target != url {
            anchors.push(Anchor { target: key_of_url(target), text: text.to_owned() });
        }
    }
    anchors
}

/// For every mention whether it stands where a page speaks of others: in a link to another site, or beside the main text.
fn in_passing(page: &Page, url: &str, survey: &Survey) -> Vec<bool> {
    let own = site(url);
    let has_main = page.blocks.iter().any(|it| it.is_main);
    let away = page.links.iter().filter(|it| !it.anchor.is_empty() && site(it.url.as_str()) != own);
    let mut away: Vec<Range<usize>> = away.map(|it| it.anchor.clone()).collect();
    away.sort_unstable_by_key(|it| it.start);
    let is_away = |at: usize| {
        let before = away.partition_point(|it| it.start <= at);
        before > 0 && away[before - 1].contains(&at)
    };
    let is_aside = |at: usize| {
        let block = page.blocks.get(page.blocks.partition_point(|it| it.range.end <= at));
        has_main && block.is_some_and(|it| !it.is_main)
    };
    let starts = survey.mentions.iter().map(|it| it.span.start);
    starts.map(|it| is_aside(it) || is_away(it)).collect()
}

/// The host of a URL, without the `www` that many have and many leave out.
fn site(url: &str) -> &str {
    let host = crate::document::host(url);
    host.strip_prefix("www.").unwrap_or(host)
}

/// The spots of a survey: exact ones of addresses, and the places it names.
fn spots(gazetteer: &Gazetteer, survey: &Survey, in_passing: &[bool]) -> Vec<Spot> {
    let sure = sureness(survey, in_passing);
    let shares: HashMap<PlaceId, f64> =
        survey.footprint.places.iter().map(|it| (it.place, it.weight)).collect();
    let share = |place: PlaceId| shares.get(&place).copied().unwrap_or(0.0);
    let written = survey.addresses.iter().filter_map(|it| Some((it.position?, it.confidence)));
    let stated = survey.stated.iter().map(|it| (it.position, 1.0));
    let mut spots = Vec::new();
    let mut addressed: HashSet<PlaceId> = HashSet::new();
    for (at, confidence) in written.chain(stated) {
        let place = at.city.unwrap_or(at.place);
        // An address that is known no better than its city is the city.
        if at.point == gazetteer.place(place).point() {
            continue;
        }
        addressed.insert(place);
        spots.push(Spot::new(at.point, Some(place), share(place), confidence * at.confidence));
    }
    for it in &survey.footprint.places {
        // Where the house is known, the middle of its city says nothing more.
        if addressed.contains(&it.place) {
            continue;
        }
        let sure = sure.get(&it.place).map_or(0.9, |it| f64::from(*it));
        spots.push(Spot::of_place(&gazetteer.place(it.place), it.weight, sure));
    }
    spots.sort_by_key(|it| std::cmp::Reverse((it.part, it.sure)));
    spots.dedup_by_key(|it| (it.lat, it.lon, it.place));
    spots.truncate(MOST_SPOTS);
    spots
}

/// The streets and house numbers of these spots, as far as the survey says them.
fn street_lines(survey: &Survey, spots: &[Spot]) -> Vec<StreetLine> {
    let written =
        survey.addresses.iter().filter_map(|it| Some((it.position?.point, it.street_line()?)));
    let stated =
        survey.stated.iter().filter_map(|it| Some((it.position.point, it.street_line.clone()?)));
    let mut street_lines: Vec<StreetLine> = Vec::new();
    for (point, text) in written.chain(stated) {
        let (lat, lon) = (fixed(point.lat), fixed(point.lon));
        let is_spot = spots.iter().any(|it| (it.lat, it.lon) == (lat, lon) && !it.is_area);
        let is_new = street_lines.iter().all(|it| (it.lat, it.lon) != (lat, lon));
        if is_spot && is_new {
            street_lines.push(StreetLine { lat, lon, text });
        }
    }
    street_lines
}

/// How sure it is of each place named that the page is about it: as sure as its surest mention is.
fn sureness(survey: &Survey, in_passing: &[bool]) -> HashMap<PlaceId, f32> {
    let written = survey.addresses.iter().filter_map(|it| it.position);
    let positions = written.chain(survey.stated.iter().map(|it| it.position));
    let cities: HashSet<PlaceId> = positions.map(|it| it.city.unwrap_or(it.place)).collect();
    let in_title = survey.title_mentions.iter().map(|it| (it, false));
    let in_text = survey.mentions.iter().zip(in_passing.iter().copied());
    let mut sure: HashMap<PlaceId, f32> = HashMap::new();
    for (mention, in_passing) in in_title.chain(in_text) {
        let Some(place) = mention.place.filter(|_| mention.confidence > 0.0) else { continue };
        let tie = match in_passing {
            _ if cities.contains(&place) => 1.0,
            true => NAMED_IN_PASSING,
            false => NAMED,
        };
        let known = sure.entry(place).or_default();
        *known = known.max(mention.confidence * tie);
    }
    sure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_robots_are_no_pages() {
        assert!(
            is_rules("https://example.org/robots.txt")
                && is_rules("http://example.org:8080/robots.txt?x")
        );
        assert!(
            !is_rules("https://example.org/about/robots.txt") && !is_rules("https://example.org/")
        );
    }
}
