//! Pages about a topic: files, folders of files, archives.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use archive::Kind;
use page::{Page, Response};

use crate::geoparse_command::Input;
use crate::log::remark;
use crate::output::with_causes;

/// More samples say nothing new.
const MOST_SAMPLES: usize = 20_000;
/// Folders are looked into so deep.
const MOST_FOLDERS: usize = 16;

/// Calls `take` with every page of these files, folders and archives, and its URL if that is known.
pub(super) fn each(paths: &[PathBuf], mut take: impl FnMut(&Page, Option<&str>)) -> Result<()> {
    // A file that was named has to be readable; one of a folder may be anything.
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    for path in paths {
        let is_folder = fs::metadata(path)
            .with_context(|| format!("cannot open {}: give files or folders", path.display()))?
            .is_dir();
        if is_folder {
            let before = files.len();
            look_into(path, 0, &mut files)?;
            ensure!(
                files.len() > before,
                "{} has no pages: give a folder of .html, .txt or .warc files",
                path.display()
            );
        } else {
            files.push((path.clone(), true));
        }
    }
    let mut left = MOST_SAMPLES;
    for (file, is_named) in files {
        if is_archive(&file) {
            read_archive(&file, &mut left, &mut take)?;
            continue;
        }
        let page = Input::read(file.as_os_str(), None, None, false).and_then(|it| it.page());
        match page {
            Ok(page) if left > 0 => {
                left -= 1;
                take(&page, None);
            }
            Err(error) if is_named => return Err(error),
            Err(error) => remark(&format!("left out: {}", with_causes(&error))),
            Ok(_) => break,
        }
    }
    Ok(())
}

fn look_into(folder: &Path, depth: usize, files: &mut Vec<(PathBuf, bool)>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut paths = entries.map(|it| Ok(it?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if depth < MOST_FOLDERS {
                look_into(&path, depth + 1, files)?;
            }
        } else if is_archive(&path) || is_page(&path) {
            files.push((path, false));
        }
    }
    Ok(())
}

fn is_page(path: &Path) -> bool {
    let kinds = ["html", "htm", "xhtml", "txt"];
    path.extension().is_some_and(|it| kinds.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(|it| it.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    [".warc", ".arc"].iter().any(|it| name.ends_with(it))
}

/// What cannot be read of an archive is left out: the rest is as good a sample.
fn read_archive(
    path: &Path,
    left: &mut usize,
    take: &mut impl FnMut(&Page, Option<&str>),
) -> Result<()> {
    let records = archive::open(path).with_context(|| format!("{}", path.display()))?;
    for record in records.flatten().filter(|it| it.kind == Kind::Response) {
        let Some(http) = record.http().filter(|it| it.status == 200) else { continue };
        let page = page::read(&Response {
            url: record.target.as_deref(),
            content_type: http.headers.get("content-type"),
            content_language: http.headers.get("content-language"),
            ..Response::new(&http.body)
        });
        if page.encoding.is_empty() || page.text.trim().is_empty() {
            continue;
        }
        if *left == 0 {
            break;
        }
        *left -= 1;
        take(&page, record.target.as_deref());
    }
    Ok(())
}
