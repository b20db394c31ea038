//! A host on loopback that does as it is told.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

/// What a host does on a connection, one thing after the other.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "not every test needs every act")]
pub(crate) enum Act {
    /// Reads the head of a request.
    Read,
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes over and over, without end.
    Flood(Vec<u8>),
    /// Sends these bytes over and over, one each millisecond.
    Drip(Vec<u8>),
    /// Says nothing more and does not hang up.
    Hold,
    /// Hangs up.
    Close,
    /// Waits until the other side hangs up.
    UntilClosed,
    /// Tells the test that it came so far.
    Signal,
}

/// A host on loopback. The first connection meets the first script, and so on; the last script repeats.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct State {
    seen: Mutex<Vec<Vec<u8>>>,
    connections: Mutex<usize>,
    signal: Notify,
}

#[allow(dead_code, reason = "not every test needs everything")]
impl Host {
    pub(crate) async fn new(scripts: Vec<Vec<Act>>) -> Self {
        Self::start(Vec::new(), None, scripts).await
    }

    /// Does something on each connection before it becomes safe and the script begins.
    pub(crate) async fn secure(before: Vec<Act>, tls: TlsAcceptor, scripts: Vec<Vec<Act>>) -> Self {
        Self::start(before, Some(tls), scripts).await
    }

    async fn start(before: Vec<Act>, tls: Option<TlsAcceptor>, scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            let mut scripts = VecDeque::from(scripts);
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                *shared.connections.lock().unwrap() += 1;
                let last = scripts.len() <= 1;
                let script = if last { scripts.front().cloned() } else { scripts.pop_front() };
                let state = Arc::clone(&shared);
                let (before, tls) = (before.clone(), tls.clone());
                tokio::spawn(async move {
                    state.play(before, &mut stream).await;
                    let script = script.unwrap_or_default();
                    let Some(tls) = tls else { return state.play(script, &mut stream).await };
                    if let Ok(mut stream) = tls.accept(stream).await {
                        state.play(script, &mut stream).await;
                    }
                });
            }
        });
        Self { address, state, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Vec<u8>> {
        self.state.seen.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        *self.state.connections.lock().unwrap()
    }

    /// Waits for [`Act::Signal`].
    pub(crate) async fn signal(&self) {
        self.state.signal.notified().await;
    }

    /// Stops listening; gives the link where nobody is any more.
    pub(crate) async fn closed(self) -> String {
        self.task.abort();
        let url = self.url("/");
        let _ = self.task.await;
        url
    }
}

impl State {
    async fn play(&self, script: Vec<Act>, stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
        let mut stream = Some(stream);
        for act in script {
            if let Act::Signal = act {
                self.signal.notify_one();
            }
            let Some(open) = &mut stream else { continue };
            let went_well = match act {
                Act::Read => self.read(open).await,
                Act::Send(bytes) => open.write_all(&bytes).await.is_ok(),
                Act::Flood(bytes) => {
                    let many = bytes.repeat(1000);
                    while open.write_all(&many).await.is_ok() {}
                    false
                }
                Act::Drip(bytes) => {
                    let mut pace = tokio::time::interval(std::time::Duration::from_millis(1));
                    for byte in bytes.iter().cycle() {
                        pace.tick().await;
                        if open.write_all(&[*byte]).await.is_err() {
                            break;
                        }
                    }
                    false
                }
                Act::Hold => std::future::pending().await,
                Act::Close => {
                    let _ = open.shutdown().await;
                    stream = None;
                    true
                }
                Act::UntilClosed => {
                    let _ = open.read_to_end(&mut Vec::new()).await;
                    true
                }
                Act::Signal => true,
            };
            if !went_well {
                return;
            }
        }
    }

    async fn read(&self, stream: &mut (impl AsyncRead + Unpin)) -> bool {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let Ok(byte) = stream.read_u8().await else { return false };
            head.push(byte);
        }
        self.seen.lock().unwrap().push(head);
        true
    }
}
