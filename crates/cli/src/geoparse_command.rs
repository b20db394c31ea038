//! `strabo geoparse`: the places a page or a text means.

mod explanation;
mod geojson;
mod input;
mod json;
mod predictions;
mod report;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use gazetteer::{Gazetteer, Kind, Place};
use geoparse::{Geoparser, Hints, Region, url_places};
use page::Language;
use web::findings::{Findings, Verdict};
use web::findings_json;

use self::input::Form;
pub(crate) use self::input::Input;
use crate::eval::geoparse::Counted;
use crate::opened::Choice;
use crate::output::say;

/// Find the places that a page or a text means, and the ground it is about.
#[derive(Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file, an address that begins with http, or - for standard input.
    #[arg(value_name = "FILE|URL|-", required_unless_present = "corpus")]
    input: Option<OsString>,
    /// What the input is, if it does not look like it.
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<Form>,
    /// Also fetch pages from this machine or a private network.
    #[arg(long)]
    allow_private: bool,
    /// Say whether the page has an address in this place, by key or name; may be given again.
    #[arg(long, value_name = "PLACE")]
    region: Vec<String>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    known: Known,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    many: Many,
}

/// What the caller knows of the page.
#[derive(Args)]
#[command(next_help_heading = "What is known of the page")]
struct Known {
    /// The address that a file came from: its domain and its words tell something too.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Its language, by two letters, if it is known better than the page says.
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// The country where it is at home, by two letters.
    #[arg(long, value_name = "CODE")]
    country: Option<String>,
    /// The place where it is at home, by key or name: what is near is meant more often.
    #[arg(long, value_name = "PLACE")]
    home: Option<String>,
}

/// What the answer looks like.
#[derive(Args)]
#[command(next_help_heading = "What the answer looks like")]
struct Wanted {
    /// Say of every mention why it was taken for a place, and for this one.
    #[arg(long)]
    explain: bool,
    /// Answer in JSON.
    #[arg(long, conflicts_with = "geojson")]
    json: bool,
    #[arg(long, conflicts_with = "explain", help = "Answer in GeoJSON, to be shown on a map")]
    geojson: bool,
}

/// Many documents at once.
#[derive(Args)]
#[command(next_help_heading = "Many documents")]
struct Many {
    /// Read documents, one JSON object a line, gzipped or not, and write what is found the same way.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["input", "form", "allow_private", "region", "Known", "Wanted"]
    )]
    corpus: Option<PathBuf>,
    /// Write only mentions of these classes.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        conflicts_with = "input",
        default_value = "place,demonym,metonym,poi,street,address"
    )]
    classes: Vec<Counted>,
    /// Do not learn from the documents of a domain where it is at home.
    #[arg(long, conflicts_with = "input")]
    no_sites: bool,
}

const EXAMPLES: &str = "Examples:
  echo 'From Paris, Texas to Dallas' | strabo geoparse -
  strabo geoparse --explain article.txt
  strabo geoparse --url https://example.de/contact --region Germany contact.html
  strabo geoparse --geojson https://example.org/ > places.geojson
  strabo geoparse --corpus documents.jsonl.gz > found.jsonl";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let Many { corpus, classes, no_sites } = &arguments.many;
    if let Some(file) = corpus {
        return predictions::run(&gazetteer, file, classes, !no_sites);
    }
    let regions = arguments.region.iter().map(|it| named(&gazetteer, it));
    let regions = regions.collect::<Result<Vec<_>>>()?;
    let input = read_input(arguments)?;
    let hints = hints(&gazetteer, &arguments.known, input.url())?;
    let page = input.page()?;
    let geoparser = Geoparser::new(&gazetteer);
    let geoparser = if arguments.wanted.explain { geoparser.explaining() } else { geoparser };
    let survey = geoparser.survey(&page, &hints);
    let verdict = |region: Place<'_>| {
        let has_address = survey.has_address_in(&gazetteer, &Region::Place(region.id()));
        Verdict { region: gazetteer.place(region.id()), has_address }
    };
    let findings = Findings {
        gazetteer: &gazetteer,
        url: input.url(),
        language: hints.language.or_else(|| page.language().map(|it| it.to_string())),
        page: &page,
        survey: &survey,
        in_url: input.url().map(|it| url_places(&gazetteer, it)).unwrap_or_default(),
        verdicts: regions.into_iter().map(verdict).collect(),
    };
    if arguments.wanted.json {
        return json::say(&findings_json::of(&findings));
    }
    if arguments.wanted.geojson {
        return json::say(&geojson::of(&findings));
    }
    say(&report::of(&findings, arguments.wanted.explain))
}

fn read_input(arguments: &Arguments) -> Result<Input> {
    let source = arguments.input.clone().context("nothing was given to read")?;
    Input::read(&source, arguments.form, arguments.known.url.as_deref(), arguments.allow_private)
}

/// What is known before the text is read: what the caller says, else what the address tells.
fn hints(gazetteer: &Gazetteer, known: &Known, url: Option<&str>) -> Result<Hints> {
    let mut hints = url.map(Hints::of_url).unwrap_or_default();
    if let Some(code) = &known.language {
        let language = Language::parse(code).with_context(|| {
            format!("\"{code}\" is no code of a language: write two letters, such as de")
        })?;
        hints.language = Some(language.code().to_owned());
    }
    if let Some(code) = &known.country {
        hints.country = Some(country(gazetteer, code)?);
    }
    if let Some(home) = &known.home {
        hints.home = Some(named(gazetteer, home)?.id());
    }
    Ok(hints)
}

fn country(gazetteer: &Gazetteer, code: &str) -> Result<String> {
    let code = code.to_ascii_uppercase();
    // The one country that the internet calls by other letters than the standard.
    let code = if code == "UK" { "GB".to_owned() } else { code };
    let is_it = |it: &Place<'_>| it.kind() == Kind::Country && it.tag("iso2") == Some(&code);
    ensure!(
        gazetteer.named(&code).any(|it| is_it(&it.0)),
        "no country has the code \"{code}\": write its two letters, such as DE"
    );
    Ok(code)
}

/// The place of a key, or the best one for a name.
fn named<'g>(gazetteer: &'g Gazetteer, text: &str) -> Result<Place<'g>> {
    let best = || gazetteer.geocode(text, None, 1).into_iter().next().map(|it| it.place);
    gazetteer.by_key(text).or_else(best).with_context(|| {
        format!("nothing is known of \"{text}\": \"strabo place\" finds places and their keys")
    })
}
