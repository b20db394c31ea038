//! The body of an answer, as far as it came.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::body::{Body as _, Incoming};

use crate::connection::Connection;
use crate::error::Phase;
use crate::patience::Patience;
use crate::response::Truncated;

/// The most room that is made ahead because a host says how long its body is.
const LARGEST_PROMISE: u64 = 256 * 1024;

/// The body of an answer, as far as it came.
pub(crate) struct Body {
    pub(crate) bytes: Bytes,
    pub(crate) truncated: Option<Truncated>,
    /// Whether nothing of it is left on the connection, which then may serve the next request.
    pub(crate) whole: bool,
}

impl Body {
    /// A body that nobody wants.
    pub(crate) fn unread(incoming: &Incoming) -> Self {
        Self { bytes: Bytes::new(), truncated: None, whole: incoming.is_end_stream() }
    }

    /// Reads the body, at most `largest` bytes of it, each piece within its time.
    pub(crate) async fn read(
        largest: usize,
        between: Duration,
        patience: &Patience<'_>,
        connection: &mut Connection,
        mut incoming: Incoming,
    ) -> Self {
        let mut pieces = Pieces::default();
        while !incoming.is_end_stream() {
            let next = connection.frame(&mut incoming);
            let truncated = match patience.within(Phase::Whole, between, next).await {
                Ok(None) => break,
                Ok(Some(Ok(frame))) => {
                    let Ok(piece) = frame.into_data() else { continue };
                    let room = largest - pieces.len();
                    if piece.len() <= room {
                        pieces.push(piece, &incoming);
                        continue;
                    }
                    pieces.push(piece.slice(..room), &incoming);
                    Truncated::Length
                }
                Ok(Some(Err(_))) => Truncated::Disconnect,
                Err(_) => Truncated::Time,
            };
            return Self { bytes: pieces.joined(), truncated: Some(truncated), whole: false };
        }
        Self { bytes: pieces.joined(), truncated: None, whole: true }
    }
}

/// Most bodies come in one piece, which is not copied.
#[derive(Default)]
enum Pieces {
    #[default]
    None,
    One(Bytes),
    Many(BytesMut),
}

impl Pieces {
    fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(it) => it.len(),
            Self::Many(it) => it.len(),
        }
    }

    fn push(&mut self, piece: Bytes, rest: &Incoming) {
        match self {
            Self::None => *self = Self::One(piece),
            Self::One(first) => {
                let promised = rest.size_hint().lower().min(LARGEST_PROMISE) as usize;
                let mut all =
                    BytesMut::with_capacity(2 * (first.len() + piece.len()).max(promised / 2));
                all.extend_from_slice(first);
                all.extend_from_slice(&piece);
                *self = Self::Many(all);
            }
            Self::Many(all) => all.extend_from_slice(&piece),
        }
    }

    fn joined(self) -> Bytes {
        match self {
            Self::None => Bytes::new(),
            Self::One(it) => it,
            Self::Many(it) => it.freeze(),
        }
    }
}
