//! The server of a simulated web, on a port of this machine.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::simulated_web::{SimulatedWeb, text};
use super::tools::{Process, Tools};

/// How often a port that was free may be taken before the server has it.
const TRIES: usize = 5;
/// How long the server may take to begin; a large web is read into memory first.
const PATIENCE: Duration = Duration::from_mins(2);
/// How often it is looked whether it has begun.
const OFTEN: Duration = Duration::from_millis(20);

/// The server of a simulated web; it ends when nobody holds it any more.
pub(super) struct Server {
    process: Process,
    port: u16,
}

impl Server {
    /// Serves a web at a free port, with a log of all requests; comes back when it answers.
    pub(super) fn start(tools: &Tools, web: &SimulatedWeb, log: &Path) -> Result<Self> {
        let mut complaint = String::new();
        for _ in 0..TRIES {
            let port = free_port()?;
            let said = log.with_extension("server.txt");
            let (web, number) = (web.web(), port.to_string());
            let arguments = ["serve", text(&web)?, "--port", &number, "--log", text(log)?];
            let mut process = tools.start(&said, "simweb.py", &arguments)?;
            if has_begun(tools, &mut process, &said)? {
                return Ok(Self { process, port });
            }
            complaint = process.complaint();
            if !complaint.contains("address already in use") {
                break;
            }
        }
        bail!("the simulated web cannot be served: {complaint}")
    }

    /// The proxy through which the web is to be had.
    pub(super) fn proxy(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Ends it; its log is whole then.
    pub(super) fn stop(mut self) -> Result<()> {
        if let Some(status) = self.process.ended()? {
            let complaint = self.process.complaint();
            bail!("the server of the simulated web ended by itself ({status}): {complaint}");
        }
        self.process.stop()?;
        Ok(())
    }
}

/// Whether a server serves, or has ended instead.
fn has_begun(tools: &Tools, process: &mut Process, said: &Path) -> Result<bool> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if tools.halt().is_wished() {
            bail!("stopped");
        }
        if process.ended()?.is_some() {
            return Ok(false);
        }
        // It says so when it listens.
        if fs::read_to_string(said).is_ok_and(|it| it.contains("serving ")) {
            return Ok(true);
        }
        thread::sleep(OFTEN);
    }
    bail!("the simulated web is not served after {} seconds", PATIENCE.as_secs())
}

/// A port of this machine that nobody uses just now.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr()?.port())
}
