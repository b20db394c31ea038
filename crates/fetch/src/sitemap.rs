//! Sitemaps: the pages a host names, and what it says about them.

mod address;
mod date;
mod document;
mod open;
mod packing;

use jiff::Timestamp;
use url::Url;

use self::address::Site;
use self::document::Document;

/// The protocol allows 50,000 URLs in a sitemap, and as many sitemaps in an index.
const MAX_URLS: usize = 50_000;

/// What stands in the sitemap at this URL.
///
/// Reads XML of the sitemap protocol with its extensions, indexes, RSS, Atom, and plain lists of
/// URLs, packed with gzip or not. The content decides what it is, because names and media types
/// are often wrong. What is torn is read up to there. Entities that a document defines are never
/// expanded, and nothing is fetched.
///
/// ```
/// # use url::Url;
/// use fetch::sitemap;
///
/// let url = Url::parse("https://example.org/sitemap.xml")?;
/// let bytes = b"<urlset><url><loc>https://example.org/harbour</loc><lastmod>2024-05-01</lastmod>";
/// let sitemap = sitemap::read(bytes, &url);
/// assert_eq!(sitemap.kind, sitemap::Kind::Urls);
/// assert_eq!(sitemap.urls[0].url.path(), "/harbour");
/// assert_eq!(sitemap.urls[0].modified, Some("2024-05-01T00:00:00Z".parse().unwrap()));
/// assert!(sitemap.flaws.torn);
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn read(bytes: &[u8], url: &Url) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let bytes = packing::unpack(bytes, &mut sitemap.flaws);
    let text = packing::text(&bytes);
    let site = Site::new(url);
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    if text.starts_with('<') {
        Document::new(&site, &mut sitemap).read(text);
    } else {
        read_list(&site, text, &mut sitemap);
    }
    sitemap
}

/// What a sitemap holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sitemap {
    /// What it is.
    pub kind: Kind,
    /// The pages it names.
    pub urls: Vec<Entry>,
    /// The sitemaps it names, if it is an index.
    pub sitemaps: Vec<Child>,
    /// What is wrong with it.
    pub flaws: Flaws,
}

/// What a sitemap is, by its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// No sitemap: often a page that says that there is none.
    #[default]
    Unknown,
    /// URLs in XML.
    Urls,
    /// An index of sitemaps.
    Index,
    /// A feed in RSS 0.9 to 2.0.
    Rss,
    /// A feed in Atom.
    Atom,
    /// A list of URLs, one in a line.
    Text,
}

/// A page that a sitemap names.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its URL, without fragment.
    pub url: Url,
    /// Whether the page lies in the folder of the sitemap or below it. The protocol asks for that
    /// unless a robots.txt vouches for the sitemap; a foreign page is a hint like any link.
    pub within: bool,
    /// When the page last changed.
    pub modified: Option<Timestamp>,
    /// When the news it tells came out.
    pub published: Option<Timestamp>,
    /// How often it changes.
    pub changes: Option<Changes>,
    /// How important it is among the pages of the host, from 0 to 1; the protocol takes 0.5 for
    /// granted.
    pub priority: Option<f32>,
    /// The same page in other languages.
    pub alternates: Vec<Alternate>,
}

/// A sitemap that an index names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its URL.
    pub url: Url,
    /// When it last changed.
    pub modified: Option<Timestamp>,
}

/// A page in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The language as written, such as `de-CH` or `x-default`.
    pub language: String,
    /// Its URL.
    pub url: Url,
}

/// How often a page changes, as its host says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Changes {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

/// What is wrong with a sitemap that could be read all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flaw of its own")]
pub struct Flaws {
    /// It ends too early, or its tags do not match.
    pub torn: bool,
    /// It has more bytes or URLs than the protocol allows, and the rest was left out.
    pub too_long: bool,
    /// It defines a document type, which no sitemap needs and entity bombs do.
    pub document_type: bool,
    /// Its elements are from another namespace than the protocol's.
    pub foreign_namespace: bool,
    /// So many of its URLs are none.
    pub bad_urls: usize,
}

fn read_list(site: &Site, text: &str, sitemap: &mut Sitemap) {
    for line in text.split(['\n', '\r']).map(str::trim).filter(|it| !it.is_empty()) {
        let Some(url) = site.absolute(line) else {
            sitemap.flaws.bad_urls += 1;
            continue;
        };
        if !sitemap.has_room() {
            break;
        }
        sitemap.kind = Kind::Text;
        sitemap.urls.push(Entry::new(site, url));
    }
}

impl Sitemap {
    /// Whether another URL may be taken; if not, it is too long.
    fn has_room(&mut self) -> bool {
        let has_room = self.urls.len().max(self.sitemaps.len()) < MAX_URLS;
        self.flaws.too_long |= !has_room;
        has_room
    }
}

impl Entry {
    fn new(site: &Site, url: Url) -> Self {
        Self {
            within: site.contains(&url),
            url,
            modified: None,
            published: None,
            changes: None,
            priority: None,
            alternates: Vec::new(),
        }
    }
}

impl Changes {
    fn read(text: &str) -> Option<Self> {
        let names = [
            ("always", Self::Always),
            ("hourly", Self::Hourly),
            ("daily", Self::Daily),
            ("weekly", Self::Weekly),
            ("monthly", Self::Monthly),
            ("yearly", Self::Yearly),
            ("never", Self::Never),
        ];
        let found = names.iter().find(|it| it.0.eq_ignore_ascii_case(text));
        found.map(|it| it.1)
    }
}
