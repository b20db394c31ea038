//! Names to places: exact, by their beginning, with typing errors, by their words.
//!
//! Names lie in an fst. Its values carry the rank of the best known place in their upper bits, better ranks
//! being smaller; as an fst hands out the smallest value below a node on the way to it, the best completions
//! of any prefix are found first, without looking at the others.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use fst::raw::Fst;
use fst::{Map, MapBuilder};

use crate::fact::NameClass;
use crate::file::{Section, SectionFile};
use crate::kind::Kind;
use crate::layout::name_class;
use crate::place::PlaceId;
use crate::spelling::spelling;

/// What a typing error costs, in ranks: as much as 0.2 of importance.
const EDIT: u32 = 13_000;
/// What it costs a name to go on behind what was typed, in ranks, if a new word begins or not.
const NEXT_WORD: u32 = 1_500;
const LONGER_WORD: u32 = 2_500;
/// How many nodes a completion may look at. Enough for ten answers with two errors in all the world's names
/// in practice; a bound for what nobody thought of.
const MOST_STEPS: usize = 8_000;
/// What is longer than this is no name.
const MOST_TYPED: usize = 200;
/// Words that more places bear than this tell nothing apart.
const MOST_BEARERS: usize = 20_000;

/// One name of a place, on its way into the index.
struct Entry {
    start: u32,
    length: u16,
    class: NameClass,
    place: u32,
    weight: u16,
}

/// Names on their way into a file.
#[derive(Default)]
pub(crate) struct NameIndexWriter {
    spellings: Vec<u8>,
    entries: Vec<Entry>,
    words: Vec<Entry>,
}

/// The sections of the name index.
pub(crate) struct NameSections {
    pub(crate) names: Vec<u8>,
    pub(crate) posts: Vec<u8>,
    pub(crate) words: Vec<u8>,
    pub(crate) word_posts: Vec<u8>,
}

impl NameIndexWriter {
    /// Adds a name of a place whose main name is spelled so.
    pub(crate) fn add(
        &mut self,
        place: u32,
        kind: Kind,
        rank: u16,
        class: NameClass,
        main: &str,
        name: &str,
    ) {
        let spelling = spelling(name);
        let Ok(length) = u16::try_from(spelling.len()) else { return };
        if length == 0 {
            return;
        }
        let weight = (f64::from(rank) * aptness(kind, class, main, &spelling)) as u16;
        let start = self.spellings.len() as u32;
        self.spellings.extend_from_slice(spelling.as_bytes());
        self.entries.push(Entry { start, length, class, place, weight });
        if is_found_by_words(kind, class, &spelling) {
            let mut at = start;
            for word in spelling.split(' ') {
                self.words.push(Entry {
                    start: at,
                    length: word.len() as u16,
                    class,
                    place,
                    weight,
                });
                at += word.len() as u32 + 1;
            }
        }
    }

    pub(crate) fn finish(mut self) -> NameSections {
        let (names, posts) = build(&self.spellings, &mut self.entries, |run| {
            let mut run: Vec<_> = run.iter().collect();
            run.sort_by_key(|it| (Reverse(it.weight), it.place, it.class));
            // A place that has the same name twice keeps the better class.
            let mut seen = HashSet::new();
            run.retain(|it| seen.insert(it.place));
            let posts: Vec<u32> = run.iter().map(|it| it.place << 2 | it.class as u32).collect();
            (u64::from(u16::MAX - run[0].weight) << 32, posts)
        });
        let (words, word_posts) = build(&self.spellings, &mut self.words, |run| {
            let mut places: Vec<u32> = run.iter().map(|it| it.place).collect();
            places.sort_unstable();
            places.dedup();
            (0, places)
        });
        NameSections { names, posts, words, word_posts }
    }
}

/// How surely a spelling names a place whose main name is spelled so, 0 to 1.
///
/// The main name does, and what begins it, goes on from it (`Frankfurt` for `Frankfurt am Main`) or differs in a
/// letter (`Odessa` for `Odesa`). A name in
/// another language or from another time does less (`Neustadt` for `Baia Mare`), a code or a demonym least.
pub(crate) fn aptness(kind: Kind, class: NameClass, main: &str, spelling: &str) -> f64 {
    match class {
        NameClass::Main => 1.0,
        // Countries and airports are known by their codes, but two letters may be anything.
        NameClass::Short if matches!(kind, Kind::Country | Kind::Airport) && spelling.len() > 2 => {
            0.97
        }
        NameClass::Short | NameClass::Alternate if is_initials(main, spelling) => 0.95,
        NameClass::Alternate if is_begun_by(main, spelling) || is_begun_by(spelling, main) => 0.97,
        // Between countries such a letter matters (`Granada` is another than `Grenada`).
        NameClass::Alternate if kind > Kind::Region && is_respelled(main, spelling) => 0.95,
        NameClass::Alternate => 0.90,
        NameClass::Short | NameClass::Demonym => 0.80,
    }
}

fn is_begun_by(long: &str, short: &str) -> bool {
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// True for `LA` of `Los Angeles`.
fn is_initials(main: &str, spelling: &str) -> bool {
    main.contains(' ')
        && main.split(' ').filter_map(|word| word.chars().next()).eq(spelling.chars())
}

fn is_respelled(main: &str, spelling: &str) -> bool {
    main.as_bytes().first() == spelling.as_bytes().first()
        && is_one_edit_apart(main.as_bytes(), spelling.as_bytes())
}

/// True if one letter more, less or changed makes the one of the other.
pub(crate) fn is_one_edit_apart(one: &[u8], other: &[u8]) -> bool {
    let same_start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same_start..], &other[same_start..]);
    let same_end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    one.len() - same_end <= 1 && other.len() - same_end <= 1
}

/// Long names are often given in part: `Linate` for `Milano Linate Airport`.
fn is_found_by_words(kind: Kind, class: NameClass, spelling: &str) -> bool {
    let full = matches!(class, NameClass::Main | NameClass::Alternate);
    full && kind != Kind::Postcode && (kind > Kind::Postcode || spelling.contains(' '))
}

/// An fst over the entries' spellings and, for each, the list that `list` makes of its run.
fn build(
    spellings: &[u8],
    entries: &mut [Entry],
    list: impl Fn(&[Entry]) -> (u64, Vec<u32>),
) -> (Vec<u8>, Vec<u8>) {
    let text =
        |it: &Entry| &spellings[it.start as usize..it.start as usize + usize::from(it.length)];
    entries.sort_unstable_by(|a, b| {
        text(a).cmp(text(b)).then_with(|| (a.place, a.class).cmp(&(b.place, b.class)))
    });
    let mut map = MapBuilder::memory();
    let mut posts: Vec<u8> = Vec::new();
    for run in entries.chunk_by(|a, b| text(a) == text(b)) {
        let (upper, list) = list(run);
        let at = (posts.len() / 4) as u64;
        posts.extend_from_slice(&(list.len() as u32).to_le_bytes());
        posts.extend(list.into_iter().flat_map(u32::to_le_bytes));
        map.insert(text(&run[0]), upper | at).expect("spellings are sorted and differ");
    }
    (map.into_inner().expect("a vector takes any bytes"), posts)
}

/// The name index of a file.
pub(crate) struct NameIndex {
    names: Map<Section>,
    posts: Section,
    words: Map<Section>,
    word_posts: Section,
}

/// A name that completes what was typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Completion {
    /// The whole name, as it is spelled in the index.
    pub(crate) spelling: String,
    /// How many typing errors were forgiven.
    pub(crate) edits: u8,
    /// What the errors and going on behind what was typed take away, in importance.
    pub(crate) price: f64,
    /// Where its places stand.
    post: u32,
}

/// A way through the fst that is not yet at its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// The least that anything found on this way can cost; the heap takes the cheapest first.
    cost: Reverse<u32>,
    done: bool,
    node: usize,
    output: u64,
    typed: u16,
    edits: u8,
    /// What going on behind what was typed has cost.
    longer: u32,
    trail: u32,
    path: u64,
}

impl Step {
    fn price(&self) -> u32 {
        u32::from(self.edits) * EDIT + self.longer
    }

    fn priced(self) -> Self {
        let cost = (self.output >> 32) as u32 + self.price();
        Self { cost: Reverse(cost), ..self }
    }
}

impl NameIndex {
    pub(crate) fn open(file: &SectionFile) -> Result<Self, fst::Error> {
        Ok(Self {
            names: Map::new(file.section("index"))?,
            posts: file.section("posts"),
            words: Map::new(file.section("words"))?,
            word_posts: file.section("wposts"),
        })
    }

    /// How many different spellings there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The places that bear exactly this spelling, best known first.
    pub(crate) fn exact<'n>(
        &'n self,
        spelling: &str,
    ) -> impl Iterator<Item = (PlaceId, NameClass)> + use<'n> {
        let post = self.names.get(spelling).map(|value| value as u32);
        post.into_iter().flat_map(|post| self.bearers_at(post))
    }

    /// The places that bear a completed name, best known first.
    pub(crate) fn bearers<'n>(
        &'n self,
        completion: &Completion,
    ) -> impl Iterator<Item = (PlaceId, NameClass)> + use<'n> {
        self.bearers_at(completion.post)
    }

    /// The fst of the names.
    pub(crate) fn fst(&self) -> &Fst<Section> {
        self.names.as_fst()
    }

    /// The places listed there, best known first.
    pub(crate) fn bearers_at(&self, post: u32) -> impl Iterator<Item = (PlaceId, NameClass)> + '_ {
        let first = post as usize + 1;
        let count = self.posts.u32_at(post as usize) as usize;
        let most = self.posts.len() / 4;
        (first..(first + count).min(most)).map(|at| {
            let packed = self.posts.u32_at(at);
            (PlaceId(packed >> 2), name_class(packed & 3))
        })
    }

    /// The places that bear this word in a longer name, by number; none if half the world does.
    pub(crate) fn with_word(&self, word: &str) -> Vec<PlaceId> {
        let Some(post) = self.words.get(word) else { return Vec::new() };
        let count = self.word_posts.u32_at(post as usize) as usize;
        if count > MOST_BEARERS {
            return Vec::new();
        }
        (0..count).map(|at| PlaceId(self.word_posts.u32_at(post as usize + 1 + at))).collect()
    }

    /// How many places bear this word in a longer name.
    pub(crate) fn bearers_of_word(&self, word: &str) -> usize {
        self.words.get(word).map_or(0, |post| self.word_posts.u32_at(post as usize) as usize)
    }

    /// The words of longer names that are this one but for a typing error.
    pub(crate) fn similar_words(&self, word: &str, edits: u8, most: usize) -> Vec<String> {
        let asked = Asked { typed: word.as_bytes(), edits, most, may_go_on: false };
        search(self.words.as_fst(), &asked).into_iter().map(|it| it.spelling).collect()
    }

    /// The best known names that begin so, forgiving so many typing errors, the best first.
    pub(crate) fn complete(&self, typed: &str, edits: u8, most: usize) -> Vec<Completion> {
        search(
            self.names.as_fst(),
            &Asked { typed: typed.as_bytes(), edits, most, may_go_on: true },
        )
    }

    /// The best known names that are this one but for so many typing errors.
    pub(crate) fn similar(&self, typed: &str, edits: u8, most: usize) -> Vec<Completion> {
        search(
            self.names.as_fst(),
            &Asked { typed: typed.as_bytes(), edits, most, may_go_on: false },
        )
    }
}

/// What is looked for in an fst.
struct Asked<'a> {
    typed: &'a [u8],
    edits: u8,
    most: usize,
    /// Whether a name may be longer than what was typed.
    may_go_on: bool,
}

struct Search<'a> {
    asked: &'a Asked<'a>,
    open: BinaryHeap<Step>,
    /// The bytes walked, each with where it came from.
    trail: Vec<(u32, u8)>,
    seen: HashSet<u64, BuildHasherDefault<AsItIs>>,
}

/// What is looked up here is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

fn search(fst: &Fst<Section>, asked: &Asked<'_>) -> Vec<Completion> {
    if asked.typed.is_empty() || asked.typed.len() > MOST_TYPED {
        return Vec::new();
    }
    let mut search =
        Search { asked, open: BinaryHeap::new(), trail: vec![(0, 0)], seen: HashSet::default() };
    let start = Step {
        cost: Reverse(0),
        done: false,
        node: fst.root().addr(),
        output: 0,
        typed: 0,
        edits: 0,
        longer: 0,
        trail: 0,
        path: 0,
    };
    search.line_up(fst, start);
    let mut found: Vec<Completion> = Vec::new();
    for _ in 0..MOST_STEPS {
        let Some(step) = search.open.pop() else { break };
        if step.done {
            let post = step.output as u32;
            if !found.iter().any(|it| it.post == post) {
                let price = f64::from(step.price()) / f64::from(u16::MAX);
                found.push(Completion {
                    spelling: search.walked(step.trail),
                    edits: step.edits,
                    price,
                    post,
                });
            }
            if found.len() == asked.most {
                break;
            }
        } else if search.seen.insert(step.path ^ u64::from(step.typed) << 48) {
            search.expand(fst, &step);
        }
    }
    found
}

impl Search<'_> {
    fn walked(&self, mut at: u32) -> String {
        let mut bytes = Vec::new();
        while at != 0 {
            let (from, byte) = self.trail[at as usize];
            bytes.push(byte);
            at = from;
        }
        bytes.reverse();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn expand(&mut self, fst: &Fst<Section>, step: &Step) {
        let node = fst.node(step.node);
        let typed = self.asked.typed;
        let at = usize::from(step.typed);
        if at == typed.len() && node.is_final() {
            let output = step.output + node.final_output().value();
            self.open.push(Step { done: true, output, ..*step }.priced());
        }
        let may_err = step.edits < self.asked.edits && at > 0;
        for transition in node.transitions() {
            let byte = transition.inp;
            let output = step.output + transition.out.value();
            let next = Step { node: transition.addr, output, ..*step };
            let erring = Step { edits: step.edits + 1, ..next };
            if at < typed.len() {
                if byte == typed[at] {
                    self.walk(fst, byte, Step { typed: step.typed + 1, ..next });
                } else if may_err {
                    self.walk(fst, byte, Step { typed: step.typed + 1, ..erring });
                }
                if may_err && byte != typed[at] && typed.get(at + 1) == Some(&byte) {
                    self.swap(fst, byte, erring);
                }
            } else if self.asked.may_go_on {
                self.walk(
                    fst,
                    byte,
                    Step {
                        longer: if step.longer == 0 { price_of(byte) } else { step.longer },
                        ..next
                    },
                );
            }
            if may_err && (at < typed.len() || !self.asked.may_go_on) {
                self.walk(fst, byte, erring);
            }
        }
        if may_err && at < typed.len() {
            self.line_up(fst, Step { typed: step.typed + 1, edits: step.edits + 1, ..*step });
        }
    }

    /// Two letters typed in the wrong order: `Frankfrut`.
    fn swap(&mut self, fst: &Fst<Section>, byte: u8, first: Step) {
        let node = fst.node(first.node);
        let wanted = self.asked.typed[usize::from(first.typed)];
        let Some(index) = node.find_input(wanted) else { return };
        let transition = node.transition(index);
        let middle = self.leave_trail(byte, first);
        let output = middle.output + transition.out.value();
        let step = Step { node: transition.addr, output, typed: first.typed + 2, ..middle };
        self.walk(fst, wanted, step);
    }

    fn walk(&mut self, fst: &Fst<Section>, byte: u8, step: Step) {
        let step = self.leave_trail(byte, step);
        self.line_up(fst, step);
    }

    /// Puts a step in line for its turn.
    ///
    /// Where no more errors are forgiven, one way alone leads to the end of what was typed, and it is walked at once.
    /// Mostly it ends before, and then nothing stands in line.
    fn line_up(&mut self, fst: &Fst<Section>, mut step: Step) {
        if step.edits == self.asked.edits {
            let left = self.trail.len();
            while let Some(&wanted) = self.asked.typed.get(usize::from(step.typed)) {
                let node = fst.node(step.node);
                let Some(index) = node.find_input(wanted) else {
                    self.trail.truncate(left);
                    return;
                };
                let transition = node.transition(index);
                let output = step.output + transition.out.value();
                let next = Step { node: transition.addr, output, typed: step.typed + 1, ..step };
                step = self.leave_trail(wanted, next);
            }
            if !self.asked.may_go_on && !fst.node(step.node).is_final() {
                self.trail.truncate(left);
                return;
            }
        }
        self.open.push(step.priced());
    }

    fn leave_trail(&mut self, byte: u8, step: Step) -> Step {
        self.trail.push((step.trail, byte));
        let path = (step.path.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Step { trail: (self.trail.len() - 1) as u32, path, ..step }
    }
}

/// What it takes away, in importance, that a name goes on behind what was typed.
pub(crate) fn price_of_going_on(typed: &str, name: &str) -> f64 {
    let next = name.as_bytes().get(typed.len());
    next.map_or(0.0, |&byte| f64::from(price_of(byte)) / f64::from(u16::MAX))
}

fn price_of(byte: u8) -> u32 {
    if byte == b' ' { NEXT_WORD } else { LONGER_WORD }
}
