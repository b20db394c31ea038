//! What a link is worth before it is fetched.
