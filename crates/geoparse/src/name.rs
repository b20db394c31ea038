//! The names on a page and the places each may mean.

use std::cell::RefCell;

use earth::Point;
use gazetteer::{Found, Gazetteer, Kind, NameClass, Place, PlaceId};
use xxhash_rust::xxh3::xxh3_64;

use crate::lexicon::{self, WordFact};
use crate::quick::QuickMap;
use crate::reason::Reason;
use crate::spherical::Spherical;
use crate::spot::Spot;
use crate::token::Tokens;

/// How many places of a name are looked at before anything speaks for the others.
const MOST_BEARERS: usize = 16;
/// How many are looked at when a place they may lie in is named.
const MOST_SEARCHED: usize = 1_500;

/// A place that a name may mean.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) place: PlaceId,
    pub(crate) class: NameClass,
    pub(crate) kind: Kind,
    pub(crate) importance: f32,
    pub(crate) point: Point,
    pub(crate) spherical: Spherical,
    /// What it lies in, the narrowest first, up to the country.
    pub(crate) within: Within,
    /// How much less it is meant by this name than by its main one, or if it is of a sort seldom named.
    pub(crate) aptness: f32,
    /// What the full stops of an abbreviation say for it.
    pub(crate) dotted: f32,
    /// What the page says for it beside its importance.
    pub(crate) score: f32,
    /// The pieces of its score, if somebody asked for them.
    pub(crate) pieces: Vec<(Reason, f32)>,
    /// How probable it is among the bearers of its name.
    pub(crate) share: f32,
    /// How much the other places of the page speak for it, 0 to some 3.
    pub(crate) support: f32,
}

/// The places that hold a place, up to its country.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Within {
    ids: [u32; 5],
    kinds: [u8; 5],
    count: u8,
}

impl Within {
    fn of(gazetteer: &Gazetteer, place: PlaceId) -> Self {
        let mut within = Self::default();
        for (holder, kind) in gazetteer.holders(place).take(5) {
            if kind <= Kind::Continent {
                break;
            }
            within.ids[usize::from(within.count)] = holder.0;
            within.kinds[usize::from(within.count)] = kind as u8;
            within.count += 1;
        }
        within
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PlaceId, Kind)> + '_ {
        let count = usize::from(self.count);
        self.ids[..count]
            .iter()
            .zip(&self.kinds[..count])
            .map(|(id, kind)| (PlaceId(*id), Kind::ALL[usize::from(*kind)]))
    }

    pub(crate) fn has(&self, place: PlaceId) -> bool {
        self.ids[..usize::from(self.count)].contains(&place.0)
    }
}

/// A name on a page, however often it stands there.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) found: Found,
    /// How well known its best bearer is by it.
    pub(crate) importance: f32,
    /// What sort of name it is for its best bearer.
    pub(crate) class: NameClass,
    pub(crate) words: usize,
    /// How it is spelled where it first stands, folded.
    pub(crate) spelling: String,
    /// True for `N.C.`: newspapers abbreviate the states of America so, and hardly anything else.
    pub(crate) is_dotted: bool,
    /// What else its one word means; nothing for a name of several words.
    pub(crate) fact: WordFact,
    /// The places that bear it; none before they are looked up.
    pub(crate) bearers: Vec<Bearer>,
    /// How often it stands on the page.
    pub(crate) times: u32,
    /// How surely it is a place at all, 0 to 1, as far as is known.
    pub(crate) sure: f32,
    /// True if its less known places were looked at and some were taken in.
    pub(crate) is_searched: bool,
    /// True if a second look at its places would change nothing.
    pub(crate) is_settled: bool,
    /// What it lies in, if the text says so and none of its bearers lies there.
    pub(crate) unlisted_in: Option<(PlaceId, Point)>,
}

impl Name {
    /// True while it is worth asking which of its places is meant.
    pub(crate) fn is_open(&self) -> bool {
        self.sure > 0.02 && !self.is_settled
    }

    /// True for an abbreviation, or a name so short that it might be one.
    pub(crate) fn is_code(&self) -> bool {
        self.spelling.len() < 3 || self.class == NameClass::Short
    }
}

/// The names of a page, and which of them each spot bears.
pub(crate) fn names(
    gazetteer: &Gazetteer,
    tokens: &Tokens,
    spots: &[Spot],
) -> (Vec<Name>, Vec<usize>) {
    let mut list: Vec<Name> = Vec::new();
    let mut known: QuickMap<Found, usize> = QuickMap::default();
    let mut of_spot = Vec::with_capacity(spots.len());
    for spot in spots {
        let index = *known.entry(spot.found).or_insert_with(|| {
            list.push(name(gazetteer, tokens, spot));
            list.len() - 1
        });
        list[index].times += 1;
        of_spot.push(index);
    }
    (list, of_spot)
}

fn name(gazetteer: &Gazetteer, tokens: &Tokens, spot: &Spot) -> Name {
    let words = spot.end - spot.first;
    let word = tokens.word(spot.first);
    Name {
        found: spot.found,
        importance: spot.found.importance() as f32,
        class: gazetteer.bearers(spot.found).next().map_or(NameClass::Alternate, |it| it.1),
        words,
        spelling: (spot.first..spot.end).map(|it| tokens.word(it)).collect::<Vec<_>>().join(" "),
        is_dotted: words == 1 && tokens.get(spot.first).is_some_and(|it| it.is_dotted),
        fact: if words == 1 { lexicon::look_up(word) } else { WordFact::default() },
        bearers: Vec::new(),
        times: 0,
        sure: 0.0,
        is_searched: false,
        is_settled: false,
        unlisted_in: None,
    }
}

/// How many names with their places a thread remembers; pages of one site name the same places again and again.
const REMEMBERED: usize = 1 << 12;

/// A name with its places; the number of the name and that of the gazetteer stand for both.
type Slot = Option<(u64, Vec<Bearer>)>;

thread_local! {
    static BEARERS: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
}

/// The places of a name, best known first.
pub(crate) fn bearers(gazetteer: &Gazetteer, name: &Name) -> Vec<Bearer> {
    let found = name.found;
    // How apt a name is for a place hangs on how it is spelled.
    let key = found.number() ^ gazetteer.fingerprint() ^ xxh3_64(name.spelling.as_bytes());
    BEARERS.with_borrow_mut(|slots| {
        if slots.is_empty() {
            slots.resize(REMEMBERED, None);
        }
        let at = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
        let slot = &mut slots[at as usize];
        let is_known = slot.as_ref().is_some_and(|it| it.0 == key);
        if !is_known {
            *slot = Some((key, look_up(gazetteer, found, &name.spelling)));
        }
        slot.as_ref().map_or_else(Vec::new, |it| it.1.clone())
    })
}

/// The less known places of a name that lie in one of these, at most eight.
pub(crate) fn less_known(gazetteer: &Gazetteer, name: &Name, holders: &[PlaceId]) -> Vec<Bearer> {
    gazetteer
        .bearers(name.found)
        .skip(MOST_BEARERS)
        .take(MOST_SEARCHED)
        .filter(|(id, _)| gazetteer.holders(*id).any(|it| holders.contains(&it.0)))
        .map(|(id, class)| bearer(gazetteer, id, class, &name.spelling))
        .filter(|it| is_nameable(it.kind))
        .take(8)
        .collect()
}

/// Postcodes and the world are not meant by names in running text.
fn is_nameable(kind: Kind) -> bool {
    kind != Kind::Postcode && kind != Kind::World
}

fn look_up(gazetteer: &Gazetteer, found: Found, spelling: &str) -> Vec<Bearer> {
    let mut list: Vec<Bearer> = gazetteer
        .bearers(found)
        .take(MOST_BEARERS)
        .map(|(id, class)| bearer(gazetteer, id, class, spelling))
        .filter(|it| is_nameable(it.kind))
        .collect();
    // Where the letters are somebody's initials, no country is meant that some list gives the same code.
    let is_code = |it: &Bearer| it.class == NameClass::Short && it.aptness < 0.0;
    if list.iter().any(|it| it.class == NameClass::Short && !is_code(it)) {
        list.retain(|it| !(is_code(it) && it.kind == Kind::Country));
    }
    list
}

/// A place as the bearer of a name, which is spelled so.
pub(crate) fn bearer(
    gazetteer: &Gazetteer,
    id: PlaceId,
    class: NameClass,
    spelling: &str,
) -> Bearer {
    let place = gazetteer.place(id);
    Bearer {
        place: id,
        class,
        kind: place.kind(),
        importance: place.importance() as f32,
        point: place.point(),
        spherical: Spherical::of(place.point()),
        within: Within::of(gazetteer, id),
        aptness: aptness(&place, class, spelling),
        dotted: 0.0,
        score: 0.0,
        pieces: Vec::new(),
        share: 0.0,
        support: 0.0,
    }
}

fn aptness(place: &Place<'_>, class: NameClass, spelling: &str) -> f32 {
    let main = if class == NameClass::Main { String::new() } else { text::fold(place.name()) };
    let initials = || main.split(' ').filter_map(|it| it.chars().next());
    let class = match class {
        NameClass::Main | NameClass::Demonym => 0.0,
        // `EU` is the European Union, whoever else is called so.
        _ if initials().eq(spelling.chars()) => 0.0,
        NameClass::Short => -3.0,
        // `New York` is as good a name for New York City as its own.
        NameClass::Alternate if main.starts_with(spelling) || spelling.starts_with(&main) => -0.3,
        // Two or three letters are somebody's abbreviation in some language.
        NameClass::Alternate if spelling.len() < 4 => -2.5,
        NameClass::Alternate => -1.0,
    };
    let kind = match place.kind() {
        Kind::Street => -2.0,
        Kind::Airport => -1.5,
        Kind::Poi => -1.0,
        Kind::District => -0.5,
        _ => 0.0,
    };
    class + kind
}
