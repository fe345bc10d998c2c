//! Colours that people with any kind of colour vision tell apart.
//!
//! The eight are those of Masataka Okabe and Kei Ito, Color Universal Design, 2008 (https://jfly.uni-koeln.de/color/), in an
//! order that puts the ones of the strongest contrast first. Shades and marks tell groups apart, too, so that a figure
//! reads in black and white.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::scene::Color;

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Theme {
    /// On white, for paper
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
    /// What few and many look like in a heat map.
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
                // On dark, black stands for itself as white; sky blue reads better than blue.
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

    /// Lines of the second shade on are broken.
    pub fn dash(shade: usize) -> Option<&'static str> {
        const DASHES: [Option<&str>; 4] = [None, Some("4 2"), Some("1 2"), Some("6 2 1 2")];
        DASHES[shade % DASHES.len()]
    }

    /// The colour of so many, on a scale of ratios that ends at `most`.
    pub fn heat(&self, count: u64, most: u64) -> Color {
        let share = if most <= 1 { 1.0 } else { (count.max(1) as f64).ln() / (most as f64).ln() };
        self.few.towards(self.many, share.clamp(0.0, 1.0))
    }

    /// Text on a colour.
    pub fn on(&self, color: Color) -> Color {
        let light = f64::from(color.0) * 0.299 + f64::from(color.1) * 0.587 + f64::from(color.2) * 0.114;
        if light > 140.0 { Color(0x1A, 0x1A, 0x1A) } else { WHITE }
    }
}
