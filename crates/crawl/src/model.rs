//! What a strategy has learned, as it is kept with a crawl and taken over by another.

use std::path::{Path, PathBuf};

use focus::Strategy;
use frontier::Frontier;

use crate::error::Error;
use crate::task::Task;

/// The facts of a frontier that hold the model, the name of the strategy that learned it, and what the
/// crawl looked for then.
const MODEL: &str = "model";
const STRATEGY: &str = "strategy";
const AIM: &str = "aim";

/// Keeps with the crawl what its strategy has learned, if it learns.
pub(crate) fn keep(
    frontier: &mut Frontier,
    aim: &str,
    strategy: &dyn Strategy,
) -> Result<(), Error> {
    if let Some(model) = strategy.model() {
        frontier.set_fact(MODEL, &model)?;
        frontier.set_fact(STRATEGY, strategy.name().as_bytes())?;
        frontier.set_fact(AIM, aim.as_bytes())?;
    }
    Ok(())
}

/// What a task looks for, to know whether that has changed.
pub(crate) fn aim(task: &Task) -> String {
    format!("{:?} {:?}", task.region, task.topic)
}

/// Recalls what the crawl has learned so far, or what the crawl has learned with which it is to begin.
pub(crate) fn recall(
    frontier: &Frontier,
    task: &Task,
    strategy: &mut dyn Strategy,
) -> Result<(), Error> {
    if let Some(model) = frontier.fact(MODEL)? {
        // One that was learned by another strategy, before the task was changed, is of no use.
        let learner = frontier.fact(STRATEGY)?;
        if learner.is_some_and(|it| it != strategy.name().as_bytes()) {
            return Ok(());
        }
        // What was relevant for another region may not be so for this one.
        let is_same = frontier.fact(AIM)?.is_none_or(|it| it == aim(task).as_bytes());
        let is_read = if is_same { strategy.recall(&model) } else { strategy.take_over(&model) };
        if !is_read {
            tracing::warn!("what was learned has another form: it is learned anew");
        }
        return Ok(());
    }
    task.warm_from.as_ref().map_or(Ok(()), |place| take_over(place, strategy))
}

/// Begins with what another crawl has learned.
fn take_over(place: &Path, strategy: &mut dyn Strategy) -> Result<(), Error> {
    let wrong = |reason: String| Error::WarmStart { place: place.to_owned(), reason };
    let file = file(place).ok_or_else(|| {
        wrong("there is no crawl: name its folder, such as strabo-data/tasks/NAME".to_owned())
    })?;
    let learner = Frontier::fact_of(&file, STRATEGY)?;
    let learner = learner.map(|it| String::from_utf8_lossy(&it).into_owned());
    let model = Frontier::fact_of(&file, MODEL)?;
    let (Some(learner), Some(model)) = (learner, model) else {
        return Err(wrong("it has learned nothing: let it run with a strategy that learns".into()));
    };
    if learner != strategy.name() {
        return Err(wrong(format!(
            "it has learned with the strategy \"{learner}\" and this crawl has \"{}\": take the same",
            strategy.name()
        )));
    }
    if !strategy.take_over(&model) {
        return Err(wrong("another version of the program has learned it: begin without".into()));
    }
    tracing::info!(from = %place.display(), "the crawl begins with what another has learned");
    Ok(())
}

/// The frontier of a crawl that is named by its folder, or by the folder of data and its name.
fn file(place: &Path) -> Option<PathBuf> {
    let by_name = place.parent().zip(place.file_name());
    let by_name = by_name.map(|(data, name)| data.join("tasks").join(name));
    let folders = [Some(place.to_owned()), by_name];
    let files = folders.into_iter().flatten().map(|it| it.join("frontier.redb"));
    files.into_iter().find(|it| it.is_file())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use focus::Aim;
    use frontier::{Courtesy, Settings};

    use super::*;

    fn strategy(name: &str) -> Box<dyn Strategy> {
        focus::named(name, &Aim::default()).expect("there is one")
    }

    fn open(folder: &Path) -> Frontier {
        std::fs::create_dir_all(folder).expect("a folder");
        let file = folder.join("frontier.redb");
        Frontier::open(&file, Settings::default(), Arc::new(Courtesy::default())).expect("it opens")
    }

    /// A crawl with the strategy `new` begins with a crawl that had the strategy `old`.
    #[track_caller]
    fn check(old: &str, new: &str, expected: Result<(), &str>) {
        let data = tempfile::tempdir().expect("a folder");
        let mut frontier = open(&data.path().join("tasks/old"));
        keep(&mut frontier, "", strategy(old).as_ref()).expect("it is kept");
        frontier.commit().expect("it is written");
        drop(frontier);
        for place in ["old", "tasks/old"] {
            let told = take_over(&data.path().join(place), strategy(new).as_mut());
            match (told, expected) {
                (Ok(()), Ok(())) => {}
                (Err(told), Err(expected)) => {
                    assert!(told.to_string().contains(expected), "{told}");
                }
                (told, _) => panic!("{told:?}"),
            }
        }
    }

    #[test]
    fn a_crawl_begins_with_what_one_of_its_kind_has_learned() {
        check("best", "best", Ok(()));
        check("adaptive", "adaptive", Ok(()));
        check("adaptive", "best", Err("the strategy \"adaptive\" and this crawl has \"best\""));
        check("broad", "broad", Err("it has learned nothing"));
    }

    /// What a strategy was told to do with a model.
    #[derive(Default)]
    struct Learner(&'static str);

    impl Strategy for Learner {
        fn name(&self) -> &'static str {
            "learner"
        }

        fn value(
            &mut self,
            _: &focus::Source<'_>,
            _: &[focus::Candidate<'_>],
        ) -> Vec<focus::Value> {
            Vec::new()
        }

        fn explain(&self, _: &focus::Value, _: u16) -> Vec<String> {
            Vec::new()
        }

        fn model(&self) -> Option<Vec<u8>> {
            Some(Vec::new())
        }

        fn recall(&mut self, _: &[u8]) -> bool {
            self.0 = "recalled";
            true
        }

        fn take_over(&mut self, _: &[u8]) -> bool {
            self.0 = "taken over";
            true
        }
    }

    #[test]
    fn a_crawl_that_looks_for_something_else_begins_as_another_one() {
        let data = tempfile::tempdir().expect("a folder");
        let mut frontier = open(data.path());
        let task = |region: &str| Task { region: vec![region.to_owned()], ..Task::default() };
        keep(&mut frontier, &aim(&task("Bremen")), &Learner::default()).expect("it is kept");
        for (region, expected) in [("Bremen", "recalled"), ("Oldenburg", "taken over")] {
            let mut learner = Learner::default();
            recall(&frontier, &task(region), &mut learner).expect("it is there");
            assert_eq!(learner.0, expected);
        }
    }

    #[test]
    fn a_crawl_that_is_not_there_is_told() {
        let data = tempfile::tempdir().expect("a folder");
        let told = take_over(&data.path().join("old"), strategy("best").as_mut());
        let told = told.expect_err("there is none").to_string();
        assert!(told.contains("there is no crawl: name its folder"), "{told}");
    }

    #[test]
    fn what_the_crawl_has_learned_itself_comes_first() {
        let data = tempfile::tempdir().expect("a folder");
        let mut frontier = open(data.path());
        let task = Task { warm_from: Some("nowhere".into()), ..Task::default() };
        assert!(recall(&frontier, &task, strategy("best").as_mut()).is_err());
        keep(&mut frontier, &aim(&task), strategy("best").as_ref()).expect("it is kept");
        recall(&frontier, &task, strategy("best").as_mut()).expect("its own is there");
        recall(&frontier, &task, strategy("adaptive").as_mut()).expect("nothing is recalled");
    }
}
