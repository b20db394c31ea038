//! A task as a page shows it: in words and written numbers.

use crawl::{Budget, Doing, Ending, Schedule, Task};
use gazetteer::Gazetteer;

use super::watch::Snapshot;
use crate::frame::Frame;
use crate::wording::Language;

/// A task as a page shows it.
#[allow(clippy::struct_excessive_bools, reason = "each is a button of its own")]
pub(crate) struct TaskView {
    pub(crate) name: String,
    /// What it is doing, in a word of the reader's language.
    pub(crate) word: &'static str,
    /// The same as a sign, for those who look rather than read.
    pub(crate) sign: &'static str,
    pub(crate) class: &'static str,
    /// What it looks for.
    pub(crate) about: String,
    pub(crate) timing: String,
    pub(crate) strategy: String,
    pub(crate) budget: String,
    pub(crate) threads: String,
    pub(crate) pages: String,
    pub(crate) relevant: String,
    pub(crate) harvest: String,
    /// Pages a second in the last minute; nothing if it does not run.
    pub(crate) rate: Option<String>,
    pub(crate) queued: String,
    pub(crate) hosts: String,
    pub(crate) errors: String,
    pub(crate) in_flight: Option<String>,
    pub(crate) spent: String,
    pub(crate) waiting_for: Option<String>,
    /// When it runs next.
    pub(crate) next: Option<String>,
    /// How the last run ended.
    pub(crate) last: Option<String>,
    pub(crate) rounds: u64,
    pub(crate) can_run: bool,
    pub(crate) can_pause: bool,
    pub(crate) can_resume: bool,
    pub(crate) can_stop: bool,
    pub(crate) can_remove: bool,
}

impl TaskView {
    pub(crate) fn of(gazetteer: &Gazetteer, frame: &Frame, snapshot: &Snapshot) -> Self {
        let language = frame.language;
        let number = |it: u64| language.number(it);
        let next = snapshot.state.next.as_deref().map(|it| moment(frame, it));
        let doing = snapshot.doing();
        let (word, sign, class) = described(language, doing);
        let task = snapshot.task.as_deref().ok();
        let status = snapshot.status.as_ref();
        let total = status.map(|it| it.total.clone()).unwrap_or_default();
        let run = status.and_then(|it| it.run.as_ref());
        let has_goal = task.is_some_and(Task::has_goal);
        let harvest = if has_goal && total.pages > 0 {
            format!("{} %", language.decimal(total.harvest() * 100.0, 1))
        } else {
            "–".to_owned()
        };
        let is_idle = !snapshot.is_live();
        Self {
            name: snapshot.name.clone(),
            word,
            sign,
            class,
            about: task.map(|it| about(gazetteer, language, it)).unwrap_or_default(),
            timing: task.map(|it| timing(language, &it.timing)).unwrap_or_default(),
            strategy: task.map(|it| it.strategy.clone()).unwrap_or_default(),
            budget: task.map(|it| budget(language, it.budget)).unwrap_or_default(),
            threads: status.map_or(0, |it| it.threads).to_string(),
            pages: number(total.pages),
            relevant: if has_goal { number(total.relevant) } else { "–".to_owned() },
            harvest,
            rate: run.map(|it| language.decimal(it.lately, 1)),
            queued: number(total.queued),
            hosts: number(total.hosts),
            errors: number(total.errors.values().sum()),
            in_flight: run.map(|it| number(it.progress.in_flight)),
            spent: status.map(|it| spent(language, it)).unwrap_or_default(),
            waiting_for: run
                .and_then(|it| Some(language.told(it.progress.waiting_for.as_deref()?))),
            next: next.filter(|_| doing == Doing::Waiting),
            last: last(language, snapshot),
            rounds: snapshot.state.rounds,
            can_run: is_idle && !matches!(doing, Doing::Paused | Doing::Due | Doing::Unreadable),
            can_pause: matches!(doing, Doing::Running | Doing::Due),
            can_resume: doing == Doing::Paused,
            can_stop: matches!(doing, Doing::Running | Doing::Paused | Doing::Due | Doing::Waiting),
            can_remove: is_idle && !matches!(doing, Doing::Due | Doing::Unreadable),
        }
    }
}

/// A moment as people read it, from one as a file has it.
pub(crate) fn moment(frame: &Frame, at: &str) -> String {
    match at.parse::<jiff::Timestamp>() {
        Ok(it) => frame.moment(&it),
        Err(_) => at.to_owned(),
    }
}

/// A word, a sign and a class for what a task is doing.
fn described(language: Language, doing: Doing) -> (&'static str, &'static str, &'static str) {
    match doing {
        Doing::Running => (language.say("running"), "▶", "good"),
        Doing::Paused => (language.say("paused"), "❚❚", "warn"),
        Doing::Stopping => (language.say("stopping"), "◼", "warn"),
        Doing::Due => (language.say("due"), "▷", "good"),
        Doing::Waiting => (language.say("waiting"), "◷", "calm"),
        Doing::Stopped => (language.say("stopped"), "◼", "calm"),
        Doing::Done => (language.say("done"), "✓", "calm"),
        Doing::Failed => (language.say("failed"), "✗", "bad"),
        Doing::Unreadable => (language.say("unreadable"), "✗", "bad"),
    }
}

/// What a task looks for.
fn about(gazetteer: &Gazetteer, language: Language, task: &Task) -> String {
    let labels = labels(gazetteer, &task.region);
    let labels: Vec<String> = labels.iter().map(|it| language.label(it)).collect();
    let region = labels.join(language.say(" or "));
    match (region.is_empty(), task.topic.is_some()) {
        (false, false) => region,
        (false, true) => language.fill("a topic in {}", &[&region]),
        (true, true) => language.say("a topic").to_owned(),
        (true, false) => language.say("anything").to_owned(),
    }
}

/// The parts of a region as people call them: places by their labels and not by their keys.
pub(crate) fn labels(gazetteer: &Gazetteer, region: &[String]) -> Vec<String> {
    let label = |it: &String| gazetteer.by_key(it).map_or_else(|| it.clone(), |it| it.label());
    region.iter().map(label).collect()
}

/// How the last run ended.
fn last(language: Language, snapshot: &Snapshot) -> Option<String> {
    if let Err(error) = &snapshot.task {
        return Some(language.told(error));
    }
    if snapshot.is_live() {
        return None;
    }
    if let Some(error) = &snapshot.state.error {
        return Some(language.told(error));
    }
    let how = match snapshot.state.ending? {
        Ending::Finished => language.say("Nothing was left to fetch."),
        Ending::OnlySilentHosts => language.say("Only hosts were left that do not answer."),
        Ending::BudgetUsed => language.say("The budget was used up."),
        Ending::NoNetwork => language.say("The network could not be reached; it is tried again."),
        Ending::Stopped => language.say("It was stopped; run it to go on."),
    };
    Some(how.to_owned())
}

/// When a task runs.
fn timing(language: Language, timing: &Schedule) -> String {
    let Schedule::Every(time) = timing else {
        let is_once = *timing == Schedule::Once;
        return if is_once { language.say("once").to_owned() } else { timing.to_string() };
    };
    let seconds = time.as_secs();
    let every = |size: u64| seconds / size;
    match seconds {
        86_400 => language.say("every day").to_owned(),
        3_600 => language.say("every hour").to_owned(),
        60 => language.say("every minute").to_owned(),
        it if it.is_multiple_of(86_400) => language.fill("every {} days", &[&every(86_400)]),
        it if it.is_multiple_of(3_600) => language.fill("every {} hours", &[&every(3_600)]),
        it if it.is_multiple_of(60) => language.fill("every {} minutes", &[&every(60)]),
        it => language.fill("every {} seconds", &[&it]),
    }
}

/// How much a task may take.
fn budget(language: Language, budget: Budget) -> String {
    match budget {
        Budget::Unlimited => language.say("unlimited").to_owned(),
        Budget::Pages(pages) => language.fill("{} pages", &[&language.number(pages)]),
        Budget::Time(time) => duration(language, time.as_secs()),
        Budget::Bytes(bytes) => size(language, bytes),
    }
}

fn spent(language: Language, status: &crawl::Status) -> String {
    let seconds = status.spent.seconds.max(0.0) as u64;
    format!("{}, {}", size(language, status.spent.bytes), duration(language, seconds))
}

fn size(language: Language, bytes: u64) -> String {
    let size = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", language.decimal(size / 1e3, 1)),
        1_000_000..1_000_000_000 => format!("{} MB", language.decimal(size / 1e6, 1)),
        _ => format!("{} GB", language.decimal(size / 1e9, 2)),
    }
}

fn duration(language: Language, seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", language.number(seconds / 3_600), seconds % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_what_a_task_is_doing_are_those_of_the_command_line() {
        for doing in Doing::ALL {
            assert_eq!(described(Language::English, doing).0, doing.name());
        }
    }

    #[test]
    fn timing_and_budget_are_told_in_the_language_of_the_reader() {
        let said = |text: &str| {
            let schedule: Schedule = text.parse().expect("a timing");
            [Language::English, Language::German].map(|it| timing(it, &schedule))
        };
        assert_eq!(said("once"), ["once", "einmal"]);
        assert_eq!(said("every 30 minutes"), ["every 30 minutes", "alle 30 Minuten"]);
        assert_eq!(said("every 2 hours"), ["every 2 hours", "alle 2 Stunden"]);
        assert_eq!(budget(Language::German, Budget::Pages(1_434)), "1.434 Seiten");
        assert_eq!(budget(Language::English, Budget::Unlimited), "unlimited");
    }

    #[test]
    fn a_task_says_what_it_looks_for_by_names() {
        let region = ["gn:658225", "circle:60,24,500", "Monaco"].map(str::to_owned).to_vec();
        let task = Task { region, ..Task::default() };
        let said = about(world::gazetteer(), Language::English, &task);
        assert_eq!(said, "Helsinki, Uusimaa, Finland or circle:60,24,500 or Monaco");
    }
}
