//! The options of pgfplots' axes: what all panels share, and what each of them spans.

use super::super::bars;
use super::super::canvas::FigureStyle;
use super::super::data::short;
use super::super::font::width;
use super::super::frame::ticks_in;
use super::super::heat::key_counts;
use super::super::marks::{extents, x_ticks};
use super::super::ticks::{Extent, Tick};
use super::room::{ROW, Room, lies};
use crate::ask::plot::{Figure, FigureKind, Panel, Scale};
use crate::render::table::latex_escaped;

/// The swatch of a group in the legend, and the blanks around it.
const SWATCH: f64 = 28.0;
/// A figure narrower than this has a legend of small type.
const NARROW: f64 = 300.0;

/// The size of type that was asked for, in the share of it that this kind of text has; else the paper's own.
pub(super) fn size_of_type(look: &FigureStyle, usual: &str, share: f64) -> String {
    look.type_pt.map_or_else(
        || usual.to_owned(),
        |size| format!("\\fontsize{{{}}}{{{}}}\\selectfont", short(size * share), short(size * share * 1.2)),
    )
}

/// Options that all axes share.
pub(super) fn shared_axis(figure: &Figure, look: &FigureStyle, room: &Room) -> String {
    let mut options = vec![format!("scale only axis, width={:.1}pt", room.w)];
    let bars = figure.groups.len().max(1);
    options.push("axis lines=left".to_owned());
    let size = |usual: &str, share: f64| size_of_type(look, usual, share);
    options.push(format!("title style={{font={}\\bfseries}}", size("\\small", 1.15)));
    let ticks = size(if room.across > 2 { "\\scriptsize" } else { "\\footnotesize" }, 1.0);
    // A tick says what it is: 0.000025, and no power of ten beside the axis.
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
        (_, Scale::Names(names)) if lies(figure) => {
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

/// What the axes of numbers of a panel span, and where their marks stand.
pub(super) fn axis_of_panel(figure: &Figure, panel: &Panel, room: &Room) -> Vec<String> {
    if figure.kind == FigureKind::Heatmap {
        return Vec::new();
    }
    if let Scale::Names(_) = figure.x.scale {
        let extent = bars::extent(figure, panel);
        return match lies(figure) {
            true => vec![numbers_along("x", &extent, &extent.ticks(bars::ticks_below(room.w)))],
            false => vec![numbers_along("y", &extent, &extent.ticks(ticks_in(room.h)))],
        };
    }
    let (x, y) = extents(figure, panel);
    let x_ticks = x_ticks(figure, &x, room.w, room.tick);
    vec![numbers_along("x", &x, &x_ticks), numbers_along("y", &y, &y.ticks(ticks_in(room.h)))]
}

/// The numbers along an axis: where it begins and ends, and its marks with their texts.
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

/// Above the titles of panels, where there are any, in as many columns as there is room for.
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
         colorbar style={{width=6pt, xshift=-4pt, ytick={{{}}}, yticklabels={{{}}}, ylabel={{measurements (log.\\ scale)}}, y dir=normal, \
         tick label style={{font=\\scriptsize}}, label style={{font=\\scriptsize}}, axis line style={{draw=black!40}}}}",
        places.join(","),
        texts.join(",")
    )
}
