"""The AUC over all rankings with a given number of errors, against listing them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from rocsolid.plan import auc_at_error_rate

SIZES = [(1, 1), (1, 5), (3, 4), (4, 4), (2, 6), (6, 3)]


def listed(errors: int, m: int, n: int) -> list[Fraction]:
    """The AUC of every ranking (best first) with every threshold that makes so many errors."""
    found = []
    for places in itertools.combinations(range(m + n), m):
        ranking = [place in places for place in range(m + n)]
        wins = sum(sum(ranking[:place]) for place, positive in enumerate(ranking) if not positive)
        for threshold in range(m + n + 1):
            above, below = ranking[:threshold], ranking[threshold:]
            if (threshold - sum(above)) + sum(below) == errors:
                found.append(Fraction(wins, m * n))
    return found


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_mean_and_deviation_are_those_of_the_list(m: int, n: int) -> None:
    for errors in range(m + n + 1):
        values = listed(errors, m, n)
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        found = auc_at_error_rate(errors, m, n)
        assert found.mean == pytest.approx(float(mean), abs=1e-14)
        assert found.std**2 == pytest.approx(float(variance), abs=1e-14)


@pytest.mark.parametrize(("m", "n"), [*SIZES, (30, 70), (200, 50), (400, 1600)])
def test_the_closed_form_of_cortes_and_mohri(m: int, n: int) -> None:
    """Cortes and Mohri, NIPS 2003, theorem 2 (the mean), which needs at most min(m, n) errors."""
    rows = m + n
    for errors in {0, 1, min(m, n) // 2, min(m, n)}:
        below = Fraction(
            sum(math.comb(rows, x) for x in range(errors)),
            sum(math.comb(rows + 1, x) for x in range(errors + 1)),
        )
        rate = Fraction(errors, rows)
        mean = 1 - rate - Fraction((n - m) ** 2 * (rows + 1), 4 * m * n) * (rate - below)
        assert auc_at_error_rate(errors, m, n).mean == pytest.approx(float(mean), abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 50, 3_000, 1_000_000])
def test_with_equal_classes_the_mean_is_one_minus_the_error_rate(size: int) -> None:
    for errors in {0, 1, size // 3, size, 2 * size}:
        found = auc_at_error_rate(errors, size, size)
        assert found.mean == pytest.approx(1 - found.error_rate, abs=1e-12)


def test_no_error_and_every_error() -> None:
    assert (auc_at_error_rate(0, 5, 9).mean, auc_at_error_rate(0, 5, 9).std) == (1.0, 0.0)
    assert (auc_at_error_rate(14, 5, 9).mean, auc_at_error_rate(14, 5, 9).std) == (0.0, 0.0)


def test_turning_the_classes_around_changes_nothing() -> None:
    one, other = auc_at_error_rate(7, 12, 30), auc_at_error_rate(7, 30, 12)
    assert one.mean == pytest.approx(other.mean, abs=1e-14)
    assert one.std == pytest.approx(other.std, abs=1e-14)
