//! A table on a terminal: widths, wrapping, dropped and continued columns. comfy-table sets cells two blanks apart, without lines.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, LineStyle, TableStyle, Width};
use textwrap::WordSplitter;
use textwrap::core::display_width;

use super::super::{BOLD, DIM, paragraph};
use super::content::raised;
use super::content::{Column, MUTED, Role, Table, TableNote};
use crate::values::text::printable;

/// Style of the best among comparable values.
const WINNER: Style = AnsiColor::Green.on_default().bold();

/// Delimiters of styled words during layout: zero-width characters that `printable` removes from cells.
const WINNER_BEGINS: char = '\u{2066}';

const MUTED_BEGINS: char = '\u{2067}';

const STYLE_ENDS: char = '\u{2069}';

/// Separates rows in the output of comfy-table; does not occur in cells.
const ROW_END: char = '\u{1e}';

/// A column without room beside the others, printed below each row instead.
pub(super) struct RowDetail {
    /// Its heading, if it needs one.
    pub heading: Option<String>,
    /// Its cells, row by row.
    pub cells: Vec<String>,
}

impl RowDetail {
    /// The line below a row; a text that consecutive rows of a section share is printed once, below the last of them.
    fn line_below(&self, row: usize, section: &Range<usize>, width: usize) -> String {
        let is_same = |other: usize| self.cells.get(other) == Some(&self.cells[row]);
        if row + 1 < section.end && is_same(row + 1) {
            return String::new();
        }
        let above = (section.start..row).rev().take_while(|other| is_same(*other)).count();
        let heading = match (&self.heading, above) {
            (None, _) => "    ".to_owned(),
            (Some(heading), 0) => format!("    {heading}: "),
            (Some(heading), above) => format!("    {heading} of these {} rows: ", above + 1),
        };
        format!("{DIM}{}{DIM:#}", paragraph(&heading, &self.cells[row], width))
    }
}

/// Prints some columns of a table at these widths, with the details below each row, within `width`.
pub(super) fn lines(
    table: &Table,
    prepared: &Prepared,
    columns: &[usize],
    widths: &[usize],
    details: &[RowDetail],
    width: usize,
) -> String {
    let laid_out: Vec<String> = laid_out(table, prepared, columns, widths).lines().collect();
    let mut blocks = laid_out.split(|line| line.starts_with(ROW_END));
    let mut text = String::new();
    for line in blocks.next().unwrap_or_default() {
        text.push_str(&format!("{BOLD}{}{BOLD:#}\n", line.trim_end()));
    }
    let mut rows = blocks.enumerate();
    let mut first = 0;
    for section in &table.sections {
        if let Some(title) = &section.title {
            text.push_str(&format!("{DIM}{}{DIM:#}\n", printable(title)));
        }
        let last = first + section.rows.len();
        first = last;
        for (row, block) in rows.by_ref().take(section.rows.len()) {
            for line in block {
                let line = line.trim_end().replace(WINNER_BEGINS, &WINNER.render().to_string());
                let line = line.replace(MUTED_BEGINS, &DIM.render().to_string());
                text.push_str(&line.replace(STYLE_ENDS, &WINNER.render_reset().to_string()));
                text.push('\n');
            }
            for detail in details.iter().filter(|detail| !detail.cells[row].is_empty()) {
                text.push_str(&detail.line_below(row, &(last - section.rows.len()..last), width));
            }
        }
    }
    text
}

/// The text below a table: the meaning of its marks, and the columns that did not fit.
pub fn remarks(table: &Table, hidden: &[String], width: usize) -> String {
    let lines = remark_texts(table, hidden).into_iter().map(|remark| paragraph("", &remark, width));
    lines.map(|line| format!("{DIM}{line}{DIM:#}")).collect()
}

/// As [`remarks`], in one paragraph.
pub fn remarks_in_one(table: &Table, hidden: &[String], width: usize) -> String {
    match remark_texts(table, hidden) {
        none if none.is_empty() => String::new(),
        remarks => format!("{DIM}{}{DIM:#}", paragraph("", &remarks.join(" · "), width)),
    }
}

/// Says where to find what does not fit on a terminal.
const ELSEWHERE: &str = " (-f csv has all)";

fn remark_texts(table: &Table, hidden: &[String]) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    if table.marks_best() {
        remarks.push(format!("{BEST} {}", table.best_of));
    }
    if table.mutes_some() {
        remarks.push(format!("dim: {MUTED}"));
    }
    remarks.extend(table.legend().map(|note| format!("{} {}", raised(&note.mark), note.text).trim_start().to_owned()));
    if !hidden.is_empty() {
        remarks.push(format!("not shown for want of room: {}{ELSEWHERE}", hidden.join(", ")));
    }
    // Only the last remark says where to find the rest.
    let mut is_said = false;
    for remark in remarks.iter_mut().rev() {
        if let Some(rest) = remark.strip_suffix(ELSEWHERE) {
            if is_said {
                *remark = rest.to_owned();
            }
            is_said = true;
        }
    }
    remarks
}

/// The columns, wrapped, aligned and padded by comfy-table.
fn laid_out(table: &Table, prepared: &Prepared, columns: &[usize], widths: &[usize]) -> comfy_table::Table {
    let row_end = LineStyle::none().fill(ROW_END);
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(TableStyle::new().header_separator(row_end).row_separator(row_end));
    let places = || columns.iter().copied().zip(widths.iter().copied());
    let headings: Vec<String> = places()
        .map(|(at, width)| broken(&heading_words(&table.columns[at], &table.notes).join(" "), width).join("\n"))
        .collect();
    // Headings are bottom-aligned.
    let height = |heading: &str| heading.matches('\n').count();
    let tallest = headings.iter().map(|heading| height(heading)).max().unwrap_or(0);
    drawn.set_header(headings.iter().map(|heading| "\n".repeat(tallest - height(heading)) + heading));
    for (row, shown) in table.rows().zip(&prepared.cells) {
        drawn.add_row(places().map(|(at, width)| {
            let cell = &shown[at];
            let has_long_word = cell.split_whitespace().any(|word| display_width(word) > width);
            let cell = match has_long_word && !table.columns[at].numeric {
                true => broken(cell, width).join("\n"),
                false => cell.clone(),
            };
            match (row[at].best, row[at].muted) {
                (true, _) => styled(&cell, WINNER_BEGINS),
                (false, true) => styled(&cell, MUTED_BEGINS),
                (false, false) => cell,
            }
        }));
    }
    for ((at, width), column) in places().zip(drawn.column_iter_mut()) {
        let numeric = table.columns[at].numeric;
        // A number is never broken.
        let width = if numeric { width.max(prepared.widths[at].content) } else { width };
        column.set_padding((0, GAP as u16));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed((width + GAP).try_into().unwrap_or(u16::MAX))));
        column.set_cell_alignment(if numeric { CellAlignment::Right } else { CellAlignment::Left });
    }
    drawn
}

/// Wraps a text to `width`; only words longer than a line are broken, at a hyphen if they have one.
fn broken(text: &str, width: usize) -> Vec<String> {
    let fits = text.split_whitespace().all(|word| display_width(word) <= width);
    let splitter = if fits { WordSplitter::NoHyphenation } else { WordSplitter::HyphenSplitter };
    let lines = textwrap::wrap(text, textwrap::Options::new(width).word_splitter(splitter));
    lines.into_iter().map(|line| line.into_owned()).collect()
}

/// Wraps each word in style delimiters; blanks stay unstyled.
fn styled(text: &str, begins: char) -> String {
    let marked = |word: &str| format!("{begins}{word}{STYLE_ENDS}");
    let words = text.split_inclusive([' ', '\n']).map(|part| match part.trim_end() {
        "" => part.to_owned(),
        word => marked(word) + &part[word.len()..],
    });
    words.collect()
}

/// A rendered table, and the headings of the columns that did not fit.
pub(super) struct Drawn {
    pub text: String,
    pub hidden: Vec<String>,
}

/// If at most this much width is missing, cells may be wrapped at every word.
const LITTLE: usize = 16;

/// Renders a table within `width`.
///
/// Headings are wrapped first. Then columns that may be dropped are dropped, unless rows would become indistinguishable. A
/// long text that distinguishes rows moves to a line below its row; so does the row's id, which is needed for citing, if the
/// table is still too wide. Then texts are wrapped. A table that is still too wide is continued below, repeating its key columns
/// or its first one, or becomes one paragraph per row.
pub(super) fn drawn(table: &Table, width: usize) -> Drawn {
    let mut fit = Fit::of(table, width);
    fit.shrink();
    if fit.is_too_wide(|widths| widths.comfortable) {
        // Columns dropped to make room for the id may fit again.
        fit = Fit::of(table, width);
        fit.put_ids_below_rows();
        fit.shrink();
    }
    let Fit { table, prepared, hidden, details, width } = fit;
    let whole: Vec<usize> = (0..table.columns.len()).collect();
    let fits = |least: fn(&Widths) -> usize| fitted(&prepared.widths, width, least);
    let by_words = || {
        let lacks_little = needed(&prepared.widths, |widths| widths.tight) <= width + LITTLE;
        if lacks_little { fits(|widths| widths.least) } else { None }
    };
    let widths = fits(|widths| widths.content)
        .or_else(|| fits(|widths| widths.comfortable))
        .or_else(|| fits(|widths| widths.tight))
        .or_else(by_words);
    let text = match widths {
        Some(widths) => lines(&table, &prepared, &whole, &widths, &details, width),
        None => below_each_other(table, prepared, &details, width),
    };
    Drawn { text, hidden }
}

/// A table while it is being fitted.
struct Fit {
    table: Table,
    prepared: Prepared,
    hidden: Vec<String>,
    /// Texts on separate lines below each row.
    details: Vec<RowDetail>,
    width: usize,
}

impl Fit {
    fn of(table: &Table, width: usize) -> Self {
        Self { table: table.clone(), prepared: Prepared::of(table), hidden: Vec::new(), details: Vec::new(), width }
    }

    fn shrink(&mut self) {
        self.leave_out(|widths| widths.content, |_, widths| widths.content > WRAPPED);
        self.put_long_texts_below_rows();
        self.leave_out(|widths| widths.comfortable, |_, _| true);
    }

    fn is_too_wide(&self, by: fn(&Widths) -> usize) -> bool {
        needed(&self.prepared.widths, by) > self.width
    }

    /// Drops columns that may be dropped and do not distinguish rows, while the table is too wide.
    fn leave_out(&mut self, by: fn(&Widths) -> usize, which: impl Fn(&Column, &Widths) -> bool) {
        while self.is_too_wide(by) {
            let all = self.distinct_row_count(None);
            let ranked =
                self.giving_way().into_iter().filter(|at| which(&self.table.columns[*at], &self.prepared.widths[*at]));
            let Some(at) = ranked.into_iter().find(|at| self.distinct_row_count(Some(*at)) == all) else { break };
            self.hidden.push(self.table.remove_column(at).heading);
            self.prepared = Prepared::of(&self.table);
        }
    }

    fn put_long_texts_below_rows(&mut self) {
        while self.is_too_wide(|widths| widths.content) {
            let long = |at: &usize| !self.table.columns[*at].numeric && self.prepared.widths[*at].content > WRAPPED;
            let Some(at) = self.giving_way().into_iter().find(long) else { break };
            let mut cells: Vec<String> = self.prepared.cells.iter().map(|row| row[at].clone()).collect();
            let heading = self.table.remove_column(at).heading;
            self.prepared = Prepared::of(&self.table);
            // Rows that are distinct without the text do not need it, unless it is the row's subject.
            let is_subject = at == 0;
            let mut alike: HashMap<Vec<&str>, usize> = HashMap::new();
            let about = self.about(None);
            for row in &about {
                *alike.entry(row.clone()).or_default() += 1;
            }
            let mut left_out = false;
            for (cell, row) in cells.iter_mut().zip(&about) {
                if !is_subject && alike[row] == 1 && !cell.is_empty() {
                    cell.clear();
                    left_out = true;
                }
            }
            if left_out {
                self.hidden.push(heading.clone());
            }
            self.details.push(RowDetail { heading: Some(heading), cells });
        }
    }

    /// Moves each row's id to a line below it, unless the id column may be dropped.
    fn put_ids_below_rows(&mut self) {
        let is_id = |column: &Column| column.role == Role::Trace && column.drop_rank.is_none();
        let Some(at) = self.table.columns.iter().position(is_id).filter(|_| self.table.columns.len() > 1) else {
            return;
        };
        let cells = self.prepared.cells.iter().map(|row| row[at].clone()).collect();
        self.table.remove_column(at);
        self.prepared = Prepared::of(&self.table);
        // An id needs no heading.
        self.details.push(RowDetail { heading: None, cells });
    }

    /// The columns that may be dropped, lowest rank first.
    fn giving_way(&self) -> Vec<usize> {
        let ranks = self.table.columns.iter().enumerate();
        let mut ranked: Vec<(u8, usize)> =
            ranks.filter_map(|(at, column)| column.drop_rank.map(|rank| (rank, at))).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, at)| at).collect()
    }

    /// Number of rows with distinct keys.
    fn distinct_row_count(&self, without: Option<usize>) -> usize {
        self.about(without).into_iter().collect::<HashSet<_>>().len()
    }

    /// The key texts of each row, optionally without one column.
    fn about(&self, without: Option<usize>) -> Vec<Vec<&str>> {
        let is_key = |at: &usize| self.table.columns[*at].role == Role::Key && Some(*at) != without;
        let keys: Vec<usize> = (0..self.table.columns.len()).filter(is_key).collect();
        let rows = self.prepared.cells.iter().enumerate().map(|(row, cells)| {
            let details = self.details.iter().map(|detail| detail.cells[row].as_str());
            keys.iter().map(|at| cells[*at].as_str()).chain(details).collect()
        });
        rows.collect()
    }
}

fn needed(columns: &[Widths], width: impl Fn(&Widths) -> usize) -> usize {
    columns.iter().map(width).sum::<usize>() + gaps(columns.len())
}

/// The table in parts below each other.
fn below_each_other(table: Table, prepared: Prepared, details: &[RowDetail], width: usize) -> String {
    let key = |at: &usize| table.columns[*at].role == Role::Key;
    let (keys, others): (Vec<usize>, Vec<usize>) = (0..table.columns.len()).partition(key);
    let comfortable = |at: &usize| prepared.widths[*at].comfortable;
    let room = keys.iter().map(comfortable).sum::<usize>() + gaps(keys.len());
    let widest = others.iter().map(comfortable).max().unwrap_or(0);
    let names_its_row = || {
        let names: HashSet<&String> = prepared.cells.iter().map(|row| &row[0]).collect();
        names.len() == prepared.cells.len() && prepared.widths[0].comfortable <= width / 3
    };
    let (keys, others) = if room <= width * 11 / 20 && room + GAP + widest <= width {
        (keys, others)
    } else if names_its_row() {
        (vec![0], (1..table.columns.len()).collect())
    } else {
        return as_records(&table, &prepared, details, width);
    };
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for at in others {
        let with_it: Vec<Widths> =
            parts.last().into_iter().flatten().chain([&at]).map(|at| prepared.widths[*at]).collect();
        match parts.last_mut() {
            Some(part) if needed(&with_it, |widths| widths.comfortable) <= width => part.push(at),
            _ => parts.push(keys.iter().copied().chain([at]).collect()),
        }
    }
    let drawn: Vec<String> = parts
        .into_iter()
        .enumerate()
        .map(|(number, part)| {
            let measured: Vec<Widths> = part.iter().map(|at| prepared.widths[*at]).collect();
            let widths = fitted(&measured, width, |widths| widths.comfortable).unwrap_or_else(|| {
                // This column alone is wider than the terminal.
                let others = needed(&measured[..1], |widths| widths.comfortable) + GAP;
                vec![measured[0].comfortable.min(width), width.saturating_sub(others).max(1)]
            });
            let details = if number == 0 { details } else { &[] };
            lines(&table, &prepared, &part, &widths, details, width)
        })
        .collect();
    drawn.join("\n")
}

/// One paragraph per row, so that nobody has to join two tables to read one row.
fn as_records(table: &Table, prepared: &Prepared, details: &[RowDetail], width: usize) -> String {
    let mut text = String::new();
    for (row, cells) in prepared.cells.iter().enumerate() {
        let stated = table.columns.iter().zip(cells).filter(|(_, cell)| !cell.trim().is_empty());
        let parts = stated.map(|(column, cell)| format!("{}: {}", column.title(), cell.trim()));
        let details = details.iter().filter(|detail| !detail.cells[row].is_empty());
        let details = details.map(|detail| match &detail.heading {
            Some(heading) => format!("{heading}: {}", detail.cells[row]),
            None => detail.cells[row].clone(),
        });
        let parts: Vec<String> = parts.chain(details).collect();
        text.push_str(&paragraph("- ", &parts.join(" · "), width));
    }
    text
}

/// Width to which longer texts may be wrapped without harm to readability.
pub(super) const WRAPPED: usize = 24;

/// Width to which longer texts may be wrapped where room is scarce.
const WRAPPED_TIGHTLY: usize = 12;

/// Longer words may be broken.
const LONGEST_WORD: usize = 20;

/// Decimal points are aligned if that costs at most this many columns.
const COST_OF_ALIGNMENT: usize = 3;

/// A table's cells as printed, with their marks, and the resulting column widths.
pub(super) struct Prepared {
    /// The cells, row by row.
    pub cells: Vec<Vec<String>>,
    /// The widths, column by column.
    pub widths: Vec<Widths>,
}

/// Widths of a column for different degrees of wrapping, in terminal columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Widths {
    /// Width without wrapping.
    pub natural: usize,
    /// Width with wrapped headings.
    pub content: usize,
    /// Width with wrapped headings and long texts.
    pub comfortable: usize,
    /// Width with everything longer than a word or two wrapped.
    pub tight: usize,
    /// Width with every text wrapped at each word.
    pub least: usize,
}

impl Prepared {
    /// Measures a table.
    pub fn of(table: &Table) -> Self {
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); table.rows().count()];
        let mut widths = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let texts = column_cells(table, column, at);
            widths.push(measured(column, &table.notes, &texts));
            for (row, text) in cells.iter_mut().zip(texts) {
                row.push(text);
            }
        }
        Self { cells, widths }
    }
}

/// Distributes `width` over columns, each at least as wide as `least` gives; `None` if they do not fit.
pub(super) fn fitted(columns: &[Widths], width: usize, least: impl Fn(&Widths) -> usize) -> Option<Vec<usize>> {
    let mut fitted: Vec<usize> = columns.iter().map(least).collect();
    let mut spare = width.checked_sub(fitted.iter().sum::<usize>() + gaps(columns.len()))?;
    // Columns that lack little come first, so that most columns need no wrapping.
    let mut wanting: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].natural > fitted[at]).collect();
    wanting.sort_by_key(|&at| columns[at].natural - fitted[at]);
    for at in wanting {
        let lacking = columns[at].natural - fitted[at];
        // A numeric column gains nothing from part of the width its heading lacks.
        if columns[at].content == fitted[at] && lacking > spare {
            continue;
        }
        let given = spare.min(lacking);
        fitted[at] += given;
        spare -= given;
    }
    Some(fitted)
}

/// Blanks between two columns.
pub(super) const GAP: usize = 2;

/// Total gap width between this many columns.
pub(super) fn gaps(columns: usize) -> usize {
    GAP * columns.saturating_sub(1)
}

/// The words of a heading, including its unit.
pub(super) fn heading_words(column: &Column, notes: &[TableNote]) -> Vec<String> {
    let over = column.over.iter().chain([&column.heading]);
    let mut words: Vec<String> =
        over.flat_map(|text| printable(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    words.extend(column.unit.as_ref().map(|unit| format!("[{}]", printable(unit))));
    if let Some(last) = words.last_mut() {
        last.extend(column.notes.iter().map(|note| raised(&notes[*note].mark)));
    }
    words
}

fn measured(column: &Column, notes: &[TableNote], cells: &[String]) -> Widths {
    let widest = cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
    let words = heading_words(column, notes);
    let heading_word = words.iter().map(|word| display_width(word)).max().unwrap_or(0);
    let heading = words.iter().map(|word| display_width(word) + 1).sum::<usize>().saturating_sub(1);
    let unbroken = column.numeric || column.whole;
    let least = match unbroken {
        true => widest,
        false => cells.iter().flat_map(|cell| fragments(cell)).max().unwrap_or(0).min(LONGEST_WORD),
    };
    let at_most = |limit: usize| least.max(widest.min(limit)).max(heading_word).max(1);
    Widths {
        natural: widest.max(heading).max(1),
        content: widest.max(heading_word).max(1),
        comfortable: at_most(if unbroken { widest } else { WRAPPED }),
        least: least.max(heading_word).max(1),
        tight: at_most(if unbroken { widest } else { WRAPPED_TIGHTLY }),
    }
}

/// Widths of the unbreakable parts of a cell: words, and the parts of long words with hyphens.
fn fragments(cell: &str) -> impl Iterator<Item = usize> {
    let words = cell.split_whitespace().flat_map(|word| match display_width(word) > WRAPPED_TIGHTLY {
        true => word.split_inclusive('-').collect(),
        false => vec![word],
    });
    words.map(display_width)
}

/// A column's cells with their marks; numbers are aligned at the decimal point if there is room.
fn column_cells(table: &Table, column: &Column, at: usize) -> Vec<String> {
    let cells: Vec<(String, String)> = table
        .rows()
        .map(|row| {
            let cell = &row[at];
            let mut marks = printable(&cell.spread);
            marks.extend(cell.notes.iter().map(|note| raised(&table.notes[*note].mark)));
            if cell.best {
                marks.push_str(BEST);
            }
            (printable(&cell.text), marks)
        })
        .collect();
    if !column.numeric {
        return cells.into_iter().map(|(text, marks)| text + &marks).collect();
    }
    let widest_marks = cells.iter().map(|(_, marks)| display_width(marks)).max().unwrap_or(0);
    let whole = |text: &str| display_width(text.split('.').next().unwrap_or(text));
    let fraction = |text: &str| display_width(text) - whole(text);
    let (mut widest_whole, mut widest_fraction, mut widest) = (0, 0, 0);
    for (text, _) in &cells {
        widest_whole = widest_whole.max(whole(text));
        widest_fraction = widest_fraction.max(fraction(text));
        widest = widest.max(display_width(text));
    }
    let aligned = widest_whole + widest_fraction <= widest + COST_OF_ALIGNMENT;
    cells
        .into_iter()
        .map(|(text, marks)| {
            if text.is_empty() && marks.is_empty() {
                return String::new();
            }
            let behind = if aligned { widest_fraction - fraction(&text) } else { 0 };
            let after_marks = widest_marks - display_width(&marks);
            format!("{text}{marks}{}", " ".repeat(behind + after_marks))
        })
        .collect()
}

/// Marks the best among comparable values, where no style can.
pub(super) const BEST: &str = "^";
