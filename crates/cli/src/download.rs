//! One page from the web, fetched once and with care: the address may come from anybody.

use std::io::Read;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use reqwest::blocking::{Client, Response};
use reqwest::header::{self, HeaderName};
use reqwest::{Url, redirect};

pub(crate) use fetch::is_public;

/// No page is read beyond this many bytes, from wherever it comes.
pub(crate) const MOST_BYTES: usize = 10_000_000;
const MOST_REDIRECTS: usize = 5;
const CONNECT_TIME: Duration = Duration::from_secs(10);
const WHOLE_TIME: Duration = Duration::from_secs(30);

/// What a server answered in the end.
pub(crate) struct Answer {
    /// Where it came from, after redirects.
    pub(crate) url: Url,
    pub(crate) content_type: Option<String>,
    pub(crate) content_language: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Fetches a page from a server whose addresses are all allowed, and so are those it redirects to.
pub(crate) fn download(url: &Url, allows: fn(IpAddr) -> bool) -> Result<Answer> {
    // It fails only where a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let deadline = Instant::now() + WHOLE_TIME;
    let mut at = url.clone();
    for _ in 0..=MOST_REDIRECTS {
        let response = ask(&at, allows, deadline)?;
        match response.headers().get(header::LOCATION) {
            Some(place) if response.status().is_redirection() => {
                let place = place.to_str().ok().and_then(|it| at.join(it).ok());
                let place = place.with_context(|| format!("{at} redirects to no address"))?;
                at = web_address(place.as_str()).context(format!("{at} redirects elsewhere"))?;
            }
            _ => return answer(at, response, deadline),
        }
    }
    bail!("{url} redirects more than {MOST_REDIRECTS} times: give the address it leads to")
}

/// The URL in a text, if it is one of the web.
pub(crate) fn web_address(text: &str) -> Result<Url> {
    let url = Url::parse(text).map_err(|error| {
        anyhow!("\"{text}\" is no address of a page ({error}): write it as https://example.org/")
    })?;
    let scheme = url.scheme();
    ensure!(
        matches!(scheme, "http" | "https"),
        "{url} has the scheme {scheme}, and only http and https are fetched: save the page and give the file"
    );
    ensure!(
        url.username().is_empty() && url.password().is_none(),
        "the address of {} carries a user name or a password, and these are not sent: leave them out",
        url.host_str().unwrap_or_default()
    );
    Ok(url)
}

/// Asks one server. It is looked up once: what was checked is what is connected to.
fn ask(url: &Url, allows: fn(IpAddr) -> bool, deadline: Instant) -> Result<Response> {
    let addresses = url.socket_addrs(|| None).map_err(|error| {
        anyhow!("cannot find the server of {url} ({error}): check the name and the connection")
    })?;
    if let Some(bad) = addresses.iter().find(|it| !allows(it.ip())) {
        bail!(
            "{url} is at {}, which is not on the public internet: give --allow-private if you trust it",
            bad.ip()
        );
    }
    let client = Client::builder()
        .user_agent(concat!("strabo/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .resolve_to_addrs(url.host_str().unwrap_or_default(), &addresses)
        // A proxy would look the name up again.
        .no_proxy()
        .connect_timeout(CONNECT_TIME)
        .timeout(remaining(url, deadline)?)
        .build()
        .context("cannot prepare a connection")?;
    let request = client.get(url.clone()).header(header::ACCEPT_ENCODING, "identity");
    request.send().map_err(reqwest::Error::without_url).with_context(|| format!("cannot get {url}"))
}

fn remaining(url: &Url, deadline: Instant) -> Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    ensure!(!left.is_zero(), "{url} took longer than {} s", WHOLE_TIME.as_secs());
    Ok(left)
}

fn answer(url: Url, mut response: Response, deadline: Instant) -> Result<Answer> {
    let status = response.status();
    ensure!(status.is_success(), "{url} answered {status}: open it in a browser, or give a file");
    let header = |name: HeaderName| {
        response.headers().get(name).and_then(|it| it.to_str().ok()).map(str::to_owned)
    };
    let packing = header(header::CONTENT_ENCODING).filter(|it| it != "identity");
    if let Some(packing) = packing {
        bail!(
            "{url} comes packed as {packing}, which was not asked for: save it and give the file"
        );
    }
    let mut answer = Answer {
        content_type: header(header::CONTENT_TYPE),
        content_language: header(header::CONTENT_LANGUAGE),
        last_modified: header(header::LAST_MODIFIED),
        body: Vec::new(),
        url,
    };
    let url = &answer.url;
    let mut piece = vec![0; 1 << 16];
    loop {
        remaining(url, deadline)?;
        let count = response.read(&mut piece).with_context(|| format!("cannot read {url}"))?;
        if count == 0 {
            return Ok(answer);
        }
        answer.body.extend_from_slice(&piece[..count]);
        ensure!(
            answer.body.len() <= MOST_BYTES,
            "{url} is larger than {} MB, and no page is read beyond that: save a part of it and give the file",
            MOST_BYTES / 1_000_000
        );
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// A server on loopback that answers every request so, until nobody listens any more.
    fn server(head: &str, body: impl Fn(&mut dyn Write) + Send + 'static) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let head = head.replace("SELF", &url);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 4096]);
                let _ = write!(stream, "HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
                body(&mut stream);
            }
        });
        Url::parse(&url).unwrap()
    }

    fn only_this_machine(address: IpAddr) -> bool {
        address == Ipv4Addr::LOCALHOST
    }

    #[track_caller]
    fn check_refused(head: &str, body: impl Fn(&mut dyn Write) + Send + 'static, why: &str) {
        let error = download(&server(head, body), only_this_machine).err().expect("it is refused");
        assert!(format!("{error:#}").contains(why), "{error:#}");
    }

    #[test]
    fn a_page_comes_with_the_headers_that_explain_it() {
        let url = server("200 OK\r\nContent-Type: text/plain", |out| {
            let _ = out.write_all(b"Moin");
        });
        let answer = download(&url, only_this_machine).expect("the server answers");
        assert_eq!(answer.body, b"Moin");
        assert_eq!(answer.content_type.as_deref(), Some("text/plain"));
        assert_eq!(answer.url, url);
    }

    #[test]
    fn nothing_on_the_machine_itself_is_asked() {
        let error = download(&server("200 OK", |_| ()), is_public).err().expect("it is refused");
        assert!(error.to_string().contains("is at 127.0.0.1, which is not on the public internet"));
    }

    #[test]
    fn a_redirect_leads_nowhere_that_may_not_be_asked() {
        check_refused("302 Found\r\nLocation: http://10.1.2.3/", |_| (), "is at 10.1.2.3");
        check_refused("302 Found\r\nLocation: file:///etc/passwd", |_| (), "has the scheme file");
        check_refused("302 Found\r\nLocation: SELF", |_| (), "redirects more than 5 times");
    }

    #[test]
    fn an_endless_body_ends_at_the_limit() {
        let endless = |out: &mut dyn Write| while out.write_all(&[b'x'; 4096]).is_ok() {};
        check_refused("200 OK", endless, "is larger than 10 MB");
    }

    #[test]
    fn what_is_not_there_is_no_page() {
        check_refused("404 Not Found", |_| (), "answered 404 Not Found");
    }
}
