"""scikit-learn's own checks of what an estimator must do."""

from __future__ import annotations

from typing import Any

from estimator_conventions import with_checks
from rocsolid.theory.learners import AUCLeastSquares, ListNet, PNormPush, RankSVM


@with_checks([AUCLeastSquares(), ListNet(gain="linear"), PNormPush(), RankSVM()])
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    check(estimator)
