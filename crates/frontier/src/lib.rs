//! Links in, the next polite link out.
