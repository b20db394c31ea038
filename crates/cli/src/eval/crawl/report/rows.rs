//! The report for machines: one row for each web, strategy and point.

use anyhow::{Context, Result};

use super::{Measured, Report, SHARES};

/// The columns; `source` is `crawl`, or `graph` for a reference crawler, which fetches nothing.
const HEAD: [&str; 12] = [
    "profile",
    "profile_hash",
    "tool_hash",
    "seed",
    "urls",
    "budget",
    "source",
    "strategy",
    "downloads",
    "relevant",
    "harvest",
    "recall",
];
/// Reference crawlers.
const REFERENCES: [&str; 4] = ["broad", "linkdist", "random", "oracle"];

/// The report as comma-separated values.
pub(super) fn csv(report: &Report) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEAD)?;
    for web in &report.webs {
        let stamp = web.trials.first().map(|it| &it.score.web);
        let mut write = |source: &str, strategy: &str, figures: [String; 4]| {
            let mut row = vec![
                web.recipe.profile.clone(),
                stamp.map(|it| it.profile_hash.clone()).unwrap_or_default(),
                stamp.map(|it| it.tool_hash.clone()).unwrap_or_default(),
                web.recipe.seed.to_string(),
                web.urls.to_string(),
                web.downloads.to_string(),
                source.to_owned(),
                strategy.to_owned(),
            ];
            row.extend(figures);
            writer.write_record(&row)
        };
        for trial in &web.trials {
            for (downloads, relevant) in points(web, &trial.strategy) {
                let figures = [
                    downloads.to_string(),
                    format!("{relevant:.1}"),
                    format!("{:.5}", relevant / downloads.max(1) as f64),
                    format!("{:.5}", trial.score.recall_of(relevant)),
                ];
                write("crawl", &trial.strategy, figures)?;
            }
        }
        for name in web.baselines.known(&REFERENCES) {
            for (share, part) in SHARES.iter().enumerate() {
                let Some(harvest) = web.baselines.harvest(name, share) else { continue };
                let downloads = ((part * web.urls as f64) as u64).max(1);
                let nothing = String::new;
                let figures =
                    [downloads.to_string(), nothing(), format!("{harvest:.5}"), nothing()];
                write("graph", name, figures)?;
            }
        }
    }
    let bytes = writer.into_inner().context("the rows cannot be put together")?;
    Ok(String::from_utf8(bytes)?)
}

/// The points of a strategy's curve within the budget, and that at its end.
fn points(web: &Measured, strategy: &str) -> Vec<(u64, f64)> {
    let curve = web.curve(strategy).unwrap_or_default();
    let within = curve.points().iter().filter(|it| it.0 < web.downloads);
    let mut points: Vec<_> = within.map(|it| (it.0, it.1 as f64)).collect();
    points.extend(web.relevant(strategy).map(|it| (web.downloads, it)));
    points
}
