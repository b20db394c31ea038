//! x
pub(crate) fn run(_:Arguments)->anyhow::Result<()>{Ok(())}
#[derive(clap::Args)] pub(crate) struct Arguments{}
