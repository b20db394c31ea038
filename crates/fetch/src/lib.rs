//! Link in, response out: politely and safely.

mod robots;
mod standing;

pub use crate::robots::{Ground, Robots, Rule, Verdict, is_product_token};
pub use crate::standing::Standing;
