//! By lot: the baseline of all baselines.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::strategy::{Candidate, Source, Strategy, Value};

/// By lot, but the same lot every time for the same link.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random {
    seed: u64,
}

impl Strategy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn value(&mut self, _: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        let lot = |url: &str| xxh3_64_with_seed(url.as_bytes(), self.seed) >> 40;
        let value = |it: &Candidate<'_>| lot(it.url.as_str()) as f32 / (1_u32 << 24) as f32;
        links.iter().map(|it| Value { priority: value(it), note: Vec::new() }).collect()
    }

    fn explain(&self, value: &Value, _: u16) -> Vec<String> {
        vec![format!("its lot is {:.4}", value.priority)]
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn lots_are_spread_evenly_and_stay_the_same() {
        let urls: Vec<_> = (0..1000)
            .map(|it| Url::parse(&format!("http://example.org/{it}")).expect("a URL"))
            .collect();
        let source = Source {
            url: &urls[0],
            page: None,
            relevant: None,
            similarity: None,
            nearness: None,
            depth: 0,
            note: &[],
        };
        let links: Vec<_> = urls
            .iter()
            .map(|url| Candidate { url, link: None, depth: 1, is_known: false })
            .collect();
        let values = Random::default().value(&source, &links);
        assert_eq!(values, Random::default().value(&source, &links));
        let mean = values.iter().map(|it| it.priority).sum::<f32>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        assert!(values.iter().all(|it| (0.0..1.0).contains(&it.priority)));
    }
}
