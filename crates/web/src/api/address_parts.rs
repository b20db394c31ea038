//! The parts of an address, as geocoders give them beside a finding.

use gazetteer::{Gazetteer, Kind};

use super::finding::Finding;

/// The parts of an address, from the house to the country; what is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressParts {
    pub(crate) house_number: Option<String>,
    pub(crate) street: Option<String>,
    pub(crate) district: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) postcode: Option<String>,
    pub(crate) county: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) country: Option<String>,
    /// Two letters, in upper case.
    pub(crate) country_code: Option<String>,
}

impl AddressParts {
    /// The parts of a finding, its own name included.
    pub(crate) fn of(gazetteer: &Gazetteer, finding: &Finding<'_>) -> Self {
        let mut parts = Self {
            house_number: finding.house.clone(),
            postcode: finding.postcode.clone(),
            ..Self::default()
        };
        for place in gazetteer.lineage(finding.place.id()) {
            let part = match place.kind() {
                Kind::Street => &mut parts.street,
                Kind::Postcode => &mut parts.postcode,
                Kind::District => &mut parts.district,
                Kind::City | Kind::Municipality => &mut parts.city,
                Kind::County => &mut parts.county,
                Kind::Region => &mut parts.state,
                Kind::Country => &mut parts.country,
                _ => continue,
            };
            // Of a town within a municipality the town is the city.
            part.get_or_insert_with(|| place.name().to_owned());
        }
        parts.country_code =
            finding.place.country().and_then(|it| it.tag("iso2")).map(str::to_owned);
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_city_has_its_region_and_its_country() {
        let gazetteer = world::gazetteer();
        let helsinki = gazetteer.by_key("gn:658225").expect("a capital is known");
        let parts = AddressParts::of(gazetteer, &Finding::of(helsinki));
        assert_eq!(parts.city.as_deref(), Some("Helsinki"));
        assert_eq!(parts.state.as_deref(), Some("Uusimaa"));
        assert_eq!(parts.country.as_deref(), Some("Finland"));
        assert_eq!(parts.country_code.as_deref(), Some("FI"));
        assert_eq!(parts.street, None);
    }
}
