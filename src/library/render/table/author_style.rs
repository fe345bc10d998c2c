//! Applies an author's style to a table: digits and scale of numbers, order of rows and columns, and names.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::content::{Cell, Column, DARKEST, Role, Section, Table};
use crate::model::rank_of;
use crate::values::text::normalise;
use crate::values::{Decimal, Grade};

/// The multiple of their unit in which numbers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
pub enum UnitScale {
    /// Thousands
    #[strum(serialize = "k")]
    Thousand,
    /// Millions
    #[strum(serialize = "M")]
    Million,
}

impl UnitScale {
    /// By how many digits the decimal point moves.
    fn digits(self) -> u8 {
        match self {
            Self::Thousand => 3,
            Self::Million => 6,
        }
    }

    /// The unit of the scaled numbers: a named multiple (`ms` to `s`), else `1000` or `million` of the unit.
    pub fn unit(self, unit: &str) -> String {
        const NAMED: &[(&str, &str, &str)] = &[
            ("ms", "s", "ks"),
            ("s", "ks", "Ms"),
            ("J", "kJ", "MJ"),
            ("W", "kW", "MW"),
            ("GFLOP/s", "TFLOP/s", "PFLOP/s"),
        ];
        match (NAMED.iter().find(|(own, ..)| *own == unit), self) {
            (Some((_, thousand, _)), Self::Thousand) => (*thousand).to_owned(),
            (Some((.., million)), Self::Million) => (*million).to_owned(),
            (None, Self::Thousand) => format!("1000 {unit}"),
            (None, Self::Million) => format!("million {unit}"),
        }
    }
}

/// How an author wants a table to differ from the default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthorStyle {
    /// Significant digits of values; `None` keeps them as published.
    pub digits: Option<u8>,
    /// The multiple of their unit in which values are shown.
    pub scale: Option<UnitScale>,
    /// Values or names of rows and columns in display order; all others follow in their default order.
    pub order: Vec<String>,
    /// The author's own names, by the values or names of rows and columns.
    pub names: Vec<(String, String)>,
    /// Whether cells are shaded by their closeness to the best.
    pub shaded: bool,
}

impl AuthorStyle {
    /// The author's own name for an item with one of these names.
    pub fn own_name(&self, called: &[&str]) -> Option<&str> {
        let is = |wanted: &str| called.iter().any(|name| normalise(name) == normalise(wanted));
        self.names.iter().find(|(wanted, _)| is(wanted)).map(|(_, name)| name.as_str())
    }

    /// The item's position in the author's order; items that the order does not list come last.
    pub fn place(&self, called: &[&str]) -> usize {
        let is = |wanted: &String| {
            let wanted = normalise(wanted);
            // A renamed row matches its original name as well.
            let renamed =
                self.names.iter().filter(|(value, _)| normalise(value) == wanted).map(|(_, own)| normalise(own));
            let wanted: Vec<String> = renamed.chain([wanted.clone()]).collect();
            called.iter().any(|name| wanted.contains(&normalise(name)))
        };
        self.order.iter().position(is).unwrap_or(self.order.len())
    }

    /// The factor that scales a value to the chosen multiple of its unit.
    pub fn factor(&self) -> f64 {
        self.scale.map_or(1.0, |scale| 10f64.powi(-i32::from(scale.digits())))
    }

    /// A value with the chosen digits, in the chosen multiple of its unit.
    pub fn number(&self, value: Decimal) -> Decimal {
        let scaled = match self.scale.map(UnitScale::digits) {
            Some(digits) => Decimal::new(value.value() * self.factor(), value.decimals().saturating_add(digits)),
            None => None,
        };
        let value = scaled.unwrap_or(value);
        self.digits.map_or_else(|| value.readable(), |digits| value.cut(digits))
    }
}

impl Table {
    /// Applies the author's digits, order and names; names replace texts in cells and in headings.
    pub fn styled(mut self, style: &AuthorStyle) -> Self {
        if let Some(digits) = style.digits {
            self.round(digits);
        }
        self.rename(style);
        self.order_rows(style);
        self.order_columns(style);
        self
    }

    /// Rounds the numbers in numeric columns.
    fn round(&mut self, digits: u8) {
        let numeric: Vec<bool> = self.columns.iter().map(|column| column.numeric).collect();
        let rows = self.sections.iter_mut().flat_map(|section| &mut section.rows);
        let cells = rows.flat_map(|row| row.iter_mut().zip(&numeric)).filter(|(_, numeric)| **numeric);
        for (cell, _) in cells {
            if let Ok(number) = cell.text.parse::<Decimal>() {
                cell.text = number.cut(digits).to_string();
            }
        }
    }

    /// Replaces text cells and headings by the author's names.
    fn rename(&mut self, style: &AuthorStyle) {
        let texts: Vec<bool> = self.columns.iter().map(|column| !column.numeric).collect();
        let rows = self.sections.iter_mut().flat_map(|section| &mut section.rows);
        for (cell, _) in rows.flat_map(|row| row.iter_mut().zip(&texts)).filter(|(_, is_text)| **is_text) {
            if let Some(own) = style.own_name(&[&cell.text]) {
                cell.text = own.to_owned();
            }
        }
        self.rename_headings(style);
    }

    /// Replaces headings by the author's names.
    pub(in crate::render) fn rename_headings(&mut self, style: &AuthorStyle) {
        for column in &mut self.columns {
            if let Some(own) = style.own_name(&[&column.heading]) {
                column.heading = own.to_owned();
            }
        }
    }

    /// Sorts rows into the author's order within their sections.
    fn order_rows(&mut self, style: &AuthorStyle) {
        if style.order.is_empty() {
            return;
        }
        let keys: Vec<usize> = (0..self.columns.len()).filter(|at| self.columns[*at].role == Role::Key).collect();
        for section in &mut self.sections {
            let place =
                |row: &Vec<Cell>| style.place(&keys.iter().map(|at| row[*at].text.as_str()).collect::<Vec<_>>());
            section.rows.sort_by_cached_key(place);
        }
    }

    /// Sorts the columns after the first text column into the author's order.
    pub(in crate::render) fn order_columns(&mut self, style: &AuthorStyle) {
        if style.order.is_empty() {
            return;
        }
        let place = |column: &Column| style.place(&[&column.heading, &column.title()]);
        let named = self.columns.iter().position(|column| !column.numeric).map_or(0, |at| at + 1);
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order[named..].sort_by_cached_key(|at| place(&self.columns[*at]));
        self.columns = order.iter().map(|at| self.columns[*at].clone()).collect();
        for row in self.sections.iter_mut().flat_map(|section| &mut section.rows) {
            *row = order.iter().map(|at| row[*at].clone()).collect();
        }
    }

    /// The index of a column by its heading, with or without the unit.
    pub fn column_called(&self, name: &str) -> Option<usize> {
        let wanted = normalise(name);
        self.columns
            .iter()
            .position(|column| [&column.heading, &column.title()].iter().any(|it| normalise(it) == wanted))
    }

    /// Shades grades: the higher, the darker.
    pub fn shaded_by_grade(mut self) -> Self {
        // The column `better` holds a direction; its words are not grades.
        let graded: Vec<bool> = self.columns.iter().map(|column| column.heading != "better").collect();
        let rows = self.sections.iter_mut().flat_map(|section| &mut section.rows);
        for (cell, _) in rows.flat_map(|row| row.iter_mut().zip(&graded)).filter(|(_, graded)| **graded) {
            // A verdict in parentheses may follow the grade.
            let word = cell.text.split(" (").next().unwrap_or_default();
            if let Ok(grade) = word.parse::<Grade>() {
                cell.shade = (rank_of(grade) * f64::from(DARKEST) / rank_of(Grade::High)).round() as u8;
            }
        }
        self.shaded_by = "the darker, the higher the grade";
        self
    }

    /// Groups the rows by some columns, whose values become the section titles: groups in order of first appearance, rows in
    /// their own order.
    pub fn grouped(mut self, by: &[usize]) -> Self {
        let mut groups: indexmap::IndexMap<Vec<String>, Vec<Vec<Cell>>> = indexmap::IndexMap::new();
        for row in self.sections.drain(..).flat_map(|section| section.rows) {
            let title = by.iter().map(|at| row[*at].text.clone()).filter(|text| !text.is_empty()).collect();
            groups.entry(title).or_default().push(row);
        }
        let title = |parts: Vec<String>| Some(parts.join(" · ")).filter(|title| !title.is_empty());
        self.sections = groups.into_iter().map(|(parts, rows)| Section { title: title(parts), rows }).collect();
        let mut by = by.to_vec();
        by.sort_unstable();
        for at in by.into_iter().rev() {
            self.remove_column(at);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let columns =
            vec![Column::key("device", false), Column::key("maker", false), Column::key("memory [GiB]", true)];
        let row = |texts: [&str; 3]| texts.map(Cell::from).to_vec();
        let rows = vec![
            row(["Nova 100", "Acme", "15.984"]),
            row(["Core 7", "Umbra", "2.25"]),
            row(["Nova 200", "Acme", "31.97"]),
        ];
        Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
    }

    fn texts(table: &Table) -> Vec<Vec<&str>> {
        table.rows().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect()
    }

    #[test]
    fn rows_have_the_digits_the_order_and_the_names_of_their_author() {
        let style = AuthorStyle {
            digits: Some(2),
            order: vec!["nova-200".to_owned(), "core 7".to_owned()],
            names: vec![("nova-200".to_owned(), "N2".to_owned()), ("memory".to_owned(), "RAM".to_owned())],
            ..AuthorStyle::default()
        };
        let table = sample().styled(&style);
        assert_eq!(texts(&table), [["N2", "Acme", "32"], ["Core 7", "Umbra", "2.3"], ["Nova 100", "Acme", "16"]]);
        assert_eq!(table.columns[2].title(), "RAM [GiB]");
    }

    #[test]
    fn columns_behind_the_first_stand_in_the_order_of_the_author() {
        let style = AuthorStyle { order: vec!["memory".to_owned()], ..AuthorStyle::default() };
        let table = sample().styled(&style);
        assert_eq!(texts(&table)[0], ["Nova 100", "15.984", "Acme"]);
    }

    #[test]
    fn a_group_stands_under_what_its_rows_share_in_the_order_in_which_it_comes() {
        let table = sample().grouped(&[1]);
        let titles: Vec<_> =
            table.sections.iter().map(|section| (section.title.as_deref(), section.rows.len())).collect();
        assert_eq!(titles, [(Some("Acme"), 2), (Some("Umbra"), 1)]);
        assert_eq!(texts(&table), [["Nova 100", "15.984"], ["Nova 200", "31.97"], ["Core 7", "2.25"]]);
    }

    #[test]
    fn a_scaled_value_keeps_its_digits_and_its_unit_says_so() {
        let style = AuthorStyle { scale: Some(UnitScale::Thousand), ..AuthorStyle::default() };
        assert_eq!(style.number(Decimal::new(92.9, 1).unwrap()).to_string(), "0.0929");
        assert_eq!(style.number(Decimal::new(147.0, 0).unwrap()).to_string(), "0.147");
        assert_eq!(UnitScale::Thousand.unit("ms"), "s");
        assert_eq!(UnitScale::Million.unit("images/s"), "million images/s");
    }
}
