//! A table in Apache Arrow format, passed to other Python libraries without copying through the Arrow PyCapsule interface.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, RecordBatchOptions, StringArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule};

use dlbench::ask::export::{ColumnType, Sheet};

/// A table with typed columns: strings, 64-bit integers and 64-bit floats; unknown values are null.
#[pyclass(frozen, module = "dlbench._dlbench")]
pub struct Table {
    batch: RecordBatch,
}

impl Table {
    /// Converts a sheet; unless `all`, omits columns without any value. The metadata has the meaning of every column with its unit,
    /// and the content hash of the knowledge base.
    pub fn of(sheet: &Sheet, all: bool, content: &str) -> Result<Self, ArrowError> {
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (at, column) in sheet.columns.iter().enumerate() {
            if !all && sheet.rows.iter().all(|row| row[at].is_none()) {
                continue;
            }
            let (kind, values): (DataType, ArrayRef) = match column.kind {
                ColumnType::Text => (DataType::Utf8, Arc::new(sheet.texts(at).collect::<StringArray>())),
                ColumnType::Integer => (DataType::Int64, Arc::new(sheet.integers(at).collect::<Int64Array>())),
                ColumnType::Number => (DataType::Float64, Arc::new(sheet.numbers(at).collect::<Float64Array>())),
            };
            let about = HashMap::from([("about".to_owned(), column.about.clone())]);
            fields.push(Field::new(&column.key, kind, true).with_metadata(about));
            columns.push(values);
        }
        let about = HashMap::from([
            ("table".to_owned(), sheet.name.to_owned()),
            ("knowledge_base".to_owned(), content.to_owned()),
        ]);
        let schema = Arc::new(Schema::new(fields).with_metadata(about));
        let options = RecordBatchOptions::new().with_row_count(Some(sheet.rows.len()));
        Ok(Self { batch: RecordBatch::try_new_with_options(schema, columns, &options)? })
    }
}

#[pymethods]
impl Table {
    /// Name of the table.
    #[getter]
    fn name(&self) -> String {
        self.batch.schema_ref().metadata().get("table").cloned().unwrap_or_default()
    }

    /// Name, type and description of each column.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        let about = |field: &Field| field.metadata().get("about").cloned().unwrap_or_default();
        let fields = self.batch.schema_ref().fields().iter();
        fields.map(|field| (field.name().clone(), type_name(field.data_type()), about(field))).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The schema, through the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, through the Arrow PyCapsule interface: the buffers of this table, not copies. `requested_schema` is ignored, as
    /// the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }
}

fn type_name(kind: &DataType) -> String {
    match kind {
        DataType::Int64 => "integer",
        DataType::Float64 => "number",
        _ => "text",
    }
    .to_owned()
}

/// The exception for an Arrow error, which can only be a bug of this program.
pub fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
