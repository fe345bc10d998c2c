//! `dlbench stats`: the quality of the knowledge base.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::screen::Screen;
use dlbench::contribute::quality::{Coverage, Quality, Stated};
use dlbench::render;
use dlbench::render::Format;
use dlbench::render::heading;
use dlbench::render::table::Table;
use dlbench::values::{Grid, GridColumn};

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

pub(super) fn run(args: &StatsArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let (files, _kb) = global.files_to_read(screen)?;
    let quality = files.quality()?;
    let text = match args.format {
        Format::Json => render::json(&quality)?,
        format if format.is_delimited() => Table::from(&sources(&quality)).draw(format, screen.width())?,
        format => page(&quality, format, screen.width())?,
    };
    screen.print(&text)?;
    Ok(Outcome::Done)
}

/// The whole report for a reader.
fn page(quality: &Quality, format: Format, width: usize) -> Result<String, Failure> {
    let parts = [
        ("The catalog", catalog(quality)),
        ("Measurements by the year in which their hardware came out", released(quality)),
        ("Hardware of the newest three years", newest(quality)),
        ("Measurements by what they measure", metrics(quality)),
        ("Measurements by what dates them", dated(quality)),
        ("Measurements that state it, in per cent", sources(quality)),
        ("What the sources hold and the knowledge base does not", left_out(quality)),
    ];
    let mut drawn = Vec::new();
    for (title, grid) in parts.iter().filter(|(_, grid)| !grid.rows.is_empty()) {
        let title = match format {
            Format::Markdown => format!("## {title}\n\n"),
            Format::Table => heading(title),
            _ => String::new(),
        };
        drawn.push(title + &Table::from(grid).draw(format, width)?);
    }
    Ok(drawn.join("\n"))
}

fn catalog(quality: &Quality) -> Grid {
    let column = |heading: &str, numeric| GridColumn { heading: heading.to_owned(), numeric };
    let columns = vec![column("facts", false), column("have", true), column("of", true), column("%", true)];
    let mut grid = Grid { columns, rows: Vec::new() };
    for (name, share) in [
        ("facts with a citation", quality.facts_cited),
        ("devices with dense peaks", quality.devices_with_peaks),
        ("networks with parameters and multiply-adds", quality.networks_with_figures),
    ] {
        grid.push(vec![name.to_owned(), share.have.to_string(), share.of.to_string(), per_cent(share)]);
    }
    grid
}

fn released(quality: &Quality) -> Grid {
    let headings = ["hardware of", "whole networks", "single operations", "devices", "sources"];
    let mut grid = counts(&headings);
    for (year, of) in &quality.released {
        let numbers = [of.networks, of.operations, of.devices.len(), of.sources.len()];
        grid.push([year.clone()].into_iter().chain(numbers.map(|number| number.to_string())).collect());
    }
    grid
}

fn newest(quality: &Quality) -> Grid {
    let mut grid = counts(&["hardware", "came out", "whole networks", "single operations", "sources"]);
    for (id, of) in &quality.newest {
        let date = of.date.map(|date| date.to_string()).unwrap_or_default();
        let numbers = [of.networks, of.operations, of.sources.len()].map(|number| number.to_string());
        grid.push([id.to_string(), date].into_iter().chain(numbers).collect());
    }
    grid
}

fn metrics(quality: &Quality) -> Grid {
    let mut grid = counts(&["metric", "measurements"]);
    let priced = ("price-usd-per-hour (a field)", &quality.priced);
    for (metric, rows) in quality.metrics.iter().map(|(metric, rows)| (metric.as_str(), rows)).chain([priced]) {
        grid.push(vec![metric.to_owned(), rows.to_string()]);
    }
    grid
}

fn dated(quality: &Quality) -> Grid {
    let mut grid = counts(&["dated by", "measurements", "%"]);
    let of = quality.measurements.date.of;
    for (by, &have) in &quality.dated {
        grid.push(vec![by.to_string(), have.to_string(), per_cent(Coverage { have, of })]);
    }
    grid
}

/// A table of numbers; the texts of the first column name the rows.
fn counts(headings: &[&str]) -> Grid {
    let column = |(at, heading): (usize, &&str)| match at {
        0 => GridColumn::text(*heading),
        _ => GridColumn::number(*heading),
    };
    Grid { columns: headings.iter().enumerate().map(column).collect(), rows: Vec::new() }
}

fn sources(quality: &Quality) -> Grid {
    let mut columns = vec![GridColumn::text("source"), GridColumn::number("measurements")];
    columns.extend(Stated::default().shares().map(|(name, _)| GridColumn::number(name)));
    let mut grid = Grid { columns, rows: Vec::new() };
    let mut row = |name: &str, stated: &Stated| {
        let mut cells = vec![name.to_owned(), stated.sku.of.to_string()];
        cells.extend(stated.shares().map(|(_, share)| per_cent(share)));
        grid.push(cells);
    };
    quality.sources.iter().for_each(|(id, source)| row(id.as_str(), &source.stated));
    row("all", &quality.measurements);
    grid
}

fn left_out(quality: &Quality) -> Grid {
    let columns = vec![GridColumn::text("source"), GridColumn::number("rows"), GridColumn::text("left out, because")];
    let mut grid = Grid { columns, rows: Vec::new() };
    for (id, source) in &quality.sources {
        for left_out in &source.left_out {
            let rows = left_out.rows.map(|rows| rows.to_string()).unwrap_or_default();
            grid.push(vec![id.to_string(), rows, left_out.reason.clone()]);
        }
    }
    grid
}

fn per_cent(share: Coverage) -> String {
    let per_mille = share.per_mille();
    format!("{}.{}", per_mille / 10, per_mille % 10)
}
