//! A drawing as a list of shapes in points (1/72 inch), the origin at the top left.

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// So much of the way to another colour, 0 to 1.
    pub fn towards(self, other: Self, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// `0072B2`.
    pub fn hex(self) -> String {
        format!("{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Where a text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something that is drawn.
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
    /// How many times as large it is shown.
    pub zoom: f64,
    pub background: Color,
    pub shapes: Vec<SceneShape>,
}

impl Scene {
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: Color, width: f64) {
        self.shapes.push(SceneShape::Line { points: vec![from, to], color, width, dash: None });
    }

    /// A line in bold that begins at a place.
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
