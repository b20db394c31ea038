//! Which gazetteer is asked: the embedded one, or a file of one's own.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use gazetteer::Gazetteer;

/// Which gazetteer is asked.
#[derive(Args, Clone)]
pub(crate) struct Choice {
    /// A gazetteer file of your own instead of the embedded one.
    #[arg(long = "gazetteer", value_name = "FILE", env = "STRABO_GAZETTEER", global = true)]
    file: Option<OsString>,
}

/// A gazetteer, wherever it lies.
pub(crate) enum Opened {
    Embedded(&'static Gazetteer),
    File(Box<Gazetteer>),
}

impl Choice {
    pub(crate) fn open(&self) -> Result<Opened> {
        match self.file.as_ref().filter(|it| !it.is_empty()) {
            Some(path) => Ok(Opened::File(Box::new(Gazetteer::open(Path::new(path))?))),
            None => Ok(Opened::Embedded(world::gazetteer())),
        }
    }
}

impl Opened {
    /// The gazetteer for as long as the program runs.
    pub(crate) fn forever(self) -> &'static Gazetteer {
        match self {
            Self::Embedded(gazetteer) => gazetteer,
            Self::File(gazetteer) => Box::leak(gazetteer),
        }
    }
}

impl std::ops::Deref for Opened {
    type Target = Gazetteer;

    fn deref(&self) -> &Gazetteer {
        match self {
            Self::Embedded(gazetteer) => gazetteer,
            Self::File(gazetteer) => gazetteer,
        }
    }
}
