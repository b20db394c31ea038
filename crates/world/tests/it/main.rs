//! The gazetteer of the whole world, asked.

mod ambiguous;
mod answers;
mod properties;
