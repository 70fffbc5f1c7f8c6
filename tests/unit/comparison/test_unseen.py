"""What `unseen` adds, in rows of the smaller class: a whole one, a part of one, or none."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.comparison.omnibus import unseen

K = 100.0


@pytest.mark.parametrize(
    ("whole", "more"), [(1.0, 1.0), (0.9, 0.6561), (0.5, 0.0625), (0.1, 0.0001)]
)
def test_it_adds_one_row_as_far_as_whole_rows_are_what_is_seen(whole: float, more: float) -> None:
    """``whole`` is λ: the variance over that of six of 100 rows that are lost altogether.

    Half of one adds a sixteenth of a row. A higher power adds next to nothing there, and a lower
    one takes power from scores whose rows all lie a little off.
    """
    variance = whole * 6.0 / K**2
    added = unseen(np.array([0.94, 0.94]), np.diag([variance, variance]), np.array([K, K]))
    assert added.diagonal() * K**2 == pytest.approx(more, rel=1e-9)


@pytest.mark.parametrize(("lost", "least"), [(0.0, 1.0), (1.0, 0.125), (2.0, 0.0)])
def test_with_fewer_than_two_misplaced_rows_there_is_a_floor(lost: float, least: float) -> None:
    values = np.full(2, 1.0 - lost / K)
    assert unseen(values, np.zeros((2, 2)), np.array([K, K])).diagonal() * K**2 == pytest.approx(
        least, abs=1e-12
    )


def test_correlations_stay() -> None:
    covariance = np.array([[2e-4, 1e-4], [1e-4, 2e-4]])
    raised = covariance + unseen(np.full(2, 0.99), covariance, np.array([K, K]))
    assert raised[0, 1] / raised[0, 0] == pytest.approx(0.5)
