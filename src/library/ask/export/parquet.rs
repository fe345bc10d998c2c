//! Writes a table as a Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;

use super::portions::{ExportError, MeasurementPortions, each_portion, made_beside};
use super::sheet::{ColumnType, Sheet};
use crate::reading::WriteError;

/// Rows per row group: the unit that readers load and the writer buffers.
const GROUP: usize = 8192;

/// Writes a table to a Parquet file, streaming measurements as they are read: every column is optional, texts are UTF-8 strings,
/// numbers have 64 bits.
///
/// # Errors
///
/// Fails if the measurements cannot be read, or if the file cannot be written.
pub fn parquet(sheet: &Sheet, rows: &mut MeasurementPortions<'_>, path: &Path) -> Result<(), ExportError> {
    made_beside(path, |made| {
        let file = File::create_new(made).map_err(WriteError::at(path))?;
        let mut writer = writer(sheet, file)?;
        let mut group = Sheet { name: sheet.name, columns: sheet.columns.clone(), rows: Vec::new() };
        each_portion(sheet, rows, |portion| -> Result<(), ExportError> {
            group.rows.extend(portion);
            if group.rows.len() >= GROUP {
                write_group(&group, &mut writer)?;
                group.rows.clear();
            }
            Ok(())
        })?;
        if !group.rows.is_empty() {
            write_group(&group, &mut writer)?;
        }
        writer.close()?;
        Ok(())
    })
}

/// A writer with the table's schema.
fn writer(sheet: &Sheet, file: File) -> Result<SerializedFileWriter<File>, ParquetError> {
    let fields = sheet.columns.iter().map(|column| {
        let field = match column.kind {
            ColumnType::Text => Type::primitive_type_builder(&column.key, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            ColumnType::Integer => Type::primitive_type_builder(&column.key, Physical::INT64),
            ColumnType::Number => Type::primitive_type_builder(&column.key, Physical::DOUBLE),
        };
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    let schema = Arc::new(Type::group_type_builder(sheet.name).with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("dlbench {}", env!("CARGO_PKG_VERSION")))
        .build();
    SerializedFileWriter::new(file, schema, Arc::new(properties))
}

/// Writes rows as one row group.
fn write_group(sheet: &Sheet, writer: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    let mut at = 0;
    while let Some(mut column) = group.next_column()? {
        match sheet.columns[at].kind {
            ColumnType::Text => {
                let (known, values) =
                    parted(sheet.texts(at).map(|text| text.map(|text| ByteArray::from(text.as_str()))));
                column.typed::<ByteArrayType>().write_batch(&values, Some(&known), None)?;
            }
            ColumnType::Integer => {
                let (known, values) = parted(sheet.integers(at));
                column.typed::<Int64Type>().write_batch(&values, Some(&known), None)?;
            }
            ColumnType::Number => {
                let (known, values) = parted(sheet.numbers(at));
                column.typed::<DoubleType>().write_batch(&values, Some(&known), None)?;
            }
        }
        column.close()?;
        at += 1;
    }
    group.close()?;
    Ok(())
}

/// Definition levels of a column's cells (1 for known, 0 for unknown), and the known values.
fn parted<V>(cells: impl Iterator<Item = Option<V>>) -> (Vec<i16>, Vec<V>) {
    let (mut known, mut values) = (Vec::new(), Vec::new());
    for cell in cells {
        known.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    (known, values)
}
