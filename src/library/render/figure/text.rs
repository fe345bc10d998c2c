//! Renders a figure for a terminal: a bar for each value, with a resolution of an eighth of a character.

use super::super::{BOLD, DIM, paragraph};
use crate::ask::plot::{Figure, FigureKind, Point};
use crate::values::text::printable;

/// Partial blocks, from seven eighths down to one.
const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const WHOLE: char = '█';

/// Renders the figure for a terminal of `width` columns.
pub fn text(figure: &Figure, width: usize) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", printable(&figure.title));
    let what = if figure.kind == FigureKind::Heatmap { "measurements" } else { figure.y.label.as_str() };
    text.push_str(&format!("{DIM}{}{DIM:#}\n", printable(what)));
    for panel in &figure.panels {
        text.push('\n');
        if !panel.title.is_empty() {
            text.push_str(&format!("{BOLD}{}{BOLD:#}\n", printable(&panel.title)));
        }
        let mut rows: Vec<(f64, String, String, String, f64)> = Vec::new();
        for series in &panel.series {
            let group = series.group.and_then(|group| figure.groups.get(group)).map_or("", |group| group.name.as_str());
            for point in series.points.iter().filter(|point| point.count > 0) {
                rows.push((
                    point.x,
                    name(figure, point),
                    printable(group),
                    value(figure, point),
                    height(figure, point),
                ));
            }
        }
        // Rows with the same x value are adjacent.
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        text.push_str(&bars(&rows, width));
    }
    for note in &figure.notes {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", note, width)));
    }
    let origin = format!("Sources: {}.", figure.sources.join(", "));
    text + &format!("{DIM}{}{DIM:#}", paragraph("", &origin, width))
}

fn name(figure: &Figure, point: &Point) -> String {
    let parts = match figure.kind {
        FigureKind::Heatmap => vec![point.texts[0].as_str(), point.texts[1].as_str()],
        FigureKind::Scatter | FigureKind::Roofline | FigureKind::Timeline if !point.label.is_empty() => {
            vec![point.texts[0].as_str(), point.label.as_str()]
        }
        _ => vec![point.texts[0].as_str()],
    };
    printable(&parts.join(" · "))
}

fn value(figure: &Figure, point: &Point) -> String {
    let value = if figure.kind == FigureKind::Heatmap { point.count.to_string() } else { point.texts[1].clone() };
    if point.derived && figure.kind != FigureKind::Roofline { format!("{value}*") } else { value }
}

fn height(figure: &Figure, point: &Point) -> f64 {
    if figure.kind == FigureKind::Heatmap { point.count as f64 } else { point.y }
}

fn bars(rows: &[(f64, String, String, String, f64)], width: usize) -> String {
    let longest = |text: fn(&(f64, String, String, String, f64)) -> &str| {
        rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0)
    };
    let names = longest(|row| &row.1).min(width / 3);
    let groups = longest(|row| &row.2).min(width / 3);
    let values = longest(|row| &row.3);
    let room = width.saturating_sub(names + groups + values + 6).max(8);
    let most = rows.iter().map(|row| row.4).fold(0.0, f64::max);
    let mut text = String::new();
    let mut before: Option<&str> = None;
    for (_, name, group, value, height) in rows {
        // A name is printed once for all its bars.
        let shown = if before == Some(name.as_str()) && !group.is_empty() { "" } else { name.as_str() };
        before = Some(name);
        let bar = bar(if most > 0.0 { height / most } else { 0.0 }, room);
        let group = if groups > 0 { format!("{}  ", fitted(group, groups)) } else { String::new() };
        text.push_str(&format!("{}  {group}{bar} {value}\n", fitted(shown, names)));
    }
    text
}

/// Truncates or pads a text to a width.
fn fitted(text: &str, width: usize) -> String {
    let cut: String = match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    };
    format!("{cut:width$}")
}

fn bar(share: f64, room: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * room as f64 * 8.0).round() as usize;
    let mut bar: String = std::iter::repeat_n(WHOLE, eighths / 8).collect();
    bar.extend(eighths.checked_rem(8).and_then(|rest| PARTS.get(rest.wrapping_sub(1))));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 3), "█▌");
        assert_eq!(bar(0.0, 3), "");
        assert_eq!(fitted("abcdef", 4), "abc…");
    }
}
