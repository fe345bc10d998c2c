//! A drawing as a list of shapes in points (1/72 inch, origin at the top left), and text widths. Arimo has the metrics of Arial,
//! Helvetica and Liberation Sans, so that the layout holds with any of them.

use std::sync::OnceLock;

use ttf_parser::Face;

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Mixes in `share` (0 to 1) of another colour.
    pub fn towards(self, other: Self, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// As hexadecimal digits: `0072B2`.
    pub fn hex(self) -> String {
        format!("{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Which part of a text is at its coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A shape to draw.
#[derive(Debug, Clone)]
pub(super) enum SceneShape {
    Rect { x: f64, y: f64, w: f64, h: f64, fill: Option<Color>, stroke: Option<(Color, f64)>, tip: String },
    Line { points: Vec<(f64, f64)>, color: Color, width: f64, dash: Option<&'static str> },
    Marker { x: f64, y: f64, r: f64, form: usize, fill: Option<Color>, stroke: Color, tip: String },
    Text { x: f64, y: f64, text: String, size: f64, color: Color, anchor: Anchor, bold: bool, turned: f64 },
}

/// A drawing.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// Scale factor for display.
    pub zoom: f64,
    pub background: Color,
    pub shapes: Vec<SceneShape>,
}

impl Scene {
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: Color, width: f64) {
        self.shapes.push(SceneShape::Line { points: vec![from, to], color, width, dash: None });
    }

    /// Adds bold text that starts at a position.
    pub fn heading(&mut self, (x, y): (f64, f64), text: String, size: f64, color: Color) {
        self.shapes.push(SceneShape::Text { x, y, text, size, color, anchor: Anchor::Start, bold: true, turned: 0.0 });
    }

    pub fn text(&mut self, at: (f64, f64), text: &str, size: f64, color: Color, anchor: Anchor) {
        let (x, y) = at;
        self.shapes.push(SceneShape::Text {
            x,
            y,
            text: text.to_owned(),
            size,
            color,
            anchor,
            bold: false,
            turned: 0.0,
        });
    }
}

/// Arimo 1.33, Latin; SIL Open Font License 1.1 (`fonts/OFL.txt`).
pub(super) const REGULAR: &[u8] = include_bytes!("fonts/Arimo-Regular.ttf");

pub(super) const BOLD: &[u8] = include_bytes!("fonts/Arimo-Bold.ttf");

/// Fonts in the order in which a viewer looks for them.
pub(super) const FAMILY: &str = "Arimo, Arial, Helvetica, Liberation Sans, sans-serif";

/// Type size of titles, in points.
pub(super) const TITLE: f64 = 10.0;

/// Type size of axis titles.
pub(super) const LABEL: f64 = 8.5;

/// Type size of tick labels and the legend.
pub(super) const TICK: f64 = 7.5;

/// Type size of point labels and of notes below the figure.
pub(super) const NOTE: f64 = 6.5;

/// Smaller type is unreadable in print.
pub(super) const SMALLEST: f64 = 5.5;

/// Assumed width of a glyph that the font lacks, as a share of the type size.
const UNKNOWN: f64 = 0.6;

fn face(bold: bool) -> Option<&'static Face<'static>> {
    static FACES: OnceLock<[Option<Face<'static>>; 2]> = OnceLock::new();
    let faces = FACES.get_or_init(|| [Face::parse(REGULAR, 0).ok(), Face::parse(BOLD, 0).ok()]);
    faces[usize::from(bold)].as_ref()
}

/// Width of a text at a type size, both in points.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let Some(face) = face(bold) else { return text.chars().count() as f64 * size * UNKNOWN };
    let unit = f64::from(face.units_per_em());
    let advance = |c: char| {
        let advance = face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph));
        advance.map_or(UNKNOWN, |advance| f64::from(advance) / unit)
    };
    text.chars().map(advance).sum::<f64>() * size
}

/// Width of the widest text.
pub(super) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text, size, false)).fold(0.0, f64::max)
}

/// Replaces characters that the font lacks by their code points, such as `[U+4E2D]`.
pub(super) fn settable(text: &str) -> String {
    let mut safe = String::new();
    for c in crate::values::text::printable(text).chars() {
        match c {
            '\n' | '\t' => safe.push(' '),
            c if face(false).is_none_or(|face| face.glyph_index(c).is_some()) => safe.push(c),
            c => safe.push_str(&format!("[U+{:04X}]", u32::from(c))),
        }
    }
    safe
}

/// Wraps a text into lines of at most `room` points where words allow it; non-breaking spaces do not break.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, false) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // Arial's digits are 1139 of 2048 units wide.
        assert!((width("00", 10.0, false) - 11.12).abs() < 0.01);
        assert!(width("Wide", 10.0, true) > width("Wide", 10.0, false));
        assert_eq!(wrapped("PyTorch 0.3.0 on Titan", 8.0, 60.0), ["PyTorch 0.3.0", "on Titan"]);
        assert_eq!(settable("a\u{202e}中·"), "a\\u{202e}[U+4E2D]·");
    }
}
