"""Drop-in functions with scikit-learn's names, arguments, results, warnings and errors.

The values come from rocsolid's kernels (one sort a class, or one a list), the checks of the
input from scikit-learn's own utilities, so that ``from rocsolid.sklearn import roc_auc_score`` is
the only line to change. Results are NumPy's whatever the input, also under scikit-learn's option
``array_api_dispatch``.
"""

from __future__ import annotations

from rocsolid.errors import require_scikit_learn
from rocsolid.public_names import install_lookup

require_scikit_learn("rocsolid.sklearn")

# the modules below import scikit-learn, so they come after the check
from rocsolid.sklearn.averages import average_precision_score, precision_recall_curve  # noqa: E402
from rocsolid.sklearn.cross_validate import best_score, cross_validate, scorer  # noqa: E402
from rocsolid.sklearn.lists import dcg_score, label_ranking_average_precision_score, ndcg_score  # noqa: E402
from rocsolid.sklearn.roc_auc import auc, roc_auc_score, roc_curve  # noqa: E402

__all__ = [
    "auc", "average_precision_score", "best_score", "cross_validate", "dcg_score",
    "label_ranking_average_precision_score", "ndcg_score", "precision_recall_curve",
    "roc_auc_score", "roc_curve", "scorer",
]  # fmt: skip
install_lookup(__name__)
