//! Tasks as operators see them.

use anyhow::Result;
use clap::Args;
use crawl::{Doing, Listed, Reply, Request, Tasks, Wish};
use jiff::Timestamp;
use serde_json::json;

use crate::crawl_command::ending;
use crate::output::{say, say_json, table};

/// What the answer looks like.
#[derive(Args)]
pub(super) struct Form {
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

/// All tasks.
pub(super) fn list(tasks: &Tasks, form: &Form) -> Result<()> {
    let listed = tasks.list()?;
    if form.json {
        let values: Vec<_> = listed.iter().map(|it| as_json(tasks, it)).collect();
        return say_json(&json!(values));
    }
    if listed.is_empty() {
        return say("there are no tasks: take one in with \"strabo task add FILE.toml\"");
    }
    let head = ["task", "state", "timing", "rounds", "next", "last"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    for it in &listed {
        rows.push(vec![
            it.name.clone(),
            doing(tasks, it).name().to_owned(),
            it.task.as_ref().map(|it| it.timing.to_string()).unwrap_or_default(),
            it.state.rounds.to_string(),
            next(it).unwrap_or_default(),
            last(it),
        ]);
    }
    say(&table(&rows))
}

/// All about one task: its file, then its state.
pub(super) fn show(tasks: &Tasks, name: &str, form: &Form) -> Result<()> {
    let task = tasks.task(name)?;
    let listed = Listed { name: name.to_owned(), task: Ok(task.into()), state: tasks.state(name)? };
    if form.json {
        return say_json(&as_json(tasks, &listed));
    }
    let mut text = format!("task \"{name}\": {}", doing(tasks, &listed).name());
    if let Some(next) = next(&listed) {
        text += &format!(", due at {next}");
    }
    text.push('\n');
    if !last(&listed).is_empty() {
        text += &format!("last run: {}\n", last(&listed));
    }
    text.push('\n');
    if let Ok(task) = listed.task.as_deref() {
        text += &toml::to_string(task)?;
    }
    say(&text)
}

/// What a task is doing.
fn doing(tasks: &Tasks, listed: &Listed) -> Doing {
    if listed.task.is_err() {
        return Doing::Unreadable;
    }
    let folder = tasks.folder(&listed.name);
    let activity = match crawl::ask(&folder, &Request::Status) {
        Ok(Some(Reply::Status(status))) => Some(status.activity),
        _ => None,
    };
    Doing::of(&listed.state, activity, Timestamp::now())
}

/// When it is due, if it is to run at all.
fn next(listed: &Listed) -> Option<String> {
    listed.state.next.clone().filter(|_| listed.state.wanted == Wish::Run)
}

/// How the last run went.
fn last(listed: &Listed) -> String {
    if let Err(error) = &listed.task {
        return error.to_string();
    }
    match (&listed.state.error, listed.state.ending) {
        (Some(error), _) => format!("failed: {error}"),
        (None, Some(how)) => ending(how).to_owned(),
        (None, None) => String::new(),
    }
}

fn as_json(tasks: &Tasks, listed: &Listed) -> serde_json::Value {
    json!({
        "name": listed.name,
        "activity": doing(tasks, listed).name(),
        "task": listed.task.as_deref().ok(),
        "error": listed.task.as_ref().err().map(ToString::to_string),
        "state": listed.state,
    })
}
