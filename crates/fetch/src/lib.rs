//! Link in, response out: politely and safely.

mod address;
mod body;
mod client;
mod connection;
mod dialer;
mod error;
mod names;
mod patience;
mod pool;
mod proxy;
mod request;
mod resolver;
mod response;
mod robots;
mod settings;
pub mod sitemap;
mod standing;
mod stream;
mod target;
mod tls;
mod user_agent;
mod utf16;

pub use crate::address::is_public;
pub use crate::client::{Client, SettingsError};
pub use crate::error::{FetchError, Phase};
pub use crate::request::{Head, Request};
pub use crate::resolver::{Lookup, NameError, Resolve, SystemResolver};
pub use crate::response::{Decoded, Protocol, Response, Timing, Truncated};
pub use crate::robots::{Ground, Robots, Rule, Verdict, is_product_token};
pub use crate::settings::{NameSettings, Settings, Timeouts};
pub use crate::standing::Standing;
pub use crate::user_agent::{UserAgent, UserAgentError};
