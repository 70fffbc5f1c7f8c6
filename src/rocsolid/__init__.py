"""rocsolid: ranking metrics you can stand on.

Names are loaded when they are first used, so that ``import rocsolid`` takes a moment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid._version import __version__

if TYPE_CHECKING:
    from rocsolid import plan, sklearn, weights
    from rocsolid.binary.auc import auc
    from rocsolid.binary.fingerprint import fingerprint
    from rocsolid.binary.roc import roc
    from rocsolid.errors import InputError, OneClassError, RocsolidError, UnsoundError
    from rocsolid.evaluation import Evaluation, evaluate
    from rocsolid.intervals import guarantees
    from rocsolid.results import Estimate, Interval
    from rocsolid.summaries.score_counts import ScoreCounts

# public name -> the module that holds it; a module that is public itself is its own home
_HOMES = {
    "Estimate": "rocsolid.results",
    "Evaluation": "rocsolid.evaluation",
    "InputError": "rocsolid.errors",
    "Interval": "rocsolid.results",
    "OneClassError": "rocsolid.errors",
    "RocsolidError": "rocsolid.errors",
    "ScoreCounts": "rocsolid.summaries.score_counts",
    "UnsoundError": "rocsolid.errors",
    "auc": "rocsolid.binary.auc",
    "evaluate": "rocsolid.evaluation",
    "fingerprint": "rocsolid.binary.fingerprint",
    "roc": "rocsolid.binary.roc",
}
_MODULES = {
    "guarantees": "rocsolid.intervals.guarantees",
    "plan": "rocsolid.plan",
    "sklearn": "rocsolid.sklearn",
    "weights": "rocsolid.weights",
}

__all__ = [
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
    "evaluate",
    "fingerprint",
    "guarantees",
    "plan",
    "roc",
    "sklearn",
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
