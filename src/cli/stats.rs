//! `dlbench stats`: how good the knowledge base is.

use clap::Args;

use super::choice::choice;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::contribute::quality::{Coverage, Quality, Stated};
use dlbench::render;
use dlbench::render::Format;
use dlbench::render::heading;
use dlbench::render::table::Table;
use dlbench::values::{Grid, GridColumn};

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// How to write it
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

pub(super) fn run(args: &StatsArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let quality = global.files()?.quality()?;
    let text = match args.format {
        Format::Json => render::json(&quality)?,
        format if format.is_delimited() => Table::from(&sources(&quality)).draw(format, screen.width())?,
        format => {
            let mut text = Table::from(&catalog(&quality)).draw(format, screen.width())?;
            text.push('\n');
            if format == Format::Table {
                text.push_str(&heading("Measurements that state it, in per cent"));
            }
            text.push_str(&Table::from(&sources(&quality)).draw(format, screen.width())?);
            text
        }
    };
    screen.print(&text)?;
    Ok(Outcome::Done)
}

fn catalog(quality: &Quality) -> Grid {
    let column = |heading: &str, numeric| GridColumn { heading: heading.to_owned(), numeric };
    let columns = vec![column("of the catalog", false), column("have", true), column("of", true), column("%", true)];
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

fn sources(quality: &Quality) -> Grid {
    let mut columns = vec![GridColumn::text("source"), GridColumn::number("measurements")];
    columns.extend(Stated::default().shares().map(|(name, _)| GridColumn::number(name)));
    let mut grid = Grid { columns, rows: Vec::new() };
    let mut row = |name: &str, stated: &Stated| {
        let mut cells = vec![name.to_owned(), stated.batch.of.to_string()];
        cells.extend(stated.shares().map(|(_, share)| per_cent(share)));
        grid.push(cells);
    };
    quality.sources.iter().for_each(|(id, stated)| row(id.as_str(), stated));
    row("all", &quality.measurements);
    grid
}

fn per_cent(share: Coverage) -> String {
    let per_mille = share.per_mille();
    format!("{}.{}", per_mille / 10, per_mille % 10)
}
