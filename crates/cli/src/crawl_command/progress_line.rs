//! How a crawl goes, in one line.

use crawl::{Crawl, Pulse, Wish};

use crate::output::grouped;

/// How a crawl goes, in one line.
pub(crate) fn line(crawl: &Crawl, pulse: &Pulse) -> String {
    let progress = crawl.progress();
    let mut parts = vec![
        format!("{} pages", grouped(progress.pages as usize)),
        format!("{:.1}/s", pulse.rate()),
    ];
    if crawl.task().has_goal() {
        parts.push(format!("harvest {:.0} %", progress.harvest() * 100.0));
    }
    parts.push(format!("queue {}", grouped(progress.queued as usize)));
    parts.push(format!("hosts {}", grouped(progress.hosts as usize)));
    let errors: u64 = progress.errors.values().sum();
    parts.push(format!("errors {}", grouped(errors as usize)));
    let waits = match (crawl.wished(), progress.waiting_for) {
        (Wish::Pause, _) => Some("paused".to_owned()),
        (Wish::Stop, _) => {
            Some(format!("stopping: {} answers are on their way", progress.in_flight))
        }
        (Wish::Run, Some(reason)) => Some(format!("waiting: {reason}")),
        (Wish::Run, None) if progress.in_flight == 0 && progress.queued > 0 => {
            Some("waiting until a host may be asked again".to_owned())
        }
        (Wish::Run, None) => None,
    };
    parts.extend(waits);
    parts.join("  ")
}
