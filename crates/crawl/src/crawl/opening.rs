//! What a crawl is made of when it is opened.

use std::sync::Arc;

use fetch::{Client, UserAgent};
use focus::Aim;
use frontier::{Link, Moment, Priority, State};
use gazetteer::Gazetteer;
use geoparse::Region;
use url::Url;

use crate::budget::Budget;
use crate::desk::Desk;
use crate::error::Error;
use crate::refused_seeds::RefusedSeeds;
use crate::registrants::Registrants;
use crate::surroundings::Surroundings;
use crate::task::{Task, seconds};
use crate::topic_file::topic_of;

pub(super) fn add_seeds(task: &Task, desk: &mut Desk, now: Moment) -> Result<(), Error> {
    let urls = task.check_seeds()?;
    let mut seeds = Vec::with_capacity(urls.len());
    let mut refused = RefusedSeeds::default();
    for (url, value) in urls.iter().zip(desk.strategy.seeds(&urls)) {
        if value.is_refused() {
            refused.add(url, desk.strategy.explain(&value, 0).join("; "));
            continue;
        }
        let priority = Priority(value.priority);
        seeds.push(Link { priority, note: value.note, ..Link::seed(url.clone()) });
    }
    refused.keep(&mut desk.frontier)?;
    if seeds.len() < urls.len() {
        let refused = urls.len() - seeds.len();
        tracing::warn!(refused, let_in = seeds.len(), "the strategy does not let all seeds in");
    }
    if seeds.is_empty() && desk.frontier.counts().known == 0 {
        return Err(Error::NoSeeds);
    }
    desk.frontier.add(&seeds, false, now)?;
    if task.allow_private {
        allow_private(&urls, desk)?;
    }
    Ok(())
}

/// Seeds that were refused as long as private networks were not allowed are asked for now.
fn allow_private(seeds: &[Url], desk: &mut Desk) -> Result<(), Error> {
    for url in seeds {
        if let Some((id, entry)) = desk.frontier.find(url)?
            && matches!(&entry.state, State::Dropped(it) if it == "private-address" || it == "port")
        {
            desk.frontier.forgive(id)?;
        }
    }
    Ok(())
}

/// What strategies may know of a crawl.
pub(super) fn aim(
    task: &Task,
    gazetteer: &'static Gazetteer,
    region: Option<&Region>,
) -> Result<Aim, Error> {
    let budget = match task.budget {
        Budget::Pages(pages) => Some(pages),
        _ => None,
    };
    let topic = topic_of(task, gazetteer)?.map(Arc::new);
    let registrants = task.registrants.as_ref();
    let ignores_imprints = registrants == Some(&Registrants::Nobody);
    let registrants = registrants.map(|it| it.locator(gazetteer, task.allow_private));
    Ok(Aim {
        gazetteer: Some(gazetteer),
        region: region.cloned(),
        topic,
        registrants: registrants.transpose()?,
        ignores_imprints,
        budget,
        ..Aim::default()
    })
}

pub(super) fn client(
    task: &Task,
    user_agent: UserAgent,
    around: &Surroundings,
) -> Result<Client, Error> {
    let mut settings = fetch::Settings::new(user_agent);
    settings.allow_private = task.allow_private;
    settings.largest_body = task.limits.body;
    settings.timeouts.whole = seconds(task.limits.seconds);
    // Hosts take turns: of those that have just been asked there are more than are asked at a time.
    let most = settings.most_idle;
    settings.most_idle = task.threads.saturating_mul(4).clamp(64, most).max(task.threads);
    settings.proxy = task.proxy_url()?;
    Ok(match &around.resolver {
        Some(resolver) => Client::with_resolver(settings, Arc::clone(resolver))?,
        None => Client::new(settings)?,
    })
}

pub(super) fn archive_settings(task: &Task, user_agent: &UserAgent) -> archive::Settings {
    archive::Settings {
        prefix: task.name.clone(),
        rotate_at: task.limits.archive_file,
        software: task.user_agent.clone(),
        operator: task.contact.clone().unwrap_or_default(),
        user_agent: user_agent.to_string(),
        ..archive::Settings::default()
    }
}
