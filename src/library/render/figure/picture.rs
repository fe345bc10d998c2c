//! Renders an SVG as PNG or PDF with the embedded font only, so that the picture is the same on every machine.

use std::sync::Arc;

use svg2pdf::usvg::{self, Options, Tree, fontdb};

use super::scene::{BOLD, REGULAR};

/// Pixels per point at 300 dpi.
const SCALE: f32 = 300.0 / 72.0;

pub(super) fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    // usvg measures in pixels of 1/96 inch.
    let scale = SCALE * 72.0 / 96.0;
    let size = tree.size().to_int_size().scale_by(scale).ok_or("the picture has no size")?;
    let mut pixels = resvg::tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, resvg::tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, String> {
    // Sizes are in points: a PDF page has 72 per inch, usvg 96 pixels.
    let page = svg2pdf::PageOptions { dpi: 96.0 };
    let written = svg2pdf::to_pdf(&tree(&with_one_font(svg))?, svg2pdf::ConversionOptions::default(), page);
    written.map(declared).map_err(|error| error.to_string())
}

/// Declares PDF 1.5, the version whose features the file uses: pdfTeX writes 1.5 and warns about a picture of a newer version.
fn declared(mut pdf: Vec<u8>) -> Vec<u8> {
    const WRITTEN: &[u8] = b"%PDF-1.7";
    const DECLARED: &[u8] = b"%PDF-1.5";
    if pdf.starts_with(WRITTEN) {
        pdf[..DECLARED.len()].copy_from_slice(DECLARED);
    }
    pdf
}

/// Draws bold text as regular text with a stroke: svg2pdf writes several fonts in an order that changes from run to run,
/// and a figure must have the same bytes each time.
fn with_one_font(svg: &str) -> String {
    const BOLD_TEXT: &str = " font-weight=\"bold\"";
    let lines = svg.lines().map(|line| {
        let color =
            line.split_once(" fill=\"").and_then(|(_, rest)| rest.get(..7)).filter(|_| line.contains(BOLD_TEXT));
        match color {
            Some(color) => line.replace(BOLD_TEXT, &format!(" stroke=\"{color}\" stroke-width=\"0.35\"")) + "\n",
            None => format!("{line}\n"),
        }
    });
    lines.collect()
}

fn tree(svg: &str) -> Result<Tree, String> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    let options = Options { fontdb: Arc::new(fonts), font_family: "Arimo".to_owned(), ..Options::default() };
    usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())
}
