//! A small, cheerful web for the demonstration and for tests.
//!
//! Takes a gazetteer with streets and houses, a day and a seed; gives some two thousand pages on invented hosts: bakeries,
//! museums, clubs and offices at real addresses, directories, town portals, newspapers, sites about other things, a
//! calendar without end and a mirror. The same seed on the same day makes the same web, byte for byte. [`serve`] serves
//! it as a proxy does, so that invented hosts need no name server. No library of the product depends on it; next on the
//! way: the demonstration in `cli`, and tests.
//!
//! ```
//! let today = jiff::civil::date(2026, 5, 1);
//! let web = testkit::web(world::gazetteer(), today, 1);
//! let seed = web.page(&web.seeds()[0]).expect("seeds are pages");
//! assert!(seed.html.starts_with("<!DOCTYPE html>"));
//! assert!(web.pages().filter(|it| !it.addresses.is_empty()).count() > 500);
//! ```

mod address;
mod business;
mod calendar;
mod chance;
mod city;
mod directory;
mod language;
mod markup;
mod paper;
mod pastime;
mod phrasebook;
mod portal;
mod server;
mod sheet;
mod site;
mod town;
mod web;

pub use crate::address::Address;
pub use crate::language::Language;
pub use crate::paper::Topic;
pub use crate::server::serve;
pub use crate::web::{Answer, Page, Web, web};
