//! How a crawl does by the measures of Kozanidis, Stamou and Spiros.

use std::collections::HashSet;

use super::judged::Judged;

/// So many names of places were looked at in the paper.
const SAMPLE: usize = 1265;

/// How a crawl does by the measures of Kozanidis, Stamou and Spiros, as far as its log tells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Orientation {
    /// Pages that were read.
    pub(super) pages: usize,
    /// Those that name a place.
    pub(super) placed: usize,
    /// Those of them whose links had promised a place, that is, were worth more than nothing.
    pub(super) promised: usize,
    /// Places on those pages, a place of two pages counted twice.
    pub(super) places: usize,
    /// Different ones among them.
    pub(super) distinct: usize,
    /// Different ones among the first 1,265 of them.
    distinct_in_sample: usize,
}

impl Orientation {
    /// That of the answers of a crawl.
    pub(super) fn of(answers: &[Judged]) -> Self {
        let mut orientation = Self::default();
        let mut seen: HashSet<&str> = HashSet::new();
        for answer in answers.iter().filter(|it| it.relevant.is_some()) {
            orientation.pages += 1;
            if answer.places.is_empty() {
                continue;
            }
            orientation.placed += 1;
            if answer.priority.is_none_or(|it| it <= 0.0) {
                continue;
            }
            orientation.promised += 1;
            for place in &answer.places {
                orientation.places += 1;
                let is_new = usize::from(seen.insert(place));
                orientation.distinct += is_new;
                if orientation.places <= SAMPLE {
                    orientation.distinct_in_sample += is_new;
                }
            }
        }
        orientation
    }

    /// Of the pages that name a place, the share whose links had promised one.
    pub(super) fn accuracy(&self) -> Option<f64> {
        (self.placed > 0).then(|| self.promised as f64 / self.placed as f64)
    }

    /// The share of different places among all; it falls the longer a crawl goes on.
    pub(super) fn coverage(&self) -> Option<f64> {
        (self.places > 0).then(|| self.distinct as f64 / self.places as f64)
    }

    /// The share of different places among the first 1,265, as many as the paper looked at.
    pub(super) fn coverage_of_sample(&self) -> Option<f64> {
        let sample = self.places.min(SAMPLE);
        (sample > 0).then(|| self.distinct_in_sample as f64 / sample as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(priority: f64, places: &[&str]) -> Judged {
        Judged {
            relevant: Some(false),
            priority: Some(priority),
            places: places.iter().map(|it| (*it).to_owned()).collect(),
            ..Judged::default()
        }
    }

    #[test]
    fn accuracy_and_coverage_are_shares_of_pages_and_of_places() {
        let unread = Judged { relevant: None, ..answer(1.0, &["gn:9"]) };
        let answers = [
            answer(0.5, &["gn:1", "gn:2"]),
            answer(0.5, &["gn:1", "gn:3"]),
            answer(0.0, &["gn:4"]),
            answer(0.5, &[]),
            unread,
        ];
        let found = Orientation::of(&answers);
        assert_eq!((found.pages, found.placed, found.promised), (4, 3, 2));
        assert_eq!(found.accuracy(), Some(2.0 / 3.0));
        assert_eq!(found.coverage(), Some(0.75));
        assert_eq!(found.coverage_of_sample(), Some(0.75));
        assert_eq!(Orientation::of(&[]).accuracy(), None);
    }

    #[test]
    fn the_sample_has_as_many_places_as_that_of_the_paper() {
        let answers: Vec<_> = (0..2_000).map(|it| answer(1.0, &[["a", "b"][it % 2]])).collect();
        let found = Orientation::of(&answers);
        assert_eq!(found.coverage(), Some(0.001));
        assert_eq!(found.coverage_of_sample(), Some(2.0 / 1265.0));
    }
}
