//! Does a task of a file: `cargo run -p crawl --example crawl -- task.toml data`.
//!
//! The task's log, `judged.jsonl` in its folder, tells what was fetched. The program may be killed at
//! any moment; begun again it goes on.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use crawl::{Crawl, Ending, Surroundings, Task};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, data] = arguments.as_slice() else {
        eprintln!("name a task file and a folder for the data");
        return ExitCode::FAILURE;
    };
    match crawl(file.as_ref(), data.as_ref()) {
        Ok(ending) => {
            println!("{ending:?}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Does the task of a file, with its data in a folder.
pub(crate) fn crawl(file: &Path, data: &Path) -> Result<Ending, Box<dyn Error>> {
    let task: Task = toml::from_str(&std::fs::read_to_string(file)?)?;
    let around = Surroundings::new(data, world::gazetteer());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let crawl = Crawl::open(task, None, &around)?;
    Ok(runtime.block_on(crawl.run())?)
}
