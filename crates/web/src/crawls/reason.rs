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

/// What the strategy "broad" tells, and others of a link they know nothing of: `it is 2 links away from a seed: …`; and
/// what "distance" does: `score 0.2500: 2 links from the last relevant page`.
fn away(frame: &Frame, told: &str) -> Option<String> {
    let scored = || told.strip_prefix("score ")?.split_once(": ").map(|it| it.1);
    let told = scored().unwrap_or(told);
    if told.starts_with("it is a seed") {
        return Some(frame.say("It is a seed.").to_owned());
    }
    let (links, from) = match told.strip_prefix("it is ") {
        Some(rest) => rest.split_once(" away from ")?,
        None => told.split_once(" from ")?,
    };
    let is_page = from.starts_with("the last relevant page");
    Some(match links.split_once(' ')? {
        ("1" | "one", "link") if is_page => {
            frame.say("One link away from the last relevant page.").to_owned()
        }
        ("1" | "one", "link") => frame.say("One link away from a seed.").to_owned(),
        (links, "links") if is_page => {
            frame.fill("{} links away from the last relevant page.", links)
        }
        (links, "links") => frame.fill("{} links away from a seed.", links),
        _ => return None,
    })
}

/// Why a link has its priority: in words, and what the strategy reckons with.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reasons {
    pub(crate) words: Vec<String>,
    pub(crate) terms: Vec<String>,
}

/// What a strategy tells of a link, in order. The priority itself is left out: it stands beside it, as it was when the link
/// was put in its place, and what is reckoned now may differ a little.
pub(crate) fn reasons(frame: &Frame, told: &[String]) -> Reasons {
    let told = told.iter().filter(|it| !it.starts_with("priority "));
    let told = told.map(|it| it.split_once(", priority ").map_or(it.as_str(), |it| it.0));
    let told: Vec<&str> = told.collect();
    if let Some(sentence) = learned(frame, &told.join("; ")) {
        return Reasons {
            words: vec![sentence],
            terms: told.into_iter().map(str::to_owned).collect(),
        };
    }
    let (terms, words): (Vec<&str>, Vec<&str>) = told.into_iter().partition(|it| is_list(it));
    let words = words.into_iter();
    Reasons {
        words: words.map(|it| away(frame, it).unwrap_or_else(|| frame.told(it))).collect(),
        terms: terms.into_iter().map(str::to_owned).collect(),
    }
}

/// True for a list of terms with what each says: `quay +1.20, hotel -0.30`.
fn is_list(told: &str) -> bool {
    let says = |it: &str| it.starts_with(['+', '-']) && it[1..].parse::<f64>().is_ok();
    told.split(", ").all(|it| it.rsplit(' ').next().is_some_and(says))
        || told.split(", ").all(|it| it.starts_with("depth "))
        || told.starts_with("prediction ")
}

/// What became of a link, or what would, in the reader's language.
pub(crate) fn state(frame: &Frame, told: &str) -> String {
    match told {
        "queued" => return frame.say("queued").to_owned(),
        "waiting" => return frame.say("waiting").to_owned(),
        "visited" => return frame.say("visited").to_owned(),
        "redirected" => return frame.say("redirected").to_owned(),
        _ => {}
    }
    if let Some(link) = told.strip_prefix("redirected to ") {
        return frame.fill("redirected to {}", link);
    }
    if let Some(reason) = told.strip_prefix("dropped: ") {
        return frame.fill("dropped: {}", dropped(frame, reason));
    }
    unknown(frame, told).unwrap_or_else(|| told.to_owned())
}

/// Why a link is not visited.
fn dropped(frame: &Frame, reason: &str) -> String {
    let known = left_out(frame, reason);
    if known == reason.replace('_', " ") { frame.told(reason) } else { known }
}

/// What is told of a link that nobody has found: `unknown: no link to it was taken in, and it is no seed; …`.
fn unknown(frame: &Frame, told: &str) -> Option<String> {
    let rest = told.strip_prefix("unknown: no link to it was taken in, and ")?;
    let (seed, would) = if let Some(would) = rest.strip_prefix("it is no seed; ") {
        let seed = frame.say("Unknown: no link to it was taken in, and it is no seed.");
        (seed.to_owned(), would)
    } else {
        let (reason, would) =
            rest.strip_prefix("the strategy does not let it in as a seed (")?.rsplit_once("); ")?;
        let seed = frame.fill(
            "Unknown: no link to it was taken in, and the strategy does not let it in as a seed ({}).",
            frame.told(reason),
        );
        (seed, would)
    };
    if let Some(reason) = would.strip_prefix("if a page has one, that is left out: ") {
        let would = frame.fill("If a page has one, that is left out: {}.", left_out(frame, reason));
        return Some(format!("{seed} {would}"));
    }
    let would = match would {
        "if a page has one, that is left out, being out of scope" => {
            frame.say("If a page has one, that is left out: it is out of scope.")
        }
        "one that is found is dropped when its turn comes, since robots.txt forbids it" => {
            frame.say("One that is found is dropped when its turn comes: robots.txt forbids it.")
        }
        "one that is found is queued, and its host asked for its robots.txt first" => {
            frame.say("One that is found is queued, and its host asked for its robots.txt first.")
        }
        "one that is found is queued" => frame.say("One that is found is queued."),
        _ => return None,
    };
    Some(format!("{seed} {would}"))
}

/// What is known of the robots.txt of a host.
pub(crate) fn rules(frame: &Frame, told: &str) -> String {
    if let Some(seconds) = told.strip_prefix("has rules, asks for ") {
        return frame.fill("has rules, asks for {}", seconds);
    }
    let words = match told {
        "not asked yet" => frame.say("not asked yet"),
        "does not exist" => frame.say("does not exist"),
        "cannot be read" => frame.say("cannot be read"),
        "has rules" => frame.say("has rules"),
        other => return other.to_owned(),
    };
    words.to_owned()
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
        check("it is one link away from a seed: 1 / 2", "One link away from a seed.");
        check("it is a seed: 1", "It is a seed.");
        check("score 1.0000: it is a seed", "It is a seed.");
        let far = "2 links away from the last relevant page.";
        check("score 0.2500: 2 links from the last relevant page", far);
        check("its lot is 0.1163", "Priority 0.1163");
        check("relevant much, and more", "Priority 0.1163");
        check("", "Priority 0.1163");
    }

    fn german() -> Frame {
        Frame { language: crate::wording::Language::German, here: String::new() }
    }

    #[test]
    fn the_terms_stand_apart_and_the_priority_is_told_once() {
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/crawls/a"));
        let told = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|it| (*it).to_owned()).collect();
            let Reasons { words, terms } = reasons(&frame, &lines);
            (words.join("|"), terms.join("|"))
        };
        let best = [
            "relevant 0.1259, harvest by way of it 0.1017",
            "relevant so far: host 3 of 10, folder 0 of 3; hope 0.2",
            "relevant by quay +1.20, hotel -0.30",
            "priority 0.1230",
        ];
        let (words, terms) = told(&best);
        assert_eq!(
            words,
            "Chance to be relevant: 13 %. Relevant on its host so far: 3 of 10 pages."
        );
        assert_eq!(terms, best[..3].join("|"));
        let adaptive = [
            "score 0.5000: 1 link from a seed",
            "depth 1: 0.2000, depth 2: 0.1000",
            "quay +1.20, hotel -0.30",
            "prediction 0.2000, priority 0.3500",
        ];
        let (words, terms) = told(&adaptive);
        assert_eq!(words, "One link away from a seed.");
        assert_eq!(terms, format!("{}|{}|prediction 0.2000", adaptive[1], adaptive[2]));
    }

    #[test]
    fn what_became_of_a_link_is_told_in_the_language_of_the_reader() {
        let check = |told: &str, expected: &str| assert_eq!(state(&german(), told), expected);
        check("queued", "wartet auf seinen Abruf");
        check("dropped: robots.txt", "verworfen: von robots.txt verboten");
        check(
            "unknown: no link to it was taken in, and it is no seed; one that is found is queued",
            "Unbekannt: kein Link darauf wurde aufgenommen, und er ist kein Startlink. Ein gefundener kommt in die Warteschlange.",
        );
        check(
            "unknown: no link to it was taken in, and it is no seed; if a page has one, that is left out: mirror",
            "Unbekannt: kein Link darauf wurde aufgenommen, und er ist kein Startlink. Hat eine Seite einen, so wird er ausgelassen: Kopien eines anderen Hosts.",
        );
        check("something new", "something new");
        assert_eq!(rules(&german(), "has rules, asks for 5 s"), "hat Regeln, verlangt 5 s");
    }

    #[test]
    fn whatever_is_counted_is_told_without_underscores() {
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/crawls/a"));
        assert_eq!(left_out(&frame, "depth_in_host"), "too deep in their host");
        assert_eq!(left_out(&frame, "some_new_one"), "some new one");
    }
}
