//! Link in, response out: politely and safely.
