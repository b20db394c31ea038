//! Breadth first: what is nearer to a seed comes first.

use crate::strategy::{Candidate, Source, Strategy, Value};

/// Breadth first: what is nearer to a seed comes first, among equals what was found first.
#[derive(Clone, Copy, Debug)]
pub struct Broad;

impl Strategy for Broad {
    fn name(&self) -> &'static str {
        "broad"
    }

    fn value(&mut self, _: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        links.iter().map(|it| Value { priority: nearness(it.depth), note: Vec::new() }).collect()
    }

    fn explain(&self, _: &Value, depth: u16) -> Vec<String> {
        vec![match depth {
            0 => "it is a seed: 1".to_owned(),
            1 => "it is one link away from a seed: 1 / 2".to_owned(),
            links => format!("it is {links} links away from a seed: 1 / {}", u32::from(links) + 1),
        }]
    }
}

/// One for a seed, less with every link.
fn nearness(depth: u16) -> f32 {
    1.0 / (1.0 + f32::from(depth))
}
