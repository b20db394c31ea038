//! A connection that is given up when the other side takes nothing of an answer for too long.

use std::future::Future;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection that waits only so long until something of what is sent is taken.
pub(crate) struct Connection<S> {
    stream: S,
    patience: Duration,
    /// Ends when the other side has taken nothing for too long; there is none while it takes.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Connection<S> {
    pub(crate) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// What was done, or an error if that took too long.
    fn heed<T>(&mut self, context: &mut Context<'_>, done: Poll<Result<T>>) -> Poll<Result<T>> {
        if done.is_ready() {
            self.waiting = None;
            return done;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        let is_over = waiting.as_mut().poll(context);
        is_over.map(|()| Err(Error::new(ErrorKind::TimedOut, "the client takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heed(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.heed(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.heed(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let done = Pin::new(&mut self.stream).poll_shutdown(context);
        self.heed(context, done)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let (ours, theirs) = tokio::io::duplex(4);
        let mut connection = Connection::new(ours, Duration::from_millis(1));
        let error = connection.write_all(b"more than four").await.expect_err("it is not taken");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test]
    async fn who_takes_a_little_now_and_then_is_served() {
        let (ours, mut theirs) = tokio::io::duplex(4);
        let mut connection = Connection::new(ours, Duration::from_mins(1));
        let sent = tokio::spawn(async move { connection.write_all(&[7; 40]).await });
        let mut taken = [0; 40];
        for part in taken.chunks_mut(4) {
            tokio::task::yield_now().await;
            theirs.read_exact(part).await.expect("something is sent");
        }
        sent.await.expect("no panic").expect("all is sent");
        assert_eq!(taken, [7; 40]);
    }
}
