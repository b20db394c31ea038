//! How another process asks a crawl that runs, and tells it what to do.
//!
//! Beside the frontier lies a socket that its owner alone may use. A request is one line of JSON,
//! and so is the reply.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::crawl::Crawl;
use crate::error::Error;
use crate::insight::{Explanation, HostReport, QueuedLink};
use crate::pulse::Pulse;
use crate::status::Status;
use crate::wish::Wish;

/// The name of the socket in the folder of a task.
const SOCKET: &str = "control.sock";
/// A longer request is none: the longest URL is a tenth of it.
const LONGEST_REQUEST: u64 = 64 << 10;
/// A longer reply is not waited for: ten thousand hosts are a few megabytes.
const LONGEST_REPLY: u64 = 256 << 20;
/// Who says nothing for so long is not listened to any more.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a reply may take: a list of a million hosts takes some seconds.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// So many are listened to at once.
const MOST_AT_ONCE: usize = 16;
/// What the system takes as the path of a socket, less a little.
const LONGEST_PATH: usize = 100;

/// What a crawl can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// How it is doing.
    Status,
    /// The best links that wait for their turn.
    Frontier {
        /// How many.
        top: usize,
    },
    /// The hosts with most visits.
    Hosts {
        /// How many.
        limit: usize,
    },
    /// All about one link.
    Explain {
        /// Which.
        url: String,
    },
    /// To go on, to pause or to end.
    Wish {
        /// What it is to do.
        wish: Wish,
    },
    /// To fetch so many pages at a time.
    Threads {
        /// How many.
        threads: usize,
    },
}

/// What a crawl replies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// How it is doing.
    Status(Box<Status>),
    /// The best links that wait for their turn.
    Frontier(Vec<QueuedLink>),
    /// The hosts with most visits.
    Hosts(Vec<HostReport>),
    /// All about one link.
    Explanation(Box<Explanation>),
    /// It was told so.
    Done,
    /// It could not be done, for this reason.
    Failed(String),
}

/// Listens for requests until it is dropped.
pub struct Control {
    path: PathBuf,
    listening: JoinHandle<()>,
    beating: JoinHandle<()>,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.listening.abort();
        self.beating.abort();
        // If it is gone already, all the better.
        let _ = fs::remove_file(&self.path);
    }
}

/// Lets other processes ask a crawl and tell it what to do, as long as the result is kept.
pub fn serve(crawl: &Crawl) -> Result<Control, Error> {
    let path = crawl.folder().join(SOCKET);
    let listener = listen(crawl.folder()).map_err(Error::file(&path))?;
    let pulse = Arc::new(Mutex::new(Pulse::over(Duration::from_mins(1))));
    let beating = tokio::spawn(beat(crawl.clone(), Arc::clone(&pulse)));
    let listening = tokio::spawn(hear_all(listener, crawl.clone(), pulse));
    Ok(Control { path, listening, beating })
}

/// Asks the crawl whose folder this is; nothing if none runs there.
pub fn ask(folder: &Path, request: &Request) -> Result<Option<Reply>, Error> {
    let path = folder.join(SOCKET);
    match connect(folder).and_then(|it| exchange(it, request)) {
        Ok(reply) => Ok(Some(reply)),
        Err(error) if is_gone(error.kind()) => Ok(None),
        Err(error) => Err(Error::file(&path)(error)),
    }
}

/// Whether nobody listens, or he who did has just ended.
fn is_gone(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotFound, UnexpectedEof};
    matches!(kind, NotFound | ConnectionRefused | ConnectionReset | BrokenPipe | UnexpectedEof)
}

fn exchange(mut stream: UnixStream, request: &Request) -> io::Result<Reply> {
    stream.set_read_timeout(Some(LONGEST_WAIT))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    let mut reply = String::new();
    BufReader::new(stream.take(LONGEST_REPLY)).read_line(&mut reply)?;
    if reply.is_empty() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the crawl has just ended"));
    }
    Ok(serde_json::from_str(&reply)?)
}

/// A socket in the folder that its owner alone may use, in the place of one that was left behind.
fn listen(folder: &Path) -> io::Result<UnixListener> {
    // Nobody else can reach into the folder aside until the socket has its permissions.
    let aside = folder.join(format!("control-{}", std::process::id()));
    DirBuilder::new().mode(0o700).recursive(true).create(&aside)?;
    let bound = with_short(&aside, |short| UnixListener::bind(short.join(SOCKET))).and_then(|it| {
        fs::set_permissions(aside.join(SOCKET), Permissions::from_mode(0o600))?;
        fs::rename(aside.join(SOCKET), folder.join(SOCKET))?;
        Ok(it)
    });
    fs::remove_dir_all(&aside)?;
    bound
}

fn connect(folder: &Path) -> io::Result<UnixStream> {
    with_short(folder, |short| UnixStream::connect(short.join(SOCKET)))
}

/// Calls with a path to the folder that is short enough for a socket.
fn with_short<T>(folder: &Path, call: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    if folder.as_os_str().len() + SOCKET.len() < LONGEST_PATH {
        return call(folder);
    }
    let open = File::open(folder)?;
    call(&PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd())))
}

async fn beat(crawl: Crawl, pulse: Arc<Mutex<Pulse>>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    loop {
        ticks.tick().await;
        let pages = crawl.pages();
        pulse.lock().unwrap_or_else(PoisonError::into_inner).beat(crawl.now(), pages);
    }
}

async fn hear_all(listener: UnixListener, crawl: Crawl, pulse: Arc<Mutex<Pulse>>) {
    let places = Arc::new(Semaphore::new(MOST_AT_ONCE));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // No more open files: somebody will close one.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (crawl, pulse) = (crawl.clone(), Arc::clone(&pulse));
        tokio::spawn(async move {
            if let Err(error) = hear(stream, crawl, pulse).await {
                tracing::debug!(%error, "a request to the crawl was not answered");
            }
            drop(place);
        });
    }
}

async fn hear(
    stream: tokio::net::UnixStream,
    crawl: Crawl,
    pulse: Arc<Mutex<Pulse>>,
) -> io::Result<()> {
    let (reading, mut writing) = stream.into_split();
    let mut line = Vec::new();
    let mut reading = tokio::io::BufReader::new(reading.take(LONGEST_REQUEST));
    tokio::time::timeout(PATIENCE, reading.read_until(b'\n', &mut line)).await??;
    let reply = match serde_json::from_slice(&line) {
        Ok(request) => {
            let rate = pulse.lock().unwrap_or_else(PoisonError::into_inner).rate();
            // Looking through the frontier keeps a thread busy.
            let answering = tokio::task::spawn_blocking(move || answer(&crawl, request, rate));
            let reply = answering.await.map_err(io::Error::other)?;
            reply.unwrap_or_else(|error| Reply::Failed(error.to_string()))
        }
        Err(error) => Reply::Failed(format!("this is no request: {error}")),
    };
    let mut line = serde_json::to_vec(&reply)?;
    line.push(b'\n');
    tokio::time::timeout(LONGEST_WAIT, writing.write_all(&line)).await??;
    writing.shutdown().await
}

/// What a crawl that runs replies to a request.
fn answer(crawl: &Crawl, request: Request, rate: f64) -> Result<Reply, Error> {
    Ok(match request {
        Request::Status => Reply::Status(Box::new(crawl.status(rate))),
        Request::Frontier { top } => Reply::Frontier(crawl.insight(|mut it| it.top(top))?),
        Request::Hosts { limit } => Reply::Hosts(crawl.insight(|mut it| it.hosts(limit))?),
        Request::Explain { url } => {
            let mut explanation = crawl.insight(|mut it| it.explain(&url))?;
            explanation.look_into(crawl.archive())?;
            Reply::Explanation(Box::new(explanation))
        }
        Request::Wish { wish } => {
            crawl.wish(wish);
            Reply::Done
        }
        Request::Threads { threads } => {
            crawl.set_threads(threads);
            Reply::Done
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(request: &Request, line: &str) {
        assert_eq!(serde_json::to_string(request).expect("it can be written"), line);
        assert_eq!(&serde_json::from_str::<Request>(line).expect("it can be read"), request);
    }

    #[test]
    fn a_request_is_one_line_of_json() {
        check(&Request::Status, r#"{"ask":"status"}"#);
        check(&Request::Frontier { top: 20 }, r#"{"ask":"frontier","top":20}"#);
        check(&Request::Wish { wish: Wish::Pause }, r#"{"ask":"wish","wish":"pause"}"#);
    }

    #[test]
    fn where_nobody_listens_there_is_no_reply() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(ask(folder.path(), &Request::Status).expect("that is no error").is_none());
        // A crawl that was killed leaves its socket behind.
        let short = folder.path().join(SOCKET);
        drop(std::os::unix::net::UnixListener::bind(short).expect("a socket"));
        assert!(ask(folder.path(), &Request::Status).expect("that is no error").is_none());
    }

    #[test]
    fn a_long_path_has_a_short_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("a".repeat(90)).join("b".repeat(90));
        fs::create_dir_all(&deep).expect("a deep folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let listener = listen(&deep).expect("it listens");
            let mode = fs::metadata(deep.join(SOCKET)).expect("a socket").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let there = deep.clone();
            let connecting = tokio::task::spawn_blocking(move || connect(&there));
            listener.accept().await.expect("somebody comes");
            connecting.await.expect("it ends").expect("it is connected");
        });
    }

    proptest! {
        #[test]
        fn any_line_is_a_request_or_none(line in ".{0,100}") {
            let _ = serde_json::from_str::<Request>(&line);
        }
    }
}
