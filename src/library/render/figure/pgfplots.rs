//! Renders a figure as pgfplots axes, which LaTeX sets in the fonts of the document.

use super::bars;
use super::canvas::FigureStyle;
use super::frame::{Area, Extent, IN_TIKZ, Tick, ticks_in};
use super::heat::{key_counts, shortest};
use super::labels::{Labels, NameKey, PlacedLabel};
use super::marks::{LARGER, WIDER, covered, extents, labels, x_ticks};
use super::palette::Palette;
use super::scene::{widest, width};
use super::svg::{origin, short};
use crate::ask::plot::{Figure, FigureKind, Link, Panel, Point, Scale, Series};
use crate::render::table::{latex_comment, latex_escaped, latex_width as printed_width};

/// The `tikzpicture`, to be placed in a `figure` environment.
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
            // `\strut` puts all titles at the same height, with or without descenders.
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
    // A label wider than the figure may break across lines; others are kept whole in an `\mbox`.
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

/// The text of `ylabel`; empty for horizontal bars and heat maps.
fn value_axis(figure: &Figure) -> &str {
    match has_horizontal_bars(figure) || figure.kind == FigureKind::Heatmap {
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

/// Outline, fill and hatch pattern of a group's bars.
fn bar(figure: &Figure, at: usize) -> String {
    let hue = figure.groups.get(at).map_or(0, |group| group.hue);
    let pattern = IN_TIKZ[hue % IN_TIKZ.len()]
        .map(|pattern| format!(", postaction={{pattern={pattern}, pattern color=dlbhatch{at}}}"));
    format!("draw=dlbline{at}, fill=dlbfill{at}{}", pattern.unwrap_or_default())
}

/// Mark and line style of a group. A line that another line covers (`is_hidden`) is wider and has larger, hollow marks.
fn style(figure: &Figure, at: usize, is_hidden: bool) -> String {
    /// Mark size in points; `THICK` is the line width of `thick`.
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
        /// The smallest type size that journals accept, in points.
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
            // A count that does not fit into its cell is left out: the colour and the data still show it.
            let number = shortest(point.count);
            if printed_width(&number, SMALLEST) < cell {
                text.push_str(&format!(
                    "\\node[font=\\fontsize{{6}}{{7}}\\selectfont, inner sep=0pt, text={ink}] at (axis cs:{x},{y}) {{{number}}};\n"
                ));
            }
        }
        return text;
    }
    // pgfplots places bars by the order of the plots, so a group without bars gets a plot as well.
    let groups = if figure.kind == FigureKind::Bars { figure.groups.len().max(1) } else { 0 };
    for group in 0..groups {
        let series = panel.series.iter().find(|series| series.group == Some(group));
        text.push_str(&format!("\\addplot[{}, {}]", bar(figure, group), errors(figure, series)));
        let points = series.map(|series| series.points.as_slice()).unwrap_or_default();
        let coordinates: String = points.iter().map(|point| coordinate(point, has_horizontal_bars(figure))).collect();
        // pgfplots skips a plot without coordinates, so an empty one gets `(0,nan)`.
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

/// Type size of point labels, in points.
const NAMES: f64 = 6.0;

/// Draws the labels of points, placed so that they cover nothing.
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
    let direction = if has_horizontal_bars(figure) { "x" } else { "y" };
    match spread {
        true => format!("error bars/.cd, {direction} dir=both, {direction} explicit"),
        false => String::new(),
    }
}

/// A coordinate with its error bar, such as `(0,172.2)`.
fn coordinate(point: &Point, is_horizontal: bool) -> String {
    let value = match point.texts[1].parse::<f64>() {
        Ok(number) if number == point.y => point.texts[1].clone(),
        _ => short(point.y),
    };
    let pair = |x: String, y: String| if is_horizontal { format!("({y},{x})") } else { format!("({x},{y})") };
    let mut text = pair(short(point.x), value);
    if let Some((low, high)) = point.spread {
        let above = pair("0".to_owned(), short(high - point.y));
        let below = pair("0".to_owned(), short(point.y - low));
        text.push_str(&format!(" += {above} -= {below}"));
    }
    text + " "
}

/// Width of a legend swatch with the space around it, in points.
const SWATCH: f64 = 28.0;

/// Figures narrower than this (in points) get a legend in smaller type.
const NARROW: f64 = 300.0;

/// Font command for the requested type size times `share`; without a requested size, the document's own `usual` size.
fn size_of_type(look: &FigureStyle, usual: &str, share: f64) -> String {
    look.type_pt.map_or_else(
        || usual.to_owned(),
        |size| format!("\\fontsize{{{}}}{{{}}}\\selectfont", short(size * share), short(size * share * 1.2)),
    )
}

/// Options that all axes of the figure share.
fn shared_axis(figure: &Figure, look: &FigureStyle, room: &Room) -> String {
    let mut options = vec![format!("scale only axis, width={:.1}pt", room.w)];
    let bars = figure.groups.len().max(1);
    options.push("axis lines=left".to_owned());
    let size = |usual: &str, share: f64| size_of_type(look, usual, share);
    options.push(format!("title style={{font={}\\bfseries}}", size("\\small", 1.15)));
    let ticks = size(if room.across > 2 { "\\scriptsize" } else { "\\footnotesize" }, 1.0);
    // Tick labels show plain numbers (0.000025), without a power of ten beside the axis.
    options.push(format!(
        "tick label style={{font={ticks}, /pgf/number format/fixed, /pgf/number format/precision=9, /pgf/number format/1000 sep={{}}}}, \
         label style={{font={}}}, scaled ticks=false, xminorticks=false, yminorticks=false",
        size("\\footnotesize", 1.15)
    ));
    options.push(legend_style(figure, look, room));
    options.push("error bars/error bar style={black}, clip=false".to_owned());
    let labels = |names: &[String]| {
        names.iter().map(|name| format!("{{{}}}", latex_escaped(name))).collect::<Vec<_>>().join(",")
    };
    let places = |names: &[String]| (0..names.len()).map(|at| at.to_string()).collect::<Vec<_>>().join(",");
    match (figure.kind, &figure.x.scale) {
        (FigureKind::Heatmap, Scale::Names(names)) => {
            let Scale::Names(rows) = &figure.y.scale else { return options.join(", ") };
            options.push(format!("height={:.1}pt", ROW * rows.len() as f64));
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
        (_, Scale::Names(names)) if has_horizontal_bars(figure) => {
            options.push(format!("height={:.1}pt", (names.len() * (bars * 9 + 6)) as f64 + 10.0));
            options.push(format!("xbar=0pt, /pgf/bar width={:.3}, y dir=reverse", 0.8 / bars as f64));
            options.push(format!("ytick={{{}}}, yticklabels={{{}}}", places(names), labels(names)));
            options.push(format!(
                "xlabel={{{}}}, xmajorgrids, enlarge y limits={{abs=0.6}}",
                latex_escaped(&figure.y.label)
            ));
        }
        (_, Scale::Names(names)) => {
            options.push(format!("height={:.1}pt", room.h));
            options.push(format!("ybar=0pt, /pgf/bar width={:.3}", 0.8 / bars as f64));
            options.push(format!("xtick={{{}}}, xticklabels={{{}}}", places(names), labels(names)));
            let each = room.w * 0.95 / names.len().max(1) as f64;
            options.push(format!(
                "xticklabel style={{align=center, text width={each:.1}pt}}, ymajorgrids, enlarge x limits={{abs=0.6}}"
            ));
        }
        _ => {
            options.push(format!("height={:.1}pt", room.h));
            options.push(format!("xlabel={{{}}}, grid=major", latex_escaped(&figure.x.label)));
        }
    }
    options.push("grid style={black!12}".to_owned());
    options.join(", ")
}

/// Limits and ticks of a panel's numeric axes.
fn axis_of_panel(figure: &Figure, panel: &Panel, room: &Room) -> Vec<String> {
    if figure.kind == FigureKind::Heatmap {
        return Vec::new();
    }
    if let Scale::Names(_) = figure.x.scale {
        let extent = bars::extent(figure, panel);
        return match has_horizontal_bars(figure) {
            true => vec![numbers_along("x", &extent, &extent.ticks(bars::ticks_below(room.w)))],
            false => vec![numbers_along("y", &extent, &extent.ticks(ticks_in(room.h)))],
        };
    }
    let (x, y) = extents(figure, panel);
    let x_ticks = x_ticks(figure, &x, room.w, room.tick);
    vec![numbers_along("x", &x, &x_ticks), numbers_along("y", &y, &y.ticks(ticks_in(room.h)))]
}

/// Options of one numeric axis: its limits, and its ticks with their labels.
fn numbers_along(name: &str, extent: &Extent, ticks: &[Tick]) -> String {
    let mode = if extent.log { format!("{name}mode=log, ") } else { String::new() };
    let places: Vec<String> = ticks.iter().map(|tick| short(tick.at)).collect();
    let texts: Vec<String> = ticks.iter().map(|tick| format!("{{{}}}", latex_escaped(&tick.text))).collect();
    format!(
        "{mode}{name}min={}, {name}max={}, enlarge {name} limits=false, {name}tick={{{}}}, {name}ticklabels={{{}}}",
        short(extent.low),
        short(extent.high),
        places.join(","),
        texts.join(",")
    )
}

/// Style of the legend: above the panel titles if there are any, with as many columns as fit.
fn legend_style(figure: &Figure, look: &FigureStyle, room: &Room) -> String {
    let above = if figure.panels.len() > 1 { 24 } else { 4 };
    let (usual, points) = if room.all < NARROW { ("\\scriptsize", 7.0) } else { ("\\footnotesize", 8.0) };
    let points = look.type_pt.unwrap_or(points);
    let widest = figure.groups.iter().map(|group| width(&group.name, points, false)).fold(0.0, f64::max);
    let columns = ((room.all / (widest + SWATCH)).floor() as usize).clamp(1, figure.groups.len().max(1));
    format!(
        "legend style={{draw=none, fill=none, font={}, at={{(0,1)}}, xshift=-{:.1}pt, yshift={above}pt, anchor=south west, \
         legend columns={columns}, inner sep=0pt, legend cell align=left, /tikz/every even column/.append style={{column sep=6pt}}}}",
        size_of_type(look, usual, 1.0),
        room.left
    )
}

/// The colour bar of a heat map: from 1 to the highest count, on a logarithmic scale.
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
         colorbar style={{width=6pt, xshift=-4pt, ytick={{{}}}, yticklabels={{{}}}, ylabel={{measurements (log.\\ scale)}}, y dir=normal, \
         tick label style={{font=\\scriptsize}}, label style={{font=\\scriptsize}}, axis line style={{draw=black!40}}}}",
        places.join(","),
        texts.join(",")
    )
}

/// With more names than this, bars are drawn horizontally.
const MAX_VERTICAL_BAR_NAMES: usize = 6;

/// TeX points per millimetre.
const PT_PER_MM: f64 = 72.27 / 25.4;

/// Size of `\footnotesize` in a document set in 10 pt.
const TICK: f64 = 8.0;

/// Gap between a tick and its label; `NAME` is the width of a rotated axis title.
const TICK_GAP: f64 = 5.0;

const NAME: f64 = 18.0;

/// Margin to the right of the last tick label.
const RIGHT: f64 = 8.0;

/// Minimum width of a panel with its axis labels.
const MIN_PANEL_WIDTH: f64 = 115.0;

/// Width of a colour bar with its ticks and label.
const COLOUR_KEY: f64 = 56.0;

/// Height of a heat-map row.
const ROW: f64 = 14.2;

/// The layout of a figure, in TeX points.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Number of panels side by side.
    pub across: usize,
    /// Width of a panel's plot area, without labels.
    pub w: f64,
    /// Height of a panel's plot area, always set explicitly.
    pub h: f64,
    /// Gap between two panels.
    pub gap: f64,
    /// Width of what is to the left of the first plot area.
    pub left: f64,
    /// Total width.
    pub all: f64,
    /// Type size of tick labels.
    pub tick: f64,
}

impl Room {
    fn of(figure: &Figure, look: &FigureStyle) -> Self {
        let all = look.width_mm * PT_PER_MM;
        let count = figure.panels.len();
        let wanted = match count {
            1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        let across = wanted.min((all / MIN_PANEL_WIDTH).floor().max(1.0) as usize);
        let tick = look.type_pt.unwrap_or(if across > 2 { TICK - 1.0 } else { TICK });
        let (left, right) = match (&figure.x.scale, &figure.y.scale) {
            (Scale::Names(columns), Scale::Names(rows)) if figure.kind == FigureKind::Heatmap => {
                let slanted = widest(columns.iter().map(String::as_str), tick - 1.0) / 2.0;
                let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1);
                let beside = widest(rows.iter().map(String::as_str), tick) + TICK_GAP;
                (beside.max(slanted), if most > 1 { COLOUR_KEY } else { RIGHT })
            }
            (Scale::Names(names), _) if has_horizontal_bars(figure) => {
                (widest(names.iter().map(String::as_str), tick) + TICK_GAP, 2.0 * RIGHT)
            }
            _ => (widest_value(figure, tick) + TICK_GAP + NAME, RIGHT),
        };
        let gap = left - if left > NAME + TICK_GAP { NAME } else { 0.0 } + RIGHT;
        let w = (all - left - right - gap * (across - 1) as f64) / across as f64;
        let down = count.div_ceil(across) as f64;
        // Each row of panels has a title above, and tick labels and the axis title below.
        let around = if count > 1 { 46.0 } else { 30.0 };
        let h = match look.height_mm {
            Some(height) => ((height * PT_PER_MM) / down - around).max(40.0),
            None if count > 1 => (w * 0.72).max(60.0),
            None => w * if figure.kind == FigureKind::Bars { 0.55 } else { 0.66 },
        };
        Self { across, w: w.max(40.0), h, gap, left, all, tick }
    }
}

/// Whether bars are horizontal because their names would not fit side by side.
fn has_horizontal_bars(figure: &Figure) -> bool {
    let Scale::Names(names) = &figure.x.scale else { return false };
    let long = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    figure.kind == FigureKind::Bars && (names.len() > MAX_VERTICAL_BAR_NAMES || long * names.len() > 90)
}

/// Width of the widest tick label on the value axis.
fn widest_value(figure: &Figure, size: f64) -> f64 {
    /// A typical height to choose ticks for: the actual height is not known yet.
    const USUAL_HEIGHT: f64 = 120.0;
    let of_extent = |extent: &Extent| {
        extent.ticks(ticks_in(USUAL_HEIGHT)).iter().map(|tick| width(&tick.text, size, false)).fold(0.0, f64::max)
    };
    let of_panel = |panel| match figure.kind {
        FigureKind::Bars => of_extent(&bars::extent(figure, panel)),
        _ => of_extent(&extents(figure, panel).1),
    };
    figure.panels.iter().map(of_panel).fold(0.0, f64::max)
}
