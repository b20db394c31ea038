//! What a server answered.

/// The parts of an answer that tell how to read its body. What is not known is left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Response<'a> {
    /// Where the body came from, after redirects. Relative links need it.
    pub url: Option<&'a str>,
    /// The header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The header `Content-Language`.
    pub content_language: Option<&'a str>,
    /// The header `Last-Modified`.
    pub last_modified: Option<&'a str>,
    /// The header `X-Robots-Tag`; of several each stands on its own line.
    pub robots_tag: Option<&'a str>,
    /// The header `Link`; several are joined with commas.
    pub link: Option<&'a str>,
    /// The name under which rules for robots address us, without version.
    pub robot: Option<&'a str>,
    /// The body, unpacked.
    pub body: &'a [u8],
}

impl<'a> Response<'a> {
    /// A body of which nothing else is known.
    pub fn new(body: &'a [u8]) -> Self {
        Self { body, ..Self::default() }
    }

    /// The media type in lower case, without its parameters.
    pub(crate) fn media_type(&self) -> Option<String> {
        let value = self.content_type?.split(';').next()?.trim();
        (!value.is_empty()).then(|| value.to_ascii_lowercase())
    }
}
