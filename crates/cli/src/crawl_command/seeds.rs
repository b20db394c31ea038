//! The pages a crawl begins with: from the command line, from files, from the index.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use gazetteer::Gazetteer;
use index::Library;
use query::{Asked, Parser};
use search::{Engine, FARTHEST, MOST_HITS, Options};

/// More seeds than this are a mistake, or a crawl that needs none of them.
const MOST: usize = 1_000_000;

/// The URLs of a list of URLs and of files, which lie beside `folder` if they are named without one.
pub(crate) fn read(folder: &Path, given: &[String]) -> Result<Vec<String>> {
    let mut seeds = Vec::new();
    for given in given {
        if given.contains("://") {
            seeds.push(given.clone());
            continue;
        }
        let path = folder.join(given);
        if !path.is_file() {
            bail!("the seed \"{given}\" is neither a URL nor a file: write https://{given}/");
        }
        read_file(&path, &mut seeds)?;
    }
    Ok(seeds)
}

/// Adds the URLs of a file: one on each line; what is behind a # at its beginning is a comment.
fn read_file(path: &Path, seeds: &mut Vec<String>) -> Result<()> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    for line in BufReader::new(file).lines() {
        let line = line.with_context(name)?;
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if seeds.len() == MOST {
            bail!("{} has more than {MOST} seeds: begin with fewer", path.display());
        }
        seeds.push(line.to_owned());
    }
    Ok(())
}

/// The URLs of the pages in the index, all or those that answer a query.
pub(super) fn of_index(
    gazetteer: &Gazetteer,
    library: &Library,
    query: Option<&str>,
) -> Result<Vec<String>> {
    let generation = library.open(gazetteer)?;
    let mut seeds = Vec::new();
    match query {
        Some(text) => {
            let asked = Asked::new(text, jiff::Zoned::now().date());
            let understood = Parser::new(gazetteer).understand(&asked);
            let engine = Engine::new(&generation, gazetteer);
            for skip in (0..=FARTHEST).step_by(MOST_HITS) {
                let options =
                    Options { skip, most: MOST_HITS, shows_duplicates: true, ..Options::default() };
                let hits = engine.answer(&understood.query, &options)?.hits;
                let is_last = hits.len() < MOST_HITS;
                seeds.extend(hits.into_iter().map(|it| it.url));
                if is_last {
                    break;
                }
            }
        }
        None => {
            for shard in &generation.shards {
                for number in (0..shard.documents()).filter(|it| !shard.dead.has(*it)) {
                    seeds.push(shard.document(number)?.url);
                }
            }
        }
    }
    // Documents of JSON lines need have no URL.
    seeds.retain(|it| it.starts_with("http://") || it.starts_with("https://"));
    if seeds.is_empty() {
        bail!("no page of the index is there to begin with: name others with --seeds");
    }
    seeds.truncate(MOST);
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, given: &[&str], expected: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("seeds.txt"), file).expect("a file");
        let given: Vec<_> = given.iter().map(ToString::to_string).collect();
        assert_eq!(read(folder.path(), &given).expect("they are seeds"), expected);
    }

    #[test]
    fn a_file_has_one_seed_on_each_line() {
        check(
            "\u{feff}http://a.example/\r\n\n# towns\n  http://b.example/#x \n",
            &["http://c.example/", "seeds.txt"],
            &["http://c.example/", "http://a.example/", "http://b.example/#x"],
        );
    }

    #[test]
    fn what_is_neither_file_nor_url_is_told_how_to_be_one() {
        let told = read(Path::new("."), &["example.org".to_owned()]).expect_err("it is none");
        assert!(told.to_string().ends_with("write https://example.org/"), "{told}");
    }
}
