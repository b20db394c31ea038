//! Journeys with the real program, from the command line to the answer.

use std::path::Path;
use std::process::{Command, Output};

fn strabo(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
    command.args(arguments).env_remove("STRABO_GAZETTEER").output().expect("the program starts")
}

#[track_caller]
fn answer(arguments: &[&str]) -> String {
    let output = strabo(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} failed: {complaint}");
    String::from_utf8(output.stdout).expect("answers are text")
}

#[track_caller]
fn complaint(arguments: &[&str]) -> String {
    let output = strabo(arguments);
    assert!(!output.status.success(), "{arguments:?} should have failed");
    String::from_utf8(output.stderr).expect("complaints are text")
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary folder can be written to");
    path.to_str().expect("its name is plain").to_owned()
}

#[test]
fn a_place_is_found_from_nothing_but_the_program() {
    let text = answer(&["place", "Paris,", "Texas"]);
    assert!(text.lines().nth(1).unwrap().contains("Paris, Texas, United States"), "{text}");
}

#[test]
fn what_is_unknown_is_told_with_a_way_out() {
    let text = complaint(&["place", "qqqxzzy"]);
    assert_eq!(
        text,
        "strabo: nothing is known of \"qqqxzzy\": try another spelling, or the name of a larger place\n"
    );
}

#[test]
fn a_key_is_read_as_a_key_and_never_as_a_name() {
    let found = answer(&["place", "gn:2857458"]);
    assert!(found.contains("1  Oldenburg, Lower Saxony, Germany"), "{found}");
    assert_eq!(found.lines().count(), 2, "{found}");
    let told = "strabo: no place has the key gn:99999999999: find it by its name\n";
    for question in [&["place"][..], &["place", "show"]] {
        assert_eq!(complaint(&[question, &["gn:99999999999"]].concat()), told);
    }
    assert_eq!(answer(&["place", "--json", "gn:99999999999"]).trim(), "[]");
}

#[test]
fn every_question_is_answered_in_json_too() {
    let check = |question: &[&str], telling: &str| {
        let text = answer(question);
        let value: serde_json::Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{question:?}: {error}: {text}"));
        assert!(value.pointer(telling).is_some(), "{question:?} has no {telling}: {text}");
    };
    check(&["place", "--json", "Helsinki"], "/0/precision");
    check(&["place", "suggest", "--json", "hels"], "/0/matched");
    check(&["place", "--json", "suggest", "hels"], "/0/matched");
    check(&["place", "--json", "show", "gn:658225"], "/population");
    check(&["place", "--json", "children", "Finland"], "/0/kind");
    check(&["place", "--json", "reverse", "60.17,24.94"], "/containing/0");
    check(&["place", "--json", "relate", "Finland", "Sweden"], "/relation");
    check(&["gazetteer", "info", "--json"], "/kinds/airport");
}

#[test]
fn silly_limits_are_refused() {
    assert!(complaint(&["place", "--limit", "0", "Paris"]).contains("0 is not in 1..=1000"));
}

#[test]
fn the_embedded_gazetteer_names_its_sources() {
    let text = answer(&["gazetteer", "info"]);
    assert!(text.contains("GeoNames, CC BY 4.0"), "{text}");
    assert!(text.contains("OpenStreetMap contributors, ODbL 1.0"), "{text}");
}

#[test]
fn a_table_of_ones_own_becomes_a_gazetteer_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let table = write(
        folder.path(),
        "clubs.tsv",
        "name\tlat\tlon\nOur club\t53.14\t8.21\nNowhere\tnorth\t8\n",
    );
    let file = folder.path().join("mine.gaz").to_str().unwrap().to_owned();
    let text = answer(&[
        "gazetteer",
        "import",
        "--from",
        "tsv",
        &table,
        "--base",
        "none",
        "--into",
        &file,
    ]);
    assert!(text.contains("1 facts kept, 0 records not wanted, 1 bad"), "{text}");
    assert!(text.contains("record 3: \"north\" is no number of degrees"), "{text}");

    assert!(answer(&["place", "--gazetteer", &file, "our club"]).contains("53.14, 8.21"));
    assert!(answer(&["gazetteer", "verify", "--gazetteer", &file]).contains("is sound, 2 places"));

    let exported = folder.path().join("out").to_str().unwrap().to_owned();
    answer(&["gazetteer", "export", "--gazetteer", &file, &exported]);
    let again = folder.path().join("again.gaz").to_str().unwrap().to_owned();
    let places = format!("{exported}/places.tsv");
    answer(&["gazetteer", "import", "--from", "tsv", &places, "--base", "none", "--into", &again]);
    let second = folder.path().join("out2").to_str().unwrap().to_owned();
    answer(&["gazetteer", "export", "--gazetteer", &again, &second]);
    let read = |folder: &str| std::fs::read_to_string(format!("{folder}/places.tsv")).unwrap();
    assert_eq!(read(&exported), read(&second));
}

#[test]
fn a_failed_import_leaves_the_old_gazetteer_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.tsv", "name\tlat\tlon\nOur club\t53.14\t8.21\n");
    let bad = write(folder.path(), "bad.tsv", "name\tlat\tlon\nNowhere\tnorth\t8\n");
    let file = folder.path().join("mine.gaz").to_str().unwrap().to_owned();
    answer(&["gazetteer", "import", "--from", "tsv", &good, "--base", "none", "--into", &file]);
    let before = std::fs::read(&file).unwrap();
    let text = complaint(&[
        "gazetteer",
        "import",
        "--from",
        "tsv",
        &bad,
        "--base",
        "none",
        "--strict",
        "--into",
        &file,
    ]);
    assert!(text.contains("record 2: \"north\" is no number of degrees"), "{text}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(!folder.path().join("mine.gaz.aside").exists());
}

#[test]
fn a_torn_or_foreign_file_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = write(folder.path(), "page.html", "<html>");
    assert_eq!(
        complaint(&["place", "--gazetteer", &foreign, "Paris"]),
        format!("strabo: {foreign} is no gazetteer: make one with \"strabo gazetteer import\"\n")
    );
    let table = write(folder.path(), "t.tsv", "name\tlat\tlon\nOur club\t53.14\t8.21\n");
    let file = folder.path().join("mine.gaz").to_str().unwrap().to_owned();
    answer(&["gazetteer", "import", "--from", "tsv", &table, "--base", "none", "--into", &file]);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(
        complaint(&["place", "--gazetteer", &file, "club"]).contains("is torn: it should have")
    );
}

#[test]
fn the_geocoder_is_measured_on_cases_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let cases = write(
        folder.path(),
        "cases.jsonl",
        "{\"query\": \"Helsinki\", \"lat\": 60.17, \"lon\": 24.94, \"tol_m\": 5000, \"source\": \"cities\"}\n\
         {\"query\": \"Paris France\", \"expected\": {\"properties\": [{\"layer\": \"locality\", \"name\": \"Paris\", \"country_a\": \"FRA\"}]}}\n\
         {\"query\": \"Some shop\", \"lat\": 60.17, \"lon\": 24.94, \"source\": \"shops\"}\n",
    );
    let text = answer(&["eval", "geocode", &cases]);
    let all = text.lines().find(|line| line.starts_with("all")).unwrap();
    let cells: Vec<_> = all.split_whitespace().collect();
    assert_eq!(&cells[1..6], ["3", "2", "2", "100.0", "2"], "{text}");
    assert!(text.contains("3 cases read; 1 left out"), "{text}");
}

/// The development queries are not part of the repository; where they lie beside it, the bars are checked.
#[test]
fn the_development_queries_are_answered_as_well_as_they_were() {
    let folder = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../../shared/corpora/queries");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        #[expect(clippy::print_stdout, reason = "whoever runs the tests is told what was not")]
        {
            println!("skipped: {} is not there", folder.display());
        }
        return;
    };
    let files: Vec<String> = entries.flatten().map(|it| it.path().display().to_string()).collect();
    let mut arguments = vec!["eval", "geocode", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let value: serde_json::Value = serde_json::from_str(&answer(&arguments)).unwrap();
    let count = |name: &str| value["all"][name].as_u64().unwrap() as f64;
    assert!(count("asked") > 3000.0);
    assert!(count("first") / count("asked") >= 0.95, "{}", value["all"]);
    assert!(count("among_five") / count("asked") >= 0.99, "{}", value["all"]);
}
