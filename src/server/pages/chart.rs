//! Small charts within a page: bars, intervals and dots, drawn in percent of the available width, in the style sheet's
//! colours, with every number beside them as text.

use maud::{Markup, html};

/// A position in percent, as an SVG attribute.
fn percent(share: f64) -> String {
    format!("{:.2}%", share.clamp(0.0, 1.0) * 100.0)
}

/// A bar from the left; `is_first` marks candidates to which no other is shown to be superior.
pub(super) fn bar(share: f64, is_first: bool) -> Markup {
    html! {
        svg.bar aria-hidden="true" {
            rect class=(if is_first { "first" } else { "other" }) width=(percent(share)) height="100%" {}
        }
    }
}

/// A step times a power of ten without rounding error: 7 tenths are 0.7, unlike the product of 7 and 0.1.
fn scaled(step: f64, power: i32) -> f64 {
    if power < 0 { step / 10f64.powi(-power) } else { step * 10f64.powi(power) }
}

/// A logarithmic axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogAxis {
    low: f64,
    high: f64,
}

/// The margin beyond the outermost values, as a fraction of the axis.
const MARGIN: f64 = 0.03;
/// Maximum number of ticks.
const MOST_TICKS: usize = 6;

impl LogAxis {
    /// The axis for the positive ones of some values; `None` where there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values = values.into_iter().filter(|value| value.is_finite() && *value > 0.0).map(f64::ln);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let room = ((high - low) * MARGIN).max(0.02);
        (low <= high).then_some(Self { low: low - room, high: high + room })
    }

    fn share(&self, value: f64) -> f64 {
        (value.ln() - self.low) / (self.high - self.low)
    }

    /// Round numbers along the axis: 1, 2 and 5 times powers of ten, or only the powers where these are many.
    fn ticks(&self) -> Vec<f64> {
        let powers =
            (self.low / std::f64::consts::LN_10).floor() as i32..=(self.high / std::f64::consts::LN_10).ceil() as i32;
        let of = |steps: &[f64]| -> Vec<f64> {
            let all =
                powers.clone().flat_map(|power| steps.iter().map(move |step| scaled(*step, power)).collect::<Vec<_>>());
            all.filter(|tick| (self.low..=self.high).contains(&tick.ln())).collect()
        };
        const FINE: &[f64] = &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
        let choices = [of(FINE), of(&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]), of(&[1.0, 2.0, 5.0]), of(&[1.0])];
        choices.into_iter().find(|ticks| ticks.len() <= MOST_TICKS).unwrap_or_default()
    }

    /// The labels of the ticks.
    pub fn scale(&self) -> Markup {
        html! {
            svg.scale width="100%" height="16" aria-hidden="true" {
                @for tick in self.ticks() {
                    text x=(percent(self.share(tick))) y="12" text-anchor="middle" { (tick) }
                }
            }
        }
    }

    /// A row of the chart: faint lines at the ticks, a strong one at 1, and its marks.
    pub fn track(&self, height: usize, said: &str, marks: &Markup) -> Markup {
        html! {
            svg.track width="100%" height=(height) role="img" aria-label=(said) {
                title { (said) }
                @for tick in self.ticks() {
                    @let x = percent(self.share(tick));
                    line class=(if tick == 1.0 { "one" } else { "grid" }) x1=(x) x2=(x) y1="0" y2="100%" {}
                }
                (marks)
            }
        }
    }

    /// A value with its interval; `is_hollow` marks unmeasured values, `is_first` those to which no other is shown to be superior.
    pub fn interval(&self, value: f64, ends: Option<(f64, f64)>, is_hollow: bool, is_first: bool) -> Markup {
        let class = match (is_hollow, is_first) {
            (true, _) => "hollow",
            (false, true) => "first",
            (false, false) => "other",
        };
        html! {
            @if let Some((low, high)) = ends {
                line.whisker x1=(percent(self.share(low))) x2=(percent(self.share(high))) y1="50%" y2="50%" {}
            }
            circle class=(class) cx=(percent(self.share(value))) cy="50%" r="4.5" {}
        }
    }

    /// Single values as faint dots.
    pub fn dots(&self, values: &[f64]) -> Markup {
        html! {
            @for value in values { circle.dot cx=(percent(self.share(*value))) cy="50%" r="3.5" {} }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_its_values_and_has_few_round_ticks() {
        let axis = LogAxis::of([0.38, 1.0, 1.79]).unwrap();
        assert!(axis.share(0.38) > 0.0 && axis.share(1.79) < 1.0);
        assert_eq!(axis.ticks(), [0.5, 0.7, 1.0, 1.5]);
        assert_eq!(LogAxis::of([0.01, 100.0]).unwrap().ticks(), [0.01, 0.1, 1.0, 10.0, 100.0]);
        assert_eq!(LogAxis::of([f64::NAN, -1.0]), None);
        assert!(LogAxis::of([1.0]).unwrap().share(1.0) > 0.4, "one value stands in the middle");
    }

    #[test]
    fn what_is_drawn_has_no_style_of_its_own() {
        let axis = LogAxis::of([0.5, 2.0]).unwrap();
        let drawn = axis.track(20, "1 (0.5 to 2)", &axis.interval(1.0, Some((0.5, 2.0)), false, true)).into_string();
        assert!(
            drawn.contains("cx=\"50.00%\"") && drawn.contains("class=\"one\"") && !drawn.contains("style"),
            "{drawn}"
        );
        assert!(bar(2.0, true).into_string().contains("width=\"100.00%\""));
    }
}
