"""Evaluate tables and files: an estimate for each score and segment, or each run and measure."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.answer.answer import Answer as Evaluation
    from rocsolid.evaluation.evaluate_table import evaluate

# loaded when used: runs have no need of tables
_HOMES = {
    "Evaluation": ("rocsolid.answer.answer", "Answer"),
    "evaluate": ("rocsolid.evaluation.evaluate_table", "evaluate"),
}

__all__ = ["Evaluation", "evaluate"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, own = _HOMES[name]
    return getattr(importlib.import_module(home), own)
