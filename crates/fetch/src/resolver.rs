//! Who knows the addresses of names.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// What a resolver answers, sooner or later.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, NameError>> + Send + 'a>>;

/// Somebody who knows the addresses of names.
pub trait Resolve: Send + Sync {
    /// The addresses of a name, the best first. They need not be public; the client looks at each.
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a>;
}

/// Why a name has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NameError {
    /// There is no such name, or it has no address.
    #[error("there is no such name")]
    NoSuchName,
    /// Nobody knows now; another time somebody may.
    #[error("the resolver does not answer")]
    NoAnswer,
}

/// The resolver of the system.
pub struct SystemResolver {
    lookups: Arc<Semaphore>,
}

impl SystemResolver {
    /// A resolver that looks up so many names at the same time. Each takes a thread, for as long as the system likes.
    pub fn new(most_lookups: usize) -> Self {
        Self { lookups: Arc::new(Semaphore::new(most_lookups.max(1))) }
    }
}

impl fmt::Debug for SystemResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemResolver").finish_non_exhaustive()
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let permit = Arc::clone(&self.lookups).acquire_owned().await;
            let permit = permit.map_err(|_| NameError::NoAnswer)?;
            let name = name.to_owned();
            let lookup = tokio::task::spawn_blocking(move || {
                // The system cannot be stopped, so the place is free when it is done, not when nobody waits.
                let _permit = permit;
                (name.as_str(), 0).to_socket_addrs().map(|it| it.map(|it| it.ip()).collect())
            });
            lookup.await.map_err(|_| NameError::NoAnswer)?.map_err(|it| name_error(&it))
        })
    }
}

/// The system tells its reasons in words alone: these are of glibc, musl and the BSDs.
fn name_error(error: &io::Error) -> NameError {
    let text = error.to_string().to_ascii_lowercase();
    let passing = ["temporary", "try again", "system error", "memory", "too many open files"];
    let may_pass = passing.iter().any(|it| text.contains(it)) || error.raw_os_error().is_some();
    if may_pass { NameError::NoAnswer } else { NameError::NoSuchName }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: NameError) {
        let text = format!("failed to lookup address information: {text}");
        assert_eq!(name_error(&io::Error::other(text)), expected);
    }

    #[test]
    fn a_name_that_does_not_exist_is_told_from_a_resolver_that_does_not_answer() {
        check("Name or service not known", NameError::NoSuchName);
        check("No address associated with hostname", NameError::NoSuchName);
        check("Name does not resolve", NameError::NoSuchName);
        check("nodename nor servname provided, or not known", NameError::NoSuchName);
        check("Temporary failure in name resolution", NameError::NoAnswer);
        check("Try again", NameError::NoAnswer);
        check("System error", NameError::NoAnswer);
    }

    #[tokio::test]
    async fn the_system_knows_addresses_written_as_numbers() {
        let addresses = SystemResolver::new(1).resolve("127.0.0.1").await;
        assert_eq!(addresses, Ok(vec![IpAddr::from([127, 0, 0, 1])]));
    }
}
