//! What a link is worth before it is fetched.
//!
//! Takes the links of a page with what the page says about them; gives each a [`Value`]. A
//! [`Strategy`] may learn from what the crawl finds. It has never heard of the network, the disk or
//! the clock. Next on the way: the `crawl` crate, which hands the links to the frontier.
//!
//! ```
//! use focus::{Candidate, Source, Strategy};
//! use url::Url;
//!
//! let mut strategy = focus::named("broad", &focus::Aim::default())?;
//! let here = Url::parse("http://example.org/")?;
//! let there = Url::parse("http://example.org/harbour")?;
//! let source =
//!     Source { url: &here, page: None, relevant: None, similarity: None, nearness: None, depth: 0, note: &[] };
//! let candidate = Candidate { url: &there, link: None, depth: 1, is_known: false };
//! assert_eq!(strategy.value(&source, &[candidate])[0].priority, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adaptive;
mod address_like;
mod agreement;
mod aim;
mod bayes;
mod best;
mod best_note;
mod broad;
mod calibration;
mod closeness;
mod common_word;
mod distance;
mod homes;
mod labels;
mod link_terms;
mod lots;
mod note;
mod random;
mod rank;
mod registrant;
mod regression;
mod sense;
mod stop_words;
mod strategy;
mod term;
mod tie;
mod tokens;
mod topic;
mod topic_draft;
mod topical;
mod toponyms;
mod trail;
mod vector;
mod word;
mod yields;

pub use crate::adaptive::{Adaptive, Fusion, Settings};
pub use crate::agreement::Agreement;
pub use crate::aim::Aim;
pub use crate::bayes::{Calibration, DEPTHS, Prior, Rules, Unseen};
pub use crate::best::Best;
pub use crate::broad::Broad;
pub use crate::closeness::Yardstick;
pub use crate::distance::Distance;
pub use crate::labels::Labels;
pub use crate::lots::Lots;
pub use crate::random::Random;
pub use crate::rank::{Formula, Rank};
pub use crate::registrant::{NoRegistrants, RegistrantList, RegistrantLocator};
pub use crate::strategy::{
    CONTROL, Candidate, Lesson, NAMES, NoStrategy, Source, Stale, Strategy, Value, Visited, named,
};
pub use crate::tie::{GazetteerKinship, Kinship, Tie};
pub use crate::topic::{NoTopic, Part, Score, Topic, TopicSettings};
pub use crate::topic_draft::TopicDraft;
pub use crate::topical::Topical;
