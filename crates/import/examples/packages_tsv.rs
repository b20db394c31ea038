//! Writes the facts made of the packages as tab-separated text, to look at.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use gazetteer::Fact;
use import::{Sink, packages};

#[allow(clippy::print_stdout, reason = "an example for whoever renews the data")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: packages_tsv PACKAGES OUT".into());
    };
    let mut facts = Vec::new();
    let mut keep = |fact| facts.push(fact);
    let mut sink = Sink::new(true, &mut keep, &|_| {});
    let accounts = [packages::world(&folder, &mut sink)?, packages::demonyms(&folder, &mut sink)?];
    println!("{:?}", sink.report());
    for account in accounts {
        for (what, count) in account.counts {
            println!("{count:>9} {what}");
        }
        let mut by_country: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (country, name) in account.unmatched {
            by_country.entry(country).or_default().push(name);
        }
        println!("unmatched: {by_country:?}");
    }

    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut count = |what: String, number: usize| *counts.entry(what).or_default() += number as u64;
    let mut out = BufWriter::new(File::create(out)?);
    for fact in facts {
        match fact {
            Fact::Place(place) => {
                count(format!("{} places", place.kind), 1);
                count(format!("{} names", place.kind), place.names.len() + 1);
                count(
                    format!("{} without parent", place.kind),
                    usize::from(place.parent.is_empty()),
                );
                count(format!("{} without point", place.kind), usize::from(place.point.is_none()));
                let point = place.point.map(|p| format!("{},{}", p.lat, p.lon)).unwrap_or_default();
                let names: Vec<String> =
                    place.names.iter().map(|n| format!("{:?}:{}", n.class, n.text)).collect();
                writeln!(
                    out,
                    "{}\t{}\t{}\t{point}\t{}\t{}\t{:?}\t{:?}\t{}\t{}",
                    place.key,
                    place.kind,
                    place.name,
                    place.parent,
                    place.population,
                    place.seat,
                    place.tags,
                    names.join("|"),
                    place.adjacent.join(","),
                )?;
            }
            Fact::Shape(shape) => {
                let rings = shape.outline.iter().map(|p| {
                    p.exterior().0.len()
                        + p.interiors().iter().map(|ring| ring.0.len()).sum::<usize>()
                });
                let vertices: usize = rings.sum();
                count("shapes".to_owned(), 1);
                count("vertices of shapes".to_owned(), vertices);
                let rings: Vec<String> = shape
                    .outline
                    .iter()
                    .map(|polygon| {
                        let line = |ring: &geo::LineString<f64>| {
                            let at = |c: &geo::Coord<f64>| format!("{} {}", c.x, c.y);
                            ring.0.iter().map(at).collect::<Vec<_>>().join(",")
                        };
                        let holes = polygon.interiors().iter().map(line);
                        let all: Vec<String> =
                            [line(polygon.exterior())].into_iter().chain(holes).collect();
                        all.join(";")
                    })
                    .collect();
                writeln!(out, "{}\tshape\t{vertices}\t{}", shape.place, rings.join("|"))?;
            }
            Fact::House(_) => {}
        }
    }
    for (what, count) in counts {
        println!("{count:>9} {what}");
    }
    Ok(())
}
