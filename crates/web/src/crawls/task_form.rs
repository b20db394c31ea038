//! The form of a task: what an operator types, and the task it stands for.

use std::path::Path;

use crawl::{Error, STRATEGIES, Task, Tasks, TopicFile};
use fetch::{FetchError, UserAgentError};
use gazetteer::Gazetteer;
use serde::Deserialize;

use super::understood::{lines, problem, topic_text};
use crate::frame::Frame;

/// The largest topic, in bytes.
pub(crate) const LARGEST_TOPIC: usize = 64 << 10;
/// Other pages have these addresses.
const RESERVED: [&str; 6] = ["events", "login", "logout", "new", "preview", "reindex"];

/// What stands in the form.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TaskForm {
    /// The task it was cloned from, whose settings that the form does not show are taken over.
    pub(crate) from: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) topic: String,
    pub(crate) seeds: String,
    pub(crate) strategy: String,
    pub(crate) threads: String,
    pub(crate) budget: String,
    pub(crate) timing: String,
    pub(crate) contact: String,
    pub(crate) user_agent: String,
    pub(crate) delay: String,
    /// `yes` if private addresses may be asked.
    pub(crate) private: String,
    /// What is to be done: `begin`, `keep` or `preview`.
    pub(crate) then: String,
    /// Another place of a name was chosen: its key, a blank, and the line of the region that it stands for.
    pub(crate) choose: String,
}

/// What is wrong, by field.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<(&'static str, String)>);

impl Problems {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is wrong with a field.
    pub(crate) fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|it| it.0 == field).map(|it| it.1.as_str())
    }

    /// They in the reader's language.
    pub(crate) fn told(&self, frame: &Frame) -> Self {
        Self(self.0.iter().map(|(field, what)| (*field, frame.told(what))).collect())
    }

    /// The fields that are wrong.
    #[cfg(test)]
    fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|it| it.0)
    }

    #[expect(clippy::needless_pass_by_value, reason = "errors are handed over as they come")]
    pub(crate) fn add(&mut self, field: &'static str, what: impl ToString) {
        self.0.push((field, what.to_string()));
    }

    fn check<T, E: ToString>(&mut self, field: &'static str, result: Result<T, E>) -> Option<T> {
        result.map_err(|it| self.add(field, it)).ok()
    }
}

impl TaskForm {
    /// The form of a new task.
    pub(crate) fn blank() -> Self {
        Self {
            name: String::new(),
            budget: "1000 pages".to_owned(),
            ..Self::of(&Task::default(), "")
        }
    }

    /// The form of a task like this one, under another name.
    pub(crate) fn clone_of(gazetteer: &Gazetteer, tasks: &Tasks, task: &Task) -> Self {
        // The path was named by whoever owns this machine; what is no topic is not shown.
        let topic = task.topic.as_deref().and_then(|it| topic_of_file(gazetteer, it));
        let mut form = Self::of(task, &topic.unwrap_or_default());
        form.from.clone_from(&task.name);
        form.name = free_name(tasks, &task.name);
        form
    }

    fn of(task: &Task, topic: &str) -> Self {
        Self {
            from: String::new(),
            name: task.name.clone(),
            region: task.region.join("\n"),
            topic: topic.to_owned(),
            seeds: task.seeds.join("\n"),
            strategy: task.strategy.clone(),
            threads: task.threads.to_string(),
            budget: task.budget.to_string(),
            timing: task.timing.to_string(),
            contact: task.contact.clone().unwrap_or_default(),
            user_agent: task.user_agent.clone(),
            delay: task.politeness.delay.to_string(),
            private: if task.allow_private { "yes".to_owned() } else { String::new() },
            then: String::new(),
            choose: String::new(),
        }
    }

    /// The form with the chosen place in the line that named several.
    pub(crate) fn with_choice(&self) -> Self {
        let Some((key, asked)) = self.choose.split_once(' ') else { return self.clone() };
        let line = |it: &str| if it.trim() == asked { key.to_owned() } else { it.to_owned() };
        let region = self.region.lines().map(line).collect::<Vec<_>>().join("\n");
        Self { region, choose: String::new(), ..self.clone() }
    }

    /// The task that the form stands for, without its topic; and what is wrong with it.
    pub(crate) fn task(
        &self,
        frame: &Frame,
        gazetteer: &Gazetteer,
        tasks: &Tasks,
        allows_private: bool,
    ) -> (Task, Problems) {
        let mut problems = Problems::default();
        let origin = if self.from.is_empty() { None } else { tasks.task(&self.from).ok() };
        let mut task = origin.unwrap_or_default();
        self.name.trim().clone_into(&mut task.name);
        self.check_name(frame, tasks, &task, &mut problems);
        task.region = lines(&self.region);
        let region = crawl::region(gazetteer, &task.region);
        problems.check("region", region.map_err(|it| problem(frame, &it.to_string())));
        task.topic = None;
        let topic = self.topic.trim();
        if topic.len() > LARGEST_TOPIC {
            problems.add("topic", frame.say("A topic has at most 64 kB."));
        } else if !topic.is_empty() {
            let topic = topic_text(gazetteer, topic);
            let topic = TopicFile::understand(gazetteer, &topic);
            problems.check("topic", topic.map_err(|it| problem(frame, &it)));
        }
        self.strategy.clone_into(&mut task.strategy);
        if !STRATEGIES.contains(&self.strategy.as_str()) {
            problems.add("strategy", frame.say("Choose one of the strategies."));
        } else if self.strategy == "topic" && topic.is_empty() {
            problems.add("topic", Error::NoTopic);
        }
        task.seeds = lines(&self.seeds);
        if task.seeds.is_empty() {
            problems.add("seeds", frame.say("Name at least one page to begin with."));
        }
        self.numbers(frame, &mut task, &mut problems);
        self.manners(frame, allows_private, &mut task, &mut problems);
        Self::check_public(frame, allows_private, &task, &mut problems);
        (task, problems)
    }

    /// Seeds that would be refused while the task runs are refused at once.
    fn check_public(frame: &Frame, allows_private: bool, task: &Task, problems: &mut Problems) {
        match task.check_seeds_may_be_asked() {
            Ok(()) => {}
            Err(Error::PrivateSeed { seed, reason }) => {
                let way_out = if allows_private {
                    frame.say("Tick the box for private networks if this is meant.")
                } else {
                    frame.say("This server was started without --allow-private.")
                };
                problems.add("seeds", format!("{seed}: {}. {way_out}", not_public(frame, &reason)));
            }
            Err(error) => problems.add("seeds", error),
        }
    }

    fn check_name(&self, frame: &Frame, tasks: &Tasks, task: &Task, problems: &mut Problems) {
        if self.name.trim().is_empty() {
            return problems.add("name", frame.say("Give the task a name."));
        }
        if problems.check("name", task.check_name()).is_none() {
            return;
        }
        if RESERVED.contains(&task.name.as_str()) {
            problems.add("name", frame.say("This name is taken by a page of this server."));
        } else if tasks.task(&task.name).is_ok() {
            problems.add("name", frame.say("There is a task of this name already."));
        }
    }

    fn numbers(&self, frame: &Frame, task: &mut Task, problems: &mut Problems) {
        match threads(&self.threads) {
            Some(threads) => task.threads = threads,
            None => problems.add("threads", frame.say("Write a whole number from 1 to 10000.")),
        }
        if let Some(budget) = problems.check("budget", self.budget.parse()) {
            task.budget = budget;
        }
        if let Some(timing) = problems.check("timing", self.timing.parse()) {
            task.timing = timing;
        }
        let delay = self.delay.trim().replace(',', ".").parse::<f64>();
        match delay.ok().filter(|it| (0.0..=86_400.0).contains(it)) {
            Some(delay) => task.politeness.delay = delay,
            None => problems.add("delay", frame.say("Write seconds, from 0 to 86400.")),
        }
    }

    fn manners(
        &self,
        frame: &Frame,
        allows_private: bool,
        task: &mut Task,
        problems: &mut Problems,
    ) {
        task.allow_private = self.private == "yes";
        if task.allow_private && !allows_private {
            let told = frame.say("This server was started without --allow-private.");
            problems.add("private", told);
        }
        self.user_agent.trim().clone_into(&mut task.user_agent);
        task.contact = Some(self.contact.trim().to_owned()).filter(|it| !it.is_empty());
        if let Err(error) = task.check_contact() {
            let is_agent = matches!(error, Error::UserAgent(UserAgentError::Product(_)));
            problems.add(if is_agent { "user_agent" } else { "contact" }, error);
        }
    }
}

/// Why a seed may not be asked, in the reader's language.
fn not_public(frame: &Frame, reason: &FetchError) -> String {
    let FetchError::PrivateAddress { host, reason, .. } = reason else {
        return frame.told(&reason.to_string());
    };
    let what = match *reason {
        "loopback" => frame.say("this machine"),
        "private use" | "link-local" | "site-local" | "unique local" => {
            frame.say("a private network")
        }
        other => other,
    };
    frame.fill2("{} is not on the public internet ({})", host, what)
}

/// How many pages may be fetched at a time, as the command line has it.
pub(crate) fn threads(text: &str) -> Option<usize> {
    text.trim().parse().ok().filter(|it| (1..=10_000).contains(it))
}

/// The first of NAME-2, NAME-3, … that no task has.
fn free_name(tasks: &Tasks, name: &str) -> String {
    let stem: String = name.chars().take(60).collect();
    let mut names = (2..1_000).map(|number| format!("{stem}-{number}"));
    names.find(|it| tasks.task(it).is_err()).unwrap_or_default()
}

/// The text of a topic, if the file is one.
fn topic_of_file(gazetteer: &Gazetteer, path: &Path) -> Option<String> {
    let size = std::fs::metadata(path).ok()?.len();
    let text = (size <= LARGEST_TOPIC as u64).then(|| std::fs::read_to_string(path))?.ok()?;
    TopicFile::understand(gazetteer, &text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use axum::http::{HeaderMap, Uri};

    fn frame() -> Frame {
        Frame::of(&HeaderMap::new(), &Uri::from_static("/crawls/new"))
    }

    fn good() -> TaskForm {
        TaskForm {
            name: "harbours".into(),
            seeds: "https://example.org/\n".into(),
            contact: "me@example.org".into(),
            ..TaskForm::blank()
        }
    }

    #[track_caller]
    fn check(form: &TaskForm, expected: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        let (_, problems) = form.task(&frame(), world::gazetteer(), &tasks, false);
        assert_eq!(problems.fields().collect::<Vec<_>>(), expected, "{problems:?}");
    }

    #[test]
    fn what_is_wrong_stands_beside_its_field() {
        check(&good(), &[]);
        check(&TaskForm { name: "../etc".into(), ..good() }, &["name"]);
        check(&TaskForm { name: "new".into(), ..good() }, &["name"]);
        check(&TaskForm { region: "Xyzzyqwop".into(), ..good() }, &["region"]);
        check(&TaskForm { topic: "quay = much".into(), ..good() }, &["topic"]);
        check(&TaskForm { strategy: "psychic".into(), ..good() }, &["strategy"]);
        check(&TaskForm { strategy: "topic".into(), ..good() }, &["topic"]);
        check(&TaskForm { seeds: "/etc/passwd".into(), ..good() }, &["seeds"]);
        check(&TaskForm { seeds: " \n# none\n".into(), ..good() }, &["seeds"]);
        check(&TaskForm { seeds: "http://127.0.0.1:8000/".into(), ..good() }, &["seeds"]);
        check(
            &TaskForm { seeds: "https://a.org/\nhttp://localhost/".into(), ..good() },
            &["seeds"],
        );
        check(&TaskForm { threads: "0".into(), ..good() }, &["threads"]);
        check(&TaskForm { budget: "5 apples".into(), ..good() }, &["budget"]);
        check(&TaskForm { timing: "0 25 * * *".into(), ..good() }, &["timing"]);
        check(&TaskForm { delay: "-1".into(), ..good() }, &["delay"]);
        check(&TaskForm { contact: String::new(), ..good() }, &["contact"]);
        check(&TaskForm { private: "yes".into(), ..good() }, &["private"]);
        check(&TaskForm { user_agent: "a\r\nb".into(), ..good() }, &["user_agent"]);
    }

    #[test]
    fn why_a_seed_may_not_be_asked_is_told_in_the_language_of_the_reader() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        let german = Frame { language: crate::wording::Language::German, here: String::new() };
        let form = TaskForm { seeds: "http://127.0.0.1:8000/".into(), ..good() };
        let (_, problems) = form.task(&german, world::gazetteer(), &tasks, true);
        let told = "127.0.0.1 ist nicht im öffentlichen Internet (dieser Rechner). Kreuzen Sie";
        assert!(problems.of("seeds").is_some_and(|it| it.contains(told)), "{problems:?}");
    }

    #[test]
    fn a_chosen_place_takes_the_line_of_its_name() {
        let form = TaskForm {
            region: "Oldenburg\r\nMonaco".into(),
            choose: "gn:1 Oldenburg".into(),
            ..good()
        };
        assert_eq!(form.with_choice().region, "gn:1\nMonaco");
        assert_eq!(good().with_choice().region, good().region);
    }

    #[test]
    fn a_clone_keeps_what_the_form_does_not_show() {
        let folder = tempfile::tempdir().expect("a folder");
        let tasks = Tasks::at(folder.path());
        let mut task = Task {
            name: "a".into(),
            seeds: vec!["https://example.org/".into()],
            contact: Some("me@example.org".into()),
            proxy: Some("http://proxy.example:8080".into()),
            ..Task::default()
        };
        task.scope.depth = Some(3);
        tasks.keep(&task).expect("it can be kept");
        let form = TaskForm::clone_of(world::gazetteer(), &tasks, &task);
        assert_eq!((form.name.as_str(), form.from.as_str()), ("a-2", "a"));
        let (again, problems) = form.task(&frame(), world::gazetteer(), &tasks, false);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(again, Task { name: "a-2".into(), ..task });
    }

    proptest! {
        #[test]
        fn any_form_is_a_task_or_has_problems(text in ".{0,40}") {
            let form = TaskForm {
                name: text.clone(),
                region: text.clone(),
                seeds: text.clone(),
                budget: text.clone(),
                timing: text.clone(),
                user_agent: text.clone(),
                contact: text.clone(),
                delay: text.clone(),
                topic: text,
                ..TaskForm::default()
            };
            let tasks = Tasks::at(Path::new("/nowhere"));
            let (_, problems) = form.task(&frame(), world::gazetteer(), &tasks, true);
            prop_assert!(!problems.is_empty());
        }
    }
}
