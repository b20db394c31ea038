//! A card: a hit as the list shows it.

use gazetteer::Gazetteer;
use search::{Explanation, Hit, Piece, PieceKind};

use crate::frame::Frame;
use crate::wording::Language;

/// A hit as the list shows it.
pub(crate) struct Card {
    pub(crate) number: usize,
    pub(crate) title: Vec<Run>,
    /// Where the title leads: to the page itself or, if nobody can reach that, to the stored copy.
    pub(crate) link: String,
    /// The stored copy.
    pub(crate) copy: String,
    /// The page itself, if a browser can reach it.
    pub(crate) original: Option<String>,
    /// Its address, to be read.
    pub(crate) address: String,
    pub(crate) snippet: Vec<Run>,
    pub(crate) published: Option<(String, String)>,
    pub(crate) language: String,
    pub(crate) place: Option<CardPlace>,
    /// It is farther away than anybody calls near, where that was asked.
    pub(crate) is_far: bool,
    pub(crate) explanation: Option<Explained>,
}

/// The place of a hit.
pub(crate) struct CardPlace {
    pub(crate) label: String,
    pub(crate) link: Option<String>,
    pub(crate) lat: String,
    pub(crate) lon: String,
    /// How far it is and in which direction: `1.2 km NE`.
    pub(crate) way: Option<String>,
}

/// A piece of text and how it is marked.
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) is_theme: bool,
    pub(crate) is_place: bool,
}

/// Why a hit stands where it stands.
pub(crate) struct Explained {
    pub(crate) words: Vec<(String, u32, u32, String)>,
    pub(crate) text: String,
    pub(crate) lie: String,
    pub(crate) part: String,
    pub(crate) sure: String,
    pub(crate) place: String,
    pub(crate) score: String,
}

/// The address of a stored copy.
pub(crate) fn copy_link(id: &str) -> String {
    format!("/page/{}", path_piece(id))
}

/// A text as a part of a path.
pub(crate) fn path_piece(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b':' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// The address of a place's page: its key, then its name for who reads the address.
pub(crate) fn place_link(place: &gazetteer::Place<'_>) -> String {
    let name = text::fold(place.name());
    let words: Vec<&str> =
        name.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    format!("/place/{}/{}", path_piece(place.key()), path_piece(&words.join("-")))
}

/// The address, if a browser may follow it and a page may be there; a crawled address may be anything.
pub(crate) fn safe_link(url: &str) -> Option<String> {
    let parsed = url::Url::parse(url).ok()?;
    let is_link = matches!(parsed.scheme(), "http" | "https") && is_reachable(&parsed);
    is_link.then(|| parsed.to_string())
}

/// Whether a page may be there at all: nobody has hosts under names that are set aside for examples (RFC 2606).
fn is_reachable(url: &url::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    !["example", "invalid", "test"].contains(&last)
}

/// Seconds since 1970 as people write them, and as machines do.
pub(crate) fn day(language: Language, seconds: i64) -> Option<(String, String)> {
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    let date = time.to_zoned(jiff::tz::TimeZone::UTC).date();
    Some((language.day(date), date.to_string()))
}

impl Card {
    pub(crate) fn of(gazetteer: &Gazetteer, frame: &Frame, hit: &Hit, number: usize) -> Self {
        let untitled = hit.title.iter().all(|it| it.text.trim().is_empty());
        let title = if untitled {
            vec![Run {
                text: frame.say("Without a title").into(),
                is_theme: false,
                is_place: false,
            }]
        } else {
            runs(&hit.title)
        };
        let place = hit.place.as_ref().map(|it| CardPlace {
            label: frame.label(&it.label),
            link: it.place.map(|id| place_link(&gazetteer.place(id))),
            lat: format!("{:.5}", it.point.lat),
            lon: format!("{:.5}", it.point.lon),
            way: it.way.map(|(far, bearing)| {
                let direction = direction(frame, bearing.compass());
                let far = frame.language.distance(far.0);
                // Who is there need not go in any direction.
                if far == "0 m" { far } else { format!("{far} {direction}") }
            }),
        });
        let (copy, original) = (copy_link(&hit.id), safe_link(&hit.url));
        Self {
            number,
            title,
            link: original.clone().unwrap_or_else(|| copy.clone()),
            copy,
            original,
            address: shown_address(&hit.url),
            snippet: runs(&hit.snippet),
            published: hit.published.and_then(|it| day(frame.language, it)),
            language: hit.language.clone(),
            place,
            is_far: hit.is_far,
            explanation: hit.explanation.as_ref().map(|it| explained(frame.language, it)),
        }
    }

    /// The card without how far its place is.
    pub(crate) fn without_way(mut self) -> Self {
        if let Some(place) = &mut self.place {
            place.way = None;
        }
        self
    }
}

/// The short name of a direction in the reader's language; German has O for E.
pub(crate) fn direction(frame: &Frame, compass: earth::Compass) -> String {
    let short = compass.short_name();
    if frame.language == Language::German { short.replace('E', "O") } else { short.to_owned() }
}

fn runs(pieces: &[Piece]) -> Vec<Run> {
    let run = |it: &Piece| Run {
        text: it.text.clone(),
        is_theme: it.kind == PieceKind::Theme,
        is_place: it.kind == PieceKind::Place,
    };
    pieces.iter().map(run).collect()
}

/// An address as people read it, without its scheme and not too long.
fn shown_address(url: &str) -> String {
    const LONGEST: usize = 80;
    let bare = url.split_once("://").map_or(url, |it| it.1).trim_end_matches('/');
    if bare.chars().count() <= LONGEST {
        return bare.to_owned();
    }
    let cut: String = bare.chars().take(LONGEST - 1).collect();
    format!("{cut}…")
}

fn explained(language: Language, it: &Explanation) -> Explained {
    let number = |value: f64| language.decimal(value, 3);
    let words = it.words.iter().map(|word| {
        (word.word.clone(), word.times, word.in_title, language.decimal(word.score, 2))
    });
    Explained {
        words: words.collect(),
        text: number(it.text),
        lie: number(it.lie),
        part: number(it.part),
        sure: number(it.sure),
        place: number(it.place),
        score: number(it.score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_become_links() {
        assert_eq!(safe_link("https://example.org/a"), Some("https://example.org/a".into()));
        for url in ["javascript:alert(1)", "data:text/html,x", "", "/relative", "ftp://example.org"]
        {
            assert_eq!(safe_link(url), None, "{url}");
        }
    }

    #[test]
    fn nothing_leads_to_hosts_that_cannot_be() {
        assert!(safe_link("http://127.0.0.1/").is_some());
        for url in ["http://the-lark.example/a", "http://a.invalid./", "http://a.test/"] {
            assert_eq!(safe_link(url), None, "{url}");
        }
    }

    #[test]
    fn any_id_is_part_of_a_path() {
        assert_eq!(copy_link("a/b c?d#é"), "/page/a%2Fb%20c%3Fd%23%C3%A9");
        assert_eq!(copy_link("gn:1"), "/page/gn:1");
    }

    #[test]
    fn long_addresses_are_cut() {
        assert_eq!(shown_address("https://example.org/"), "example.org");
        assert_eq!(shown_address(&"x".repeat(200)).chars().count(), 80);
    }
}
