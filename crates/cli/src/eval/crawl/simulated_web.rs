//! A simulated web: made by its tools, and of its files no more is read than a crawler may.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::baselines::Baselines;
use super::tools::Tools;

/// What makes one simulated web another than the next.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub(super) profile: String,
    pub(super) pages: u64,
    pub(super) seed: u64,
}

impl Recipe {
    /// A name for folders: that of the profile, the number of pages and the seed.
    pub(super) fn name(&self) -> String {
        let profile = Path::new(&self.profile).file_stem().unwrap_or_default().to_string_lossy();
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
        let profile: String = profile.chars().filter(|it| is_plain(*it)).take(40).collect();
        format!("{profile}-{}-{}", self.pages, self.seed)
    }
}

/// A simulated web on the disk.
#[derive(Clone, Debug)]
pub(super) struct SimulatedWeb {
    /// Our own folder for it; the web is in a folder of its own within.
    folder: PathBuf,
    pub(super) recipe: Recipe,
    /// How many URLs it has.
    pub(super) urls: u64,
}

/// The files of a web's topic that a crawler may read.
#[derive(Clone, Debug)]
pub(super) struct TopicFiles {
    pub(super) name: String,
    pub(super) topic: PathBuf,
    /// Pages that are to be told apart.
    pub(super) corpus: PathBuf,
}

/// A place of the region of interest.
#[derive(Deserialize)]
struct Place {
    name: String,
    #[serde(default)]
    admin1_name: String,
    #[serde(default)]
    geonameid: u64,
    #[serde(default)]
    places: Vec<Place>,
}

impl SimulatedWeb {
    /// The web of a recipe: made anew, unless it is in the folder already.
    pub(super) fn make(tools: &Tools, cache: &Path, recipe: Recipe) -> Result<Self> {
        fs::create_dir_all(cache).with_context(|| format!("{}", cache.display()))?;
        let version = tools.run(&cache.join("version.txt"), "simweb.py", &["version"])?;
        let tool = version.split_whitespace().last().unwrap_or_default();
        let tool: String = tool.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
        // Another version of the tools makes another web.
        let folder = cache.join(format!("{}-{tool}", recipe.name()));
        fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        // It is written last, so a web that was made by half is made again.
        let made = folder.join("generated.txt");
        let said = if let Ok(said) = fs::read_to_string(&made) {
            said
        } else {
            let (seed, pages) = (recipe.seed.to_string(), recipe.pages.to_string());
            let out = folder.join("web");
            let mut arguments = vec!["generate", "--profile", &recipe.profile];
            arguments.extend(["--seed", &seed, "--pages", &pages, "--out", text(&out)?]);
            tools.run(&made, "simweb.py", &arguments)?
        };
        let Some(urls) = urls(&said) else {
            bail!(
                "{} does not tell how many URLs the web has: remove the folder to make the web again",
                made.display()
            );
        };
        Ok(Self { folder, recipe, urls })
    }

    /// The folder of the web, for its tools.
    pub(super) fn web(&self) -> PathBuf {
        self.folder.join("web")
    }

    /// The pages to begin with.
    pub(super) fn seeds(&self) -> Result<Vec<String>> {
        let path = self.web().join("seeds.txt");
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        Ok(text.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect())
    }

    /// The places of the region of interest, each by its key and by name.
    pub(super) fn region(&self) -> Result<Vec<(String, String)>> {
        let path = self.web().join("roi.json");
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        region(&text).with_context(|| format!("{} is no region", path.display()))
    }

    /// The files of the topic it is about, if it is about one.
    pub(super) fn topic(&self) -> Result<Option<TopicFiles>> {
        let folder = self.web().join("topics");
        if !folder.is_dir() {
            return Ok(None);
        }
        let entries = fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
        let mut paths = entries.flatten().map(|it| it.path());
        let Some(topic) = paths.find(|it| it.extension().is_some_and(|it| it == "toml")) else {
            bail!(
                "{} has no topic: remove the folder of the web to make it again",
                folder.display()
            );
        };
        let name = topic.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let corpus = folder.join(format!("{name}.corpus.txt"));
        Ok(Some(TopicFiles { name, topic, corpus }))
    }

    /// What reference crawlers reach on its plan: reckoned anew, unless that was done before.
    pub(super) fn baselines(&self, tools: &Tools) -> Result<Baselines> {
        let known = self.folder.join("baselines.txt");
        let said = match fs::read_to_string(&known) {
            Ok(said) => said,
            Err(_) => tools.run(&known, "baselines.py", &[text(&self.web())?])?,
        };
        Ok(Baselines::parse(&said))
    }
}

/// A path as an argument.
pub(super) fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is no text: name another folder", path.display()))
}

/// The number before `URLs`.
fn urls(said: &str) -> Option<u64> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words.iter().position(|it| *it == "URLs")?;
    words.get(at.checked_sub(1)?)?.parse().ok().filter(|it| *it > 0)
}

fn region(text: &str) -> Result<Vec<(String, String)>> {
    let region: Place = serde_json::from_str(text)?;
    let places = if region.places.is_empty() { vec![region] } else { region.places };
    let named =
        |it: Place| (format!("gn:{}", it.geonameid), format!("{}, {}", it.name, it.admin1_name));
    Ok(places.into_iter().map(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = region(text).expect("it is one");
        let found: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_region_is_a_place_or_several() {
        check(
            r#"{"name": "Oldenburg", "country": "DE", "admin1_name": "Lower Saxony", "lat": 53.1, "geonameid": 2857458}"#,
            &[("gn:2857458", "Oldenburg, Lower Saxony")],
        );
        check(
            r#"{"name": "national", "country": "US", "places": [{"name": "Dallas", "admin1_name": "Texas", "geonameid": 4684888}, {"name": "Miami"}]}"#,
            &[("gn:4684888", "Dallas, Texas"), ("gn:0", "Miami, ")],
        );
        assert!(region("[]").is_err());
    }

    #[test]
    fn the_number_of_urls_is_what_the_generator_says() {
        assert_eq!(urls("simweb 1.0.0\n3026 URLs on 95 hosts, 93 ROI-relevant"), Some(3026));
        assert_eq!(urls("URLs on 95 hosts"), None);
        assert_eq!(urls("many URLs"), None);
        assert_eq!(urls(""), None);
    }

    #[test]
    fn a_recipe_has_a_name_that_a_folder_can_bear() {
        let name =
            |profile: &str| Recipe { profile: profile.to_owned(), pages: 3000, seed: 7 }.name();
        assert_eq!(name("urban"), "urban-3000-7");
        assert_eq!(name("../my profiles/two cities.toml"), "twocities-3000-7");
    }
}
