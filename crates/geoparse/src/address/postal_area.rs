//! Where the beginning of a postcode points to.

use std::collections::HashMap;

use earth::{Meters, Point};
use gazetteer::{Gazetteer, Kind, Place};

/// Where the postcodes with one beginning lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PostalArea {
    pub(crate) point: Point,
    /// How far from the point most of its towns are.
    pub(crate) reach: Meters,
}

/// The areas of postcodes, by country and by how the codes begin.
pub(crate) struct PostalAreas {
    areas: HashMap<(String, String), PostalArea>,
}

/// The longest beginning of a code that is kept.
const LONGEST: usize = 3;

/// Countries with the beginnings of their codes, each with a town in the middle of its area, and how far the area
/// reaches in kilometres. Put together from the postal services' published schemes (Leitregionen, provincias, CAP,
/// post towns, forward sortation areas). Where the gazetteer knows enough postcodes itself, those are used instead.
const TABLE: &[(&str, f64, &str)] = &[
    (
        "DE",
        70.0,
        "01 Dresden|02 Görlitz|03 Cottbus|04 Leipzig|06 Halle|07 Gera|08 Zwickau|09 Chemnitz|10 Berlin|12 Berlin|\
        13 Berlin|14 Potsdam|15 Frankfurt (Oder)|16 Eberswalde|17 Neubrandenburg|18 Rostock|19 Schwerin|20 Hamburg|\
        21 Lüneburg|22 Hamburg|23 Lübeck|24 Kiel|25 Itzehoe|26 Oldenburg|27 Bremerhaven|28 Bremen|29 Celle|30 Hannover|\
        31 Hildesheim|32 Herford|33 Bielefeld|34 Kassel|35 Gießen|36 Fulda|37 Göttingen|38 Braunschweig|39 Magdeburg|\
        40 Düsseldorf|41 Mönchengladbach|42 Wuppertal|44 Dortmund|45 Essen|46 Wesel|47 Duisburg|48 Münster|49 Osnabrück|\
        50 Köln|51 Köln|52 Aachen|53 Bonn|54 Trier|55 Mainz|56 Koblenz|57 Siegen|58 Hagen|59 Hamm|60 Frankfurt am Main|\
        61 Bad Homburg|63 Offenbach|64 Darmstadt|65 Wiesbaden|66 Saarbrücken|67 Ludwigshafen am Rhein|68 Mannheim|\
        69 Heidelberg|70 Stuttgart|71 Ludwigsburg|72 Tübingen|73 Göppingen|74 Heilbronn|75 Pforzheim|76 Karlsruhe|\
        77 Offenburg|78 Villingen-Schwenningen|79 Freiburg|80 München|81 München|82 Starnberg|83 Rosenheim|84 Landshut|\
        85 Ingolstadt|86 Augsburg|87 Kempten|88 Ravensburg|89 Ulm|90 Nürnberg|91 Ansbach|92 Amberg|93 Regensburg|\
        94 Passau|95 Bayreuth|96 Bamberg|97 Würzburg|98 Suhl|99 Erfurt",
    ),
    (
        "AT",
        90.0,
        "1 Wien|2 Wiener Neustadt|3 Sankt Pölten|4 Linz|5 Salzburg|6 Innsbruck|67 Bregenz|68 Bregenz|69 Bregenz|\
        7 Eisenstadt|8 Graz|9 Klagenfurt|99 Lienz",
    ),
    (
        "CH",
        50.0,
        "1 Lausanne|12 Genève|17 Fribourg|19 Sion|2 Neuchâtel|3 Bern|39 Visp|4 Basel|5 Aarau|6 Luzern|65 Bellinzona|\
        66 Locarno|67 Biasca|68 Mendrisio|69 Lugano|7 Chur|8 Zürich|9 St. Gallen",
    ),
    (
        "BE",
        40.0,
        "1 Brussels|2 Antwerp|3 Leuven|35 Hasselt|36 Genk|4 Liège|5 Namur|6 Charleroi|66 Bastogne|7 Mons|8 Bruges|9 Ghent",
    ),
    (
        "LU",
        40.0,
        "1 Luxembourg|2 Luxembourg|3 Luxembourg|4 Esch-sur-Alzette|5 Luxembourg|6 Luxembourg|7 Mersch|8 Luxembourg|9 Diekirch",
    ),
    (
        "NL",
        45.0,
        "1 Amsterdam|12 Hilversum|13 Almere|2 The Hague|3 Rotterdam|34 Utrecht|35 Utrecht|36 Utrecht|37 Amersfoort|\
        38 Amersfoort|4 Breda|43 Middelburg|5 Eindhoven|6 Nijmegen|62 Maastricht|64 Heerlen|7 Apeldoorn|75 Enschede|\
        8 Zwolle|89 Leeuwarden|9 Groningen",
    ),
    (
        "ES",
        90.0,
        "01 Vitoria-Gasteiz|02 Albacete|03 Alicante|04 Almería|05 Ávila|06 Badajoz|07 Palma|08 Barcelona|09 Burgos|\
        10 Cáceres|11 Cádiz|12 Castellón de la Plana|13 Ciudad Real|14 Córdoba|15 A Coruña|16 Cuenca|17 Girona|18 Granada|\
        19 Guadalajara|20 San Sebastián|21 Huelva|22 Huesca|23 Jaén|24 León|25 Lleida|26 Logroño|27 Lugo|28 Madrid|\
        29 Málaga|30 Murcia|31 Pamplona|32 Ourense|33 Oviedo|34 Palencia|35 Las Palmas|36 Pontevedra|37 Salamanca|\
        38 Santa Cruz de Tenerife|39 Santander|40 Segovia|41 Sevilla|42 Soria|43 Tarragona|44 Teruel|45 Toledo|46 Valencia|\
        47 Valladolid|48 Bilbao|49 Zamora|50 Zaragoza|51 Ceuta|52 Melilla",
    ),
    (
        "IT",
        60.0,
        "00 Roma|01 Viterbo|02 Rieti|03 Frosinone|04 Latina|05 Terni|06 Perugia|07 Sassari|08 Nuoro|09 Cagliari|\
        10 Torino|11 Aosta|12 Cuneo|13 Vercelli|14 Asti|15 Alessandria|16 Genova|17 Savona|18 Imperia|19 La Spezia|\
        20 Milano|21 Varese|22 Como|23 Lecco|24 Bergamo|25 Brescia|26 Cremona|27 Pavia|28 Novara|29 Piacenza|30 Venezia|\
        31 Treviso|32 Belluno|33 Udine|34 Trieste|35 Padova|36 Vicenza|37 Verona|38 Trento|39 Bolzano|40 Bologna|41 Modena|\
        42 Reggio nell'Emilia|43 Parma|44 Ferrara|45 Rovigo|46 Mantova|47 Forlì|48 Ravenna|50 Firenze|51 Pistoia|52 Arezzo|\
        53 Siena|54 Massa|55 Lucca|56 Pisa|57 Livorno|58 Grosseto|59 Prato|60 Ancona|61 Pesaro|62 Macerata|\
        63 Ascoli Piceno|64 Teramo|65 Pescara|66 Chieti|67 L'Aquila|70 Bari|71 Foggia|72 Brindisi|73 Lecce|74 Taranto|\
        75 Matera|80 Napoli|81 Caserta|82 Benevento|83 Avellino|84 Salerno|85 Potenza|86 Campobasso|87 Cosenza|\
        88 Catanzaro|89 Reggio Calabria|90 Palermo|91 Trapani|92 Agrigento|93 Caltanissetta|94 Enna|95 Catania|\
        96 Siracusa|97 Ragusa|98 Messina",
    ),
    (
        "PT",
        70.0,
        "1 Lisbon|2 Santarém|28 Almada|29 Setúbal|3 Coimbra|35 Viseu|38 Aveiro|4 Porto|47 Braga|49 Viana do Castelo|\
        5 Vila Real|53 Bragança|6 Castelo Branco|63 Guarda|7 Évora|8 Faro|90 Funchal|91 Funchal|95 Ponta Delgada|97 Angra do Heroísmo",
    ),
    (
        "FI",
        70.0,
        "00 Helsinki|01 Vantaa|02 Espoo|04 Järvenpää|05 Hyvinkää|06 Porvoo|08 Lohja|10 Ekenäs|11 Riihimäki|13 Hämeenlinna|\
        15 Lahti|20 Turku|21 Turku|23 Turku|24 Salo|26 Rauma|28 Pori|30 Forssa|32 Loimaa|33 Tampere|34 Tampere|\
        35 Tampere|36 Tampere|37 Nokia|38 Sastamala|40 Jyväskylä|41 Jyväskylä|42 Jämsä|44 Äänekoski|45 Kouvola|46 Kouvola|\
        48 Kotka|49 Hamina|50 Mikkeli|53 Lappeenranta|55 Imatra|57 Savonlinna|60 Seinäjoki|61 Seinäjoki|62 Seinäjoki|\
        65 Vaasa|66 Vaasa|67 Kokkola|68 Jakobstad|70 Kuopio|71 Kuopio|74 Iisalmi|78 Varkaus|80 Joensuu|81 Lieksa|82 Kitee|\
        87 Kajaani|88 Kuhmo|90 Oulu|91 Oulu|92 Raahe|93 Kuusamo|94 Kemi|95 Tornio|96 Rovaniemi|97 Rovaniemi|98 Kemijärvi",
    ),
    ("AX", 60.0, "22 Mariehamn"),
    (
        "SE",
        80.0,
        "1 Stockholm|2 Malmö|25 Helsingborg|29 Kristianstad|30 Halmstad|33 Värnamo|35 Växjö|37 Karlskrona|39 Kalmar|\
        4 Göteborg|50 Borås|54 Skövde|55 Jönköping|58 Linköping|60 Norrköping|62 Visby|63 Eskilstuna|65 Karlstad|70 Örebro|\
        72 Västerås|75 Uppsala|78 Borlänge|79 Falun|80 Gävle|83 Östersund|85 Sundsvall|87 Härnösand|90 Umeå|93 Skellefteå|\
        95 Luleå|97 Luleå|98 Kiruna",
    ),
    (
        "NO",
        150.0,
        "0 Oslo|1 Lillestrøm|2 Hamar|3 Drammen|4 Stavanger|46 Kristiansand|5 Bergen|6 Ålesund|7 Trondheim|8 Bodø|\
        9 Tromsø|95 Alta|98 Vadsø",
    ),
    (
        "DK",
        60.0,
        "1 Copenhagen|2 Copenhagen|3 Hillerød|37 Rønne|4 Roskilde|48 Nykøbing Falster|5 Odense|6 Kolding|67 Esbjerg|7 Herning|\
        71 Vejle|8 Aarhus|9 Aalborg",
    ),
    (
        "PL",
        90.0,
        "0 Warszawa|1 Olsztyn|15 Białystok|16 Suwałki|2 Lublin|25 Kielce|26 Radom|3 Kraków|35 Rzeszów|37 Rzeszów|38 Krosno|\
        4 Katowice|45 Opole|5 Wrocław|58 Wałbrzych|6 Poznań|65 Zielona Góra|7 Szczecin|75 Koszalin|76 Słupsk|8 Gdańsk|\
        82 Elbląg|85 Bydgoszcz|86 Grudziądz|87 Toruń|9 Łódź|97 Piotrków Trybunalski",
    ),
    (
        "CZ",
        70.0,
        "1 Prague|2 Kladno|3 Plzeň|36 Karlovy Vary|37 České Budějovice|38 České Budějovice|39 Tábor|4 Ústí nad Labem|\
        46 Liberec|5 Hradec Králové|53 Pardubice|58 Jihlava|6 Brno|7 Ostrava|76 Zlín|77 Olomouc",
    ),
    (
        "SK",
        60.0,
        "8 Bratislava|90 Bratislava|91 Trnava|92 Trnava|93 Dunajská Streda|94 Nitra|95 Nitra|96 Zvolen|97 Banská Bystrica|\
        98 Lučenec|01 Žilina|02 Žilina|03 Martin|04 Košice|05 Poprad|06 Prešov|07 Michalovce|08 Prešov",
    ),
    (
        "HU",
        70.0,
        "1 Budapest|2 Gödöllő|3 Miskolc|4 Debrecen|5 Szolnok|6 Szeged|7 Pécs|8 Székesfehérvár|9 Győr",
    ),
    (
        "AU",
        450.0,
        "0 Darwin|2 Sydney|26 Canberra|3 Melbourne|4 Brisbane|48 Townsville|5 Adelaide|6 Perth|7 Hobart",
    ),
    (
        "NZ",
        110.0,
        "0 Whangarei|06 Auckland|1 Auckland|2 Auckland|3 Hamilton|31 Tauranga|4 Palmerston North|5 Wellington|6 Wellington|\
        7 Nelson|8 Christchurch|9 Dunedin",
    ),
    (
        "GB",
        40.0,
        "AB Aberdeen|AL St Albans|B Birmingham|BA Bath|BB Blackburn|BD Bradford|BH Bournemouth|BL Bolton|BN Brighton|\
        BR Bromley|BS Bristol|BT Belfast|CA Carlisle|CB Cambridge|CF Cardiff|CH Chester|CM Chelmsford|CO Colchester|\
        CR Croydon|CT Canterbury|CV Coventry|CW Crewe|DA Dartford|DD Dundee|DE Derby|DG Dumfries|DH Durham|DL Darlington|\
        DN Doncaster|DT Dorchester|DY Dudley|E London|EC London|EH Edinburgh|EN Enfield|EX Exeter|FK Falkirk|FY Blackpool|\
        G Glasgow|GL Gloucester|GU Guildford|HA Harrow|HD Huddersfield|HG Harrogate|HP Hemel Hempstead|HR Hereford|\
        HS Stornoway|HU Hull|HX Halifax|IG Ilford|IP Ipswich|IV Inverness|KA Kilmarnock|KT Kingston upon Thames|KW Kirkwall|\
        KY Kirkcaldy|L Liverpool|LA Lancaster|LD Llandrindod Wells|LE Leicester|LL Llandudno|LN Lincoln|LS Leeds|LU Luton|\
        M Manchester|ME Rochester|MK Milton Keynes|ML Motherwell|N London|NE Newcastle upon Tyne|NG Nottingham|\
        NN Northampton|NP Newport|NR Norwich|NW London|OL Oldham|OX Oxford|PA Paisley|PE Peterborough|PH Perth|PL Plymouth|\
        PO Portsmouth|PR Preston|RG Reading|RH Redhill|RM Romford|S Sheffield|SA Swansea|SE London|SG Stevenage|\
        SK Stockport|SL Slough|SM Sutton|SN Swindon|SO Southampton|SP Salisbury|SR Sunderland|SS Southend-on-Sea|\
        ST Stoke-on-Trent|SW London|SY Shrewsbury|TA Taunton|TD Galashiels|TF Telford|TN Royal Tunbridge Wells|TQ Torquay|\
        TR Truro|TS Middlesbrough|TW Twickenham|UB Southall|W London|WA Warrington|WC London|WD Watford|WF Wakefield|\
        WN Wigan|WR Worcester|WS Walsall|WV Wolverhampton|YO York|ZE Lerwick",
    ),
    (
        "CA",
        350.0,
        "A St. John's|B Halifax|C Charlottetown|E Fredericton|G Québec|H Montréal|J Sherbrooke|K Ottawa|L Hamilton|\
        M Toronto|N London|P Sudbury|R Winnipeg|S Regina|T Calgary|V Vancouver|X Yellowknife|Y Whitehorse",
    ),
    (
        "IE",
        70.0,
        "A Drogheda|C Navan|D Dublin|E Clonmel|F Sligo|H Galway|K Swords|N Athlone|P Cork|R Kilkenny|T Cork|V Limerick|\
        W Naas|X Waterford|Y Wexford",
    ),
];

impl PostalAreas {
    pub(crate) fn new(gazetteer: &Gazetteer) -> Self {
        let mut areas = tabled(gazetteer);
        areas.extend(known(gazetteer));
        Self { areas }
    }

    /// Where a code of this country points to, from the narrowest area to the widest.
    pub(crate) fn of(&self, country: &str, code: &str) -> Vec<PostalArea> {
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        let code = code.to_ascii_uppercase();
        let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
        // British areas are all the letters: `N` is no part of `NE`.
        let lengths = if country == "GB" { letters..letters + 1 } else { 1..LONGEST + 1 };
        let area = |length: usize| {
            let start = code.get(..length)?.to_owned();
            self.areas.get(&(country.to_owned(), start)).copied()
        };
        lengths.rev().filter_map(area).collect()
    }
}

/// The areas of the table, as far as the gazetteer knows their towns.
fn tabled(gazetteer: &Gazetteer) -> HashMap<(String, String), PostalArea> {
    let mut areas = HashMap::new();
    for (country, kilometres, list) in TABLE {
        let reach = Meters(kilometres * 1000.0);
        for (start, town) in list.split('|').filter_map(|entry| entry.trim().split_once(' ')) {
            if let Some(town) = town_of(gazetteer, country, town) {
                let key = ((*country).to_owned(), start.to_owned());
                areas.insert(key, PostalArea { point: town.point(), reach });
            }
        }
    }
    areas
}

fn town_of<'g>(gazetteer: &'g Gazetteer, country: &str, name: &str) -> Option<Place<'g>> {
    let at_home =
        |place: &Place<'_>| place.country().and_then(|it| it.tag("iso2")) == Some(country);
    let towns = gazetteer.named(name).map(|(place, _)| place);
    towns
        .filter(|it| matches!(it.kind(), Kind::City | Kind::District) && at_home(it))
        .max_by_key(Place::population)
}

/// Two postcodes do not show where all with the same beginning lie.
const ENOUGH: usize = 3;

/// The areas that follow from the postcodes of the gazetteer.
fn known(gazetteer: &Gazetteer) -> HashMap<(String, String), PostalArea> {
    let mut points: HashMap<(String, String), Vec<Point>> = HashMap::new();
    for place in gazetteer.places().filter(|it| it.kind() == Kind::Postcode) {
        let Some(country) = country_of(&place) else { continue };
        let code = place.name();
        for length in 1..=LONGEST.min(code.len().saturating_sub(1)) {
            if let Some(start) = code.get(..length) {
                points
                    .entry((country.to_owned(), start.to_owned()))
                    .or_default()
                    .push(place.point());
            }
        }
    }
    points
        .into_iter()
        .filter(|(_, points)| points.len() >= ENOUGH)
        .map(|(key, points)| (key, area(&points)))
        .collect()
}

/// The country of a postcode: the one it lies in, or the one in its key, `zip:US-04635`.
pub(crate) fn country_of<'g>(place: &Place<'g>) -> Option<&'g str> {
    let lies_in = place.country().and_then(|it| it.tag("iso2"));
    lies_in
        .or_else(|| place.key().strip_prefix("zip:")?.split_once('-').map(|(country, _)| country))
}

/// The middle of some points, and the distance within which nine of ten lie.
fn area(points: &[Point]) -> PostalArea {
    let middle = |of: fn(&Point) -> f64| {
        let mut values: Vec<f64> = points.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let point = Point::new(middle(|it| it.lat), middle(|it| it.lon));
    let mut distances: Vec<f64> = points.iter().map(|it| it.distance(point).0).collect();
    distances.sort_by(f64::total_cmp);
    let reach = distances[(distances.len() * 9 / 10).min(distances.len() - 1)];
    PostalArea { point, reach: Meters(reach.max(20_000.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_town_of_the_table_is_known() {
        for (country, _, list) in TABLE {
            for (start, town) in list.split('|').filter_map(|entry| entry.trim().split_once(' ')) {
                assert!(
                    town_of(world::gazetteer(), country, town).is_some(),
                    "{country} {start} {town}"
                );
            }
        }
    }

    #[track_caller]
    fn check(country: &str, code: &str, town: &str, kilometres: f64) {
        let areas = PostalAreas::new(world::gazetteer());
        let area = areas.of(country, code)[0];
        let town = town_of(world::gazetteer(), country, town).expect("the town is known");
        let distance = area.point.distance(town.point()).0 / 1000.0;
        assert!(distance < kilometres, "{country} {code} is {distance} km from {}", town.name());
    }

    #[test]
    fn the_beginning_of_a_code_points_to_its_area() {
        check("DE", "26122", "Oldenburg", 1.0);
        check("GB", "NW1 6XE", "London", 1.0);
        check("GB", "NE1 4ST", "Newcastle upon Tyne", 1.0);
        check("CA", "M5V 2T6", "Toronto", 1.0);
        check("US", "60699", "Chicago", 50.0);
        check("FR", "75002", "Paris", 10.0);
        check("NO", "4601", "Kristiansand", 1.0);
    }

    #[test]
    fn an_unknown_country_has_no_areas() {
        assert_eq!(PostalAreas::new(world::gazetteer()).of("XX", "12345"), []);
    }
}
