"""Scorers trained for the measure that judges them, as scikit-learn estimators.

The estimators need scikit-learn (the extra ``learn``). `certify` and its relatives need only the
plain install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.certificates import certify, certify_grid
from rocsolid.errors import require_scikit_learn
from rocsolid.public_names import install_lookup
from rocsolid.theory.learners.certificate import fit_certify, training_bounds

if TYPE_CHECKING:
    from rocsolid.theory.learners.base import RankBoost
    from rocsolid.theory.learners.list_net import AUCLeastSquares, ListNet
    from rocsolid.theory.learners.p_norm_push import PNormPush
    from rocsolid.theory.learners.partial_auc_scorer import PartialAUCScorer
    from rocsolid.theory.learners.rank_svm import RankSVM

# estimator -> the module that holds it, which imports scikit-learn
_HOMES = {
    "AUCLeastSquares": "rocsolid.theory.learners.list_net",
    "ListNet": "rocsolid.theory.learners.list_net",
    "PNormPush": "rocsolid.theory.learners.p_norm_push",
    "PartialAUCScorer": "rocsolid.theory.learners.partial_auc_scorer",
    "RankBoost": "rocsolid.theory.learners.base",
    "RankSVM": "rocsolid.theory.learners.rank_svm",
}

__all__ = [
    "AUCLeastSquares", "ListNet", "PNormPush", "PartialAUCScorer", "RankBoost", "RankSVM",
    "certify", "certify_grid", "fit_certify", "training_bounds",
]  # fmt: skip
install_lookup(__name__, _HOMES, require=require_scikit_learn)


def __dir__() -> list[str]:
    return sorted(__all__)
