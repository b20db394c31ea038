//! The monitor of a task: how it does, what it has found, what comes next.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::Response;
use crawl::{HostReport, QueuedLink};

use super::curve::Curve;
use super::find_map::FindMap;
use super::journal::JournalPage;
use super::list_page::{Controls, Live};
use super::live::{self, Pulse, Sections};
use super::office::Office;
use super::signed::Signed;
use super::task_view::{TaskView, labels};
use super::watch::Snapshot;
use super::{aside, reason, refuse, runner};
use crate::card::safe_link;
use crate::frame::{Frame, page};

#[derive(Template)]
#[template(path = "crawls/monitor.html")]
struct MonitorPage<'a> {
    frame: &'a Frame,
    seal: &'a str,
    pulse: Pulse,
    runner: runner::Standing,
    sections: Sections,
    view: TaskView,
    threads: usize,
    seeds: Vec<String>,
    region: Vec<String>,
    contact: String,
    user_agent: String,
    delay: f64,
}

#[derive(Template)]
#[template(path = "crawls/now.html")]
struct Now<'a> {
    frame: &'a Frame,
    view: &'a TaskView,
}

#[derive(Template)]
#[template(path = "crawls/curve.html")]
struct CurveView<'a> {
    frame: &'a Frame,
    curve: Option<Curve>,
    has_goal: bool,
    percent: u64,
}

#[derive(Template)]
#[template(path = "crawls/finds.html")]
struct FindsView<'a> {
    frame: &'a Frame,
    map: Option<FindMap>,
}

#[derive(Template)]
#[template(path = "crawls/pages.html")]
struct PagesView<'a> {
    frame: &'a Frame,
    name: &'a str,
    pages: &'a [JournalPage],
}

#[derive(Template)]
#[template(path = "crawls/frontier.html")]
struct FrontierView<'a> {
    frame: &'a Frame,
    name: &'a str,
    links: &'a [QueuedLink],
}

#[derive(Template)]
#[template(path = "crawls/hosts.html")]
struct HostsView<'a> {
    frame: &'a Frame,
    hosts: &'a [HostReport],
}

#[derive(Template)]
#[template(path = "crawls/errors.html")]
struct ErrorsView<'a> {
    frame: &'a Frame,
    errors: Vec<(String, u64)>,
    filtered: Vec<(String, u64)>,
}

/// `GET /crawls/NAME`.
pub(crate) async fn show(
    signed: Signed,
    Path(name): Path<String>,
    Query(Live { live }): Query<Live>,
) -> Response {
    aside(move || {
        let Signed { office, session, frame } = &signed;
        let snapshot = match office.look(&name) {
            Ok(snapshot) => snapshot,
            Err(error) => return refuse(frame, &error),
        };
        let task = snapshot.task.as_deref().cloned().unwrap_or_default();
        let template = MonitorPage {
            frame,
            seal: &session.seal,
            pulse: Pulse::of(&live),
            runner: office.runner.standing(),
            sections: sections(office, frame, &session.seal, &snapshot),
            view: TaskView::of(office.gazetteer(), frame, &snapshot),
            threads: task.threads,
            seeds: task.seeds.iter().take(20).cloned().collect(),
            region: labels(office.gazetteer(), &task.region),
            contact: task.contact.unwrap_or_default(),
            user_agent: task.user_agent,
            delay: task.politeness.delay,
        };
        page(StatusCode::OK, &template)
    })
    .await
}

/// `GET /crawls/NAME/events`: the monitor as it changes.
pub(crate) async fn events(signed: Signed, Path(name): Path<String>) -> Response {
    let (office, known) = (Arc::clone(&signed.office), name.clone());
    let frame = signed.frame.clone();
    let found = tokio::task::spawn_blocking(move || office.tasks.task(&known).map(|_| ())).await;
    if let Ok(Err(error)) = found {
        return refuse(&frame, &error);
    }
    let look = move |office: &Office, frame: &Frame, seal: &str| {
        let snapshot = office.look(&name).ok()?;
        Some(sections(office, frame, seal, &snapshot))
    };
    live::stream(signed, Arc::new(look))
}

fn sections(office: &Office, frame: &Frame, seal: &str, snapshot: &Snapshot) -> Sections {
    let (record, name) = (&snapshot.record, snapshot.name.as_str());
    let view = TaskView::of(office.gazetteer(), frame, snapshot);
    let region = snapshot.task.as_ref().map(|it| it.region.clone()).unwrap_or_default();
    let total = snapshot.status.as_ref().map(|it| &it.total);
    let mut sections = Sections::default();
    sections.add("now".to_owned(), &Now { frame, view: &view });
    sections.add("controls".to_owned(), &Controls { frame, seal, view: &view, back: "task" });
    let curve = CurveView {
        frame,
        curve: Curve::of(frame.language, record),
        has_goal: record.has_goal || record.pages.is_empty(),
        percent: record.percent,
    };
    sections.add("curve".to_owned(), &curve);
    let map = FindMap::of(frame.language, office.gazetteer(), &region, record);
    sections.add("finds".to_owned(), &FindsView { frame, map });
    sections.add("pages".to_owned(), &PagesView { frame, name, pages: &record.pages });
    let frontier = FrontierView { frame, name, links: &snapshot.frontier };
    sections.add("frontier".to_owned(), &frontier);
    sections.add("hosts".to_owned(), &HostsView { frame, hosts: &snapshot.hosts });
    let errors = ErrorsView {
        frame,
        errors: most_first(total.map(|it| &it.errors)),
        filtered: most_first(total.map(|it| &it.filtered))
            .into_iter()
            .map(|(class, count)| (reason::left_out(frame, &class), count))
            .collect(),
    };
    sections.add("errors".to_owned(), &errors);
    sections
}

fn most_first(counts: Option<&std::collections::BTreeMap<String, u64>>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> =
        counts.into_iter().flatten().map(|(class, count)| (class.clone(), *count)).collect();
    counts.sort_by_key(|it| std::cmp::Reverse(it.1));
    counts
}

impl PagesView<'_> {
    /// Where the explanation of a link is.
    fn explain(&self, url: &str) -> String {
        explain_link(self.name, url)
    }

    fn safe(url: &str) -> Option<String> {
        safe_link(url)
    }

    fn worth(&self, priority: f32) -> String {
        worth(self.frame, priority)
    }

    /// Why it was fetched when it was.
    fn sentence(&self, page: &JournalPage) -> String {
        reason::sentence(self.frame, &self.worth(page.priority), &page.reason)
    }

    /// What came of a page, in a word; what says it at a glance; and its class.
    fn outcome(&self, page: &JournalPage) -> (String, &'static str, &'static str) {
        if let Some(error) = &page.error {
            return (error.clone(), "✗", "bad");
        }
        if page.duplicate_of.is_some() {
            return (self.frame.say("repeat").to_owned(), "=", "calm");
        }
        match page.relevant {
            Some(true) => (self.frame.say("relevant").to_owned(), "●", "good"),
            Some(false) => (self.frame.say("not relevant").to_owned(), "○", "calm"),
            None if page.status >= 400 => (page.status.to_string(), "✗", "bad"),
            None => (page.status.to_string(), "·", "calm"),
        }
    }

    /// The time of the day, from a time as the log has it.
    fn time(at: &str) -> &str {
        at.get(11..19).unwrap_or(at)
    }
}

impl FrontierView<'_> {
    fn explain(&self, url: &str) -> String {
        explain_link(self.name, url)
    }

    fn worth(&self, priority: f32) -> String {
        worth(self.frame, priority)
    }

    /// Why it is next.
    fn sentence(&self, link: &QueuedLink) -> String {
        reason::sentence(self.frame, &self.worth(link.priority), &link.reasons.join("; "))
    }
}

impl HostsView<'_> {
    /// What is known of a robots.txt.
    fn rules(&self, told: &str) -> String {
        reason::rules(self.frame, told)
    }

    fn seconds(&self, seconds: f64) -> String {
        self.frame.language.decimal(seconds, 1)
    }
}

/// A priority as the reader writes it.
fn worth(frame: &Frame, priority: f32) -> String {
    frame.language.decimal(priority.into(), 4)
}

fn explain_link(name: &str, url: &str) -> String {
    let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
    format!("/crawls/{name}/explain?url={url}")
}
