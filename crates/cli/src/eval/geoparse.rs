//! `strabo eval geoparse`: how well places in texts are found and told apart.

mod score;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use gazetteer::Gazetteer;
use geoparse::{Class, Geoparser, Mention, Reason, Weights};
use serde_json::{Value, json};
use web::Characters;

use self::score::{Rules, Score};
use crate::corpus::{self, Document, Marked};
use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// The geoparser, against texts in which people marked the places.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
#[command(after_help = FORMAT)]
pub(crate) struct Arguments {
    /// Files of documents, one JSON object a line, gzipped or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Which classes of mentions count: corpora differ on what a place is.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "place,demonym,metonym,poi,street,address"
    )]
    classes: Vec<Counted>,
    /// Count places marked without a position as well.
    #[arg(long)]
    all_gold: bool,
    /// Not every place is marked: finding more is no mistake.
    #[arg(long)]
    sparse: bool,
    /// Do not learn from a host's documents where it is at home.
    #[arg(long)]
    no_sites: bool,
    /// Leave out one kind of evidence after the other, and show what each brings.
    #[arg(long)]
    ablate: bool,
    /// Show so many places of each file that were wrong, missed or too many.
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong: usize,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

const FORMAT: &str = "A document: {\"id\": 1, \"text\": \"From Paris to Rome\", \"domain\": \"example.org\",
\"toponyms\": [{\"start\": 5, \"end\": 10, \"lat\": 48.85, \"lon\": 2.35}]}, spans in characters, the end exclusive.";

/// A class of mentions, as it is chosen on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counted {
    Place,
    Demonym,
    Metonym,
    Poi,
    Street,
    Address,
}

impl Counted {
    pub(crate) fn of(class: Class) -> Self {
        match class {
            Class::Place => Self::Place,
            Class::Demonym => Self::Demonym,
            Class::Metonym => Self::Metonym,
            Class::Poi => Self::Poi,
            Class::Street => Self::Street,
            Class::AddressPart => Self::Address,
        }
    }
}

/// Speed is measured at least so long.
const LEAST_SECONDS: f64 = 0.5;

/// Kinds of evidence that are left out together.
const ABLATIONS: [(&str, &[Reason]); 14] = [
    ("ordinary words", &[Reason::OrdinaryWord, Reason::Begins]),
    ("given names and surnames", &[Reason::GivenName, Reason::Surname]),
    ("persons on the page", &[Reason::NamedPerson, Reason::Title]),
    (
        "words before",
        &[Reason::Locative, Reason::WeakLocative, Reason::PartBefore, Reason::SortBefore],
    ),
    ("words behind", &[Reason::SortAfter, Reason::OfATown, Reason::Firm, Reason::Speech]),
    ("capitals beside", &[Reason::CapitalBefore, Reason::CapitalAfter]),
    ("the same name elsewhere", &[Reason::SameName]),
    ("lists of places", &[Reason::Listed]),
    ("codes told from names", &[Reason::Short]),
    ("support for being a place", &[Reason::Supported]),
    ("chains (Paris, Texas)", &[Reason::Chain, Reason::Holds]),
    ("hierarchy on the page", &[Reason::Hierarchy]),
    ("nearness on the page", &[Reason::Near]),
    ("home of site and country", &[Reason::Home]),
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let mut rows = vec![header()];
    let mut values = Vec::new();
    let mut wrong = String::new();
    for file in &arguments.files {
        let documents = corpus::documents(file)?;
        let name =
            file.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        let whole = measure(&gazetteer, arguments, &documents, Weights::default());
        rows.push(whole.row(&name));
        values.push(whole.json(&name));
        if arguments.wrong > 0 {
            wrong += &mistakes(&gazetteer, arguments, &documents, &whole.found);
        }
        if arguments.ablate {
            for (label, reasons) in ABLATIONS {
                let less =
                    measure(&gazetteer, arguments, &documents, Weights::default().without(reasons));
                rows.push(less.row(&format!("  without {label}")));
                values.push(less.json(&format!("{name} without {label}")));
            }
            let alone = Arguments { no_sites: true, ..arguments.clone_settings() };
            let less = measure(&gazetteer, &alone, &documents, Weights::default());
            rows.push(less.row("  without learning sites"));
            values.push(less.json(&format!("{name} without learning sites")));
        }
    }
    if arguments.json {
        return say_json(&Value::Array(values));
    }
    say(&(table(&rows) + &wrong))
}

/// How one reading of a file came out.
struct Outcome {
    score: Score,
    found: Vec<Vec<Mention>>,
    documents: usize,
    megabytes: f64,
    seconds: f64,
}

fn measure(
    gazetteer: &Gazetteer,
    arguments: &Arguments,
    documents: &[Document],
    weights: Weights,
) -> Outcome {
    let geoparser = Geoparser::new(gazetteer).weighing(weights);
    let found = corpus::mentions(gazetteer, &geoparser, documents, !arguments.no_sites);
    let seconds = seconds_a_reading(&geoparser, documents);
    let rules = Rules { counts_unlocated: arguments.all_gold, is_sparse: arguments.sparse };
    let mut score = Score::default();
    for (document, mentions) in documents.iter().zip(&found) {
        score.add(rules, &document.gold, &marked(arguments, &document.text, mentions));
    }
    let bytes: usize = documents.iter().map(|it| it.text.len()).sum();
    Outcome { score, found, documents: documents.len(), megabytes: bytes as f64 / 1e6, seconds }
}

/// How long one reading of the documents takes, after the first, which had to fetch the gazetteer from the disk.
///
/// Read as often as it takes to see through the noise of a machine that others use too.
fn seconds_a_reading(geoparser: &Geoparser<'_>, documents: &[Document]) -> f64 {
    let start = Instant::now();
    let mut readings = 0;
    while readings == 0 || start.elapsed().as_secs_f64() < LEAST_SECONDS {
        for document in documents {
            geoparser.mentions(&document.text, &geoparse::Hints::default());
        }
        readings += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(readings)
}

/// The mentions that count, in characters.
fn marked(arguments: &Arguments, text: &str, mentions: &[Mention]) -> Vec<Marked> {
    let mut characters = Characters::of(text);
    let counts = |it: &&Mention| arguments.classes.contains(&Counted::of(it.class));
    mentions
        .iter()
        .filter(counts)
        .map(|it| {
            let start = characters.before(it.span.start);
            Marked { start, end: characters.before(it.span.end), point: it.point }
        })
        .collect()
}

fn header() -> Vec<String> {
    [
        "file",
        "docs",
        "places",
        "strict F1",
        "lenient P",
        "R",
        "F1",
        "geo P",
        "R",
        "F1",
        "acc@161",
        "of found",
        "median km",
        "MB/s",
    ]
    .map(str::to_owned)
    .to_vec()
}

impl Outcome {
    fn row(&self, name: &str) -> Vec<String> {
        let rate = |it: f64| format!("{it:.3}");
        let maybe = |it: Option<f64>| it.map_or_else(|| "-".to_owned(), rate);
        let (lenient, located) = (self.score.lenient(), self.score.located());
        let has_points = self.score.accuracy().is_some();
        let geo = |it: f64| if has_points { rate(it) } else { "-".to_owned() };
        vec![
            name.to_owned(),
            grouped(self.documents),
            grouped(self.score.gold()),
            rate(self.score.strict().f1),
            rate(lenient.precision),
            rate(lenient.recall),
            rate(lenient.f1),
            geo(located.precision),
            geo(located.recall),
            geo(located.f1),
            maybe(self.score.accuracy()),
            maybe(self.score.accuracy_of_found()),
            self.score.median_km().map_or_else(|| "-".to_owned(), |it| format!("{it:.1}")),
            format!("{:.1}", self.megabytes / self.seconds),
        ]
    }

    fn json(&self, name: &str) -> Value {
        let rates =
            |it: score::Rates| json!({"precision": it.precision, "recall": it.recall, "f1": it.f1});
        json!({
            "name": name,
            "documents": self.documents,
            "places": self.score.gold(),
            "strict": rates(self.score.strict()),
            "lenient": rates(self.score.lenient()),
            "geo161": rates(self.score.located()),
            "accuracy161": self.score.accuracy(),
            "accuracy161_of_found": self.score.accuracy_of_found(),
            "median_km": self.score.median_km(),
            "megabytes_per_second": self.megabytes / self.seconds,
        })
    }
}

impl Arguments {
    /// The settings of the measurement, without the files.
    fn clone_settings(&self) -> Self {
        Self {
            files: Vec::new(),
            classes: self.classes.clone(),
            all_gold: self.all_gold,
            sparse: self.sparse,
            no_sites: self.no_sites,
            ablate: false,
            wrong: 0,
            json: self.json,
            choice: self.choice.clone(),
        }
    }
}

/// Some of the places that were wrong, missed or too many, with the words around them.
fn mistakes(
    gazetteer: &Gazetteer,
    arguments: &Arguments,
    documents: &[Document],
    found: &[Vec<Mention>],
) -> String {
    let mut lines = Vec::new();
    for (document, mentions) in documents.iter().zip(found) {
        let letters: Vec<char> = document.text.chars().collect();
        let shown = |start: usize, end: usize| {
            let part = |from: usize, to: usize| {
                letters[from..to].iter().collect::<String>().replace('\n', " ")
            };
            let (before, after) = (start.saturating_sub(40), (end + 40).min(letters.len()));
            format!("{}[{}]{}", part(before, start), part(start, end), part(end, after))
        };
        let ours = marked(arguments, &document.text, mentions);
        let counted =
            mentions.iter().filter(|it| arguments.classes.contains(&Counted::of(it.class)));
        let overlaps = |a: &Marked, b: &Marked| a.start < b.end && b.start < a.end;
        for (it, mention) in ours.iter().zip(counted) {
            let label = mention
                .place
                .map_or_else(|| "nowhere".to_owned(), |it| gazetteer.place(it).label());
            let place = format!("{} = {label}", shown(it.start, it.end));
            match document.gold.iter().find(|gold| overlaps(gold, it)) {
                None if !arguments.sparse => lines.push(format!("too many  {place}")),
                Some(gold) => {
                    let far = gold
                        .point
                        .zip(it.point)
                        .map(|(a, b)| a.distance(b).km())
                        .filter(|km| *km > 161.0);
                    lines.extend(far.map(|km| format!("{km:.0} km off  {place}")));
                }
                None => {}
            }
        }
        let is_missed = |gold: &&Marked| {
            (gold.point.is_some() || arguments.all_gold)
                && !ours.iter().any(|it| overlaps(gold, it))
        };
        let missed = document.gold.iter().filter(is_missed).filter(|it| it.end <= letters.len());
        lines.extend(missed.map(|it| format!("missed  {}", shown(it.start, it.end))));
    }
    // Every so many, so that what is shown comes from the whole file.
    let step = lines.len().checked_div(arguments.wrong).unwrap_or(0).max(1);
    let some = lines.iter().step_by(step).take(arguments.wrong);
    some.fold(String::new(), |text, line| text + line + "\n")
}
