//! Looks into a crawl: how it does, its links, its hosts, all about one link.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use crawl::{Doing, Explanation, HostReport, QueuedLink, Reply, Request, Ruling, Status, Tasks};
use serde::Serialize;

use super::summary::{bytes, classes, seconds};
use crate::output::{grouped, say, say_json, table, width, wrapped_to};

/// On a terminal narrower than what this needs, lines are broken by the terminal.
const LEAST_ROOM: usize = 20;

/// What the answer looks like.
#[derive(Args)]
pub(super) struct Form {
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

/// The links that are next.
#[derive(Args)]
pub(super) struct Frontier {
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    form: Form,
}

/// The hosts that were visited most.
#[derive(Args)]
pub(super) struct Hosts {
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    form: Form,
}

/// All that is known about one link.
#[derive(Args)]
pub(super) struct Explain {
    /// Which.
    url: String,
    #[command(flatten)]
    form: Form,
}

pub(super) fn status(data: &Path, name: &str, form: &Form) -> Result<()> {
    match ask(data, name, &Request::Status)? {
        Reply::Status(status) => {
            let state = Tasks::at(data).state(name)?;
            let doing = Doing::of(&state, Some(status.activity), jiff::Timestamp::now());
            tell(form, &*status, || status_text(&status, doing))
        }
        other => unexpected(&other),
    }
}

pub(super) fn frontier(data: &Path, name: &str, wanted: &Frontier) -> Result<()> {
    match ask(data, name, &Request::Frontier { top: wanted.top })? {
        Reply::Frontier(links) => tell(&wanted.form, &links, || frontier_text(&links, width())),
        other => unexpected(&other),
    }
}

pub(super) fn hosts(data: &Path, name: &str, wanted: &Hosts) -> Result<()> {
    match ask(data, name, &Request::Hosts { limit: wanted.limit })? {
        Reply::Hosts(hosts) => tell(&wanted.form, &hosts, || hosts_text(&hosts)),
        other => unexpected(&other),
    }
}

pub(super) fn explain(data: &Path, name: &str, wanted: &Explain) -> Result<()> {
    match ask(data, name, &Request::Explain { url: wanted.url.clone() })? {
        Reply::Explanation(it) => tell(&wanted.form, &*it, || explanation_text(data, &it)),
        other => unexpected(&other),
    }
}

fn ask(data: &Path, name: &str, request: &Request) -> Result<Reply> {
    match crawl::inquire(data, name, request)? {
        Reply::Failed(reason) => bail!("{reason}"),
        reply => Ok(reply),
    }
}

fn unexpected(reply: &Reply) -> Result<()> {
    bail!("the crawl answered something else, it may be of another version: {reply:?}")
}

fn tell(form: &Form, value: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    if form.json { say_json(&serde_json::to_value(value)?) } else { say(&text()) }
}

fn status_text(status: &Status, doing: Doing) -> String {
    let (total, links) = (&status.total, &status.links);
    let mut text = format!("crawl \"{}\": {}", status.name, doing.name());
    if let Some(run) = &status.run {
        text += &format!(" since {} ({})", run.since, seconds(run.seconds));
    }
    text.push('\n');
    let region = if status.region.is_empty() { "none".into() } else { status.region.join(" or ") };
    let mut rows = vec![
        ("region", region),
        ("strategy", format!("{}, {} threads", status.strategy, status.threads)),
        (
            "spent",
            format!(
                "{} pages, {}, {}; budget: {}",
                grouped(status.spent.pages as usize),
                bytes(status.spent.bytes),
                seconds(status.spent.seconds),
                status.budget
            ),
        ),
    ];
    let mut pages = format!("{} answers", grouped(total.pages as usize));
    if status.has_goal {
        let share = total.harvest() * 100.0;
        pages += &format!(", {} relevant, harvest {share:.1} %", grouped(total.relevant as usize));
    }
    rows.push(("pages", pages));
    if let Some(run) = &status.run {
        rows.push((
            "rate",
            format!(
                "{:.1} pages/s in this run, {:.1} in the last minute; {} on their way",
                run.pages_per_second, run.lately, run.progress.in_flight
            ),
        ));
        rows.extend(run.progress.waiting_for.clone().map(|it| ("waiting", it)));
    }
    rows.push((
        "links",
        format!(
            "{} known: {} visited, {} queued, {} for later, {} redirected, {} dropped",
            grouped(links.known as usize),
            grouped(links.visited as usize),
            grouped(links.queued as usize),
            grouped(links.waiting as usize),
            grouped(links.redirected as usize),
            grouped(links.dropped as usize)
        ),
    ));
    rows.push((
        "hosts",
        format!("{} known, {} with links to visit", links.hosts, total.hosts_with_links),
    ));
    if !total.errors.is_empty() {
        rows.push(("errors", classes(&total.errors)));
    }
    if !total.filtered.is_empty() {
        rows.push(("left out", classes(&total.filtered)));
    }
    for (name, value) in rows {
        text += &format!("  {name:<9} {value}\n");
    }
    text
}

/// The links that are next, as a table. Where that is too wide for the terminal, every link has its reason below it.
fn frontier_text(links: &[QueuedLink], width: Option<usize>) -> String {
    if links.is_empty() {
        return "no link waits for its turn\n".to_owned();
    }
    let mut rows =
        vec![["rank", "priority", "depth", "link", "reason"].map(str::to_owned).to_vec()];
    rows.extend(links.iter().map(|it| {
        vec![
            it.rank.to_string(),
            format!("{:.4}", it.priority),
            it.depth.to_string(),
            it.url.clone(),
            it.reasons.join("; "),
        ]
    }));
    let wide = table(&rows);
    let Some(width) = width.filter(|most| wide.lines().any(|it| it.chars().count() > *most)) else {
        return wide;
    };
    let reasons: Vec<_> = rows.iter_mut().filter_map(Vec::pop).collect();
    let numbers = wide.find("link").unwrap_or_default();
    let room = width.saturating_sub(numbers).max(LEAST_ROOM);
    rows.iter_mut().skip(1).filter_map(|it| it.last_mut()).for_each(|it| *it = cut(it, room));
    let margin = " ".repeat(numbers);
    let mut text = String::new();
    for (number, (line, reason)) in table(&rows).lines().zip(&reasons).enumerate() {
        text += &format!("{line}\n");
        if number > 0 {
            text += &wrapped_to(room, &margin, reason);
        }
    }
    text
}

/// A text with as much of its middle left out as is too much.
fn cut(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let end = most / 3;
    let start: String = letters[..most - 1 - end].iter().collect();
    format!("{start}…{}", letters[letters.len() - end..].iter().collect::<String>())
}

fn hosts_text(hosts: &[HostReport]) -> String {
    if hosts.is_empty() {
        return "no host is known\n".to_owned();
    }
    let head = [
        "visited",
        "relevant",
        "errors",
        "repeats",
        "known",
        "delay",
        "sunk",
        "host",
        "next",
        "robots.txt",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(hosts.iter().map(|it| {
        vec![
            it.visited.to_string(),
            it.relevant.to_string(),
            it.errors.to_string(),
            it.duplicates.to_string(),
            it.known.to_string(),
            format!("{:.1}", it.delay),
            it.sunk.to_string(),
            it.origin.clone(),
            it.next.clone().unwrap_or_else(|| "now".to_owned()),
            it.robots.clone(),
        ]
    }));
    table(&rows)
}

fn explanation_text(data: &Path, it: &Explanation) -> String {
    let mut text = format!("{}\n", it.url);
    let mut row = |name: &str, value: &str| text += &format!("  {name:<11} {value}\n");
    row("state", &it.state);
    if let (Some(found), Some(depth)) = (&it.found, it.depth) {
        let links = if depth == 1 { "link" } else { "links" };
        row("found", &format!("{found}, {depth} {links} from a seed"));
    }
    if let Some(priority) = it.priority {
        row("priority", &format!("{priority:.4}: {}", it.reasons.join("; ")));
    }
    if it.tries > 0 && !it.state.starts_with("dropped") {
        row("failures", &format!("{} since the last visit", it.tries));
    }
    for (at, step) in it.chain.iter().enumerate().skip(1) {
        row(if at == 1 { "found on" } else { "" }, &format!("{} ({})", step.url, step.state));
    }
    match it.chain.last() {
        Some(last) if it.chain.len() > 1 && last.depth == 0 => row("", "which is a seed"),
        Some(_) if it.chain.len() == 1 => row("found on", "nowhere: it is a seed"),
        _ => {}
    }
    match &it.robots {
        Some(ruling) => row("robots.txt", &verdict(ruling, "allowed", "forbidden")),
        None => row("robots.txt", "not asked for yet"),
    }
    row("scope", &verdict(&it.scope, "taken in", "left out"));
    if let Some(host) = &it.host {
        let next = host.next.as_deref().map_or_else(
            || "may be asked now".to_owned(),
            |it| format!("may be asked again at {it}"),
        );
        let counts = format!(
            "{}: links known {}, visited {}, relevant {}, errors {}; delay {:.1} s, {next}",
            host.origin, host.known, host.visited, host.relevant, host.errors, host.delay
        );
        row("host", &counts);
    }
    if let Some(visit) = &it.last_visit {
        let relevant = if visit.is_relevant { ", relevant" } else { "" };
        let again = match visit.checks {
            0 => String::new(),
            checks => format!("; looked at again {checks} times, changed {}", visit.changes),
        };
        row("last visit", &format!("{}, status {}{relevant}{again}", visit.at, visit.status));
    }
    if let Some(next) = &it.next_visit {
        row("next visit", next);
    }
    let archive = data.join("archive");
    for (at, archived) in it.archived.iter().enumerate() {
        let status = archived.status.map(|it| format!(", status {it}")).unwrap_or_default();
        let place = format!(
            "{} at byte {} ({}{status})",
            archive.join(&archived.file).display(),
            archived.offset,
            archived.at
        );
        row(if at == 0 { "archive" } else { "" }, &place);
    }
    text
}

fn verdict(ruling: &Ruling, yes: &str, no: &str) -> String {
    let word = if ruling.is_allowed { yes } else { no };
    let until = ruling.until.as_deref().map(|it| format!("; asked again after {it}"));
    format!("{word}: {}{}", ruling.ground, until.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(rank: usize, url: &str) -> QueuedLink {
        QueuedLink {
            rank,
            url: url.to_owned(),
            priority: 0.25,
            reasons: vec!["it is 3 links away from a seed".to_owned(), "1 / 4".to_owned()],
            depth: 3,
            via: None,
        }
    }

    #[test]
    fn links_fit_the_terminal_and_are_whole_elsewhere() {
        let long = format!("http://town.example/{}/end", "way".repeat(40));
        let links = [link(1, &long), link(2, "http://town.example/8")];
        let whole = frontier_text(&links, None);
        assert!(whole.contains(&long) && whole.lines().count() == 3, "{whole}");
        assert_eq!(frontier_text(&links, Some(500)), whole);
        for width in [44, 80, 120] {
            let text = frontier_text(&links, Some(width));
            assert!(text.lines().all(|it| it.chars().count() <= width), "{width}:\n{text}");
            assert!(text.contains("…") && text.contains("/end"), "{text}");
        }
        let margin = " ".repeat(23);
        assert_eq!(
            frontier_text(&links[1..], Some(58)),
            format!(
                "rank  priority  depth  link\n   2    0.2500      3  http://town.example/8\n\
                 {margin}it is 3 links away from a seed; 1 /\n{margin}4\n"
            )
        );
    }

    #[test]
    fn the_beginning_and_the_end_of_a_cut_text_stay() {
        assert_eq!(cut("abcdefghij", 10), "abcdefghij");
        assert_eq!(cut("abcdefghij", 7), "abcd…ij");
    }
}
