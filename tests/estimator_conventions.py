"""scikit-learn's own checks of what an estimator must do, as parameters of a test."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

# asks for input of other array libraries, and skips itself where SciPy was not told to take it
NOT_ASKED = "check_array_api_input"


def with_checks(estimators: list[Any]) -> pytest.MarkDecorator:
    """Every check of every estimator as a pair (estimator, check)."""
    pairs = [
        pytest.param(one, check, id=f"{one!r} {_name(check)}")
        for estimator in estimators
        for one, check in estimator_checks_generator(estimator)
        if _name(check) != NOT_ASKED
    ]
    return pytest.mark.parametrize(("estimator", "check"), pairs)


def _name(check: Any) -> str:
    return str(getattr(check, "func", check).__name__)
