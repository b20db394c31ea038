//! What became of links: which class each was in, one, two and three links on.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::bayes::DEPTHS;
use crate::strategy::Lesson;

/// How the pages behind a link make its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// A link is relevant at a depth if any page there is, as Ahlers and Boll have it.
    #[default]
    Any,
    /// It is relevant by the share of the pages there that are. Three links on nearly every link has
    /// some relevant page; this tells them apart.
    Share,
}

/// Of each depth how relevant the link was, from 0 to 1; nothing where no page was visited.
pub(crate) type Label = [Option<f32>; DEPTHS];

/// The labels of lessons, one for each.
///
/// Depth one is the page itself, depth two are the pages visited over its links, depth three those
/// over theirs.
pub(crate) fn labels(labels: Labels, lessons: &[Lesson]) -> Vec<Label> {
    let by_id: HashMap<u64, usize> =
        lessons.iter().enumerate().map(|(at, it)| (it.id, at)).collect();
    let via = |it: &Lesson| it.via.and_then(|it| by_id.get(&it).copied());
    let own = lessons.iter().map(|it| Below { pages: 1, relevant: it.relevant.into() });
    let mut below = vec![own.collect::<Vec<_>>()];
    for depth in 1..DEPTHS {
        let mut next = vec![Below::default(); lessons.len()];
        for (at, lesson) in lessons.iter().enumerate() {
            if let Some(via) = via(lesson) {
                next[via].add(below[depth - 1][at]);
            }
        }
        below.push(next);
    }
    let label = |at: usize| std::array::from_fn(|depth| below[depth][at].label(labels));
    (0..lessons.len()).map(label).collect()
}

/// Labels shuffled among the lessons: nothing can be learned from these.
pub(crate) fn shuffled(labels: &[Label]) -> Vec<Label> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_cached_key(|it| xxh3_64_with_seed(&it.to_le_bytes(), SHUFFLE));
    order.into_iter().map(|it| labels[it]).collect()
}

/// Any number will do as long as it stays the same.
const SHUFFLE: u64 = 7;

/// The pages at one depth below a link.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    pages: u32,
    relevant: u32,
}

impl Below {
    fn add(&mut self, other: Self) {
        self.pages = self.pages.saturating_add(other.pages);
        self.relevant = self.relevant.saturating_add(other.relevant);
    }

    fn label(self, labels: Labels) -> Option<f32> {
        let share = self.relevant as f32 / self.pages as f32;
        (self.pages > 0).then_some(match labels {
            Labels::Any => share.ceil(),
            Labels::Share => share,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Page 1 links to 2 and 3, page 3 to 4 and 5, page 5 to 6. Page 9 was never seen.
    fn lessons() -> Vec<Lesson> {
        [
            (1, None),
            (2, Some(1)),
            (3, Some(1)),
            (4, Some(3)),
            (5, Some(3)),
            (6, Some(5)),
            (7, Some(9)),
        ]
        .map(|(id, via)| Lesson { id, via, note: Vec::new(), relevant: id % 2 == 0 })
        .to_vec()
    }

    #[track_caller]
    fn check(rule: Labels, id: usize, expected: Label) {
        assert_eq!(labels(rule, &lessons())[id - 1], expected);
    }

    #[test]
    fn a_link_is_judged_by_what_lies_behind_it() {
        check(Labels::Any, 1, [Some(0.0), Some(1.0), Some(1.0)]);
        check(Labels::Any, 3, [Some(0.0), Some(1.0), Some(1.0)]);
        check(Labels::Any, 5, [Some(0.0), Some(1.0), None]);
        check(Labels::Any, 7, [Some(0.0), None, None]);
        check(Labels::Share, 1, [Some(0.0), Some(0.5), Some(0.5)]);
        check(Labels::Share, 3, [Some(0.0), Some(0.5), Some(1.0)]);
    }

    #[test]
    fn a_circle_of_links_is_no_trap() {
        let circle = [(1, Some(2)), (2, Some(1))].map(|(id, via)| Lesson {
            id,
            via,
            note: Vec::new(),
            relevant: id == 1,
        });
        let all = labels(Labels::Any, &circle);
        assert_eq!(all, [[Some(1.0), Some(0.0), Some(1.0)], [Some(0.0), Some(1.0), Some(0.0)]]);
    }

    #[test]
    fn shuffling_keeps_the_number_of_relevant_pages() {
        let label = |at: u8| [Some(f32::from(u8::from(at < 10))), None, None];
        let labels: Vec<Label> = (0..100).map(label).collect();
        let shuffled = shuffled(&labels);
        let is_relevant = |it: &&Label| it[0] == Some(1.0);
        assert_eq!(shuffled.iter().filter(is_relevant).count(), 10);
        assert!(shuffled.iter().take(10).filter(is_relevant).count() < 5);
    }
}
