//! A map as a picture for pages without JavaScript.
//!
//! Colours are the style sheet's business: the picture has classes only.

mod ground;
mod label;
mod path;
mod pins;
mod town;
mod view;
mod world;

use earth::Bounds;

use self::label::{Anchor, Placed, Room};
use self::path::{Path, pixels};
use self::pins::Stuck;
use self::town::Town;
use self::view::View;
use self::world::World;
use crate::basemap::Basemap;
use crate::drawing::{Drawing, Mark};
use crate::mercator::{Frame, Spot};
use crate::streets::{self, Sort};

/// From this zoom on the coast of 1:10m, which is off by a kilometre, would be in the way of streets.
const NO_COAST: f64 = 11.5;

/// One name for so many square pixels: a picture of 640 × 400 has at most some thirty.
const PIXELS_PER_NAME: f64 = 8000.0;

/// Streets are asked for by name, so a map of a town may be fuller.
const PIXELS_PER_STREET: f64 = 5000.0;

/// How large a mark is, and how many there are at most: more hide the map.
const MARK: f64 = 5.0;
/// See [`MARK`].
const MOST_MARKS: usize = 200;

/// What is drawn reaches this many pixels beyond the edge, so that no line ends at it.
const MARGIN: f64 = 6.0;

/// The map of a box and what is drawn on it, as an `<svg>` element of this many pixels.
///
/// The box is shown whole; the picture shows more of the world where its form is another one. It may cross the
/// date line. No style is inside: the classes `map-water`, `map-land`, `map-lake`, `map-river`, `map-region`,
/// `map-border`, `map-ground` (what was asked about) with `map-edge`, `map-outline`, `map-dot`, `map-label`,
/// `map-street`, `map-place`, `map-house`, `map-mark`, `map-leader` and `map-pin` are for the style sheet; a town also has
/// `map-green`, `map-coast`, `map-building`, `map-rail` and `map-road`.
pub fn svg(frame: Bounds, width: u32, height: u32, drawing: &Drawing<'_>) -> String {
    let view = View::of(frame, width, height);
    let [wide, high] = view.size.map(pixels);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" \
         height=\"{high}\" role=\"img\"><title>{}</title>",
        escaped(&drawing.title)
    );
    let is_town = view.zoom() >= NO_COAST;
    let sea = if is_town { "map-land" } else { "map-water" };
    out += &format!("<path class=\"{sea}\" d=\"M0 0h{wide}v{high}H0z\"/>");
    let basemap = drawing.basemap.unwrap_or_else(|| Basemap::embedded());
    let world = World::under(basemap, &view);
    if is_town {
        draw_town(&mut out, &view);
    } else {
        draw_world(&mut out, &world);
    }
    if let Some(gazetteer) = drawing.gazetteer {
        let mut districts = Path::default();
        for line in streets::districts(gazetteer, view.frame, view.whole_zoom()) {
            let line: Vec<Spot> = line.iter().map(|&it| view.pixel(it)).collect();
            world::put_line(&mut districts, world::TOLERANCE, view.pixels(MARGIN), &line);
        }
        put(&mut out, "map-region", " fill=\"none\"", &districts);
    }
    draw_marks(&mut out, &view, drawing);

    let stuck = pins::stick(&view, &drawing.pins);
    let mut room = Room::of(view.pixels(0.0));
    stuck.iter().for_each(|it| room.take(it.head, pins::RADIUS + 2.0));
    let marks = marks_in(&view, &drawing.marks);
    marks.iter().for_each(|it| room.take(it.1, MARK + 2.0));
    draw_names(&mut out, &view, &mut room, drawing, if is_town { &[] } else { &world.cities });
    draw_points(&mut out, &marks);
    draw_pins(&mut out, &stuck);
    out += "</svg>";
    out
}

fn draw_world(out: &mut String, world: &World) {
    put(out, "map-land", "", &world.land);
    put(out, "map-lake", "", &world.lakes);
    put(out, "map-river", " fill=\"none\" stroke-width=\".7\"", &world.rivers);
    put(out, "map-river", " fill=\"none\" stroke-width=\"1.2\"", &world.great_rivers);
    put(out, "map-region", " fill=\"none\"", &world.regions);
    put(out, "map-border", " fill=\"none\"", &world.borders);
    put(out, "map-border", " fill=\"none\" stroke-dasharray=\"4 3\"", &world.disputed);
}

/// Streets and houses where they are known.
fn draw_town(out: &mut String, view: &View) {
    let town = Town::under(view);
    put(out, "map-green", "", &town.green);
    put(out, "map-lake", "", &town.water);
    put(out, "map-coast", " fill=\"none\"", &town.coast);
    put(out, "map-building", "", &town.buildings);
    put(out, "map-rail", " fill=\"none\"", &town.rails);
    // A street is as wide as it is, a line of a pixel at the least.
    let width = |meters: f64, least: f64| pixels((meters * view.pixels_per_meter()).max(least));
    let roads = [(&town.paths, 2.0, 0.6), (&town.minor, 7.0, 1.2), (&town.major, 11.0, 2.2)];
    for (path, meters, least) in roads {
        let width = format!(" fill=\"none\" stroke-width=\"{}\"", width(meters, least));
        put(out, "map-road", &width, path);
    }
}

/// The ground that was asked about, and outlines.
fn draw_marks(out: &mut String, view: &View, drawing: &Drawing<'_>) {
    let frame = view.pixels(MARGIN);
    let (mut area, mut edge, mut outline) = (Path::default(), Path::default(), Path::default());
    for asked in &drawing.grounds {
        for ring in ground::rings(asked) {
            let draw =
                |pixels: &[Spot]| world::put_ring(&mut area, world::TOLERANCE, frame, pixels);
            seen(view, &ring, draw);
        }
        for line in ground::edges(asked) {
            let draw =
                |pixels: &[Spot]| world::put_line(&mut edge, world::TOLERANCE, frame, pixels);
            seen(view, &line, draw);
        }
    }
    for line in drawing.outlines.iter().flat_map(|it| ground::edges_of_rings(it)) {
        let draw = |pixels: &[Spot]| world::put_line(&mut outline, world::TOLERANCE, frame, pixels);
        seen(view, &line, draw);
    }
    put(out, "map-ground", " fill-rule=\"evenodd\"", &area);
    put(out, "map-edge", " fill=\"none\"", &edge);
    put(out, "map-outline", " fill=\"none\"", &outline);
}

/// Hands over the corners in pixels, once for each copy of the world that is in the picture.
fn seen(view: &View, corners: &[Spot], mut draw: impl FnMut(&[Spot])) {
    let Some(around) = Frame::around(corners) else { return };
    for copy in view.copies(around.low[0], around.high[0]) {
        let moved: Vec<Spot> = corners.iter().map(|&[x, y]| view.pixel([x + copy, y])).collect();
        draw(&moved);
    }
}

/// A path of a class, with further attributes; nothing if there is nothing on it.
fn put(out: &mut String, class: &str, attributes: &str, path: &Path) {
    if !path.is_empty() {
        *out += &format!("<path class=\"{class}\"{attributes} d=\"{}\"/>", path.text());
    }
}

/// The names of one class with the size they are written in.
struct Names {
    class: &'static str,
    size: f64,
    dots: String,
    texts: String,
}

impl Names {
    fn new(class: &'static str, size: f64) -> Self {
        Self { class, size, dots: String::new(), texts: String::new() }
    }

    fn dot(&mut self, [x, y]: Spot, radius: &str) {
        let (x, y) = (pixels(x), pixels(y));
        self.dots += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }

    fn text(&mut self, placed: Placed, weight: &str, text: &str) {
        let anchor = match placed.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let [x, y] = placed.at.map(pixels);
        let text = escaped(text);
        self.texts += &format!("<text x=\"{x}\" y=\"{y}\"{anchor}{weight}>{text}</text>");
    }

    fn write(&self, out: &mut String) {
        if !self.dots.is_empty() {
            *out += &format!("<g class=\"map-dot\">{}</g>", self.dots);
        }
        if !self.texts.is_empty() {
            let (class, size) = (self.class, pixels(self.size));
            *out += &format!("<g class=\"{class}\" font-size=\"{size}\">{}</g>", self.texts);
        }
    }
}

fn draw_names(
    out: &mut String,
    view: &View,
    room: &mut Room,
    drawing: &Drawing<'_>,
    cities: &[world::City],
) {
    let area = view.size[0] * view.size[1];
    let mut labels = Names::new("map-label", 11.0);
    let mut left = (area / PIXELS_PER_NAME) as usize;
    for city in cities {
        if left == 0 {
            break;
        }
        let Some(placed) = room.beside(city.at, labels.size, &city.name) else { continue };
        left -= 1;
        labels.dot(city.at, if city.is_capital { "2.6" } else { "1.8" });
        let weight = if city.is_capital { " font-weight=\"600\"" } else { "" };
        labels.text(placed, weight, &city.name);
    }
    labels.write(out);
    let Some(gazetteer) = drawing.gazetteer else { return };

    let mut districts = Names::new("map-label", 12.0);
    let mut spots = Names::new("map-place", 10.0);
    let mut streets = Names::new("map-street", 10.0);
    let mut houses = Names::new("map-house", 8.5);
    let mut left = (area / PIXELS_PER_STREET) as usize;
    for name in streets::names(gazetteer, view.frame, view.whole_zoom()) {
        // House numbers are small and fill the room that is left.
        if left == 0 && name.sort != Sort::House {
            continue;
        }
        let at = view.pixel(name.spot);
        let names = match name.sort {
            Sort::District => &mut districts,
            Sort::Street => &mut streets,
            Sort::House => &mut houses,
            Sort::Feature | Sort::Sight | Sort::Spot => &mut spots,
        };
        let has_dot = names.class == "map-place";
        let placed = if has_dot {
            room.beside(at, names.size, name.text)
        } else {
            room.over(at, names.size, name.text)
        };
        let Some(placed) = placed else { continue };
        left = left.saturating_sub(1);
        names.text(placed, "", name.text);
        if has_dot {
            names.dot(at, "1.8");
        }
    }
    [houses, streets, spots, districts].iter().for_each(|names| names.write(out));
}

/// The marks that lie in the picture, and where.
fn marks_in<'m>(view: &View, marks: &'m [Mark]) -> Vec<(&'m Mark, Spot)> {
    let placed = marks.iter().map(|it| (it, view.pixel_of(it.point)));
    let is_seen = |at: Spot| at.iter().all(|it| it.is_finite()) && view.pixels(0.0).contains(at);
    placed.filter(|it| is_seen(it.1)).take(MOST_MARKS).collect()
}

/// Marks, the first on top.
fn draw_points(out: &mut String, marks: &[(&Mark, Spot)]) {
    if marks.is_empty() {
        return;
    }
    let point = |(mark, at): &(&Mark, Spot)| {
        let ([x, y], title) = (at.map(pixels), escaped(&mark.label));
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{MARK}\"><title>{title}</title></circle>")
    };
    let points: String = marks.iter().rev().map(point).collect();
    *out += &format!("<g class=\"map-mark\">{points}</g>");
}

/// Pins, the first on top.
fn draw_pins(out: &mut String, stuck: &[Stuck<'_>]) {
    if stuck.is_empty() {
        return;
    }
    let mut leaders = Path::default();
    let mut pins = String::new();
    for Stuck { pin, tip, head } in stuck.iter().rev() {
        leaders.line(&[*tip, *head]);
        let [x, y] = head.map(pixels);
        let foot = pixels(head[1] + 3.6);
        let title = escaped(&pin.label);
        pins += &format!(
            "<g><title>{title}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\
             <text x=\"{x}\" y=\"{foot}\">{}</text></g>",
            pixels(pins::RADIUS),
            pin.number
        );
    }
    put(out, "map-leader", " fill=\"none\"", &leaders);
    *out += &format!(
        "<g class=\"map-pin\" text-anchor=\"middle\" font-size=\"10.5\" font-weight=\"600\">{pins}</g>"
    );
}

/// The text with what means something in markup written so that it does not, without control codes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use earth::{Bearing, Meters, Point};
    use proptest::prelude::*;

    use super::*;
    use crate::drawing::{Ground, Pin};

    /// What a picture of a country may have before compression, and that of a town.
    const BUDGET: usize = 40_000;
    const TOWN_BUDGET: usize = 60_000;

    #[test]
    fn countries_fit_into_their_budget() {
        check(Bounds::new(59.8, 20.5, 70.1, 31.6), &["map-land", "map-border", "Helsinki"]);
        check(Bounds::new(41.3, -5.2, 51.1, 9.6), &["map-river", "map-lake", "Paris"]);
        check(Bounds::new(35.0, -12.0, 71.0, 45.0), &["map-land", "map-border", "Moscow"]);
        check(Bounds::new(57.9, 4.5, 71.2, 31.1), &["Oslo"]);
        check(Bounds::new(24.5, -125.0, 49.5, -66.9), &["map-lake", "New York"]);
        check(Bounds::new(-11.0, 95.0, 6.0, 141.0), &["Jakarta"]);
    }

    #[test]
    fn fiji_lies_on_both_sides_of_the_date_line() {
        let text = check(Bounds::new(-20.0, 177.0, -16.0, -178.0), &["Suva", "map-land"]);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn the_arctic_is_water_and_the_antarctic_is_land() {
        let north = check(Bounds::new(87.0, 10.0, 89.5, 60.0), &["map-water"]);
        assert!(!north.contains("map-land"));
        check(Bounds::new(-89.5, 10.0, -87.0, 60.0), &["map-land"]);
        check(Bounds::WORLD, &["map-land", "Tokyo"]);
    }

    #[test]
    fn pins_and_grounds_lie_on_top() {
        let drawing = Drawing {
            title: "10 results <here>".to_owned(),
            pins: vec![Pin {
                number: 7,
                point: Point::new(60.17, 24.94),
                label: "Café & \"Bar\"".to_owned(),
            }],
            grounds: vec![
                Ground::Circle(Point::new(60.2, 25.0), Meters(50_000.0)),
                Ground::Sector(Point::new(61.0, 25.0), Meters(90_000.0), Bearing::new(0.0), 45.0),
                Ground::Box(Bounds::new(60.0, 23.0, 61.0, 26.0)),
            ],
            outlines: vec![vec![vec![
                Point::new(60.0, 24.0),
                Point::new(60.5, 24.0),
                Point::new(60.5, 25.0),
            ]]],
            ..Drawing::default()
        };
        let text = svg(Bounds::new(59.0, 22.0, 62.0, 28.0), 640, 400, &drawing);
        well_formed(&text);
        let at = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("no {wanted}: {text}"));
        assert!(at("map-land") < at("map-ground") && at("map-ground") < at("map-outline"));
        assert!(at("map-outline") < at("map-pin") && at("\">7</text>") > 0);
        assert!(text.contains("<title>10 results &lt;here&gt;</title>"));
        assert!(text.contains("<title>Café &amp; &quot;Bar&quot;</title>"));
        assert!(!text.contains("style"), "the page's security policy forbids styles in markup");
    }

    #[test]
    fn marks_lie_below_pins_and_are_seen_on_the_near_copy_of_the_world() {
        let mark = |lat, lon| Mark { point: Point::new(lat, lon), label: "A & B".to_owned() };
        let drawing = Drawing {
            pins: vec![Pin { number: 1, point: Point::new(-17.0, 179.0), label: String::new() }],
            marks: vec![mark(-18.0, -179.5), mark(60.0, 25.0)],
            ..Drawing::default()
        };
        let text = svg(Bounds::new(-20.0, 177.0, -16.0, -178.0), 640, 400, &drawing);
        well_formed(&text);
        let at = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("no {wanted}: {text}"));
        assert!(at("map-mark") < at("map-pin"));
        assert_eq!(text.matches("<title>A &amp; B</title>").count(), 1);
    }

    #[test]
    fn a_map_of_a_town_has_its_streets() {
        let drawing = Drawing { gazetteer: Some(::world::gazetteer()), ..Drawing::default() };
        let text = svg(Bounds::new(43.738, 7.424, 43.740, 7.428), 640, 400, &drawing);
        well_formed(&text);
        assert!(text.contains("map-street") && text.contains("map-house"), "{text}");
        assert!(text.contains("map-road") && text.contains("map-building"), "{text}");
        let wide = svg(Bounds::new(43.734, 7.415, 43.742, 7.430), 800, 500, &drawing);
        assert!(wide.len() <= TOWN_BUDGET, "{} bytes", wide.len());
    }

    #[test]
    fn a_map_of_ones_own_is_drawn_in_the_place_of_the_embedded_one() {
        // The tile of the whole world serves for all of a map without a second zoom.
        let whole = Basemap::embedded().tile(0, 0, 0).unwrap().unwrap().into_owned();
        let mut writer = crate::pmtiles::Writer::default();
        writer.add(0, whole);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), writer.finish("{}", (0, 0))).unwrap();
        let own = Basemap::open(file.path()).unwrap();
        let finland = |basemap| {
            let drawing = Drawing { basemap, ..Drawing::default() };
            svg(Bounds::new(59.8, 20.5, 70.1, 31.6), 800, 500, &drawing)
        };
        let (with_own, embedded) = (finland(Some(&own)), finland(None));
        well_formed(&with_own);
        assert!(with_own.contains("map-land") && with_own.len() < embedded.len() / 2);
        assert!(!with_own.contains("map-river") && embedded.contains("map-river"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_box_and_marks_make_a_picture(
            south in -90.0..=90.0, west in -180.0..=180.0, north in -90.0..=90.0,
            east in -180.0..=180.0, width in 0_u32..900, height in 0_u32..900,
            points in prop::collection::vec((-90.0..=90.0, -180.0..=180.0), 0..8), km in 0.0..25_000.0,
        ) {
            let points: Vec<Point> = points.iter().map(|&(lat, lon)| Point::new(lat, lon)).collect();
            let pin = |(number, &point)| Pin { number, point, label: "\u{1}<".to_owned() };
            let circle = |&point: &Point| Ground::Circle(point, Meters(km * 1000.0));
            let drawing = Drawing {
                title: String::new(),
                pins: points.iter().enumerate().map(pin).collect(),
                grounds: points.iter().map(circle).chain([Ground::Polygon(vec![points.clone()])]).collect(),
                outlines: vec![vec![points.clone()]],
                ..Drawing::default()
            };
            let text = svg(Bounds::new(south, west, north, east), width, height, &drawing);
            prop_assert!(!text.contains("NaN") && !text.contains("inf"));
            well_formed(&text);
        }
    }

    #[track_caller]
    fn check(frame: Bounds, expected: &[&str]) -> String {
        let text =
            svg(frame, 800, 500, &Drawing { title: "A map".to_owned(), ..Drawing::default() });
        well_formed(&text);
        assert!(text.len() <= BUDGET, "{} bytes", text.len());
        for wanted in expected {
            assert!(text.contains(wanted), "no {wanted}");
        }
        text
    }

    /// Every element that is opened is closed, in order.
    #[track_caller]
    fn well_formed(text: &str) {
        let mut reader = quick_xml::Reader::from_str(text);
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(_) => {}
                Err(error) => panic!("{error}: {text}"),
            }
        }
    }
}
