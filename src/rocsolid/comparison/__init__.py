"""Tests of the differences between scores, on the same rows or on independent samples."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.comparison.models import compare, compare_multiclass, compare_samples

# imported on first use: a comparison over queries does not need the modules for rows
_HOMES = {
    "compare": "rocsolid.comparison.models",
    "compare_multiclass": "rocsolid.comparison.models",
    "compare_samples": "rocsolid.comparison.models",
}

__all__ = ["compare", "compare_multiclass", "compare_samples"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
