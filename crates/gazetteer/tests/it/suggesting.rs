//! Completing what is typed, against a linear scan.

use gazetteer::{Fact, Gazetteer, spelling};
use proptest::prelude::*;

use crate::{built, populated};

/// A made-up world of many names that share beginnings.
fn names() -> impl Strategy<Value = Vec<(String, u64)>> {
    prop::collection::vec(("[a-c]{1,4}( [a-c]{1,3})?", 1_u64..1_000_000), 1..60)
}

fn world(names: &[(String, u64)]) -> Gazetteer {
    let city = |(at, (name, people)): (usize, &(String, u64))| {
        populated(&format!("k{at}"), name, (at as f64 / 10.0, 0.0), "world", *people, &[])
    };
    built(names.iter().enumerate().map(city).collect::<Vec<Fact>>())
}

fn edit_distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = match (i, j) {
                (0, _) | (_, 0) => i + j,
                _ => {
                    let same = usize::from(one[i - 1] != other[j - 1]);
                    let swap =
                        i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                    let plain =
                        (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
                    if swap { plain.min(rows[i - 2][j - 2] + 1) } else { plain }
                }
            };
        }
    }
    rows[one.len()][other.len()]
}

proptest! {
    #[test]
    fn whatever_begins_so_is_suggested(names in names(), typed in "[a-c]{1,3}") {
        let gazetteer = world(&names);
        let found = gazetteer.suggest(&typed, None, 100);
        let exact: Vec<_> = found.iter().filter(|it| it.edits == 0).map(|it| it.place.key()).collect();
        let slow = names.iter().enumerate().filter(|(_, (name, _))| spelling(name).starts_with(&typed));
        for (at, (name, _)) in slow {
            let key = format!("k{at}");
            prop_assert!(exact.contains(&key.as_str()), "{} begins with {}", name, typed);
        }
        for it in found.iter().filter(|it| it.edits == 0) {
            prop_assert!(spelling(it.place.name()).starts_with(&typed));
        }
    }

    #[test]
    fn the_best_known_come_first(names in names(), typed in "[a-c]{1,2}") {
        let gazetteer = world(&names);
        let found = gazetteer.suggest(&typed, None, 3);
        prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let all = gazetteer.suggest(&typed, None, 1000);
        let top: Vec<_> = all.iter().take(found.len()).map(|it| it.score).collect();
        let scores: Vec<_> = found.iter().map(|it| it.score).collect();
        prop_assert_eq!(scores, top);
    }

    #[test]
    fn one_typing_error_behind_the_first_letter_is_forgiven(
        name in "[a-z]{6,9}",
        at in 1_usize..6,
        letter in "[a-z]",
    ) {
        let mut typed = name.clone();
        typed.replace_range(at..=at, &letter);
        prop_assume!(edit_distance(&name, &typed) <= 1);
        let gazetteer = world(&[(name.clone(), 1000)]);
        let found = gazetteer.suggest(&typed, None, 5);
        prop_assert_eq!(found.first().map(|it| it.place.name().to_owned()), Some(name));
    }
}

#[test]
fn a_near_place_is_suggested_however_little_known() {
    let mut facts: Vec<Fact> = (0..200)
        .map(|at| {
            populated(
                &format!("far{at}"),
                &format!("Neu{at:03}stadt"),
                (-30.0, f64::from(at) / 2.0),
                "world",
                900_000,
                &[],
            )
        })
        .collect();
    facts.push(populated("near", "Neudorf", (53.0, 8.0), "world", 600, &[]));
    let gazetteer = built(facts);
    let keys = |focus| -> Vec<_> {
        gazetteer.suggest("neu", focus, 10).iter().map(|it| it.place.key().to_owned()).collect()
    };
    assert!(!keys(None).contains(&"near".to_owned()));
    assert_eq!(keys(Some(earth::Point::new(53.01, 8.0)))[0], "near");
}
