//! Opens connections: to no address that it has not looked at.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::Instant;
use url::Host;

use crate::connection::Connection;
use crate::error::{FetchError, Phase};
use crate::names::Names;
use crate::patience::Patience;
use crate::proxy::Proxy;
use crate::settings::Timeouts;
use crate::stream::Stream;
use crate::target::{Target, check_address};
use crate::tls::Tls;

/// How many addresses of a name are tried.
const MOST_TRIES: usize = 4;

/// Opens connections, directly or through a proxy.
pub(crate) struct Dialer {
    pub(crate) names: Names,
    pub(crate) tls: Tls,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) timeouts: Timeouts,
    pub(crate) allow_private: bool,
    pub(crate) largest_head: usize,
}

impl Dialer {
    /// A connection for requests to this target, ready for use.
    pub(crate) async fn open(
        &self,
        origin: &str,
        target: &Target<'_>,
        patience: &Patience<'_>,
    ) -> Result<Connection, FetchError> {
        let (stream, address) = if let Some(proxy) = &self.proxy {
            (self.through(proxy, target, patience).await?, None)
        } else {
            let (stream, address) = self.directly(target, patience).await?;
            (stream, Some(address))
        };
        let is_answered_by_proxy = self.proxy.as_ref().is_some_and(|it| !it.needs_tunnel(target));
        let stream = if target.secure && !is_answered_by_proxy {
            self.secure(target, patience, stream).await?
        } else {
            Stream::Plain(stream)
        };
        let opened = Connection::new(Arc::from(origin), address, self.largest_head, stream);
        let opened = patience.within(Phase::Tls, self.timeouts.tls, opened).await?;
        opened.map_err(|it| FetchError::asking(target.name, &it))
    }

    async fn directly(
        &self,
        target: &Target<'_>,
        patience: &Patience<'_>,
    ) -> Result<(TcpStream, SocketAddr), FetchError> {
        // The names have their own time, which is shared by all who ask.
        let addresses = self.allowed_addresses(target);
        let addresses = patience.within(Phase::Whole, Duration::MAX, addresses).await??;
        let port = target.port;
        let limit = self.timeouts.connect;
        patience
            .within(Phase::Connect, limit, connect(target.name, limit, port, &addresses))
            .await?
    }

    /// The address that will be tried first; none if that is the proxy's business, or there is none.
    pub(crate) async fn locate(&self, target: &Target<'_>) -> Option<IpAddr> {
        if self.proxy.is_some() {
            return None;
        }
        self.allowed_addresses(target).await.ok()?.first().copied()
    }

    async fn allowed_addresses(&self, target: &Target<'_>) -> Result<Arc<[IpAddr]>, FetchError> {
        let addresses = self.addresses(target).await?;
        if !self.allow_private {
            // A name with a private address among others is refused as a whole: nobody knows which
            // one will be there the next time.
            addresses.iter().try_for_each(|it| check_address(target.name, *it))?;
        }
        Ok(addresses)
    }

    async fn addresses(&self, target: &Target<'_>) -> Result<Arc<[IpAddr]>, FetchError> {
        match target.host {
            Host::Ipv4(it) => Ok(Arc::from([IpAddr::V4(it)])),
            Host::Ipv6(it) => Ok(Arc::from([IpAddr::V6(it)])),
            Host::Domain(name) => self
                .names
                .addresses(name)
                .await
                .map_err(|error| FetchError::Dns { host: target.name.to_owned(), error }),
        }
    }

    /// A stream to the proxy, or through it to the host where that is needed. The proxy may be anywhere;
    /// whatever keeps us from it is its fault and not the host's.
    async fn through(
        &self,
        proxy: &Proxy,
        target: &Target<'_>,
        patience: &Patience<'_>,
    ) -> Result<TcpStream, FetchError> {
        let gone = |reason: String| FetchError::Proxy { reason };
        let addresses = match &proxy.host {
            Host::Ipv4(it) => Arc::from([IpAddr::V4(*it)]),
            Host::Ipv6(it) => Arc::from([IpAddr::V6(*it)]),
            Host::Domain(name) => {
                let addresses = self.names.addresses(name).await;
                addresses.map_err(|it| gone(format!("{name} has no address: {it}")))?
            }
        };
        let limit = self.timeouts.connect;
        let connected = connect("the proxy", limit, proxy.port, &addresses);
        let connected = patience.within(Phase::Connect, limit, connected).await;
        let (mut stream, _) = connected.flatten().map_err(|it| gone(it.to_string()))?;
        if proxy.needs_tunnel(target) {
            let tunnel = proxy.tunnel(target, &mut stream);
            patience.within(Phase::Connect, limit, tunnel).await??;
        }
        Ok(stream)
    }

    async fn secure(
        &self,
        target: &Target<'_>,
        patience: &Patience<'_>,
        stream: TcpStream,
    ) -> Result<Stream, FetchError> {
        let secure = self.tls.secure(&target.host, stream);
        let secure = patience.within(Phase::Tls, self.timeouts.tls, secure).await?;
        let wrong = |reason| FetchError::Tls { host: target.name.to_owned(), reason };
        Ok(Stream::Safe(Box::new(secure.map_err(wrong)?)))
    }
}

/// A stream to the first of the addresses that takes one. Each has its share of the time that is left.
async fn connect(
    host: &str,
    limit: Duration,
    port: u16,
    addresses: &[IpAddr],
) -> Result<(TcpStream, SocketAddr), FetchError> {
    let started = Instant::now();
    let late = FetchError::Timeout { host: host.to_owned(), phase: Phase::Connect };
    let mut problem = late.clone();
    let tries = addresses.len().min(MOST_TRIES);
    for (turn, address) in addresses.iter().take(tries).enumerate() {
        let address = SocketAddr::new(*address, port);
        let left = limit.saturating_sub(started.elapsed());
        let share = left / u32::try_from(tries - turn).unwrap_or(1);
        problem = match tokio::time::timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return ready(host, address, stream),
            Ok(Err(error)) => FetchError::connecting(host, &error),
            Err(_) => late.clone(),
        };
    }
    Err(problem)
}

fn ready(
    host: &str,
    address: SocketAddr,
    stream: TcpStream,
) -> Result<(TcpStream, SocketAddr), FetchError> {
    let peer = stream.peer_addr().map_err(|it| FetchError::connecting(host, &it))?;
    // The address that was looked at is the one that we talk to; a system that has it otherwise is not trusted.
    if peer.ip() != address.ip() || peer.port() != address.port() {
        let reason = "the connection leads to another address";
        return Err(FetchError::PrivateAddress {
            host: host.to_owned(),
            address: Some(peer.ip()),
            reason,
        });
    }
    // A request is one small packet, which need not wait for company.
    stream.set_nodelay(true).map_err(|it| FetchError::connecting(host, &it))?;
    Ok((stream, peer))
}
