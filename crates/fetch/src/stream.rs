//! Bytes to and from a host, plain or safe.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// Bytes to and from a host.
pub(crate) enum Stream {
    /// As they are.
    Plain(TcpStream),
    /// Under TLS. It is large, and most connections of a test are plain.
    Safe(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Whether the host chose HTTP/2.
    pub(crate) fn is_h2(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Safe(it) => it.get_ref().1.alpn_protocol() == Some(b"h2"),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(it) => Pin::new(it).poll_read(cx, buffer),
            Self::Safe(it) => match Pin::new(it).poll_read(cx, buffer) {
                // Many servers hang up without the farewell that TLS asks for. Where the length is
                // known, a torn body is told by that.
                Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    Poll::Ready(Ok(()))
                }
                other => other,
            },
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(it) => Pin::new(it).poll_write(cx, bytes),
            Self::Safe(it) => Pin::new(it).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(it) => Pin::new(it).poll_write_vectored(cx, pieces),
            Self::Safe(it) => Pin::new(it).poll_write_vectored(cx, pieces),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(it) => it.is_write_vectored(),
            Self::Safe(it) => it.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(it) => Pin::new(it).poll_flush(cx),
            Self::Safe(it) => Pin::new(it).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(it) => Pin::new(it).poll_shutdown(cx),
            Self::Safe(it) => Pin::new(it).poll_shutdown(cx),
        }
    }
}
