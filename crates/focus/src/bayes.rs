//! Naive Bayes: how probably relevant pages lie behind a link, by its terms.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::calibration::Curve;
use crate::labels::{Label, Labels};
use crate::note::Terms;
use crate::term::{Term, TermMap};

/// So many links on it is asked for relevant pages. Ahlers and Boll found fewer to be worse and more
/// to bring nothing.
pub const DEPTHS: usize = 3;

/// So many terms are counted, some fifty megabytes. What comes first comes often; who makes up words
/// without end is not listened to.
const MOST_TERMS: usize = 1 << 19;

/// How it is counted and estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What a term is worth that was never seen before.
    pub unseen: Unseen,
    /// How probable relevance is before any term was looked at.
    pub prior: Prior,
    /// How the pages behind a link make its class.
    pub labels: Labels,
    /// What is made of how sure the classifier is.
    pub calibration: Calibration,
}

/// What a term is worth that was never seen before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unseen {
    /// Nothing. Two small webs gave 10 and 23 per cent more relevant pages so.
    #[default]
    Skip,
    /// What Laplace's rule makes of it: it speaks for the smaller class, which is the relevant one.
    Laplace,
}

/// How probable relevance is before any term was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// As probable as it was among the links followed.
    #[default]
    Likelihood,
    /// The same with one more link of each class.
    Laplace,
}

/// What is made of how sure the classifier is. Terms that say the same thing twice make it too sure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calibration {
    /// It is believed.
    #[default]
    None,
    /// What terms say is divided by the square root of their number.
    SqrtN,
    /// It is compared with what turned out.
    Isotonic,
}

/// A link that was followed, with what was found behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) terms: Terms<'a>,
    pub(crate) label: Label,
}

/// How often a term was met, by depth, in links that were relevant there and in others.
type Tally = [[f32; 2]; DEPTHS];

/// What has been learned, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Learned {
    /// By number of the term, rising.
    terms: Vec<(Term, Tally)>,
    /// How many links were relevant at each depth, and how many were not.
    links: [[f64; 2]; DEPTHS],
    /// By depth how sure to be; empty if the classifier is believed.
    curves: [Curve; DEPTHS],
    /// By depth whether words told no more than chance about links that were not learned from.
    is_idle: [bool; DEPTHS],
}

/// A classifier that has learned.
#[derive(Clone, Debug)]
pub(crate) struct Bayes {
    calibration: Calibration,
    learned: Learned,
    /// What each term says at each depth: the logarithm of how much oftener it is met in relevant links.
    ratios: TermMap<[f32; DEPTHS]>,
    depths: [Depth; DEPTHS],
}

/// What is known of a depth before any term was looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    /// The log odds of relevance.
    prior: f64,
    /// Whether terms tell nothing: there were links of one class only, or words told no more than chance.
    is_blind: bool,
    /// What a term says that was never seen.
    unseen: f64,
}

impl Bayes {
    /// A classifier that has learned from these cases.
    pub(crate) fn fit(rules: Rules, cases: &[Case<'_>]) -> Self {
        let mut learned = count(cases.iter().copied());
        let judged = judged_by_halves(rules, cases);
        learned.is_idle = std::array::from_fn(|at| !tells(&judged[at]));
        if rules.calibration == Calibration::Isotonic {
            learned.curves = judged.map(Curve::of);
        }
        Self::of(rules, learned)
    }

    /// The classifier that has learned this; nothing if nobody can have learned it.
    pub(crate) fn recall(rules: Rules, learned: Learned) -> Option<Self> {
        let is_count = |it: &f32| it.is_finite() && *it >= 0.0;
        let is_sound = learned.terms.len() <= MOST_TERMS
            && learned.terms.is_sorted_by(|one, two| one.0 < two.0)
            && learned.terms.iter().all(|(_, it)| it.as_flattened().iter().all(is_count))
            && learned.links.as_flattened().iter().all(|it| it.is_finite() && *it >= 0.0)
            && learned.curves.iter().all(Curve::is_sound);
        is_sound.then(|| Self::of(rules, learned))
    }

    /// What it has learned.
    pub(crate) fn learned(&self) -> &Learned {
        &self.learned
    }

    /// Whether it has learned anything about a term.
    pub(crate) fn knows(&self, term: Term) -> bool {
        self.ratios.contains_key(&term)
    }

    /// What a term says at each depth: above zero that relevant pages lie there.
    pub(crate) fn says(&self, term: Term) -> Option<[f32; DEPTHS]> {
        self.ratios.get(&term).copied()
    }

    /// How probably relevant pages lie one, two and three links on, by what the terms say.
    pub(crate) fn posteriors(&self, terms: impl Iterator<Item = Term>) -> [f64; DEPTHS] {
        let odds = self.odds(terms);
        std::array::from_fn(|at| {
            let curve = &self.learned.curves[at];
            let is_curved = self.calibration == Calibration::Isotonic && !self.depths[at].is_blind;
            let calibrated = curve.at(odds[at]).filter(|_| is_curved);
            calibrated.unwrap_or_else(|| 1.0 / (1.0 + (-odds[at]).exp()))
        })
    }

    /// The log odds of relevance at each depth.
    fn odds(&self, terms: impl Iterator<Item = Term>) -> [f64; DEPTHS] {
        let mut said = [0.0_f64; DEPTHS];
        let (mut known, mut unseen) = (0.0_f64, 0.0_f64);
        for term in terms {
            if let Some(ratios) = self.ratios.get(&term) {
                known += 1.0;
                for (said, ratio) in said.iter_mut().zip(ratios) {
                    *said += f64::from(*ratio);
                }
            } else {
                unseen += 1.0;
            }
        }
        let scale = match self.calibration {
            Calibration::SqrtN => (known + unseen).max(1.0).sqrt().recip(),
            Calibration::None | Calibration::Isotonic => 1.0,
        };
        std::array::from_fn(|at| {
            let Depth { prior, is_blind, unseen: each } = self.depths[at];
            if is_blind { prior } else { prior + (said[at] + unseen * each) * scale }
        })
    }

    fn of(rules: Rules, learned: Learned) -> Self {
        let shares: [Share; DEPTHS] = std::array::from_fn(|at| Share::of(&learned, at));
        let unseen = |share: &Share| match rules.unseen {
            Unseen::Skip => 0.0,
            Unseen::Laplace => share.ratio([0.0, 0.0]),
        };
        let depths = std::array::from_fn(|at| {
            let [relevant, other] = learned.links[at];
            let is_alike = relevant <= 0.0 || other <= 0.0;
            let more = f64::from(is_alike || rules.prior == Prior::Laplace);
            let prior = ((relevant + more) / (other + more)).ln();
            let is_blind = is_alike || learned.is_idle[at];
            Depth { prior, is_blind, unseen: unseen(&shares[at]) }
        });
        let ratios = |tally: &Tally| {
            std::array::from_fn(|at| match tally[at] {
                // It was met at other depths only.
                [0.0, 0.0] => unseen(&shares[at]) as f32,
                counts => shares[at].ratio(counts) as f32,
            })
        };
        let ratios = learned.terms.iter().map(|(term, it)| (*term, ratios(it))).collect();
        Self { calibration: rules.calibration, learned, ratios, depths }
    }
}

/// What a count is set against: all terms of each class, every one counted once more (Laplace).
struct Share([f64; 2]);

impl Share {
    fn of(learned: &Learned, depth: usize) -> Self {
        let tallies = learned.terms.iter().map(|it| it.1[depth].map(f64::from));
        let seen = tallies.filter(|it| it[0] + it[1] > 0.0);
        let add = |[relevant, other, terms]: [f64; 3], it: [f64; 2]| {
            [relevant + it[0], other + it[1], terms + 1.0]
        };
        let [relevant, other, terms] = seen.fold([0.0; 3], add);
        // A depth without terms asks nobody, but must not divide by zero.
        let terms = terms.max(1.0);
        Self([relevant + terms, other + terms])
    }

    fn ratio(&self, [relevant, other]: [f32; 2]) -> f64 {
        let one = (f64::from(relevant) + 1.0) / self.0[0];
        let two = (f64::from(other) + 1.0) / self.0[1];
        (one / two).ln()
    }
}

fn count<'a>(cases: impl Iterator<Item = Case<'a>>) -> Learned {
    let mut terms: TermMap<Tally> = TermMap::default();
    let mut links = [[0.0; 2]; DEPTHS];
    for Case { terms: of_link, label } in cases {
        for (links, share) in links.iter_mut().zip(label) {
            let share = share.map(f64::from);
            links[0] += share.unwrap_or(0.0);
            links[1] += share.map_or(0.0, |it| 1.0 - it);
        }
        for term in of_link.iter() {
            if terms.len() >= MOST_TERMS && !terms.contains_key(&term) {
                continue;
            }
            for (tally, share) in terms.entry(term).or_default().iter_mut().zip(label) {
                tally[0] += share.unwrap_or(0.0);
                tally[1] += share.map_or(0.0, |it| 1.0 - it);
            }
        }
    }
    let mut terms: Vec<_> = terms.into_iter().collect();
    terms.sort_unstable_by_key(|it| it.0);
    Learned { terms, links, curves: Default::default(), is_idle: [false; DEPTHS] }
}

/// By depth the log odds of every case, with what turned out. Half of the cases are judged by what was
/// learned from the other half, for nobody is surprised by what he has learned by heart. The halves are
/// drawn by lot: pages that were visited in turn may have a rhythm.
fn judged_by_halves(rules: Rules, cases: &[Case<'_>]) -> [Vec<(f32, f32)>; DEPTHS] {
    let rules = Rules { calibration: Calibration::None, ..rules };
    let is_in = |half: u64, at: usize| xxh3_64(&at.to_le_bytes()) % 2 == half;
    let of =
        |half: u64| cases.iter().enumerate().filter(move |it| is_in(half, it.0)).map(|it| *it.1);
    let mut judged: [Vec<(f32, f32)>; DEPTHS] = Default::default();
    for half in [0, 1] {
        let teacher = Bayes::of(rules, count(of(half)));
        for case in of(1 - half) {
            let odds = teacher.odds(case.terms.iter());
            for at in 0..DEPTHS {
                judged[at].extend(case.label[at].map(|share| (odds[at] as f32, share)));
            }
        }
    }
    judged
}

/// With fewer cases of either class nobody can say what is chance; then the words are believed.
const FEWEST_TO_TELL: usize = 20;
/// Ranks that lie so many standard errors above those by lot are no accident.
const NO_ACCIDENT: f64 = 3.0;

/// Whether relevant links have higher log odds than others, more than by chance (Mann and Whitney 1947).
/// Naive Bayes is as sure of what it learned from noise as of anything else, so somebody has to ask.
fn tells(judged: &[(f32, f32)]) -> bool {
    let mut judged: Vec<_> = judged.iter().map(|it| (it.0, it.1 > 0.5)).collect();
    let relevant = judged.iter().filter(|it| it.1).count();
    let others = judged.len() - relevant;
    if relevant < FEWEST_TO_TELL || others < FEWEST_TO_TELL {
        return true;
    }
    judged.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    // How many pairs of a relevant link and another one are in the right order; equals count half.
    let (mut right, mut below) = (0.0, 0.0);
    for equals in judged.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
        let hits = equals.iter().filter(|it| it.1).count() as f64;
        let misses = equals.len() as f64 - hits;
        right += hits * (below + misses / 2.0);
        below += misses;
    }
    let (relevant, others) = (relevant as f64, others as f64);
    let by_chance = relevant * others / 2.0;
    let deviation = (relevant * others * (relevant + others + 1.0) / 12.0).sqrt();
    right - by_chance > NO_ACCIDENT * deviation
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::distance::Away;
    use crate::lots::Lot;
    use crate::note::Note;

    /// Six links that were followed, and whether relevant pages lay one, two and three links on.
    pub(crate) const FOLLOWED: [(&str, [f32; DEPTHS]); 6] = [
        ("anchor:contact path:contact host:oldenburg", [1.0, 0.0, 0.0]),
        ("anchor:directions path:contact host:oldenburg", [1.0, 1.0, 0.0]),
        ("anchor:companies path:branch host:oldenburg", [0.0, 1.0, 1.0]),
        ("anchor:news path:news host:portal", [0.0, 0.0, 1.0]),
        ("anchor:imprint path:imprint host:portal", [0.0, 0.0, 0.0]),
        ("anchor:login path:user host:portal", [0.0, 0.0, 0.0]),
    ];

    pub(crate) fn note(terms: &str) -> Vec<u8> {
        let terms: Vec<_> = terms.split_whitespace().map(Term::of).collect();
        Note::write(Away(1), Lot(0), &terms)
    }

    pub(crate) fn fitted(rules: Rules) -> Bayes {
        let notes = FOLLOWED.map(|it| (note(it.0), it.1.map(Some)));
        let cases: Vec<_> = notes.iter().map(|(note, label)| case(note, *label)).collect();
        Bayes::fit(rules, &cases)
    }

    fn case(note: &[u8], label: Label) -> Case<'_> {
        Case { terms: Note::read(note).expect("it is a note").terms, label }
    }

    #[track_caller]
    fn check(rules: Rules, link: &str, expected: [f64; DEPTHS]) {
        let found = fitted(rules).posteriors(link.split_whitespace().map(Term::of));
        let is_near = found.iter().zip(expected).all(|(one, two)| (one - two).abs() < 1e-6);
        assert!(is_near, "{found:?} instead of {expected:?}");
    }

    const CONTACT: &str = "anchor:contact path:contact host:oldenburg";
    const LOGIN: &str = "anchor:login path:user host:portal";

    #[test]
    fn posteriors_are_those_of_the_worked_example() {
        check(Rules::default(), CONTACT, [0.911_120, 0.460_702, 0.112_340]);
        check(Rules::default(), LOGIN, [0.066_457, 0.066_457, 0.159_548]);
    }

    #[test]
    fn a_prior_by_laplace_has_one_more_link_of_each_class() {
        let rules = Rules { prior: Prior::Laplace, ..Rules::default() };
        check(rules, CONTACT, [0.924_820, 0.506_200, 0.131_845]);
    }

    #[test]
    fn an_unknown_word_says_nothing_unless_laplace_is_taken_literally() {
        check(Rules::default(), "anchor:never", [1.0 / 3.0; DEPTHS]);
        check(Rules::default(), "", [1.0 / 3.0; DEPTHS]);
        let rules = Rules { unseen: Unseen::Laplace, ..Rules::default() };
        check(rules, "anchor:never", [25.0 / 63.0; DEPTHS]);
    }

    #[test]
    fn many_words_count_by_their_root_if_that_is_wanted() {
        let rules = Rules { calibration: Calibration::SqrtN, ..Rules::default() };
        let ratio = (140_625.0 / 13_718.0 * 2.0_f64).ln() / 3.0_f64.sqrt();
        let posterior = 1.0 / (1.0 + (2.0_f64.ln() - ratio).exp());
        let found = fitted(rules).posteriors(CONTACT.split_whitespace().map(Term::of));
        assert!((found[0] - posterior).abs() < 1e-6);
    }

    /// Links of which a quarter is relevant; three words in each say so, and are right in four of
    /// five cases.
    fn boasting() -> (Vec<Vec<u8>>, Vec<Label>) {
        let links = (0..4000_u32).map(|it| {
            let is_relevant = it % 4 == 0;
            let is_right = it / 4 % 5 != 0;
            let words =
                if is_relevant == is_right { "a:yes b:yes c:yes" } else { "a:no b:no c:no" };
            (note(words), [Some(f32::from(u8::from(is_relevant))), None, None])
        });
        links.unzip()
    }

    #[test]
    fn with_a_curve_it_is_as_sure_as_it_is_right() {
        let (notes, labels) = boasting();
        let cases: Vec<_> = notes.iter().zip(labels).map(|(note, it)| case(note, it)).collect();
        let sure = |calibration| {
            let bayes = Bayes::fit(Rules { calibration, ..Rules::default() }, &cases);
            bayes.posteriors("a:yes b:yes c:yes".split(' ').map(Term::of))
        };
        // Of 800 right and 600 wrong ones, 800 of 1400 are relevant.
        let (boasted, curved) = (sure(Calibration::None), sure(Calibration::Isotonic));
        assert!(boasted[0] > 0.9, "{boasted:?}");
        assert!((curved[0] - 0.571).abs() < 0.03, "{curved:?}");
        // No link was ever followed further.
        assert!((curved[1] - 0.5).abs() < 1e-9, "{curved:?}");
    }

    #[test]
    fn words_that_tell_no_more_than_chance_are_not_believed() {
        let words = ["a:yes", "b:yes", "c:no", "d:no"].map(note);
        let posterior = |is_relevant: fn(u32) -> bool| {
            let label = |it: u32| [Some(f32::from(u8::from(is_relevant(it)))), None, None];
            let cases: Vec<_> =
                (0..2000_u32).map(|it| case(&words[it as usize % 4], label(it))).collect();
            let posterior = |word: &str| {
                Bayes::fit(Rules::default(), &cases).posteriors([Term::of(word)].into_iter())[0]
            };
            (posterior("a:yes"), posterior("d:no"))
        };
        let by_lot = |it: u32| xxh3_64(&it.to_le_bytes()).is_multiple_of(4);
        let (one, other) = posterior(by_lot);
        assert!((one - other).abs() < 1e-12, "{one} {other}");
        let (one, other) = posterior(|it| it % 4 < 2 && it % 3 > 0);
        assert!(one > 0.6 && other < 0.1, "{one} {other}");
    }

    #[test]
    fn ranks_tell_as_worked_out_by_hand() {
        // 20 of each class, all in order: 400 pairs are right, 200 by chance, deviation 36.97.
        let sorted: Vec<_> =
            (0..40_u8).map(|it| (f32::from(it), f32::from(u8::from(it >= 20)))).collect();
        assert!(tells(&sorted));
        let reversed: Vec<_> = sorted.iter().map(|it| (-it.0, it.1)).collect();
        assert!(!tells(&reversed));
        let equal: Vec<_> = sorted.iter().map(|it| (0.0, it.1)).collect();
        assert!(!tells(&equal));
        assert!(tells(&equal[..30]), "ten of a class are too few to tell");
    }

    #[test]
    fn where_all_links_were_alike_their_words_say_nothing() {
        let notes = [note("anchor:a"), note("anchor:b"), note("anchor:c")];
        let alike = notes.each_ref().map(|it| case(it, [Some(0.0), None, None]));
        let bayes = Bayes::fit(Rules::default(), &alike);
        let found = bayes.posteriors([Term::of("anchor:a")].into_iter());
        assert!((found[0] - 0.2).abs() < 1e-9 && (found[1] - 0.5).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn what_nobody_can_have_learned_is_refused() {
        let good = fitted(Rules::default()).learned().clone();
        let is_refused = |change: fn(&mut Learned)| {
            let mut learned = good.clone();
            change(&mut learned);
            Bayes::recall(Rules::default(), learned).is_none()
        };
        assert!(!is_refused(|_| ()));
        assert!(is_refused(|it| it.terms.swap(0, 1)));
        assert!(is_refused(|it| it.terms[0].1[0][0] = f32::NAN));
        assert!(is_refused(|it| it.links[2][1] = -1.0));
    }

    proptest! {
        #[test]
        fn any_counts_give_probabilities(
            counts in prop::collection::vec((any::<u32>(), prop::array::uniform6(0.0..1e9_f32)), 0..20),
            links in prop::array::uniform6(0.0..1e9_f64),
            terms in prop::collection::vec(0..40_u32, 0..100),
            is_literal in any::<bool>(),
        ) {
            let mut terms_counted: Vec<_> = counts.iter()
                .map(|(term, it)| (Term(term % 40), [[it[0], it[1]], [it[2], it[3]], [it[4], it[5]]]))
                .collect();
            terms_counted.sort_by_key(|it| it.0);
            terms_counted.dedup_by_key(|it| it.0);
            let learned = Learned {
                terms: terms_counted,
                links: [[links[0], links[1]], [links[2], links[3]], [links[4], links[5]]],
                curves: Default::default(),
                is_idle: [false; DEPTHS],
            };
            let unseen = if is_literal { Unseen::Laplace } else { Unseen::Skip };
            let bayes = Bayes::recall(Rules { unseen, ..Rules::default() }, learned).expect("sound");
            let found = bayes.posteriors(terms.into_iter().map(Term));
            prop_assert!(found.iter().all(|it| (0.0..=1.0).contains(it)), "{:?}", found);
        }
    }
}
