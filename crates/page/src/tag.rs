//! A start tag with those of its attributes that we read.

use std::borrow::Cow;

use crate::element::Element;
use crate::entity::decode_attribute;
use crate::tokens::Attribute;

/// A start tag; of an attribute that stands twice, the first counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tag<'a> {
    pub(crate) alt: Value<'a>,
    pub(crate) aria_hidden: Value<'a>,
    pub(crate) class: Value<'a>,
    pub(crate) content: Value<'a>,
    pub(crate) datetime: Value<'a>,
    pub(crate) hidden: Value<'a>,
    pub(crate) href: Value<'a>,
    pub(crate) hreflang: Value<'a>,
    pub(crate) http_equiv: Value<'a>,
    pub(crate) id: Value<'a>,
    pub(crate) itemprop: Value<'a>,
    pub(crate) itemscope: Value<'a>,
    pub(crate) itemtype: Value<'a>,
    pub(crate) kind: Value<'a>,
    pub(crate) lang: Value<'a>,
    pub(crate) name: Value<'a>,
    pub(crate) property: Value<'a>,
    pub(crate) rel: Value<'a>,
    pub(crate) role: Value<'a>,
    pub(crate) src: Value<'a>,
    pub(crate) style: Value<'a>,
    pub(crate) title: Value<'a>,
    pub(crate) type_of: Value<'a>,
    pub(crate) value: Value<'a>,
}

/// The value of an attribute as it was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Value<'a>(Option<&'a str>);

/// Longer values say nothing that we want to know.
const LONGEST_VALUE: usize = 4096;
/// The longest name of an attribute that we read has ten letters.
const LONGEST_NAME: usize = 11;

impl<'a> Tag<'a> {
    pub(crate) fn of(attributes: &[Attribute<'a>]) -> Self {
        let mut tag = Self::default();
        for attribute in attributes {
            if let Some(slot) = tag.slot(attribute.name) {
                slot.0 = slot.0.or(Some(attribute.value));
            }
        }
        tag
    }

    fn slot(&mut self, name: &str) -> Option<&mut Value<'a>> {
        let mut lower = [0; LONGEST_NAME];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"alt" => &mut self.alt,
            b"aria-hidden" => &mut self.aria_hidden,
            b"class" => &mut self.class,
            b"content" => &mut self.content,
            b"datetime" => &mut self.datetime,
            b"hidden" => &mut self.hidden,
            b"href" => &mut self.href,
            b"hreflang" => &mut self.hreflang,
            b"http-equiv" => &mut self.http_equiv,
            b"id" => &mut self.id,
            b"itemprop" => &mut self.itemprop,
            b"itemscope" => &mut self.itemscope,
            b"itemtype" => &mut self.itemtype,
            b"lang" | b"xml:lang" => &mut self.lang,
            b"name" => &mut self.name,
            b"property" => &mut self.property,
            b"rel" => &mut self.rel,
            b"role" => &mut self.role,
            b"src" => &mut self.src,
            b"style" => &mut self.style,
            b"title" => &mut self.title,
            b"type" => &mut self.kind,
            b"typeof" => &mut self.type_of,
            b"value" => &mut self.value,
            _ => return None,
        })
    }

    /// Whether what is inside is not shown.
    pub(crate) fn is_hidden(&self) -> bool {
        let style = self.style.raw().unwrap_or_default();
        self.hidden.is_given() || self.aria_hidden.is("true") || hides(style)
    }

    /// The value of the attribute that stands for the element's text, if it has one.
    pub(crate) fn machine_value(&self, element: Element) -> Option<Cow<'a, str>> {
        let by_element = match element {
            Element::Time => self.datetime,
            Element::Img | Element::Iframe => self.src,
            Element::Link => self.href,
            Element::Inline => self.value,
            _ => Value(None),
        };
        self.content.text().or_else(|| by_element.text())
    }
}

impl<'a> Value<'a> {
    pub(crate) fn is_given(self) -> bool {
        self.0.is_some()
    }

    /// The value as it was written; none if it is overlong.
    pub(crate) fn raw(self) -> Option<&'a str> {
        self.0.filter(|value| value.len() <= LONGEST_VALUE)
    }

    /// The value with its character references written out, without blanks around; none if empty.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        let value = self.raw()?.trim_ascii();
        (!value.is_empty()).then(|| decode_attribute(value))
    }

    /// The words of the value, between blanks.
    pub(crate) fn words(self) -> impl Iterator<Item = &'a str> {
        self.raw().unwrap_or_default().split_ascii_whitespace()
    }

    pub(crate) fn is(self, value: &str) -> bool {
        self.0.is_some_and(|it| it.eq_ignore_ascii_case(value))
    }
}

fn hides(style: &str) -> bool {
    let mut declarations = style.split(';').filter_map(|it| it.split_once(':'));
    declarations.any(|(property, value)| {
        let value = value.trim_ascii();
        let property = property.trim_ascii();
        (property.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
            || (property.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
    })
}
