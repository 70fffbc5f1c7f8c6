"""rocsolid: ranking metrics you can stand on.

Names are loaded when they are first used, so that ``import rocsolid`` takes a moment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid._version import __version__

if TYPE_CHECKING:
    from rocsolid import discounts, gains, leaks, plan, sklearn, weights
    from rocsolid.binary.auc import auc
    from rocsolid.binary.fingerprint import fingerprint
    from rocsolid.binary.partial_auc import partial_auc
    from rocsolid.binary.roc import roc
    from rocsolid.binary.weighted_auc import weighted_auc
    from rocsolid.comparison import compare, compare_samples
    from rocsolid.discounts import frac
    from rocsolid.errors import InputError, OneClassError, RocsolidError, UnsoundError
    from rocsolid.evaluation import Evaluation, evaluate
    from rocsolid.intervals import guarantees
    from rocsolid.results import Comparison, Estimate, Interval
    from rocsolid.summaries.score_counts import ScoreCounts

# public name -> the module that holds it; a module that is public itself is its own home
_HOMES = {
    "Comparison": "rocsolid.results",
    "Estimate": "rocsolid.results",
    "Evaluation": "rocsolid.evaluation",
    "InputError": "rocsolid.errors",
    "Interval": "rocsolid.results",
    "OneClassError": "rocsolid.errors",
    "RocsolidError": "rocsolid.errors",
    "ScoreCounts": "rocsolid.summaries.score_counts",
    "UnsoundError": "rocsolid.errors",
    "auc": "rocsolid.binary.auc",
    "compare": "rocsolid.comparison",
    "compare_samples": "rocsolid.comparison",
    "evaluate": "rocsolid.evaluation",
    "fingerprint": "rocsolid.binary.fingerprint",
    "frac": "rocsolid.discounts",
    "partial_auc": "rocsolid.binary.partial_auc",
    "roc": "rocsolid.binary.roc",
    "weighted_auc": "rocsolid.binary.weighted_auc",
}
_MODULES = {
    "discounts": "rocsolid.discounts",
    "gains": "rocsolid.gains",
    "guarantees": "rocsolid.intervals.guarantees",
    "leaks": "rocsolid.leaks",
    "plan": "rocsolid.plan",
    "sklearn": "rocsolid.sklearn",
    "weights": "rocsolid.weights",
}

__all__ = [
    "Comparison",
    "Estimate",
    "Evaluation",
    "InputError",
    "Interval",
    "OneClassError",
    "RocsolidError",
    "ScoreCounts",
    "UnsoundError",
    "__version__",
    "auc",
    "compare",
    "compare_samples",
    "discounts",
    "evaluate",
    "fingerprint",
    "frac",
    "gains",
    "guarantees",
    "leaks",
    "partial_auc",
    "plan",
    "roc",
    "sklearn",
    "weighted_auc",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = importlib.import_module(_MODULES[name])
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'rocsolid' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
