//! Figures: laid out once as a scene of shapes for SVG, PNG and PDF; written as axes for pgfplots and Vega-Lite.

mod bars;
mod canvas;
mod frame;
mod heat;
mod labels;
mod marks;
mod palette;
mod pgfplots;
#[cfg(feature = "pictures")]
mod picture;
mod scene;
mod svg;
mod text;
mod vega;

pub use canvas::FigureStyle;
pub use palette::Theme;
pub use pgfplots::pgfplots;
pub use svg::csv;
pub use text::text;
pub use vega::vega_lite;

use crate::ask::plot::Figure;

/// The figure as an SVG document.
pub fn svg(figure: &Figure, look: &FigureStyle) -> String {
    svg::draw(&canvas::laid_out(figure, look), figure)
}

/// The figure as a PNG of 300 pixels per inch.
///
/// # Errors
///
/// Fails if the SVG cannot be rasterized.
#[cfg(feature = "pictures")]
pub fn png(figure: &Figure, look: &FigureStyle) -> Result<Vec<u8>, String> {
    picture::png(&svg(figure, look))
}

/// The figure as a one-page PDF with selectable text.
///
/// # Errors
///
/// Fails if the SVG cannot be converted to PDF.
#[cfg(feature = "pictures")]
pub fn pdf(figure: &Figure, look: &FigureStyle) -> Result<Vec<u8>, String> {
    picture::pdf(&svg(figure, look))
}
