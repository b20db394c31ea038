//! Why a link was taken, or left out, in words for people; the numbers of a strategy stand behind them.

use crate::frame::Frame;

/// Why a link has its priority, in a sentence; its priority alone where the strategy tells nothing that fits one.
pub(crate) fn sentence(frame: &Frame, priority: &str, told: &str) -> String {
    learned(frame, told)
        .or_else(|| away(frame, told))
        .unwrap_or_else(|| frame.fill("Priority {}", priority))
}

/// What the strategy "best" tells: `relevant 0.0078, …; relevant so far: host 3 of 8, …`.
fn learned(frame: &Frame, told: &str) -> Option<String> {
    let chance = told.strip_prefix("relevant ")?.split([',', ';']).next()?;
    let chance = chance.parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it))? * 100.0;
    let chance = frame.language.decimal(chance, usize::from(chance < 1.0));
    let host = told.split_once("relevant so far: host ").and_then(|it| it.1.split(',').next());
    let Some((relevant, visited)) = host.and_then(|it| it.split_once(" of ")) else {
        return Some(frame.fill("Chance to be relevant: {} %.", chance));
    };
    let values: [&dyn std::fmt::Display; 3] = [&chance, &relevant, &visited];
    Some(
        frame.language.fill(
            "Chance to be relevant: {} %. Relevant on its host so far: {} of {} pages.",
            &values,
        ),
    )
}

/// What the strategy "broad" tells, and others of a link they know nothing of: `it is 2 links away from a seed: …`.
fn away(frame: &Frame, told: &str) -> Option<String> {
    let links = told.strip_prefix("it is ")?.split_once(" links away from a seed")?.0;
    Some(frame.fill("{} links away from a seed.", links))
}

/// Why links were left out, by the word under which they are counted.
pub(crate) fn left_out(frame: &Frame, class: &str) -> String {
    let words = match class {
        "scheme" => frame.say("not of the web"),
        "host" => frame.say("other hosts"),
        "path" => frame.say("paths left out"),
        "language" => frame.say("other languages"),
        "depth" => frame.say("too far from a seed"),
        "depth_in_host" => frame.say("too deep in their host"),
        "parameters" => frame.say("too many parameters"),
        "host_full" => frame.say("too many of their host"),
        "mirror" => frame.say("copies of another host"),
        "robots.txt" => frame.say("forbidden by robots.txt"),
        "strategy" => frame.say("not promising"),
        other => return other.replace('_', " "),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, Uri};

    use super::*;

    #[track_caller]
    fn check(told: &str, expected: &str) {
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/crawls/a"));
        assert_eq!(sentence(&frame, "0.1163", told), expected);
    }

    #[test]
    fn what_a_strategy_tells_becomes_a_sentence() {
        check(
            "relevant 0.1259, harvest by way of it 0.1017; relevant so far: host 3 of 10, folder 0 of 3",
            "Chance to be relevant: 13 %. Relevant on its host so far: 3 of 10 pages.",
        );
        check("relevant 0.0078, harvest by way of it 0", "Chance to be relevant: 0.8 %.");
        check("it is 2 links away from a seed: 1 / 3", "2 links away from a seed.");
        check("its lot is 0.1163", "Priority 0.1163");
        check("relevant much, and more", "Priority 0.1163");
        check("", "Priority 0.1163");
    }

    #[test]
    fn whatever_is_counted_is_told_without_underscores() {
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/crawls/a"));
        assert_eq!(left_out(&frame, "depth_in_host"), "too deep in their host");
        assert_eq!(left_out(&frame, "some_new_one"), "some new one");
    }
}
