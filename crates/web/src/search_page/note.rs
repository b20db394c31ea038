//! Notes: what somebody should know about how a query was understood, and the way out.

use query::{NoteKind, Understood};

use crate::frame::Frame;
use crate::parameters::Parameters;

/// How a note offers the names that are nearest to one that nobody bears.
const OFFER: &str = "did you mean ";
/// What stands between the names.
const OR: &str = ", or ";

/// A note, a whole sentence if it offers nothing.
#[derive(Debug, PartialEq)]
pub(super) struct Note {
    pub(super) text: String,
    /// Places that may be meant, with the same search there.
    pub(super) offers: Vec<(String, String)>,
}

/// The notes on a query; other places of a name are offered elsewhere.
pub(super) fn notes(frame: &Frame, parameters: &Parameters, understood: &Understood) -> Vec<Note> {
    let told = understood.notes.iter().filter(|it| it.kind != NoteKind::Ambiguous);
    told.map(|it| note(frame, parameters, &understood.text, &it.text)).collect()
}

fn note(frame: &Frame, parameters: &Parameters, asked: &str, told: &str) -> Note {
    if let Some((fact, offers)) = offers(frame, parameters, asked, told) {
        let text = format!("{} {}", frame.told(fact).trim_end(), frame.say("did you mean"));
        return Note { text, offers };
    }
    let text = frame.told(told);
    let stop = if text.ends_with(['?', '.', '!']) { "" } else { "." };
    Note { text: format!("{text}{stop}"), offers: Vec::new() }
}

/// What a note says before it offers places, and the places.
fn offers<'t>(
    frame: &Frame,
    parameters: &Parameters,
    asked: &str,
    told: &'t str,
) -> Option<(&'t str, Vec<(String, String)>)> {
    let at = told.rfind(OFFER)?;
    let names = told[at + OFFER.len()..].strip_suffix('?')?;
    let unknown = told.split('"').nth(1).filter(|it| !it.is_empty())?;
    let start = asked.rfind(unknown)?;
    let (before, after) = (&asked[..start], &asked[start + unknown.len()..]);
    let is_marked = before.ends_with('[') && after.starts_with(']');
    let offer = |label: &str| {
        let place = if is_marked { label.to_owned() } else { format!("[{label}]") };
        let there = parameters.with_text(format!("{before}{place}{after}"));
        (frame.label(label), Parameters { choose: None, ..there }.link())
    };
    Some((&told[..at], names.split(OR).map(offer).collect()))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, Uri};

    use super::*;
    use crate::wording::Language;

    const TOLD: &str =
        "no place \"Helsnk\" is known: did you mean Helsinki, Uusimaa, Finland, or Hel, Poland?";

    #[track_caller]
    fn check(asked: &str, told: &str, text: &str, links: &[&str]) {
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/search"));
        let note = note(&frame, &Parameters::of(asked), asked, told);
        assert_eq!(note.text, text);
        let found: Vec<_> = note.offers.iter().map(|it| it.1.as_str()).collect();
        assert_eq!(found, links);
    }

    #[test]
    fn a_place_that_may_be_meant_is_a_link_to_the_search_there() {
        let links = [
            "/search?q=museum+near+%5BHelsinki%2C+Uusimaa%2C+Finland%5D",
            "/search?q=museum+near+%5BHel%2C+Poland%5D",
        ];
        let text = "no place \"Helsnk\" is known: did you mean";
        check("museum near [Helsnk]", TOLD, text, &links);
        check("museum near Helsnk", TOLD, text, &links);
        let german = Frame { language: Language::German, here: String::new() };
        let note = note(&german, &Parameters::of("[Helsnk]"), "[Helsnk]", TOLD);
        assert_eq!(note.text, "kein Ort „Helsnk“ ist bekannt: meinten Sie");
        assert_eq!(note.offers[1].0, "Hel, Polen");
    }

    #[test]
    fn a_note_has_one_stop_at_its_end() {
        check("a", "it is all there is", "it is all there is.", &[]);
        // What was asked is not found in the text: nothing can be put in its place.
        check("a", TOLD, TOLD, &[]);
    }
}
