"""Tests of the differences between scores, on the same rows or on independent samples."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.comparison.models import compare, compare_multiclass, compare_samples

__all__ = ["compare", "compare_multiclass", "compare_samples"]


def __getattr__(name: str) -> Any:
    """Import on first use: a comparison over queries does not need the modules for rows."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("rocsolid.comparison.models"), name)
