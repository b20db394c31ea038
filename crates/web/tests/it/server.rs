//! A server for a test, and what it says.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use index::{Library, Order};
use serde_json::Value;
use tokio::sync::oneshot;
use web::{Operators, Settings, Shelf, Token};

/// What operators sign in with.
pub(crate) const TOKEN: &str = "correct-horse-battery";
/// So long a test waits for something that is about to happen before it fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Indexes these lines in a folder of data.
pub(crate) fn index(data: &Path, lines: &str) {
    let file = data.join("pages.jsonl");
    std::fs::write(&file, lines).unwrap();
    let order = Order { sources: vec![file], ..Order::default() };
    library(data).index(world::gazetteer(), &order, &mut |_| {}).unwrap();
}

fn library(data: &Path) -> Library {
    Library::at(data.join("index"))
}

/// Operators of a folder of data, who sign in with [`TOKEN`] and keep to the public internet.
pub(crate) fn operators(data: &Path) -> Operators {
    let token = Token::new(TOKEN).unwrap();
    Operators { token, data: data.to_owned(), allow_private: false, most_requests: 64 }
}

/// Comes back when it is so.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it did not come to this: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server that ends when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves a folder of data.
    pub(crate) fn begin(data: &Path, settings: Settings) -> Self {
        let shelf = Shelf::open(library(data), world::gazetteer()).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stopped = async { drop(stopped.await) };
                web::serve(listener, shelf, &settings, stopped).await.unwrap();
            });
        });
        Self { address: told.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
    }

    /// A server over these lines, which runs as long as the tests do.
    pub(crate) fn for_ever(lines: &str, settings: Settings) -> SocketAddr {
        let data = tempfile::tempdir().unwrap();
        index(data.path(), lines);
        let settings = Settings { feedback: Some(data.path().join("feedback.jsonl")), ..settings };
        let server = Self::begin(data.path(), settings);
        let address = server.address;
        std::mem::forget((server, data));
        address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server ends well");
        }
    }
}

/// What a server said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
    /// How many bytes the body had on its way.
    pub(crate) sent: usize,
}

impl Said {
    /// What comes before the connection is closed.
    #[track_caller]
    pub(crate) fn read(stream: &mut impl Read) -> Self {
        let mut answer = Vec::new();
        // A server that refuses a body may close before all of it was sent.
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let body = unchunked(&head, &answer[end..]);
        let sent = body.len();
        let body = if head.contains("content-encoding: gzip") {
            let mut text = Vec::new();
            GzDecoder::new(body.as_slice()).read_to_end(&mut text).unwrap();
            text
        } else {
            body
        };
        Self { status, head, body: String::from_utf8_lossy(&body).into_owned(), sent }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|it| it.split_once(':'));
        lines.find_map(|(it, value)| it.eq_ignore_ascii_case(name).then_some(value.trim()))
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        assert!(self.body.contains(text), "{text} is not in {}: {}", self.status, self.body);
    }
}

fn unchunked(head: &str, body: &[u8]) -> Vec<u8> {
    if !head.contains("transfer-encoding: chunked") {
        return body.to_vec();
    }
    let (mut whole, mut rest) = (Vec::new(), body);
    while let Some(end) = rest.windows(2).position(|it| it == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    whole
}

/// Sends a head and a body, whatever they are; what is answered is still to be read.
#[track_caller]
fn send(address: SocketAddr, head: &str, body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(body);
    stream
}

/// Sends a head and a body, whatever they are, and hears the answer.
#[track_caller]
pub(crate) fn exchange(address: SocketAddr, head: &str, body: &[u8]) -> Said {
    Said::read(&mut send(address, head, body))
}

/// Sends a request with these lines in the head; what is answered is still to be read.
#[track_caller]
pub(crate) fn open(
    address: SocketAddr,
    method: &str,
    target: &str,
    headers: &str,
    body: &[u8],
) -> TcpStream {
    let length = body.len();
    let head = format!(
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
    );
    send(address, &head, body)
}

/// Asks for something with these lines in the head.
#[track_caller]
pub(crate) fn get(address: SocketAddr, target: &str, headers: &str) -> Said {
    let head =
        format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
    exchange(address, &head, b"")
}
