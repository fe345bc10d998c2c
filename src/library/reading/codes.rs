//! The codes of what strict reading finds; `contribute::rules` has a page on each.

use crate::model::Code;

/// The file is not valid TOML.
pub const SYNTAX: Code = Code::new(1);
/// The file cannot be read as text: too large, not UTF-8, no permission.
pub const UNREADABLE: Code = Code::new(2);
/// The file has no business where it is.
pub const MISPLACED: Code = Code::new(3);
/// A key that does not exist.
pub const UNKNOWN_KEY: Code = Code::new(4);
/// A key that is missing.
pub const MISSING_KEY: Code = Code::new(5);
/// A value that is not of the kind that its key needs.
pub const WRONG_VALUE: Code = Code::new(6);
/// A word outside its vocabulary.
pub const UNKNOWN_WORD: Code = Code::new(7);
/// A text without anything in it.
pub const EMPTY_TEXT: Code = Code::new(8);
/// The knowledge base is of a later schema.
pub const LATER_SCHEMA: Code = Code::new(9);
/// A table whose rows do not fit its columns.
pub const ROWS: Code = Code::new(10);

/// An id that no entity has.
pub const REFERENCE: Code = Code::new(101);
/// An entity that stands twice.
pub const DUPLICATE_ENTITY: Code = Code::new(102);
/// A measurement that stands twice.
pub const DUPLICATE_MEASUREMENT: Code = Code::new(103);

/// A licence that is no SPDX expression.
pub const LICENSE: Code = Code::new(201);
/// A citation of a fact that is not stated.
pub const UNSTATED_FACT: Code = Code::new(202);
/// A citation that names nothing, or two things.
pub const CITATION: Code = Code::new(203);

/// A row without a metric.
pub const NO_METRIC: Code = Code::new(301);
/// A throughput that does not say what it counts.
pub const UNCOUNTED: Code = Code::new(302);
/// A metric that is zero or negative.
pub const NOT_POSITIVE: Code = Code::new(303);
/// A metric among the defaults.
pub const METRIC_DEFAULT: Code = Code::new(304);
