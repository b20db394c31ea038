//! Points on the globe, how far apart they are, and in which direction.
//!
//! Takes coordinates, gives distances, bearings, boxes and the many ways people write a position.
//! It has never heard of names. Next on the way: the `gazetteer` crate.
//!
//! ```
//! use earth::{Compass, Point};
//!
//! let (patras, athens) = (Point::new(38.24444, 21.73444), Point::new(37.98376, 23.72784));
//! assert_eq!(patras.distance(athens).to_string(), "177 km");
//! assert_eq!(patras.bearing(athens).compass(), Compass::East);
//! ```

mod bearing;
mod bounds;
mod compass;
mod coordinates;
mod distance;
mod geo_uri;
mod point;

pub use crate::bearing::Bearing;
pub use crate::bounds::Bounds;
pub use crate::compass::Compass;
pub use crate::coordinates::parse_coordinates;
pub use crate::distance::{Meters, MetersError};
pub use crate::geo_uri::{GeoUri, parse_geo_uri};
pub use crate::point::Point;
