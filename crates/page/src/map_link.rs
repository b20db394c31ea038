//! Links to a place on a map: OpenStreetMap, Google, Apple, Bing, and `geo:`.

use std::borrow::Cow;

use earth::Point;
use url::Url;

use crate::place::{PlaceSource, StructuredPlace, degrees, position, shortened, stated_point};

/// The place to which a link leads; none if it does not lead onto a map.
pub(crate) fn map_link(reference: &str, url: Option<&Url>) -> Option<StructuredPlace> {
    let mut place = StructuredPlace::new(PlaceSource::MapLink, "");
    if reference.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("geo:")) {
        place.point = position(reference);
        return Some(place).filter(StructuredPlace::says_where);
    }
    let url = url?;
    match Maps::at(url)? {
        Maps::OpenStreetMap => place.point = open_street_map(url),
        Maps::Google => google(url, &mut place),
        Maps::Apple => apple(url, &mut place),
        Maps::Other => place.point = parameter_point(url, &["ll", "cp", "map", "center"]),
    }
    Some(place).filter(StructuredPlace::says_where)
}

enum Maps {
    OpenStreetMap,
    Google,
    Apple,
    Other,
}

impl Maps {
    fn at(url: &Url) -> Option<Self> {
        let host = url.host_str()?;
        let host = host.strip_prefix("www.").unwrap_or(host);
        let is_map_path = || url.path().starts_with("/maps");
        Some(match host {
            "openstreetmap.org" | "osm.org" => Self::OpenStreetMap,
            "maps.apple.com" => Self::Apple,
            "waze.com" | "wego.here.com" => Self::Other,
            "bing.com" if is_map_path() => Self::Other,
            _ if host.starts_with("maps.google.") => Self::Google,
            _ if host.starts_with("google.") && is_map_path() => Self::Google,
            _ => return None,
        })
    }
}

/// `?mlat=53.14&mlon=8.21`, `?marker=53.14,8.21`, `?bbox=8.1,53.1,8.3,53.2`, `#map=15/53.14/8.21`.
fn open_street_map(url: &Url) -> Option<Point> {
    let marker = || {
        let lat = degrees(&parameter(url, "mlat")?)?;
        stated_point(lat, degrees(&parameter(url, "mlon")?)?)
    };
    let middle_of_box = || {
        let bounds = parameter(url, "bbox")?;
        let sides: Vec<f64> = bounds.split(',').filter_map(degrees).collect();
        let [west, south, east, north] = sides[..] else { return None };
        stated_point(f64::midpoint(south, north), f64::midpoint(west, east))
    };
    let view = || {
        let view = url.fragment()?.split('&').find_map(|it| it.strip_prefix("map="))?;
        let mut parts = view.split('/').skip(1);
        stated_point(degrees(parts.next()?)?, degrees(parts.next()?)?)
    };
    marker().or_else(|| parameter_point(url, &["marker"])).or_else(middle_of_box).or_else(view)
}

fn google(url: &Url, place: &mut StructuredPlace) {
    let asked = ["q", "query", "destination", "daddr", "address"];
    place.point = google_data(url)
        .or_else(|| parameter_point(url, &asked))
        .or_else(|| parameter_point(url, &["ll", "center", "sll", "viewpoint"]))
        .or_else(|| google_view(url));
    let wording = asked.iter().find_map(|name| parameter(url, name));
    place.address = wording.filter(|it| position(it).is_none()).and_then(|it| shortened(&it));
    let mut steps = url.path_segments().into_iter().flatten().skip_while(|step| *step != "place");
    place.name = steps.nth(1).filter(|name| !name.starts_with('@')).and_then(written_out);
}

/// The marker in `…!3d53.14!4d8.21`, or the middle of the map in `…!2d8.21!3d53.14`.
fn google_data(url: &Url) -> Option<Point> {
    let data = url.as_str();
    let number = |mark: &str| {
        let value = data.split_once(mark)?.1;
        degrees(value.split(['!', '?', '&', '#', '%']).next()?)
    };
    let lat = number("!3d")?;
    stated_point(lat, number("!4d").or_else(|| number("!2d"))?)
}

/// The middle of the map in `/@53.14,8.21,15z`.
fn google_view(url: &Url) -> Option<Point> {
    let view = url.path_segments()?.find_map(|step| step.strip_prefix('@'))?;
    let mut parts = view.split(',');
    stated_point(degrees(parts.next()?)?, degrees(parts.next()?)?)
}

fn apple(url: &Url, place: &mut StructuredPlace) {
    place.point = parameter_point(url, &["ll", "coordinate", "q", "daddr", "sll"]);
    let address = parameter(url, "address").or_else(|| parameter(url, "daddr"));
    place.address = address.filter(|it| position(it).is_none()).and_then(|it| shortened(&it));
    let name = parameter(url, "q").or_else(|| parameter(url, "name"));
    place.name = name.filter(|it| position(it).is_none()).and_then(|it| shortened(&it));
}

fn parameter<'a>(url: &'a Url, name: &str) -> Option<Cow<'a, str>> {
    url.query_pairs().find(|(key, value)| key == name && !value.is_empty()).map(|it| it.1)
}

/// The first of these parameters that is a pair of coordinates, with comma or tilde.
fn parameter_point(url: &Url, names: &[&str]) -> Option<Point> {
    let mut values = names.iter().filter_map(|name| parameter(url, name));
    values.find_map(|value| position(&value.replace('~', ",")))
}

/// A step of a path as a person would write it.
fn written_out(step: &str) -> Option<String> {
    let pair = format!("name={step}");
    let (_, name) = url::form_urlencoded::parse(pair.as_bytes()).next()?;
    shortened(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reference: &str) -> Option<StructuredPlace> {
        map_link(reference, Url::parse(reference).ok().as_ref())
    }

    #[track_caller]
    fn check(reference: &str, expected: Option<(f64, f64)>) {
        let point = read(reference).and_then(|place| place.point);
        assert_eq!(point.map(|it| (it.lat, it.lon)), expected, "{reference}");
    }

    #[test]
    fn openstreetmap_is_read() {
        let here = Some((53.14, 8.21));
        check("https://www.openstreetmap.org/?mlat=53.14&mlon=8.21#map=15/1/2", here);
        check("https://www.openstreetmap.org/#map=15/53.14/8.21&layers=C", here);
        check(
            "https://www.openstreetmap.org/export/embed.html?bbox=8.1,53,8.3,54&marker=53.14%2C8.21",
            here,
        );
        check("https://www.openstreetmap.org/export/embed.html?bbox=8,53,9,54", Some((53.5, 8.5)));
        check("https://www.openstreetmap.org/copyright", None);
    }

    #[test]
    fn google_is_read() {
        let here = Some((53.14, 8.21));
        check("https://www.google.com/maps/@53.14,8.21,15z", here);
        check("https://www.google.de/maps/place/X/@1,2,17z/data=!3m1!4b1!3d53.14!4d8.21", here);
        check("https://maps.google.com/?q=53.14,8.21", here);
        check("https://maps.google.com/maps?ll=53.14,8.21&z=1", here);
        check("https://www.google.com/maps/embed?pb=!1m18!1d2!2d8.21!3d53.14!2m3", here);
        check("https://www.google.com/maps/dir/?api=1&destination=53.14%2C8.21", here);
        check("https://www.google.com/search?q=53.14,8.21", None);
    }

    #[test]
    fn google_may_have_words_instead() {
        let place = read("https://www.google.com/maps?q=Quay+4,+12345+Portville").unwrap();
        assert_eq!(place.address.as_deref(), Some("Quay 4, 12345 Portville"));
        let place = read("https://www.google.com/maps/place/Old+Harbour/@53.14,8.21,17z").unwrap();
        assert_eq!(place.name.as_deref(), Some("Old Harbour"));
    }

    #[test]
    fn apple_and_others_are_read() {
        let here = Some((53.14, 8.21));
        check("https://maps.apple.com/?ll=53.14,8.21&q=Harbour", here);
        check("https://www.bing.com/maps?cp=53.14~8.21&lvl=11", here);
        check("https://www.waze.com/ul?ll=53.14%2C8.21", here);
        let place = read("https://maps.apple.com/?address=Quay+4&q=Harbour").unwrap();
        assert_eq!(
            (place.name.as_deref(), place.address.as_deref()),
            (Some("Harbour"), Some("Quay 4"))
        );
    }

    #[test]
    fn geo_links_are_read() {
        check("geo:53.14,8.21;u=10", Some((53.14, 8.21)));
        check("GEO:53.14,8.21", Some((53.14, 8.21)));
        check("geo:0,0", None);
        check("geology", None);
        check("géo", None);
    }

    #[test]
    fn impossible_points_are_none() {
        check("https://maps.google.com/?q=153.14,8.21", None);
        check("https://www.openstreetmap.org/?mlat=x&mlon=8.21", None);
    }
}
