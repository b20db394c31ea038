//! The tasks of a folder of data: what each is to do, what is wanted of it, how it went.
//!
//! Every task has a folder with a file that says what it is and one that says what is wanted of it.
//! Any process may change them; whoever runs tasks looks at them four times a second, and reads those that
//! have changed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use focus::Aim;
use gazetteer::Gazetteer;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::control::{self, Request};
use crate::ending::Ending;
use crate::error::Error;
use crate::region::region;
use crate::schedule::zone;
use crate::task::Task;
use crate::task_state::TaskState;
use crate::topic_file::topic_of;
use crate::wish::Wish;

/// A task file with a million seeds has some 100 MB.
const LARGEST: u64 = 256 << 20;
/// How often a folder is tried to be removed into which somebody writes, and how long it is waited in between.
const REMOVALS: usize = 20;
const SHORTLY: Duration = Duration::from_millis(20);

/// The tasks of a folder of data.
#[derive(Clone, Debug)]
pub struct Tasks {
    folder: PathBuf,
}

/// A task in a list.
#[derive(Debug)]
pub struct Listed {
    /// What it is called.
    pub name: String,
    /// What it is, if its file can be read.
    pub task: Result<Arc<Task>, Error>,
    /// What is wanted of it, and how it went.
    pub state: TaskState,
}

/// Task files that were read, each with what tells one version of it from another.
#[derive(Debug, Default)]
pub(crate) struct ReadBefore(HashMap<String, (Version, Arc<Task>)>);

/// When a file was changed, how long it is, and which file it is: whoever changes one writes another.
type Version = (SystemTime, u64, u64);

impl Tasks {
    /// The tasks of this folder of data.
    pub fn at(data: &Path) -> Self {
        Self { folder: data.join("tasks") }
    }

    /// The folder of a task.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Takes in a task that can be done; it runs when it is due.
    pub fn add(&self, gazetteer: &Gazetteer, task: &Task) -> Result<(), Error> {
        check(gazetteer, task)?;
        if self.file(&task.name).exists() {
            return Err(Error::Exists(task.name.clone()));
        }
        self.keep(task)?;
        self.begin(&task.name, task.timing.first(Timestamp::now(), &zone().0))
    }

    /// Puts a task in the place of one of the same name, which keeps its links.
    pub fn replace(&self, gazetteer: &Gazetteer, task: &Task) -> Result<(), Error> {
        check(gazetteer, task)?;
        self.task(&task.name)?;
        self.keep(task)
    }

    /// Writes down what a task is.
    pub fn keep(&self, task: &Task) -> Result<(), Error> {
        task.check_name()?;
        task.check_numbers()?;
        task.check_proxy()?;
        let folder = self.folder(&task.name);
        fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        write(&self.file(&task.name), task)
    }

    /// The task of this name.
    pub fn task(&self, name: &str) -> Result<Task, Error> {
        check_name(name)?;
        let path = self.file(name);
        match read(&path) {
            Ok(task) => Ok(Task { name: name.to_owned(), ..task }),
            Err(Error::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                Err(Error::NoTask { name: name.to_owned(), known: self.names()?.join(", ") })
            }
            Err(error) => Err(error),
        }
    }

    /// The task that a file describes. Its name is that of the file if it says none.
    pub fn described(path: &Path) -> Result<Task, Error> {
        let text = text(path).map_err(Error::file(path))?;
        let mut task: Task = parse(path, &text)?;
        let is_named = toml::from_str::<toml::Table>(&text).is_ok_and(|it| it.contains_key("name"));
        if let Some(name) = path.file_stem().and_then(|it| it.to_str())
            && !is_named
        {
            name.clone_into(&mut task.name);
        }
        task.check_name()?;
        let wrong = |error: Error| Error::Task { path: path.to_owned(), reason: error.to_string() };
        task.check_numbers().and_then(|()| task.check_proxy()).map_err(wrong)?;
        Ok(task)
    }

    /// All tasks with what is wanted of them, by name.
    pub fn list(&self) -> Result<Vec<Listed>, Error> {
        self.list_changed(&mut ReadBefore::default())
    }

    /// The same; files that were read before and are as they were are not read again. One with all its seeds
    /// may take a tenth of a second.
    pub(crate) fn list_changed(&self, before: &mut ReadBefore) -> Result<Vec<Listed>, Error> {
        let mut read = HashMap::new();
        let listed = self.names()?.into_iter().map(|name| {
            let version = version(&self.file(&name));
            let known = before.0.remove(&name).filter(|it| Some(it.0) == version);
            let task = known.map_or_else(|| self.task(&name).map(Arc::new), |it| Ok(it.1));
            if let (Some(version), Ok(task)) = (version, &task) {
                read.insert(name.clone(), (version, Arc::clone(task)));
            }
            let state = self.state(&name).unwrap_or_default();
            Listed { name, task, state }
        });
        let listed = listed.collect();
        before.0 = read;
        Ok(listed)
    }

    fn names(&self) -> Result<Vec<String>, Error> {
        let folder = match fs::read_dir(&self.folder) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::file(&self.folder)(error)),
        };
        let mut names: Vec<String> = folder
            .flatten()
            .filter_map(|it| it.file_name().into_string().ok())
            .filter(|it| check_name(it).is_ok() && self.file(it).exists())
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    /// What is wanted of a task, and how it went; one that nobody asked for is to stop.
    pub fn state(&self, name: &str) -> Result<TaskState, Error> {
        match read(&self.state_file(name)) {
            Err(Error::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                Ok(TaskState::default())
            }
            other => other,
        }
    }

    /// Lets a task begin now, or go on; after that its timing counts.
    pub fn start(&self, name: &str) -> Result<(), Error> {
        self.task(name)?;
        self.begin(name, Some(Timestamp::now()))
    }

    fn begin(&self, name: &str, at: Option<Timestamp>) -> Result<(), Error> {
        self.change(name, |state| {
            state.wanted = Wish::Run;
            state.error = None;
            state.next = at.map(TaskState::written);
        })?;
        self.tell(name, Wish::Run)
    }

    /// Changes what is wanted of a task. A process that runs it hears of it at once.
    pub fn want(&self, name: &str, wish: Wish) -> Result<(), Error> {
        self.task(name)?;
        self.change(name, |state| {
            state.wanted = wish;
            if wish == Wish::Run {
                state.error = None;
            }
        })?;
        self.tell(name, wish)
    }

    fn tell(&self, name: &str, wish: Wish) -> Result<(), Error> {
        // Whoever does not run need not hear it.
        control::ask(&self.folder(name), &Request::Wish { wish })?;
        Ok(())
    }

    /// Whether some process runs the task.
    pub fn is_running(&self, name: &str) -> bool {
        matches!(control::ask(&self.folder(name), &Request::Status), Ok(Some(_)))
    }

    /// Removes a task with its links; what it fetched stays in the archive.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.task(name)?;
        if self.is_running(name) {
            return Err(Error::Running(name.to_owned()));
        }
        let folder = self.folder(name);
        // First the file that makes it a task: what is left of it then is none.
        fs::remove_file(self.file(name)).map_err(Error::file(self.file(name)))?;
        remove_folder(&folder).map_err(Error::file(folder))
    }

    /// Notes that a run of a task begins beside its timing, from the command line.
    pub fn note_begin(&self, name: &str, is_new_round: bool) -> Result<(), Error> {
        self.change(name, |state| {
            if is_new_round || !state.is_in_round {
                state.began = Some(TaskState::written(Timestamp::now()));
            }
            // One that goes on with a larger budget is still the same.
            state.rounds += u64::from(is_new_round || state.rounds == 0);
            state.is_in_round = true;
            state.error = None;
        })
    }

    /// Notes how such a run ended. When the next one is due is left to the timing.
    pub fn note_end(&self, name: &str, result: Result<Ending, String>) -> Result<(), Error> {
        self.change(name, |state| {
            state.ended = Some(TaskState::written(Timestamp::now()));
            // A run that was stopped, that failed, or for which nobody could be reached, is not over.
            state.is_in_round = matches!(result, Ok(Ending::Stopped | Ending::NoNetwork) | Err(_));
            state.ending = result.as_ref().ok().copied();
            state.error = result.err();
        })
    }

    /// Changes the state of a task; whoever changes it at the same time waits.
    pub(crate) fn change(
        &self,
        name: &str,
        change: impl FnOnce(&mut TaskState),
    ) -> Result<(), Error> {
        let path = self.folder(name).join("state.lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = lock.and_then(|it| it.lock().map(|()| it)).map_err(Error::file(&path))?;
        let mut state = self.state(name)?;
        let before = state.clone();
        change(&mut state);
        let written = if state == before { Ok(()) } else { write(&self.state_file(name), &state) };
        drop(lock);
        written
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder(name).join("task.toml")
    }

    fn state_file(&self, name: &str) -> PathBuf {
        self.folder(name).join("state.toml")
    }
}

/// Whether a task can be done, as far as that can be known before.
fn check(gazetteer: &Gazetteer, task: &Task) -> Result<(), Error> {
    task.check_name()?;
    task.check_numbers()?;
    task.check_proxy()?;
    region(gazetteer, &task.region)?;
    focus::named(&task.strategy, &Aim::default())?;
    topic_of(task, gazetteer)?;
    if task.seeds.is_empty() {
        return Err(Error::NoSeeds);
    }
    task.check_seeds_may_be_asked()?;
    task.check_contact()
}

/// Letters, digits, hyphens and underscores; archives and folders bear the name.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(is_letter);
    if is_name { Ok(()) } else { Err(Error::Name(name.chars().take(80).collect())) }
}

fn version(path: &Path) -> Option<Version> {
    let file = fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.len(), file.ino()))
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST).read_to_string(&mut text)?;
    Ok(text)
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, Error> {
    toml::from_str(text)
        .map_err(|error| Error::Task { path: path.to_owned(), reason: told(&error, text) })
}

/// What is wrong with the text of a task. The error shows the line, which is left out where a password may stand
/// in it: that of a proxy, or of a link.
fn told(error: &toml::de::Error, text: &str) -> String {
    let Some(span) = error.span() else { return error.to_string().trim_end().to_owned() };
    let before = text.get(..span.start).unwrap_or(text);
    let begin = before.rfind('\n').map_or(0, |it| it + 1);
    let rest = text.get(span.end..).unwrap_or_default();
    let end = text.len() - rest.len() + rest.find('\n').unwrap_or(rest.len());
    let lines = text.get(begin..end).unwrap_or(text);
    let is_secret = ["@", "://", "prox"].iter().any(|it| lines.to_ascii_lowercase().contains(it));
    if is_secret {
        let line = before.matches('\n').count() + 1;
        return format!("line {line}: {}", error.message());
    }
    error.to_string().trim_end().to_owned()
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    parse(path, &text(path).map_err(Error::file(path))?)
}

/// Writes aside and renames, so that whoever reads sees the old or the new, and nothing between.
fn write(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let reason =
        |error: toml::ser::Error| Error::Task { path: path.to_owned(), reason: error.to_string() };
    let text = toml::to_string(value).map_err(reason)?;
    let aside = path.with_extension(format!("{}.aside", std::process::id()));
    let write = || {
        // A proxy's password may be in it.
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(true).write(true).mode(0o600).open(&aside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&aside);
        Error::file(path)(error)
    })
}

/// Removes a folder with all that is in it. Whoever notes how the last run ended may write there meanwhile.
fn remove_folder(folder: &Path) -> io::Result<()> {
    for _ in 0..REMOVALS {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(SHORTLY);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            ended => return ended,
        }
    }
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doing::Doing;

    fn task(name: &str) -> Task {
        Task {
            name: name.to_owned(),
            seeds: vec!["https://example.org/".to_owned()],
            region: vec!["Monaco".to_owned()],
            contact: Some("crawler@example.org".to_owned()),
            ..Task::default()
        }
    }

    #[track_caller]
    fn check_refused(task: &Task, expected: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let told = Tasks::at(folder.path()).add(world::gazetteer(), task).expect_err("it is bad");
        assert!(told.to_string().contains(expected), "{told}");
    }

    #[test]
    fn a_task_file_that_is_wrong_does_not_tell_a_password() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("wrong.toml");
        let told = |text: &str| {
            fs::write(&path, text).expect("a file");
            Tasks::described(&path).expect_err("it is wrong").to_string()
        };
        for text in [
            "proxy = \"http://me:secret@proxy:3128",
            "proxy = http://me:secret@proxy",
            "proxi = \"http://me:secret@proxy:3128\"",
            "threads = 3\nPROXY = 'http://me:secret'",
            "proxy = \"\"\"http://me:secret@proxy\"\"\" 5",
            "proxy = ['http://me:secret@proxy']",
            "proxy = 'http://me:secret@proxy:port'",
            "prxy = 'http://me:secret'",
            "seeds = [\"http://me:secret@host/\", 5]",
        ] {
            let told = told(text);
            assert!(told.contains("wrong.toml is no task: "), "{told}");
            assert!(!told.contains("secret"), "{told}");
        }
        assert!(told("threads = 1\nthreds = 5").contains("threds = 5"));
        assert!(
            told("threads = 1\nproxi = 'http://me:secret'")
                .contains("is no task: line 2: unknown field `proxi`")
        );
    }

    #[test]
    fn a_file_with_numbers_that_make_no_sense_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("wrong.toml");
        fs::write(&path, "politeness.delay = -2").expect("a file");
        let told = Tasks::described(&path).expect_err("it is wrong").to_string();
        let expected =
            "wrong.toml is no task: politeness.delay is -2: write seconds from 0 to 3155760000";
        assert!(told.ends_with(expected), "{told}");
    }

    #[test]
    fn a_task_that_cannot_be_done_is_refused() {
        check_refused(&task("../elsewhere"), "is no name of a task");
        check_refused(&Task { region: vec!["Xyzzyqwop".into()], ..task("a") }, "nothing is known");
        check_refused(&Task { strategy: "psychic".into(), ..task("a") }, "there is no strategy");
        check_refused(&Task { seeds: Vec::new(), ..task("a") }, "there are no seeds");
        check_refused(&Task { seeds: vec!["nothing".into()], ..task("a") }, "is no link");
        check_refused(&Task { contact: None, ..task("a") }, "needs a contact");
        for seed in
            ["http://127.0.0.1/", "http://[::1]/", "http://localhost:8000/", "http://10.1.2.3/"]
        {
            check_refused(
                &Task { seeds: vec![seed.into()], ..task("a") },
                "not on the public internet",
            );
        }
    }

    #[test]
    fn a_task_is_kept_with_what_is_wanted_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        let task = Task { timing: "every 2 hours".parse().expect("a timing"), ..task("monaco") };
        tasks.add(world::gazetteer(), &task).expect("it is good");
        assert!(matches!(tasks.add(world::gazetteer(), &task), Err(Error::Exists(_))));
        assert_eq!(Tasks::at(folder.path()).task("monaco").expect("it is there"), task);
        assert!(tasks.state("monaco").expect("it has one").is_due(Timestamp::now()));
        tasks.want("monaco", Wish::Pause).expect("it can be told");
        assert_eq!(tasks.list().expect("a list")[0].state.wanted, Wish::Pause);
        tasks.remove("monaco").expect("it can be removed");
        assert!(tasks.list().expect("a list").is_empty());
        assert!(matches!(tasks.want("monaco", Wish::Run), Err(Error::NoTask { .. })));
    }

    #[test]
    fn a_task_file_is_read_again_only_if_it_has_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        let mut before = ReadBefore::default();
        let mut listed = || {
            let mut listed = tasks.list_changed(&mut before).expect("a list");
            listed.pop().map(|it| it.task.expect("it can be read"))
        };
        tasks.keep(&task("monaco")).expect("it is kept");
        let first = listed().expect("it is there");
        let again = listed().expect("it is there");
        assert!(Arc::ptr_eq(&first, &again));
        tasks.keep(&Task { threads: 7, ..task("monaco") }).expect("it is kept");
        assert_eq!(listed().expect("it is there").threads, 7);
        tasks.remove("monaco").expect("it is removed");
        assert_eq!(listed(), None);
    }

    #[test]
    fn a_run_from_the_command_line_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        tasks.keep(&task("monaco")).expect("it is kept");
        let doing = || {
            let state = tasks.state("monaco").expect("it has one");
            (Doing::of(&state, None, Timestamp::now()), state.rounds)
        };
        assert_eq!(doing(), (Doing::Stopped, 0));
        tasks.note_begin("monaco", false).expect("it is noted");
        // It may be killed at any moment.
        assert_eq!(doing(), (Doing::Stopped, 1));
        tasks.note_end("monaco", Ok(Ending::Stopped)).expect("it is noted");
        assert_eq!(doing(), (Doing::Stopped, 1));
        tasks.note_begin("monaco", false).expect("it is noted");
        tasks.note_end("monaco", Ok(Ending::Finished)).expect("it is noted");
        assert_eq!(doing(), (Doing::Done, 1));
        tasks.note_begin("monaco", true).expect("it is noted");
        tasks.note_end("monaco", Err("the disk is full".to_owned())).expect("it is noted");
        assert_eq!(doing(), (Doing::Failed, 2));
    }

    #[test]
    fn a_task_file_is_named_after_itself_and_says_what_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("harbours.toml");
        fs::write(&path, "seeds = [\"https://example.org/\"]\ntiming = \"@daily\"")
            .expect("a file");
        let task = Tasks::described(&path).expect("it is a task");
        assert_eq!((task.name.as_str(), task.timing.to_string().as_str()), ("harbours", "@daily"));
        fs::write(&path, "timing = \"0 25 * * *\"").expect("a file");
        let told = Tasks::described(&path).expect_err("it is none").to_string();
        assert!(told.contains("is no hour of a cron line"), "{told}");
        fs::write(&path, "colour = \"red\"").expect("a file");
        let told = Tasks::described(&path).expect_err("it is none").to_string();
        assert!(told.contains("unknown field `colour`"), "{told}");
    }

    #[test]
    fn a_task_that_goes_to_the_bottom_of_hosts_still_does_when_it_was_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep.toml");
        fs::write(&path, "scope.depth_in_host = \"unlimited\"").expect("a file");
        let described = Tasks::described(&path).expect("it is a task");
        assert_eq!(described.scope.depth_in_host, None);
        let tasks = Tasks::at(folder.path());
        tasks.keep(&described).expect("it can be kept");
        assert_eq!(tasks.task("deep").expect("it is there").scope.depth_in_host, None);
        fs::write(&path, "scope.depth_in_host = \"deep\"").expect("a file");
        let told = Tasks::described(&path).expect_err("it is none").to_string();
        assert!(told.contains("expected a number of links, or \"unlimited\""), "{told}");
    }

    #[test]
    fn two_who_change_a_state_at_once_both_get_their_will() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        tasks.keep(&task("a")).expect("it can be kept");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        tasks.change("a", |it| it.rounds += 1).expect("it can be changed");
                    }
                });
            }
        });
        assert_eq!(tasks.state("a").expect("it has one").rounds, 100);
    }
}
