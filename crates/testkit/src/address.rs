//! The address of a house, and the ways in which pages write it.

use earth::Point;
use gazetteer::PlaceId;
use serde_json::json;

use crate::markup::escaped;
use crate::town::Town;

/// The address of a house that the gazetteer knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// The street in the gazetteer.
    pub place: PlaceId,
    /// The street's name.
    pub street: String,
    /// The number of the house.
    pub number: String,
    /// The postcode; empty if the gazetteer does not know it.
    pub postcode: String,
    /// Where the house is.
    pub point: Point,
    pub(crate) town: Town,
}

/// How a page writes an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In a paragraph.
    Plain,
    /// In `<address>`, on several lines.
    Lines,
    /// As an item of schema.org within the text.
    Microdata,
    /// With the classes of hCard.
    Card,
    /// In a paragraph, and again as JSON-LD in the head.
    Linked,
}

impl Form {
    pub(crate) const ALL: [Self; 5] =
        [Self::Plain, Self::Lines, Self::Microdata, Self::Card, Self::Linked];
}

impl Address {
    /// The town of the address.
    pub fn town(&self) -> &'static str {
        self.town.name()
    }

    /// The address on one line, as it is written in its country.
    pub fn line(&self) -> String {
        format!("{}, {}", self.house(), self.locality())
    }

    /// Street and number: `Kaivokatu 8`, `12 Rue Grimaldi`.
    pub(crate) fn house(&self) -> String {
        match self.town {
            Town::Helsinki => format!("{} {}", self.street, self.number),
            Town::Monaco => format!("{} {}", self.number, self.street),
        }
    }

    /// Postcode and town.
    pub(crate) fn locality(&self) -> String {
        format!("{} {}", self.postcode, self.town()).trim().to_owned()
    }

    /// The address of somebody, as visible HTML.
    pub(crate) fn html(&self, form: Form, name: &str) -> String {
        let (name, house) = (escaped(name), escaped(&self.house()));
        let (postcode, town) = (escaped(&self.postcode), self.town());
        let code = |class: &str| match postcode.as_str() {
            "" => String::new(),
            postcode => format!("<span {class}>{postcode}</span> "),
        };
        match form {
            Form::Plain | Form::Linked => format!("<p>{name}, {}</p>", escaped(&self.line())),
            Form::Lines => format!(
                "<address>{name}<br>{house}<br>{}<br>{}</address>",
                escaped(&self.locality()),
                self.town.country()
            ),
            Form::Microdata => format!(
                "<div itemscope itemtype=\"https://schema.org/LocalBusiness\"><strong itemprop=\"name\">{name}</strong>\
                 <div itemprop=\"address\" itemscope itemtype=\"https://schema.org/PostalAddress\">\
                 <span itemprop=\"streetAddress\">{house}</span>, {}<span itemprop=\"addressLocality\">{town}</span>\
                 <meta itemprop=\"addressCountry\" content=\"{}\"></div></div>",
                code("itemprop=\"postalCode\""),
                self.town.code()
            ),
            Form::Card => format!(
                "<div class=\"vcard\"><span class=\"fn org\">{name}</span><div class=\"adr\">\
                 <span class=\"street-address\">{house}</span>, {}<span class=\"locality\">{town}</span>, \
                 <span class=\"country-name\">{}</span></div></div>",
                code("class=\"postal-code\""),
                self.town.country()
            ),
        }
    }

    /// What stands in the head of a page beside the visible address, if the form has that.
    pub(crate) fn head(&self, form: Form, kind: &str, name: &str) -> Option<String> {
        let linked = json!({
            "@context": "https://schema.org",
            "@type": kind,
            "name": name,
            "address": {
                "@type": "PostalAddress",
                "streetAddress": self.house(),
                "postalCode": self.postcode,
                "addressLocality": self.town(),
                "addressCountry": self.town.code(),
            },
            "geo": {
                "@type": "GeoCoordinates",
                "latitude": self.point.lat,
                "longitude": self.point.lon,
            },
        });
        (form == Form::Linked)
            .then(|| format!("<script type=\"application/ld+json\">{linked}</script>"))
    }
}
