//! The parameters of a search: the whole state of a result page, as its address has it.

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use url::form_urlencoded::{Serializer, parse};
use utoipa::IntoParams;

/// A page of results has so many.
pub(crate) const PER_PAGE: usize = 10;

/// The parameters of a search.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Parameters {
    /// One box.
    #[serde(default)]
    pub(crate) q: String,
    /// Or three fields.
    pub(crate) what: Option<String>,
    pub(crate) relation: Option<String>,
    pub(crate) r#where: Option<String>,
    /// The places that were chosen among several of a name, by their ids, with commas between.
    pub(crate) choose: Option<String>,
    /// Where the user is: `lat,lon`.
    pub(crate) at: Option<String>,
    /// How far to look around the place or the middle of the circle, in kilometres; it stands for a relation.
    pub(crate) km: Option<String>,
    /// How far away to begin, in kilometres: with `km` it makes a ring.
    pub(crate) from_km: Option<String>,
    /// Regions on the map: `west,south,east,north`; `lat,lon,metres`; `lon lat,lon lat,…`.
    pub(crate) bbox: Option<String>,
    pub(crate) circle: Option<String>,
    pub(crate) polygon: Option<String>,
    pub(crate) sort: Option<String>,
    /// For programs: how many hits to leave out, and how many to give.
    pub(crate) skip: Option<usize>,
    pub(crate) limit: Option<usize>,
    /// For people: which page of [`PER_PAGE`] hits, from 1.
    pub(crate) page: Option<usize>,
    pub(crate) counts: Option<bool>,
    pub(crate) explain: Option<bool>,
    pub(crate) duplicates: Option<bool>,
    /// What the map shows, as `zoom/lat/lon`; the server has no use for it.
    pub(crate) view: Option<String>,
    /// For people: what the box said when the region was searched, so that a place that is named later can end it.
    #[param(ignore)]
    pub(crate) drawn_for: Option<String>,
    /// For people: what the box said when the places were chosen, so that another that is named later can end the choice.
    #[param(ignore)]
    pub(crate) chosen_for: Option<String>,
}

impl Parameters {
    /// All their names.
    const NAMES: [&str; 21] = [
        "q",
        "what",
        "relation",
        "where",
        "choose",
        "at",
        "km",
        "from_km",
        "bbox",
        "circle",
        "polygon",
        "sort",
        "skip",
        "limit",
        "page",
        "counts",
        "explain",
        "duplicates",
        "view",
        "drawn_for",
        "chosen_for",
    ];

    /// Those of a page's address. What is not ours, such as the marks that mailings put on links, is passed over, and of
    /// what is said twice the first counts. The error is the name of what cannot be read.
    pub(crate) fn of_page(uri: &Uri) -> Result<Self, String> {
        let given: Vec<_> = parse(uri.query().unwrap_or_default().as_bytes()).collect();
        let mut pairs = Serializer::new(String::new());
        for name in Self::NAMES {
            let value = given.iter().find(|it| it.0 == name).map(|it| it.1.as_ref());
            // An empty box says something, too.
            let is_text = matches!(name, "q" | "drawn_for" | "chosen_for");
            if let Some(value) = value.filter(|it| is_text || !it.is_empty()) {
                pairs.append_pair(name, value);
            }
        }
        let address: Result<Uri, _> = format!("/?{}", pairs.finish()).parse();
        let address = address.map_err(|_| "?")?;
        let read = Query::<Self>::try_from_uri(&address);
        read.map(|it| it.0).map_err(|error| {
            let text = error.body_text();
            let told = text.rsplit_once("query string: ").map_or(text.as_str(), |it| it.1);
            told.split(": ").next().unwrap_or(told).to_owned()
        })
    }

    /// The text in the box of a page's address, and nothing else.
    pub(crate) fn text_of_page(uri: &Uri) -> Self {
        let mut given = parse(uri.query().unwrap_or_default().as_bytes());
        Self::of(given.find(|it| it.0 == "q").map(|it| it.1).unwrap_or_default())
    }

    /// A search for one text.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self { q: text.into(), ..Self::default() }
    }

    /// True if nothing is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        let is_blank =
            |it: &Option<String>| it.as_deref().is_none_or(|text| text.trim().is_empty());
        let fields = [&self.what, &self.r#where, &self.bbox, &self.circle, &self.polygon];
        self.q.trim().is_empty() && fields.into_iter().all(is_blank)
    }

    /// Which page of hits is asked for, from 1.
    pub(crate) fn page(&self) -> usize {
        self.page.unwrap_or(1).max(1)
    }

    /// They with another page.
    pub(crate) fn at_page(&self, page: usize) -> Self {
        Self { page: (page > 1).then_some(page), ..self.clone() }
    }

    /// They with one more operator, such as `site:example.org`, from the first page on.
    pub(crate) fn with_operator(&self, operator: &str) -> Self {
        let mut other = self.at_page(1);
        let text = other.what.as_mut().unwrap_or(&mut other.q);
        let longer = [text.trim(), operator].join(" ");
        longer.trim().clone_into(text);
        other
    }

    /// They with another text in the one box, which says all that the fields said.
    pub(crate) fn with_text(&self, text: impl Into<String>) -> Self {
        Self {
            q: text.into(),
            what: None,
            relation: None,
            r#where: None,
            km: None,
            from_km: None,
            ..self.at_page(1)
        }
    }

    /// They without what was drawn on the map.
    pub(crate) fn without_region(&self) -> Self {
        let at_first = self.at_page(1);
        Self { bbox: None, circle: None, polygon: None, km: None, from_km: None, ..at_first }
    }

    /// They with another order.
    pub(crate) fn sorted(&self, sort: &str) -> Self {
        Self { sort: Some(sort.to_owned()), ..self.at_page(1) }
    }

    /// True if a region was drawn on the map for another text than that of now.
    pub(crate) fn has_old_region(&self) -> bool {
        self.has_region() && self.is_new_since(self.drawn_for.as_deref())
    }

    /// True if places were chosen for another text than that of now.
    pub(crate) fn has_old_choice(&self) -> bool {
        self.choose.is_some() && self.is_new_since(self.chosen_for.as_deref())
    }

    /// True if the box said something else before. What the fields said before nobody knows.
    fn is_new_since(&self, before: Option<&str>) -> bool {
        let has_fields = self.what.is_some() || self.r#where.is_some();
        before.is_some_and(|it| has_fields || it.trim() != self.q.trim())
    }

    /// True if a region was drawn on the map.
    pub(crate) fn has_region(&self) -> bool {
        let given = |it: &Option<String>| it.as_deref().is_some_and(|text| !text.is_empty());
        given(&self.bbox) || given(&self.circle) || given(&self.polygon)
    }

    /// The part of an address after the question mark; what is not said is left out.
    pub(crate) fn query_string(&self) -> String {
        let mut pairs = Serializer::new(String::new());
        let number = |it: Option<usize>| it.map(|it| it.to_string());
        let yes = |it: Option<bool>| it.map(|it| it.to_string());
        let given = [
            ("q", Some(self.q.clone())),
            ("what", self.what.clone()),
            ("relation", self.relation.clone()),
            ("where", self.r#where.clone()),
            ("choose", self.choose.clone()),
            ("at", self.at.clone()),
            ("km", self.km.clone()),
            ("from_km", self.from_km.clone()),
            ("bbox", self.bbox.clone()),
            ("circle", self.circle.clone()),
            ("polygon", self.polygon.clone()),
            ("sort", self.sort.clone()),
            ("skip", number(self.skip)),
            ("limit", number(self.limit)),
            ("page", number(self.page)),
            ("counts", yes(self.counts)),
            ("explain", yes(self.explain)),
            ("duplicates", yes(self.duplicates)),
        ];
        for (name, value) in given {
            if let Some(value) = value.filter(|it| !it.is_empty()) {
                pairs.append_pair(name, &value);
            }
        }
        pairs.finish()
    }

    /// The address of the result page.
    pub(crate) fn link(&self) -> String {
        format!("/search?{}", self.query_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_the_whole_state() {
        let parameters = Parameters {
            choose: Some("gn:1".into()),
            sort: Some("time".into()),
            page: Some(3),
            bbox: Some("1,2,3,4".into()),
            explain: Some(true),
            ..Parameters::of("café & bar near München")
        };
        let link = parameters.link();
        let uri: Uri = link.parse().expect("it is an address");
        assert_eq!(Query::<Parameters>::try_from_uri(&uri).expect("it can be read").0, parameters);
        assert_eq!(Parameters::of_page(&uri), Ok(parameters));
    }

    #[test]
    fn a_page_passes_over_names_that_are_not_its_own() {
        let read = |text: &str| Parameters::of_page(&text.parse().expect("it is an address"));
        let plain = Ok(Parameters::of("museums"));
        assert_eq!(read("/search?q=museums&utm_source=x&fbclid"), plain);
        assert_eq!(read("/search?q=museums&q=bars&page=&sort="), plain);
        assert_eq!(read("/search"), Ok(Parameters::of("")));
        assert_eq!(read("/search?q=museums&page=abc"), Err("page".to_owned()));
        for name in Parameters::NAMES {
            let unknown = Query::<Parameters>::try_from_uri(
                &format!("/?{name}=1").parse().expect("it is an address"),
            );
            let error = unknown.err().map(|it| it.body_text()).unwrap_or_default();
            assert!(!error.contains("unknown"), "{error}");
        }
    }

    #[test]
    fn blank_fields_ask_for_nothing() {
        assert!(Parameters { what: Some(" ".into()), ..Parameters::of("") }.is_empty());
        assert!(!Parameters { r#where: Some("Rome".into()), ..Parameters::of("") }.is_empty());
    }
}
