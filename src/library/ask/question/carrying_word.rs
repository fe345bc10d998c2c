//! What a word can ask for by which no fact, metric or axis is called.

use super::intent::Intent;
use crate::values::Grade;

/// What a carrying word asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// What came next in the series of a device or network, or what goes on with a framework.
    Successor,
    /// What came before.
    Predecessor,
    /// What became of something: merged, renamed, forked, archived.
    History,
    /// How many chips there are on a board.
    Parts,
    /// Which chip is inside a device.
    Chip,
    /// Which frameworks run on another one as their backend.
    RunsOn,
    /// Which backends a framework has.
    Backends,
    /// Which network another one takes its features from.
    Backbone,
    /// How a framework is rated, and whether it is tested on a kind of network.
    Ratings,
    /// What a survey's table says of a framework, as it is printed.
    Reported,
    /// What is graded so.
    Graded(Grade),
    /// Where those who measured the same do not agree.
    Disagreement,
    /// Whether a framework runs on several devices of one machine.
    SeveralDevices,
    /// What the measurements say to all that is claimed of something.
    Verdicts,
    /// Which operating systems a framework runs on.
    OperatingSystem,
    /// In which metrics classes of hardware have the same grade.
    SameGrades,
    /// Which class of hardware has the best grade in the most metrics.
    BestGrades,
    /// Which verdicts on grades are others since the claim than until then.
    ChangedVerdicts,
    /// What a survey's table of frameworks has.
    Table(AskedOfTable),
}

/// What is asked of a survey's table of frameworks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedOfTable {
    /// What it has a column for.
    Columns,
    /// Where the catalog says otherwise today.
    Differences,
    /// Whose row says something.
    Rows,
}

impl Carried {
    /// The kind of answer.
    pub(super) fn intent(self) -> Intent {
        match self {
            Self::Graded(_) | Self::Verdicts | Self::SameGrades | Self::BestGrades | Self::ChangedVerdicts => {
                Intent::Grade
            }
            Self::Disagreement => Intent::Lookup,
            _ => Intent::Fact,
        }
    }

    /// What a reading calls it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Successor => "successor",
            Self::Predecessor => "predecessor",
            Self::History => "history",
            Self::Parts => "parts",
            Self::Chip => "chip",
            Self::RunsOn => "runs-on",
            Self::Backends => "backend",
            Self::Backbone => "backbone",
            Self::Ratings => "ratings",
            Self::Reported => "reported",
            Self::Graded(grade) => grade.into(),
            Self::Disagreement => "contradictions",
            Self::SeveralDevices => "several-devices",
            Self::Verdicts => "verdicts",
            Self::OperatingSystem => "operating-system",
            Self::SameGrades => "same-grades",
            Self::BestGrades => "best-grades",
            Self::ChangedVerdicts => "changed-verdicts",
            Self::Table(AskedOfTable::Columns) => "table-columns",
            Self::Table(AskedOfTable::Differences) => "table-differences",
            Self::Table(AskedOfTable::Rows) => "table-rows",
        }
    }
}
