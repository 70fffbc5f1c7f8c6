"""Drop-in functions with scikit-learn's names, arguments, results, warnings and errors.

Only the import changes: ``from rocsolid.sklearn import roc_auc_score``. Results are always NumPy
objects, even with scikit-learn's option ``array_api_dispatch``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.errors import require_matplotlib, require_scikit_learn
from rocsolid.public_names import install_lookup

require_scikit_learn("rocsolid.sklearn")

# the modules below import scikit-learn, so the check comes first
from rocsolid.sklearn.averages import average_precision_score, precision_recall_curve  # noqa: E402
from rocsolid.sklearn.cross_validate import best_score, cross_validate, scorer  # noqa: E402
from rocsolid.sklearn.lists import dcg_score, label_ranking_average_precision_score, ndcg_score  # noqa: E402
from rocsolid.sklearn.roc_auc import auc, roc_auc_score, roc_curve  # noqa: E402
from rocsolid.sklearn.skore import skore_checks  # noqa: E402

if TYPE_CHECKING:
    from rocsolid.sklearn.displays import PrecisionRecallDisplay, RocCurveDisplay

__all__ = [
    "PrecisionRecallDisplay", "RocCurveDisplay", "auc", "average_precision_score", "best_score",
    "cross_validate", "dcg_score", "label_ranking_average_precision_score", "ndcg_score",
    "precision_recall_curve", "roc_auc_score", "roc_curve", "scorer", "skore_checks",
]  # fmt: skip
_DISPLAYS = ("PrecisionRecallDisplay", "RocCurveDisplay")  # they need matplotlib
install_lookup(
    __name__, dict.fromkeys(_DISPLAYS, "rocsolid.sklearn.displays"), require=require_matplotlib
)


def __dir__() -> list[str]:
    return sorted(__all__)
