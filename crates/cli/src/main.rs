//! The `strabo` program: one file per command.

mod aside;
mod eval;
mod gazetteer_command;
mod opened;
mod output;
mod place;
mod progress;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Find pages by what and where.
#[derive(Parser)]
#[command(name = "strabo", version, about, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find a place by name, address, coordinate or code, and ask what lies around it.
    Place(place::Arguments),
    /// Look into the gazetteer, or make one of your own.
    Gazetteer(gazetteer_command::Arguments),
    /// Measure how good the answers are.
    Eval(eval::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Place(arguments) => place::run(&arguments),
        Command::Gazetteer(arguments) => gazetteer_command::run(arguments),
        Command::Eval(arguments) => eval::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::FAILURE
        }
    }
}
