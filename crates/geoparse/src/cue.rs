//! Words around a name that tell what it names: `in`, `Mr`, `County`, `said`.

use std::sync::OnceLock;

use crate::quick::QuickMap;

/// What a word says about the name beside it, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cue(u16);

impl Cue {
    /// Stands before places and hardly before anything else: `in`, `near`, `bei`.
    pub(crate) const LOCATIVE: Self = Self(1);
    /// Stands before places and before much else: `of`, `de`, `von`.
    pub(crate) const WEAK_LOCATIVE: Self = Self(1 << 1);
    /// Stands before persons: `Mr`, `Sheriff`, `Frau`.
    pub(crate) const TITLE: Self = Self(1 << 2);
    /// Ends the name of a firm, a paper, a club: `Inc`, `Herald`, `Rovers`.
    pub(crate) const FIRM: Self = Self(1 << 3);
    /// What persons do: `said`, `meint`.
    pub(crate) const SPEECH: Self = Self(1 << 4);
    /// Says what sort of place, behind the name: `County`, `River`.
    pub(crate) const SORT_AFTER: Self = Self(1 << 5);
    /// Says what sort of place, before the name: `Lake`, `city of`, `Kanton`.
    pub(crate) const SORT_BEFORE: Self = Self(1 << 6);
    /// What a town has, behind its name: `police`, `residents`, `Mayor`.
    pub(crate) const OF_A_TOWN: Self = Self(1 << 7);
    /// Stands inside names between capital words: `upon`, `de`, `am`.
    pub(crate) const INSIDE: Self = Self(1 << 8);
    /// A direction or a part before a name: `northern`, `downtown`.
    pub(crate) const PART: Self = Self(1 << 9);
    /// A thing to visit, at the end of its name: `Hotel`, `Bridge`, `Museum`.
    pub(crate) const SIGHT: Self = Self(1 << 10);
    /// A way, at the end of its name: `Street`, `Road`.
    pub(crate) const WAY: Self = Self(1 << 11);
    /// A piece of nature or a division, at the end of its name: `River`, `County`.
    pub(crate) const NATURE: Self = Self(1 << 13);
    /// What governments, teams and markets do: `agreed`, `beat`.
    pub(crate) const ACTS: Self = Self(1 << 15);
    /// Month and weekday names, and other capital words that begin nothing.
    pub(crate) const CALENDAR: Self = Self(1 << 12);

    /// Stands before persons and has no capital of its own: `signor`, `monsieur`.
    pub(crate) const POLITE: Self = Self(1 << 14);

    pub(crate) fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a folded word says about the names beside it.
pub(crate) fn cue(word: &str) -> Cue {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(Table::new);
    // Most words are no cue, and a look at four of their bytes tells.
    if table.has_shape(word) {
        table.cues.get(word).copied().unwrap_or_default()
    } else {
        Cue::default()
    }
}

/// The cues, and the shapes that any of them has.
struct Table {
    cues: QuickMap<&'static str, Cue>,
    shapes: [u64; 128],
}

impl Table {
    fn new() -> Self {
        let mut table = Self { cues: QuickMap::default(), shapes: [0; 128] };
        for (cue, words) in CUES {
            for word in words.split_ascii_whitespace() {
                let entry = table.cues.entry(word).or_default();
                *entry = entry.and(*cue);
                let shape = shape(word);
                table.shapes[shape / 64] |= 1 << (shape % 64);
            }
        }
        table
    }

    fn has_shape(&self, word: &str) -> bool {
        let shape = shape(word);
        self.shapes[shape / 64] >> (shape % 64) & 1 == 1
    }
}

/// A number below 8192 made of a word's length and three of its letters.
fn shape(word: &str) -> usize {
    let bytes = word.as_bytes();
    let Some((first, last)) = bytes.first().zip(bytes.last()) else { return 0 };
    let second = bytes.get(1).unwrap_or(first);
    let sum = [*first, *second, *last]
        .iter()
        .fold(bytes.len(), |sum, byte| sum * 37 + usize::from(*byte));
    sum % 8192
}

/// English, German, French, Spanish, Italian, Dutch, Portuguese, Finnish, Swedish, Danish and Polish together:
/// hardly a word of one means something else in another.
const CUES: &[(Cue, &str)] = &[
    (
        Cue::LOCATIVE,
        "in near outside inside around toward towards into throughout across nearby via within at from \
         bei nach aus nahe unweit nordlich sudlich ostlich westlich \
         en dans vers depuis pres \
         desde hacia cerca \
         presso verso vicino \
         te naar uit nabij \
         em perto \
         fran till nara vid i fra til ved naer \
         w we pod kolo",
    ),
    (
        Cue::WEAK_LOCATIVE,
        "of to for and between over through by on de d von zu um ab ueber uber gen im zum zur a au aux du sur pour entre \
         di da del della al alla per tra van voor op do da no na para z ze do",
    ),
    (
        Cue::TITLE,
        "mr mrs ms miss dr prof professor sir lord lady dame president vice senator sen congressman congresswoman \
         representative rep gov governor judge justice sheriff deputy officer detective sgt sergeant capt \
         captain lt lieutenant col colonel gen general maj major cpl corporal pvt private adm admiral coach \
         pastor rev reverend bishop cardinal pope rabbi imam king queen prince princess duke duchess earl \
         count baron secretary minister chancellor ambassador commissioner superintendent principal attorney \
         chairman chairwoman ceo spokesman spokeswoman spokesperson director manager quarterback guard forward \
         pitcher striker midfielder goalkeeper actor actress singer author architect saint brother sister uncle aunt \
         herr frau fraulein graf prinz konig konigin kaiser pfarrer doktor baron freiherr \
         monsieur madame mademoiselle mme mlle maitre abbe comte marquis general docteur \
         senor senora senorita sr sra srta don dona doctor doctora \
         signor signora signore dottor dottore ingegnere avvocato conte \
         heer mevrouw meneer dhr mevr dom seu dr dra herra rouva fru froken pan pani",
    ),
    (
        Cue::POLITE,
        "signor signora monsieur madame mademoiselle senor senora senorita meneer mevrouw",
    ),
    (
        Cue::FIRM,
        "inc corp corporation ltd llc llp plc co company gmbh ag kg ohg ev sa sarl sas srl spa bv nv oy oyj ab as aps \
         sp bank bancorp times post herald tribune gazette chronicle journal examiner observer sentinel \
         courier dispatch telegraph mirror guardian independent news press daily weekly magazine review zeitung \
         anzeiger nachrichten rundschau kurier blatt tagblatt allgemeine \
         globe star sun mail standard echo argus bugle \
         fc sc afc united rovers wanderers athletic albion hotspur cowboys giants jets yankees mets sox dodgers \
         lakers bulls celtics knicks spurs rangers devils bruins eagles bears lions tigers panthers bulldogs \
         wildcats hawks falcons ravens cardinals colts rams saints vikings warriors kings \
         industries holdings enterprises motors airlines airways records pictures studios foods fries \
         insurance partners associates brothers sons & group systems technologies pharmaceuticals",
    ),
    (
        Cue::SPEECH,
        "said says say told administration tells added adds asked asks explained explains noted replied testified recalled \
         wrote writes thinks thought believes believed knew knows smiled laughed scored pitched batted tackled \
         married sagte sagt meinte meint erklarte erklart betonte antwortete schrieb \
         dit declare declara explique affirme repondit dijo dice afirmo declaro explico \
         disse spiega dichiara zei zegt sanoi sa sade",
    ),
    (
        Cue::ACTS,
        "said says told denied denies agreed agrees accused accuses announced announces warned warns called calls urged \
         urges voted votes signed signs withdrew invaded invades attacked imposed imposes refused refuses rejected rejects \
         welcomed condemned condemns beat beats won wins lost loses defeated defeats plays played faces hopes hoped wants \
         wanted plans planned threatens threatened supports supported opposes opposed declared declares decided decides \
         joined joins recognised recognized sent sends offered offers demanded demands ruled claims claimed insists \
         qualified scored drew ratified launched bought adopted sought proposed \
         erklarte erklart forderte fordert kundigte droht drohte verlangt verlangte lehnte gewann verlor beschloss \
         annonce annonca refuse refusa declare declara accuse accepte gagne perd condamne",
    ),
    (
        Cue::SORT_AFTER,
        "county counties parish township borough river creek lake bay island islands isle valley mountain \
         mountains hills city town village state province district region peninsula coast beach harbor harbour \
         falls desert forest airport metro area suburb suburbs metropolitan republic prefecture governorate \
         national heights springs canyon gulf sea ocean strait canal reservation territory commonwealth",
    ),
    (
        Cue::SORT_BEFORE,
        "lake mount mountain fort port cape city town village county borough parish township province state \
         district region island islands river republic kingdom municipality suburb capital neighborhood neighbourhood \
         stadt gemeinde kreis landkreis bezirk kanton kantons canton cantons dorf insel ort ortsteil stadtteil hauptstadt land \
         herzogtum provinz region amt bahnhof \
         ville village commune canton departement province quartier faubourg ile royaume duche district \
         miasto miasta wies gmina powiat \
         ciudad pueblo municipio provincia isla estado villa barrio departamento rio lago \
         citta comune regione isola paese frazione fiume \
         stad dorp gemeente provincie eiland \
         cidade vila freguesia concelho ilha \
         kaupunki kunta kyla saari staden kommun ort landskap",
    ),
    (
        Cue::OF_A_TOWN,
        "police residents resident mayor firefighters fire schools school council voters officials authorities \
         downtown native natives man woman couple teen teenager student students family families neighborhood \
         hospital court courthouse jail prison library chamber mall stadium government parliament embassy \
         based area metro high community church cemetery prosecutor prosecutors commissioners aldermen \
         sheriff department public civic commission board commissioner districts workers drivers \
         burger burgermeister polizei stadtrat rathaus bahnhof",
    ),
    (
        Cue::INSIDE,
        "of the upon on by under in and de la le les los las del el du des da do dos das di della al sur sous en \
         am an der bei im ob vor auf unter und a aan den op van y e i nad pod w sul a lez pres",
    ),
    (
        Cue::PART,
        "northern southern eastern western central north south east west northeast northwest southeast \
         southwest northeastern northwestern southeastern southwestern mid downtown uptown upper lower greater \
         inner outer rural suburban coastal metropolitan nearby neighboring neighbouring historic upstate old \
         nord sud ost west nordliche sudliche ostliche westliche nordlichen sudlichen ostlichen westlichen \
         obere untere oberen unteren",
    ),
    (
        Cue::SIGHT,
        "hotel resort inn bridge museum tower cathedral church palace castle temple monument memorial \
         university college school airport station stadium arena theatre theater square plaza market garden gardens zoo \
         aquarium gallery library hospital center centre mall pier clinic academy institute \
         cemetery prison jail dam ranch farm winery lodge cottage restaurant cafe pub club \
         monastery abbey shrine mosque synagogue hall house building terminal base camp courthouse \
         brucke schloss burg dom kirche kloster bahnhof flughafen turm tor",
    ),
    (
        Cue::NATURE,
        "river creek lake bay falls mountain mountains peak valley canyon desert forest trail reserve refuge \
         wilderness island islands isle beach peninsula cape reef glacier volcano hills springs park canal strait \
         gulf sea ocean coast county township parish borough prefecture oblast archipelago plateau basin",
    ),
    (
        Cue::WAY,
        "street st road rd avenue ave boulevard blvd lane ln drive highway hwy parkway pkwy court way \
         terrace crescent alley turnpike freeway expressway route interstate broadway",
    ),
    (
        Cue::CALENDAR,
        "january february march april may june july august september october november december \
         monday tuesday wednesday thursday friday saturday sunday \
         januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag \
         janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche \
         enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre \
         christmas easter passover thanksgiving halloween ramadan hanukkah weihnachten ostern pfingsten \
         noel paques navidad natale pasqua \
         gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_be_several_cues() {
        assert!(cue("city").has(Cue::SORT_AFTER));
        assert!(cue("city").has(Cue::SORT_BEFORE));
        assert!(cue("in").has(Cue::LOCATIVE));
        assert!(cue("in").has(Cue::INSIDE));
        assert_eq!(cue("banana"), Cue::default());
    }

    #[test]
    fn the_words_are_written_as_they_are_looked_up() {
        for (_, words) in CUES {
            for word in words.split_ascii_whitespace().filter(|it| *it != "&") {
                assert_eq!(text::fold(word), word);
            }
        }
    }
}
