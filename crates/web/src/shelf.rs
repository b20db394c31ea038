//! The shelf: the generation that answers now, and the watch for a newer one.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use gazetteer::Gazetteer;
use index::{Generation, Library};
use query::Parser;

use crate::error::Error;

/// So often the shelf looks whether another generation has become current.
const LOOK: Duration = Duration::from_millis(500);

/// The generation that answers now.
pub struct Shelf {
    library: Library,
    gazetteer: &'static Gazetteer,
    parser: Parser<'static>,
    current: ArcSwap<Generation>,
}

impl Shelf {
    /// Opens the current generation of a library. Where there is none yet, the shelf is empty until there is one.
    pub fn open(library: Library, gazetteer: &'static Gazetteer) -> Result<Arc<Self>, Error> {
        let current = match library.open(gazetteer) {
            Err(index::Error::NoIndex(_)) => Generation::blank(gazetteer),
            opened => opened?,
        };
        let current = ArcSwap::from_pointee(current);
        Ok(Arc::new(Self { library, gazetteer, parser: Parser::new(gazetteer), current }))
    }

    /// The generation that answers now. Who holds it keeps it, whatever becomes current meanwhile.
    pub fn generation(&self) -> Arc<Generation> {
        self.current.load_full()
    }

    /// Where its generations come from.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// The gazetteer.
    pub fn gazetteer(&self) -> &'static Gazetteer {
        self.gazetteer
    }

    /// The reader of queries.
    pub fn parser(&self) -> &Parser<'static> {
        &self.parser
    }

    /// Takes the current generation of the library, if it is another one; tells whether it was.
    ///
    /// It is opened before anybody is sent there.
    pub fn refresh(&self) -> Result<bool, Error> {
        // An index that was removed and built anew has the same number and another time.
        let current = self.current.load();
        let next = match self.library.manifest() {
            Err(index::Error::NoIndex(_)) if current.is_blank() => return Ok(false),
            read => read?,
        };
        let (number, made) = (next.number, next.made);
        if (number, made) == (current.manifest.number, current.manifest.made) {
            return Ok(false);
        }
        let next = self.library.open(self.gazetteer)?;
        tracing::info!(generation = number, documents = next.documents(), "new generation");
        self.current.store(Arc::new(next));
        Ok(true)
    }

    /// Looks for a newer generation from time to time, on a thread of its own, as long as the shelf is in use.
    pub fn watch(self: &Arc<Self>) {
        let watched = Arc::downgrade(self);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(LOOK);
                let Some(held) = watched.upgrade() else { return };
                if let Err(error) = held.refresh() {
                    tracing::warn!(%error, "the new generation cannot be used; the old one stays");
                }
            }
        });
    }
}
