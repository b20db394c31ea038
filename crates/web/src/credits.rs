//! Credits: whose data the map shows.

use basemap::Basemap;

use crate::app::App;
use crate::markup::escaped;

/// Somebody whose data the map shows, and where to read about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Credit {
    pub(crate) name: String,
    pub(crate) link: Option<&'static str>,
}

/// Whom the map comes from that scripts show: the operator's server of tiles, if there is one.
pub(crate) fn credits(app: &App) -> Vec<Credit> {
    match &app.settings.tile_server {
        Some(server) => {
            let name = server.attribution.clone();
            vec![Credit { name, link: None }, own("GeoNames", "https://www.geonames.org/")]
        }
        None => of_picture(app),
    }
}

/// Whom the map comes from that the server draws: the operator's word, what the operator's file of tiles says, or what is
/// part of the program.
fn of_picture(app: &App) -> Vec<Credit> {
    let streets = own("OpenStreetMap", "https://www.openstreetmap.org/copyright");
    let names = own("GeoNames", "https://www.geonames.org/");
    let Some(map) = &app.own_map else {
        return vec![own("Natural Earth", "https://www.naturalearthdata.com/"), streets, names];
    };
    let Some(said) = app.settings.map_attribution.clone().or_else(|| of_file(map)) else {
        return vec![streets, names];
    };
    // The streets of the gazetteer are drawn on any file of tiles.
    let streets = Some(streets).filter(|it| !said.contains(&it.name));
    [Credit { name: said, link: None }].into_iter().chain(streets).chain([names]).collect()
}

fn own(name: &str, link: &'static str) -> Credit {
    Credit { name: name.to_owned(), link: Some(link) }
}

/// Whose data a picture of the server shows, in one line of HTML.
pub(crate) fn line(app: &App) -> String {
    let one = |it: &Credit| match it.link {
        Some(link) => format!("<a href=\"{link}\" rel=\"noopener\">{}</a>", escaped(&it.name)),
        None => escaped(&it.name),
    };
    of_picture(app).iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The same as bare text.
pub(crate) fn text(app: &App) -> String {
    of_picture(app).into_iter().map(|it| it.name).collect::<Vec<_>>().join(", ")
}

fn of_file(map: &Basemap) -> Option<String> {
    let about: serde_json::Value = serde_json::from_str(&map.about().ok()?).ok()?;
    Some(bare(about.get("attribution")?.as_str()?)).filter(|it| !it.is_empty())
}

/// A text without its elements: files of tiles write HTML there, which is not ours.
fn bare(html: &str) -> String {
    let mut text = String::new();
    let mut is_inside = false;
    for letter in html.chars() {
        match letter {
            '<' => is_inside = true,
            '>' if is_inside => is_inside = false,
            _ if is_inside => {}
            _ => text.push(letter),
        }
    }
    let text = text.replace("&copy;", "©").replace("&amp;", "&").replace("&nbsp;", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself_is_taken_without_its_elements() {
        let said = "<a href=\"https://www.openstreetmap.org/copyright\">&copy; OpenStreetMap</a>\n contributors";
        assert_eq!(bare(said), "© OpenStreetMap contributors");
        assert_eq!(bare("<script>x"), "x");
        assert_eq!(of_file(Basemap::embedded()).as_deref(), Some("Made with Natural Earth"));
    }
}
