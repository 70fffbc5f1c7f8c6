"""The AUC over all rankings with a given number of errors, against listing them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta

import rocsolid as rs
from rocsolid.plan import auc_at_error_rate, rankings

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


@pytest.mark.parametrize("size", [1, 2, 50, 3_000, 100_000])
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


@pytest.mark.parametrize(("m", "n"), [(4, 4), (2, 6), (6, 3)])
def test_the_interval_is_chebyshevs_at_every_number_of_errors_that_the_error_rate_allows(
    m: int, n: int
) -> None:
    """From the lists; in each list at most the part of the error is beyond."""
    rows, part = m + n, 1.0 - math.sqrt(0.9)
    for errors in range(rows + 1):
        low = beta.ppf(part / 2, errors, rows - errors + 1) if errors else 0.0
        high = beta.isf(part / 2, errors + 1, rows - errors) if errors < rows else 1.0
        ends = []
        for count in range(math.floor(low * rows), math.ceil(high * rows) + 1):
            values = np.array(listed(count, m, n), dtype=float)
            reach = values.std() / math.sqrt(part)
            least, most = values.mean() - reach, values.mean() + reach
            assert np.mean((values < least - 1e-12) | (values > most + 1e-12)) <= part
            ends.append((max(least, values.min()), min(most, values.max())))
        found = auc_at_error_rate(errors, m, n, level=0.9)
        assert found.low == pytest.approx(min(end[0] for end in ends), abs=1e-12)
        assert found.high == pytest.approx(max(end[1] for end in ends), abs=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_ends_of_the_interval_where_the_range_is_far(level: float) -> None:
    """Few errors of many rows: the mean falls with each more, so the two ends decide."""
    m, n, errors, part = 400, 600, 150, 1.0 - math.sqrt(level)
    fewest = math.floor(beta.ppf(part / 2, errors, m + n - errors + 1) * (m + n))
    most = math.ceil(beta.isf(part / 2, errors + 1, m + n - errors) * (m + n))
    first, last = auc_at_error_rate(fewest, m, n), auc_at_error_rate(most, m, n)
    found = auc_at_error_rate(errors, m, n, level=level)
    assert found.low == pytest.approx(last.mean - last.std / math.sqrt(part), abs=1e-12)
    assert found.high == pytest.approx(first.mean + first.std / math.sqrt(part), abs=1e-12)


def test_a_few_numbers_of_errors_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """On sizes where the limits rise here and there as errors are added."""
    asked = [(k, m, n) for m, n in ((10, 90), (100, 150), (50, 50)) for k in range(0, m + n, 9)]
    few = [auc_at_error_rate(*one) for one in asked]
    monkeypatch.setattr(rankings, "_COUNTS", 1000)
    for one, all_of_them in zip(few, (auc_at_error_rate(*one) for one in asked), strict=True):
        assert (one.low, one.high) == pytest.approx((all_of_them.low, all_of_them.high), abs=0.005)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 3), (4, 2)])
def test_the_least_and_the_most_are_those_of_all_scores(m: int, n: int) -> None:
    """Ties too: scores from m + n values, at every threshold; the audit says the same."""
    positive = np.arange(m + n) < m
    values = np.array(list(itertools.product(range(m + n), repeat=m + n)))
    above, below = values[:, :m, None], values[:, None, m:]
    wins = ((above > below) + 0.5 * (above == below)).sum(axis=(1, 2))
    for errors in range(m + n + 1):
        fits = [((values >= cut) != positive).sum(axis=1) == errors for cut in range(m + n + 1)]
        seen = wins[np.any(fits, axis=0)]
        found = auc_at_error_rate(errors, m, n)
        extremes = seen.min() / m / n, seen.max() / m / n
        assert (found.least, found.most) == pytest.approx(extremes)
        for twice in range(2 * m * n + 1):
            audit = rs.audit(f"{twice}/{2 * m * n}", n_pos=m, n_neg=n, errors=errors)
            last = audit.findings[-1]
            assert last.about == "errors"
            assert last.possible == (seen.min() <= twice / 2 <= seen.max())


def test_too_many_errors_are_refused_before_any_array() -> None:
    with pytest.raises(rs.InputError, match="too long"):
        auc_at_error_rate(10**9, 3 * 10**9, 3 * 10**9)
    assert auc_at_error_rate(100, 3 * 10**9, 3 * 10**9).mean > 0.999
