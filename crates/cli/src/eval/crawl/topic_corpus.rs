//! How surely pages about a topic are told from others: the topic's two tests beside one list of terms.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use crawl::{GazetteerKinship, Topic, TopicFile};
use gazetteer::Gazetteer;
use geoparse::{Geoparser, Hints};
use page::Response;
use reqwest::blocking::Client;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Proxy, Url};
use serde::Deserialize;

use super::server::Server;
use super::simulated_web::{SimulatedWeb, TopicFiles, text};
use super::tools::Tools;

/// The thresholds that are tried; the paper has the one in the middle.
const THRESHOLDS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// What a threshold makes of the pages of the corpus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// More than this is needed.
    pub(super) threshold: f64,
    /// Keywords and places each have to be similar enough.
    pub(super) two_tests: Accepted,
    /// All terms have to be similar enough as one list.
    pub(super) one_list: Accepted,
}

/// How the pages that were accepted agree with those that are about the topic.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Accepted {
    pub(super) precision: f64,
    pub(super) recall: f64,
    #[serde(rename = "F")]
    pub(super) f: f64,
}

/// How similar a page is to a topic.
#[derive(Clone, Debug, Default, PartialEq)]
struct Similarity {
    url: String,
    keywords: f64,
    places: f64,
    one_list: f64,
}

impl Similarity {
    /// Whether both tests are passed.
    fn passes_two_tests(&self, threshold: f64) -> bool {
        self.keywords > threshold && self.places > threshold
    }

    /// Whether all terms together are similar enough.
    fn passes_as_one_list(&self, threshold: f64) -> bool {
        self.one_list > threshold
    }
}

/// Fetches the pages of a web's corpus, compares them with its topic, and has the scorer judge what
/// each threshold accepts.
pub(super) fn verdicts(
    tools: &Tools,
    gazetteer: &'static Gazetteer,
    web: &SimulatedWeb,
    files: &TopicFiles,
    folder: &Path,
) -> Result<Vec<Verdict>> {
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let topic = TopicFile::read(gazetteer, &files.topic)?;
    let server = Server::start(tools, web, &folder.join("access.jsonl"))?;
    let pages = similarities(gazetteer, &topic, files, &server.proxy())?;
    server.stop()?;
    let score = |name: &str, passes: &dyn Fn(&Similarity) -> bool| {
        let accepted = pages.iter().filter(|it| passes(it)).map(|it| format!("{}\n", it.url));
        scored(tools, web, files, &folder.join(name), &accepted.collect::<String>())
    };
    THRESHOLDS
        .into_iter()
        .map(|threshold| {
            Ok(Verdict {
                threshold,
                two_tests: score("two-tests", &|it| it.passes_two_tests(threshold))?,
                one_list: score("one-list", &|it| it.passes_as_one_list(threshold))?,
            })
        })
        .collect()
}

/// How similar each page of the corpus is to the topic; a page that is not to be had is not.
fn similarities(
    gazetteer: &'static Gazetteer,
    topic: &Topic,
    files: &TopicFiles,
    proxy: &str,
) -> Result<Vec<Similarity>> {
    // It fails only where a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().proxy(Proxy::http(proxy)?).build()?;
    let geoparser = Geoparser::new(gazetteer);
    let kinship = GazetteerKinship::new(gazetteer);
    let listed = fs::read_to_string(&files.corpus);
    let listed = listed.with_context(|| format!("{}", files.corpus.display()))?;
    let mut pages = Vec::new();
    for url in listed.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let Ok(address) = Url::parse(url) else {
            bail!("the corpus has \"{url}\", which is no URL")
        };
        let answer =
            client.get(address).send().and_then(reqwest::blocking::Response::error_for_status);
        let Ok(answer) = answer else { continue };
        let kind = answer.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let kind = kind.map(str::to_owned);
        let Ok(body) = answer.bytes() else { continue };
        let page = page::read(&Response {
            url: Some(url),
            content_type: kind.as_deref(),
            ..Response::new(&body)
        });
        let survey = geoparser.survey(&page, &Hints::of_url(url));
        let score = topic.score_page(&kinship, &page, &survey.mentions);
        pages.push(Similarity {
            url: url.to_owned(),
            keywords: score.keyword_similarity,
            places: score.place_similarity,
            one_list: score.one_vector,
        });
    }
    Ok(pages)
}

/// What the scorer says about some accepted pages, one on each line.
fn scored(
    tools: &Tools,
    web: &SimulatedWeb,
    files: &TopicFiles,
    stem: &Path,
    accepted: &str,
) -> Result<Accepted> {
    let (list, written) = (stem.with_extension("accepted"), stem.with_extension("json"));
    fs::write(&list, accepted).with_context(|| format!("{}", list.display()))?;
    let web = web.web();
    let mut arguments = vec![text(&web)?, "--topic", text(&list)?];
    arguments.extend(["--corpus", text(&files.corpus)?, "--json", text(&written)?]);
    tools.run(&stem.with_extension("txt"), "score.py", &arguments)?;
    let said = fs::read_to_string(&written).with_context(|| format!("{}", written.display()))?;
    serde_json::from_str(&said)
        .with_context(|| format!("{} is not what this program knows of a score", written.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(similarity: [f64; 3], threshold: f64, two_tests: bool, one_list: bool) {
        let [keywords, places, one_list_similarity] = similarity;
        let page =
            Similarity { keywords, places, one_list: one_list_similarity, ..Similarity::default() };
        assert_eq!(page.passes_two_tests(threshold), two_tests, "{page:?}");
        assert_eq!(page.passes_as_one_list(threshold), one_list, "{page:?}");
    }

    #[test]
    fn the_page_about_the_other_country_passes_as_one_list_alone() {
        // The worked pages of the specification: one about the topic, one that shares its keywords.
        check([0.908_304, 1.0, 0.924_115], 0.5, true, true);
        check([0.890_430, 0.073_118, 0.618_236], 0.5, false, true);
        check([0.5, 0.5, 0.5], 0.5, false, false);
    }
}
