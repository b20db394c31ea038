//! Names that more than one place bears: which comes first, which second.

/// Query, first candidate, second candidate, as label and kind.
///
/// The rows were taken from the program's answers and then read through: they hold it to what it does, and are no
/// judgement by somebody who did not know the answers.
const TABLE: &[(&str, &str, &str)] = &[
    (
        "Springfield",
        "Springfield, Illinois, United States [city]",
        "Springfield, Massachusetts, United States [city]",
    ),
    ("Athens", "Athens, Attica, Greece [city]", "Athens, Georgia, United States [city]"),
    ("Lisbon", "Lisbon, Portugal [city]", "Lisbon, Portugal [region]"),
    (
        "Frankfurt",
        "Frankfurt am Main, Hesse, Germany [city]",
        "Frankfurt (Oder), Brandenburg, Germany [city]",
    ),
    ("Paris", "Paris, Île-de-France, France [city]", "Paris, Texas, United States [city]"),
    ("Paris, Texas", "Paris, Texas, United States [city]", "Paris, Île-de-France, France [city]"),
    ("Georgia", "Georgia [country]", "Georgia, United States [region]"),
    (
        "Georgia, USA",
        "Georgia, United States [region]",
        "Georgia Avenue / Walter Reed, District of Columbia, United States [city]",
    ),
    (
        "Santiago",
        "Santiago, Santiago Metropolitan, Chile [city]",
        "Santiago de los Caballeros, Santiago Province, Dominican Republic [city]",
    ),
    (
        "Oldenburg",
        "Oldenburg, Lower Saxony, Germany [city]",
        "Oldenburg in Holstein, Schleswig-Holstein, Germany [city]",
    ),
    (
        "Neustadt",
        "Neustadt an der Weinstraße, Rheinland-Pfalz, Germany [city]",
        "Neustadt am Rübenberge, Lower Saxony, Germany [city]",
    ),
    ("San José", "San José, Costa Rica [city]", "San Jose, California, United States [city]"),
    ("Halle", "Halle (Saale), Saxony-Anhalt, Germany [city]", "Halle, Flanders, Belgium [city]"),
    ("Münster", "Münster, North Rhine-Westphalia, Germany [city]", "Munster, Ireland [region]"),
    ("London", "London, England, United Kingdom [city]", "London, Ontario, Canada [city]"),
    (
        "London, Ontario",
        "London, Ontario, Canada [city]",
        "London / Chapeskie Field, London, Ontario, Canada [airport]",
    ),
    (
        "Birmingham",
        "Birmingham, England, United Kingdom [city]",
        "Birmingham, Alabama, United States [city]",
    ),
    (
        "Manchester",
        "Manchester, England, United Kingdom [city]",
        "Manchester, New Hampshire, United States [city]",
    ),
    (
        "Washington",
        "Washington, District of Columbia, United States [city]",
        "Washington, United States [region]",
    ),
    (
        "New York",
        "New York City, New York, United States [city]",
        "New York, United States [region]",
    ),
    ("Portland", "Portland, Oregon, United States [city]", "Portland, Maine, United States [city]"),
    ("Victoria", "Victoria, Australia [region]", "Victoria, British Columbia, Canada [city]"),
    ("Vienna", "Vienna, Austria [city]", "Vienna, West Virginia, United States [city]"),
    ("Rome", "Rome, Lazio, Italy [city]", "Lomé, Maritime, Togo [city]"),
    (
        "Berlin",
        "Berlin, State of Berlin, Germany [city]",
        "Berlin, New Hampshire, United States [city]",
    ),
    ("Moscow", "Moscow, Russia [city]", "Moscow Oblast, Russia [region]"),
    ("Dublin", "Dublin, Leinster, Ireland [city]", "Dublin, California, United States [city]"),
    (
        "Perth",
        "Perth, Western Australia, Australia [city]",
        "Perth, Scotland, United Kingdom [city]",
    ),
    (
        "Hamilton",
        "Hamilton, Ontario, Canada [city]",
        "Hamilton, Waikato Region, New Zealand [city]",
    ),
    ("Kingston", "Kingston, Jamaica [city]", "Kingston, Ontario, Canada [city]"),
    ("Alexandria", "Alexandria, Egypt [city]", "Alexandria, Virginia, United States [city]"),
    ("Tripoli", "Tripoli, Libya [city]", "Tripoli, North Lebanon, Lebanon [city]"),
    ("Valencia", "Valencia, Carabobo, Venezuela [city]", "Valencia, Spain [city]"),
    ("Córdoba", "Córdoba, Cordoba, Argentina [city]", "Córdoba, Andalusia, Spain [city]"),
    (
        "Granada",
        "Granada, Andalusia, Spain [city]",
        "Granada, Granada Department, Nicaragua [city]",
    ),
    (
        "León",
        "León de los Aldama, Guanajuato, Mexico [city]",
        "León, León Department, Nicaragua [city]",
    ),
    ("Mérida", "Mérida, Yucatán, Mexico [city]", "Mérida, Venezuela [city]"),
    (
        "Guadalajara",
        "Guadalajara, Jalisco, Mexico [city]",
        "Guadalajara, Castille-La Mancha, Spain [city]",
    ),
    ("Cartagena", "Cartagena, Bolívar, Colombia [city]", "Cartagena, Murcia, Spain [city]"),
    ("Barcelona", "Barcelona, Catalonia, Spain [city]", "Barcelona, Anzoátegui, Venezuela [city]"),
    ("San Juan", "San Juan, Puerto Rico [city]", "San Juan, Argentina [city]"),
    (
        "La Paz",
        "La Paz, La Paz Department, Bolivia [city]",
        "La Paz, Baja California Sur, Mexico [city]",
    ),
    ("Lima", "Lima, Lima Province, Peru [city]", "Lima region, Peru [region]"),
    (
        "Melbourne",
        "Melbourne, Victoria, Australia [city]",
        "Melbourne, Florida, United States [city]",
    ),
    ("Sydney", "Sydney, New South Wales, Australia [city]", "Sydney, Nova Scotia, Canada [city]"),
    (
        "Boston",
        "Boston, Massachusetts, United States [city]",
        "Boston, England, United Kingdom [city]",
    ),
    ("Luxembourg", "Luxembourg [country]", "Luxembourg [city]"),
    ("Mexico", "Mexico [country]", "Mexico City, Mexico [city]"),
    ("Panama", "Panama [country]", "Panama City, Panamá, Panama [city]"),
    ("Guatemala", "Guatemala [country]", "Guatemala City, Guatemala [city]"),
    ("Québec", "Québec, Quebec, Canada [city]", "Quebec, Canada [region]"),
    ("Congo", "Republic of the Congo [country]", "Democratic Republic of the Congo [country]"),
    ("Korea", "South Korea [country]", "North Korea [country]"),
    ("Jordan", "Jordan [country]", "Jordan, Yau Tsim Mong District, Hong Kong [city]"),
    ("Lebanon", "Lebanon [country]", "Lebanon, Pennsylvania, United States [city]"),
    ("Freiburg", "Freiburg, Baden-Wurttemberg, Germany [city]", "Freiberg, Saxony, Germany [city]"),
    (
        "Rothenburg",
        "Rothenburg ob der Tauber, Bavaria, Germany [city]",
        "Rothenburg, Saxony, Germany [city]",
    ),
    ("Weimar", "Weimar, Thuringia, Germany [city]", "Weimar, Texas, United States [city]"),
    (
        "Essen",
        "Essen, North Rhine-Westphalia, Germany [city]",
        "Essen, Lower Saxony, Germany [city]",
    ),
    ("Bergen", "Bergen, Vestland, Norway [city]", "Bergen, North Holland, Netherlands [city]"),
    ("Odessa", "Odesa, Ukraine [city]", "Odessa, Texas, United States [city]"),
    (
        "St. Petersburg",
        "Saint Petersburg, St.-Petersburg, Russia [city]",
        "St. Petersburg, Florida, United States [city]",
    ),
    ("Naples", "Naples, Campania, Italy [city]", "Naples, Florida, United States [city]"),
    ("Florence", "Florence, Tuscany, Italy [city]", "Florence, Alabama, United States [city]"),
    ("Venice", "Venice, Veneto, Italy [city]", "Venice, Florida, United States [city]"),
    ("Nancy", "Nancy, Grand Est, France [city]", "Ridgetop, Tennessee, United States [city]"),
    (
        "Nice",
        "Nice, Provence-Alpes-Côte d'Azur, France [city]",
        "Nice, California, United States [city]",
    ),
    (
        "Tours",
        "Tours, Centre-Val de Loire, France [city]",
        "Tours-en-Vimeu, Hauts-de-France, France [city]",
    ),
    ("Bath", "Bath, England, United Kingdom [city]", "Bath, Maine, United States [city]"),
    ("York", "York, England, United Kingdom [city]", "York, Pennsylvania, United States [city]"),
    (
        "Lincoln",
        "Lincoln, Nebraska, United States [city]",
        "Lincoln, England, United Kingdom [city]",
    ),
    (
        "Wellington",
        "Wellington, Wellington Region, New Zealand [city]",
        "Wellington Region, New Zealand [region]",
    ),
    ("Salem", "Salem, Tamil Nadu, India [city]", "Salem, Oregon, United States [city]"),
    ("Delhi", "Delhi, India [city]", "Delhi, California, United States [city]"),
    ("Hyderabad", "Hyderabad, Telangana, India [city]", "Hyderabad, Sindh, Pakistan [city]"),
    ("Suzhou", "Suzhou, Jiangsu, China [city]", "Suzhou, Anhui, China [city]"),
    ("Fuzhou", "Fuzhou, Fujian, China [city]", "Fuzhou, Jiangxi, China [city]"),
    (
        "Lugano",
        "Lugano, Ticino, Switzerland [city]",
        "Lugano District, Ticino, Switzerland [county]",
    ),
    ("Monaco", "Monaco [country]", "Monaco, Municipality of Monaco, Monaco [city]"),
    ("Singapore", "Singapore [country]", "Singapore [city]"),
    ("Macedonia", "North Macedonia [country]", "Macedonia, Ohio, United States [city]"),
    ("Guinea", "Guinea [country]", "Guinea-Bissau [country]"),
    ("Niger", "Niger [country]", "Niger State, Nigeria [region]"),
    ("Cologne", "Köln, North Rhine-Westphalia, Germany [city]", "Cologne, Lombardy, Italy [city]"),
    (
        "Linz",
        "Linz, Upper Austria, Austria [city]",
        "Linz am Rhein, Rheinland-Pfalz, Germany [city]",
    ),
    ("Bern", "Bern, Switzerland [city]", "Bern, Switzerland [region]"),
    (
        "Hollywood",
        "Hollywood, Florida, United States [city]",
        "Hollywood, Los Angeles, California, United States [district]",
    ),
    (
        "Brooklyn",
        "Brooklyn, New York City, New York, United States [district]",
        "Brooklyn, Ohio, United States [city]",
    ),
    (
        "Soho",
        "Soho, London, England, United Kingdom [district]",
        "Soho, East Java, Indonesia [city]",
    ),
    (
        "Kreuzberg",
        "Kreuzberg, Berlin, State of Berlin, Germany [district]",
        "Krucemburk, Vysocina, Czechia [city]",
    ),
    (
        "Frankfurt (Oder)",
        "Frankfurt (Oder), Brandenburg, Germany [city]",
        "Frankfurt am Main, Hesse, Germany [city]",
    ),
    (
        "Frankfurt am Main",
        "Frankfurt am Main, Hesse, Germany [city]",
        "Frankfurt am Main International Airport, Frankfurt am Main, Hesse, Germany [airport]",
    ),
    (
        "Halle (Saale)",
        "Halle (Saale), Saxony-Anhalt, Germany [city]",
        "Halle, Flanders, Belgium [city]",
    ),
    (
        "Cambridge, MA",
        "Cambridge, Massachusetts, United States [city]",
        "Newton, Massachusetts, United States [city]",
    ),
    (
        "Birmingham, Alabama",
        "Birmingham, Alabama, United States [city]",
        "Birmingham-Shuttlesworth International Airport, Birmingham, Alabama, United States [airport]",
    ),
    (
        "Athens, GA",
        "Athens, Georgia, United States [city]",
        "Athens/Ben Epps Airport, Athens, Georgia, United States [airport]",
    ),
    (
        "Springfield, Illinois",
        "Springfield, Illinois, United States [city]",
        "Illinois, United States [region]",
    ),
    (
        "Lisbon, Maine",
        "Lisbon, Maine, United States [city]",
        "Lisbon Falls, Maine, United States [city]",
    ),
    ("Vienna, Virginia", "Vienna, Virginia, United States [city]", "Vienna, Austria [city]"),
    (
        "San José, California",
        "San Jose, California, United States [city]",
        "San José, Costa Rica [city]",
    ),
    ("Valencia, Spain", "Valencia, Spain [city]", "Valencia, Spain [region]"),
    (
        "Córdoba, Spain",
        "Córdoba, Andalusia, Spain [city]",
        "Cordoba Airport, Córdoba, Andalusia, Spain [airport]",
    ),
    ("Rome, Georgia", "Rome, Georgia, United States [city]", "Georgia [country]"),
    ("Moscow, Idaho", "Moscow, Idaho, United States [city]", "Moscow, Russia [city]"),
    (
        "Neustadt an der Weinstraße",
        "Neustadt an der Weinstraße, Rheinland-Pfalz, Germany [city]",
        "Lachen-Speyerdorf Airport, Rheinland-Pfalz, Germany [airport]",
    ),
    (
        "Santiago de Compostela",
        "Santiago de Compostela, Galicia, Spain [city]",
        "Santiago de Compostela Airport, Santiago de Compostela, Galicia, Spain [airport]",
    ),
    (
        "Washington State",
        "Washington, United States [region]",
        "District of Columbia, United States [region]",
    ),
];

#[test]
fn the_most_probable_comes_first_and_the_next_is_shown() {
    let world = world::gazetteer();
    let mut wrong = Vec::new();
    for (query, first, second) in TABLE {
        let found = world.geocode(query, None, 5);
        let label = |at: usize| {
            found
                .get(at)
                .map(|it| format!("{} [{}]", it.label(), it.place.kind()))
                .unwrap_or_default()
        };
        if (label(0).as_str(), label(1).as_str()) != (*first, *second) {
            wrong.push(format!(
                "{query}: {} | {} instead of {first} | {second}",
                label(0),
                label(1)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} went wrong:\n{}",
        wrong.len(),
        TABLE.len(),
        wrong.join("\n")
    );
}
