//! What is known about a page before its text is read.

use gazetteer::{Gazetteer, Kind, PlaceId};

use crate::name::{Bearer, Within, bearer};
use crate::spherical::Spherical;

/// What is known about a page before its text is read. Nothing, by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hints {
    /// The language, as a two-letter code.
    pub language: Option<String>,
    /// The country of the site by its two letters: that of its top-level domain, say.
    pub country: Option<String>,
    /// Where the site is at home: the place of its own address, or the one most of its pages are about.
    pub home: Option<PlaceId>,
    /// Places that the page is surely about, such as those of its addresses.
    pub anchors: Vec<PlaceId>,
}

impl Hints {
    /// What a host tells: `example.co.uk` is British.
    pub fn of_host(host: &str) -> Self {
        let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
        let is_code = last.len() == 2 && last.bytes().all(|it| it.is_ascii_alphabetic());
        let country = match last.to_ascii_lowercase().as_str() {
            "uk" => Some("GB".to_owned()),
            code if is_code && !SOLD.contains(&code) && host.contains('.') => {
                Some(code.to_ascii_uppercase())
            }
            _ => None,
        };
        Self { country, ..Self::default() }
    }

    /// What a URL tells: the country of its host.
    pub fn of_url(url: &str) -> Self {
        let rest = url.split_once("://").map_or(url, |it| it.1);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host =
            authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
        Self::of_host(host)
    }
}

/// Country codes that are sold to the whole world for their looks, and the one of Europe.
const SOLD: [&str; 21] = [
    "ac", "ag", "ai", "am", "cc", "co", "eu", "fm", "gg", "im", "io", "la", "me", "nu", "sh", "st",
    "to", "tv", "vc", "ws", "ly",
];

/// The hints, looked up.
pub(crate) struct Home {
    country: Option<PlaceId>,
    site: Option<(PlaceId, Spherical, Within)>,
    anchors: Vec<(PlaceId, Spherical)>,
}

impl Home {
    pub(crate) fn of(gazetteer: &Gazetteer, hints: &Hints) -> Self {
        let look_up = |id: PlaceId| bearer(gazetteer, id, gazetteer::NameClass::Main, "");
        let site = hints.home.map(look_up).map(|it| (it.place, it.spherical, it.within));
        Self {
            country: hints.country.as_deref().and_then(|it| country(gazetteer, it)),
            site,
            anchors: hints
                .anchors
                .iter()
                .map(|it| (*it, Spherical::of(gazetteer.place(*it).point())))
                .collect(),
        }
    }

    /// How much a place is at home here, 0 to 1.
    pub(crate) fn nearness(&self, bearer: &Bearer) -> f32 {
        let is_in = |place: PlaceId| bearer.place == place || bearer.within.has(place);
        let country: f32 = self.country.filter(|it| is_in(*it)).map_or(0.0, |_| 0.4);
        let site = self.site.as_ref().map_or(0.0, |(place, at, within)| {
            let shared = within.iter().find(|(holder, _)| is_in(*holder)).map_or(
                0.0,
                |(_, kind)| match kind {
                    Kind::Country => 0.3,
                    Kind::Region => 0.6,
                    _ => 0.8,
                },
            );
            if is_in(*place) { 1.0 } else { at.nearness(bearer.spherical).max(shared) }
        });
        let anchors = self
            .anchors
            .iter()
            .map(|(place, at)| if is_in(*place) { 1.0 } else { at.nearness(bearer.spherical) });
        anchors.fold(country.max(site), f32::max)
    }
}

/// The country with these two letters.
fn country(gazetteer: &Gazetteer, code: &str) -> Option<PlaceId> {
    let is_it = |place: &gazetteer::Place<'_>| {
        place.kind() == Kind::Country
            && place.tag("iso2").is_some_and(|it| it.eq_ignore_ascii_case(code))
    };
    gazetteer.named(code).map(|it| it.0).find(is_it).map(|it| it.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, country: Option<&str>) {
        assert_eq!(Hints::of_url(url).country.as_deref(), country, "{url}");
    }

    #[test]
    fn the_top_level_domain_tells_the_country() {
        check("https://www.example.de/a/b.html", Some("DE"));
        check("http://user@shop.example.co.uk:8080?x=/y.fr", Some("GB"));
        check("https://EXAMPLE.FI./", Some("FI"));
    }

    #[test]
    fn many_top_level_domains_tell_nothing() {
        check("https://example.com/de", None);
        check("https://example.io", None);
        check("https://127.0.0.1/", None);
        check("de", None);
        check("", None);
    }
}
