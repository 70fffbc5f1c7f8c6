"""scikit-learn's own checks of what an estimator must do, as parameters of a test."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

# asks for input of other array libraries, and skips itself where SciPy was not told to take it
NOT_ASKED = "check_array_api_input"
# numbers as labels are ordered grades for the learners of pairs, so three classes of them are no
# error; classes with names still are (test_scorer.py)
BINARY = "check_classifier_not_supporting_multiclass"


def with_checks(estimators: list[Any]) -> pytest.MarkDecorator:
    """Every check of every estimator as a pair (estimator, check)."""
    pairs = [
        pytest.param(one, check, id=f"{one!r} {_name(check)}")
        for estimator in estimators
        for one, check in estimator_checks_generator(estimator)
        if _name(check) not in (NOT_ASKED, BINARY if getattr(one, "_takes_grades", False) else "")
    ]
    return pytest.mark.parametrize(("estimator", "check"), pairs)


def _name(check: Any) -> str:
    return str(getattr(check, "func", check).__name__)
