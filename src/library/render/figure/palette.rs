//! Colours that people with any kind of colour vision can distinguish.
//!
//! The eight are those of Masataka Okabe and Kei Ito, Color Universal Design, 2008 (https://jfly.uni-koeln.de/color/), in an
//! order that puts the ones with the strongest contrast first. Shades, marks and bar patterns distinguish groups as well, so
//! that a figure reads in black and white.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::scene::Color;

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Theme {
    /// On white, for print
    #[default]
    Light,
    /// On near-black, for screens
    Dark,
}

/// The colours of a figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    pub background: Color,
    pub ink: Color,
    pub muted: Color,
    pub grid: Color,
    hues: [Color; 8],
    /// Colours of the lowest and highest counts in a heat map.
    pub few: Color,
    pub many: Color,
}

const BLUE: Color = Color(0x00, 0x72, 0xB2);
const VERMILION: Color = Color(0xD5, 0x5E, 0x00);
const GREEN: Color = Color(0x00, 0x9E, 0x73);
const ORANGE: Color = Color(0xE6, 0x9F, 0x00);
const SKY: Color = Color(0x56, 0xB4, 0xE9);
const PURPLE: Color = Color(0xCC, 0x79, 0xA7);
const YELLOW: Color = Color(0xF0, 0xE4, 0x42);
const BLACK: Color = Color(0x00, 0x00, 0x00);
const WHITE: Color = Color(0xFF, 0xFF, 0xFF);

impl Palette {
    pub fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self {
                background: WHITE,
                ink: Color(0x1A, 0x1A, 0x1A),
                muted: Color(0x59, 0x59, 0x59),
                grid: Color(0xE0, 0xE0, 0xE0),
                hues: [BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE, BLACK, YELLOW],
                few: Color(0xE3, 0xEF, 0xF7),
                many: Color(0x00, 0x3D, 0x61),
            },
            Theme::Dark => Self {
                background: Color(0x16, 0x18, 0x1C),
                ink: Color(0xEC, 0xEC, 0xEC),
                muted: Color(0xB0, 0xB0, 0xB0),
                grid: Color(0x36, 0x3A, 0x40),
                // On a dark background white replaces black, and sky blue is more readable than blue.
                hues: [SKY, ORANGE, GREEN, YELLOW, PURPLE, VERMILION, WHITE, BLUE],
                few: Color(0x1F, 0x33, 0x40),
                many: Color(0x8F, 0xD3, 0xFF),
            },
        }
    }

    /// The full colour of a group.
    pub fn hue(&self, hue: usize) -> Color {
        self.hues[hue % self.hues.len()]
    }

    /// The fill of a group's bars: the first shade is full, the others are lighter.
    pub fn fill(&self, hue: usize, shade: usize) -> Color {
        const TOWARDS_BACKGROUND: [f64; 4] = [0.0, 0.62, 0.85, 0.35];
        self.hue(hue).towards(self.background, TOWARDS_BACKGROUND[shade % TOWARDS_BACKGROUND.len()])
    }

    /// The dash pattern of a line: all shades but the first are dashed.
    pub fn dash(shade: usize) -> Option<&'static str> {
        const DASHES: [Option<&str>; 4] = [None, Some("4 2"), Some("1 2"), Some("6 2 1 2")];
        DASHES[shade % DASHES.len()]
    }

    /// The heat-map colour of a count, on a logarithmic scale from 1 to `most`.
    pub fn heat(&self, count: u64, most: u64) -> Color {
        let share = if most <= 1 { 1.0 } else { (count.max(1) as f64).ln() / (most as f64).ln() };
        self.few.towards(self.many, share.clamp(0.0, 1.0))
    }

    /// Text and patterns on a colour: black or white, whichever stands out more.
    pub fn on(&self, color: Color) -> Color {
        if contrast(BLACK, color) >= contrast(WHITE, color) { BLACK } else { WHITE }
    }
}

/// The contrast ratio of two colours by WCAG 2.2, from 1 to 21; it depends on their luminance (grey value) only.
fn contrast(one: Color, other: Color) -> f64 {
    let [low, high] = {
        let (one, other) = (luminance(one), luminance(other));
        if one < other { [one, other] } else { [other, one] }
    };
    (high + 0.05) / (low + 0.05)
}

/// The relative luminance of a colour in sRGB.
fn luminance(color: Color) -> f64 {
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The minimum contrast of text by WCAG.
    const TEXT: f64 = 4.5;

    #[test]
    fn in_grey_every_pattern_and_every_number_stands_out_from_its_ground() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = Palette::of(theme);
            for (hue, shade) in (0..8).flat_map(|hue| (0..4).map(move |shade| (hue, shade))) {
                let fill = palette.fill(hue, shade);
                let seen = contrast(palette.on(fill), fill);
                assert!(seen >= TEXT, "{theme}: hue {hue}, shade {shade}: {seen:.2}");
            }
            for count in [1, 2, 5, 10, 20, 50, 100] {
                let ground = palette.heat(count, 100);
                let seen = contrast(palette.on(ground), ground);
                assert!(seen >= TEXT, "{theme}: {count} of 100: {seen:.2}");
            }
        }
    }

    #[test]
    fn in_grey_few_and_many_lie_far_apart_and_lines_stand_out_from_the_page() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = Palette::of(theme);
            assert!(contrast(palette.few, palette.many) >= 5.0, "{theme}");
            assert!(contrast(palette.ink, palette.background) >= 7.0, "{theme}");
            let full = |hue: usize| contrast(palette.hue(hue), palette.background);
            // Most figures need the first six colours only.
            assert!((0..6).all(|hue| full(hue) >= 2.2), "{theme}: {:?}", (0..6).map(full).collect::<Vec<_>>());
        }
    }
}
