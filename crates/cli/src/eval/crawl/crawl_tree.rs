//! The tree of pages and followed links: bridges, tails, and how far from the seeds pages lie.

use std::collections::{BTreeMap, HashMap};

use super::judged::Judged;

/// How many pages have which distance or length.
pub(super) type Histogram = BTreeMap<usize, usize>;

/// How a crawl went from relevant page to relevant page.
///
/// Only what was judged is a page here: redirects and lists of links are passed through, errors and
/// files are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CrawlTree {
    /// For each relevant page but the seeds: the pages between it and the nearest relevant page
    /// above it, or the seed.
    pub(super) bridges: Histogram,
    /// For each end of a branch that is not relevant: the pages below the nearest relevant one
    /// above it.
    pub(super) tails: Histogram,
    /// How many ends of branches have no relevant page above them.
    pub(super) never_started: usize,
    /// For each relevant page: the links between it and its seed.
    pub(super) seed_distances: Histogram,
}

impl CrawlTree {
    /// The tree of the answers of a crawl.
    pub(super) fn of(answers: &[Judged]) -> Self {
        let parents = parents(answers);
        let mut is_leaf = vec![true; answers.len()];
        for parent in parents.iter().flatten() {
            is_leaf[*parent] = false;
        }
        let is_relevant = |at: usize| answers[at].relevant == Some(true);
        let mut tree = Self::default();
        for (at, answer) in answers.iter().enumerate() {
            let Some(relevant) = answer.relevant else { continue };
            let above = above(&parents, at);
            let nearest = above.iter().position(|it| is_relevant(*it));
            if relevant {
                *tree.seed_distances.entry(above.len()).or_default() += 1;
                if let Some(last) = above.len().checked_sub(1) {
                    *tree.bridges.entry(nearest.unwrap_or(last)).or_default() += 1;
                }
            } else if is_leaf[at] {
                match nearest {
                    Some(between) => *tree.tails.entry(between + 1).or_default() += 1,
                    None => tree.never_started += 1,
                }
            }
        }
        tree
    }
}

/// For each page the page above it, where there is one.
fn parents(answers: &[Judged]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> =
        answers.iter().enumerate().map(|(at, it)| (it.url.as_str(), at)).collect();
    let via = |at: usize| answers[at].via.as_deref().and_then(|it| places.get(it)).copied();
    let parent = |at: usize| {
        let mut next = via(at);
        // Logs that turn in a circle are wrong; they end after as many steps as there are answers.
        for _ in 0..answers.len() {
            match next {
                Some(above) if answers[above].relevant.is_none() => next = via(above),
                found => return found.filter(|it| *it != at),
            }
        }
        None
    };
    let is_page = |at: usize| answers[at].relevant.is_some();
    (0..answers.len()).map(|at| if is_page(at) { parent(at) } else { None }).collect()
}

/// The pages above a page, the nearest first, the seed last.
fn above(parents: &[Option<usize>], at: usize) -> Vec<usize> {
    let mut above = Vec::new();
    let mut next = parents[at];
    while let Some(parent) = next
        && above.len() < parents.len()
    {
        above.push(parent);
        next = parents[parent];
    }
    above
}

/// The share of entries from this one on.
pub(super) fn share_from(histogram: &Histogram, least: usize) -> Option<f64> {
    let all: usize = histogram.values().sum();
    let there: usize = histogram.range(least..).map(|it| it.1).sum();
    (all > 0).then(|| there as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of a line such as `S A<S b!<A c?<b`: `!` is relevant, `?` is no page, `<` tells the
    /// page above.
    fn answers(text: &str) -> Vec<Judged> {
        let answer = |word: &str| {
            let (name, via) = word.split_once('<').map_or((word, None), |it| (it.0, Some(it.1)));
            let relevant = if name.ends_with('?') { None } else { Some(name.ends_with('!')) };
            Judged {
                url: name.trim_end_matches(['!', '?']).to_owned(),
                via: via.map(str::to_owned),
                relevant,
                ..Judged::default()
            }
        };
        text.split_whitespace().map(answer).collect()
    }

    #[track_caller]
    fn check(
        text: &str,
        bridges: &[(usize, usize)],
        tails: &[(usize, usize)],
        never_started: usize,
        seed_distances: &[(usize, usize)],
    ) {
        let histogram = |it: &[(usize, usize)]| it.iter().copied().collect();
        let expected = CrawlTree {
            bridges: histogram(bridges),
            tails: histogram(tails),
            never_started,
            seed_distances: histogram(seed_distances),
        };
        assert_eq!(CrawlTree::of(&answers(text)), expected, "{text}");
    }

    #[test]
    fn one_bridge_leads_to_the_page_and_two_tails_of_two_pages_leave_it() {
        let tree = "S A<S B<S C<A D<A E!<B I<C J<D F<E G<E H<F K<G";
        check(tree, &[(1, 1)], &[(2, 2)], 2, &[(2, 1)]);
    }

    #[test]
    fn a_relevant_child_of_a_relevant_page_needs_no_bridge() {
        check("S! A!<S B<A C!<B", &[(0, 1), (1, 1)], &[], 0, &[(0, 1), (1, 1), (3, 1)]);
    }

    #[test]
    fn what_is_no_page_is_passed_through_and_is_no_tail() {
        check("S! r?<S A!<r e?<A", &[(0, 1)], &[], 0, &[(0, 1), (1, 1)]);
    }

    #[test]
    fn a_log_without_its_beginning_or_in_a_circle_ends() {
        check("A!<lost B<A", &[], &[(1, 1)], 0, &[(0, 1)]);
        check("A<A", &[], &[], 1, &[]);
        CrawlTree::of(&answers("A<B B<A C!<A"));
        CrawlTree::of(&answers("a?<b b?<a C!<a"));
    }

    #[test]
    fn the_share_of_long_ones_is_counted_from_the_first_of_them() {
        let histogram = Histogram::from([(0, 6), (1, 3), (4, 1)]);
        assert_eq!(share_from(&histogram, 1), Some(0.4));
        assert_eq!(share_from(&histogram, 5), Some(0.0));
        assert_eq!(share_from(&Histogram::new(), 0), None);
    }
}
