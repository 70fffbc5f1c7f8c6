from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

CASES = [
    # auc, var_pos, var_neg, n_pos, n_neg
    (0.8, 0.002, 0.001, 30, 50),
    (0.97, 0.0002, 0.0001, 300, 500),
    (1.0, 0.0, 0.0, 30, 50),
    (0.0, 0.0, 0.0, 30, 50),
    (0.5, 0.0, 0.0, 30, 50),
    (0.8, np.nan, 0.001, 1, 50),
    (0.8, 0.01, np.nan, 50, 1),
    (1.0, np.nan, np.nan, 1, 1),
    (0.8, 0.002, 0.001, 12.3, 20.7),  # effective sizes
]
ALTERNATIVES = ["two-sided", "greater", "less"]


def test_the_names() -> None:
    assert set(METHODS) == {"auto", "delong", "logit-t", "newcombe5", "hanley-mcneil"}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_says_what_it_assumes_and_where_it_comes_from(name: str) -> None:
    method = METHODS[name]
    assert method.assumptions
    assert all(method.assumptions)
    assert (
        "coverage page" in method.source
        if name == "auto"
        else "19" in method.source or "20" in method.source
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", METHODS)
def test_scalars_are_refused_exactly_where_groups_are_nan(
    name: str, alternative: Alternative
) -> None:
    method = METHODS[name]
    groups = Moments(*np.array(CASES, dtype=float).T)
    low, high = method.limits(groups, 0.95, alternative)
    unsound = method.unsound(groups)
    np.testing.assert_array_equal(np.isnan(low), unsound)
    np.testing.assert_array_equal(np.isnan(high), unsound)
    assert bool(method.reason) == bool(unsound.any())
    for i, case in enumerate(CASES):
        alone = Moments(*case)
        if unsound[i]:
            with pytest.raises(UnsoundError) as caught:
                method.limits(alone, 0.95, alternative)
            assert method.reason in str(caught.value)
            assert caught.value.fix is not None
        else:
            assert_allclose(method.limits(alone, 0.95, alternative), (low[i], high[i]))
            assert 0.0 <= low[i] <= case[0] <= high[i] <= 1.0
            assert high[i] == 1.0 or alternative != "greater"
            assert low[i] == 0.0 or alternative != "less"
