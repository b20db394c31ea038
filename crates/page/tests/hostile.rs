//! Pages that were made to do harm: they are read to the end, and nothing in them grows out of bounds.

use page::{Page, Response};

/// A tenth of what a server may send, so that the test is quick without optimising.
const SIZE: usize = 1_000_000;

fn read(body: &[u8]) -> Page {
    let url = Some("https://example.org/a/b");
    page::read(&Response { url, content_type: Some("text/html"), ..Response::new(body) })
}

/// Reads the beginning once and then the piece over and over.
#[track_caller]
fn check(beginning: &str, piece: &str) -> Page {
    let body = [beginning, &piece.repeat(SIZE / piece.len())].concat();
    let page = read(body.as_bytes());
    assert!(page.text.len() <= 4 << 20);
    assert!(page.blocks.len() <= 20_000);
    assert!(page.links.len() <= 5_000);
    assert!(page.places.len() <= 502);
    assert!(page.links.iter().map(|it| it.url.as_str().len()).sum::<usize>() <= 4 << 20);
    page
}

#[test]
fn open_elements_are_bounded() {
    for piece in
        ["<b>", "<div>", "<p>", "<ul><li>", "<table><tr><td>", "<svg><title>", "<b itemscope>"]
    {
        check("", piece);
    }
    assert_eq!(check("", "<div>x").text.len(), 2 * 20_000 - 1);
}

#[test]
fn end_tags_find_their_element_at_once() {
    let beginning = format!("<b><div>{}", "<i>".repeat(600));
    check(&beginning, "</b>");
    check("", "</div>");
}

#[test]
fn links_are_bounded() {
    let page = check("", "<a href=x>");
    assert_eq!((page.links.len(), page.truncated.links), (5_000, true));
    let beginning = format!("<base href='http://example.org/{}/'>", "y".repeat(3900));
    assert!(check(&beginning, "<a href=x>a</a>").truncated.links);
    check("", "<a href='https://www.google.com/maps?q=53.1,8.2'>x</a>");
    check("", "<p hidden><a href=x>words</a>");
}

#[test]
fn tags_are_bounded() {
    check("<a href=\"", "x");
    check("<a ", "x ");
    check("<a x='", "<b>");
    check("<div class='", "nav-");
    let many = (0..SIZE / 8).map(|it| format!(" a{it}")).collect::<Vec<_>>().concat();
    check(&format!("<a{many}>"), "x ");
}

#[test]
fn references_comments_and_scripts_are_passed_in_one_go() {
    for piece in ["&amp;", "&zzzzzzz", "&#99999999;", "&", "<", "<!", "</", "<?x"] {
        check("", piece);
    }
    check("<!--", "-- >");
    check("<script>", "<!--<script>");
    check("<title>", "<title>");
}

#[test]
fn json_is_bounded() {
    let script = "<script type=application/ld+json>";
    check(script, "[");
    check(script, "{\"a\":");
    check("", &format!("{script}[{}1]</script>", "1,".repeat(1000)));
    let place = r#"{"@type":"Place","address":["a","b"]},"#;
    check("", &format!("{script}[{}1]</script>", place.repeat(1000)));
}

#[test]
fn stated_places_are_bounded() {
    check("<b itemscope>", "<i itemprop=name>x");
    check("", "<p class='h-card p-name'>a</p>");
    check("", "XPMH+G4 ");
    let codes = (2..9).flat_map(|a| (2..9).map(move |b| format!("8FVC9G{a}{b}+6X ")));
    let codes = codes.collect::<Vec<_>>().concat();
    assert_eq!(check(&codes, "x ").places.len(), 49);
}

#[test]
fn text_is_bounded() {
    let long = "wörd ".repeat(SIZE);
    let page = read(long.as_bytes());
    assert!(page.truncated.text && page.text.len() <= 4 << 20);
    read(&vec![0xff; SIZE]);
    read(&[&b"<meta charset=windows-1252>"[..], &vec![0x80; SIZE]].concat());
    read(&vec![b'x'; 5 * SIZE]);
}
