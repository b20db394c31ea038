//! A connection on which one request after the other is asked.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Empty;
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::rt::Executor;
use hyper_util::rt::TokioIo;
use tokio::task::JoinSet;

use crate::stream::Stream;

/// How many header lines an answer may have; more is an attack. It is what hyper has room for without
/// asking for memory.
pub(crate) const MOST_HEADERS: usize = 100;
/// How much is read from a host at once, at most. Bodies of usual size come in few pieces.
const LARGEST_PIECE: usize = 128 * 1024;

/// A connection on which one request after the other is asked, each when the one before is done.
pub(crate) struct Connection {
    /// Which connections are interchangeable with this one.
    pub(crate) origin: Arc<str>,
    /// The other end, unless it is a proxy's.
    pub(crate) address: Option<SocketAddr>,
    speech: Speech,
}

enum Speech {
    /// HTTP/1 is driven by who waits for the answer: no task, no waking of others.
    One(Box<One>),
    /// HTTP/2 has tasks of its own, since hosts may say something at any time.
    Two(Two),
}

struct One {
    sender: http1::SendRequest<Empty<Bytes>>,
    driver: http1::Connection<TokioIo<Stream>, Empty<Bytes>>,
    over: bool,
}

struct Two {
    sender: http2::SendRequest<Empty<Bytes>>,
    tasks: Tasks,
}

impl Connection {
    /// A connection over a stream that is ready for use, in the protocol that the host chose.
    pub(crate) async fn new(
        origin: Arc<str>,
        address: Option<SocketAddr>,
        largest_head: usize,
        stream: Stream,
    ) -> Result<Self, hyper::Error> {
        let speech = if stream.is_h2() {
            Speech::Two(Two::new(largest_head, stream).await?)
        } else {
            Speech::One(Box::new(One::new(largest_head, stream).await?))
        };
        Ok(Self { origin, address, speech })
    }

    pub(crate) fn is_h2(&self) -> bool {
        matches!(self.speech, Speech::Two(_))
    }

    /// The head of the answer; its body follows with [`Connection::frame`].
    pub(crate) async fn ask(
        &mut self,
        request: Request<Empty<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        match &mut self.speech {
            Speech::Two(two) => two.sender.send_request(request).await,
            Speech::One(one) => {
                let mut answer = pin!(one.sender.send_request(request));
                poll_fn(|cx| {
                    one.drive(cx);
                    answer.as_mut().poll(cx)
                })
                .await
            }
        }
    }

    /// The next piece of the body; nothing at its end.
    pub(crate) async fn frame(
        &mut self,
        body: &mut Incoming,
    ) -> Option<Result<Frame<Bytes>, hyper::Error>> {
        poll_fn(|cx| {
            let first = Pin::new(&mut *body).poll_frame(cx);
            match &mut self.speech {
                Speech::One(one) if first.is_pending() => {
                    one.drive(cx);
                    Pin::new(&mut *body).poll_frame(cx)
                }
                _ => first,
            }
        })
        .await
    }

    /// Whether the next request may be asked on it, as far as we know: the host may have hung up.
    pub(crate) async fn is_ready(&mut self) -> bool {
        match &mut self.speech {
            Speech::Two(two) => two.sender.is_ready(),
            Speech::One(one) => poll_fn(|cx| Poll::Ready(one.is_ready(cx))).await,
        }
    }
}

impl One {
    async fn new(largest_head: usize, stream: Stream) -> Result<Self, hyper::Error> {
        let mut builder = http1::Builder::new();
        builder
            // The web is broken: a head with a bad line is a head with less in it.
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .ignore_invalid_headers_in_responses(true)
            // Some old servers know their headers in this spelling alone.
            .title_case_headers(true)
            .max_buf_size(LARGEST_PIECE.max(largest_head))
            .max_header_size(largest_head);
        let (sender, driver) = builder.handshake(TokioIo::new(stream)).await?;
        Ok(Self { sender, driver, over: false })
    }

    /// Writes and reads as much as goes without waiting. Errors come back with the answer or the body.
    fn drive(&mut self, cx: &mut Context<'_>) {
        if !self.over {
            self.over = Pin::new(&mut self.driver).poll(cx).is_ready();
        }
    }

    fn is_ready(&mut self, cx: &mut Context<'_>) -> bool {
        self.drive(cx);
        !self.over && self.sender.is_ready()
    }
}

impl Two {
    async fn new(largest_head: usize, stream: Stream) -> Result<Self, hyper::Error> {
        let tasks = Tasks::default();
        let handshake = http2::Builder::new(tasks.clone())
            .max_header_list_size(u32::try_from(largest_head).unwrap_or(u32::MAX))
            .handshake(TokioIo::new(stream));
        // From here on the tasks end with `two`, whatever happens.
        let (sender, driver) = handshake.await?;
        let two = Self { sender, tasks };
        two.tasks.execute(async move {
            // Errors come back with the answer or the body.
            let _ = driver.await;
        });
        Ok(two)
    }
}

impl Drop for Two {
    /// Hosts cannot keep a connection that we have given up.
    fn drop(&mut self) {
        self.tasks.0.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}

/// The tasks of one connection.
#[derive(Clone, Default)]
struct Tasks(Arc<Mutex<JoinSet<()>>>);

impl<F: Future<Output: Send> + Send + 'static> Executor<F> for Tasks {
    fn execute(&self, task: F) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            task.await;
        });
    }
}
