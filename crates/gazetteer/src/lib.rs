//! The places of the world.

mod fact;
mod kind;

pub use crate::fact::{Fact, HouseFact, Name, NameClass, PlaceFact, Seat, ShapeFact};
pub use crate::kind::{Kind, UnknownKind};
