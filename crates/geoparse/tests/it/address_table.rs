//! Addresses of many countries with the parts they have.

/// An address as it is written, and what it says.
pub(crate) struct Written {
    pub(crate) text: &'static str,
    pub(crate) street: &'static str,
    pub(crate) number: &'static str,
    pub(crate) postcode: &'static str,
    pub(crate) city: &'static str,
    /// The two letters of the country it lies in.
    pub(crate) country: &'static str,
}

const fn row(
    text: &'static str,
    [street, number, postcode, city, country]: [&'static str; 5],
) -> Written {
    Written { text, street, number, postcode, city, country }
}

#[rustfmt::skip]
pub(crate) const TABLE: &[Written] = &[
    // Germany
    row("Lange Straße 5\n26122 Oldenburg", ["Lange Straße", "5", "26122", "Oldenburg", "DE"]),
    row("Lange Str. 5, 26122 Oldenburg", ["Lange Str.", "5", "26122", "Oldenburg", "DE"]),
    row("LANGE STRASSE 5, 26122 OLDENBURG", ["LANGE STRASSE", "5", "26122", "OLDENBURG", "DE"]),
    row("Am Wendehafen 12a, D-26135 Oldenburg", ["Am Wendehafen", "12a", "26135", "Oldenburg", "DE"]),
    row("Karl-Marx-Allee 33-35\n10178 Berlin", ["Karl-Marx-Allee", "33-35", "10178", "Berlin", "DE"]),
    row("Unter den Linden 77, 10117 Berlin", ["Unter den Linden", "77", "10117", "Berlin", "DE"]),
    row("Straße des 17. Juni 135, 10623 Berlin", ["Straße des 17. Juni", "135", "10623", "Berlin", "DE"]),
    row("Schloßpl. 3 · 76131 Karlsruhe", ["Schloßpl.", "3", "76131", "Karlsruhe", "DE"]),
    row("Königsallee 60 F\n40212 Düsseldorf", ["Königsallee", "60 F", "40212", "Düsseldorf", "DE"]),
    row("An der Alster 10, 20099 Hamburg, Deutschland", ["An der Alster", "10", "20099", "Hamburg", "DE"]),
    row("Rotenturmweg 4 in 23758 Oldenburg in Holstein", ["Rotenturmweg", "4", "23758", "Oldenburg in Holstein", "DE"]),
    row("Hauptstr.17 | 69117 Heidelberg", ["Hauptstr.", "17", "69117", "Heidelberg", "DE"]),
    row("Graf-Adolf-Platz 15, 2. OG, 40213 Düsseldorf", ["Graf-Adolf-Platz", "15", "40213", "Düsseldorf", "DE"]),
    row("80331 München, Sendlinger Straße 8", ["Sendlinger Straße", "8", "80331", "München", "DE"]),
    row("Straße\tHeideweg 9\nPLZ\t24103\nOrt\tKiel", ["Heideweg", "9", "24103", "Kiel", "DE"]),
    row("Zeil 106\n60313 Frankfurt am Main", ["Zeil", "106", "60313", "Frankfurt am Main", "DE"]),
    // Austria
    row("Mariahilfer Straße 88a/2/7, 1070 Wien", ["Mariahilfer Straße", "88a/2/7", "1070", "Wien", "AT"]),
    row("Getreidegasse 9, A-5020 Salzburg", ["Getreidegasse", "9", "5020", "Salzburg", "AT"]),
    row("Hauptplatz 1, 4020 Linz, Österreich", ["Hauptplatz", "1", "4020", "Linz", "AT"]),
    row("Museumstraße 15\n6020 Innsbruck", ["Museumstraße", "15", "6020", "Innsbruck", "AT"]),
    // Switzerland and Liechtenstein
    row("Bahnhofstrasse 21, 8001 Zürich", ["Bahnhofstrasse", "21", "8001", "Zürich", "CH"]),
    row("Rue du Rhône 48\nCH-1204 Genève", ["Rue du Rhône", "48", "1204", "Genève", "CH"]),
    row("Via Nassa 5, 6900 Lugano", ["Via Nassa", "5", "6900", "Lugano", "CH"]),
    row("Marktgasse 30, 3011 Bern", ["Marktgasse", "30", "3011", "Bern", "CH"]),
    row("Städtle 49, FL-9490 Vaduz", ["Städtle", "49", "9490", "Vaduz", "LI"]),
    // United States
    row("5 High St, Springfield, IL 62701", ["High St", "5", "62701", "Springfield", "US"]),
    row("1600 Amphitheatre Pkwy, Mountain View, CA 94043", ["Amphitheatre Pkwy", "1600", "94043", "Mountain View", "US"]),
    row("350 5th Ave, New York, NY 10118", ["5th Ave", "350", "10118", "New York", "US"]),
    row("2200 Walnut Street\nPhiladelphia, PA 19103-5517", ["Walnut Street", "2200", "19103-5517", "Philadelphia", "US"]),
    row("4100 N Lamar Blvd, Suite 210, Austin, Texas 78756", ["N Lamar Blvd", "4100", "78756", "Austin", "US"]),
    row("77 Massachusetts Avenue, Cambridge MA 02139", ["Massachusetts Avenue", "77", "02139", "Cambridge", "US"]),
    row("1313 SE BELMONT ST, PORTLAND, OR 97214", ["SE BELMONT ST", "1313", "97214", "PORTLAND", "US"]),
    row("845 W 181st St Apt 4C, New York, NY 10033", ["W 181st St", "845", "10033", "New York", "US"]),
    row("12 Oak Ridge Road, Oldenburg, IN 47036", ["Oak Ridge Road", "12", "47036", "Oldenburg", "US"]),
    row("2910 State Highway 35\nHazlet, NJ 07730", ["State Highway 35", "2910", "07730", "Hazlet", "US"]),
    row("901 Main St., Dallas, TX 75202, USA", ["Main St.", "901", "75202", "Dallas", "US"]),
    row("1 Dr. Carlton B. Goodlett Place, San Francisco, CA 94102", ["Dr. Carlton B. Goodlett Place", "1", "94102", "San Francisco", "US"]),
    row("123 1/2 Elm Street, Burlington, VT 05401", ["Elm Street", "123 1/2", "05401", "Burlington", "US"]),
    row("24 Broadway, Denver, CO 80203", ["Broadway", "24", "80203", "Denver", "US"]),
    row("600 St. Charles Avenue\nNew Orleans, LA 70130", ["St. Charles Avenue", "600", "70130", "New Orleans", "US"]),
    row("1500 Martin Luther King Jr Dr, Milwaukee, WI 53212", ["Martin Luther King Jr Dr", "1500", "53212", "Milwaukee", "US"]),
    // Canada
    row("123 Main St W, Toronto, ON M5V 2T6", ["Main St W", "123", "M5V 2T6", "Toronto", "CA"]),
    row("1055 Rue Sainte-Catherine O, Montréal, QC H3B 1H9", ["Rue Sainte-Catherine O", "1055", "H3B 1H9", "Montréal", "CA"]),
    row("800 Robson Street, Vancouver BC V6Z 3B7", ["Robson Street", "800", "V6Z 3B7", "Vancouver", "CA"]),
    row("10220 103 Ave NW, Edmonton, AB T5J 0K4", ["103 Ave NW", "10220", "T5J 0K4", "Edmonton", "CA"]),
    row("45 Barrington St., Halifax, Nova Scotia B3J1Z5", ["Barrington St.", "45", "B3J1Z5", "Halifax", "CA"]),
    // United Kingdom
    row("221B Baker Street, London NW1 6XE", ["Baker Street", "221B", "NW1 6XE", "London", "GB"]),
    row("10 Downing Street\nLondon\nSW1A 2AA", ["Downing Street", "10", "SW1A 2AA", "London", "GB"]),
    row("Flat 3, 18 Park Crescent, Brighton, BN2 3HB", ["Park Crescent", "18", "BN2 3HB", "Brighton", "GB"]),
    row("48 The Shambles, York YO1 7LX", ["The Shambles", "48", "YO1 7LX", "York", "GB"]),
    row("7 Royal Mile Close, Edinburgh EH1 2PG, Scotland", ["Royal Mile Close", "7", "EH1 2PG", "Edinburgh", "GB"]),
    row("Unit 5, 12 Station Road, Cardiff CF10 1EP", ["Station Road", "12", "CF10 1EP", "Cardiff", "GB"]),
    row("31-33 King Street West, Manchester M3 2PW", ["King Street West", "31-33", "M3 2PW", "Manchester", "GB"]),
    row("9 Church Lane, Hackney, London E8 1AA", ["Church Lane", "9", "E8 1AA", "London", "GB"]),
    row("62 donegall place, belfast bt1 5bb", ["donegall place", "62", "bt1 5bb", "belfast", "GB"]),
    // Ireland
    row("25 Grafton Street, Dublin, D02 X285", ["Grafton Street", "25", "D02 X285", "Dublin", "IE"]),
    row("14 Patrick Street, Cork T12 W8KP", ["Patrick Street", "14", "T12 W8KP", "Cork", "IE"]),
    row("8 Shop Street, Galway, Ireland", ["Shop Street", "8", "", "Galway", "IE"]),
    // France
    row("10 rue de la Paix\n75002 Paris", ["rue de la Paix", "10", "75002", "Paris", "FR"]),
    row("12 bis, avenue Foch, 69006 Lyon", ["avenue Foch", "12 bis", "69006", "Lyon", "FR"]),
    row("3 place du Capitole 31000 TOULOUSE", ["place du Capitole", "3", "31000", "TOULOUSE", "FR"]),
    row("27 bd Victor Hugo, 06000 Nice, France", ["bd Victor Hugo", "27", "06000", "Nice", "FR"]),
    row("45, quai des Chartrons - 33000 Bordeaux", ["quai des Chartrons", "45", "33000", "Bordeaux", "FR"]),
    row("8 allée des Tilleuls, F-67000 Strasbourg", ["allée des Tilleuls", "8", "67000", "Strasbourg", "FR"]),
    row("1 chemin du Moulin, 13100 Aix-en-Provence", ["chemin du Moulin", "1", "13100", "Aix-en-Provence", "FR"]),
    row("5 impasse des Lilas\n44000 Nantes", ["impasse des Lilas", "5", "44000", "Nantes", "FR"]),
    // Belgium, Luxembourg, Monaco
    row("Rue Neuve 12, 1000 Bruxelles", ["Rue Neuve", "12", "1000", "Bruxelles", "BE"]),
    row("Meir 50\n2000 Antwerpen", ["Meir", "50", "2000", "Antwerpen", "BE"]),
    row("Veldstraat 3 bus 2, 9000 Gent", ["Veldstraat", "3", "9000", "Gent", "BE"]),
    row("Boulevard de la Sauvenière 15, B-4000 Liège", ["Boulevard de la Sauvenière", "15", "4000", "Liège", "BE"]),
    row("14, rue Philippe II, L-2340 Luxembourg", ["rue Philippe II", "14", "2340", "Luxembourg", "LU"]),
    row("6 avenue de Monte-Carlo, 98000 Monaco", ["avenue de Monte-Carlo", "6", "98000", "Monaco", "MC"]),
    // Spain
    row("Calle Mayor 5, 3º B, 28013 Madrid", ["Calle Mayor", "5", "28013", "Madrid", "ES"]),
    row("C/ Alcalá, 42\n28014 Madrid", ["C/ Alcalá", "42", "28014", "Madrid", "ES"]),
    row("Avda. de la Constitución 20, 41004 Sevilla", ["Avda. de la Constitución", "20", "41004", "Sevilla", "ES"]),
    row("Carrer de Balmes, 129, 08008 Barcelona", ["Carrer de Balmes", "129", "08008", "Barcelona", "ES"]),
    row("Plaza del Pilar nº 7, 50003 Zaragoza (España)", ["Plaza del Pilar", "7", "50003", "Zaragoza", "ES"]),
    row("Paseo de Gracia 92, 08008 Barcelona", ["Paseo de Gracia", "92", "08008", "Barcelona", "ES"]),
    row("Gran Vía 28, 48001 Bilbao", ["Gran Vía", "28", "48001", "Bilbao", "ES"]),
    // Italy
    row("Via Roma 10 - 00184 Roma (RM)", ["Via Roma", "10", "00184", "Roma", "IT"]),
    row("Corso Buenos Aires, 33\n20124 Milano MI", ["Corso Buenos Aires", "33", "20124", "Milano", "IT"]),
    row("Piazza della Signoria 2, 50122 Firenze", ["Piazza della Signoria", "2", "50122", "Firenze", "IT"]),
    row("Viale Trastevere, 76/A, 00153 Roma, Italia", ["Viale Trastevere", "76/A", "00153", "Roma", "IT"]),
    row("P.zza Garibaldi 4, 80142 Napoli", ["P.zza Garibaldi", "4", "80142", "Napoli", "IT"]),
    row("Vicolo del Moro 15, I-37121 Verona", ["Vicolo del Moro", "15", "37121", "Verona", "IT"]),
    // Portugal and Brazil
    row("Rua Augusta 100, 1100-053 Lisboa", ["Rua Augusta", "100", "1100-053", "Lisboa", "PT"]),
    row("Av. da Boavista, 837\n4100-128 Porto", ["Av. da Boavista", "837", "4100-128", "Porto", "PT"]),
    row("Travessa do Carmo 8, 3º Dto, 3000-100 Coimbra", ["Travessa do Carmo", "8", "3000-100", "Coimbra", "PT"]),
    row("R. das Flores 21, 8000-320 Faro", ["R. das Flores", "21", "8000-320", "Faro", "PT"]),
    row("Rua da Consolação, 1500, São Paulo, SP, 01301-100", ["Rua da Consolação", "1500", "01301-100", "São Paulo", "BR"]),
    // Netherlands
    row("Damrak 70, 1012 LM Amsterdam", ["Damrak", "70", "1012 LM", "Amsterdam", "NL"]),
    row("Coolsingel 40\n3011AD Rotterdam", ["Coolsingel", "40", "3011AD", "Rotterdam", "NL"]),
    row("Oudegracht 231-B, 3511 NK Utrecht", ["Oudegracht", "231-B", "3511 NK", "Utrecht", "NL"]),
    row("Laan van Meerdervoort 55, 2517 AB Den Haag", ["Laan van Meerdervoort", "55", "2517 AB", "Den Haag", "NL"]),
    // Finland
    row("Mannerheimintie 2, 00100 Helsinki", ["Mannerheimintie", "2", "00100", "Helsinki", "FI"]),
    row("Kauppakatu 3 B 12, 40100 Jyväskylä", ["Kauppakatu", "3", "40100", "Jyväskylä", "FI"]),
    row("Yliopistonkatu 38\nFI-33100 Tampere", ["Yliopistonkatu", "38", "33100", "Tampere", "FI"]),
    row("Aurakatu 8 A, 20100 TURKU", ["Aurakatu", "8", "20100", "TURKU", "FI"]),
    row("Norra Esplanaden 25, 00100 Helsingfors", ["Norra Esplanaden", "25", "00100", "Helsingfors", "FI"]),
    // Sweden
    row("Drottninggatan 71, 111 36 Stockholm", ["Drottninggatan", "71", "111 36", "Stockholm", "SE"]),
    row("Kungsportsavenyen 5\n411 36 Göteborg", ["Kungsportsavenyen", "5", "411 36", "Göteborg", "SE"]),
    row("Stora Nygatan 12, lgh 1201, SE-211 37 Malmö", ["Stora Nygatan", "12", "211 37", "Malmö", "SE"]),
    // Norway
    row("Karl Johans gate 22, 0026 Oslo", ["Karl Johans gate", "22", "0026", "Oslo", "NO"]),
    row("Bryggen 15\n5003 Bergen", ["Bryggen", "15", "5003", "Bergen", "NO"]),
    row("Munkegata 6B, N-7013 Trondheim", ["Munkegata", "6B", "7013", "Trondheim", "NO"]),
    // Denmark
    row("Nørregade 10, 1165 København", ["Nørregade", "10", "1165", "København", "DK"]),
    row("Strøget 4, 2. tv, DK-8000 Aarhus", ["Strøget", "4", "8000", "Aarhus", "DK"]),
    row("H.C. Andersens Boulevard 27, 1553 København V", ["H.C. Andersens Boulevard", "27", "1553", "København", "DK"]),
    // Poland
    row("ul. Długa 5/7, 00-238 Warszawa", ["ul. Długa", "5/7", "00-238", "Warszawa", "PL"]),
    row("al. Niepodległości 12 m. 4\n61-875 Poznań", ["al. Niepodległości", "12", "61-875", "Poznań", "PL"]),
    row("Rynek Główny 30, 31-010 Kraków", ["Rynek Główny", "30", "31-010", "Kraków", "PL"]),
    row("pl. Solny 16, 50-062 Wrocław", ["pl. Solny", "16", "50-062", "Wrocław", "PL"]),
    // Australia and New Zealand
    row("12 Smith St, Carlton VIC 3053", ["Smith St", "12", "3053", "Carlton", "AU"]),
    row("Unit 4/88 George Street, Sydney NSW 2000", ["George Street", "88", "2000", "Sydney", "AU"]),
    row("200 Adelaide Terrace\nPerth WA 6000", ["Adelaide Terrace", "200", "6000", "Perth", "AU"]),
    row("5/21 Queen St, Brisbane QLD 4000, Australia", ["Queen St", "5/21", "4000", "Brisbane", "AU"]),
    row("99 Queen Street, Auckland 1010", ["Queen Street", "99", "1010", "Auckland", "NZ"]),
    row("27 Lambton Quay, Wellington 6011, New Zealand", ["Lambton Quay", "27", "6011", "Wellington", "NZ"]),
    // Czechia, Slovakia, Hungary, Romania
    row("Václavské náměstí 832/19, 110 00 Praha", ["Václavské náměstí", "832/19", "110 00", "Praha", "CZ"]),
    row("Hlavná 20, 040 01 Košice", ["Hlavná", "20", "040 01", "Košice", "SK"]),
    row("Andrássy út 60, 1062 Budapest", ["Andrássy út", "60", "1062", "Budapest", "HU"]),
    row("Calea Victoriei 37, 010061 București", ["Calea Victoriei", "37", "010061", "București", "RO"]),
];
