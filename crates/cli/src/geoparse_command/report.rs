//! What was found on a page, for somebody to read.

use std::collections::HashMap;

use gazetteer::{Kind, PlaceId};
use geoparse::{Address, Class, Footprint, Mention, Node, Position};
use web::findings::{Findings, class_name, parts, source_name};

use super::explanation;
use crate::output::table;

/// Parts of the hierarchy with less of the page than this are counted and not shown.
const LEAST_SHOWN: f64 = 0.01;

/// What was found, section by section.
pub(crate) fn of(findings: &Findings<'_>, explains: bool) -> String {
    let mentions = if explains { explanation::of(findings) } else { mentions(findings) };
    let sections = [
        head(findings),
        verdicts(findings),
        about(findings),
        mentions,
        addresses(findings),
        stated(findings),
        in_url(findings),
    ];
    sections.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A share or a certainty, as a whole number of hundredths.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// What a mention means, as far as that is known.
pub(crate) fn meaning(findings: &Findings<'_>, mention: &Mention) -> String {
    match mention.place {
        Some(place) if mention.is_listed => findings.label(place),
        Some(place) => format!("in or near {}", findings.label(place)),
        None => "somewhere, the text does not tell where".to_owned(),
    }
}

/// Titles at the left, what they are about at the right.
fn list<'t>(rows: impl IntoIterator<Item = (&'t str, String)>) -> String {
    let mut text = String::new();
    for (title, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("{title:<11} {value}\n");
    }
    text
}

/// Rows under the title of their section.
fn section(title: &str, header: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(|it| (*it).to_owned()).collect();
    let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
    format!("{title}\n{}", indented(&table(&rows)))
}

fn indented(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines() {
        text += &format!("  {line}\n");
    }
    text
}

fn head(findings: &Findings<'_>) -> String {
    let page = findings.page;
    let cut =
        if page.truncated.text { "the page is longer, and the rest was not read" } else { "" };
    list([
        ("title", page.title.clone()),
        ("url", findings.url.unwrap_or_default().to_owned()),
        ("language", findings.language.clone().unwrap_or_default()),
        ("published", page.date().map(|it| it.at.date().to_string()).unwrap_or_default()),
        ("cut short", cut.to_owned()),
    ])
}

fn verdicts(findings: &Findings<'_>) -> String {
    if findings.verdicts.is_empty() {
        return String::new();
    }
    let answer = |is: bool| if is { "yes" } else { "no" };
    let mut text = format!("names a place: {}\n", answer(findings.survey.names_any_place()));
    for it in &findings.verdicts {
        text += &format!("has an address in {}: {}\n", it.region.label(), answer(it.has_address));
    }
    text
}

fn about(findings: &Findings<'_>) -> String {
    let footprint = &findings.survey.footprint;
    let Some(most) = footprint.most_frequent else {
        return "names no place\n".to_owned();
    };
    let times = footprint.places.iter().find(|it| it.place == most).map_or(1, |it| it.times);
    let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
    let nothing = || "no place that holds most of what it names".to_owned();
    let edges = footprint.bounds.map(|it| {
        format!("{:.3} to {:.3} north, {:.3} to {:.3} east", it.south, it.north, it.west, it.east)
    });
    let text = list([
        ("about", footprint.focus.map_or_else(nothing, |it| findings.label(it))),
        ("named most", format!("{}, {times}", findings.label(most))),
        ("box", edges.unwrap_or_default()),
    ]);
    format!("{text}\n{}", hierarchy(findings, footprint))
}

fn hierarchy(findings: &Findings<'_>, footprint: &Footprint) -> String {
    let nodes = &footprint.hierarchy;
    let mut rows = Vec::new();
    let mut small = 0;
    // The depths of the links that were left out, on the way from the root to where we are.
    let mut skipped: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let place = findings.gazetteer.place(node.place);
        skipped.retain(|depth| *depth < node.depth);
        if node.whole < LEAST_SHOWN {
            small += 1;
        } else if place.kind() > Kind::Region && is_link(nodes, at) {
            skipped.push(node.depth);
        } else {
            let own = if node.own > 0.0 { percent(node.own) } else { String::new() };
            let name = format!("{}{}", "  ".repeat(node.depth - skipped.len()), place.name());
            rows.push(vec![name, percent(node.whole), own, place.point().to_string()]);
        }
    }
    let header = ["place", "with its parts", "itself", "position"];
    let mut text = section("footprint", &header, rows);
    if small > 0 {
        text += &format!("  … {small} more with less than 1 % each\n");
    }
    text
}

/// True for a node that the page does not name and that holds a single other: it tells nothing.
fn is_link(nodes: &[Node], at: usize) -> bool {
    let (node, below) = (&nodes[at], nodes.get(at + 1));
    let holds_all = below.is_some_and(|it| it.depth > node.depth && it.whole >= node.whole - 1e-9);
    node.own == 0.0 && holds_all
}

fn mentions(findings: &Findings<'_>) -> String {
    if findings.mentions().next().is_none() {
        return "mentions: none\n".to_owned();
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(&str, Class, Option<PlaceId>, bool), usize> = HashMap::new();
    for (is_in_title, text, mention) in findings.mentions() {
        let key = (text, mention.class, mention.place, mention.is_listed);
        let at = *known.entry(key).or_insert_with(|| {
            groups.push(Group { text, mention, times: 0, sure: 0.0, is_in_title });
            groups.len() - 1
        });
        groups[at].times += 1;
        groups[at].sure = groups[at].sure.max(mention.confidence);
    }
    let rows = groups.iter().map(|it| it.row(findings)).collect();
    section("mentions", &["text", "class", "place", "position", "sure", "times", ""], rows)
}

/// Mentions that say the same, told as one.
struct Group<'a> {
    text: &'a str,
    mention: &'a Mention,
    times: usize,
    /// The highest of their certainties.
    sure: f32,
    is_in_title: bool,
}

impl Group<'_> {
    fn row(&self, findings: &Findings<'_>) -> Vec<String> {
        vec![
            self.text.split_whitespace().collect::<Vec<_>>().join(" "),
            class_name(self.mention.class).to_owned(),
            meaning(findings, self.mention),
            self.mention.point.map(|it| it.to_string()).unwrap_or_default(),
            percent(f64::from(self.sure)),
            self.times.to_string(),
            if self.is_in_title { "in the title" } else { "" }.to_owned(),
        ]
    }
}

fn addresses(findings: &Findings<'_>) -> String {
    let addresses = &findings.survey.addresses;
    if addresses.is_empty() {
        return "addresses: none\n".to_owned();
    }
    let told = addresses.iter().map(|it| indented(&address(findings, it)));
    format!("addresses\n{}", told.collect::<String>())
}

fn address(findings: &Findings<'_>, address: &Address) -> String {
    let parts: Vec<_> = parts(address).map(|(title, it)| format!("{title} {}", it.text)).collect();
    let lacks = if address.is_full() { "" } else { ", not full" };
    let place = match &address.position {
        Some(position) => format!(
            "at {}, {}, exact to {}, {} sure",
            findings.label(position.place),
            position.point,
            position.precision,
            percent(position.confidence)
        ),
        None => "somewhere the gazetteer does not know".to_owned(),
    };
    format!(
        "{}\n  {}\n  {place}\n  an address: {} sure{lacks}\n",
        findings.written(address),
        parts.join(" | ").replace('\n', " "),
        percent(address.confidence),
    )
}

fn stated(findings: &Findings<'_>) -> String {
    let places = &findings.survey.stated;
    if places.is_empty() {
        return "stated for machines: none\n".to_owned();
    }
    let rows = places.iter().map(|it| {
        let Position { place, point, precision, confidence, .. } = it.position;
        vec![
            it.name.clone().unwrap_or_default(),
            source_name(it.source).to_owned(),
            findings.label(place),
            point.to_string(),
            precision.to_string(),
            percent(confidence),
            if it.is_full_address { "full address" } else { "" }.to_owned(),
        ]
    });
    let header = ["name", "written as", "place", "position", "exact to", "sure", ""];
    section("stated for machines", &header, rows.collect())
}

fn in_url(findings: &Findings<'_>) -> String {
    if findings.url.is_none() {
        return String::new();
    }
    if findings.in_url.is_empty() {
        return "in the URL: none\n".to_owned();
    }
    let rows = findings.in_url.iter().map(|it| {
        let part = if it.is_in_host { "host" } else { "path" };
        vec![it.words.clone(), part.to_owned(), findings.label(it.place)]
    });
    section("in the URL", &["words", "part", "place"], rows.collect())
}
