//! Reads documents as JSON lines and writes the places found in them.
use gazetteer::Gazetteer;
use geoparse::{Class, Geoparser, Hints};
use std::io::{BufRead, Write};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let gazetteer = Gazetteer::open(std::path::Path::new(&args[1])).unwrap();
    let classes = args.get(2).map_or("", String::as_str);
    let parser = Geoparser::new(&gazetteer);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let docs: Vec<serde_json::Value> = std::io::stdin()
        .lock()
        .lines()
        .map(|l| serde_json::from_str(&l.unwrap()).unwrap())
        .collect();
    let cpu = || {
        std::fs::read_to_string("/proc/self/schedstat")
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse::<f64>()
            .unwrap()
            / 1e9
    };
    let start = cpu();
    let mut bytes = 0;
    let results: Vec<_> = docs
        .iter()
        .map(|d| {
            let t = d["text"].as_str().unwrap();
            bytes += t.len();
            parser.mentions(t, &Hints::default())
        })
        .collect();
    let secs = cpu() - start;
    let mut sites: std::collections::HashMap<String, geoparse::Site> = Default::default();
    for (d, m) in docs.iter().zip(&results) {
        if let Some(domain) = d["domain"].as_str() {
            sites.entry(domain.to_owned()).or_default().add(m);
        }
    }
    let homes: std::collections::HashMap<String, _> =
        sites.iter().filter_map(|(d, s)| Some((d.clone(), s.home(&gazetteer)?))).collect();
    if std::env::var("VERBOSE").is_ok() {
        for (d, h) in &homes {
            eprintln!("{d} {}", gazetteer.place(*h).label());
        }
    }
    let results: Vec<_> = docs
        .iter()
        .zip(results)
        .map(|(d, m)| match d["domain"].as_str().and_then(|d| homes.get(d)) {
            Some(home) if std::env::var("NOHOME").is_err() => parser.mentions(
                d["text"].as_str().unwrap(),
                &Hints { home: Some(*home), ..Hints::default() },
            ),
            _ => m,
        })
        .collect();
    eprintln!("{:.1} MB/s", bytes as f64 / 1e6 / secs);
    for (d, mentions) in docs.iter().zip(results) {
        let text = d["text"].as_str().unwrap();
        let mut cp = 0;
        let mut at = 0;
        let mut list = Vec::new();
        for m in mentions {
            if m.class == Class::Demonym && classes.contains("-demonym")
                || matches!(m.class, Class::Poi | Class::Street) && classes.contains("-poi")
            {
                continue;
            }
            cp += text[at..m.span.start].chars().count();
            let len = text[m.span.clone()].chars().count();
            list.push(serde_json::json!({"start": cp, "end": cp + len, "lat": m.point.map(|p| p.lat), "lon": m.point.map(|p| p.lon), "text": &text[m.span.clone()], "conf": m.confidence, "place": m.place.map(|p| gazetteer.place(p).label() + if m.is_listed {""} else {" (in or near)"})}));
            at = m.span.start;
        }
        writeln!(out, "{}", serde_json::json!({"id": d["id"], "toponyms": list})).unwrap();
    }
}
