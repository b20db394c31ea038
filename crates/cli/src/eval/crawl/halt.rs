//! Whether the operator wants all to end.

use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::crawl_command::interrupted;
use crate::log::remark;

/// Whether the operator wants all to end.
#[derive(Clone)]
pub(super) struct Halt(watch::Receiver<bool>);

impl Halt {
    /// Hears of Ctrl-C from now on, and of the system's wish to end the program.
    pub(super) fn listen(runtime: &Runtime) -> Self {
        let (tell, hear) = watch::channel(false);
        runtime.spawn(async move {
            if interrupted().await.is_ok() {
                remark("stopping");
                tell.send_replace(true);
                // Whoever asks later shall hear of it, too.
                std::future::pending::<()>().await;
            }
        });
        Self(hear)
    }

    /// Never hears of anything.
    #[cfg(test)]
    pub(super) fn deaf() -> Self {
        Self(watch::channel(false).1)
    }

    /// Whether it was wished for.
    pub(super) fn is_wished(&self) -> bool {
        *self.0.borrow()
    }

    /// Comes back when it is wished for.
    pub(super) async fn wished(mut self) {
        if self.0.wait_for(|it| *it).await.is_err() {
            // Nobody listens for signals: nobody will ever wish for it.
            std::future::pending::<()>().await;
        }
    }
}
