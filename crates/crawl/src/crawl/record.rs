//! What the archive gets to keep of a visit.

use archive::Exchange;
use fetch::Response;
use frontier::{Moment, Visit};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::Shared;
use crate::clock::timestamp;
use crate::error::Error;
use crate::keeper::Ticket;

impl Shared {
    /// Writes an answer into the archive.
    pub(super) fn keep(
        &self,
        url: &Url,
        at: Moment,
        response: &Response,
        known: Option<&Visit>,
        fields: &[(&str, &str)],
    ) -> Result<Ticket, Error> {
        let truncated = if response.unwanted {
            Some(archive::Truncated::Unspecified)
        } else {
            response.truncated.map(|it| match it {
                fetch::Truncated::Length => archive::Truncated::Length,
                fetch::Truncated::Time => archive::Truncated::Time,
                fetch::Truncated::Disconnect => archive::Truncated::Disconnect,
            })
        };
        // A body that is in the archive already is not written again.
        let sameness = |known: &Visit| match response.status {
            304 => Some(archive::Sameness::NotModified),
            200 if known.status == 200
                && truncated.is_none()
                && known.digest == xxh3_64(&response.body) =>
            {
                Some(archive::Sameness::Digest)
            }
            _ => None,
        };
        let revisit = known.and_then(|known| {
            let (url, date) = (url.as_str(), timestamp(known.kept));
            Some(archive::Revisit { sameness: sameness(known)?, url, date })
        });
        let exchange = Exchange {
            url: url.as_str(),
            date: timestamp(at),
            address: response.address.map(|it| it.ip()),
            protocol: Some(response.protocol.as_str()),
            request: &response.request_head,
            response: Some(archive::Response {
                truncated,
                revisit,
                ..archive::Response::new(&response.head, &response.body)
            }),
            fields,
        };
        let packed = archive::pack(&exchange);
        Ok(self.keeper().keep(&packed)?.0)
    }

    /// Writes down that there was no answer.
    pub(super) fn keep_failure(
        &self,
        url: &Url,
        at: Moment,
        fields: &[(&str, &str)],
    ) -> Result<Ticket, Error> {
        let exchange = Exchange {
            url: url.as_str(),
            date: timestamp(at),
            address: None,
            protocol: None,
            request: &[],
            response: None,
            fields,
        };
        let packed = archive::pack(&exchange);
        Ok(self.keeper().keep(&packed)?.0)
    }

    /// The frontier has heard of these answers. It may not be committed between hearing and this.
    pub(super) fn heard(&self, tickets: &[Ticket]) {
        let mut keeper = self.keeper();
        tickets.iter().for_each(|it| keeper.heard(*it));
    }
}
