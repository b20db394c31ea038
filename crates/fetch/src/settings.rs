//! What a client may do, and for how long.

use std::time::Duration;

use url::Url;

use crate::user_agent::UserAgent;

/// How many bytes of a body are usually read. Common Crawl cuts there, too; longer pages are lists and logs, of
/// which the beginning suffices.
pub const LARGEST_BODY: usize = 5 << 20;

/// What a client may do. [`Settings::new`] gives the usual ones.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the crawler presents itself.
    pub user_agent: UserAgent,
    /// How long each step may take.
    pub timeouts: Timeouts,
    /// How many bytes of a body are read, as they are transferred.
    pub largest_body: usize,
    /// How many bytes the head of an answer may have.
    pub largest_head: usize,
    /// How many connections are kept open for the next request, over all hosts.
    pub most_idle: usize,
    /// How long a connection is kept open for the next request.
    pub idle_time: Duration,
    /// Whether addresses and ports that are not of the public web may be asked.
    pub allow_private: bool,
    /// Where all requests go through: `http://host:port`, perhaps with `user:password@`.
    pub proxy: Option<Url>,
    /// Certificates, in PEM format, that are trusted besides those of the system.
    pub extra_roots: Vec<u8>,
    /// How long addresses of names are remembered.
    pub names: NameSettings,
}

impl Settings {
    /// The usual settings: public addresses only, no proxy.
    pub fn new(user_agent: UserAgent) -> Self {
        Self {
            user_agent,
            timeouts: Timeouts::default(),
            largest_body: LARGEST_BODY,
            // Browsers allow between 64 and 256 kilobytes.
            largest_head: 64 * 1024,
            // Each takes some twenty kilobytes here and one open file; many systems allow 1,024 of these.
            most_idle: 256,
            // Most servers close idle connections after 5 to 75 seconds. A host is asked again within
            // seconds or, for a long time, not at all.
            idle_time: Duration::from_secs(30),
            allow_private: false,
            proxy: None,
            extra_roots: Vec::new(),
            names: NameSettings::default(),
        }
    }
}

/// How long each step may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// To find the addresses of a name.
    pub resolve: Duration,
    /// Until the connection stands, over all addresses of a name.
    pub connect: Duration,
    /// Until it is safe.
    pub tls: Duration,
    /// From the question to the end of the answer's head.
    pub first_byte: Duration,
    /// From one piece of the body to the next.
    pub between_bytes: Duration,
    /// For everything together.
    pub whole: Duration,
}

impl Default for Timeouts {
    /// Enough for a slow host on the other side of the world. A lost first packet costs one second, two
    /// cost three, hence ten for connections; the system's resolver asks again after five.
    fn default() -> Self {
        Self {
            resolve: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            between_bytes: Duration::from_secs(10),
            whole: Duration::from_mins(1),
        }
    }
}

/// How long addresses of names are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSettings {
    /// How long, since the system's resolver does not tell how long it may be.
    pub time_to_live: Duration,
    /// How long it is remembered that a name has no address.
    pub negative_time_to_live: Duration,
    /// How many names are remembered.
    pub most: usize,
    /// How many names are looked up at the same time; each takes a thread.
    pub most_lookups: usize,
}

impl Default for NameSettings {
    /// Five minutes are a common time to live of addresses; failures may pass sooner.
    fn default() -> Self {
        Self {
            time_to_live: Duration::from_mins(5),
            negative_time_to_live: Duration::from_secs(30),
            most: 100_000,
            most_lookups: 64,
        }
    }
}
