//! Where those are at home who registered a domain, as registries tell it (WHOIS, RFC 3912).

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use focus::RegistrantLocator;
use gazetteer::{Gazetteer, PlaceId};

/// Where it is asked which registry has a top-level domain.
const ROOT: &str = "whois.iana.org";
/// The port of the protocol.
const PORT: u16 = 43;
/// A registry that takes longer has no time for us.
const PATIENCE: Duration = Duration::from_secs(10);
/// Registries count questions and turn away who asks too often.
const PAUSE: Duration = Duration::from_secs(1);
/// An answer has a few kilobytes.
const LONGEST_ANSWER: usize = 1 << 16;
/// So many domains may wait to be asked for; what comes then is asked for when it is met again.
const MOST_WAITING: usize = 1_000;
/// So many domains are remembered, some ten megabytes.
const MOST_KNOWN: usize = 100_000;

/// A registry, or the one of every top-level domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registry {
    /// The one server that is asked, as `host` or `host:port`; nothing for that of each domain.
    pub(crate) server: Option<String>,
    /// Whether it may be in a private network.
    pub(crate) allow_private: bool,
    /// How long is waited between two questions.
    pub(crate) pause: Option<Duration>,
}

/// Knows the homes of registrants by asking their registries, one question after the other and beside
/// the crawl: who is met for the first time has no places yet.
pub(crate) struct Whois {
    known: Arc<Known>,
    questions: SyncSender<String>,
}

/// What is known of domains; nothing of those that are being asked for.
type Known = Mutex<HashMap<String, Option<Vec<PlaceId>>>>;

impl Whois {
    /// Begins to answer questions.
    pub(crate) fn start(gazetteer: &'static Gazetteer, registry: Registry) -> io::Result<Self> {
        let known: Arc<Known> = Arc::default();
        let (questions, waiting) = sync_channel(MOST_WAITING);
        let told = Arc::downgrade(&known);
        thread::Builder::new()
            .name("whois".to_owned())
            .spawn(move || answer(gazetteer, &registry, &waiting, &told))?;
        Ok(Self { known, questions })
    }
}

impl RegistrantLocator for Whois {
    fn locate(&self, host: &str) -> Vec<PlaceId> {
        // An address of numbers is nobody's domain.
        let is_address = host.ends_with(|it: char| it == ']' || it.is_ascii_digit());
        let domain = psl::domain_str(host).filter(|_| !is_address);
        let Some(domain) = domain else { return Vec::new() };
        let mut known = lock(&self.known);
        if let Some(places) = known.get(domain) {
            return places.clone().unwrap_or_default();
        }
        if known.len() < MOST_KNOWN && self.questions.try_send(domain.to_owned()).is_ok() {
            known.insert(domain.to_owned(), None);
        }
        Vec::new()
    }
}

/// A panic of somebody else cannot leave the map in disorder.
fn lock(known: &Known) -> MutexGuard<'_, HashMap<String, Option<Vec<PlaceId>>>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks for one domain after the other until nobody is left who could ask.
fn answer(
    gazetteer: &Gazetteer,
    registry: &Registry,
    waiting: &Receiver<String>,
    known: &Weak<Known>,
) {
    let mut servers: HashMap<String, Option<String>> = HashMap::new();
    while let Ok(domain) = waiting.recv() {
        // What still waits when the crawl is over interests nobody.
        if known.strong_count() == 0 {
            return;
        }
        let places = match look_up(registry, &mut servers, &domain) {
            Ok(text) => home(&text).and_then(|it| place(gazetteer, &it)).into_iter().collect(),
            Err(error) => {
                tracing::debug!(domain, %error, "no registry tells who has this domain");
                Vec::new()
            }
        };
        let Some(known) = known.upgrade() else { return };
        lock(&known).insert(domain, Some(places));
        drop(known);
        thread::sleep(registry.pause.unwrap_or(PAUSE));
    }
}

/// What the registry of a domain says about it.
fn look_up(
    registry: &Registry,
    servers: &mut HashMap<String, Option<String>>,
    domain: &str,
) -> io::Result<String> {
    if let Some(server) = &registry.server {
        return registry.ask(server, domain);
    }
    let top = domain.rsplit('.').next().unwrap_or_default();
    if !servers.contains_key(top) {
        servers.insert(top.to_owned(), referred(&registry.ask(ROOT, top)?));
    }
    let server = servers.get(top).cloned().flatten();
    let none = || io::Error::other(format!("nobody says which registry has .{top}"));
    registry.ask(&server.ok_or_else(none)?, domain)
}

impl Registry {
    /// Puts a question to a server. The address is looked at before anybody connects to it.
    fn ask(&self, server: &str, question: &str) -> io::Result<String> {
        let has_port = server.rsplit_once(':').is_some_and(|it| it.1.parse::<u16>().is_ok());
        let server = if has_port { server.to_owned() } else { format!("{server}:{PORT}") };
        let is_allowed = |ip| self.allow_private || fetch::is_public(ip);
        let address = server.to_socket_addrs()?.find(|it| is_allowed(it.ip()));
        let refused = || io::Error::other(format!("{server} has no public address"));
        let mut stream = TcpStream::connect_timeout(&address.ok_or_else(refused)?, PATIENCE)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(format!("{question}\r\n").as_bytes())?;
        // Whoever sends a byte now and then has no more time than others.
        let end = Instant::now() + PATIENCE;
        let mut answer = Vec::new();
        let mut piece = [0; 4096];
        while answer.len() < LONGEST_ANSWER {
            let left = end.saturating_duration_since(Instant::now());
            stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
            match stream.read(&mut piece)? {
                0 => break,
                length => answer.extend_from_slice(&piece[..length]),
            }
            if left.is_zero() {
                return Err(io::Error::from(io::ErrorKind::TimedOut));
            }
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// The registry that an answer of the root refers to.
fn referred(text: &str) -> Option<String> {
    let server = fields(text).find(|(name, _)| matches!(name.as_str(), "refer" | "whois"))?.1;
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
    server.chars().all(is_name).then(|| server.to_ascii_lowercase())
}

/// City and country of whoever runs a domain: of the administrative contact, else of the registrant.
fn home(text: &str) -> Option<String> {
    let of = |who: Contact| {
        let mut city = None;
        let mut country = None;
        for (_, name, value) in contacts(text).filter(|it| it.0 == who) {
            match name.as_str() {
                "city" => city = city.or(Some(value)),
                "country" | "countrycode" | "country code" => country = country.or(Some(value)),
                _ => {}
            }
        }
        match (city, country) {
            (Some(city), Some(country)) => Some(format!("{city}, {country}")),
            (city, _) => city.map(str::to_owned),
        }
    };
    of(Contact::Admin).or_else(|| of(Contact::Registrant))
}

fn place(gazetteer: &Gazetteer, home: &str) -> Option<PlaceId> {
    // Many registries tell nothing, in words that would be taken for a place.
    let found = gazetteer.geocode(home, None, 1).into_iter().next()?;
    found.notes.is_empty().then(|| found.place.id())
}

/// Whose address it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contact {
    Admin,
    Registrant,
    Other,
}

impl Contact {
    fn of(words: &str) -> Self {
        match words {
            it if it.starts_with("admin") => Self::Admin,
            it if it.starts_with("registrant") || it.starts_with("holder") => Self::Registrant,
            _ => Self::Other,
        }
    }
}

/// The fields of all contacts, without the contact's name. Registries write `Admin City: Patras`, or
/// `[Admin-C]` with `City: Patras` under it.
fn contacts(text: &str) -> impl Iterator<Item = (Contact, String, &str)> {
    let mut section = Contact::Other;
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(title) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = Contact::of(&title.to_ascii_lowercase());
            return None;
        }
        let (name, value) = field(line)?;
        match name.split_once(' ') {
            Some((who, rest)) if Contact::of(who) != Contact::Other => {
                Some((Contact::of(who), rest.to_owned(), value))
            }
            _ => Some((section, name, value)),
        }
    })
}

fn fields(text: &str) -> impl Iterator<Item = (String, &str)> {
    text.lines().filter_map(|it| field(it.trim()))
}

/// A line of the form `Name: value`, the name in small letters.
fn field(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.split_once(':')?;
    let value = value.trim();
    (!value.is_empty()).then(|| (name.trim().to_ascii_lowercase(), value))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    use proptest::prelude::*;

    use super::*;

    const ADMIN: &str = "Domain Name: HOTEL.EXAMPLE\nRegistrant City: Lisbon\nRegistrant Country: PT\n\
                         Admin Name: A. Person\nAdmin City: Patras\nAdmin Country: GR\nTech City: Paris\n";
    const SECTIONS: &str = "Domain: hotel.example\n[Tech-C]\nCity: Paris\n\n[Admin-C]\nType: PERSON\n\
                            City: Oldenburg\nCountryCode: DE\nChanged: 2020\n";

    #[test]
    fn the_administrative_contact_is_at_home_there() {
        assert_eq!(home(ADMIN).as_deref(), Some("Patras, GR"));
        assert_eq!(home(SECTIONS).as_deref(), Some("Oldenburg, DE"));
        assert_eq!(home("Registrant City: Lisbon\n").as_deref(), Some("Lisbon"));
        assert_eq!(home("Registrant City: \nTech City: Paris\n% admin city: none\n"), None);
    }

    #[test]
    fn the_root_refers_to_a_registry() {
        assert_eq!(
            referred("domain: DE\nwhois:   whois.denic.example\n").as_deref(),
            Some("whois.denic.example")
        );
        assert_eq!(referred("refer: 127.0.0.1/x\n"), None);
        assert_eq!(referred("domain: XX\n"), None);
    }

    /// A registry on loopback that says the same about every domain.
    fn registry(text: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it listens").to_string();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut question = String::new();
                let mut reader = BufReader::new(&stream);
                reader.read_line(&mut question).expect("a question");
                assert!(question.ends_with("hotel.example\r\n"), "{question}");
                (&stream).write_all(text.as_bytes()).expect("somebody listens");
            }
        });
        address
    }

    #[test]
    fn who_is_met_again_has_a_home() {
        let gazetteer = world::gazetteer();
        let registry = Registry {
            server: Some(registry(ADMIN)),
            allow_private: true,
            pause: Some(Duration::ZERO),
        };
        let whois = Whois::start(gazetteer, registry).expect("a thread");
        assert!(whois.locate("www.hotel.example").is_empty());
        let end = Instant::now() + 2 * PATIENCE;
        let mut places = Vec::new();
        while places.is_empty() && Instant::now() < end {
            thread::yield_now();
            places = whois.locate("hotel.example");
        }
        let keys: Vec<_> = places.iter().map(|it| gazetteer.place(*it).key().to_owned()).collect();
        assert_eq!(keys, ["gn:255683"], "Patras");
        assert!(whois.locate("10.1.2.3").is_empty());
        assert_eq!(lock(&whois.known).len(), 1, "an address of numbers is not asked for");
    }

    #[test]
    fn a_home_that_is_not_told_is_no_place() {
        let gazetteer = world::gazetteer();
        for home in ["REDACTED FOR PRIVACY", "Not Disclosed, DE", "REDACTED FOR PRIVACY, US"] {
            assert_eq!(place(gazetteer, home), None, "{home}");
        }
        assert!(place(gazetteer, "Oldenburg, DE").is_some());
    }

    #[test]
    fn a_registry_in_a_private_network_is_not_asked() {
        let registry = Registry { server: Some("127.0.0.1:9".to_owned()), ..Registry::default() };
        let told = registry.ask("127.0.0.1:9", "hotel.example").expect_err("it is private");
        assert_eq!(told.to_string(), "127.0.0.1:9 has no public address");
    }

    proptest! {
        #[test]
        fn any_answer_is_survived(text in "([a-zA-Z\\[\\]-]{0,12}[: ]{0,2}\\PC{0,12}\n){0,20}") {
            home(&text);
            referred(&text);
        }
    }
}
