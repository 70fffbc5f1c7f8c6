from __future__ import annotations

from math import comb, factorial, log

import pytest

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.hoeffding import kl
from rocsolid.theory.guarantees.weighted_uniform import compression, log_compression_choices


def divergence(x: float, a: float) -> float:
    return sum(p * log(p / q) for p, q in ((x, a), (1 - x, 1 - a)) if p > 0)


@pytest.mark.parametrize(("used", "ordered"), [((5, 3), False), ((5, 3), True), ((0, 1), False)])
def test_both_limits_are_on_the_boundary(used: tuple[int, int], ordered: bool) -> None:
    m, n, auc, delta = 300, 200, 0.85, 0.05
    found = compression(auc, m, n, *used, delta=delta, ordered=ordered)
    choices = comb(m, used[0]) * comb(n, used[1])
    if ordered:
        choices *= factorial(used[0]) * factorial(used[1])
    k = min(m - used[0], n - used[1])
    bound = (log(choices) + 2 * log(m + n + 1) + log(2 / delta)) / k
    assert divergence(auc, found.low) == pytest.approx(bound, rel=1e-9)
    assert divergence(auc, found.high) == pytest.approx(bound, rel=1e-9)


def test_one_sided_spends_all_of_delta_below() -> None:
    both = compression(0.9, 500, 500, 3, 3, delta=0.1)
    greater = compression(0.9, 500, 500, 3, 3, delta=0.05, alternative="greater")
    assert greater.low == pytest.approx(both.low)
    assert greater.high == 1.0


def test_no_defining_row_costs_only_the_choice_of_none() -> None:
    m, n = 40, 60
    alone = kl(0.8, m, n, delta=0.05 / (m + n + 1) ** 2)
    found = compression(0.8, m, n, 0, 0)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 9), (20, 20)])
def test_the_weights_of_all_choices_sum_to_at_most_one(m: int, n: int) -> None:
    total = sum(
        comb(m, a) * comb(n, b) / (comb(m, a) * comb(n, b) * (m + n + 1) ** 2)
        for a in range(m + 1)
        for b in range(n + 1)
    )
    assert total <= 1


def test_logarithms_of_binomials_at_any_size() -> None:
    assert log_compression_choices(10**6, 10**6, 1000, 7) == pytest.approx(
        log(comb(10**6, 1000) * comb(10**6, 7)), rel=1e-9
    )
    assert not compression(0.9, 10**6, 10**6, 1000, 1000).vacuous


def test_all_rows_of_a_class_cannot_define_the_scorer() -> None:
    for used in ((10, 0), (0, 20), (11, 0)):
        with pytest.raises(InputError, match="left over"):
            compression(0.9, 10, 20, *used)
    with pytest.raises(InputError, match="used_neg"):
        compression(0.9, 10, 20, 1, -1)
