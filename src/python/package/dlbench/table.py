"""Tables: typed columns with a meaning each, for pandas, Polars, DuckDB and whatever else reads Apache Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _dlbench

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Column(NamedTuple):
    """A column of a table."""

    type: str
    """``text``, ``integer`` (64 bits) or ``number`` (64 bits)."""
    about: str
    """What its values are, with the unit; empty where its name states it."""


class Table:
    """A typed table. What is not known is null.

    It is handed over by the `Arrow PyCapsule interface`_ without copying: ``pyarrow.table(table)``, ``polars.DataFrame(table)`` and
    DuckDB take it as it is.

    .. _Arrow PyCapsule interface: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
    """

    def __init__(self, table: _dlbench.Table) -> None:
        self._table = table

    @property
    def name(self) -> str:
        """Its name, such as ``measurements``."""
        return self._table.name

    @property
    def columns(self) -> dict[str, Column]:
        """Its columns by name, each with its type and its meaning; the unit is part of the name (``latency_ms``)."""
        return {name: Column(type, about) for name, type, about in self._table.columns}

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        return f"<dlbench.Table {self.name}: {len(self)} rows, {len(self.columns)} columns>"

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """The table as a ``pyarrow.Table``, without copying. Its metadata holds the meaning of each column (``about``) and the hash
        of the knowledge base (``knowledge_base``)."""
        return _needed("pyarrow", "pyarrow").table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a ``pandas.DataFrame``: whole numbers are ``Int64``, so that they stay whole where some are not known. Needs
        pyarrow, too."""
        pandas = _needed("pandas", "pandas")
        arrow = _needed("pyarrow", "pandas")
        return arrow.table(self).to_pandas(types_mapper={arrow.int64(): pandas.Int64Dtype()}.get)

    def to_polars(self) -> polars.DataFrame:
        """The table as a ``polars.DataFrame``."""
        return _needed("polars", "polars").DataFrame(self)


def _needed(module: str, extra: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"this needs {module}: pip install 'dlbench[{extra}]'") from error
