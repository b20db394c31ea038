//! The features of a `GeoJSON` collection, one after the other.

use std::fmt;
use std::io::Read;

use geojson::Feature;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What is called for every feature, or for what stands in its place; an `Err` stops the reading.
pub(crate) type Each<'e> = dyn FnMut(Result<Feature, String>) -> Result<(), ()> + 'e;

/// Calls `each` for every feature of a collection, holding one of them at a time.
///
/// An error tells where the text stops being JSON.
pub(crate) fn each_feature(text: impl Read, each: &mut Each<'_>) -> Result<(), String> {
    let mut json = serde_json::Deserializer::from_reader(text);
    let read = json.deserialize_map(Collection { each, found: false });
    read.map_err(|error| error.to_string())
}

/// Looks for the member `features` of a collection, wherever among the members it stands.
struct Collection<'a, 'e> {
    each: &'a mut Each<'e>,
    found: bool,
}

impl<'de> Visitor<'de> for Collection<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a GeoJSON collection of features")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<(), M::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if name == "features" {
                self.found = true;
                members.next_value_seed(List(self.each))?;
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        if self.found { Ok(()) } else { Err(M::Error::missing_field("features")) }
    }
}

/// The list of features.
struct List<'a, 'e>(&'a mut Each<'e>);

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<(), S::Error> {
        while let Some(value) = items.next_element::<Value>()? {
            let feature =
                serde_json::from_value::<Feature>(value).map_err(|error| error.to_string());
            (self.0)(feature).map_err(|()| S::Error::custom("stopped"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn features_are_found_behind_other_members() {
        let text = r#"{"type": "FeatureCollection", "bbox": [1, 2], "crs": {"features": [3]},
            "features": [{"type": "Feature", "properties": {}, "geometry": null}, {"type": "No"}]}"#;
        check(text, Ok((1, 1)));
    }

    #[test]
    fn a_collection_without_features_is_none() {
        check(r#"{"type": "Point"}"#, Err("missing field `features` at line 1 column 17"));
    }

    #[test]
    fn a_torn_collection_gives_what_was_whole() {
        let text = r#"{"features": [{"type": "Feature", "properties": {}, "geometry": null}, {"ty"#;
        let mut whole = 0;
        let read = each_feature(text.as_bytes(), &mut |feature| {
            whole += usize::from(feature.is_ok());
            Ok(())
        });
        assert!(read.unwrap_err().starts_with("EOF while parsing"));
        assert_eq!(whole, 1);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(bytes: Vec<u8>, open in "(\\{\"features\":)?\\[*") {
            let text = [open.as_bytes(), &bytes].concat();
            let _ = each_feature(&text[..], &mut |_| Ok(()));
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Result<(usize, usize), &str>) {
        let (mut good, mut bad) = (0, 0);
        let read = each_feature(text.as_bytes(), &mut |feature| {
            *if feature.is_ok() { &mut good } else { &mut bad } += 1;
            Ok(())
        });
        assert_eq!(read.map(|()| (good, bad)), expected.map_err(str::to_owned));
    }
}
