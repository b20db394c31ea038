//! A calendar without end: every month leads to the next, as on many a site that crawlers fall into.

use crate::language::Language;
use crate::markup::{link, list};
use crate::sheet::Sheet;

/// The host of the calendar.
pub(crate) const HOST: &str = "round-the-year.example";
/// Years have at most four digits.
const LAST_YEAR: u16 = 9_999;

/// The month or day behind a path such as `/calendar/2026/11` or `/calendar/2026/11/3`, if it is one.
pub(crate) fn html(path: &str) -> Option<String> {
    if path == "/" {
        return Some(front());
    }
    let mut parts = path.strip_prefix("/calendar/")?.split('/');
    let year: u16 = parts.next()?.parse().ok().filter(|it| (1..=LAST_YEAR).contains(it))?;
    let month: u16 = parts.next()?.parse().ok().filter(|it| (1..=12).contains(it))?;
    let day: Option<u16> = parts.next().map(|it| it.parse().unwrap_or(0));
    if parts.next().is_some() || day.is_some_and(|it| !(1..=28).contains(&it)) {
        return None;
    }
    let before = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
    let after = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let title = day.map_or(format!("{month}/{year}"), |day| format!("{day}/{month}/{year}"));
    let mut sheet = Sheet::new(Language::English, format!("Events on {title}"));
    sheet.heading(1, &format!("Events on {title}"));
    sheet.push("<p>Nothing has been planned for this time. Have a look at another.</p>");
    let months = [("Earlier", before), ("Later", after)];
    let months = months.iter().filter(|it| (1..=LAST_YEAR).contains(&it.1.0));
    sheet.push(list(
        months.map(|(name, (year, month))| link(&format!("/calendar/{year}/{month}"), name)),
    ));
    if day.is_none() {
        sheet.push(list(
            (1..=28).map(|day| link(&format!("/calendar/{year}/{month}/{day}"), &day.to_string())),
        ));
    }
    Some(sheet.page(format!("http://{HOST}{path}")).html)
}

fn front() -> String {
    let mut sheet = Sheet::new(Language::English, "Round the Year, a calendar of events");
    sheet.heading(1, "Round the Year");
    sheet.push("<p>Every event of every town, once somebody enters one.</p>");
    sheet.push(link("/calendar/2026/1", "Open the calendar"));
    sheet.page(format!("http://{HOST}/")).html
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_month_leads_to_the_next() {
        let december = html("/calendar/2026/12").expect("it is a month");
        assert!(
            december.contains("\"/calendar/2027/1\"") && december.contains("\"/calendar/2026/11\"")
        );
        assert!(html("/calendar/2026/12/28").is_some());
    }

    #[test]
    fn what_is_no_month_is_not_there() {
        for path in [
            "/calendar/0/1",
            "/calendar/2026/13",
            "/calendar/2026/1/29",
            "/calendar/2026/1/2/3",
            "/x",
        ] {
            assert_eq!(html(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn any_path_has_an_answer_or_none(path in "/calendar(/[0-9]{0,5}){0,4}|.{0,20}") {
            let _ = html(&path);
        }
    }
}
