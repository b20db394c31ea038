//! The loop: a link is taken, fetched, kept, read, judged, and its links go back to the frontier.
