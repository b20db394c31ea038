//! `/ogc`: pages and places as OGC API Records and Features have them.

use url::form_urlencoded::byte_serialize;

use super::base_url::BaseUrl;

/// The address of one item of a collection.
pub(crate) fn item_address(base: &BaseUrl, collection: &str, id: &str) -> String {
    // A form writes blanks as plus signs, a path does not.
    let id = byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
    format!("{base}/ogc/collections/{collection}/items/{id}")
}
