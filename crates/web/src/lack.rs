//! Which part of a query nothing was found for.

use query::Understood;

use crate::frame::Frame;

/// What no page has: the words, the place, or both at once.
pub(crate) fn lack(frame: &Frame, understood: &Understood, lacks_words: bool) -> &'static str {
    let theme = &understood.query.theme;
    let has_words = !theme.to_string().is_empty();
    match (has_words, understood.query.space.is_some()) {
        (true, has_space) if theme.has_limits() && (lacks_words || !has_space) => frame
            .say("No page has these words and is of the site, language, time or topic asked for."),
        (true, true) if lacks_words => frame.say("No page has these words, here or elsewhere."),
        (true, true) => frame.say("There are such pages, but none of them is about this place."),
        (true, false) => frame.say("No page has all of these words."),
        (false, true) => frame.say("No page is about this place."),
        (false, false) => frame.say("No page has all of this."),
    }
}
