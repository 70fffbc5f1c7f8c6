"""Measures of scores: what each is called, reads and means. One file a measure, one row a name."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.measures.listing import ListedMeasure, table

__all__ = ["ListedMeasure", "table"]


def __getattr__(name: str) -> Any:  # loaded when used: no measure needs all the others
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("rocsolid.measures.listing"), name)
