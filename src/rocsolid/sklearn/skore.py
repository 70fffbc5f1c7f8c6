"""Checks of rocsolid in the reports of skore."""

from __future__ import annotations

from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.utils._response import _get_response_values_binary  # there is no public one

from rocsolid.binary.estimate import Options
from rocsolid.inputs.binary import binary_rows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FewRows, ManyTies, ReversedScore
from rocsolid.remarks.values import FewInFolds, SplitByFolds, UnevenFolds
from rocsolid.results import Estimate
from rocsolid.results.concordance_estimate import FoldedEstimate
from rocsolid.sklearn.cross_validate import out_of_fold

_OF_ROWS = (FewRows, ManyTies, ReversedScore)
_OF_FOLDS = (FewInFolds, UnevenFolds, SplitByFolds)


def skore_checks() -> list[SkoreCheck]:
    """Return the checks of an AUC and of its folds, for ``report.checks.add`` of skore.

    Notes are tips in skore, and ``report.checks.summarize(ignore=["ROC001"])`` mutes a check.

    >>> [check.code for check in skore_checks()]
    ['ROC001', 'ROC009', 'ROC011', 'ROC131', 'ROC132', 'ROC133']
    """
    return [SkoreCheck(check) for check in (*_OF_ROWS, *_OF_FOLDS)]


class SkoreCheck:
    """A check of `rocsolid.checks` in skore's protocol."""

    docs_url = None
    slow = False

    def __init__(self, check: type[Remark]) -> None:
        self.code, self.title = check.code, check.title()
        self.severity: Literal["issue", "tip"] = "tip" if check.severity == "note" else "issue"
        self.report_types = ["cross-validation", *["estimator"] * (check in _OF_ROWS)]

    def check_function(self, report: Any) -> str | None:
        """Return the sentences of the check, or ``None`` if there are none."""
        from skore import CheckNotApplicable

        if report.ml_task != "binary-classification":
            raise CheckNotApplicable(f"An AUC needs two classes. The task is {report.ml_task}.")
        if report not in _REMARKS:
            _REMARKS[report] = _estimate(report).checks
        return " ".join(each for each in _REMARKS[report] if each.code == self.code) or None


_REMARKS: WeakKeyDictionary[Any, tuple[Remark, ...]] = WeakKeyDictionary()
"""The remarks of a report, so that its checks share an estimate."""


def _estimate(report: Any) -> Estimate | FoldedEstimate:
    auc = measure_of("auc")
    models = getattr(report, "reports_", [report])
    scored = [
        _get_response_values_binary(
            model.estimator_, model.X_test, "auto", pos_label=report.pos_label
        )
        for model in models
    ]
    options = Options(pos_label=scored[0][1])
    if models == [report]:
        rows = binary_rows(report.y_test, scored[0][0], pos_label=options.pos_label)
        return auc.estimate(ScoredRows(rows), options)
    scores = [score for score, _ in scored]
    return out_of_fold(auc, np.asarray(report.y), report.split_indices, scores, options).estimate
