//! Link in, response out: politely and safely.

mod robots;
pub mod sitemap;
mod standing;
mod utf16;

pub use crate::robots::{Ground, Robots, Rule, Verdict, is_product_token};
pub use crate::standing::Standing;
