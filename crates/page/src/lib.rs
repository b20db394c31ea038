//! A page, read: bytes and headers in, title, text, links, dates and language out.
