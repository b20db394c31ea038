//! The sections of a report, with what has to be known to read them.

use super::document::{Part, Section};
use super::{Measured, Report, charts, tables};

const HARVEST: &str = "Harvest is the share of relevant pages among all downloads so far, errors and redirects included. \
    Figures are medians over the webs. Reference crawlers, dashed in the chart, walk over the plan of the web without \
    fetching it; the oracle among them knows the truth.";
const EACH: &str =
    "The same on each web, in charts of the same scale, and when the budget was used up.";
const RECALL: &str = "The share of all relevant pages of the web that was found within the budget. Different contents \
    are counted without copies of a page, at the end of the crawl, which goes on a little beyond its budget.";
const RATIOS: &str = "The harvest of one strategy divided by that of the other, when the budget was used up and, as \
    medians over the webs, after shares of the web.";
const ORACLE: &str = "How much of the way from the broad crawl to the oracle was gone: (H − H broad) / (H oracle − H broad), \
    at the last share of the web within the budget. The oracle is greedy, so that more than 100 % is possible; where it does \
    no better than the broad crawl there is no figure.";
const BEHIND: &str = "Where a strategy had found less than the broad crawl after as many downloads, from 1 % of the budget on: \
    at how many of the points that were compared, when for the last time, and by how much harvest at most.";
const PATHS: &str = "A bridge is a page that is not relevant between two relevant ones, or between a seed and the first of them. \
    A tail is a branch that leaves a relevant page and meets no other; it is as long as the pages on it. Branches that never \
    met a relevant page have not started. All webs together; only pages that were read count.";
const WASTE: &str = "Downloads by what made them useless, as shares of all downloads of the crawl; the part in brackets is \
    relevant nevertheless.";
const CALIBRATION: &str = "What links had promised, as their priority, against the share of relevant pages among them by \
    the crawl's own judgement; seeds are left out. Perfect promises lie on the diagonal. Strategies whose priority is an \
    order and no probability are left out.";
const PLACES: &str = "The measures of Kozanidis, Stamou and Spiros. Accuracy is the share of pages with a place whose links \
    had promised one, and means something only for a strategy that refuses links. Coverage is the share of different places \
    among all places on those pages, and among the first 1,265 of them, as many as the paper had. Of a page at most 20 places \
    are in the log.";
const JUDGEMENT: &str = "Which pages the crawler held to be relevant, and which places it found on them, against the truth; \
    medians over the webs. Names in links and in fixed phrases are not in the truth, so the precision of places is a lower \
    bound.";
const TOPIC: &str = "The pages of each web's corpus, accepted if their keywords and their places are each more similar to \
    those of the topic than the threshold (two tests), or if all terms are as one list; medians over the webs.";
const SPEED: &str = "How long each crawl took on this machine, server of the simulated web included. A crawl goes on a little \
    beyond its budget; what it finds there is in these rows alone.";

/// The sections of a report in their order.
pub(super) fn of(report: &Report) -> Vec<Section> {
    let table = Part::Table;
    vec![
        Section::new("Set-up", "", vec![table(tables::set_up(report))]),
        Section::new(
            "Harvest",
            HARVEST,
            vec![Part::Charts(vec![charts::harvest(report)]), table(tables::harvests(report))],
        ),
        Section::new(
            "Harvest on each web",
            EACH,
            vec![
                Part::Charts(charts::harvest_of_each(report)),
                table(tables::of_each(report, Measured::harvest, 4)),
            ],
        ),
        Section::new(
            "Recall",
            RECALL,
            vec![Part::Charts(vec![charts::recall(report)]), table(tables::recall(report))],
        ),
        Section::new(
            "Ratios",
            RATIOS,
            vec![table(tables::ratios(report)), table(tables::ratios_at_shares(report))],
        ),
        Section::new("Against the oracle", ORACLE, vec![table(tables::efficiency(report))]),
        Section::new("Behind the broad crawl", BEHIND, vec![table(tables::behind(report))]),
        Section::new(
            "Bridges, tails and distances",
            PATHS,
            vec![
                table(tables::bridges(report)),
                table(tables::tails(report)),
                table(tables::seed_distances(report)),
            ],
        ),
        Section::new("Waste", WASTE, vec![table(tables::waste(report))]),
        Section::new(
            "Calibration",
            CALIBRATION,
            vec![Part::Charts(charts::calibration(report)), table(tables::calibration(report))],
        ),
        Section::new("Places", PLACES, vec![table(tables::orientation(report))]),
        Section::new(
            "The crawler's own judgement",
            JUDGEMENT,
            vec![table(tables::judgement(report))],
        ),
        Section::new(
            "Pages about the topic",
            TOPIC,
            vec![Part::Charts(charts::topic(report)), table(tables::topic(report))],
        ),
        Section::new("Speed", SPEED, vec![table(tables::speed(report))]),
    ]
}
