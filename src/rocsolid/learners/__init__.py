"""Scorers trained for the measure by which they are judged, as scikit-learn estimators.

Each learns a real score by which rows can be ranked. The estimators need scikit-learn (the extra
``learn``), which is imported with the first of them that is used. `certify` and its relatives need
no more than the plain install: they put a proven limit below any scorer's measure.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid.errors import require_scikit_learn
from rocsolid.learners.certificate import (
    Certificate,
    CertifiedGrid,
    FittedScorer,
    TrainingBounds,
    certify,
    certify_grid,
    fit_certify,
    training_bounds,
)

if TYPE_CHECKING:
    from rocsolid.learners.auc_least_squares import AUCLeastSquares
    from rocsolid.learners.list_net import ListNet
    from rocsolid.learners.partial_auc_scorer import PartialAUCScorer
    from rocsolid.learners.rank_boost import RankBoost
    from rocsolid.learners.rank_svm import RankSVM

# estimator -> the module that holds it, which imports scikit-learn
_HOMES = {
    "AUCLeastSquares": "rocsolid.learners.auc_least_squares",
    "ListNet": "rocsolid.learners.list_net",
    "PartialAUCScorer": "rocsolid.learners.partial_auc_scorer",
    "RankBoost": "rocsolid.learners.rank_boost",
    "RankSVM": "rocsolid.learners.rank_svm",
}

__all__ = [
    "AUCLeastSquares", "Certificate", "CertifiedGrid", "FittedScorer", "ListNet",
    "PartialAUCScorer", "RankBoost", "RankSVM", "TrainingBounds", "certify", "certify_grid",
    "fit_certify", "training_bounds",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocsolid.learners' has no attribute {name!r}")
    require_scikit_learn(f"rocsolid.learners.{name}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
