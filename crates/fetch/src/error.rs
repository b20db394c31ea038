//! Why a link gave no response.

use std::fmt;
use std::io;
use std::net::IpAddr;

use crate::resolver::NameError;

/// Why a link gave no response. [`FetchError::class`] sorts it for counting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// It is not for a web client.
    #[error("{scheme}: links are not fetched, only http: and https:")]
    Scheme {
        /// What stands before the colon.
        scheme: String,
    },
    /// No request can be written for it.
    #[error("{url} cannot be asked for: {reason}")]
    Url {
        /// The link.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The host, or one of its addresses, is in somebody's own network.
    #[error("{host} is not on the public internet ({reason}){}", At(*.address))]
    PrivateAddress {
        /// As the link names it.
        host: String,
        /// The address that is not public, where one was looked at.
        address: Option<IpAddr>,
        /// What that address or name is for.
        reason: &'static str,
    },
    /// The port belongs to another service than the web.
    #[error("port {port} of {host} is not one of the web")]
    Port {
        /// As the link names it.
        host: String,
        /// The port.
        port: u16,
    },
    /// The host's name leads to no address.
    #[error("{host} has no address: {error}")]
    Dns {
        /// As the link names it.
        host: String,
        /// Whether there is no such name, or nobody answered.
        error: NameError,
    },
    /// The host does not take connections at this port.
    #[error("{host} refuses the connection")]
    Refused {
        /// As the link names it.
        host: String,
    },
    /// There is no way to the host, or the connection failed in another manner.
    #[error("{host} cannot be reached: {reason}")]
    Unreachable {
        /// As the link names it.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// This machine has no room for another connection; the host is not to blame.
    #[error(
        "no more connections can be opened: {reason}; allow more open files or crawl with fewer connections"
    )]
    Local {
        /// What the system said.
        reason: String,
    },
    /// The host could not prove who it is, or does not speak TLS as we do.
    #[error("no safe connection to {host}: {reason}")]
    Tls {
        /// As the link names it.
        host: String,
        /// What is wrong.
        reason: String,
    },
    /// Something took longer than allowed.
    #[error("{host} took too long: {phase}")]
    Timeout {
        /// As the link names it.
        host: String,
        /// What took so long.
        phase: Phase,
    },
    /// The proxy is gone or does not let us through; the host is not to blame.
    #[error("the proxy does not work: {reason}")]
    Proxy {
        /// What is wrong with it.
        reason: String,
    },
    /// The proxy works, but did not get through to the host.
    #[error("the proxy has no way to {host}: it says {status}")]
    Tunnel {
        /// As the link names it.
        host: String,
        /// What the proxy answered.
        status: u16,
    },
    /// The connection ended before an answer.
    #[error("{host} closed the connection without an answer")]
    Closed {
        /// As the link names it.
        host: String,
        /// Whether the connection had been kept from an earlier answer: then the host may have hung up
        /// before it was asked.
        was_kept: bool,
    },
    /// The head of the answer is longer than allowed or has too many lines.
    #[error("the head of the answer of {host} is too large")]
    Head {
        /// As the link names it.
        host: String,
    },
    /// What came is not HTTP.
    #[error("the answer of {host} is not HTTP: {reason}")]
    Malformed {
        /// As the link names it.
        host: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl FetchError {
    /// One of a few fixed words, to count by.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Scheme { .. } => "scheme",
            Self::Url { .. } => "url",
            Self::PrivateAddress { .. } => "private-address",
            Self::Port { .. } => "port",
            Self::Dns { error: NameError::NoSuchName, .. } => "dns",
            Self::Dns { error: NameError::NoAnswer, .. } => "dns-no-answer",
            Self::Refused { .. } => "refused",
            Self::Unreachable { .. } => "unreachable",
            Self::Local { .. } => "local",
            Self::Tls { .. } => "tls",
            Self::Timeout { phase: Phase::Connect, .. } => "timeout-connect",
            Self::Timeout { phase: Phase::Tls, .. } => "timeout-tls",
            Self::Timeout { phase: Phase::FirstByte, .. } => "timeout-first-byte",
            Self::Timeout { phase: Phase::Whole, .. } => "timeout-whole",
            Self::Proxy { .. } => "proxy",
            Self::Tunnel { .. } => "tunnel",
            Self::Closed { .. } => "closed",
            Self::Head { .. } => "head",
            Self::Malformed { .. } => "malformed",
        }
    }

    /// Whether the fault is on our side of the line: the host should not be blamed, and the crawl had better wait.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Proxy { .. } | Self::Local { .. })
    }

    /// Whether nothing was heard of the host: it is silent, or we are cut off.
    pub fn is_silence(&self) -> bool {
        matches!(
            self,
            Self::Dns { .. }
                | Self::Refused { .. }
                | Self::Unreachable { .. }
                | Self::Timeout { .. }
        )
    }

    /// What a failed connection means.
    pub(crate) fn connecting(host: &str, error: &io::Error) -> Self {
        let host = host.to_owned();
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused { host },
            io::ErrorKind::TimedOut => Self::Timeout { host, phase: Phase::Connect },
            // All ports of our side are taken.
            io::ErrorKind::AddrNotAvailable => Self::Local { reason: error.to_string() },
            _ if matches!(error.raw_os_error(), Some(EMFILE | ENFILE)) => {
                Self::Local { reason: error.to_string() }
            }
            _ => Self::Unreachable { host, reason: error.to_string() },
        }
    }

    /// What hyper's error means when it comes instead of an answer.
    pub(crate) fn asking(host: &str, error: &hyper::Error) -> Self {
        let host = host.to_owned();
        // Hyper tells too large heads from others in its text alone.
        let text = error.to_string();
        if text.contains("too large") {
            Self::Head { host }
        } else if error.is_parse() {
            Self::Malformed { host, reason: text }
        } else if is_malformed_h2(error) {
            Self::Malformed { host, reason: "an error of HTTP/2".to_owned() }
        } else {
            Self::Closed { host, was_kept: false }
        }
    }
}

/// "Too many open files", for this process and for the whole machine, the same number on all Unix systems.
const EMFILE: i32 = 24;
const ENFILE: i32 = 23;

/// Hyper keeps errors of HTTP/2 within. Those of the connection beneath, a farewell and a request that
/// was not looked at are no fault of the host's speech.
fn is_malformed_h2(error: &hyper::Error) -> bool {
    let text = format!("{error:?}");
    let harmless = ["Io(", "GoAway", "REFUSED_STREAM"];
    text.contains("Http2") && !harmless.iter().any(|it| text.contains(it))
}

/// What may take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Until the connection stands.
    Connect,
    /// Until it is safe.
    Tls,
    /// From the question to the end of the answer's head.
    FirstByte,
    /// All together.
    Whole,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "no connection",
            Self::Tls => "no safe connection",
            Self::FirstByte => "no answer",
            Self::Whole => "no answer within the time for the whole",
        })
    }
}

struct At(Option<IpAddr>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |it| write!(f, " at {it}"))
    }
}
