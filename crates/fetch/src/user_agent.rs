//! How the crawler presents itself.

use std::fmt;

use http::HeaderValue;
use url::Url;

/// The name under which the crawler asks, with a way to reach who runs it.
///
/// ```
/// let user_agent = fetch::UserAgent::new("strabo/0.1", "https://example.org/crawler")?;
/// assert_eq!(user_agent.to_string(), "strabo/0.1 (+https://example.org/crawler)");
/// assert_eq!(user_agent.product_token(), "strabo");
/// # Ok::<(), fetch::UserAgentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgent {
    text: String,
    token: usize,
}

/// Why a crawler cannot present itself so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserAgentError {
    /// The name is not one.
    #[error(
        "\"{0}\" is not the name of a program: write it as name/version, in letters and digits"
    )]
    Product(String),
    /// Nobody can be reached there.
    #[error("\"{0}\" is no contact: give the address of a page (https://…) or an e-mail address")]
    Contact(String),
}

impl UserAgent {
    /// A user agent of a product (`name/version`) and a contact, which is the address of a page or of a mailbox.
    pub fn new(product: &str, contact: &str) -> Result<Self, UserAgentError> {
        let token = product.split('/').next().unwrap_or_default().len();
        if !product.split('/').all(is_token) || product.split('/').count() > 2 {
            return Err(UserAgentError::Product(product.to_owned()));
        }
        if !is_printable(contact) || !is_page(contact) && !is_mailbox(contact) {
            return Err(UserAgentError::Contact(contact.to_owned()));
        }
        Ok(Self { text: format!("{product} (+{contact})"), token })
    }

    /// The name that robots.txt files know it by.
    pub fn product_token(&self) -> &str {
        &self.text[..self.token]
    }

    pub(crate) fn header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.text).expect("all characters were checked")
    }
}

impl fmt::Display for UserAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Letters, digits and the marks that RFC 9110 allows in a token.
fn is_token(text: &str) -> bool {
    let marks = b"!#$%&'*+-.^_`|~";
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || marks.contains(&it))
}

/// Whether it may stand within the brackets of a comment.
fn is_printable(text: &str) -> bool {
    text.len() <= 200 && text.bytes().all(|it| it.is_ascii_graphic() && !b"()\\".contains(&it))
}

fn is_page(contact: &str) -> bool {
    Url::parse(contact).is_ok_and(|it| matches!(it.scheme(), "http" | "https"))
}

fn is_mailbox(contact: &str) -> bool {
    let address = contact.strip_prefix("mailto:").unwrap_or(contact);
    let Some((name, domain)) = address.rsplit_once('@') else { return false };
    let has_dot = domain.trim_matches('.').contains('.') && !domain.contains("..");
    let is_domain = domain.bytes().all(|it| it.is_ascii_alphanumeric() || b"-.".contains(&it));
    !name.is_empty() && !name.contains('@') && has_dot && is_domain && !domain.starts_with('.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(product: &str, contact: &str, expected: Option<&str>) {
        let user_agent = UserAgent::new(product, contact).ok().map(|it| it.to_string());
        assert_eq!(user_agent.as_deref(), expected);
    }

    #[test]
    fn a_contact_is_a_page_or_a_mailbox() {
        check("a/1", "https://a.org/bot", Some("a/1 (+https://a.org/bot)"));
        check("a/1", "me@a.org", Some("a/1 (+me@a.org)"));
        check("a/1", "mailto:me@a.org", Some("a/1 (+mailto:me@a.org)"));
        for contact in
            ["", "me", "@a.org", "me@", "me@a", "me@.org", "me@a..org", "a.org", "ftp://a.org"]
        {
            check("a/1", contact, None);
        }
    }

    #[test]
    fn a_product_is_a_name_and_perhaps_a_version() {
        check("a", "me@a.org", Some("a (+me@a.org)"));
        for product in ["", "/", "a/", "/1", "a b", "a/1/2", "ä/1", "a\r\nb: c"] {
            check(product, "me@a.org", None);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_fits_into_a_header(product in ".{0,20}", contact in "(https://|.{0,3}@)?.{0,20}") {
            if let Ok(user_agent) = UserAgent::new(&product, &contact) {
                prop_assert!(user_agent.header().to_str().is_ok());
                prop_assert!(!user_agent.product_token().is_empty());
            }
        }
    }
}
