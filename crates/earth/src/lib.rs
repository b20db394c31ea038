//! Points on the globe, how far apart they are, and in which direction.
//!
//! Takes coordinates, gives distances, bearings, boxes and the many ways people write a position.
//! It has never heard of names. Next on the way: the `gazetteer` crate.
//!
//! ```
//! use earth::{Bounds, Compass, Meters, PlusCode, Point, parse_coordinates};
//!
//! let patras = parse_coordinates("38° 14' 40\" N, 21° 44' 4\" E").expect("two lettered angles");
//! let athens = Point::new(37.98376, 23.72784);
//! assert_eq!(patras.distance(athens).to_string(), "177 km");
//! assert_eq!(patras.bearing(athens).compass(), Compass::East);
//!
//! assert!(Bounds::around(patras, Meters(180_000.0)).contains(athens));
//! assert_eq!(PlusCode::encode(athens, 10).to_string(), "8G95XPMH+G4");
//! ```

mod bearing;
mod bounds;
mod compass;
mod coordinates;
mod distance;
mod geo_uri;
mod plus_code;
mod point;

pub use crate::bearing::Bearing;
pub use crate::bounds::Bounds;
pub use crate::compass::Compass;
pub use crate::coordinates::parse_coordinates;
pub use crate::distance::{Meters, MetersError};
pub use crate::geo_uri::{GeoUri, parse_geo_uri};
pub use crate::plus_code::PlusCode;
pub use crate::point::Point;
