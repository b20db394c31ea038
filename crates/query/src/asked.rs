//! What somebody asked, before anything of it is understood.

use earth::Point;
use gazetteer::PlaceId;
use jiff::civil::Date;

use crate::region::Region;

/// What somebody asked: one text, or three fields, and what is known of who asks.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The one box; not looked at where one of the fields is given, except in place of a missing `what`.
    pub text: &'a str,
    /// The field for the theme.
    pub what: Option<&'a str>,
    /// The field for the relation: `near`, `within 5 km of`. Without one it is `in`. It goes with the other fields or with
    /// a region; beside one text it is not looked at.
    pub relation: Option<&'a str>,
    /// The field for the place: a name, an address, a coordinate, a key.
    pub place: Option<&'a str>,
    /// Which place was chosen for a text that may mean several.
    ///
    /// A choice with an empty text is for whichever text is a name of it.
    pub choices: &'a [(String, PlaceId)],
    /// Where the user is, if that is known.
    pub position: Option<Point>,
    /// What was drawn on the map; it is the location, whatever the text says.
    pub region: Option<Region>,
    /// The day from which `after:7d` counts.
    pub today: Date,
    /// The language of the user, as a two-letter code, if it is known.
    pub language: Option<&'a str>,
}

impl<'a> Asked<'a> {
    /// One text, asked on this day, with nothing else known.
    pub fn new(text: &'a str, today: Date) -> Self {
        Self {
            text,
            what: None,
            relation: None,
            place: None,
            choices: &[],
            position: None,
            region: None,
            today,
            language: None,
        }
    }

    /// The place that was chosen for a text, however it is written.
    pub(crate) fn choice(&self, text: &str) -> Option<PlaceId> {
        let folded = text::fold(text);
        let named = self.choices.iter().filter(|it| !it.0.is_empty());
        named.into_iter().find(|it| text::fold(&it.0) == folded).map(|it| it.1)
    }
}
