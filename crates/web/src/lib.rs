//! The server: requests in, answers out, from whatever generation is current.
//!
//! Takes an [`index::Library`] and a gazetteer; serves the pages for people and the routes for programs. When a new generation becomes current it is opened beside the old one and swapped in: requests
//! under way end on the generation they began on. It is the last station of a page.
//!
//! ```no_run
//! # async fn serve(gazetteer: &'static gazetteer::Gazetteer) -> Result<(), web::Error> {
//! let shelf = web::Shelf::open(index::Library::at("data/index"), gazetteer)?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! web::serve(listener, shelf, &web::Settings::default(), std::future::pending()).await
//! # }
//! ```

#[allow(unused_qualifications, reason = "utoipa writes names with their whole paths")]
mod api;
mod app;
mod aside;
mod asset;
mod bench;
mod card;
mod characters;
mod completion;
mod connection;
mod crawls;
mod credits;
mod error;
mod examples;
pub mod export;
pub mod findings;
pub mod findings_json;
mod frame;
mod guard;
mod help_page;
mod inquiry;
mod lack;
mod language_route;
mod map_data;
mod map_route;
mod markup;
mod message_page;
mod parameters;
mod place_page;
mod rendering;
mod search_page;
mod search_route;
mod secret;
mod server;
mod shelf;
mod statistics_page;
mod stored_page;
mod told;
mod trend;
mod wording;

pub use crate::characters::Characters;
pub use crate::crawls::{Operators, ShortToken, Token};
pub use crate::error::Error;
pub use crate::markup::escaped;
pub use crate::rendering::answer_json;
pub use crate::server::{Settings, TileServer, serve};
pub use crate::shelf::Shelf;
