"""The rows of a result as a dataframe of the same library as the data."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rocsolid.errors import MissingExtraError

_LIBRARIES = ("pandas", "polars", "pyarrow")
_INTERVALS = ("certified", "learner", "simultaneous")


def library_of(data: Any) -> str:
    """Return the dataframe library of a table; empty for files, mappings and other data.

    >>> import polars as pl
    >>> library_of(pl.DataFrame({"y": [1]})), library_of({"y": [1]})
    ('polars', '')
    """
    narwhals = sys.modules.get("narwhals")  # before it is loaded, no data are a frame of its own
    native = data if narwhals is None else narwhals.to_native(data, pass_through=True)
    kinds = type(native).__mro__
    homes = {kind.__module__.partition(".")[0] for kind in kinds}
    return next((library for library in _LIBRARIES if library in homes), "")


class Framed:
    """A result with rows; ``library`` is the dataframe library of its data, if any."""

    __slots__ = ()
    library: str = ""

    def to_frame(self) -> Any:
        """Return the rows as a dataframe of pandas, Polars or PyArrow, whichever the data used.

        For files, mappings and arrays, the dataframe uses the first of these libraries that is
        installed. Columns are named as in ``to_dict()``; the ends of a further interval are
        ``certified_low`` and ``certified_high``. Each segment column is a column. Lists and
        settings are in ``to_dict()`` only, except for the warnings, which are one text.
        """
        import narwhals as nw

        rows = [_flat(row) for row in self._records()]
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: _of_one_type([row.get(name) for row in rows]) for name in names}
        library = self.library or _installed()
        return nw.from_dict(columns, backend=library).to_native()  # type: ignore[arg-type]

    def _records(self) -> Iterable[Mapping[str, Any]]:
        results: list[dict[str, Any]] = self.to_dict()["results"]  # type: ignore[attr-defined]
        return results


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if key == "by":
            # a segment column may be called as a column of the results is
            flat |= {f"by_{k}" if k in row else k: each for k, each in (value or {}).items()}
        elif key in _INTERVALS:
            ends = value or {}
            flat |= {f"{key}_low": ends.get("low"), f"{key}_high": ends.get("high")}
        elif key == "warnings":
            flat[key] = " ".join(value)
        elif not isinstance(value, list | Mapping):
            flat[key] = value
    return flat


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    if len(kinds) > 1:
        return [None if value is None else str(value) for value in values]
    return values


def _installed() -> str:
    for library in _LIBRARIES:
        if importlib.util.find_spec(library) is not None:
            return library
    raise MissingExtraError(
        "to_frame() needs pandas, Polars or PyArrow, and none is installed",
        fix="install one of them, or use to_dict()",
    )
