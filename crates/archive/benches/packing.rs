//! How fast exchanges are made ready for the archive. `cargo bench -p archive`

use std::fmt::Write;

use archive::{Exchange, Response, pack};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Fri, 02 Jan 2026 03:04:05 GMT\r\n\
    Content-Type: text/html; charset=utf-8\r\nConnection: keep-alive\r\nETag: \"65a1b2c3-1d04\"\r\n\r\n";
const REQUEST: &[u8] = b"GET /harbour/17.html HTTP/1.1\r\nHost: www.example.org\r\n\
    User-Agent: strabo/1.0 (+https://example.org/about)\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n";
const WORDS: [&str; 24] = [
    "harbour",
    "the",
    "old",
    "lighthouse",
    "and",
    "ferry",
    "to",
    "islands",
    "market",
    "of",
    "a",
    "museum",
    "bridge",
    "on",
    "river",
    "castle",
    "opening",
    "hours",
    "in",
    "summer",
    "fishermen",
    "is",
    "town",
    "square",
];

/// A page of links and words that follow each other by chance.
fn page(bytes: usize) -> String {
    let mut state = 7_u64;
    let mut next = |most: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut html = "<!DOCTYPE html><html><head><title>Harbour</title></head><body>\n".to_owned();
    while html.len() < bytes {
        let number = next(20_000);
        write!(html, "<p><a href=\"/place/{number}.html\">Place {number}</a> ").expect("memory");
        for _ in 0..30 {
            html.push_str(WORDS[next(WORDS.len() as u64) as usize]);
            html.push(' ');
        }
        html.push_str("</p>\n");
    }
    html
}

fn packing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pack");
    for (name, bytes) in [("small page", 7_000), ("large page", 500_000)] {
        let html = page(bytes);
        let exchange = Exchange {
            url: "https://www.example.org/harbour/17.html",
            date: "2026-01-02T03:04:05.006Z".parse().expect("a date"),
            address: "192.0.2.7".parse().ok(),
            protocol: Some("http/1.1"),
            request: REQUEST,
            response: Some(Response::new(HEAD, html.as_bytes())),
            fields: &[("hopsFromSeed", "3"), ("fetchTimeMs", "12")],
        };
        group.throughput(Throughput::Bytes(html.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| pack(&exchange)));
    }
    group.finish();
}

criterion_group!(benches, packing);
criterion_main!(benches);
