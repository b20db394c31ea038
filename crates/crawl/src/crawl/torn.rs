//! When a panic ends a visit: how much of the crawl is whole then.

use std::sync::atomic::{AtomicBool, Ordering};

use frontier::Taken;

use super::Shared;
use crate::error::Error;
use crate::mishap;

/// Somebody deals with an answer that is in the archive. Whoever is dropped by a panic leaves word of it.
pub(super) struct Dealing<'a>(&'a AtomicBool);

impl Drop for Dealing<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl Shared {
    /// An answer is being dealt with, as long as the result is kept.
    pub(super) fn dealing(&self) -> Dealing<'_> {
        Dealing(&self.is_broken)
    }

    /// Whether a panic has left frontier, strategy, log or archive in the middle of something: then nothing is to be
    /// committed any more.
    pub(super) fn is_torn(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
            || self.desk.is_poisoned()
            || self.keeper.is_poisoned()
    }

    /// A visit ended by a panic. If it had come to nobody's hands yet the link alone is given up, and the crawl goes
    /// on; otherwise it has to be opened again.
    pub(super) fn broke_off(&self, taken: &Taken) -> Result<(), Error> {
        if self.is_torn() {
            return Err(Error::torn());
        }
        let url = &taken.entry.url;
        tracing::error!(%url, "the visit broke off: this is an error of the program");
        self.counters.error(mishap::CLASS);
        let mut desk = self.desk();
        desk.was_asked(taken.entry.host);
        Ok(desk.frontier.finish(taken.id, mishap::outcome(), self.clock.now())?)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use frontier::{Link, Next, State};
    use url::Url;

    use crate::crawl::Crawl;
    use crate::surroundings::Surroundings;
    use crate::task::Task;

    fn url(path: &str) -> Url {
        Url::parse("http://a.example/").and_then(|it| it.join(path)).expect("a URL")
    }

    fn open(folder: &tempfile::TempDir) -> Crawl {
        let task = Task {
            seeds: vec![url("/").into()],
            contact: Some("crawler@example.org".to_owned()),
            strategy: "broad".to_owned(),
            ..Task::default()
        };
        let around = Surroundings::new(folder.path(), world::gazetteer());
        Crawl::open(task, None, &around).expect("it opens")
    }

    fn panicking(work: impl FnOnce()) {
        catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
    }

    #[test]
    fn what_a_panic_has_left_by_half_is_not_written_down() {
        let folder = tempfile::tempdir().expect("a folder");
        let crawl = open(&folder);
        panicking(|| {
            let mut desk = crawl.shared.desk();
            let link = Link::seed(url("/half"));
            desk.frontier.add(&[link], false, crawl.now()).expect("it is added");
            panic!("in the middle of something");
        });
        for is_end in [false, true] {
            let told = crawl.shared.commit(is_end).expect_err("it is torn").to_string();
            assert!(told.contains("start it again"), "{told}");
        }
        drop(crawl);
        let crawl = open(&folder);
        let is_known = |path| crawl.frontier(|it| it.find(&url(path)).expect("it works")).is_some();
        assert!(is_known("/") && !is_known("/half"));
    }

    #[test]
    fn a_link_whose_visit_panics_before_there_is_an_answer_is_given_up_and_the_crawl_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let crawl = open(&folder);
        let next = crawl.frontier(|it| it.next(crawl.now())).expect("it works");
        let Next::Link(taken) = next else { panic!("there is a link: {next:?}") };
        crawl.shared.broke_off(&taken).expect("the crawl goes on");
        let entry = crawl.frontier(|it| it.entry(taken.id)).expect("it is known");
        assert_eq!(entry.state, State::Dropped("an error of the program".to_owned()));
        assert_eq!(crawl.frontier(|it| it.in_work()), 0);
        crawl.shared.commit(false).expect("it is whole");
    }

    #[test]
    fn a_panic_between_an_answer_and_what_comes_of_it_ends_the_crawl() {
        let folder = tempfile::tempdir().expect("a folder");
        let crawl = open(&folder);
        let next = crawl.frontier(|it| it.next(crawl.now())).expect("it works");
        let Next::Link(taken) = next else { panic!("there is a link: {next:?}") };
        panicking(|| {
            let _dealing = crawl.shared.dealing();
            panic!("in the middle of something");
        });
        crawl.shared.broke_off(&taken).expect_err("it is to be opened again");
        crawl.shared.commit(false).expect_err("it is torn");
    }
}
