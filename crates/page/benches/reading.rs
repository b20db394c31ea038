//! How fast pages are read. `cargo bench -p page`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use page::Response;

/// A page of some three kilobytes as a small business has it.
fn small_page() -> String {
    let menu = ["home", "rooms", "prices", "arrival", "contact", "imprint"].map(|it| {
        format!("<li class=\"menu-item\"><a href=\"/{it}.html\" title=\"{it}\">{it}</a></li>\n")
    });
    let story = [1, 2, 3, 4, 5, 6].map(|it| {
        format!(
            "<p>The guest house at the <b>old harbour</b> has {it} rooms &amp; a garden. From \
             the <a href=\"../pier/{it}\">pier</a> it takes ten minutes to the beach, and in \
             the evening the fishermen sell what they have caught.</p>\n"
        )
    });
    let (menu, story) = (menu.concat(), story.concat());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>Guest house at the harbour</title>\
         <meta name=\"description\" content=\"Rooms by the sea\">\
         <link rel=\"canonical\" href=\"https://guesthouse.example/\">\
         <script type=\"application/ld+json\">{{\"@type\":\"Hotel\",\"name\":\"Guest house\",\
         \"address\":{{\"streetAddress\":\"Quay 4\",\"postalCode\":\"12345\",\
         \"addressLocality\":\"Portville\"}},\"geo\":{{\"latitude\":53.1,\"longitude\":8.2}}}}\
         </script></head><body><nav><ul>{menu}</ul></nav><main><h1>Welcome</h1>{story}</main>\
         <footer><address>Quay 4<br>12345 Portville</address></footer></body></html>"
    )
}

fn reading(criterion: &mut Criterion) {
    let small = small_page();
    let large = small.repeat(300);
    let mut group = criterion.benchmark_group("read");
    for (name, html) in [("small page", &small), ("large page", &large)] {
        group.throughput(Throughput::Bytes(html.len() as u64));
        group.bench_function(name, |bencher| {
            let url = Some("https://guesthouse.example/index.html");
            let content_type = Some("text/html; charset=utf-8");
            let response = Response { url, content_type, ..Response::new(html.as_bytes()) };
            bencher.iter(|| page::read(&response));
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
