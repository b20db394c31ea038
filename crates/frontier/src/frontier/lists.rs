//! What lists have named, and which of them came to no end.

use redb::ReadableTable;

use super::Frontier;
use crate::error::Error;
use crate::host::HostId;
use crate::link::LinkId;
use crate::store::{LISTED, UNFINISHED};

impl Frontier {
    /// How many links of a host lists have named before a page did.
    pub fn listed(&self, host: HostId) -> Result<u64, Error> {
        let table = self.batch()?.open_table(LISTED)?;
        Ok(table.get(host.0)?.map_or(0, |it| it.value()))
    }

    /// Lists have named so many links more of a host.
    pub fn add_listed(&mut self, host: HostId, more: u64) -> Result<(), Error> {
        let listed = self.listed(host)?.saturating_add(more);
        self.batch()?.open_table(LISTED)?.insert(host.0, listed)?;
        Ok(())
    }

    /// The rest of a list was left out, for want of room at a host.
    pub fn set_unfinished(&mut self, host: HostId, list: LinkId) -> Result<(), Error> {
        self.batch()?.open_table(UNFINISHED)?.insert((host.0, list.0), ())?;
        Ok(())
    }

    /// The first of the lists whose rest was left out, for want of room at a host.
    pub fn first_unfinished(&self, host: HostId) -> Result<Option<LinkId>, Error> {
        let table = self.batch()?.open_table(UNFINISHED)?;
        let first = table.range((host.0, 0)..=(host.0, u64::MAX))?.next().transpose()?;
        Ok(first.map(|it| LinkId(it.0.value().1)))
    }

    /// A list is no longer one whose rest was left out.
    pub fn forget_unfinished(&mut self, host: HostId, list: LinkId) -> Result<(), Error> {
        self.batch()?.open_table(UNFINISHED)?.remove((host.0, list.0))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::courtesy::Courtesy;
    use crate::frontier::Settings;

    use super::*;

    fn open(file: &Path) -> Frontier {
        let courtesy = Arc::new(Courtesy::default());
        Frontier::open(file, Settings::default(), courtesy).expect("it opens")
    }

    #[test]
    fn what_lists_have_named_is_there_after_a_commit_and_not_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("frontier.redb");
        let (one, other) = (HostId(1), HostId(2));
        let mut frontier = open(&file);
        frontier.add_listed(one, 3).expect("it is counted");
        frontier.add_listed(one, 4).expect("it is counted");
        for list in [9, 7] {
            frontier.set_unfinished(one, LinkId(list)).expect("it is noted");
        }
        frontier.commit().expect("it is written");
        frontier.add_listed(other, 5).expect("it is counted");
        frontier.forget_unfinished(one, LinkId(7)).expect("it is forgotten");
        assert_eq!(frontier.first_unfinished(one).expect("it works"), Some(LinkId(9)));
        drop(frontier);
        let frontier = open(&file);
        assert_eq!([one, other].map(|it| frontier.listed(it).expect("it works")), [7, 0]);
        assert_eq!(frontier.first_unfinished(one).expect("it works"), Some(LinkId(7)));
        assert_eq!(frontier.first_unfinished(HostId(0)).expect("it works"), None);
    }
}
