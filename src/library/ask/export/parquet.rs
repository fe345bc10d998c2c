//! A table as a Parquet file.

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;

use super::sheet::{ColumnType, Sheet};
use super::sqlite::ExportError;
use crate::model::Value;

/// The bytes of a Parquet file with one table: every column optional, texts as UTF-8 strings, numbers as 64 bits.
pub fn parquet(sheet: &Sheet) -> Result<Vec<u8>, ExportError> {
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
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    let mut at = 0;
    while let Some(mut column) = group.next_column()? {
        let cells = || sheet.rows.iter().map(|row| row[at].as_ref());
        let known: Vec<i16> = cells().map(|cell| i16::from(cell.is_some())).collect();
        match sheet.columns[at].kind {
            ColumnType::Text => {
                let values: Vec<ByteArray> =
                    cells().flatten().map(|value| ByteArray::from(value.to_string().as_str())).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&known), None)?;
            }
            ColumnType::Integer => {
                let values: Vec<i64> = cells().flatten().map(integer).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&known), None)?;
            }
            ColumnType::Number => {
                let values: Vec<f64> = cells().flatten().map(number).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&known), None)?;
            }
        }
        column.close()?;
        at += 1;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Count(count) => *count,
        Value::Number(number) => number.value() as i64,
        Value::Text(_) => 0,
    }
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Count(count) => *count as f64,
        Value::Number(number) => number.value(),
        Value::Text(_) => f64::NAN,
    }
}
