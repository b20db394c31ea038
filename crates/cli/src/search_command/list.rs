//! Hits as people read them on a terminal.

use std::io::IsTerminal;

use earth::{Bearing, Meters};
use gazetteer::Gazetteer;
use query::{Chip, ChipKind, NoteKind, Understood};
use search::{Answer, Explanation, Facets, Hit, Piece, PieceKind, Suggestion};

use crate::output::{grouped, wrapped};

/// So many places, sites and languages are named below the hits.
const MOST_FACETS: usize = 6;
/// So many other places of a name are offered.
const MOST_CHOICES: usize = 4;

/// An answer as a list; `counts` says how many documents the other readings find.
pub(super) fn list(
    gazetteer: &Gazetteer,
    understood: &Understood,
    counts: &[u64],
    answer: &Answer,
    skip: usize,
) -> String {
    let mut text = head(gazetteer, understood, counts, answer);
    let far = answer.hits.iter().rev().take_while(|it| it.is_far).count();
    for (hit, number) in answer.hits.iter().zip(skip + 1..) {
        if number + far == skip + answer.hits.len() + 1 {
            text += "farther away:\n\n";
        }
        text += &entry(hit, number);
    }
    for suggestion in &answer.suggestions {
        text += &match suggestion {
            Suggestion::Spelling { word, instead, documents } => {
                format!(
                    "  did you mean \"{instead}\" for \"{word}\"? {} with it
",
                    pages(*documents)
                )
            }
            Suggestion::Without { word, documents } => {
                format!(
                    "  without \"{word}\": {}
",
                    pages(*documents)
                )
            }
        };
    }
    if let Some(facets) = answer.facets.as_ref().filter(|_| !answer.hits.is_empty()) {
        text += &foot(gazetteer, facets);
    }
    if answer.hits.iter().any(|it| it.explanation.is_some()) {
        for chosen in &answer.plans {
            text += &format!(
                "plan: {} (about {} documents have the words, about {} points are on the ground)\n",
                chosen.plan.name(),
                grouped(chosen.with_words as usize),
                grouped(chosen.on_ground as usize)
            );
        }
    }
    text
}

/// What was understood, and how much was found.
fn head(gazetteer: &Gazetteer, understood: &Understood, counts: &[u64], answer: &Answer) -> String {
    let chips: Vec<String> = understood.chips.iter().map(|it| format!("[{}]", chip(it))).collect();
    let mut text = format!("{}\n", chips.join(" "));
    // Which other places there are is told below, with how to choose them.
    for note in understood.notes.iter().filter(|it| it.kind != NoteKind::Ambiguous) {
        text += &format!("  {}\n", note.text);
    }
    let anchors = understood.query.space.iter().flat_map(|it| &it.anchors);
    for anchor in anchors.filter(|it| !it.others.is_empty()) {
        text += &format!("  {} could also be:\n", anchor.text);
        for other in anchor.others.iter().take(MOST_CHOICES) {
            text += &format!(
                "    {}  (--choose {})\n",
                other.label,
                gazetteer.place(other.place).key()
            );
        }
    }
    for (other, count) in understood.others.iter().zip(counts) {
        text += &format!(
            "  or did you mean {}? ({}) ask: {}\n",
            other.label,
            pages(*count),
            other.query
        );
    }
    let total = answer.total.unwrap_or(answer.hits.len() as u64);
    text += &if total == 0 {
        "no pages
"
        .to_owned()
    } else {
        pages(total)
    };
    if answer.duplicates > 0 {
        text += &format!(
            ", and {} that nearly repeat one of them (--duplicates shows them)",
            answer.duplicates
        );
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text
}

/// What a chip says, with what it is where the label alone does not tell.
fn chip(it: &Chip) -> String {
    let label = &it.label;
    match it.kind {
        ChipKind::Excluded => format!("not {label}"),
        ChipKind::Phrase => format!("\"{label}\""),
        ChipKind::Title => format!("title: {label}"),
        ChipKind::Site => format!("site: {label}"),
        ChipKind::Language => format!("language: {label}"),
        ChipKind::After => format!("after {label}"),
        ChipKind::Before => format!("before {label}"),
        ChipKind::Topic => format!("topic: {label}"),
        ChipKind::Sort => format!("by {label}"),
        ChipKind::Opener | ChipKind::Word | ChipKind::Space => label.clone(),
    }
}

/// `1 page`, `1,200 pages`.
fn pages(count: u64) -> String {
    if count == 1 { "1 page".to_owned() } else { format!("{} pages", grouped(count as usize)) }
}

fn entry(hit: &Hit, number: usize) -> String {
    let title = if hit.title.is_empty() { "(no title)".to_owned() } else { marked(&hit.title) };
    let mut text = format!("{number:>3}. {title}\n");
    let mut facts = Vec::new();
    if let Some(place) = &hit.place {
        let way = place.way.map(|(distance, bearing)| format!(", {}", way(distance, bearing)));
        facts.push(format!("{}{}", place.label, way.unwrap_or_default()));
    }
    facts.extend(hit.published.and_then(date));
    facts.extend(Some(hit.language.clone()).filter(|it| !it.is_empty()));
    if !facts.is_empty() {
        text += &format!("     {}\n", facts.join(" · "));
    }
    if !hit.snippet.is_empty() {
        text += &wrapped("     ", &marked(&hit.snippet));
    }
    if !hit.url.is_empty() {
        text += &format!("     {}\n", hit.url);
    }
    text += &format!("     strabo doc {}\n", hit.id);
    if let Some(explanation) = &hit.explanation {
        text += &explained(explanation);
    }
    text.push('\n');
    text
}

/// `1.2 km NE`; what is nearer than 50 m is here.
fn way(distance: Meters, bearing: Bearing) -> String {
    let direction = bearing.compass().short_name();
    match distance.0 {
        far if far < 50.0 => "here".to_owned(),
        far if far < 1_000.0 => format!("{:.0} m {direction}", (far / 10.0).round() * 10.0),
        far if far < 20_000.0 => format!("{:.1} km {direction}", far / 1_000.0),
        far => format!("{} km {direction}", grouped((far / 1_000.0).round() as usize)),
    }
}

fn date(seconds: i64) -> Option<String> {
    let at = jiff::Timestamp::from_second(seconds).ok()?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

/// Words asked for between stars, two on a terminal as they stand for bold there; places between underscores.
fn marked(pieces: &[Piece]) -> String {
    let signs = if std::io::stdout().is_terminal() {
        [("", ""), ("**", "**"), ("_", "_")]
    } else {
        [("", ""), ("*", "*"), ("_", "_")]
    };
    let sign = |kind: PieceKind| match kind {
        PieceKind::Plain => signs[0],
        PieceKind::Theme => signs[1],
        PieceKind::Place => signs[2],
    };
    let piece = |it: &Piece| {
        let (open, close) = sign(it.kind);
        format!("{open}{}{close}", it.text)
    };
    pieces.iter().map(piece).collect()
}

fn explained(it: &Explanation) -> String {
    let mut text = format!(
        "     score {:.4} = text {:.4} × place {:.4}\n     place {:.4} = lie {:.4} × weight {:.4} (part {:.2}, sure {:.2})\n",
        it.score, it.text, it.place, it.place, it.lie, it.weight, it.part, it.sure
    );
    for word in &it.words {
        text += &format!(
            "     text {:.4} from \"{}\": {} times, {} in the title, {} in headings and links, rareness {:.2}\n",
            word.score, word.word, word.times, word.in_title, word.in_strong, word.rareness
        );
    }
    text
}

fn foot(gazetteer: &Gazetteer, facets: &Facets) -> String {
    let mut text = String::new();
    let mut line = |title: &str, list: Vec<(String, u64)>| {
        if list.len() > 1 {
            let shown: Vec<String> = list
                .iter()
                .take(MOST_FACETS)
                .map(|it| format!("{} {}", it.0, grouped(it.1 as usize)))
                .collect();
            let more = if list.len() > MOST_FACETS { ", …" } else { "" };
            text += &format!("{title:<10} {}{more}\n", shown.join(", "));
        }
    };
    let places = facets.places.iter().map(|it| (gazetteer.place(it.0).name().to_owned(), it.1));
    line("places", places.collect());
    line("sites", facets.sites.clone());
    line("languages", facets.languages.clone());
    let mut years: Vec<(String, u64)> = Vec::new();
    for ((year, _), count) in &facets.months {
        let year = year.to_string();
        match years.last_mut() {
            Some(last) if last.0 == year => last.1 += count,
            _ => years.push((year, *count)),
        }
    }
    years.reverse();
    line("years", years);
    text
}
