//! Links in, the next polite link out.

mod file_kind;
mod normal;
mod scope;
mod trap;

pub use crate::file_kind::{FileKind, Wanted};
pub use crate::normal::{Address, LONGEST, NoLink, Rules, normal_form, readable};
pub use crate::scope::{Candidate, Glob, OutOfScope, Scope, Selection};
pub use crate::trap::{
    Floods, Mirrors, Month, NotFoundPages, Outcome, Pattern, PatternYield, Patterns, Suspicion,
    are_alike, pattern, suspicion,
};
