//! A figure as pgfplots axes: type is the paper's own, and all of it is as wide as was asked for.

mod axes;
mod room;

use self::axes::{axis_of_panel, shared_axis, size_of_type};
use self::room::{Room, lies};
use super::canvas::FigureStyle;
use super::covered::{LARGER, WIDER, covered};
use super::data::{origin, short};
use super::frame::Area;
use super::hatch::IN_TIKZ;
use super::heat::shortest;
use super::labels::{Labels, PlacedLabel};
use super::marks::{extents, labels};
use super::name_key::NameKey;
use super::palette::Palette;
use crate::ask::plot::{Figure, FigureKind, Link, Panel, Point, Scale, Series};
use crate::render::table::{latex_comment, latex_escaped, latex_width as printed_width};

/// The picture, to be put into a `figure` environment.
pub fn pgfplots(figure: &Figure, look: &FigureStyle) -> String {
    let palette = Palette::of(look.theme);
    let mut text = String::new();
    for line in origin(figure).iter().chain(&figure.notes) {
        text.push_str(&format!("% {}\n", latex_comment(line)));
    }
    text.push_str("% needs \\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\usepgfplotslibrary{groupplots}\\usetikzlibrary{patterns}\n");
    text.push_str(&format!("\\begin{{tikzpicture}}[font={}]\n", size_of_type(look, "\\small", 1.2)));
    for (at, group) in figure.groups.iter().enumerate() {
        text.push_str(&format!("\\definecolor{{dlbline{at}}}{{HTML}}{{{}}}\n", palette.hue(group.hue).hex()));
        let fill = palette.fill(group.hue, group.shade);
        text.push_str(&format!("\\definecolor{{dlbfill{at}}}{{HTML}}{{{}}}\n", fill.hex()));
        text.push_str(&format!("\\definecolor{{dlbhatch{at}}}{{HTML}}{{{}}}\n", palette.on(fill).hex()));
    }
    if figure.groups.is_empty() {
        let hue = palette.hue(0).hex();
        text.push_str(&format!(
            "\\definecolor{{dlbline0}}{{HTML}}{{{hue}}}\n\\definecolor{{dlbfill0}}{{HTML}}{{{hue}}}\n"
        ));
    }
    text.push_str(&format!("\\definecolor{{dlbfew}}{{HTML}}{{{}}}\n", palette.few.hex()));
    text.push_str(&format!("\\definecolor{{dlbmany}}{{HTML}}{{{}}}\n", palette.many.hex()));
    let room = Room::of(figure, look);
    let one = figure.panels.len() == 1;
    let down = figure.panels.len().div_ceil(room.across);
    let axis = shared_axis(figure, look, &room);
    if one {
        text.push_str(&format!("\\begin{{axis}}[{axis}"));
    } else {
        text.push_str(&format!(
            "\\begin{{groupplot}}[group style={{group size={} by {down}, horizontal sep={:.1}pt, vertical sep=52pt}}, {axis}]\n",
            room.across, room.gap
        ));
    }
    let mut key = NameKey::default();
    for (at, panel) in figure.panels.iter().enumerate() {
        let mut options: Vec<String> = Vec::new();
        if !panel.title.is_empty() {
            // Titles stand at one height, whether a letter goes below the line or not.
            options.push(format!("title={{\\strut {}}}", latex_escaped(&panel.title)));
        }
        if at % room.across == 0 {
            options.push(format!("ylabel={{{}}}", latex_escaped(value_axis(figure))));
        }
        options.extend(axis_of_panel(figure, panel, &room));
        match one {
            true => text.push_str(&format!(", {}]\n", options.join(", "))),
            false => text.push_str(&format!("\\nextgroupplot[{}]\n", options.join(", "))),
        }
        if at == 0 {
            text.push_str(&legend(figure));
        }
        text.push_str(&marks(figure, panel, &room, &palette, &mut key));
    }
    text.push_str(if one { "\\end{axis}\n" } else { "\\end{groupplot}\n" });
    // A name that is wider than the figure is broken.
    let kept = |entry: &str| match printed_width(entry, NAMES) < room.all {
        true => format!("\\mbox{{{}}}", latex_escaped(entry)),
        false => latex_escaped(entry),
    };
    if let Some(names) = key.text(kept) {
        text.push_str(&format!(
            "\\node[font=\\fontsize{{{NAMES}}}{{7}}\\selectfont, anchor=north west, align=left, text width={:.1}pt, inner sep=0pt, \
             yshift=-4pt] at (current bounding box.south west) {{\\raggedright {}}};\n",
            room.all - 4.0,
            names
        ));
    }
    text + "\\end{tikzpicture}\n"
}

/// The name of the axis that is called `ylabel`.
fn value_axis(figure: &Figure) -> &str {
    match lies(figure) || figure.kind == FigureKind::Heatmap {
        true => "",
        false => &figure.y.label,
    }
}

fn legend(figure: &Figure) -> String {
    let mut text = String::new();
    for (at, group) in figure.groups.iter().enumerate() {
        let image = match figure.kind {
            FigureKind::Bars => format!("area legend, {}", bar(figure, at)),
            FigureKind::Lines => format!("dlbline{at}, {}", style(figure, at, false)),
            _ => format!("only marks, dlbline{at}, {}", style(figure, at, false)),
        };
        text.push_str(&format!("\\addlegendimage{{{image}}}\n\\addlegendentry{{{}}}\n", latex_escaped(&group.name)));
    }
    text
}

/// Outline, fill and pattern of a group's bars.
fn bar(figure: &Figure, at: usize) -> String {
    let hue = figure.groups.get(at).map_or(0, |group| group.hue);
    let pattern = IN_TIKZ[hue % IN_TIKZ.len()]
        .map(|pattern| format!(", postaction={{pattern={pattern}, pattern color=dlbhatch{at}}}"));
    format!("draw=dlbline{at}, fill=dlbfill{at}{}", pattern.unwrap_or_default())
}

/// Mark and line of a group; those that another line hides are larger and hollow, and wider.
fn style(figure: &Figure, at: usize, is_hidden: bool) -> String {
    /// In points; `thick` is the width of other lines.
    const MARK: f64 = 1.6;
    const THICK: f64 = 0.8;
    const MARKS: [&str; 8] =
        ["*", "square*", "triangle*", "diamond*", "pentagon*", "otimes*", "halfcircle*", "Mercedes star"];
    const LINES: [&str; 4] = ["solid", "dashed", "dotted", "dash dot"];
    let (hue, shade) = figure.groups.get(at).map_or((0, 0), |group| (group.hue, group.shade));
    let fill = if shade == 0 && !is_hidden { format!("fill=dlbline{at}") } else { "fill=white".to_owned() };
    let mark = MARKS[hue % MARKS.len()];
    let (size, width) = match is_hidden {
        true => (MARK * LARGER, format!(", line width={}pt", short(THICK * WIDER))),
        false => (MARK, String::new()),
    };
    let outline = if is_hidden { format!(", line width={THICK}pt") } else { String::new() };
    let size = short(size);
    format!(
        "mark={mark}, mark size={size}pt, mark options={{solid, {fill}{outline}}}, {}{width}",
        LINES[shade % LINES.len()]
    )
}

fn marks(figure: &Figure, panel: &Panel, room: &Room, palette: &Palette, key: &mut NameKey) -> String {
    let mut text = String::new();
    if figure.kind == FigureKind::Heatmap {
        /// The smallest type that journals take.
        const SMALLEST: f64 = 6.0;
        let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1).max(2) as f64;
        let columns = if let Scale::Names(names) = &figure.x.scale { names.len() } else { 1 };
        let cell = room.w / columns.max(1) as f64;
        for point in panel.series.iter().flat_map(|series| &series.points) {
            let share = (point.count.max(1) as f64).ln() / most.ln() * 100.0;
            let (x, y) = (point.x, point.y);
            let ground = palette.heat(point.count, most as u64);
            let ink = if palette.on(ground).hex() == "FFFFFF" { "white" } else { "black" };
            text.push_str(&format!(
                "\\fill[dlbmany!{share:.0}!dlbfew] (axis cs:{},{}) rectangle (axis cs:{},{});\n",
                x - 0.5,
                y - 0.5,
                x + 0.5,
                y + 0.5,
            ));
            // A number that has no room is left to the colour and the data.
            let number = shortest(point.count);
            if printed_width(&number, SMALLEST) < cell {
                text.push_str(&format!(
                    "\\node[font=\\fontsize{{6}}{{7}}\\selectfont, inner sep=0pt, text={ink}] at (axis cs:{x},{y}) {{{number}}};\n"
                ));
            }
        }
        return text;
    }
    // Bars stand beside each other by the order of their plots, so that a group without bars has a plot, too.
    let groups = if figure.kind == FigureKind::Bars { figure.groups.len().max(1) } else { 0 };
    for group in 0..groups {
        let series = panel.series.iter().find(|series| series.group == Some(group));
        text.push_str(&format!("\\addplot[{}, {}]", bar(figure, group), errors(figure, series)));
        let points = series.map(|series| series.points.as_slice()).unwrap_or_default();
        let coordinates: String = points.iter().map(|point| coordinate(point, lies(figure))).collect();
        // An empty plot would have no place.
        let coordinates = if points.is_empty() { "(0,nan)".to_owned() } else { coordinates };
        text.push_str(&format!(" coordinates {{{coordinates}}};\n"));
    }
    if groups > 0 {
        return text;
    }
    let (x, y) = extents(figure, panel);
    let plot = Area { x: 0.0, y: 0.0, w: room.w, h: room.h };
    for (series, is_hidden) in panel.series.iter().zip(covered(panel, plot, (&x, &y))) {
        let group = series.group.unwrap_or(0);
        let style = match series.link {
            Link::Marks => format!("only marks, dlbline{group}, {}", style(figure, group, false)),
            Link::Line => format!("dlbline{group}, thick, {}", style(figure, group, is_hidden)),
            Link::Bare if series.group.is_some() => format!("dlbline{group}, no marks, thick"),
            Link::Bare => "black!55, no marks, thick".to_owned(),
            Link::Steps => "black!55, no marks, thick, const plot".to_owned(),
        };
        let coordinates: String = series.points.iter().map(|point| coordinate(point, false)).collect();
        let errors = errors(figure, Some(series));
        text.push_str(&format!("\\addplot[{style}, {errors}] coordinates {{{coordinates}}};\n"));
    }
    let labels = labels(figure, panel, (plot, &x, &y), key);
    text + &names(labels, room, key)
}

/// The size of the names of points.
const NAMES: f64 = 6.0;

/// The names of points, where they cover nothing.
fn names(labels: Labels, room: &Room, key: &mut NameKey) -> String {
    let placed = labels.placed(|text| printed_width(text, NAMES), key);
    let at = |(x, y): (f64, f64)| format!("(rel axis cs:{:.4},{:.4})", x / room.w, 1.0 - y / room.h);
    let node = |PlacedLabel { area, text, leader }: PlacedLabel| {
        let leader = leader
            .map(|[from, to]| format!("\\draw[black!65, very thin] {} -- {};\n", at(from), at(to)))
            .unwrap_or_default();
        format!(
            "{leader}\\node[font=\\fontsize{{{NAMES}}}{{7}}\\selectfont, anchor=north west, inner sep=0pt] at {} {{{}}};\n",
            at((area.x, area.y)),
            latex_escaped(&text)
        )
    };
    placed.into_iter().map(node).collect()
}

fn errors(figure: &Figure, series: Option<&Series>) -> String {
    let spread = series.is_some_and(|series| series.points.iter().any(|point| point.spread.is_some()));
    let direction = if lies(figure) { "x" } else { "y" };
    match spread {
        true => format!("error bars/.cd, {direction} dir=both, {direction} explicit"),
        false => String::new(),
    }
}

/// `(0,172.2)`, with its error bar.
fn coordinate(point: &Point, lying: bool) -> String {
    let value = match point.texts[1].parse::<f64>() {
        Ok(number) if number == point.y => point.texts[1].clone(),
        _ => short(point.y),
    };
    let pair = |x: String, y: String| if lying { format!("({y},{x})") } else { format!("({x},{y})") };
    let mut text = pair(short(point.x), value);
    if let Some((low, high)) = point.spread {
        let above = pair("0".to_owned(), short(high - point.y));
        let below = pair("0".to_owned(), short(point.y - low));
        text.push_str(&format!(" += {above} -= {below}"));
    }
    text + " "
}
