//! Link in, response out: politely and safely.
//!
//! Takes a link as a [`Request`]; gives what its host answers as a [`Response`], bounded in time and
//! size, or a [`FetchError`] that tells whose fault it was. Addresses that are not of the public web
//! are refused at the moment of connecting, unless the [`Settings`] allow them. It also reads what
//! hosts tell crawlers: robots.txt, as a [`Standing`], and [`sitemap`]s. Whether a host may be asked
//! now, it does not know; behind it nobody knows HTTP. Next on the way: the `archive` crate keeps
//! the answer, and the `page` crate reads it.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpListener;
//!
//! use fetch::{Client, FetchError, Request, Settings, UserAgent};
//! use url::Url;
//!
//! // A host on this machine that answers once.
//! let host = TcpListener::bind("127.0.0.1:0")?;
//! let url = Url::parse(&format!("http://{}/harbour", host.local_addr()?))?;
//! std::thread::spawn(move || -> std::io::Result<()> {
//!     let (mut stream, _) = host.accept()?;
//!     stream.read(&mut [0; 4096])?;
//!     stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nShips leave here")
//! });
//!
//! let runtime = tokio::runtime::Runtime::new()?;
//! let mut settings = Settings::new(UserAgent::new("strabo/0.1", "me@example.org")?);
//! let careful = Client::new(settings.clone())?;
//! let refused = runtime.block_on(careful.get(Request::new(&url)));
//! assert!(matches!(refused, Err(FetchError::PrivateAddress { .. })));
//!
//! settings.allow_private = true;
//! let client = Client::new(settings)?;
//! let response = runtime.block_on(client.get(Request::new(&url)))?;
//! assert_eq!(response.status, 200);
//! assert_eq!(response.decoded(1_000).bytes, "Ships leave here");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use crate::proxy::check_proxy;
pub use crate::request::{Head, Request};
pub use crate::resolver::{Lookup, NameError, Resolve, SystemResolver};
pub use crate::response::{Decoded, Protocol, Response, Timing, Truncated};
pub use crate::robots::{Ground, Robots, Rule, Verdict, is_product_token};
pub use crate::settings::{LARGEST_BODY, NameSettings, Settings, Timeouts};
pub use crate::standing::Standing;
pub use crate::target::{check_public, looks_like_loopback, looks_private};
pub use crate::user_agent::{UserAgent, UserAgentError};
