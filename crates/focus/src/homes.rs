//! Where hosts are at home, by the addresses on the pages that tell who runs them.

use std::collections::BTreeMap;

use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Geoparser, Hints};
use page::Page;
use url::Url;

use crate::registrant::bare;

/// So many hosts are remembered with where they are at home.
const MOST_HOSTS: usize = 50_000;
/// A page with more addresses is a list of others.
const MOST_HOMES: usize = 2;
/// Words in a URL or a title by which people find out who runs a site.
const IMPRINT: [&str; 20] = [
    "imprint",
    "impressum",
    "contact",
    "contacts",
    "contactus",
    "kontakt",
    "kontakte",
    "contacto",
    "contactos",
    "contatti",
    "contato",
    "colofon",
    "colophon",
    "yhteystiedot",
    "kapcsolat",
    "kontakty",
    "iletisim",
    "anfahrt",
    "mentions-legales",
    "legal-notice",
];

/// Where hosts are at home, by the addresses on their contact pages.
#[derive(Debug, Default)]
pub(crate) struct Homes(BTreeMap<String, Vec<PlaceId>>);

impl Homes {
    /// Where a host, without `www`, is at home.
    pub(crate) fn of(&self, host: &str) -> &[PlaceId] {
        self.0.get(host).map_or(&[], Vec::as_slice)
    }

    /// Learns from the addresses of a contact page where its host is at home.
    pub(crate) fn learn(
        &mut self,
        geoparser: &Geoparser<'_>,
        hints: &Hints,
        url: &Url,
        page: &Page,
    ) {
        let host = bare(url.host_str().unwrap_or_default());
        let is_known = self.0.contains_key(&host);
        if host.is_empty() || (!is_known && self.0.len() >= MOST_HOSTS) || !tells_who(url, page) {
            return;
        }
        let addresses = geoparser.addresses().find(&page.text, hints);
        let mut places: Vec<_> = addresses
            .iter()
            .filter(|it| it.is_full())
            .filter_map(|it| it.position)
            .map(|it| it.city.unwrap_or(it.place))
            .collect();
        places.dedup();
        if (1..=MOST_HOMES).contains(&places.len()) {
            self.0.insert(host, places);
        }
    }

    /// A line for each host, with the keys of its places.
    pub(crate) fn write(&self, gazetteer: &Gazetteer) -> String {
        let mut text = String::new();
        for (host, places) in &self.0 {
            let keys: Vec<_> = places.iter().map(|it| gazetteer.place(*it).key()).collect();
            text += &format!("{host}\t{}\n", keys.join("\t"));
        }
        text
    }

    /// Takes in what was written.
    pub(crate) fn read(&mut self, gazetteer: &Gazetteer, text: &str) {
        for line in text.lines().take(MOST_HOSTS) {
            let mut parts = line.split('\t');
            let host = parts.next().unwrap_or_default();
            let places = parts.filter_map(|it| gazetteer.by_key(it).map(|it| it.id()));
            let places: Vec<_> = places.take(MOST_HOMES).collect();
            if !places.is_empty() {
                self.0.insert(host.to_owned(), places);
            }
        }
    }
}

/// Whether a page is one that tells who runs its site.
fn tells_who(url: &Url, page: &Page) -> bool {
    let path = url.path().to_lowercase();
    let title = page.title.to_lowercase();
    let has_word = |text: &str| {
        text.split(|it: char| !it.is_alphanumeric() && it != '-').any(|it| IMPRINT.contains(&it))
    };
    has_word(&path) || has_word(&title)
}

#[cfg(test)]
mod tests {
    use page::Response;

    use super::*;

    #[test]
    fn a_contact_page_is_known_by_its_url_or_its_title() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        let page =
            |title: &str| page::read(&Response::new(format!("<title>{title}</title>").as_bytes()));
        assert!(tells_who(&url("http://a.example/de/impressum.html"), &page("")));
        assert!(tells_who(&url("http://a.example/17"), &page("Kontakt | Example")));
        assert!(!tells_who(&url("http://a.example/news"), &page("News")));
    }
}
