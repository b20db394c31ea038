//! Real servers over small indexes, asked by plain sockets.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod api;
mod crawls;
mod maps;
mod no_index;
mod pages;
mod search_form;
mod server;
