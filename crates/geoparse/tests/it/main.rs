//! What needs the gazetteer of the whole world.

mod address;
mod address_table;
mod properties;
mod sentences;
mod surveys;
