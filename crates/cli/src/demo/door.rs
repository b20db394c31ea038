//! Where the search page of a demonstration is served: as wished, or at the next free port.

use std::io::ErrorKind;
use std::net::SocketAddr;

use anyhow::{Context, Result};
use tokio::net::TcpListener;

use crate::log::remark;

/// How many ports are tried.
const TRIES: u16 = 20;

/// Listens at an address or, if it is taken, at the next free port.
pub(super) async fn open(wished: SocketAddr) -> Result<TcpListener> {
    let last = wished.port().saturating_add(TRIES - 1);
    for port in wished.port()..=last {
        let address = SocketAddr::new(wished.ip(), port);
        match TcpListener::bind(address).await {
            Ok(listener) => {
                if port != wished.port() {
                    remark(&format!("{wished} is taken: the search page will be at {address}"));
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse && port < last => {}
            Err(error) => {
                return Err(error).with_context(|| {
                    format!("cannot listen on {address}: give another address with --listen")
                });
            }
        }
    }
    unreachable!("the last port is free or an error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_port_makes_way_for_the_next() {
        let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = taken.local_addr().expect("it has one");
        let next = open(address).await.expect("another port is free");
        assert!(next.local_addr().expect("it has one").port() > address.port());
    }
}
