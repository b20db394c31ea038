//! Line charts as SVG, for pages in light and dark.

use web::escaped;

/// What the chart's surroundings must say once; colours change with the reader's scheme.
///
/// The colours are far apart in lightness as well as in hue, so that they can be told apart without
/// red and green; on each ground all have a contrast of at least three to one.
pub(super) const STYLE: &str = ":root{--ground:#fff;--ink:#1d2126;--faint:#5c6670;--grid:#dfe3e8;
--c0:#5b636c;--c1:#0a63b0;--c2:#c25400;--c3:#00795a;--c4:#9a3f8d;--c5:#7d6b00;--c6:#b3263a;--c7:#3b3f9e}
@media(prefers-color-scheme:dark){:root{--ground:#15181c;--ink:#e6e9ed;--faint:#9aa5b1;--grid:#2f363e;
--c0:#aab4bf;--c1:#67b3ff;--c2:#ff9a57;--c3:#4fd3a7;--c4:#ee93d8;--c5:#e0cf58;--c6:#ff8594;--c7:#a9aeff}}
.chart{display:block;max-width:100%;height:auto}
svg text{font:12px system-ui,sans-serif;fill:var(--faint)}
svg .name{font-weight:600}
svg .title{font-size:14px;font-weight:600;fill:var(--ink)}
svg .grid{stroke:var(--grid);stroke-width:1}
svg .axis{stroke:var(--faint);stroke-width:1}
svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
svg .dashed{stroke-dasharray:5 4}
";
/// How many colours there are.
const COLOURS: usize = 8;
/// Beside a line's end there is room for its name.
const RIGHT: f64 = 112.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 46.0;
/// Lines and marks at the edge are shown in full.
const MARGIN: f64 = 4.0;
/// So far apart names can be read.
const NAME_HEIGHT: f64 = 14.0;

/// How numbers along an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// 0.1 as 10 %.
    Percent,
    /// 0.1 as 0.1.
    Plain,
}

/// An axis from nought to the end of its lines.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) unit: Unit,
    /// Goes up to here, even if no line does.
    pub(super) least_end: f64,
    /// Ends here, even if a line goes on.
    pub(super) most_end: f64,
}

impl Axis {
    /// An axis that ends where its lines end.
    pub(super) fn new(label: &str, unit: Unit) -> Self {
        Self { label: label.to_owned(), unit, least_end: 0.0, most_end: f64::INFINITY }
    }
}

/// A line through some points.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    /// Lines of the same thing in two charts have the same colour.
    pub(super) colour: usize,
    pub(super) is_dashed: bool,
    /// Whether each point is marked: only these were measured.
    pub(super) is_marked: bool,
    pub(super) points: Vec<(f64, f64)>,
}

/// Lines over two axes.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) across: Axis,
    pub(super) up: Axis,
    pub(super) lines: Vec<Line>,
    /// Width and height.
    pub(super) size: (f64, f64),
}

impl Chart {
    /// The chart as an SVG element.
    pub(super) fn svg(&self) -> String {
        let (width, height) = self.size;
        let ends = (self.end(&self.across, |it| it.0), self.end(&self.up, |it| it.1));
        let x = |it: f64| LEFT + it / ends.0 * (width - LEFT - RIGHT);
        let y = |it: f64| height - BOTTOM - it / ends.1 * (height - TOP - BOTTOM);
        let title = escaped(&self.title);
        let names: Vec<_> = self.lines.iter().map(|it| it.name.as_str()).collect();
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-label=\"{title}: {}\">\n<text class=\"title\" x=\"{LEFT}\" y=\"16\">{title}</text>\n",
            escaped(&names.join(", "))
        );
        for tick in ticks(ends.1) {
            let at = y(tick);
            svg += &format!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                x(ends.0),
                LEFT - 8.0,
                at + 4.0,
                written(tick, self.up.unit)
            );
        }
        let floor = y(0.0);
        for tick in ticks(ends.0) {
            let at = x(tick);
            svg += &format!(
                "<line class=\"axis\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{floor:.1}\" y2=\"{:.1}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                floor + 4.0,
                floor + 18.0,
                written(tick, self.across.unit)
            );
        }
        svg += &format!(
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{floor:.1}\" y2=\"{floor:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{LEFT}\" y=\"{:.1}\">{}</text>\n",
            x(ends.0),
            x(ends.0 / 2.0),
            floor + 36.0,
            escaped(&self.across.label),
            TOP - 11.0,
            escaped(&self.up.label)
        );
        svg += &self.frame();
        for line in &self.lines {
            svg += &drawn(line, &x, &y);
        }
        svg += "</svg>\n";
        svg += &self.names(&x, &y);
        svg + "</svg>\n"
    }

    /// Where an axis ends.
    fn end(&self, axis: &Axis, part: impl Fn(&(f64, f64)) -> f64) -> f64 {
        let numbers = self.lines.iter().flat_map(|it| &it.points).map(part);
        let end = numbers.filter(|it| it.is_finite()).fold(axis.least_end, f64::max);
        let end = end.min(axis.most_end);
        if end <= 0.0 {
            return 1.0;
        }
        // Where the end is all but a round number, it is one.
        let rounded = (end / step(end)).round() * step(end);
        if (end..end * 1.02).contains(&rounded) { rounded } else { end }
    }

    /// The beginning of an element that shows no more of the lines than lies within the axes.
    fn frame(&self) -> String {
        let (width, height) = (self.size.0 - LEFT - RIGHT, self.size.1 - TOP - BOTTOM);
        let (left, top) = (LEFT - MARGIN, TOP - MARGIN);
        let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        format!(
            "<svg x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{left} {top} {width} {height}\">\n"
        )
    }

    /// The names of the lines beside their ends, moved apart where they would lie upon each other.
    fn names(&self, x: &impl Fn(f64) -> f64, y: &impl Fn(f64) -> f64) -> String {
        let end = |it: &Line| it.points.iter().copied().rfind(is_drawn);
        let mut names: Vec<(f64, f64, &Line)> = self
            .lines
            .iter()
            .filter_map(|line| end(line).map(|(across, up)| (x(across), y(up), line)))
            .collect();
        names.sort_by(|a, b| a.1.total_cmp(&b.1));
        let floor = self.size.1 - BOTTOM;
        names.iter_mut().for_each(|it| it.1 = it.1.max(TOP));
        for at in 1..names.len() {
            names[at].1 = names[at].1.max(names[at - 1].1 + NAME_HEIGHT);
        }
        // What was pushed below the chart pushes the others up again.
        let mut most = floor;
        for name in names.iter_mut().rev() {
            name.1 = name.1.min(most);
            most = name.1 - NAME_HEIGHT;
        }
        let mut text = String::new();
        for (across, up, line) in names {
            text += &format!(
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" style=\"fill:var(--c{})\">{}</text>\n",
                across + 8.0,
                up + 4.0,
                line.colour % COLOURS,
                escaped(&line.name)
            );
        }
        text
    }
}

fn is_drawn(point: &(f64, f64)) -> bool {
    point.0.is_finite() && point.1.is_finite()
}

fn drawn(line: &Line, x: &impl Fn(f64) -> f64, y: &impl Fn(f64) -> f64) -> String {
    let points: Vec<(f64, f64)> =
        line.points.iter().copied().filter(is_drawn).map(|it| (x(it.0), y(it.1))).collect();
    let colour = line.colour % COLOURS;
    let joined: Vec<String> = points.iter().map(|it| format!("{:.1},{:.1}", it.0, it.1)).collect();
    let dashed = if line.is_dashed { " dashed" } else { "" };
    let mut svg = format!(
        "<polyline class=\"line{dashed}\" style=\"stroke:var(--c{colour})\" points=\"{}\"/>\n",
        joined.join(" ")
    );
    if line.is_marked {
        for (across, up) in points {
            svg += &format!(
                "<circle cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"3\" style=\"fill:var(--c{colour})\"/>\n"
            );
        }
    }
    svg
}

/// Round numbers from nought to the end: three to six steps of 1, 2 or 5.
fn ticks(end: f64) -> Vec<f64> {
    let step = step(end);
    (0..=6).map(|it| f64::from(it) * step).filter(|it| *it <= end * 1.000_001).collect()
}

/// The round number that lies between two ticks.
fn step(end: f64) -> f64 {
    let magnitude = 10_f64.powf((end / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * magnitude);
    steps.into_iter().find(|it| end / it <= 6.0).unwrap_or(end)
}

fn written(number: f64, unit: Unit) -> String {
    let short = |number: f64| {
        let text = format!("{number:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match unit {
        Unit::Percent => format!("{} %", short(number * 100.0)),
        Unit::Plain => short(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(end: f64, expected: &[&str]) {
        let found: Vec<_> = ticks(end).iter().map(|it| written(*it, Unit::Plain)).collect();
        assert_eq!(found, expected, "{end}");
    }

    #[test]
    fn ticks_are_round_numbers() {
        check(1.0, &["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        check(0.34, &["0", "0.1", "0.2", "0.3"]);
        check(0.105, &["0", "0.02", "0.04", "0.06", "0.08", "0.1"]);
        check(6002.0, &["0", "2000", "4000", "6000"]);
        check(7.0, &["0", "2", "4", "6"]);
        assert_eq!(written(0.005, Unit::Percent), "0.5 %");
    }

    fn chart(lines: &[&[(f64, f64)]]) -> Chart {
        let axis = || Axis::new("a < b", Unit::Percent);
        let line = |(at, points): (usize, &&[(f64, f64)])| Line {
            name: format!("line {at}"),
            colour: at,
            is_dashed: at == 1,
            is_marked: at == 1,
            points: points.to_vec(),
        };
        let lines = lines.iter().enumerate().map(line).collect();
        let title = "Harvest & more".to_owned();
        Chart { title, across: axis(), up: axis(), lines, size: (600.0, 300.0) }
    }

    #[test]
    fn a_chart_has_its_title_its_axes_and_the_names_of_its_lines() {
        let svg = chart(&[&[(0.0, 0.1), (0.1, 0.2)], &[(0.05, 0.1)]]).svg();
        for part in ["Harvest &amp; more", "a &lt; b", ">line 0<", ">line 1<", "dashed", "<circle"]
        {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(svg.contains("points=\"56.0,149.0 488.0,44.0\""), "{svg}");
    }

    #[test]
    fn names_of_lines_that_end_together_are_moved_apart() {
        let svg = chart(&[&[(1.0, 1.0)], &[(1.0, 1.0)], &[(1.0, 0.0)], &[(1.0, 0.0)]]).svg();
        let heights: Vec<f64> = svg
            .split("class=\"name\"")
            .skip(1)
            .filter_map(|it| it.split("y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(heights, [48.0, 62.0, 244.0, 258.0]);
    }

    #[test]
    fn a_line_that_leaves_the_chart_is_cut_off_and_its_name_is_not() {
        let mut chart = chart(&[&[(0.0, 0.5), (1.0, 4.0)]]);
        chart.up.most_end = 1.0;
        let svg = chart.svg();
        assert!(svg.contains("viewBox=\"52 40 440 218\""), "{svg}");
        assert!(svg.contains("points=\"56.0,149.0 488.0,-586.0\""), "{svg}");
        assert!(svg.contains("y=\"48.0\" style=\"fill:var(--c0)\">line 0<"), "{svg}");
        assert!(!svg.contains("120 %"), "{svg}");
    }

    #[test]
    fn an_axis_ends_at_a_round_number_that_is_near() {
        let mut chart = chart(&[&[(0.1998, 0.05)]]);
        assert!(chart.svg().contains(">20 %<"));
        chart.lines[0].points[0].0 = 0.19;
        assert!(!chart.svg().contains(">20 %<"));
    }

    #[test]
    fn a_chart_of_nothing_or_of_no_numbers_is_still_a_chart() {
        let lines: [&[&[(f64, f64)]]; 3] =
            [&[], &[&[]], &[&[(f64::NAN, 0.0), (0.0, f64::INFINITY), (0.0, 0.0)]]];
        for lines in lines {
            let svg = chart(lines).svg();
            assert!(svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
        }
    }
}
