//! The task that a command line stands for.

use std::path::Path;

use anyhow::{Context, Result};
use crawl::{Task, Tasks};
use gazetteer::Gazetteer;
use index::Library;

use super::{Manners, Order, Scope, seeds};
use crate::log::remark;

/// The task of a file, of the options, or of the last time; options win.
pub(super) fn task(
    gazetteer: &Gazetteer,
    library: &Library,
    data: &Path,
    name: Option<&str>,
    order: &Order,
) -> Result<(Task, Option<Task>)> {
    let tasks = Tasks::at(data);
    let mut task = match &order.task {
        Some(path) => {
            let mut task = Tasks::described(path)?;
            let folder = path.parent().unwrap_or(Path::new("."));
            task.seeds =
                seeds::read(folder, &task.seeds).with_context(|| format!("{}", path.display()))?;
            task.settle_paths(folder)?;
            task
        }
        None => Task::default(),
    };
    if let Some(name) = name {
        name.clone_into(&mut task.name);
    }
    task.check_name()?;
    let has_seeds = !order.seeds.is_empty() || order.seeds_from_index;
    let before = match tasks.task(&task.name) {
        Ok(before) => Some(before),
        Err(crawl::Error::NoTask { .. }) => None,
        // What is to go on as it was has to be read; what is replaced need not be.
        Err(error) if order.task.is_none() && !has_seeds => return Err(error.into()),
        Err(_) => None,
    };
    if let Some(before) = &before
        && order.task.is_none()
        && !has_seeds
    {
        // Without seeds the crawl goes on as it was.
        task = before.clone();
    }
    if !order.seeds.is_empty() {
        task.seeds = seeds::read(Path::new("."), &order.seeds)?;
    }
    if order.seeds_from_index {
        let mut more = seeds::of_index(gazetteer, library, order.seeds_query.as_deref())?;
        if order.seeds.is_empty() {
            task.seeds.clear();
        }
        task.seeds.append(&mut more);
    }
    apply(&mut task, order)?;
    Ok((task, before))
}

fn apply(task: &mut Task, order: &Order) -> Result<()> {
    if !order.region.is_empty() {
        task.region.clone_from(&order.region);
    }
    if let Some(path) = &order.topic {
        task.topic = Some(std::path::absolute(path)?);
    }
    if let Some(path) = &order.warm_from {
        task.warm_from = Some(std::path::absolute(path)?);
    }
    set(&mut task.strategy, order.strategy.as_ref());
    set(&mut task.budget, order.budget.as_ref());
    if let Some(threads) = order.threads {
        task.threads = threads as usize;
    }
    task.geoparse |= order.geoparse;
    apply_manners(task, &order.manners);
    apply_scope(&mut task.scope, &order.scope)
}

fn apply_manners(task: &mut Task, manners: &Manners) {
    set(&mut task.user_agent, manners.user_agent.as_ref());
    set(&mut task.politeness.delay, manners.delay.as_ref());
    set(&mut task.politeness.connections, manners.connections.as_ref());
    task.allow_private |= manners.allow_private;
    let contact = manners.contact.clone().filter(|it| !it.is_empty());
    task.contact = contact.or(task.contact.take());
    task.proxy = manners.proxy.clone().or(task.proxy.take());
}

fn apply_scope(scope: &mut crawl::Scope, given: &Scope) -> Result<()> {
    let names = |names: &[String]| names.iter().map(|it| it.to_lowercase()).collect::<Vec<_>>();
    scope.allow.hosts.extend(names(&given.scope_host));
    scope.allow.domains.extend(names(&given.scope_domain));
    let tlds = given.scope_tld.iter().map(|it| it.trim_start_matches('.').to_lowercase());
    scope.allow.tlds.extend(tlds);
    for path in &given.scope_path {
        scope.allow.paths.push(crawl::Glob::new(path));
    }
    for denied in &given.scope_deny {
        if denied.starts_with(['/', '*']) {
            scope.deny.paths.push(crawl::Glob::new(denied));
        } else {
            scope.deny.domains.insert(denied.to_lowercase());
        }
    }
    scope.languages.extend(names(&given.scope_language));
    scope.depth = given.scope_depth.or(scope.depth);
    // Read as a task file is, names are checked and get the spelling that URLs have.
    *scope = serde_json::from_value(serde_json::to_value(&*scope)?)?;
    Ok(())
}

fn set<T: Clone>(target: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        target.clone_from(value);
    }
}

/// Says what has changed in a crawl that goes on: its links were chosen by the old rules.
pub(super) fn warn(before: &Task, now: &Task) {
    let mut changed = Vec::new();
    if before.region != now.region {
        changed.push("region");
    }
    if before.topic != now.topic {
        changed.push("topic");
    }
    if before.strategy != now.strategy {
        changed.push("strategy");
    }
    if before.scope != now.scope {
        changed.push("scope");
    }
    if before.budget != now.budget {
        remark(&format!(
            "the budget is {} from now on, it was {}; what earlier runs fetched counts",
            now.budget, before.budget
        ));
    }
    if !changed.is_empty() {
        remark(&format!(
            "the crawl \"{}\" goes on with another {}; links it knows already keep their place. \
             For one of its own, give --name",
            now.name,
            changed.join(" and another ")
        ));
    }
}
