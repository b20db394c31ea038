//! How long does the gazetteer of the whole world take to answer?
//!
//! Criterion gives the mean of each question; the tails over thousands of different ones are printed first.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use earth::Point;
use gazetteer::{Gazetteer, Kind};

/// Enough different questions that the slowest hundredth is more than a handful.
const QUESTIONS: usize = 20_000;

/// A plain generator of numbers: the same questions in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Names of places of all sorts, as they are written.
fn names(world: &Gazetteer, dice: &mut Dice) -> Vec<String> {
    let place = |dice: &mut Dice| world.place(gazetteer::PlaceId(dice.below(world.len()) as u32));
    (0..QUESTIONS).map(|_| place(dice).name().to_owned()).collect()
}

/// Beginnings of city names, every second with a letter changed behind the first.
fn typed(world: &Gazetteer, dice: &mut Dice) -> Vec<String> {
    let names = names(world, dice);
    let beginning = |(at, name): (usize, &String)| {
        let letters: Vec<char> = name.chars().collect();
        let mut typed: Vec<char> =
            letters.iter().copied().take(1 + dice.below(letters.len().clamp(1, 12))).collect();
        if at % 2 == 1 && typed.len() > 3 {
            let wrong = 1 + dice.below(typed.len() - 1);
            typed[wrong] = char::from(b'a' + dice.below(26) as u8);
        }
        typed.into_iter().collect()
    };
    names.iter().enumerate().map(beginning).collect()
}

/// Points near cities, where people ask, and anywhere on the globe.
fn points(world: &Gazetteer, dice: &mut Dice) -> Vec<Point> {
    let cities: Vec<_> =
        world.places().filter(|it| it.kind() == Kind::City).map(|it| it.point()).collect();
    let degrees =
        |dice: &mut Dice, most: f64| (dice.next() % 1_000_000) as f64 / 500_000.0 * most - most;
    let point = |at: usize| {
        if at.is_multiple_of(4) {
            return Point::new(degrees(dice, 90.0), degrees(dice, 180.0));
        }
        let city = cities[dice.below(cities.len())];
        Point::new(
            (city.lat + degrees(dice, 0.1)).clamp(-90.0, 90.0),
            (city.lon + degrees(dice, 0.1)).clamp(-180.0, 180.0),
        )
    };
    (0..QUESTIONS).map(point).collect()
}

/// What the program keeps in memory, in megabytes, where the system tells.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1000.0)
}

/// Opens the gazetteer and asks it once of each sort, telling time and memory.
fn opening() {
    let before = resident();
    let start = Instant::now();
    let world = world::gazetteer();
    let opened = start.elapsed();
    let after_open = resident();
    black_box(world.named("Helsinki").count());
    black_box(world.suggest("hels", None, 10).len());
    black_box(world.reverse(Point::new(60.17, 24.94)).containing.len());
    let first_answers = start.elapsed();
    tell(&format!(
        "opening: {opened:?}, with the first three answers {first_answers:?}; resident MB before {before:?}, \
         opened {after_open:?}, answered {:?}",
        resident()
    ));
}

#[expect(clippy::print_stderr, reason = "a bench tells what it measured")]
fn tell(text: &str) {
    eprintln!("{text}");
}

/// Asks every question once and prints the middle and the tail.
fn tails<T>(title: &str, questions: &[T], ask: impl Fn(&T)) {
    questions.iter().take(1000).for_each(&ask);
    let mut times: Vec<Duration> = Vec::with_capacity(questions.len());
    for question in questions {
        let start = Instant::now();
        ask(question);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    let (middle, tail, slowest) = (at(50), at(99), at(100));
    tell(&format!("{title}: p50 {middle:?}, p99 {tail:?}, slowest {slowest:?} of {}", times.len()));
}

fn asking(criterion: &mut Criterion) {
    opening();
    let world = world::gazetteer();
    let dice = &mut Dice(20);
    let (names, typed, points) = (names(world, dice), typed(world, dice), points(world, dice));

    tails("exact name", &names, |name| {
        let _ = black_box(world.named(name).next());
    });
    tails("autocomplete, ten candidates", &typed, |text| {
        drop(black_box(world.suggest(text, None, 10)));
    });
    tails("autocomplete with a focus", &typed, |text| {
        drop(black_box(world.suggest(text, Some(Point::new(53.1, 8.2)), 10)));
    });
    tails("reverse with polygons", &points, |point| drop(black_box(world.reverse(*point))));
    tails("geocode a name", &names[..2000], |name| drop(black_box(world.geocode(name, None, 10))));

    let mut turn = 0;
    let mut next = move || {
        turn = (turn + 1) % QUESTIONS;
        turn
    };
    criterion.bench_function("exact name", |it| {
        it.iter(|| black_box(world.named(&names[next()]).next()));
    });
    criterion.bench_function("autocomplete", |it| {
        it.iter(|| black_box(world.suggest(&typed[next()], None, 10).len()));
    });
    criterion.bench_function("reverse", |it| {
        it.iter(|| black_box(world.reverse(points[next()]).containing.len()));
    });
}

criterion_group!(benches, asking);
criterion_main!(benches);
