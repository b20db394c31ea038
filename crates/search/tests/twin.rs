//! A slow twin: every document is looked at, one after the other, with the plainest code there is. Every plan must
//! find the same documents in the same order.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::collections::HashSet;

use earth::{Bounds, Compass, Meters, Point};
use gazetteer::{Gazetteer, PlaceId};
use index::{Document, Generation, Library, Order};
use query::{Anchor, Query, Region, Relation, Sort, Space, Spot, Term, Theme};
use search::{Answer, Engine, Options, Plan, Suggestion};

/// The same numbers at every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    fn share(&mut self) -> f64 {
        self.below(1_000_000) as f64 / 1e6
    }
}

/// Around these there are documents: towns, the date line from both sides, both poles, the middle of nowhere.
const CENTERS: [(f64, f64); 8] = [
    (60.17, 24.94),
    (43.73, 7.42),
    (-17.8, 179.95),
    (-17.9, -179.9),
    (89.9, 10.0),
    (-89.95, -120.0),
    (0.0, 0.0),
    (68.9, 27.0),
];
const WORDS: [&str; 12] = [
    "castle", "museum", "bakery", "river", "tower", "market", "bridge", "garden", "school",
    "harbour", "church", "park",
];

/// A few hundred documents as JSON lines: several points each, some none, words drawn with different odds.
fn lines(dice: &mut Dice, ids: impl Iterator<Item = usize>) -> String {
    let mut lines = String::new();
    for id in ids {
        let length = 3 + dice.below(30);
        let words: Vec<&str> =
            (0..length).map(|_| WORDS[(dice.share() * dice.share() * 12.0) as usize]).collect();
        let points: Vec<String> = (0..dice.below(4)).map(|_| point_near(dice)).collect();
        let published = 1_600_000_000 + dice.below(100_000_000);
        let title = words[0];
        let text = words[1..].join(" ");
        lines += &format!(
            "{{\"id\":\"d{id}\",\"title\":\"{title}\",\"text\":\"{text}\",\"points\":[{}],\"published\":{published},\
             \"language\":\"und\",\"url\":\"https://s{}.example/{id}\"}}\n",
            points.join(","),
            dice.below(5)
        );
    }
    lines
}

fn point_near(dice: &mut Dice) -> String {
    let (lat, lon) = CENTERS[dice.below(8) as usize];
    let spread = [0.001, 0.1, 5.0][dice.below(3) as usize];
    let lat = (lat + (dice.share() - 0.5) * spread).clamp(-90.0, 90.0);
    let lon = lon + (dice.share() - 0.5) * spread * 2.0;
    let lon = if lon >= 180.0 {
        lon - 360.0
    } else if lon < -180.0 {
        lon + 360.0
    } else {
        lon
    };
    format!("[{lon:.6},{lat:.6}]")
}

struct World {
    generation: Generation,
    documents: Vec<Document>,
    gazetteer: &'static Gazetteer,
    _directory: tempfile::TempDir,
}

/// Builds an index in several shards: the second and third run add documents and change some.
fn world(count: usize) -> World {
    let gazetteer = world::gazetteer();
    let directory = tempfile::tempdir().unwrap();
    let library = Library::at(directory.path().join("index"));
    let mut dice = Dice(0x5EED);
    let (half, most) = (count / 2, count * 3 / 4);
    let changed = |step: usize| (0..half).step_by(step);
    let runs = [
        lines(&mut dice, 0..half),
        lines(&mut dice, (half..most).chain(changed(17))),
        lines(&mut dice, (most..count).chain(changed(23))),
    ];
    for (number, text) in runs.iter().enumerate() {
        let file = directory.path().join(format!("documents-{number}.jsonl"));
        std::fs::write(&file, text).unwrap();
        let order = Order { sources: vec![file], ..Order::default() };
        library.index(gazetteer, &order, &mut |_| {}).unwrap();
    }
    let generation = library.open(gazetteer).unwrap();
    generation.verify(gazetteer, &mut |_| {}).unwrap();
    let documents: Vec<Document> = (0..count)
        .map(|id| generation.document(generation.by_id(&format!("d{id}")).unwrap()).unwrap())
        .collect();
    World { generation, documents, gazetteer, _directory: directory }
}

fn word(text: &str) -> Term {
    Term {
        text: text.to_owned(),
        words: vec![text.to_owned()],
        is_phrase: false,
        in_title: false,
        is_excluded: false,
        is_common: false,
        span: 0..0,
    }
}

fn anchor(at: Spot) -> Anchor {
    Anchor {
        text: String::new(),
        span: 0..0,
        at,
        key: None,
        label: String::new(),
        confidence: 1.0,
        others: Vec::new(),
    }
}

fn query(words: &[&str], relation: Relation, at: Vec<Spot>, sort: Sort) -> Query {
    Query {
        theme: Theme { terms: words.iter().map(|it| word(it)).collect(), ..Theme::default() },
        space: Some(Space { relation, anchors: at.into_iter().map(anchor).collect() }),
        sort,
    }
}

/// True if a point lies to the anchors as the relation says: by the plainest geometry. `None` where the twin leaves it
/// to the engine's scale and checks order alone.
fn lies(relation: Relation, at: &[Spot], point: Point) -> bool {
    let center = |spot: &Spot| match spot {
        Spot::Point(point) => *point,
        _ => Point::default(),
    };
    let far = point.distance(center(&at[0])).0;
    match (relation, &at[0]) {
        (_, Spot::Drawn(Region::Box(bounds))) => {
            let in_lon = if bounds.west <= bounds.east {
                bounds.west <= point.lon && point.lon <= bounds.east
            } else {
                point.lon >= bounds.west || point.lon <= bounds.east
            };
            in_lon && bounds.south <= point.lat && point.lat <= bounds.north
        }
        (_, Spot::Drawn(Region::Circle(middle, radius))) => point.distance(*middle).0 <= radius.0,
        (Relation::Within(radius), _) => far <= radius.0,
        (Relation::Ring(from, to), _) => far > from.0 && far <= to.0,
        (Relation::Between, _) => {
            let (one, other) = (center(&at[0]), center(&at[1]));
            let whole = one.distance(other).0;
            point.distance(one).0 + point.distance(other).0 - whole <= (whole * 0.15).max(2_000.0)
        }
        _ => true,
    }
}

/// The ids of all documents that a query wants, by looking at every one.
fn wanted(world: &World, words: &[&str], relation: Relation, at: &[Spot]) -> HashSet<String> {
    let has = |document: &Document, word: &str| {
        format!("{} {}", document.title, document.text).split(' ').any(|it| it == word)
    };
    world
        .documents
        .iter()
        .filter(|it| words.iter().all(|word| has(it, word)))
        .filter(|it| it.spots.iter().any(|spot| lies(relation, at, spot.point())))
        .map(|it| it.id.clone())
        .collect()
}

fn ask(world: &World, query: &Query, plan: Option<Plan>, counts: bool, most: usize) -> Answer {
    let options = Options {
        plan,
        counts,
        most,
        explains: true,
        shows_duplicates: true,
        ..Options::default()
    };
    Engine::new(&world.generation, world.gazetteer).answer(query, &options).unwrap()
}

fn ids(answer: &Answer) -> Vec<String> {
    answer.hits.iter().map(|it| it.id.clone()).collect()
}

/// Every plan gives the same list; it is as long as the twin says, holds what the twin says, and is in order.
#[track_caller]
fn check(world: &World, words: &[&str], relation: Relation, at: &[Spot], sort: Sort) {
    let query = query(words, relation, at.to_vec(), sort);
    let expected = wanted(world, words, relation, at);
    let all = ask(world, &query, Some(Plan::Words), true, 1_000);
    assert_eq!(all.total, Some(expected.len() as u64), "{query}");
    check_count(world, &query);
    assert_eq!(ids(&all).into_iter().collect::<HashSet<_>>(), expected, "{query}");
    check_order(&all, sort);
    if let (Some(near), Sort::Distance | Sort::Time) = (all.total_near, sort) {
        let shown = all.hits.iter().filter(|it| !it.is_far).count();
        assert_eq!(near, shown as u64, "{query}");
    }
    for most in [3, 1_000] {
        let first: Vec<String> = ids(&all).into_iter().take(most).collect();
        for plan in [None, Some(Plan::Words), Some(Plan::Ground), Some(Plan::Rings)] {
            for counts in [false, true] {
                let answer = ask(world, &query, plan, counts, most);
                assert_eq!(ids(&answer), first, "{query} with {plan:?}, counting: {counts}");
                if counts {
                    assert_eq!(answer.total, all.total, "{query} with {plan:?}");
                    assert_eq!(answer.facets, all.facets, "{query} with {plan:?}");
                }
            }
        }
    }
    check_scores(world, words, &all);
    check_paging(world, &query, &ids(&all));
}

/// Who only counts comes to the number that the answer has, and stops where that is enough.
#[track_caller]
fn check_count(world: &World, query: &Query) {
    let engine = Engine::new(&world.generation, world.gazetteer);
    let total = engine.answer(query, &Options::default()).unwrap().total.unwrap();
    assert_eq!(engine.count(query).unwrap(), total, "{query}");
    for most in [0, 1, total, total + 1] {
        assert_eq!(engine.count_up_to(query, most).unwrap(), total.min(most), "{query}");
    }
}

#[track_caller]
fn check_order(answer: &Answer, sort: Sort) {
    for pair in answer.hits.windows(2) {
        let far = |at: usize| pair[at].place.as_ref().and_then(|it| it.way).map(|it| it.0.0);
        match sort {
            Sort::Relevance => assert!(pair[0].score >= pair[1].score),
            // The hit shows its best spot, which need not be its nearest one.
            Sort::Distance => assert!(far(0).is_some() && far(1).is_some()),
            // What is far comes after what is near, and what has no date after what has one.
            Sort::Time => {
                let key = |hit: &search::Hit| (!hit.is_far, hit.published);
                assert!(key(&pair[0]) >= key(&pair[1]));
            }
        }
    }
}

/// The text scores are those of BM25, worked out from the words of the document.
#[track_caller]
fn check_scores(world: &World, words: &[&str], answer: &Answer) {
    let all = world.generation.documents() as f64;
    let average = f64::from(world.generation.average_length());
    for hit in answer.hits.iter().take(20) {
        let document = world.documents.iter().find(|it| it.id == hit.id).unwrap();
        let text = format!("{} {}", document.title, document.text);
        let length = text.split(' ').count() as f64;
        // Lengths are kept as one byte; up to 40 words they are exact, beyond they are cut by an eighth at most.
        let explanation = hit.explanation.as_ref().unwrap();
        let mut sum = 0.0;
        let mut total = 0.0;
        for (word, found) in words.iter().zip(&explanation.words) {
            let times = text.split(' ').filter(|it| it == word).count() as f64
                + if document.title == *word { 2.0 } else { 0.0 };
            let score = found.rareness * times / (times + 1.2 * (0.25 + 0.75 * length / average));
            assert!(found.rareness <= (1.0 + all / 0.5).ln());
            sum += score;
            total += found.rareness;
        }
        let expected = if words.is_empty() { 1.0 } else { sum / total };
        assert!((explanation.text - expected).abs() < 0.03, "{} {expected}", explanation.text);
        assert!((hit.score - explanation.text * explanation.place).abs() < 1e-6);
    }
}

/// Page by page one reads the whole list, without skips or repeats.
#[track_caller]
fn check_paging(world: &World, query: &Query, whole: &[String]) {
    let mut read = Vec::new();
    loop {
        let options = Options {
            skip: read.len(),
            most: 7,
            counts: false,
            shows_duplicates: true,
            ..Options::default()
        };
        let answer =
            Engine::new(&world.generation, world.gazetteer).answer(query, &options).unwrap();
        if answer.hits.is_empty() {
            break;
        }
        read.extend(ids(&answer));
    }
    assert_eq!(read, whole);
}

fn point(at: (f64, f64)) -> Spot {
    Spot::Point(Point::new(at.0, at.1))
}

#[test]
fn every_plan_finds_what_the_twin_finds() {
    let world = world(240);
    assert!(world.generation.shards.len() > 1, "the test is about several shards too");
    let words: [&[&str]; 4] =
        [&[], &["castle"], &["castle", "museum"], &["park", "church", "harbour"]];
    let sorts = [Sort::Relevance, Sort::Distance, Sort::Time];
    let mut turn = 0;
    for words in words {
        for center in CENTERS {
            let at = [point(center)];
            for sort in sorts {
                check(&world, words, Relation::Near, &at, sort);
            }
            // Tiny, usual, huge, all of the globe; each in one order, in turn.
            let within = [1.0, 5_000.0, 300_000.0, 2.1e7].map(|it| Relation::Within(Meters(it)));
            for relation in
                within.into_iter().chain([Relation::Ring(Meters(1_000.0), Meters(400_000.0))])
            {
                check(&world, words, relation, &at, sorts[turn % 3]);
                turn += 1;
            }
        }
    }
}

#[test]
fn regions_on_the_map_hold_what_the_twin_says() {
    let world = world(200);
    let boxes = [
        Bounds::new(60.0, 24.0, 61.0, 26.0),
        // Over the date line.
        Bounds::new(-20.0, 178.0, -15.0, -178.0),
        // A pole, all of the globe, nothing at all, a line.
        Bounds::new(89.0, -180.0, 90.0, 180.0),
        Bounds::new(-90.0, -180.0, 90.0, 180.0),
        Bounds::new(10.0, 10.0, 11.0, 11.0),
        Bounds::new(0.0, -5.0, 0.0, 5.0),
    ];
    for bounds in boxes {
        for words in [&["castle"] as &[&str], &[]] {
            check(
                &world,
                words,
                Relation::In,
                &[Spot::Drawn(Region::Box(bounds))],
                Sort::Relevance,
            );
        }
    }
    for center in CENTERS {
        let circle = Region::Circle(Point::new(center.0, center.1), Meters(20_000.0));
        check(&world, &["castle"], Relation::In, &[Spot::Drawn(circle)], Sort::Relevance);
    }
}

#[test]
fn between_two_points_lies_what_the_twin_says() {
    let world = world(200);
    for pair in CENTERS.windows(2) {
        check(
            &world,
            &["castle"],
            Relation::Between,
            &[point(pair[0]), point(pair[1])],
            Sort::Relevance,
        );
    }
}

/// Plans agree where the twin has no geometry of its own.
#[test]
fn plans_agree_on_directions_lines_and_polygons() {
    let world = world(200);
    for center in CENTERS {
        let mut queries = Vec::new();
        for compass in [Compass::North, Compass::SouthEast, Compass::West] {
            queries.push(query(
                &["castle"],
                Relation::Toward(compass),
                vec![point(center)],
                Sort::Relevance,
            ));
        }
        let line = vec![point(CENTERS[0]), point(center), point(CENTERS[1])];
        queries.push(query(&[], Relation::Along, line, Sort::Distance));
        let ring = [(1.0, 1.0), (1.0, -1.0), (-1.0, 0.0)].map(|(up, turn): (f64, f64)| {
            Point::checked(
                (center.0 + up).clamp(-90.0, 90.0),
                (center.1 + turn + 540.0).rem_euclid(360.0) - 180.0,
            )
            .unwrap()
        });
        let drawn = Spot::Drawn(Region::Polygon(ring.to_vec()));
        queries.push(query(&["castle"], Relation::In, vec![drawn], Sort::Relevance));
        for query in queries {
            let words = ask(&world, &query, Some(Plan::Words), true, 1_000);
            let ground = ask(&world, &query, Some(Plan::Ground), true, 1_000);
            assert_eq!(ids(&words), ids(&ground), "{query}");
            assert_eq!(words.total, ground.total, "{query}");
            check_count(&world, &query);
            check_paging(&world, &query, &ids(&words));
        }
    }
}

#[test]
fn in_a_place_is_what_the_hierarchy_holds() {
    let world = world(300);
    let finland = world.gazetteer.geocode("Finland", None, 1)[0].place.id();
    for place in [finland, PlaceId(world.documents.iter().find_map(|it| it.focus).unwrap())] {
        let is_in = |id: &u32| *id == place.0 || world.gazetteer.holds(place, PlaceId(*id));
        let expected: HashSet<String> = world
            .documents
            .iter()
            .filter(|it| it.spots.iter().filter_map(|spot| spot.place).any(|id| is_in(&id)))
            .map(|it| it.id.clone())
            .collect();
        assert!(!expected.is_empty());
        let query = query(&[], Relation::In, vec![Spot::Place(place)], Sort::Relevance);
        let answer = ask(&world, &query, None, true, 1_000);
        assert_eq!(ids(&answer).into_iter().collect::<HashSet<_>>(), expected);
        assert_eq!(world.generation.count_within(place).unwrap(), expected.len() as u64);
        check_count(&world, &query);
    }
}

#[test]
fn who_only_counts_counts_what_an_answer_has() {
    let world = world(300);
    let finland = world.gazetteer.geocode("Finland", None, 1)[0].place.id();
    let helsinki = world.gazetteer.geocode("Helsinki", None, 1)[0].place.id();
    let relations = [
        Relation::In,
        Relation::Near,
        Relation::Around,
        Relation::Outside,
        Relation::NextTo,
        Relation::Overlaps,
        Relation::Toward(Compass::North),
    ];
    for relation in relations {
        for place in [finland, helsinki] {
            for sort in [Sort::Relevance, Sort::Distance, Sort::Time] {
                let asked = query(&["castle"], relation, vec![Spot::Place(place)], sort);
                let mut limited = asked.clone();
                limited.theme.terms.push(Term { is_excluded: true, ..word("museum") });
                limited.theme.after = Some(jiff::civil::date(2021, 1, 1));
                limited.theme.sites = vec!["s1.example".into(), "s3.example".into()];
                check_count(&world, &asked);
                check_count(&world, &limited);
                check_count(&world, &Query { space: None, ..asked });
            }
        }
    }
}

/// A hundred pages about two towns; of five copies four are left out.
#[test]
fn who_only_counts_counts_near_duplicates_once() {
    let text = |it: usize| {
        let words = (0..60).map(|at| format!("word{}", it / 5 * 60 + at)).collect::<Vec<_>>();
        words.join(" ")
    };
    let line = |it: usize| {
        let place = ["gn:658225", "gn:2911298"][it / 5 % 2];
        format!(
            "{{\"id\":\"d{it}\",\"url\":\"https://s{it}.example/\",\"text\":\"mill {}\",\
             \"language\":\"und\",\"place\":\"{place}\"}}\n",
            text(it)
        )
    };
    let directory = tempfile::tempdir().unwrap();
    let gazetteer = world::gazetteer();
    let library = Library::at(directory.path().join("index"));
    for run in [0..52, 52..100] {
        let file = directory.path().join(format!("documents-{}.jsonl", run.start));
        std::fs::write(&file, run.map(line).collect::<String>()).unwrap();
        let order = Order { sources: vec![file], ..Order::default() };
        library.index(gazetteer, &order, &mut |_| {}).unwrap();
    }
    let generation = library.open(gazetteer).unwrap();
    let world = World { generation, documents: Vec::new(), gazetteer, _directory: directory };
    let helsinki = gazetteer.by_key("gn:658225").unwrap().id();
    let asked = query(&["mill"], Relation::In, vec![Spot::Place(helsinki)], Sort::Relevance);
    let engine = Engine::new(&world.generation, gazetteer);
    assert_eq!(engine.count(&asked).unwrap(), 10);
    assert_eq!(engine.count(&Query { space: None, ..asked.clone() }).unwrap(), 20);
    check_count(&world, &asked);
    // What is proposed instead has as many pages as are shown then.
    let mut too_much = asked;
    too_much.theme.terms.push(word("windmill"));
    let answer = engine.answer(&too_much, &Options::default()).unwrap();
    let without = Suggestion::Without { word: "windmill".into(), documents: 10 };
    assert!(answer.suggestions.contains(&without), "{:?}", answer.suggestions);
}
