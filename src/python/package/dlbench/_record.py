"""What all objects of a document have in common."""

from __future__ import annotations

from typing import Any


class Record:
    """An object of a document: its values are attributes, and ``None`` where they are not known."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._held = data

    @property
    def _data(self) -> dict[str, Any]:
        return self._held

    def to_dict(self) -> dict[str, Any]:
        """The object as JSON has it."""
        return self._data

    def __getitem__(self, key: str) -> Any:
        """The value of a key, as JSON has it; a ``KeyError`` where it is not there."""
        return self._data[key]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return type(self) is type(other) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        known = ((key, value) for key, value in self._data.items() if value is not None and value != [] and value != {})
        parts = ", ".join(f"{key}={_short(value)}" for key, value in known)
        return f"{type(self).__name__}({parts})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
