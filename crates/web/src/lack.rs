//! Which part of a query nothing was found for.

use query::Understood;
use search::Answer;

use crate::frame::Frame;

/// What no page has: the words, the place, or both at once.
pub(crate) fn lack(frame: &Frame, understood: &Understood, answer: &Answer) -> &'static str {
    let has_words = !understood.query.theme.to_string().is_empty();
    let with_words: u64 = answer.plans.iter().map(|it| it.with_words).sum();
    match (has_words, understood.query.space.is_some()) {
        (true, true) if with_words > 0 => {
            frame.say("There are such pages, but none of them is about this place.")
        }
        (true, true) => frame.say("No page has these words, here or elsewhere."),
        (true, false) => frame.say("No page has all of these words."),
        (false, true) => frame.say("No page is about this place."),
        (false, false) => frame.say("No page has all of this."),
    }
}
