//! Asks hosts, one link at a time.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use tokio::time::Instant;
use url::Url;

use crate::body::Body;
use crate::connection::{Connection, MOST_HEADERS};
use crate::dialer::Dialer;
use crate::error::{FetchError, Phase};
use crate::names::Names;
use crate::patience::Patience;
use crate::pool::Pool;
use crate::proxy::Proxy;
use crate::request::{Head, Question, Request};
use crate::resolver::{Resolve, SystemResolver};
use crate::response::{Protocol, Response, Timing, head_bytes};
use crate::settings::Settings;
use crate::target::Target;
use crate::tls::Tls;

/// The least that hyper can be told to allow for a head.
const LEAST_HEAD: usize = 8 * 1024;
/// All plain requests through a proxy may use the same connections.
const PROXY: &str = "proxy";

/// Asks hosts, one link at a time, and keeps connections open for the next.
///
/// It is cheap to clone; clones share their connections. It belongs to the runtime where it is first used.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    user_agent: HeaderValue,
    dialer: Dialer,
    pool: Arc<Pool>,
    settings: Settings,
}

/// Why there is no client with these settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The proxy is not one.
    #[error("{0} is not a proxy: write http://host:port, or replay://host:port for an archive")]
    Proxy(String),
    /// The certificates cannot be read.
    #[error("the extra roots cannot be read: {0}; they should be certificates in PEM format")]
    Roots(String),
}

impl Client {
    /// A client that asks the system for the addresses of names.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let resolver = Arc::new(SystemResolver::new(settings.names.most_lookups));
        Self::with_resolver(settings, resolver)
    }

    /// A client that asks somebody else for the addresses of names.
    pub fn with_resolver(
        settings: Settings,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SettingsError> {
        let dialer = Dialer {
            names: Names::new(resolver, settings.names, settings.timeouts.resolve),
            tls: Tls::new(&settings.extra_roots)?,
            proxy: settings.proxy.as_ref().map(Proxy::new).transpose()?,
            timeouts: settings.timeouts,
            allow_private: settings.allow_private,
            largest_head: settings.largest_head.max(LEAST_HEAD),
        };
        let shared = Shared {
            user_agent: settings.user_agent.header(),
            dialer,
            pool: Pool::new(settings.most_idle, settings.idle_time),
            settings,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// What the host answers to one request. Redirections are answers like others: the caller decides
    /// whether to follow, so that every link goes through the same checks.
    pub async fn get(&self, request: Request<'_>) -> Result<Response, FetchError> {
        let started = Instant::now();
        let shared = &*self.shared;
        let target = Target::of(request.url, shared.settings.allow_private)?;
        let question = Question::new(&shared.user_agent, &target, &request)?;
        let patience = Patience::new(target.name, started, shared.settings.timeouts.whole);
        let asking =
            Asking { shared, request: &request, target: &target, question, patience, started };
        if let Some(connection) = shared.pool.take(asking.origin()).await {
            match asking.ask(connection, None).await {
                // The host hung up just before we asked, most probably.
                Err(FetchError::Closed { .. }) if request.asks_twice => {}
                Err(FetchError::Closed { host, .. }) => {
                    return Err(FetchError::Closed { host, was_kept: true });
                }
                other => return other,
            }
        }
        asking.ask_anew().await
    }

    /// Where the host of a link will be asked, as far as that can be found out without asking it: not
    /// behind a proxy, which looks it up by itself, and not where the host may not be asked.
    pub async fn locate(&self, url: &Url) -> Option<IpAddr> {
        let shared = &*self.shared;
        let target = Target::of(url, shared.settings.allow_private).ok()?;
        shared.dialer.locate(&target).await
    }

    /// Closes all connections that no request is using.
    pub fn close_idle(&self) {
        self.shared.pool.clear();
    }

    /// How many connections no request is using.
    pub fn idle(&self) -> usize {
        self.shared.pool.len()
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("idle", &self.idle()).finish_non_exhaustive()
    }
}

/// One link being asked for.
struct Asking<'a> {
    shared: &'a Shared,
    request: &'a Request<'a>,
    target: &'a Target<'a>,
    question: Question<'a>,
    patience: Patience<'a>,
    started: Instant,
}

impl Asking<'_> {
    /// Which connections will do.
    fn origin(&self) -> &str {
        if self.asked_proxy().is_some() { PROXY } else { self.target.origin }
    }

    /// The proxy, if it is the one that is asked.
    fn asked_proxy(&self) -> Option<&Proxy> {
        self.shared.dialer.proxy.as_ref().filter(|it| !it.needs_tunnel(self.target))
    }

    async fn ask_anew(&self) -> Result<Response, FetchError> {
        let dialer = &self.shared.dialer;
        // Opening is rare and needs much room.
        let connection = Box::pin(dialer.open(self.origin(), self.target, &self.patience)).await?;
        self.ask(connection, Some(self.started.elapsed())).await
    }

    async fn ask(
        &self,
        mut connection: Connection,
        connect: Option<Duration>,
    ) -> Result<Response, FetchError> {
        let timeouts = &self.shared.settings.timeouts;
        let request = self.words(&connection)?;
        let answer = connection.ask(request);
        let answer = self.patience.within(Phase::FirstByte, timeouts.first_byte, answer).await?;
        let answer = answer.map_err(|it| FetchError::asking(self.target.name, &it))?;
        let first_byte = self.started.elapsed();
        let (parts, incoming) = answer.into_parts();
        self.check(&parts)?;

        let status = parts.status.as_u16();
        let unwanted = !(self.request.wanted)(Head { status, headers: &parts.headers });
        let largest = self.request.largest_body.unwrap_or(self.shared.settings.largest_body);
        let between = timeouts.between_bytes;
        let body = if unwanted {
            Body::unread(&incoming)
        } else {
            Body::read(largest, between, &self.patience, &mut connection, incoming).await
        };
        let address = connection.address;
        if body.whole {
            self.shared.pool.keep(connection).await;
        }
        let timing = Timing { connect, first_byte, whole: self.started.elapsed() };
        Ok(Response {
            status,
            protocol: Protocol::of(parts.version),
            address,
            request_head: self.question.bytes(),
            head: head_bytes(&parts),
            headers: parts.headers,
            body: body.bytes,
            truncated: body.truncated,
            unwanted,
            timing,
        })
    }

    /// The question as this connection needs it.
    fn words(
        &self,
        connection: &Connection,
    ) -> Result<http::Request<http_body_util::Empty<bytes::Bytes>>, FetchError> {
        match self.asked_proxy() {
            Some(proxy) => self.question.for_proxy(proxy.authorization.as_ref()),
            _ if connection.is_h2() => self.question.absolute(),
            _ => Ok(self.question.plain()),
        }
    }

    fn check(&self, parts: &http::response::Parts) -> Result<(), FetchError> {
        if parts.headers.len() > MOST_HEADERS {
            return Err(FetchError::Head { host: self.target.name.to_owned() });
        }
        if self.asked_proxy().is_some()
            && parts.status == http::StatusCode::PROXY_AUTHENTICATION_REQUIRED
        {
            let reason = "it asks for another user or password".to_owned();
            return Err(FetchError::Proxy { reason });
        }
        Ok(())
    }
}
