//! A figure as pgfplots axes: type and sizes are the paper's own.

use super::canvas::FigureStyle;
use super::data::{origin, short};
use super::heat::key_counts;
use super::marks::{few_values, years};
use super::palette::Palette;
use super::ticks::Extent;
use crate::ask::plot::{Figure, FigureKind, Link, Panel, Point, Scale, Series};
use crate::render::table::{latex_comment, latex_escaped};

/// More names than this stand beside lying bars.
const MOST_STANDING: usize = 6;
/// More names of points than this would be a thicket.
const MOST_LABELS: usize = 16;

/// The picture, to be put into a `figure` environment.
pub fn pgfplots(figure: &Figure, look: &FigureStyle) -> String {
    let palette = Palette::of(look.theme);
    let mut text = String::new();
    for line in origin(figure).iter().chain(&figure.notes) {
        text.push_str(&format!("% {}\n", latex_comment(line)));
    }
    text.push_str("% needs \\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\usepgfplotslibrary{groupplots}\n");
    text.push_str(&format!("\\begin{{tikzpicture}}[font={}]\n", size_of_type(look, "\\small", 1.2)));
    for (at, group) in figure.groups.iter().enumerate() {
        text.push_str(&format!("\\definecolor{{dlbline{at}}}{{HTML}}{{{}}}\n", palette.hue(group.hue).hex()));
        let fill = palette.fill(group.hue, group.shade);
        text.push_str(&format!("\\definecolor{{dlbfill{at}}}{{HTML}}{{{}}}\n", fill.hex()));
    }
    if figure.groups.is_empty() {
        let hue = palette.hue(0).hex();
        text.push_str(&format!(
            "\\definecolor{{dlbline0}}{{HTML}}{{{hue}}}\n\\definecolor{{dlbfill0}}{{HTML}}{{{hue}}}\n"
        ));
    }
    text.push_str(&format!("\\definecolor{{dlbfew}}{{HTML}}{{{}}}\n", palette.few.hex()));
    text.push_str(&format!("\\definecolor{{dlbmany}}{{HTML}}{{{}}}\n", palette.many.hex()));
    let across = match figure.panels.len() {
        1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    let one = figure.panels.len() == 1;
    let down = figure.panels.len().div_ceil(across);
    let axis = axis(figure, look, across);
    if one {
        text.push_str(&format!("\\begin{{axis}}[{axis}"));
    } else {
        text.push_str(&format!(
            "\\begin{{groupplot}}[group style={{group size={across} by {down}, horizontal sep=1.6cm, vertical sep=1.9cm}}, {axis}]\n"
        ));
    }
    for (at, panel) in figure.panels.iter().enumerate() {
        let mut options = vec![format!("title={{{}}}", latex_escaped(&panel.title))];
        if at % across == 0 {
            options.push(format!("ylabel={{{}}}", latex_escaped(value_axis(figure))));
        }
        match one {
            true => text.push_str(&format!(", {}]\n", options[1])),
            false => text.push_str(&format!("\\nextgroupplot[{}]\n", options.join(", "))),
        }
        if at == 0 {
            text.push_str(&legend(figure));
        }
        text.push_str(&marks(figure, panel));
    }
    text.push_str(if one { "\\end{axis}\n" } else { "\\end{groupplot}\n" });
    text + "\\end{tikzpicture}\n"
}

/// The size of type that was asked for, in the share of it that this kind of text has; else the paper's own.
fn size_of_type(look: &FigureStyle, usual: &str, share: f64) -> String {
    look.type_pt.map_or_else(
        || usual.to_owned(),
        |size| format!("\\fontsize{{{}}}{{{}}}\\selectfont", short(size * share), short(size * share * 1.2)),
    )
}

fn lies(figure: &Figure) -> bool {
    let Scale::Names(names) = &figure.x.scale else { return false };
    let long = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    figure.kind == FigureKind::Bars && (names.len() > MOST_STANDING || long * names.len() > 90)
}

/// The name of the axis that is called `ylabel`.
fn value_axis(figure: &Figure) -> &str {
    match lies(figure) || figure.kind == FigureKind::Heatmap {
        true => "",
        false => &figure.y.label,
    }
}

/// Options that all axes share.
fn axis(figure: &Figure, look: &FigureStyle, across: usize) -> String {
    let width = look.width_mm / across as f64 - if across > 1 { 8.0 } else { 0.0 };
    let mut options = vec![format!("width={width:.0}mm")];
    let bars = if figure.groups.is_empty() { 1 } else { figure.groups.len() };
    let columns = if figure.groups.len() > 4 { 2 } else { figure.groups.len().max(1) };
    options.push("axis lines=left".to_owned());
    let size = |usual: &str, share: f64| size_of_type(look, usual, share);
    options.push(format!("title style={{font={}\\bfseries}}", size("\\small", 1.15)));
    let ticks = size(if across > 2 { "\\scriptsize" } else { "\\footnotesize" }, 1.0);
    // A tick says what it is: 0.000025, and no power of ten beside the axis.
    options.push(format!(
        "tick label style={{font={ticks}, /pgf/number format/fixed, /pgf/number format/precision=9}}, \
         label style={{font={}}}, scaled ticks=false",
        size("\\footnotesize", 1.15)
    ));
    // Above the titles of panels, where there are any.
    let above = if figure.panels.len() > 1 { 18 } else { 4 };
    options.push(format!(
        "legend style={{draw=none, font={}, at={{(0,1)}}, yshift={above}pt, anchor=south west, legend columns={columns}, \
         legend cell align=left, /tikz/every even column/.append style={{column sep=8pt}}}}",
        size("\\footnotesize", 1.0)
    ));
    options.push("error bars/error bar style={black}, clip=false".to_owned());
    let labels = |names: &[String]| {
        names.iter().map(|name| format!("{{{}}}", latex_escaped(name))).collect::<Vec<_>>().join(",")
    };
    let places = |names: &[String]| (0..names.len()).map(|at| at.to_string()).collect::<Vec<_>>().join(",");
    match (figure.kind, &figure.x.scale) {
        (FigureKind::Heatmap, Scale::Names(names)) => {
            let Scale::Names(rows) = &figure.y.scale else { return options.join(", ") };
            options.push(format!("height={:.0}mm", 14.0 + 5.0 * rows.len() as f64 + 20.0));
            options.push(format!("xtick={{{}}}, xticklabels={{{}}}", places(names), labels(names)));
            options.push(format!("ytick={{{}}}, yticklabels={{{}}}", places(rows), labels(rows)));
            options.push("xticklabel style={rotate=60, anchor=east, font=\\scriptsize}, y dir=reverse, axis line style={draw=none}, tick style={draw=none}".to_owned());
            options.extend(Some(colour_key(figure)).filter(|key| !key.is_empty()));
            options.push(format!(
                "xmin=-0.5, xmax={}.5, ymin=-0.5, ymax={}.5",
                names.len() as i64 - 1,
                rows.len() as i64 - 1
            ));
        }
        (_, Scale::Names(names)) if lies(figure) => {
            options.push(format!("height={:.0}mm", 22.0 + (names.len() * (bars * 3 + 2)) as f64));
            options.push(format!("xbar=0pt, /pgf/bar width={:.3}, xmin=0, y dir=reverse", 0.8 / bars as f64));
            options.push(format!("ytick={{{}}}, yticklabels={{{}}}", places(names), labels(names)));
            options.push(format!(
                "xlabel={{{}}}, xmajorgrids, enlarge y limits={{abs=0.6}}",
                latex_escaped(&figure.y.label)
            ));
        }
        (_, Scale::Names(names)) => {
            options.push(format!("height={:.0}mm", height(look, figure, across).unwrap_or(width * 0.62)));
            options.push(format!("ybar=0pt, /pgf/bar width={:.3}, ymin=0", 0.8 / bars as f64));
            options.push(format!("xtick={{{}}}, xticklabels={{{}}}", places(names), labels(names)));
            let room = width * 0.8 / names.len().max(1) as f64;
            options.push(format!("xticklabel style={{align=center, text width={room:.0}mm}}, ymajorgrids, enlarge x limits={{abs=0.6}}, enlarge y limits={{upper=0.06}}"));
        }
        (_, scale) => {
            options.push(format!("height={:.0}mm", height(look, figure, across).unwrap_or(width * 0.7)));
            options.push(format!("xlabel={{{}}}, grid=major", latex_escaped(&figure.x.label)));
            match scale {
                Scale::Log => options.push("xmode=log, log ticks with fixed point".to_owned()),
                Scale::Years => {
                    let extent = Extent::of(figure.points().map(|(_, _, point)| point.x), scale, false);
                    let ticks = years(&extent, 5);
                    let places: Vec<String> = ticks.iter().map(|tick| short(tick.at)).collect();
                    let texts: Vec<&str> = ticks.iter().map(|tick| tick.text.as_str()).collect();
                    options.push(format!("xtick={{{}}}, xticklabels={{{}}}", places.join(","), texts.join(",")));
                }
                _ => {}
            }
            if figure.y.scale == Scale::Log {
                options.push("ymode=log, log ticks with fixed point".to_owned());
            }
            options.push(match figure.kind {
                FigureKind::Lines if figure.y.scale == Scale::Linear => {
                    "ymin=0, enlarge x limits=0.06, enlarge y limits={upper=0.06}".to_owned()
                }
                _ => "enlargelimits=0.06".to_owned(),
            });
            if let Some(values) = few_values(figure) {
                let values: Vec<String> = values.iter().map(|value| short(*value)).collect();
                options.push(format!("xtick={{{0}}}, xticklabels={{{0}}}", values.join(",")));
            }
        }
    }
    for (name, axis) in [("x", &figure.x), ("y", &figure.y)] {
        let name = if lies(figure) && name == "y" { "x" } else { name };
        if let Some((low, high)) = axis.limits {
            options.push(format!("{name}min={}, {name}max={}, enlarge {name} limits=false", short(low), short(high)));
        }
    }
    options.push("grid style={black!12}".to_owned());
    options.join(", ")
}

/// The height of one of the panels, where the figure has one.
fn height(look: &FigureStyle, figure: &Figure, across: usize) -> Option<f64> {
    /// Between rows of panels.
    const BETWEEN_MM: f64 = 19.0;
    let down = figure.panels.len().div_ceil(across) as f64;
    look.height_mm.map(|all| ((all - BETWEEN_MM * (down - 1.0)) / down).max(15.0))
}

/// The colour key of a heat map: from one to the most, in even ratios.
fn colour_key(figure: &Figure) -> String {
    let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1);
    if most <= 1 {
        return String::new();
    }
    let counts = key_counts(most);
    let places: Vec<String> = counts.iter().map(|count| short((*count as f64).ln() / (most as f64).ln())).collect();
    let texts: Vec<String> = counts.iter().map(u64::to_string).collect();
    format!(
        "colormap={{dlbheat}}{{color(0cm)=(dlbfew) color(1cm)=(dlbmany)}}, point meta min=0, point meta max=1, colorbar, \
         colorbar style={{ytick={{{}}}, yticklabels={{{}}}, ylabel={{measurements}}, y dir=normal, \
         axis line style={{draw=black!40}}}}",
        places.join(","),
        texts.join(",")
    )
}

fn legend(figure: &Figure) -> String {
    let mut text = String::new();
    for (at, group) in figure.groups.iter().enumerate() {
        let image = match figure.kind {
            FigureKind::Bars => format!("area legend, draw=dlbline{at}, fill=dlbfill{at}"),
            FigureKind::Lines => format!("dlbline{at}, {}", style(figure, at)),
            _ => format!("only marks, dlbline{at}, {}", style(figure, at)),
        };
        text.push_str(&format!("\\addlegendimage{{{image}}}\n\\addlegendentry{{{}}}\n", latex_escaped(&group.name)));
    }
    text
}

/// Mark and line of a group.
fn style(figure: &Figure, at: usize) -> String {
    const MARKS: [&str; 6] = ["*", "square*", "triangle*", "diamond*", "pentagon*", "otimes*"];
    const LINES: [&str; 4] = ["solid", "dashed", "dotted", "dash dot"];
    let (hue, shade) = figure.groups.get(at).map_or((0, 0), |group| (group.hue, group.shade));
    let fill = if shade == 0 { format!("fill=dlbline{at}") } else { "fill=white".to_owned() };
    let mark = MARKS[hue % MARKS.len()];
    format!("mark={mark}, mark size=1.6pt, mark options={{solid, {fill}}}, {}", LINES[shade % LINES.len()])
}

fn marks(figure: &Figure, panel: &Panel) -> String {
    let mut text = String::new();
    if figure.kind == FigureKind::Heatmap {
        let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1).max(2) as f64;
        for point in panel.series.iter().flat_map(|series| &series.points) {
            let share = (point.count.max(1) as f64).ln() / most.ln() * 100.0;
            let (x, y) = (point.x, point.y);
            let ink = if share > 45.0 { "white" } else { "black" };
            text.push_str(&format!(
                "\\fill[dlbmany!{share:.0}!dlbfew] (axis cs:{},{}) rectangle (axis cs:{},{});\n\
                 \\node[font=\\tiny, inner sep=0pt, text={ink}] at (axis cs:{x},{y}) {{{}}};\n",
                x - 0.5,
                y - 0.5,
                x + 0.5,
                y + 0.5,
                point.count
            ));
        }
        return text;
    }
    // Bars stand beside each other by the order of their plots, so that a group without bars has a plot, too.
    let groups = if figure.kind == FigureKind::Bars { figure.groups.len().max(1) } else { 0 };
    for group in 0..groups {
        let series = panel.series.iter().find(|series| series.group == Some(group));
        text.push_str(&format!("\\addplot[draw=dlbline{group}, fill=dlbfill{group}, {}]", errors(figure, series)));
        let points = series.map(|series| series.points.as_slice()).unwrap_or_default();
        let coordinates: String = points.iter().map(|point| coordinate(point, lies(figure))).collect();
        // An empty plot would have no place.
        let coordinates = if points.is_empty() { "(0,nan)".to_owned() } else { coordinates };
        text.push_str(&format!(" coordinates {{{coordinates}}};\n"));
    }
    if groups > 0 {
        return text;
    }
    let labels = panel.series.iter().flat_map(|series| &series.points).filter(|point| !point.label.is_empty()).count();
    for series in &panel.series {
        let group = series.group.unwrap_or(0);
        let style = match series.link {
            Link::Marks => format!("only marks, dlbline{group}, {}", style(figure, group)),
            Link::Line => format!("dlbline{group}, thick, {}", style(figure, group)),
            Link::Bare if series.group.is_some() => format!("dlbline{group}, no marks, thick"),
            Link::Bare => "black!55, no marks, thick".to_owned(),
            Link::Steps => "black!55, no marks, thick, const plot".to_owned(),
        };
        let coordinates: String = series.points.iter().map(|point| coordinate(point, false)).collect();
        let errors = errors(figure, Some(series));
        text.push_str(&format!("\\addplot[{style}, {errors}] coordinates {{{coordinates}}};\n"));
        for point in series.points.iter().filter(|point| !point.label.is_empty() && labels <= MOST_LABELS) {
            let anchor = if series.link == Link::Bare { "south east" } else { "north west" };
            text.push_str(&format!(
                "\\node[font=\\scriptsize, anchor={anchor}] at (axis cs:{},{}) {{{}}};\n",
                short(point.x),
                short(point.y),
                latex_escaped(&point.label)
            ));
        }
    }
    text
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
