//! Where those who run a host are at home.

use core::net::IpAddr;
use std::collections::HashMap;

use gazetteer::{Gazetteer, PlaceId};

/// A list of hosts longer than this is cut.
const MOST_LINES: usize = 1_000_000;

/// Knows where those who run a host are at home.
///
/// The paper asks the registry of domain names (WHOIS). Registries hardly tell addresses any more;
/// whoever has a list of them can give that list. Nobody waits for an answer: who is not known yet has no
/// places.
pub trait RegistrantLocator: Send + Sync {
    /// The places of whoever runs the host.
    fn locate(&self, host: &str) -> Vec<PlaceId>;
}

/// Knows nothing about anybody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRegistrants;

impl RegistrantLocator for NoRegistrants {
    fn locate(&self, _: &str) -> Vec<PlaceId> {
        Vec::new()
    }
}

/// A list of domains with the places of those who run them.
#[derive(Clone, Debug, Default)]
pub struct RegistrantList {
    places: HashMap<String, Vec<PlaceId>>,
}

impl RegistrantList {
    /// Reads lines of the form `domain,place` or `domain,address,place`, the place by key or name. What is no
    /// domain or no known place is left out, so that a line of titles does no harm.
    pub fn parse(gazetteer: &Gazetteer, text: &str) -> Self {
        let mut places: HashMap<String, Vec<PlaceId>> = HashMap::new();
        for line in text.lines().take(MOST_LINES) {
            let Some((domain, place)) = line.split_once(',') else { continue };
            let domain = bare(domain.trim().trim_matches('"'));
            let place = match place.split_once(',') {
                Some((address, place)) if address.trim().parse::<IpAddr>().is_ok() => place,
                _ => place,
            };
            let place = place.trim().trim_matches('"').trim();
            if !domain.contains('.') || place.is_empty() {
                continue;
            }
            let named = || gazetteer.geocode(place, None, 1).first().map(|it| it.place.id());
            let found = gazetteer.by_key(place).map(|it| it.id()).or_else(named);
            if let Some(found) = found {
                places.entry(domain).or_default().push(found);
            }
        }
        Self { places }
    }

    /// How many domains it knows.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if it knows none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl RegistrantLocator for RegistrantList {
    fn locate(&self, host: &str) -> Vec<PlaceId> {
        let host = bare(host);
        domains(&host).find_map(|it| self.places.get(it)).cloned().unwrap_or_default()
    }
}

/// A host as it is compared: `www` says nothing about who runs it.
pub(crate) fn bare(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
}

/// The host, then every domain above it, but no top-level domain.
fn domains(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(host), |it| it.split_once('.').map(|it| it.1))
        .take_while(|it| it.contains('.'))
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, Kind, PlaceFact};

    use super::*;

    fn gazetteer() -> Gazetteer {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, parent: &str| {
            let fact = PlaceFact::new(key, kind, name).at(53.0, 8.0).within(parent);
            draft.add(Fact::Place(fact));
        };
        add("de", Kind::Country, "Germany", "world");
        add("ol", Kind::City, "Oldenburg", "de");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Gazetteer::from_bytes("small", file).expect("it was just written")
    }

    #[track_caller]
    fn check(list: &str, host: &str, expected: &[&str]) {
        let gazetteer = gazetteer();
        let found = RegistrantList::parse(&gazetteer, list).locate(host);
        let keys: Vec<_> = found.iter().map(|it| gazetteer.place(*it).key()).collect();
        assert_eq!(keys, expected);
    }

    #[test]
    fn a_domain_speaks_for_all_its_hosts() {
        let list = "domain,place\nexample.de,\"Oldenburg, Germany\"\n";
        check(list, "www.example.de", &["ol"]);
        check(list, "shop.example.de", &["ol"]);
        check(list, "example.org", &[]);
        check(list, "de", &[]);
    }

    #[test]
    fn places_are_given_by_key_or_name() {
        check("www.a.example,ol", "a.example", &["ol"]);
        check("a.example,Germany", "a.example", &["de"]);
    }

    #[test]
    fn addresses_of_the_network_may_stand_between() {
        check("host,ip,place\na.example,10.0.0.7,\"Oldenburg, Germany\"", "a.example", &["ol"]);
        check("a.example,2001:db8::1,ol", "a.example", &["ol"]);
        check("a.example,10.0.0.7,", "a.example", &[]);
    }

    #[test]
    fn what_is_no_line_does_no_harm() {
        check("a.example\n,,\n\u{0}\na.example,Nowhere at all", "a.example", &[]);
    }
}
