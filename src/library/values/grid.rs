//! A table of texts, before anybody decides how it is drawn.

/// Headings, alignment and rows; every row has as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    /// The columns.
    pub columns: Vec<GridColumn>,
    /// The cells, row by row. An empty cell is an unknown value.
    pub rows: Vec<Vec<String>>,
}

/// A column of a [`Grid`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    /// Its heading.
    pub heading: String,
    /// Whether its cells are numbers, which stand flush right.
    pub numeric: bool,
}

impl Grid {
    /// A grid of texts with these headings.
    pub fn of_texts(headings: &[&str]) -> Self {
        Self { columns: headings.iter().map(|heading| GridColumn::text(*heading)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// When the row has another number of cells than there are columns: a bug of the caller.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "a row has one cell a column");
        self.rows.push(row);
    }

    /// Removes a column.
    ///
    /// # Panics
    ///
    /// When there is no such column: a bug of the caller.
    pub fn remove_column(&mut self, at: usize) {
        self.columns.remove(at);
        for row in &mut self.rows {
            row.remove(at);
        }
    }

    /// The same without the columns in which no row has anything.
    pub fn without_empty_columns(self) -> Self {
        let kept: Vec<bool> =
            (0..self.columns.len()).map(|at| self.rows.iter().any(|row| !row[at].is_empty())).collect();
        let keep = |cells: Vec<String>| -> Vec<String> {
            cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect()
        };
        Self {
            columns: self.columns.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(column, _)| column).collect(),
            rows: self.rows.into_iter().map(keep).collect(),
        }
    }
}

impl GridColumn {
    /// A column of texts.
    pub fn text(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), numeric: false }
    }

    /// A column of numbers.
    pub fn number(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), numeric: true }
    }
}
