//! How fast links are valued. `cargo bench -p focus`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use focus::{Adaptive, Aim, Best, Candidate, Lesson, Settings, Source, Strategy, Value, Visited};
use geoparse::Region;
use page::{Page, Response};
use url::Url;

const HERE: &str = "https://www.guesthouse.example/rooms/index.html";

/// A page as a portal has it: a menu, and links in running text.
fn page() -> Page {
    let menu = ["home", "rooms", "prices", "arrival", "contact", "imprint"].map(|it| {
        format!("<li><a href=\"/{it}.html\" title=\"All about our {it}\">{it}</a></li>\n")
    });
    let story = (0..44).map(|it| {
        format!(
            "<p>The guest house number {it} at the <b>old harbour</b> has a garden. From the \
             <a href=\"http://pier{it}.example.com/en/TownGuide/arrival-by-ship?page={it}\">pier \
             of the town</a> it takes ten minutes to the beach, and in the evening the fishermen \
             sell what they have caught.</p>\n"
        )
    });
    let html = format!("<ul>{}</ul>{}", menu.concat(), story.collect::<String>());
    page::read(&Response { url: Some(HERE), ..Response::new(html.as_bytes()) })
}

fn urls(page: &Page) -> Vec<Url> {
    page.links.iter().map(|it| it.url.clone()).collect()
}

fn source<'a>(here: &'a Url, page: &'a Page) -> Source<'a> {
    Source {
        url: here,
        page: Some(page),
        relevant: Some(false),
        similarity: None,
        nearness: None,
        depth: 3,
        note: &[2, 0],
    }
}

/// One that has learned from a crawl of so many pages, with as many words as such a crawl meets.
fn taught(page: &Page, urls: &[Url], here: &Url, pages: u64) -> (Adaptive, Vec<Lesson>) {
    let mut adaptive = Adaptive::new(&Aim::default(), Settings::default());
    let links = candidates(page, urls);
    let values = adaptive.value(&source(here, page), &links);
    let lesson = |id: u64| {
        let mut note = values[id as usize % values.len()].note.clone();
        for word in 0..4 {
            note.extend(((id * 4 + word) as u32 / 3).wrapping_mul(0x9e37_79b9).to_le_bytes());
        }
        Lesson { id, via: id.checked_sub(1).map(|it| it / 3), note, relevant: id.is_multiple_of(7) }
    };
    let lessons: Vec<_> = (0..pages).map(lesson).collect();
    adaptive.learn(&lessons);
    (adaptive, lessons)
}

/// Our own strategy in the middle of a crawl: it has valued and heard of so many pages.
fn busy(page: &Page, urls: &[Url], here: &Url, pages: usize) -> Best {
    let gazetteer = world::gazetteer();
    let city = gazetteer.by_key("gn:2857458").expect("Oldenburg is a city").id();
    let mut best = Best::new(&Aim {
        gazetteer: Some(gazetteer),
        region: Some(Region::Place(city)),
        ..Aim::default()
    });
    let links = candidates(page, urls);
    let values = best.value(&source(here, page), &links);
    for at in 0..pages {
        let (url, value) = (&urls[at % urls.len()], &values[at % values.len()]);
        best.hear(&Visited {
            url,
            note: &value.note,
            relevant: Some(at.is_multiple_of(7)),
            is_in_vain: false,
            nearness: Some(0.2),
            depth: 4,
        });
    }
    best
}

fn candidates<'a>(page: &'a Page, urls: &'a [Url]) -> Vec<Candidate<'a>> {
    let links = urls.iter().zip(&page.links);
    links
        .map(|(url, link)| Candidate { url, link: Some(link), depth: 4, is_known: false })
        .collect()
}

fn valuing(criterion: &mut Criterion) {
    let here = Url::parse(HERE).expect("a URL");
    let page = page();
    let urls = urls(&page);
    let links = candidates(&page, &urls);
    let source = source(&here, &page);
    let (mut adaptive, lessons) = taught(&page, &urls, &here, 30_000);

    let mut group = criterion.benchmark_group("value");
    group.throughput(Throughput::Elements(links.len() as u64));
    for name in ["distance", "broad"] {
        let mut strategy = focus::named(name, &Aim::default()).expect("it exists");
        group.bench_function(name, |it| it.iter(|| strategy.value(&source, &links)));
    }
    group.bench_function("adaptive", |it| it.iter(|| adaptive.value(&source, &links)));
    let mut best = busy(&page, &urls, &here, 10_000);
    group.bench_function("best", |it| it.iter(|| best.value(&source, &links)));
    group.finish();

    let mut group = criterion.benchmark_group("learn");
    let value = Value { priority: 0.0, note: lessons[77].note.clone() };
    group.throughput(Throughput::Elements(1));
    group.bench_function("revalue", |it| it.iter(|| adaptive.revalue(&value)));
    group.throughput(Throughput::Elements(lessons.len() as u64));
    group.sample_size(10);
    group.bench_function("learn", |it| it.iter(|| adaptive.learn(&lessons)));
    group.bench_function("model", |it| it.iter(|| adaptive.model()));
    group.finish();
}

criterion_group!(benches, valuing);
criterion_main!(benches);
