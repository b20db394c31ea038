//! Outlines as well-known text: `MULTIPOLYGON(((8 53,9 53,9 54,8 53)))`.

use std::fmt::Write as _;

use geo::{Coord, LineString, MultiPolygon, Polygon};

use crate::tsv::degrees;

/// The outline as well-known text, to six digits.
pub(crate) fn write(outline: &MultiPolygon<f64>) -> String {
    let mut text = String::from("MULTIPOLYGON(");
    for (index, polygon) in outline.0.iter().enumerate() {
        text.push_str(if index == 0 { "(" } else { ",(" });
        for (index, ring) in
            std::iter::once(polygon.exterior()).chain(polygon.interiors()).enumerate()
        {
            text.push_str(if index == 0 { "(" } else { ",(" });
            for (index, at) in ring.0.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(text, "{comma}{} {}", degrees(at.x), degrees(at.y))
                    .expect("a string takes any text");
            }
            text.push(')');
        }
        text.push(')');
    }
    text.push(')');
    text
}

/// Reads `MULTIPOLYGON` or `POLYGON`.
pub(crate) fn read(text: &str) -> Result<MultiPolygon<f64>, String> {
    let (word, rest) =
        text.split_once('(').ok_or("an outline starts with POLYGON( or MULTIPOLYGON(")?;
    let body = rest.trim_end().strip_suffix(')').ok_or("the outline has no closing bracket")?;
    match word.trim().to_ascii_uppercase().as_str() {
        "POLYGON" => Ok(MultiPolygon(vec![polygon(body)?])),
        "MULTIPOLYGON" => {
            groups(body)?.into_iter().map(polygon).collect::<Result<_, _>>().map(MultiPolygon)
        }
        other => Err(format!("\"{other}\" is no outline: write it as POLYGON or MULTIPOLYGON")),
    }
}

fn polygon(body: &str) -> Result<Polygon<f64>, String> {
    let mut rings = groups(body)?.into_iter().map(ring).collect::<Result<Vec<_>, _>>()?.into_iter();
    let exterior = rings.next().ok_or("a polygon has no ring")?;
    Ok(Polygon::new(exterior, rings.collect()))
}

fn ring(body: &str) -> Result<LineString<f64>, String> {
    let points: Vec<_> = body.split(',').map(coordinate).collect::<Result<_, _>>()?;
    if points.len() < 4 || points.first() != points.last() {
        return Err("a ring needs four points or more and ends where it starts".to_owned());
    }
    Ok(LineString(points))
}

fn coordinate(pair: &str) -> Result<Coord<f64>, String> {
    let bad = || format!("\"{pair}\" is no longitude and latitude");
    let (x, y) = pair.trim().split_once(' ').ok_or_else(bad)?;
    let (x, y) = (x.parse().map_err(|_| bad())?, y.trim().parse().map_err(|_| bad())?);
    let on_globe = f64::abs(x) <= 180.0 && f64::abs(y) <= 90.0;
    if on_globe { Ok(Coord { x, y }) } else { Err(bad()) }
}

/// What stands in the outermost brackets, one item a pair.
fn groups(body: &str) -> Result<Vec<&str>, String> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, letter) in body.bytes().enumerate() {
        match letter {
            b'(' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            b')' => {
                depth = depth.checked_sub(1).ok_or("the outline has a bracket too many")?;
                if depth == 0 {
                    found.push(&body[start..at]);
                }
            }
            _ => {}
        }
    }
    if depth == 0 { Ok(found) } else { Err("the outline has no closing bracket".to_owned()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_outline_with_a_hole_is_read_back() {
        let text = "MULTIPOLYGON(((0 0,9 0,9 9,0 0),(4 2,5 2,5 3,4 2)),((20 1,21 1,21 2,20 1)))";
        assert_eq!(write(&read(text).unwrap()), text);
    }

    #[test]
    fn a_plain_polygon_will_do() {
        let text = "POLYGON ((8 53, 9 53, 9 54, 8 53))";
        assert_eq!(write(&read(text).unwrap()), "MULTIPOLYGON(((8 53,9 53,9 54,8 53)))");
    }

    #[test]
    fn an_open_ring_is_refused() {
        let error = read("POLYGON((0 0,1 0,1 1,0 1))").unwrap_err();
        assert_eq!(error, "a ring needs four points or more and ends where it starts");
    }

    proptest! {
        #[test]
        fn any_text_is_an_outline_or_an_error(text in "(MULTI)?(POLYGON)?[(), 0-9.-]{0,60}") {
            let _ = read(&text);
        }
    }
}
