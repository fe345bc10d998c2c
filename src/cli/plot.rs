//! `dlbench plot`: a figure for a paper, or bars in the terminal.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options;
use super::options::ForPaper;
use super::options::choice;
use super::options::{aspect, aspects};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::FigureError;
use dlbench::ask::paper::{DrawnItem, FigureFiles, PaperOutput, UsedValue};
use dlbench::ask::plot::{
    AxisOptions, AxisScale, CategoryOrder, Figure, FigureKind, PlotError, PlotPick, PlotRequest, Remedy,
};
use dlbench::model::Aspect;
use dlbench::render;
use dlbench::render::figure::{self, FigureStyle, Theme};
use dlbench::render::paper::ItemSetting;
use dlbench::values::text::{printable, printable_path};

#[derive(Debug, Args)]
pub(super) struct PlotArgs {
    /// The question, as for `dlbench query` [default: all rows; then state an axis or a kind]
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// Horizontal axis: a field, metric or catalog fact [default: from the question]
    #[arg(long, value_name = "FIELD")]
    x: Option<String>,
    /// Vertical axis: a metric, or a field for a heat map of coverage
    #[arg(long, value_name = "METRIC")]
    y: Option<String>,
    /// Scale of the horizontal axis [default: depends on the values]
    #[arg(long, value_parser = choice::<AxisScale>())]
    x_scale: Option<AxisScale>,
    /// The same for the vertical axis
    #[arg(long, value_parser = choice::<AxisScale>())]
    y_scale: Option<AxisScale>,
    /// Limits of the horizontal axis, such as 0:500 [default: depend on the values]
    #[arg(long, value_name = "LOW:HIGH", value_parser = limits, allow_hyphen_values = true)]
    x_limits: Option<(f64, f64)>,
    /// The same for the vertical axis
    #[arg(long, value_name = "LOW:HIGH", value_parser = limits, allow_hyphen_values = true)]
    y_limits: Option<(f64, f64)>,
    /// Fields that colours distinguish; a second one is shown by shade
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group: Vec<String>,
    /// One panel for each value of these fields
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    facet: Vec<String>,
    /// Fields with which to label points
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    label: Vec<String>,
    /// Kind of figure [default: depends on the axes]
    #[arg(long, value_parser = choice::<FigureKind>())]
    kind: Option<FigureKind>,
    /// Connect the points that no other point beats in both numbers
    #[arg(long)]
    pareto: bool,
    /// Which of several measurements at the same position to draw
    #[arg(long, value_parser = choice::<PlotPick>())]
    pick: Option<PlotPick>,
    /// If rows are not comparable, draw only those with the most common setting; the others are counted
    #[arg(long)]
    common: bool,
    /// Order of names along the axis
    #[arg(long, value_parser = choice::<CategoryOrder>(), default_value = "name")]
    order: CategoryOrder,
    /// Write to this file (.svg .png .pdf .tex .json), and the data as .csv beside it [default: print bars]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Colour theme
    #[arg(long, value_parser = choice::<Theme>(), default_value = "light")]
    theme: Theme,
    /// Width in millimetres: 85 for a column of most papers, 170 for a page [default: 150; in a paper, the width of its class]
    #[arg(long, value_name = "MM", value_parser = width)]
    width: Option<f64>,
    /// Height of the axes in millimetres [default: depends on the width]
    #[arg(long, value_name = "MM", value_parser = height)]
    height: Option<f64>,
    /// Font size of the axis numbers in points; other text scales with it [default: 7.5]
    #[arg(long, value_name = "PT", value_parser = type_size)]
    type_size: Option<f64>,
    /// Title [default: what all values have in common]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Omit title and remarks, for a figure with a caption
    #[arg(long)]
    plain: bool,
    /// Write the cited sources to this BibTeX file
    #[arg(long, value_name = "FILE")]
    bib: Option<PathBuf>,
}

/// The file format of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FigureFormat {
    Svg,
    Png,
    Pdf,
    Tex,
    Json,
}

/// Default width of a figure, mm.
const USUAL_WIDTH: f64 = 150.0;

/// The file extensions of the formats.
const FORMATS: &[(&str, FigureFormat)] = &[
    ("svg", FigureFormat::Svg),
    ("png", FigureFormat::Png),
    ("pdf", FigureFormat::Pdf),
    ("tex", FigureFormat::Tex),
    ("json", FigureFormat::Json),
];

/// The formats of a figure in a paper: for LaTeX and for web pages.
const IN_A_PAPER: &[(&str, FigureFormat)] = &[
    #[cfg(feature = "pictures")]
    ("pdf", FigureFormat::Pdf),
    ("tex", FigureFormat::Tex),
    ("svg", FigureFormat::Svg),
];

pub(super) fn run(args: &PlotArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let request = args.request()?;
    // A plot of all rows is meaningless without axes.
    if args.question.is_empty() && request.x.is_none() && request.y.is_none() && request.kind.is_none() {
        return Err(Failure::usage(
            "there is no question",
            "dlbench plot \"vgg16 eval titan v\"; `dlbench plot --help` has more",
        ));
    }
    // Rejects an unknown file extension before the work.
    let output = args.output.as_deref().map(|path| Ok::<_, Failure>((path, format_of(path)?))).transpose()?;
    let kb = global.open(screen)?;
    let Some(figure) = args.figure(&request, &kb, screen)? else { return Ok(Outcome::NothingFound) };
    match output {
        None => screen.print(&figure::text(&figure, screen.width()))?,
        Some((path, format)) => {
            let drawn = drawn(&figure, &args.look(), format)?;
            let data = figure::csv(&figure)?;
            screen.save(path, &drawn)?;
            let csv = path.with_extension("csv");
            screen.deliver(&data, Some(&csv))?;
            // Programs that call this know what they requested; the message is for a person.
            if std::io::stderr().is_terminal() {
                screen.tell(&format!("wrote {} and its data, {}", printable_path(path), printable_path(&csv)));
            }
        }
    }
    if let Some(file) = &args.bib {
        let references = kb.references(figure.sources.iter().map(String::as_str), &[])?;
        options::add_to(file, &references, screen)?;
    }
    Ok(Outcome::Done)
}

impl PlotArgs {
    fn request(&self) -> Result<PlotRequest, Failure> {
        Ok(PlotRequest {
            kind: self.kind,
            x: self.x.as_deref().map(aspect).transpose()?,
            y: self.y.as_deref().map(aspect).transpose()?,
            x_axis: AxisOptions { scale: self.x_scale, limits: self.x_limits },
            y_axis: AxisOptions { scale: self.y_scale, limits: self.y_limits },
            group: aspects(&self.group)?,
            facet: aspects(&self.facet)?,
            label: aspects(&self.label)?,
            pareto: self.pareto,
            pick: self.pick,
            order: self.order,
            narrowed: self.common,
        })
    }

    /// The figure; `None`, with the reason on stderr, where there is nothing to draw.
    fn figure(&self, request: &PlotRequest, kb: &KnowledgeBase, screen: &Screen) -> Result<Option<Figure>, Failure> {
        let question = self.question.join(" ").trim().to_owned();
        match kb.figure(&question, request) {
            Ok(figure) => Ok(Some(figure)),
            Err(FigureError::Query(error)) => Err(Failure::Query { question, error }),
            Err(FigureError::Plot(PlotError::Nothing(why))) => {
                let rows = own_words("query", &question, &[]);
                screen.tell(&format!("there is nothing to draw: {}\nhelp: {rows}", printable(&why)));
                Ok(None)
            }
            Err(FigureError::Plot(refused @ PlotError::Refused { .. })) => {
                Err(Failure::usage(refused.to_string(), help_of(&refused, &question, request, kb)))
            }
        }
    }

    fn look(&self) -> FigureStyle {
        FigureStyle {
            theme: self.theme,
            width_mm: self.width.unwrap_or(USUAL_WIDTH),
            height_mm: self.height,
            type_pt: self.type_size,
            title: self.title.clone(),
            plain: self.plain,
        }
    }

    /// The figure's files for a paper; `None` where there is nothing to draw.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, the figure would be misleading, or an option is not allowed in a paper.
    pub(super) fn paper_output(&self, kb: &KnowledgeBase, setting: &ItemSetting, screen: &Screen) -> ForPaper {
        let given = [("--output", self.output.is_some()), ("--bib", self.bib.is_some())];
        if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Failure::usage(
                format!("{option} has no place in a command of a paper"),
                "`dlbench paper` draws every figure in all formats, with one bibliography for all",
            ));
        }
        let Some(figure) = self.figure(&self.request()?, kb, screen)? else { return Ok(None) };
        let references = kb.references(figure.sources.iter().map(String::as_str), &[])?;
        let title = self.title.clone().unwrap_or_else(|| figure.caption());
        // The caption replaces the title, and the remarks are set below the picture.
        let layout = setting.layout_of_figure(self.width);
        let width_mm = self.width.unwrap_or_else(|| setting.width_mm(layout));
        let look = FigureStyle { plain: true, width_mm, ..self.look() };
        let mut files = Vec::new();
        for (extension, format) in IN_A_PAPER {
            files.push(((*extension).to_owned(), drawn(&figure, &look, *format)?));
        }
        files.push(("csv".to_owned(), figure::csv(&figure)?.into_bytes()));
        let pictured = FigureFiles {
            files,
            caption: setting.caption.clone().unwrap_or(title),
            label: setting.label.clone(),
            remarks: figure.notes.clone(),
            cite: references.keys(),
            layout,
            width_mm: self.width,
        };
        Ok(Some(PaperOutput { drawn: DrawnItem::Figure(pictured), used: used(&figure), references }))
    }
}

/// A dlbench command with a question, quoted for a shell.
fn own_words(command: &str, question: &str, options: &[(&str, String)]) -> String {
    let quoted = |word: &str| match word.chars().all(|c| c.is_ascii_alphanumeric() || "-_,.:".contains(c)) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let options = options.iter().map(|(option, value)| format!(" --{option} {}", quoted(value)));
    let question = (!question.is_empty()).then(|| format!(" {}", quoted(question)));
    format!("dlbench {command}{}", question.into_iter().chain(options).collect::<String>())
}

/// The help for a refused figure, with a command that was tested: the simplest one that draws, else the one that lists the rows.
fn help_of(refused: &PlotError, question: &str, request: &PlotRequest, kb: &KnowledgeBase) -> String {
    let PlotError::Refused { remedies, .. } = refused else { return String::new() };
    let draws = |(question, request): &(String, PlotRequest)| kb.figure(question, request).is_ok();
    let is_long = |remedy: &&Remedy| matches!(remedy, Remedy::Narrow(_) | Remedy::NarrowAndPick(_));
    let short =
        remedies.iter().filter(|remedy| !is_long(remedy)).filter_map(|remedy| remedy.applied(question, request));
    let pick = request.pick.or(Some(PlotPick::Best));
    let common = (question.to_owned(), PlotRequest { narrowed: true, pick, ..request.clone() });
    let common = Some(common).filter(|_| !request.narrowed);
    let command = match short.chain(common).find(draws) {
        Some((question, request)) => command_of(&question, &request),
        None => own_words("query", question, &[]),
    };
    format!("{}:\n  {command}", refused.help())
}

/// The command line for a request.
fn command_of(question: &str, request: &PlotRequest) -> String {
    let keys = |aspects: &[Aspect]| aspects.iter().map(|aspect| aspect.key()).collect::<Vec<_>>().join(",");
    let one = |aspect: Option<Aspect>| aspect.map(|aspect| aspect.key().to_string());
    let options = [
        ("kind", request.kind.map(|kind| kind.to_string())),
        ("x", one(request.x)),
        ("y", one(request.y)),
        ("group", Some(keys(&request.group)).filter(|keys| !keys.is_empty())),
        ("facet", Some(keys(&request.facet)).filter(|keys| !keys.is_empty())),
        ("label", Some(keys(&request.label)).filter(|keys| !keys.is_empty())),
        ("pick", request.pick.map(|pick| pick.to_string())),
    ];
    let options: Vec<(&str, String)> = options.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let flags = [(request.pareto, " --pareto"), (request.narrowed, " --common")];
    let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| *flag).collect();
    own_words("plot", question, &options) + &flags
}

/// Every drawn value, with its panel, its group, and its position on the horizontal axis.
fn used(figure: &Figure) -> Vec<UsedValue> {
    let points = figure.points().filter(|(_, _, point)| point.count > 0);
    let used = points.map(|(panel, series, point)| {
        let group = series.group.and_then(|group| figure.groups.get(group)).map_or("", |group| group.name.as_str());
        let [x, y] = &point.texts;
        let place = match figure.kind {
            FigureKind::Heatmap => [panel.title.as_str(), x, y],
            _ => [panel.title.as_str(), group, x],
        };
        UsedValue {
            at: place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
            id: point.id.clone(),
            measure: if figure.kind == FigureKind::Heatmap { "measurements".to_owned() } else { figure.y.key.clone() },
            value: if figure.kind == FigureKind::Heatmap { point.count.to_string() } else { y.clone() },
            ..UsedValue::default()
        }
    });
    used.collect()
}

fn drawn(figure: &Figure, look: &FigureStyle, format: FigureFormat) -> Result<Vec<u8>, Failure> {
    Ok(match format {
        FigureFormat::Svg => figure::svg(figure, look).into_bytes(),
        FigureFormat::Tex => figure::pgfplots(figure, look).into_bytes(),
        FigureFormat::Json => render::json(&figure::vega_lite(figure, look))?.into_bytes(),
        #[cfg(feature = "pictures")]
        FigureFormat::Png => figure::png(figure, look).map_err(failed)?,
        #[cfg(feature = "pictures")]
        FigureFormat::Pdf => figure::pdf(figure, look).map_err(failed)?,
        #[cfg(not(feature = "pictures"))]
        FigureFormat::Png | FigureFormat::Pdf => {
            return Err(Failure::usage(
                "this dlbench was built without the feature `pictures`, which draws PNG and PDF",
                "write .svg, .tex or .json, or build with --features pictures",
            ));
        }
    })
}

#[cfg(feature = "pictures")]
fn failed(why: String) -> Failure {
    Failure::Output(std::io::Error::other(why))
}

fn format_of(path: &Path) -> Result<FigureFormat, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let named = FORMATS.iter().find(|(name, _)| extension.as_deref() == Some(name));
    named.map(|(_, format)| *format).ok_or_else(|| {
        Failure::usage(
            format!("the name of {} does not say how to write the figure", printable_path(path)),
            "end it in .svg, .png, .pdf, .tex (pgfplots) or .json (Vega-Lite)",
        )
    })
}

fn width(text: &str) -> Result<f64, String> {
    within(text, 60.0..=1000.0, "millimetres")
}

fn height(text: &str) -> Result<f64, String> {
    within(text, 30.0..=1000.0, "millimetres")
}

fn type_size(text: &str) -> Result<f64, String> {
    within(text, 4.0..=30.0, "points")
}

/// Parses limits such as `0:500`.
fn limits(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let ends = text.split_once(':').and_then(|(low, high)| Some((number(low)?, number(high)?)));
    ends.ok_or_else(|| "two numbers with a colon between them, such as 0:500".to_owned())
}

fn within(text: &str, possible: std::ops::RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("a number of {unit}"))?;
    let (least, most) = (possible.start(), possible.end());
    if possible.contains(&number) { Ok(number) } else { Err(format!("from {least} to {most} {unit}")) }
}
