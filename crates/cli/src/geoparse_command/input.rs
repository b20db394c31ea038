//! What is to be read: a file, standard input, or a page of the web.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ValueEnum;
use page::{Page, Response};

use crate::download::{self, MOST_BYTES, download, web_address};
use crate::output::grouped;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Html,
    Text,
}

/// Something to read, with what is known of it.
#[derive(Debug)]
pub(crate) struct Input {
    /// As it is called in complaints.
    name: String,
    url: Option<String>,
    content_type: Option<String>,
    content_language: Option<String>,
    last_modified: Option<String>,
    body: Vec<u8>,
}

impl Input {
    /// Reads a file, standard input or a page of the web, and finds out what it is.
    pub(crate) fn read(
        source: &OsStr,
        form: Option<Form>,
        url: Option<&str>,
        allows_private: bool,
    ) -> Result<Self> {
        let address = source.to_str().filter(|it| it.contains("://") && !Path::new(it).exists());
        let input = match address {
            Some(_) if url.is_some() => {
                bail!(
                    "--url tells where a file came from, and what is read has a URL: leave one out"
                )
            }
            Some(address) => Self::of_web(address, form, allows_private)?,
            None => Self::of_file(source, form, url)?,
        };
        let is_empty = input.body.iter().all(u8::is_ascii_whitespace);
        ensure!(!is_empty, "{} is empty: give a page or a text", input.name);
        Ok(input)
    }

    /// The address of the page, if it is known.
    pub(crate) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The page, read.
    pub(crate) fn page(&self) -> Result<Page> {
        let page = page::read(&Response {
            url: self.url(),
            content_type: self.content_type.as_deref(),
            content_language: self.content_language.as_deref(),
            last_modified: self.last_modified.as_deref(),
            body: &self.body,
            ..Response::default()
        });
        if page.encoding.is_empty() {
            let kind = self.content_type.as_deref().unwrap_or("binary data");
            bail!("{} is {kind}, which is no text: give a page or a text", self.name);
        }
        Ok(page)
    }

    fn of_web(address: &str, form: Option<Form>, allows_private: bool) -> Result<Self> {
        let anybody: fn(IpAddr) -> bool = |_| true;
        let allows = if allows_private { anybody } else { download::is_public };
        let answer = download(&web_address(address)?, allows)?;
        let name = answer.url.to_string();
        let content_type = match form {
            Some(form) => Some(retyped(form, answer.content_type.as_deref())),
            None => answer.content_type,
        };
        Ok(Self {
            url: Some(name.clone()),
            name,
            content_type,
            content_language: answer.content_language,
            last_modified: answer.last_modified,
            body: answer.body,
        })
    }

    fn of_file(path: &OsStr, form: Option<Form>, url: Option<&str>) -> Result<Self> {
        let url = url.map(web_address).transpose()?.map(String::from);
        let is_standard = path == "-";
        let name =
            if is_standard { "standard input".to_owned() } else { path.display().to_string() };
        let body = if is_standard {
            limited(io::stdin().lock(), &name)?
        } else {
            limited(opened(Path::new(path), &name)?, &name)?
        };
        ensure!(
            form.is_some() || !is_binary(&body),
            "{name} is binary data and no text: give a page or a text, or say --as text to read it all the same"
        );
        let form = form.unwrap_or_else(|| look(Path::new(path), &body));
        Ok(Self {
            name,
            url,
            content_type: Some(retyped(form, None)),
            content_language: None,
            last_modified: None,
            body,
        })
    }
}

/// The header of a form, with the encoding that the server named.
fn retyped(form: Form, content_type: Option<&str>) -> String {
    let kind = if form == Form::Html { "text/html" } else { "text/plain" };
    match content_type.and_then(|it| it.split_once(';')) {
        Some((_, parameters)) => format!("{kind};{parameters}"),
        None => kind.to_owned(),
    }
}

fn opened(path: &Path, name: &str) -> Result<File> {
    let file = File::open(path).map_err(|error| {
        anyhow!("cannot open {name} ({error}): give a file, an address with https://, or -")
    })?;
    let is_folder = file.metadata().is_ok_and(|it| it.is_dir());
    ensure!(!is_folder, "{name} is a folder: give one of its files");
    Ok(file)
}

fn limited(source: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    source
        .take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut body)
        .with_context(|| format!("cannot read {name}"))?;
    ensure!(
        body.len() <= MOST_BYTES,
        "{name} is larger than {} bytes, and no page is read beyond that: give a part of it",
        grouped(MOST_BYTES)
    );
    Ok(body)
}

/// True for pictures, archives and documents of word processors.
fn is_binary(body: &[u8]) -> bool {
    let start = &body[..body.len().min(4096)];
    let is_utf16 = start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]);
    let odd = start.iter().filter(|it| **it < 32 && !matches!(it, 9..=13 | 27)).count();
    !is_utf16 && (start.contains(&0) || start.starts_with(b"%PDF-") || odd * 20 > start.len())
}

/// As the name says or the first letter looks.
fn look(path: &Path, body: &[u8]) -> Form {
    let is_named = path.extension().is_some_and(|it| {
        ["html", "htm", "xhtml"].iter().any(|known| it.eq_ignore_ascii_case(known))
    });
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    if is_named || body.starts_with(b"<") { Form::Html } else { Form::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_name_or_its_first_letter() {
        let check = |name: &str, body: &str, expected| {
            assert_eq!(look(Path::new(name), body.as_bytes()), expected, "{name} {body}");
        };
        check("a.HTM", "Moin", Form::Html);
        check("-", "\u{feff}\n<!doctype html>", Form::Html);
        check("a.txt", "2 < 3", Form::Text);
    }

    #[test]
    fn pictures_and_archives_are_no_text() {
        assert!(is_binary(b"\x89PNG\r\n\x1a\n\0\0"));
        assert!(is_binary(b"%PDF-1.7\n"));
        assert!(!is_binary("Łódź\n\tКиев".as_bytes()));
        assert!(!is_binary(b"\xff\xfeM\0o\0i\0n\0"));
        assert!(!is_binary(b"M\xfcnchen"));
    }

    #[test]
    fn another_form_keeps_the_encoding() {
        assert_eq!(
            retyped(Form::Html, Some("text/plain; charset=latin1")),
            "text/html; charset=latin1"
        );
        assert_eq!(retyped(Form::Text, None), "text/plain");
    }
}
