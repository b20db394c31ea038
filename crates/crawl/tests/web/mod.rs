//! A small web on loopback that answers as a test says, and remembers who asked for what.
#![allow(dead_code, reason = "not every test needs everything")]

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crawl::Clock;
use frontier::Moment;

/// So long a test waits for something that is about to happen before it fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Some hosts, each with its own port. It is gone when it is dropped.
pub(crate) struct Web {
    shared: Arc<Shared>,
    listeners: Vec<JoinHandle<()>>,
}

struct Shared {
    addresses: Vec<SocketAddr>,
    clock: Clock,
    respond: Box<dyn Fn(&Asked) -> Reply + Send + Sync>,
    log: Mutex<Log>,
    changed: Condvar,
    sent: AtomicU64,
    is_closing: AtomicBool,
}

#[derive(Default)]
struct Log {
    requests: Vec<Request>,
    times: HashMap<(usize, String), usize>,
    busy: HashMap<usize, usize>,
    most_at_once: usize,
    connections: usize,
}

/// A request as a host remembers it.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) host: usize,
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    /// When it came, by the clock of the crawl.
    pub(crate) came: Moment,
    /// When the answer was sent.
    pub(crate) answered: Option<Moment>,
}

/// A request that is to be answered.
pub(crate) struct Asked<'a> {
    pub(crate) host: usize,
    /// With its query.
    pub(crate) path: &'a str,
    pub(crate) headers: &'a HashMap<String, String>,
    /// How often it was asked for before.
    pub(crate) before: usize,
    addresses: &'a [SocketAddr],
}

impl Asked<'_> {
    /// The address of a page of this web.
    pub(crate) fn url(&self, host: usize, path: &str) -> String {
        format!("http://{}{path}", self.addresses[host])
    }
}

/// What a host does when it is asked.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Answers.
    Answer { status: u16, headers: Vec<(String, String)>, body: Vec<u8> },
    /// Sends these bytes, whatever they are, and hangs up.
    Bytes(Vec<u8>),
    /// Answers, after some time.
    Late(Duration, Box<Reply>),
    /// Hangs up.
    HangUp,
}

impl Reply {
    /// A page of HTML.
    pub(crate) fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).with("Content-Type", "text/html; charset=utf-8")
    }

    /// Plain text.
    pub(crate) fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).with("Content-Type", "text/plain")
    }

    /// An answer with this status.
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::Answer { status, headers: Vec::new(), body: body.into() }
    }

    /// It is elsewhere.
    pub(crate) fn redirect(to: &str) -> Self {
        Self::new(302, "").with("Location", to)
    }

    /// There is no such page.
    pub(crate) fn not_found() -> Self {
        Self::new(404, "There is no such page.").with("Content-Type", "text/plain")
    }

    /// The same with a header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

impl Web {
    /// So many hosts that answer so.
    pub(crate) fn new(
        hosts: usize,
        respond: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::with_clock(hosts, &Clock::hurried(), respond)
    }

    /// So many hosts that remember when they were asked by this clock.
    pub(crate) fn with_clock(
        hosts: usize,
        clock: &Clock,
        respond: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let sockets: Vec<_> =
            (0..hosts).map(|_| TcpListener::bind("127.0.0.1:0").expect("loopback")).collect();
        let address = |it: &TcpListener| it.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            addresses: sockets.iter().map(address).collect(),
            clock: clock.clone(),
            respond: Box::new(respond),
            log: Mutex::default(),
            changed: Condvar::new(),
            sent: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
        });
        let listen = |(host, socket)| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.listen(host, &socket))
        };
        let listeners = sockets.into_iter().enumerate().map(listen).collect();
        Self { shared, listeners }
    }

    /// The clock by which it remembers.
    pub(crate) fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// The address of a page.
    pub(crate) fn url(&self, host: usize, path: &str) -> String {
        format!("http://{}{path}", self.shared.addresses[host])
    }

    /// Where a host listens.
    pub(crate) fn port(&self, host: usize) -> u16 {
        self.shared.addresses[host].port()
    }

    /// All requests so far, in the order in which they came.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.log().requests.clone()
    }

    /// The addresses that were asked for, in the order in which they were, without robots.txt.
    pub(crate) fn asked(&self) -> Vec<String> {
        let requests = self.requests();
        let pages = requests.iter().filter(|it| it.path != "/robots.txt");
        pages.map(|it| self.url(it.host, &it.path)).collect()
    }

    /// The paths that were asked for at a host, in alphabetical order, without robots.txt.
    pub(crate) fn paths(&self, host: usize) -> Vec<String> {
        let requests = self.requests();
        let pages = requests.iter().filter(|it| it.host == host && it.path != "/robots.txt");
        let mut paths: Vec<_> = pages.map(|it| it.path.clone()).collect();
        paths.sort();
        paths
    }

    /// How many requests one host had to answer at a time, at most.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.log().most_at_once
    }

    /// How many bytes of bodies were taken off its hands, about.
    pub(crate) fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// How many connections are open.
    pub(crate) fn connections(&self) -> usize {
        self.shared.log().connections
    }

    /// Comes back when so many requests came, or more.
    #[track_caller]
    pub(crate) fn wait_for_requests(&self, count: usize) {
        self.wait(|log| log.requests.len() >= count);
    }

    /// Comes back when so many requests came, or something else is so.
    #[track_caller]
    pub(crate) fn wait_for_requests_or(&self, count: usize, mut is_so: impl FnMut() -> bool) {
        self.wait(|log| log.requests.len() >= count || is_so());
    }

    /// Comes back when nobody is connected any more.
    #[track_caller]
    pub(crate) fn wait_for_silence(&self) {
        self.wait(|log| log.connections == 0);
    }

    #[track_caller]
    fn wait(&self, mut is_so: impl FnMut(&Log) -> bool) {
        let end = Instant::now() + PATIENCE;
        let mut log = self.shared.log();
        while !is_so(&log) {
            assert!(
                Instant::now() < end,
                "it did not come to that, {} requests",
                log.requests.len()
            );
            log = self
                .shared
                .changed
                .wait_timeout(log, Duration::from_millis(50))
                .expect("no panic")
                .0;
        }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::SeqCst);
        for address in &self.shared.addresses {
            // Whoever waits for a connection gets a last one.
            drop(TcpStream::connect(address));
        }
        for listener in self.listeners.drain(..) {
            let _ = listener.join();
        }
    }
}

impl Shared {
    fn log(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Log) -> T) -> T {
        let result = change(&mut self.log());
        self.changed.notify_all();
        result
    }

    fn listen(self: Arc<Self>, host: usize, socket: &TcpListener) {
        while let Ok((stream, _)) = socket.accept() {
            if self.is_closing.load(Ordering::SeqCst) {
                return;
            }
            let shared = Arc::clone(&self);
            std::thread::spawn(move || {
                shared.change(|log| log.connections += 1);
                let _ = shared.converse(host, &stream);
                let _ = stream.shutdown(Shutdown::Both);
                drop(stream);
                shared.change(|log| log.connections -= 1);
            });
        }
    }

    fn converse(&self, host: usize, stream: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        while let Some((path, headers)) = read_head(&mut reader)? {
            let came = self.clock.now();
            let (before, number) = self.change(|log| {
                let times = log.times.entry((host, path.clone())).or_default();
                let before = *times;
                *times += 1;
                let busy = log.busy.entry(host).or_default();
                *busy += 1;
                log.most_at_once = log.most_at_once.max(*busy);
                let (path, headers) = (path.clone(), headers.clone());
                log.requests.push(Request { host, path, headers, came, answered: None });
                (before, log.requests.len() - 1)
            });
            let (path, headers) = (path.as_str(), &headers);
            let asked = Asked { host, path, headers, before, addresses: &self.addresses };
            let mut reply = (self.respond)(&asked);
            if let Reply::Late(time, later) = reply {
                std::thread::sleep(time);
                reply = *later;
            }
            // The crawl may go on as soon as it has the answer.
            self.change(|log| {
                log.requests[number].answered = Some(self.clock.now());
                *log.busy.entry(host).or_default() -= 1;
            });
            if !self.send(stream, reply)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sends a reply; tells whether the connection stays open.
    fn send(&self, mut stream: &TcpStream, reply: Reply) -> io::Result<bool> {
        match reply {
            Reply::Answer { status, headers, body } => {
                let mut head = format!("HTTP/1.1 {status} Whatever\r\n");
                for (name, value) in headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                if status != 304 {
                    head.push_str(&format!("Content-Length: {}\r\n", body.len()));
                }
                head.push_str("\r\n");
                let first = body.len().min(1024);
                stream.write_all(&[head.as_bytes(), &body[..first]].concat())?;
                for piece in body[first..].chunks(64 << 10) {
                    stream.write_all(piece)?;
                    self.sent.fetch_add(piece.len() as u64, Ordering::Relaxed);
                }
                self.sent.fetch_add(first as u64, Ordering::Relaxed);
                Ok(true)
            }
            Reply::Bytes(bytes) => stream.write_all(&bytes).map(|()| false),
            Reply::HangUp | Reply::Late(..) => Ok(false),
        }
    }
}

/// The path and the headers of a request; nothing if the other side hung up.
fn read_head(reader: &mut impl BufRead) -> io::Result<Option<(String, HashMap<String, String>)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let target = line.split(' ').nth(1).unwrap_or_default();
    // A proxy is given the whole address.
    let path = match target.strip_prefix("http://") {
        Some(rest) => rest.find('/').map_or("/", |at| &rest[at..]).to_owned(),
        None => target.to_owned(),
    };
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
            None => return Ok(Some((path, headers))),
        }
    }
}

/// A page about something of its own, with these links. Equal names make equal pages.
pub(crate) fn page(name: &str, links: &[String]) -> String {
    let anchors: Vec<_> =
        links.iter().map(|it| format!("<li><a href=\"{it}\">{it}</a></li>")).collect();
    format!(
        "<!doctype html><html lang=en><head><title>{name}</title></head><body><main>{}\
         <ul>{}</ul></main></body></html>",
        prose(name),
        anchors.concat()
    )
}

/// Three paragraphs of words of its own for each name, so that no page looks like another.
pub(crate) fn prose(name: &str) -> String {
    let mut state = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut word = || {
        let syllables =
            ["ka", "lo", "mi", "ne", "ru", "sta", "ver", "hol", "ding", "mar", "tu", "be"];
        (0..3)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                syllables[(state >> 33) as usize % syllables.len()]
            })
            .collect::<String>()
    };
    let mut paragraph = || (0..25).map(|_| word()).collect::<Vec<_>>().join(" ");
    (0..3).flat_map(|_| ["<p>".to_owned(), paragraph(), ".</p>".to_owned()]).collect()
}
