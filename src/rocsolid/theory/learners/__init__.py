"""Scorers trained for the measure by which they are judged, as scikit-learn estimators.

Each learns a real score by which rows can be ranked. The estimators need scikit-learn (the extra
``learn``), which is imported with the first of them that is used. `certify` and its relatives need
no more than the plain install: they put a proven limit below any scorer's measure.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid.certificates import Certificate, CertifiedGrid, certify, certify_grid
from rocsolid.errors import require_scikit_learn
from rocsolid.theory.learners.certificate import (
    FittedScorer,
    TrainingBounds,
    fit_certify,
    training_bounds,
)

if TYPE_CHECKING:
    from rocsolid.theory.learners.auc_least_squares import AUCLeastSquares
    from rocsolid.theory.learners.list_net import ListNet
    from rocsolid.theory.learners.partial_auc_scorer import PartialAUCScorer
    from rocsolid.theory.learners.rank_boost import RankBoost
    from rocsolid.theory.learners.rank_svm import RankSVM

# estimator -> the module that holds it, which imports scikit-learn
_HOMES = {
    "AUCLeastSquares": "rocsolid.theory.learners.auc_least_squares",
    "ListNet": "rocsolid.theory.learners.list_net",
    "PartialAUCScorer": "rocsolid.theory.learners.partial_auc_scorer",
    "RankBoost": "rocsolid.theory.learners.rank_boost",
    "RankSVM": "rocsolid.theory.learners.rank_svm",
}

__all__ = [
    "AUCLeastSquares", "Certificate", "CertifiedGrid", "FittedScorer", "ListNet",
    "PartialAUCScorer", "RankBoost", "RankSVM", "TrainingBounds", "certify", "certify_grid",
    "fit_certify", "training_bounds",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocsolid.theory.learners' has no attribute {name!r}")
    require_scikit_learn(f"rocsolid.learners.{name}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
