//! Every relation, in every language.

use crate::{in_short, understand};

#[track_caller]
fn check(text: &str, expected: &str) {
    let short = in_short(&understand(text).query);
    // Labels end with regions and countries, which are not the point here.
    let names: Vec<_> =
        short.split(" + ").map(|it| it.split(',').next().unwrap_or_default()).collect();
    assert_eq!(names.join(" + "), expected, "{text}");
}

#[test]
fn english_is_understood() {
    check("museums in Berlin", "museums | in | Berlin");
    check("hotels near Helsinki", "hotels | near | Helsinki");
    check("cafes close to Vienna", "cafes | near | Vienna");
    check("concerts at Central Park", "concerts | at | Central Park");
    check("hotels within 5 km of Oldenburg", "hotels | within 5.0 km | Oldenburg");
    check("hotels within 3 miles of Oxford", "hotels | within 4.8 km | Oxford");
    check("hotels within 500ft of Alexanderplatz", "hotels | within 152 m | Alexanderplatz");
    check("castles between 10 and 20 km from Heidelberg", "castles | 10 km to 20 km | Heidelberg");
    check("cafes around Leipzig", "cafes | around | Leipzig");
    check("villages outside Munich", "villages | outside | Munich");
    check("lakes north of Berlin", "lakes | north | Berlin");
    check("lakes south-east of Berlin", "lakes | south-east | Berlin");
    check("lakes southwest of Berlin", "lakes | south-west | Berlin");
    check("hotels between Bremen and Hamburg", "hotels | between | Bremen + Hamburg");
    check("fuel along Berlin, Leipzig, Munich", "fuel | along | Berlin + Leipzig + Munich");
    check("fuel along Berlin - Leipzig - Munich", "fuel | along | Berlin + Leipzig + Munich");
    check("trains from Berlin to Munich", "trains | along | Berlin + Munich");
    check("trains Oslo to Bergen", "trains | along | Oslo + Bergen");
    check("parks overlapping Hamburg", "parks | overlapping | Hamburg");
    check("towns next to Vienna", "towns | next to | Vienna");
    check("towns bordering Germany", "towns | next to | Germany");
    check("towns adjacent to Vienna", "towns | next to | Vienna");
    check("hotels in the Netherlands", "hotels | in | Netherlands");
    check("cycling along the Danube", "cycling | near | Danube");
}

#[test]
fn german_is_understood() {
    check("Museen in Berlin", "Museen | in | Berlin");
    check("Museen in der Nähe von Berlin", "Museen | near | Berlin");
    check("Hotels nahe Hamburg", "Hotels | near | Hamburg");
    check("Wandern bei Salzburg", "Wandern | near | Salzburg");
    check("Hotels am Bodensee", "Hotels | at | Lake Constance");
    check("Hotels im Umkreis von 5 km um Oldenburg", "Hotels | within 5.0 km | Oldenburg");
    check("Hotels 3,5 km um Oldenburg", "Hotels | within 3.5 km | Oldenburg");
    check("Burgen zwischen 10 und 20 km von Heidelberg", "Burgen | 10 km to 20 km | Heidelberg");
    check("Ausflüge rund um Leipzig", "Ausflüge | around | Leipzig");
    check("Dörfer außerhalb von München", "Dörfer | outside | Munich");
    check("Seen nördlich von Berlin", "Seen | north | Berlin");
    check("Seen südöstlich von Berlin", "Seen | south-east | Berlin");
    check("Hotels zwischen Bremen und Hamburg", "Hotels | between | Bremen + Hamburg");
    check(
        "Tankstellen entlang Berlin, Leipzig, München",
        "Tankstellen | along | Berlin + Leipzig + Munich",
    );
    check("Züge von Berlin nach München", "Züge | along | Berlin + Munich");
    check("Orte neben Wien", "Orte | next to | Vienna");
    check("Länder angrenzend an Deutschland", "Länder | next to | Germany");
    check("Parks überlappend mit Hamburg", "Parks | overlapping | Hamburg");
    check("Krankenhäuser Köln", "Krankenhäuser | in | Köln");
    check("Köln Krankenhäuser", "Krankenhäuser | in | Köln");
    check("Museen Berlins", "Museen | in | Berlin");
}

#[test]
fn french_is_understood() {
    check("musées à Paris", "musées | in | Paris");
    check("randonnées dans les Alpes", "randonnées | in | Alps");
    check("hôtels en Italie", "hôtels | in | Italy");
    check("musées près de Paris", "musées | near | Paris");
    check("hôtels à proximité de Lyon", "hôtels | near | Lyon");
    check("hôtels à 5 km de Lyon", "hôtels | within 5.0 km | Lyon");
    check("hôtels dans un rayon de 5 km autour de Lyon", "hôtels | within 5.0 km | Lyon");
    check("châteaux entre 10 et 20 km de Tours", "châteaux | 10 km to 20 km | Tours");
    check("cafés autour de Lille", "cafés | around | Lille");
    check("villages en dehors de Paris", "villages | outside | Paris");
    check("villages au nord de Lyon", "villages | north | Lyon");
    check("villages à l'ouest de Lyon", "villages | west | Lyon");
    check("villages au sud-est de Lyon", "villages | south-east | Lyon");
    check("hôtels entre Lyon et Marseille", "hôtels | between | Lyon + Marseille");
    check("trains de Paris à Lyon", "trains | along | Paris + Lyon");
    check("villes à côté de Lyon", "villes | next to | Lyon");
    check("pays limitrophes de la France", "pays | next to | France");
    check("parcs chevauchant Paris", "parcs | overlapping | Paris");
    check("hôpitaux du Portugal", "hôpitaux | in | Portugal");
    check("boulangeries Marseille", "boulangeries | in | Marseille");
    check("villes le long du Danube", "villes | near | Danube");
}

#[test]
fn spanish_is_understood() {
    check("museos en Madrid", "museos | in | Madrid");
    check("hoteles cerca de Madrid", "hoteles | near | Madrid");
    check("hoteles cerca del Danubio", "hoteles | near | Danube");
    check("hoteles a 5 km de Sevilla", "hoteles | within 5.0 km | Sevilla");
    check("hoteles en un radio de 10 kilómetros de Valencia", "hoteles | within 10 km | Valencia");
    check("castillos entre 10 y 20 km de Toledo", "castillos | 10 km to 20 km | Toledo");
    check("playas alrededor de Barcelona", "playas | around | Barcelona");
    check("pueblos fuera de Madrid", "pueblos | outside | Madrid");
    check("pueblos al norte de Madrid", "pueblos | north | Madrid");
    check("pueblos al suroeste de Madrid", "pueblos | south-west | Madrid");
    check("hoteles entre Madrid y Barcelona", "hoteles | between | Madrid + Barcelona");
    check("trenes de Madrid a Sevilla", "trenes | along | Madrid + Sevilla");
    check("pueblos al lado de Madrid", "pueblos | next to | Madrid");
    check("países limítrofes con Francia", "países | next to | France");
    check("hospitales Bilbao", "hospitales | in | Bilbao");
    check("Bilbao hospitales", "hospitales | in | Bilbao");
    check("hoteles dentro de Granada", "hoteles | in | Granada");
}

#[test]
fn italian_is_understood() {
    check("musei a Roma", "musei | in | Rome");
    check("alberghi in Toscana", "alberghi | in | Tuscany");
    check("spiagge nella Sardegna", "spiagge | in | Sardinia");
    check("ristoranti vicino a Roma", "ristoranti | near | Rome");
    check("ristoranti nei pressi di Napoli", "ristoranti | near | Naples");
    check("alberghi a 5 km da Milano", "alberghi | within 5.0 km | Milan");
    check("alberghi nel raggio di 10 km da Milano", "alberghi | within 10 km | Milan");
    check("castelli tra 10 e 20 km da Torino", "castelli | 10 km to 20 km | Turin");
    check("spiagge intorno a Genova", "spiagge | around | Genoa");
    check("paesi fuori Milano", "paesi | outside | Milan");
    check("paesi a nord di Milano", "paesi | north | Milan");
    check("paesi a sud-est di Milano", "paesi | south-east | Milan");
    check("alberghi tra Roma e Napoli", "alberghi | between | Rome + Naples");
    check("treni da Roma a Napoli", "treni | along | Rome + Naples");
    check("città accanto a Milano", "città | next to | Milan");
    check("ospedali Bologna", "ospedali | in | Bologna");
    check("musei dell'Umbria", "musei | in | Umbria");
}

#[test]
fn dutch_is_understood() {
    check("musea in Amsterdam", "musea | in | Amsterdam");
    check("hotels in de buurt van Amsterdam", "hotels | near | Amsterdam");
    check("hotels vlak bij Utrecht", "hotels | near | Utrecht");
    check("hotels bij Utrecht", "hotels | near | Utrecht");
    check("hotels binnen 5 km van Utrecht", "hotels | within 5.0 km | Utrecht");
    check("hotels in een straal van 10 km rond Utrecht", "hotels | within 10 km | Utrecht");
    check("kastelen tussen 10 en 20 km van Arnhem", "kastelen | 10 km to 20 km | Arnhem");
    check("dorpen rond Groningen", "dorpen | around | Groningen");
    check("dorpen buiten Amsterdam", "dorpen | outside | Amsterdam");
    check("dorpen ten noorden van Amsterdam", "dorpen | north | Amsterdam");
    check("dorpen ten zuidwesten van Amsterdam", "dorpen | south-west | Amsterdam");
    check("hotels tussen Amsterdam en Utrecht", "hotels | between | Amsterdam + Utrecht");
    check("treinen van Amsterdam naar Utrecht", "treinen | along | Amsterdam + Utrecht");
    check("steden naast Amsterdam", "steden | next to | Amsterdam");
    check("landen grenzend aan Duitsland", "landen | next to | Germany");
    check("ziekenhuizen Rotterdam", "ziekenhuizen | in | Rotterdam");
    check("Rotterdam ziekenhuizen", "ziekenhuizen | in | Rotterdam");
}

#[test]
fn portuguese_is_understood() {
    check("museus em Lisboa", "museus | in | Lisbon");
    check("praias no Algarve", "praias | in | Algarve");
    check("hotéis na Itália", "hotéis | in | Italy");
    check("restaurantes perto de Lisboa", "restaurantes | near | Lisbon");
    check("hotéis perto do Porto", "hotéis | near | Porto");
    check("hotéis a 5 km de Coimbra", "hotéis | within 5.0 km | Coimbra");
    check("hotéis num raio de 10 km de Coimbra", "hotéis | within 10 km | Coimbra");
    check("castelos entre 10 e 20 km de Évora", "castelos | 10 km to 20 km | Évora");
    check("praias em torno de Lisboa", "praias | around | Lisbon");
    check("aldeias fora de Lisboa", "aldeias | outside | Lisbon");
    check("aldeias ao norte de Lisboa", "aldeias | north | Lisbon");
    check("aldeias a sudeste de Lisboa", "aldeias | south-east | Lisbon");
    check("hotéis entre Lisboa e Coimbra", "hotéis | between | Lisbon + Coimbra");
    check("comboios de Lisboa a Coimbra", "comboios | along | Lisbon + Coimbra");
    check("cidades ao lado de Lisboa", "cidades | next to | Lisbon");
    check("hospitais Coimbra", "hospitais | in | Coimbra");
    check("Coimbra hospitais", "hospitais | in | Coimbra");
}

#[test]
fn finnish_is_understood() {
    check("ravintolat Helsingissä", "ravintolat | in | Helsinki");
    check("hotellit Turussa", "hotellit | in | Turku");
    check("hotellit Tampereella", "hotellit | in | Tampere");
    check("museot Lahdessa", "museot | in | Lahti");
    check("Helsingissä ravintolat", "ravintolat | in | Helsinki");
    check("hotellit Saksassa", "hotellit | in | Germany");
    check("ravintolat lähellä Helsinkiä", "ravintolat | near | Helsinki");
    check("ravintolat Helsingin lähellä", "ravintolat | near | Helsinki");
    check("ravintolat 10 km säteellä Helsingistä", "ravintolat | within 10 km | Helsinki");
    check("hotellit 10-20 km päässä Turusta", "hotellit | 10 km to 20 km | Turku");
    check("mökit Tampereen ympäristössä", "mökit | around | Tampere");
    check("talot Helsingin ulkopuolella", "talot | outside | Helsinki");
    check("järvet Tampereen pohjoispuolella", "järvet | north | Tampere");
    check("järvet Lahden kaakkoispuolella", "järvet | south-east | Lahti");
    check("hotellit Helsingin ja Turun välillä", "hotellit | between | Helsinki + Turku");
    check("kunnat Helsingin vieressä", "kunnat | next to | Helsinki");
    check("museot Helsinki", "museot | in | Helsinki");
    check("Helsinki museot", "museot | in | Helsinki");
}

#[test]
fn swedish_is_understood() {
    check("museer i Stockholm", "museer | in | Stockholm");
    check("restauranger i närheten av Stockholm", "restauranger | near | Stockholm");
    check("hotell nära Göteborg", "hotell | near | Gothenburg");
    check("hotell vid Uppsala", "hotell | near | Uppsala");
    check("hotell inom 5 km från Uppsala", "hotell | within 5.0 km | Uppsala");
    check("slott mellan 10 och 20 km från Uppsala", "slott | 10 km to 20 km | Uppsala");
    check("stugor runt Kiruna", "stugor | around | Kiruna");
    check("byar utanför Stockholm", "byar | outside | Stockholm");
    check("sjöar norr om Stockholm", "sjöar | north | Stockholm");
    check("sjöar sydväst om Stockholm", "sjöar | south-west | Stockholm");
    check("hotell mellan Stockholm och Uppsala", "hotell | between | Stockholm + Uppsala");
    check("tåg från Stockholm till Uppsala", "tåg | along | Stockholm + Uppsala");
    check("städer längs Stockholm, Uppsala, Gävle", "städer | along | Stockholm + Uppsala + Gävle");
    check("orter bredvid Stockholm", "orter | next to | Stockholm");
    check("sjukhus Malmö", "sjukhus | in | Malmö");
    check("Malmö sjukhus", "sjukhus | in | Malmö");
    check("Stockholms museer", "museer | in | Stockholm");
}

/// Every theme in every place, each as it is said and as it is labelled; what is read otherwise is listed.
#[track_caller]
fn check_each(themes: &[&str], places: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for theme in themes {
        for (said, label) in places {
            let short = in_short(&understand(&format!("{theme} in {said}")).query);
            if short != format!("{theme} | in | {label}") {
                wrong.push(short);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn any_theme_in_a_continent_or_a_country_is_read_so_in_english() {
    let themes = [
        "museums",
        "festival",
        "restaurants",
        "flood",
        "hotels",
        "concerts",
        "castles",
        "election",
        "football",
        "used books",
    ];
    let places = [
        "Africa",
        "Antarctica",
        "Asia",
        "Europe",
        "North America",
        "Oceania",
        "South America",
        "Russia",
        "China",
        "India",
        "Brazil",
        "Canada",
        "Thailand",
        "Germany",
        "France",
        "Mexico",
        "Indonesia",
    ];
    let same: Vec<_> = places.into_iter().map(|it| (it, it)).collect();
    check_each(&themes, &same);
    check_each(&["museums", "flood"], &[("the United States", "United States")]);
}

#[test]
fn any_theme_in_a_continent_or_a_country_is_read_so_in_german() {
    let themes = [
        "Museen",
        "Festival",
        "Restaurants",
        "Hochwasser",
        "Hotels",
        "Konzerte",
        "Burgen",
        "Wahlen",
        "Fußball",
        "gebrauchte Bücher",
    ];
    let places = [
        ("Afrika", "Africa"),
        ("der Antarktis", "Antarctica"),
        ("Asien", "Asia"),
        ("Europa", "Europe"),
        ("Nordamerika", "North America"),
        ("Ozeanien", "Oceania"),
        ("Südamerika", "South America"),
        ("Russland", "Russia"),
        ("China", "China"),
        ("Indien", "India"),
        ("Brasilien", "Brazil"),
        ("Kanada", "Canada"),
        ("Thailand", "Thailand"),
        ("Deutschland", "Germany"),
        ("Frankreich", "France"),
        ("Mexiko", "Mexico"),
        ("den USA", "United States"),
    ];
    check_each(&themes, &places);
}

#[test]
fn a_relation_is_no_place_in_what_stands_behind_it() {
    check("museums in Europe", "museums | in | Europe");
    check("festival in Thailand", "festival | in | Thailand");
    // With a comma behind it, it is: the town has this name too.
    check("festival In, Thailand", "festival | in | In Buri");
}
