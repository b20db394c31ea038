//! The gazetteer of the whole world that comes with the program.
//!
//! The build script makes it from the facts in `data/`, and it becomes part of the program: nothing is
//! downloaded, unpacked or read when it starts. Next on the way: whoever asks for a place.
//!
//! ```
//! let world = world::gazetteer();
//! let (helsinki, _) = world.named("Helsingfors").next().expect("a capital is known");
//! assert_eq!(helsinki.label(), "Helsinki, Uusimaa, Finland");
//! ```

use std::sync::OnceLock;

use gazetteer::Gazetteer;

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/world.gaz"));
static WORLD: OnceLock<Gazetteer> = OnceLock::new();

/// The gazetteer of the whole world.
///
/// # Panics
///
/// Never in a program that was built whole: the build script wrote the bytes that are opened here.
pub fn gazetteer() -> &'static Gazetteer {
    WORLD.get_or_init(|| {
        Gazetteer::from_static("the embedded gazetteer", BYTES).expect("the build script wrote it")
    })
}
