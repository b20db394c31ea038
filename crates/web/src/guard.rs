//! The guard: headers that keep browsers from doing harm, and a limit on how much one address may ask.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::api::Failure;
use crate::app::App;
use crate::frame::Frame;
use crate::inquiry::Refusal;
use crate::message_page::message;
use crate::server::TileServer;

/// Nothing but our own files; no script or style within a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'";

/// What OWASP's list of secure headers asks for, as far as it makes sense without knowing whether there is TLS in front.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "geolocation=(self), accelerometer=(), camera=(), display-capture=(), gyroscope=(), magnetometer=(), \
         microphone=(), midi=(), payment=(), usb=()",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("x-permitted-cross-domain-policies"), "none"),
    (HeaderName::from_static("x-dns-prefetch-control"), "off"),
];

/// Where the routes for programs and scripts begin, beside those that end as a file does.
const FOR_PROGRAMS: [&str; 12] = [
    "api",
    "complete",
    "healthz",
    "metrics",
    "nominatim",
    "ogc",
    "opensearch",
    "readyz",
    "reverse",
    "static",
    "streets",
    "tiles",
];

/// So many seconds' worth of requests may come at once: a page with its tiles is some twenty.
const BURST: u32 = 10;

/// After so many requests the addresses are forgotten that have not asked for a while, or they would fill the memory.
const FORGET_AFTER: u32 = 1_024;

/// Counts what each address asks.
pub(crate) struct Limiter {
    of_address: DefaultKeyedRateLimiter<IpAddr>,
    asked: AtomicU32,
}

/// A limiter for so many requests a second and address; nothing for none.
pub(crate) fn limiter(per_second: u32) -> Option<Arc<Limiter>> {
    let rate = NonZeroU32::new(per_second)?;
    let burst = NonZeroU32::new(per_second.saturating_mul(BURST))?;
    let of_address = RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst));
    Some(Arc::new(Limiter { of_address, asked: AtomicU32::new(0) }))
}

impl Limiter {
    /// How many seconds somebody has to wait who asks now; nothing if he need not.
    fn wait(&self, who: IpAddr) -> Option<u64> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET_AFTER == FORGET_AFTER - 1 {
            self.of_address.retain_recent();
            self.of_address.shrink_to_fit();
        }
        let early = self.of_address.check_key(&household(who)).err()?;
        Some(early.wait_time_from(self.of_address.clock().now()).as_secs() + 1)
    }
}

/// The address that stands for all of one connection: who has an address of the sixth version has 2⁶⁴ of them, which begin
/// with the same 64 bits.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(it) => Ipv6Addr::from_bits(it.to_bits() >> 64 << 64).into(),
        it @ IpAddr::V4(_) => it,
    }
}

/// Puts the headers on every response that does not have its own.
pub(crate) async fn headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    let embedding = HeaderName::from_static("cross-origin-embedder-policy");
    let origin = app.settings.tile_server.as_ref().and_then(TileServer::origin);
    let policy = match origin {
        None => {
            headers.entry(embedding).or_insert(HeaderValue::from_static("require-corp"));
            HeaderValue::from_static(POLICY)
        }
        // Pictures of a tile server seldom say that others may embed them.
        Some(origin) => {
            let text = POLICY.replace("data:;", &format!("data: {origin};"));
            HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(POLICY))
        }
    };
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    response
}

/// Turns away who asks too much.
pub(crate) async fn limit(
    State((app, limiter)): State<(App, Arc<Limiter>)>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let who = asker(peer.ip(), request.headers(), app.settings.behind_proxy);
    let Some(who) = who else { return next.run(request).await };
    let Some(wait) = limiter.wait(who) else { return next.run(request).await };
    let refusal = if is_for_programs(request.uri().path()) {
        let fact = "too many requests from this address: wait a few seconds".to_owned();
        Failure(Refusal { status: StatusCode::TOO_MANY_REQUESTS, fact }).into_response()
    } else {
        let frame = Frame::of(request.headers(), request.uri());
        message(&frame, StatusCode::TOO_MANY_REQUESTS, "")
    };
    ([(header::RETRY_AFTER, wait.to_string())], refusal).into_response()
}

/// True for what programs and scripts ask for; whoever is refused there is told so in JSON and not by a page.
pub(crate) fn is_for_programs(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_file = first.contains('.');
    is_file || FOR_PROGRAMS.contains(&first)
}

/// Who asks; nothing for somebody on this machine.
///
/// Behind a proxy the last address of `X-Forwarded-For` is the one that the proxy itself has seen.
pub(crate) fn asker(peer: IpAddr, headers: &HeaderMap, behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    if behind_proxy {
        return Some(forwarded().unwrap_or(peer));
    }
    (!peer.is_loopback()).then_some(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        peer: &str,
        forwarded: Option<&'static str>,
        behind_proxy: bool,
        expected: Option<&str>,
    ) {
        let mut headers = HeaderMap::new();
        if let Some(forwarded) = forwarded {
            headers.insert("x-forwarded-for", HeaderValue::from_static(forwarded));
        }
        let found = asker(peer.parse().expect("an address"), &headers, behind_proxy);
        assert_eq!(found, expected.map(|it| it.parse().expect("an address")));
    }

    #[test]
    fn a_forwarded_address_counts_behind_a_proxy_alone() {
        check("192.0.2.1", Some("198.51.100.7"), false, Some("192.0.2.1"));
        check("127.0.0.1", Some("203.0.113.9, 198.51.100.7"), true, Some("198.51.100.7"));
        check("127.0.0.1", Some("nonsense"), true, Some("127.0.0.1"));
        check("127.0.0.1", None, false, None);
    }

    #[test]
    fn programs_are_told_apart_from_people_by_what_they_ask_for() {
        for path in ["/api", "/api/v1/search", "/reverse", "/nominatim/search", "/ogc/collections"]
        {
            assert!(is_for_programs(path), "{path}");
        }
        for path in ["/search.geojson", "/statistics.csv", "/map.svg", "/complete", "/tiles/0/0/0"]
        {
            assert!(is_for_programs(path), "{path}");
        }
        for path in ["/", "/search", "/place/gn:1/a.b", "/page/x.json", "/crawls", "/apiary"] {
            assert!(!is_for_programs(path), "{path}");
        }
    }

    #[test]
    fn who_asks_too_much_is_turned_away_and_others_are_not() {
        let limiter = limiter(1).expect("a limit");
        let (one, other) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        let taken = (0..20).filter(|_| limiter.wait(one).is_none()).count();
        assert_eq!(taken, BURST as usize);
        assert!(limiter.wait(other).is_none());
    }

    #[test]
    fn addresses_of_one_connection_are_counted_together() {
        let of = |text: &str| household(text.parse().expect("an address")).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:3::1"), "2001:db8:1:3::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
    }

    #[test]
    fn who_has_not_asked_for_a_while_is_forgotten() {
        // At this rate a while is a microsecond.
        let limiter = limiter(1_000_000).expect("a limit");
        for number in 0..10 * FORGET_AFTER {
            assert_eq!(limiter.wait(IpAddr::from(number.to_be_bytes())), None);
        }
        let known = limiter.of_address.len();
        assert!(known <= 2 * FORGET_AFTER as usize, "{known} addresses are remembered");
    }
}
