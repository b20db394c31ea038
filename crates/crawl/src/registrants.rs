//! Who tells where those are at home who run hosts.

use std::path::PathBuf;
use std::sync::Arc;

use focus::{NoRegistrants, RegistrantList, RegistrantLocator};
use gazetteer::Gazetteer;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::whois::{Registry, Whois};

/// Who tells where those are at home who run hosts: `"imprint"` for their contact pages alone, `"none"` for
/// nobody, `"whois"` for the registry of each domain as well, `"whois:host:port"` for one registry, anything
/// else for a file with lines of `domain,place` or `domain,address,place`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Registrants {
    /// Nobody.
    Nobody,
    /// The contact pages of hosts, and nobody else.
    Imprint,
    /// A file.
    File(PathBuf),
    /// Registries, or the one that is named.
    Whois(Option<String>),
}

impl From<String> for Registrants {
    fn from(text: String) -> Self {
        match text.strip_prefix("whois") {
            None if text == "none" => Self::Nobody,
            None if text == "imprint" => Self::Imprint,
            Some("") => Self::Whois(None),
            Some(rest) if rest.starts_with(':') => Self::Whois(Some(rest[1..].to_owned())),
            _ => Self::File(text.into()),
        }
    }
}

impl From<Registrants> for String {
    fn from(registrants: Registrants) -> Self {
        match registrants {
            Registrants::Nobody => "none".to_owned(),
            Registrants::Imprint => "imprint".to_owned(),
            Registrants::File(path) => path.to_string_lossy().into_owned(),
            Registrants::Whois(None) => "whois".to_owned(),
            Registrants::Whois(Some(server)) => format!("whois:{server}"),
        }
    }
}

impl Registrants {
    /// The file, if it is one.
    pub(crate) fn file(&mut self) -> Option<&mut PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Nobody | Self::Imprint | Self::Whois(_) => None,
        }
    }

    /// Somebody who knows, beside the contact pages.
    pub(crate) fn locator(
        &self,
        gazetteer: &'static Gazetteer,
        allow_private: bool,
    ) -> Result<Arc<dyn RegistrantLocator>, Error> {
        match self {
            Self::Nobody | Self::Imprint => Ok(Arc::new(NoRegistrants)),
            Self::File(path) => {
                let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
                Ok(Arc::new(RegistrantList::parse(gazetteer, &text)))
            }
            Self::Whois(server) => {
                let registry =
                    Registry { server: server.clone(), allow_private, ..Registry::default() };
                let whois = Whois::start(gazetteer, registry).map_err(Error::file("whois"))?;
                Ok(Arc::new(whois))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_no_file() {
        let check = |text: &str, expected: Registrants| {
            let found = Registrants::from(text.to_owned());
            assert_eq!(found, expected);
            assert_eq!(String::from(found), text);
        };
        check("none", Registrants::Nobody);
        check("imprint", Registrants::Imprint);
        check("nonesuch.csv", Registrants::File("nonesuch.csv".into()));
        check("whois", Registrants::Whois(None));
        check("whois:localhost:4343", Registrants::Whois(Some("localhost:4343".to_owned())));
        check("whoiswho.csv", Registrants::File("whoiswho.csv".into()));
        check("lists/homes.csv", Registrants::File("lists/homes.csv".into()));
    }
}
