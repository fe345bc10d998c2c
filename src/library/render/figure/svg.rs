//! Renders a scene as SVG with selectable text, its data in the metadata, and a figure's data as a table.

use super::super::table::{Cell, Column, Section, Table};
use super::frame::{decimals_of, trimmed};
use super::scene::{Anchor, Color, FAMILY, Scene, SceneShape};
use crate::ask::plot::{Figure, FigureKind};
use crate::render::table::xml_escaped;

/// The SVG document.
pub(super) fn draw(scene: &Scene, figure: &Figure) -> String {
    let (w, h) = (number(scene.width), number(scene.height));
    let (shown_w, shown_h) = (number(scene.width * scene.zoom), number(scene.height * scene.zoom));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{shown_w}pt\" height=\"{shown_h}pt\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         font-family=\"{FAMILY}\">\n"
    );
    text.push_str(&format!("<title>{}</title>\n", xml_escaped(&figure.title)));
    text.push_str(&format!("<desc>{}</desc>\n", xml_escaped(&origin(figure).join("; "))));
    text.push_str(&format!("<rect width=\"110%\" height=\"110%\" fill=\"{}\"/>\n", color(scene.background)));
    for shape in &scene.shapes {
        text.push_str(&drawn(shape));
        text.push('\n');
    }
    text + "</svg>\n"
}

fn color(color: Color) -> String {
    format!("#{}", color.hex())
}

/// Formats a coordinate; two decimals are precise to about a thousandth of a millimetre.
fn number(value: f64) -> String {
    let text = trimmed(value, 2);
    if text == "-0" { "0".to_owned() } else { text }
}

fn tipped(element: &str, attributes: &str, tip: &str) -> String {
    match tip {
        "" => format!("<{element} {attributes}/>"),
        tip => format!("<{element} {attributes}><title>{}</title></{element}>", xml_escaped(tip)),
    }
}

fn drawn(shape: &SceneShape) -> String {
    match shape {
        SceneShape::Rect { x, y, w, h, fill, stroke, tip } => {
            let fill = fill.map_or_else(|| "none".to_owned(), color);
            let stroke = stroke.map_or_else(String::new, |(stroke, width)| {
                format!(" stroke=\"{}\" stroke-width=\"{}\"", color(stroke), number(width))
            });
            let place =
                format!("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(*x), number(*y), number(*w), number(*h));
            tipped("rect", &format!("{place} fill=\"{fill}\"{stroke}"), tip)
        }
        SceneShape::Line { points, color: stroke, width, dash } => {
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
            let dash = dash.map_or_else(String::new, |dash| format!(" stroke-dasharray=\"{dash}\""));
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}/>",
                points.join(" "),
                color(*stroke),
                number(*width),
            )
        }
        SceneShape::Marker { x, y, r, form, fill, stroke, tip } => {
            let paint = format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"0.9\"",
                fill.map_or_else(|| "none".to_owned(), color),
                color(*stroke)
            );
            let corners: &[(f64, f64)] = match form % 8 {
                0 => {
                    return tipped(
                        "circle",
                        &format!("cx=\"{}\" cy=\"{}\" r=\"{}\" {paint}", number(*x), number(*y), number(*r)),
                        tip,
                    );
                }
                1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
                2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
                3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
                4 => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
                5 => &[(-0.5, -1.2), (0.5, -1.2), (1.2, 0.0), (0.5, 1.2), (-0.5, 1.2), (-1.2, 0.0)],
                6 => &[(-1.2, -1.2), (1.2, -1.2), (-1.2, 1.2), (1.2, 1.2)],
                _ => &[(-1.2, -0.45), (1.2, -0.45), (1.2, 0.45), (-1.2, 0.45)],
            };
            let points: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{},{}", number(x + dx * r), number(y + dy * r))).collect();
            tipped("polygon", &format!("points=\"{}\" {paint}", points.join(" ")), tip)
        }
        SceneShape::Text { x, y, text, size, color: fill, anchor, bold, turned } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let bold = if *bold { " font-weight=\"bold\"" } else { "" };
            let (x, y) = (number(*x), number(*y));
            let turned = if *turned == 0.0 {
                String::new()
            } else {
                format!(" transform=\"rotate({} {x} {y})\"", number(*turned))
            };
            format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"{anchor}{bold}{turned}>{}</text>",
                number(*size),
                color(*fill),
                xml_escaped(&super::scene::settable(text)),
            )
        }
    }
}

/// Comma-separated values.
pub fn csv(figure: &Figure) -> Result<String, crate::render::RenderError> {
    table(figure).csv()
}

/// One row per data point; for a heat map one per pair of names.
pub(super) fn table(figure: &Figure) -> Table {
    let heat = figure.kind == FigureKind::Heatmap;
    let mut columns = vec![Column::key("panel", false)];
    if !heat {
        columns.push(Column::key("group", false));
        columns.push(Column::key("label", false));
    }
    columns.push(Column::key(&figure.x.key, false));
    columns.push(Column::key(&figure.y.key, false));
    columns.extend(match heat {
        true => vec![Column::key("measurements", true)],
        false => ["low", "high", "derived", "id", "source"].map(|name| Column::key(name, false)).to_vec(),
    });
    let mut rows = Vec::new();
    for (panel, series, point) in figure.points().filter(|(_, _, point)| point.count > 0) {
        let group = series.group.and_then(|group| figure.groups.get(group)).map_or("", |group| group.name.as_str());
        let mut row = vec![panel.title.clone()];
        if !heat {
            row.extend([group.to_owned(), point.label.clone()]);
        }
        row.extend(point.texts.clone());
        if heat {
            row.push(point.count.to_string());
        } else {
            let end = |end: Option<f64>| end.map_or_else(String::new, short);
            row.extend([end(point.spread.map(|(low, _)| low)), end(point.spread.map(|(_, high)| high))]);
            row.push(if point.derived { "yes" } else { "no" }.to_owned());
            row.extend([point.id.clone(), point.source.clone()]);
        }
        rows.push(row.iter().map(|text| Cell::from(text.as_str())).collect());
    }
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// Where the figure comes from, for readers who open the file without the surrounding text.
pub(super) fn origin(figure: &Figure) -> [String; 4] {
    [
        format!("dlbench plot: {}", figure.origin.query),
        format!("the same in filters: {}", figure.origin.equivalent),
        format!("content of the knowledge base: {}", figure.origin.content),
        format!("sources: {}", figure.sources.join(", ")),
    ]
}

/// Formats a computed number without spurious digits: it is a sum of two of the source's numbers.
pub(super) fn short(number: f64) -> String {
    trimmed(number, decimals_of(number).max(6))
}
