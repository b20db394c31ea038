//! Links in, the next polite link out.

mod normal;

pub use crate::normal::{Address, LONGEST, NoLink, Rules, normal_form, readable};
