//! Writes a knowledge base of any size whose values occur together as in a real one.
//!
//! ```text
//! generate --like KB --rows N --into FOLDER [--seed N]
//! ```
//!
//! The catalog is copied. The measurements are invented: nothing here may be read as a result.

mod campaign;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use campaign::Campaigns;
use campaign::Templates;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse(std::env::args().skip(1))?;
    let templates = Templates::read(&args.like)?;
    fs::create_dir_all(&args.into)?;
    // Delete old files: an entry that has since moved to another file would exist twice.
    let [catalog, measurements] = ["catalog", "measurements"].map(|folder| args.into.join(folder));
    for folder in [&catalog, &measurements] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    copy_folder(&args.like.join("catalog"), &catalog)?;
    let mut written = 0;
    let mut campaigns = Campaigns::new(&templates, args.seed);
    let mut files = 0;
    while written < args.rows {
        // Only one file is in memory at a time, whatever the total size.
        let campaign = campaigns.next(mean_rows_of_a_file(args.rows), args.rows - written)?;
        let folder = measurements.join(campaign.source.as_str());
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(&campaign.file), campaign::file(&campaign.rows))?;
        written += campaign.rows.len();
        files += 1;
    }
    println!("{written} measurements in {files} files below {}", measurements.display());
    Ok(())
}

struct Args {
    like: PathBuf,
    into: PathBuf,
    rows: usize,
    seed: u64,
}

impl Args {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let (mut like, mut into, mut rows, mut seed) = (None, None, None, 1);
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("{name} has no value"))?;
            match name.as_str() {
                "--like" => like = Some(PathBuf::from(value)),
                "--into" => into = Some(PathBuf::from(value)),
                "--rows" => rows = Some(value.parse()?),
                "--seed" => seed = value.parse()?,
                _ => return Err(format!("there is no {name}; expected --like, --into, --rows or --seed").into()),
            }
        }
        let missing = |name| format!("{name} is missing");
        Ok(Self {
            like: like.ok_or_else(|| missing("--like"))?,
            into: into.ok_or_else(|| missing("--into"))?,
            rows: rows.ok_or_else(|| missing("--rows"))?,
            seed,
        })
    }
}

/// A larger knowledge base has more and longer files: with ten times the rows, files are five times as long, and there are twice as
/// many. At 10^6 rows, files are as long as the largest batches of today's real sources.
fn mean_rows_of_a_file(rows: usize) -> f64 {
    2000.0 * (rows as f64 / 1e6).powf(0.7)
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
