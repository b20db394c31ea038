//! The one text pipeline: whatever is compared with words goes through here, on both sides.
//!
//! Takes text as people write it; gives folded words, the same for `MÜNSTER`, `Münster` and `munster`.
//! It has never heard of places or HTML. Next on the way: the `gazetteer` crate.
//!
//! ```
//! assert_eq!(text::fold("Straße der Republik, Łódź"), "strasse der republik lodz");
//!
//! let words: Vec<_> = text::words("Paris, Texas").collect();
//! assert_eq!(words[1].text, "texas");
//! assert_eq!(words[1].before, ", ");
//! ```

mod fold;
mod stem;
mod terms;
mod words;

pub use crate::fold::{fold, fold_char, joins};
pub use crate::stem::{STEMMED, stem, stemmed_language};
pub use crate::terms::{Terms, terms};
pub use crate::words::{Word, words};
