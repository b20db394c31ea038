//! What sort of file a link leads to, before it is fetched and when its headers are there.

use url::Url;

/// A sort of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// HTML, XHTML or plain text.
    ///
    /// Plain text is read: it has no links, but registers and old pages come so, and what has
    /// nothing to say costs one fetch.
    Page,
    /// XML: a sitemap or a feed.
    Feed,
    /// Packed with gzip, as sitemaps may be.
    Gzip,
    /// PDF, office files, books.
    Document,
    /// Pictures and drawings.
    Image,
    /// Sound and film.
    Media,
    /// Archives and disk images.
    Archive,
    /// Programs and packages to install.
    Program,
    /// Fonts.
    Font,
    /// Scripts for the browser.
    Script,
    /// Style sheets.
    Style,
    /// Tables, maps and data for machines.
    Data,
    /// Nothing is known; it may well be a page.
    Unknown,
}

/// What a fetch is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Pages.
    Pages,
    /// Sitemaps and feeds.
    Feeds,
}

/// Extensions by sort. What stands in none of them passes as unknown. `com` is left out, being the
/// end of host names (`/visit/example.com`), and so are those that servers run: php, asp, cgi, pl.
const EXTENSIONS: [(FileKind, &[&str]); 12] = [
    (FileKind::Page, &["html", "htm", "xhtml", "shtml", "txt"]),
    (FileKind::Feed, &["xml", "rss", "atom", "rdf"]),
    (FileKind::Gzip, &["gz"]),
    (
        FileKind::Document,
        &[
            "pdf", "ps", "eps", "doc", "docx", "dot", "dotx", "rtf", "odt", "xls", "xlsx", "xlsm",
            "ods", "ppt", "pptx", "pps", "ppsx", "odp", "epub", "mobi", "azw3", "djvu", "pages",
            "numbers", "vsd", "pub",
        ],
    ),
    (
        FileKind::Image,
        &[
            "jpg", "jpeg", "jpe", "png", "gif", "webp", "avif", "svg", "svgz", "ico", "bmp", "tif",
            "tiff", "heic", "psd", "ai", "indd", "cdr", "dwg", "dxf", "raw", "jp2", "xcf",
        ],
    ),
    (
        FileKind::Media,
        &[
            "mp3", "mp4", "m4a", "m4v", "m4b", "avi", "mov", "wmv", "wma", "wav", "flac", "ogg",
            "oga", "ogv", "opus", "webm", "mkv", "mpg", "mpeg", "aac", "mid", "midi", "flv", "swf",
            "3gp", "m3u", "m3u8", "pls", "ram", "aif", "aiff", "srt", "vtt",
        ],
    ),
    (
        FileKind::Archive,
        &[
            "zip", "rar", "7z", "tar", "tgz", "bz2", "tbz2", "xz", "zst", "lzh", "cab", "iso",
            "dmg", "img", "bin",
        ],
    ),
    (
        FileKind::Program,
        &[
            "exe", "msi", "apk", "ipa", "deb", "rpm", "jar", "war", "pkg", "appimage", "dll",
            "crx", "xpi", "torrent",
        ],
    ),
    (FileKind::Font, &["woff", "woff2", "ttf", "otf", "eot"]),
    (FileKind::Script, &["js", "mjs", "wasm", "map"]),
    (FileKind::Style, &["css", "less", "scss", "xsl", "xslt"]),
    (
        FileKind::Data,
        &[
            "json", "jsonld", "geojson", "csv", "tsv", "sql", "kml", "kmz", "gpx", "shp", "ics",
            "vcf", "dat", "db", "sqlite", "mdb", "parquet", "yaml", "yml", "sig", "asc", "md5",
            "sha256", "p7s", "crl", "cer",
        ],
    ),
];

impl FileKind {
    /// The sort that the extension tells, if there is a known one.
    pub fn of_url(url: &Url) -> Self {
        let last = url.path().rsplit('/').next().unwrap_or_default();
        // A colon is for wikis: `/wiki/File:Harbour.jpg` is the page about the picture.
        let extension = last.rsplit_once('.').map(|it| it.1).filter(|_| !last.contains(':'));
        extension.map_or(Self::Unknown, Self::of_extension)
    }

    /// The sort that the header `Content-Type` tells.
    ///
    /// Without one, or with one that says nothing, it is unknown, and the bytes must tell.
    pub fn of_content_type(header: Option<&str>) -> Self {
        let media_type = header.unwrap_or_default().split([';', ',']).next().unwrap_or_default();
        let media_type = media_type.trim().to_ascii_lowercase();
        let (kind, name) = media_type.split_once('/').unwrap_or_default();
        match (kind, name) {
            ("text", "html" | "plain") | ("application", "xhtml+xml" | "vnd.wap.xhtml+xml") => {
                Self::Page
            }
            ("text" | "application", "xml") => Self::Feed,
            ("application", "gzip" | "x-gzip") => Self::Gzip,
            ("text", "css") => Self::Style,
            ("text" | "application", "javascript" | "x-javascript" | "ecmascript") => Self::Script,
            ("image", _) => Self::Image,
            ("audio" | "video", _) => Self::Media,
            ("font", _) => Self::Font,
            ("application", "zip" | "x-tar" | "x-7z-compressed" | "x-rar-compressed") => {
                Self::Archive
            }
            ("application", name) if name.ends_with("+xml") => Self::Feed,
            ("application", name) if is_document(name) => Self::Document,
            ("" | "*" | "unknown" | "content", _) => Self::Unknown,
            _ => Self::Data,
        }
    }

    /// Whether a fetch for what is wanted should go on.
    pub fn serves(self, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Pages => matches!(self, Self::Page | Self::Unknown),
            // Sitemaps may be plain lists, and are served under all sorts of names.
            Wanted::Feeds => {
                matches!(self, Self::Feed | Self::Gzip | Self::Page | Self::Data | Self::Unknown)
            }
        }
    }

    fn of_extension(extension: &str) -> Self {
        // The longest in the table has eight letters.
        if extension.len() > 8 {
            return Self::Unknown;
        }
        let is = |known: &&str| extension.eq_ignore_ascii_case(known);
        let row = EXTENSIONS.iter().find(|(_, known)| known.iter().any(is));
        row.map_or(Self::Unknown, |it| it.0)
    }
}

fn is_document(name: &str) -> bool {
    const BEGINNINGS: [&str; 6] =
        ["pdf", "msword", "rtf", "vnd.ms-", "vnd.openxmlformats-", "vnd.oasis.opendocument"];
    name == "epub+zip" || BEGINNINGS.iter().any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: FileKind) {
        let url = Url::parse(&format!("https://example.org{path}")).unwrap();
        assert_eq!(FileKind::of_url(&url), expected, "{path}");
    }

    #[track_caller]
    fn check_header(header: &str, expected: FileKind) {
        assert_eq!(FileKind::of_content_type(Some(header)), expected, "{header}");
    }

    #[test]
    fn extensions_tell_what_is_no_page() {
        check("/a.PDF", FileKind::Document);
        check("/a.b/c.jpg?x=1", FileKind::Image);
        check("/a.tar.gz", FileKind::Gzip);
        check("/sitemap.xml", FileKind::Feed);
    }

    #[test]
    fn unknown_extensions_and_none_may_be_pages() {
        for path in ["/", "/a", "/a.php?file=b.pdf", "/v1.2", "/visit/example.com", "/a.unheardof"]
        {
            check(path, FileKind::Unknown);
            assert!(FileKind::Unknown.serves(Wanted::Pages));
        }
        check("/wiki/File:Harbour.jpg", FileKind::Unknown);
    }

    #[test]
    fn headers_tell_what_is_a_page() {
        check_header("text/html; charset=utf-8", FileKind::Page);
        check_header("Application/XHTML+XML", FileKind::Page);
        check_header("text/plain", FileKind::Page);
        check_header("application/pdf", FileKind::Document);
        check_header("application/octet-stream", FileKind::Data);
        check_header("", FileKind::Unknown);
        assert_eq!(FileKind::of_content_type(None), FileKind::Unknown);
    }

    #[test]
    fn feeds_are_taken_only_where_they_are_wanted() {
        check_header("application/rss+xml", FileKind::Feed);
        check_header("text/xml", FileKind::Feed);
        assert!(FileKind::Feed.serves(Wanted::Feeds));
        assert!(!FileKind::Feed.serves(Wanted::Pages));
        assert!(!FileKind::Image.serves(Wanted::Feeds));
    }
}
