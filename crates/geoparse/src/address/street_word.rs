//! The words that make a name a street's: `rue`, `Street`, `-straße`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A group of countries that write their streets alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Tongue {
    German,
    Dutch,
    English,
    French,
    Spanish,
    Italian,
    Portuguese,
    Swedish,
    Danish,
    Finnish,
    Slavic,
    Romanian,
    Other,
}

impl Tongue {
    /// The countries where such street names are at home.
    pub(crate) fn countries(self) -> &'static [&'static str] {
        match self {
            Self::German => &["DE", "AT", "CH", "LI", "LU", "BE", "IT"],
            Self::Dutch => &["NL", "BE"],
            Self::English => {
                &["US", "GB", "CA", "AU", "NZ", "IE", "IN", "ZA", "SG", "HK", "PH", "MT", "JM"]
            }
            Self::French => {
                &["FR", "BE", "LU", "MC", "CH", "CA", "MA", "TN", "DZ", "SN", "RE", "GP", "MQ"]
            }
            Self::Spanish => {
                &["ES", "MX", "AR", "CO", "PE", "CL", "AD", "UY", "EC", "VE", "CR", "PR"]
            }
            Self::Italian => &["IT", "CH", "SM", "VA"],
            Self::Portuguese => &["PT", "BR", "AO", "MZ", "CV"],
            Self::Swedish => &["SE", "FI", "AX"],
            Self::Danish => &["DK", "NO", "FO", "GL", "IS"],
            Self::Finnish => &["FI", "EE"],
            Self::Slavic => {
                &["PL", "CZ", "SK", "HR", "SI", "RS", "RU", "UA", "BG", "BA", "MK", "ME", "BY"]
            }
            Self::Romanian => &["RO", "MD"],
            Self::Other => &["HU", "TR", "EE", "LV", "LT", "GR", "ID", "MY", "VN"],
        }
    }
}

/// Some tongues: `avenida` is Spanish and Portuguese.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tongues(u16);

impl Tongues {
    pub(crate) fn of(tongue: Tongue) -> Self {
        Self(1 << tongue as u16)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn has(self, tongue: Tongue) -> bool {
        self.0 & Self::of(tongue).0 != 0
    }

    /// True if one of them is at home in the country with these two letters.
    pub(crate) fn are_spoken_in(self, iso: &str) -> bool {
        ALL.iter().any(|it| self.has(*it) && it.countries().contains(&iso))
    }

    /// True if none of them writes the number before the street.
    pub(crate) fn put_number_last(self) -> bool {
        let last = [German, Dutch, Swedish, Danish, Finnish];
        !self.is_empty() && ALL.iter().all(|it| !self.has(*it) || last.contains(it))
    }

    fn add(&mut self, tongue: Tongue) {
        self.0 |= Self::of(tongue).0;
    }
}

/// What a word says about the name it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Roles {
    /// A street's name begins with it in these tongues: `rue`, `via`, `ul.`
    pub(crate) leads: Tongues,
    /// A street's name ends with it in these tongues: `Street`, `vei`.
    pub(crate) ends: Tongues,
    /// It may as well be part of a town's name or of anything else: `Park`, `Hill`, `Cité`.
    pub(crate) weak: bool,
}

impl Roles {
    /// A street's name may begin with it.
    pub(crate) fn may_lead(self) -> bool {
        !self.leads.is_empty()
    }

    /// A street's name may end with it.
    pub(crate) fn may_end(self) -> bool {
        !self.ends.is_empty()
    }
}

use Tongue::{
    Danish, Dutch, English, Finnish, French, German, Italian, Other, Portuguese, Romanian, Slavic,
    Spanish, Swedish,
};

const ALL: [Tongue; 13] = [
    German, Dutch, English, French, Spanish, Italian, Portuguese, Swedish, Danish, Finnish, Slavic,
    Romanian, Other,
];

const LEADING: &[(Tongue, &str)] = &[
    (
        French,
        "rue avenue av ave boulevard bd bld blvd boul place pl allee allees all chemin che chem impasse imp \
              quai route rte passage pass sentier ruelle venelle traverse faubourg fbg chaussee ch montee \
              esplanade promenade sente dreve parvis rond residence lotissement",
    ),
    (
        Spanish,
        "calle cl avenida avda avd av plaza plza pza paseo pso camino cno carretera ctra travesia ronda rda \
               glorieta callejon pasaje pje alameda cuesta costanilla poligono urbanizacion rambla jiron carrera \
               cra diagonal transversal bulevar calzada carrer avinguda placa passeig pg cami passatge kalea",
    ),
    (
        Italian,
        "via viale vle piazza piazzale corso cso largo vicolo strada contrada lungomare lungotevere lungarno \
               salita traversa galleria piazzetta circonvallazione vico fondamenta localita loc frazione fraz \
               discesa stradone riva",
    ),
    (
        Portuguese,
        "rua avenida av travessa trav praca pca largo lg lgo estrada estr alameda beco calcada rotunda \
                  caminho rodovia rod praceta escadinhas ladeira azinhaga",
    ),
    (
        Slavic,
        "ul ulica ulice aleja aleje plac osiedle rynek rondo skwer bulwar szosa namesti namestie trida \
              nabrezi ulitsa prospekt trg улица ул проспект просп площадь переулок вулиця бульвар",
    ),
    (
        Romanian,
        "strada bulevardul bdul calea splaiul soseaua sos aleea piata intrarea drumul fundatura",
    ),
    (Other, "jalan jl lorong duong"),
];

/// Leading words that mean much else: alone they prove little.
const WEAK_LEADING: &[(Tongue, &str)] = &[
    (
        French,
        "cours cite villa square clos cour voie hameau galerie mail digue cote rampe zone za zi zac",
    ),
    (Spanish, "c camp campo urb parque"),
    (Italian, "v p borgo campo calle rione l"),
    (Portuguese, "r tv al est quinta bairro cais campo patio pc urb via sitio"),
    (Slavic, "al pl os tr nabr nam"),
    (Romanian, "str bd blvd al"),
    (German, "strasse"),
];

const TRAILING: &[(Tongue, &str)] = &[
    (
        English,
        "street st str road rd avenue ave av aven avenu lane ln drive dr drv boulevard blvd boul court ct crt \
               place pl square sq terrace ter terr tce way highway hwy parkway pkwy pky circle cir crescent cres cr \
               close cl mews row alley aly trail trl turnpike tpke pike plaza plz expressway expy expwy freeway fwy \
               loop path walk broadway parade pde promenade esplanade quay embankment causeway cswy bypass crossing \
               xing wynd motorway mwy furlong byway driveway speedway throughway rte route",
    ),
    (German, "strasse str weg platz pl allee gasse ufer damm chaussee steig pfad"),
    (Dutch, "straat weg laan plein gracht kade dijk singel steeg dreef baan"),
    (Swedish, "gatan gata vagen vag grand torget stigen allen leden"),
    (
        Danish,
        "gade gaden vej vejen alle plads pladsen torv vei veien veg vegen gate gata gaten plass torg strede straede",
    ),
    (Finnish, "katu tie kuja polku kaari aukio tori raitti"),
    (
        Other,
        "utca ut korut setany sokak sokagi sok caddesi cadde cad bulvari tanav maantee puiestee iela gatve prospektas",
    ),
    (Spanish, "via"),
    (Slavic, "ulica ulice cesta namesti namestie nam trida nabrezi"),
];

/// Trailing words that as often end the name of a town, a park or a firm.
const WEAK_TRAILING: &[(Tongue, &str)] = &[
    (
        English,
        "hill hills gardens gdns garden grove gr green grn gate park view vw rise ridge rdg run bend point pt vale \
               valley vly cove cv manor mnr heights hts hollow holw isle island landing ldg meadow meadows mdw mills \
               orchard oval pass plain plains prairie ranch rapids rest shore shores spring springs spur station summit \
               trace trce track union viaduct village vlg ville vista wells woods creek crk brook bridge brg center \
               centre ctr club common commons corner corners cor course crest dale dam estate estates est extension ext \
               falls fall field fields ford forest forge fork fort glen harbor harbour haven key knoll lake land lock \
               lodge market mall mount mountain neck parks passage radial ramp river shoal stravenue stream throughway \
               tunnel underpass well wharf yard yards croft drove garth chase fold holt paddock nook end bank cottages \
               leas lea mead side strand stables link links dene rigg walks quadrant circus arcade concourse line",
    ),
    (
        German,
        "ring markt hof wall tor graben berg park feld garten anger bogen winkel kamp bruecke brucke zeile stieg rain halde",
    ),
    (Dutch, "markt hof pad park haven burgwal wal kamp ring wijk erf veld oord"),
    (Swedish, "plan backen platsen kajen park"),
    (Danish, "bakken haugen brygge brygga kaj svingen stien parken vang have"),
    (Finnish, "ranta rinne puisto penger portti linja laituri"),
    (Other, "ter tn mnt pst tee u koz"),
];

/// The ends of words that are streets: `Hauptstraße`, `Mannerheimintie`.
const SUFFIXES: &[(Tongue, bool, &str)] = &[
    (German, true, "strasse str weg platz pl allee gasse chaussee pfad steig ufer damm"),
    (
        German,
        false,
        "ring markt hof wall tor graben berg park feld garten anger bogen winkel kamp bruecke brucke zeile stieg halde",
    ),
    (Dutch, true, "straat weg laan plein gracht singel sngl kade dijk steeg dreef str straatje"),
    (Dutch, false, "baan hof markt pad wal burgwal haven ring veld oord kamp"),
    (Swedish, true, "gatan vagen grand torget stigen gata vag allen esplanaden"),
    (Swedish, false, "backen plan platsen leden kajen"),
    (
        Danish,
        true,
        "gade gaden vej vejen plads pladsen straede veien vegen vei veg gaten gata alle torvet",
    ),
    (
        Danish,
        false,
        "bakken haugen brygge torv torg svingen stien parken vangen haven toften alle gate",
    ),
    (
        Finnish,
        true,
        "katu kuja polku intie antie entie ontie untie raitti kaari vayla aukio puistotie kadun",
    ),
    (Finnish, false, "tie tori ranta rinne puisto penger portti linja laituri esplanadi"),
    (Other, true, "iela"),
];

static WORDS: LazyLock<HashMap<&'static str, Roles>> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Roles> = HashMap::new();
    let tables = [
        (true, true, WEAK_LEADING),
        (true, false, LEADING),
        (false, true, WEAK_TRAILING),
        (false, false, TRAILING),
    ];
    for (leading, weak, table) in tables {
        for (tongue, word) in
            table.iter().flat_map(|(it, list)| list.split_whitespace().map(move |word| (*it, word)))
        {
            let is_new = !words.contains_key(word);
            let known = words.entry(word).or_default();
            // What is sure in one tongue or place is sure.
            known.weak = weak && (is_new || known.weak);
            if leading { known.leads.add(tongue) } else { known.ends.add(tongue) }
        }
    }
    words
});

/// Which lengths the words of the tables have, by their first byte, as bits. Most words of a text are sent away by
/// this alone.
static LENGTHS: LazyLock<[u32; 256]> = LazyLock::new(|| {
    let mut lengths = [0; 256];
    for word in WORDS.keys() {
        lengths[usize::from(word.as_bytes()[0])] |= 1 << word.len().min(31);
    }
    lengths
});

/// What a folded word says about the name it stands in, if it says anything.
pub(crate) fn roles(word: &str) -> Roles {
    let Some(first) = word.as_bytes().first() else { return Roles::default() };
    if LENGTHS[usize::from(*first)] >> word.len().min(31) & 1 == 0 {
        return Roles::default();
    }
    WORDS.get(word).copied().unwrap_or_default()
}

/// An ending, its tongue, and whether it proves much.
type Ending = (&'static str, Tongue, bool);

/// The endings by their last letter, the sure ones first.
static ENDINGS: LazyLock<Vec<Vec<Ending>>> = LazyLock::new(|| {
    let mut endings = vec![Vec::new(); 256];
    for (tongue, strong, list) in SUFFIXES {
        for ending in list.split_whitespace() {
            endings[usize::from(ending.as_bytes()[ending.len() - 1])]
                .push((ending, *tongue, *strong));
        }
    }
    endings.iter_mut().for_each(|it| it.sort_by_key(|(_, _, strong)| !*strong));
    endings
});

/// The tongue of a compound that ends like a street, and whether that proves much.
pub(crate) fn compound(word: &str) -> Option<(Tongue, bool)> {
    let last = *word.as_bytes().last()?;
    let ends = |ending: &str| word.len() > ending.len() + 2 && word.ends_with(ending);
    let found = ENDINGS[usize::from(last)].iter().find(|(ending, _, _)| ends(ending));
    found.map(|(_, tongue, strong)| (*tongue, *strong))
}

/// True for a point of the compass in a street's name: `N`, `SW`, `East`.
pub(crate) fn is_direction(word: &str) -> bool {
    matches!(
        word,
        "n" | "s"
            | "e"
            | "w"
            | "ne"
            | "nw"
            | "se"
            | "sw"
            | "north"
            | "south"
            | "east"
            | "west"
            | "northeast"
            | "northwest"
            | "southeast"
            | "southwest"
            | "o"
            | "z"
            | "nord"
            | "sud"
            | "ost"
            | "est"
            | "ouest"
            | "norte"
            | "sur"
            | "upper"
            | "lower"
            | "oz"
            | "wz"
            | "zz"
            | "nz"
            | "nedre"
            | "ovre"
    )
}

/// Words that make a number part of the road's name: `State Highway 27`, `Interstate 35`.
pub(crate) fn is_highway(word: &str) -> bool {
    matches!(
        word,
        "highway"
            | "hwy"
            | "interstate"
            | "route"
            | "rte"
            | "rt"
            | "fm"
            | "cr"
            | "sr"
            | "sh"
            | "us"
            | "i"
            | "freeway"
            | "turnpike"
            | "ctra"
            | "rn"
    )
}

/// German names that begin with where the street lies: `Am Markt`, `Unter den Linden`.
pub(crate) fn is_lying(word: &str) -> bool {
    matches!(
        word,
        "am" | "an"
            | "im"
            | "in"
            | "auf"
            | "zum"
            | "zur"
            | "unter"
            | "vor"
            | "hinter"
            | "bei"
            | "beim"
            | "ob"
            | "uber"
            | "gegen"
            | "zwischen"
            | "neben"
            | "unterm"
            | "aan"
            | "op"
            | "achter"
            | "onder"
            | "nad"
            | "pod"
            | "u"
            | "v"
            | "na"
            | "pri"
            | "za"
    )
}

/// Small words inside names: `Rue de la Paix`, `Straße des 17. Juni`.
pub(crate) fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "de" | "du"
            | "des"
            | "la"
            | "le"
            | "les"
            | "l"
            | "d"
            | "del"
            | "della"
            | "delle"
            | "dei"
            | "degli"
            | "dello"
            | "di"
            | "da"
            | "do"
            | "das"
            | "dos"
            | "der"
            | "den"
            | "dem"
            | "die"
            | "van"
            | "von"
            | "vom"
            | "het"
            | "t"
            | "of"
            | "the"
            | "and"
            | "y"
            | "e"
            | "et"
            | "und"
            | "a"
            | "al"
            | "i"
            | "los"
            | "las"
            | "el"
            | "sur"
            | "sous"
            | "aux"
            | "au"
            | "en"
            | "im"
            | "am"
            | "an"
            | "zu"
            | "zur"
            | "zum"
            | "op"
            | "s"
            | "na"
            | "pod"
            | "nad"
            | "v"
            | "ze"
            | "in"
            | "auf"
    )
}

/// True for a street's word that is a name by itself.
pub(crate) fn is_own_name(word: &str) -> bool {
    matches!(
        word,
        "broadway" | "esplanade" | "strand" | "piccadilly" | "promenade" | "quay" | "embankment"
    )
}

/// True for the name of a month: beside it a number is a day or a year.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS.contains(word)
}

static MONTHS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    const NAMES: &str = "january february march april may june july august september october november december jan feb mar \
        apr jun jul aug sep sept oct nov dec januar februar marz mai juni juli oktober dezember janvier fevrier mars avril \
        juin juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre \
        octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre janeiro \
        fevereiro marco maio junho julho setembro outubro novembro dezembro januari februari maart mei augustus maj augusti \
        tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta \
        marraskuuta joulukuuta stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada \
        grudnia";
    NAMES.split_whitespace().collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_lead_in_one_tongue_and_end_in_another() {
        assert_eq!(roles("avenue").leads, Tongues::of(French));
        assert_eq!(roles("avenue").ends, Tongues::of(English));
        assert!(roles("avenida").leads.has(Spanish) && roles("avenida").leads.has(Portuguese));
        assert!(!roles("street").weak);
        assert!(roles("park").weak);
        assert_eq!(roles("banana"), Roles::default());
    }

    #[test]
    fn compounds_end_like_streets() {
        assert_eq!(compound("hauptstrasse"), Some((German, true)));
        assert_eq!(compound("mannerheimintie"), Some((Finnish, true)));
        assert_eq!(compound("drottninggatan"), Some((Swedish, true)));
        assert_eq!(compound("heiligengeistwall"), Some((German, false)));
        assert_eq!(compound("oldenburg"), None);
    }
}
