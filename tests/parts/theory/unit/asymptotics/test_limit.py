"""What `limit` says about discounts, cut-offs and curves of every kind."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.theory.asymptotics import curves, limit, separation
from rocsolid.theory.asymptotics.curves.levels import as_levels
from rocsolid.theory.asymptotics.limit import as_depth

LINE = curves.linear(0.1, 0.6)
FAST = rs.discounts.exponential(2)


@given(
    st.lists(st.floats(0.05, 1.0), min_size=2, max_size=5),
    st.floats(0.02, 0.98),
    st.floats(0.0, 0.95),
    st.booleans(),
)
def test_the_best_order_is_that_of_theorem_13_as_written(
    weights: list[float], c: float, beta: float, lowest_is_zero: bool
) -> None:
    """Σ_{j≤t} 𝔶ⱼ(R_j^(1−β) − R_{j−1}^(1−β)) + 𝔶_{t+1}(c^(1−β) − R_t^(1−β)), R_t < c ≤ R_{t+1}."""
    shares = np.asarray(weights) / sum(weights)
    grades = np.arange(len(shares))[::-1] + (0.0 if lowest_is_zero else 0.5)
    reach = np.concatenate([[0.0], np.cumsum(shares)])
    t = int(np.searchsorted(reach[:-1], c)) - 1
    power = reach ** (1 - beta)
    written = sum(grades[j] * (power[j + 1] - power[j]) for j in range(t))
    written += grades[t] * (c ** (1 - beta) - power[t])
    levels = as_levels(dict(zip(grades.tolist(), shares.tolist(), strict=True)))
    assert levels.ideal(lambda r: min(r, c) ** (1 - beta)) == pytest.approx(written, rel=1e-12)


@given(st.floats(0.0, 0.5), st.floats(0.5, 1.0), st.floats(0.01, 0.99))
def test_a_better_curve_has_a_higher_limit_and_one_is_the_top(
    low: float, high: float, beta: float
) -> None:
    p = (low + high) / 2
    d = rs.discounts.power(beta)
    line, flat = limit(d, curves.linear(low, high)).value, limit(d, curves.constant(p)).value
    perfect = limit(d, curves.from_function(lambda s: (s > 1 - p) * 1.0, breaks=[1 - p])).value
    assert line is not None
    assert flat is not None
    assert flat <= line + 1e-12 <= 1.0 + 2e-12
    assert flat == pytest.approx(p**beta, rel=1e-12)
    assert perfect == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("discount", "k"),
    [
        (FAST, None),
        (rs.discounts.power(1.5), None),
        (rs.discounts.table([1, 0.5]), rs.discounts.frac(0.5)),
        ("log2", 10),
        ("zipf", 1),
        (lambda r: 1 / (1 + r) ** 2, None),
        ("log2", lambda _: 20),
    ],
)
def test_a_few_ranks_have_no_limit(discount: Any, k: Any) -> None:
    found = limit(discount, LINE, k)
    assert (found.value, found.exists, found.theorem) == (None, False, "Theorem 6")
    assert found.expected == pytest.approx(0.6)
    assert "labels are noisy" in " ".join(found.assumptions)
    assert str(found).endswith("not proven)") == (not found.proven)


def test_noise_free_tops_are_outside_of_theorem_6() -> None:
    found = limit(FAST, curves.linear(0.0, 1.0))
    assert found.value == 1.0
    assert "does not apply" in found.theorem
    assert "noise" in found.words
    # grade 1 at the very top without noise, while grade 2 is the highest: .5 although it is ½
    sure = curves.graded({2: lambda s: 0.5 * s * (1 - s), 1: lambda s: s})
    found = limit("log2", sure, 10)
    assert found.value == pytest.approx(0.5)
    noisy = curves.graded({2: lambda s: 0.5 * s, 0: lambda s: 1 - 0.5 * s})
    assert limit("log2", noisy, 10).value is None
    # a curve of means alone cannot tell
    unsure = curves.from_function(lambda s: s, {2: 0.2, 1: 0.1, 0: 0.7})
    found = limit("log2", unsure, 10)
    assert found.value is None
    assert "are an assumption here" in found.words


def test_data_never_rule_noise_out() -> None:
    curve = curves.isotonic([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    assert curve.top == 1.0
    assert limit(FAST, curve).value is None
    assert "estimated" in " ".join(limit("zipf", curve).assumptions)


def test_discounts_that_only_behave_like_the_theorems_say_so() -> None:
    shifted = limit(lambda r: (r + 7.0) ** -0.5, LINE)
    assert shifted.value == pytest.approx(limit(rs.discounts.power(0.5), LINE).value, abs=1e-9)
    assert not shifted.proven
    assert "Karamata" in " ".join(shifted.assumptions)
    assert "proves nothing" in shifted.explain()
    assert "Karamata" not in " ".join(limit("log2", LINE, rs.discounts.frac(0.5)).assumptions)
    assert limit(lambda r: np.ones_like(r), LINE, rs.discounts.frac(0.2)).value == pytest.approx(
        0.55
    )
    assert limit(lambda r: 1 / (r * np.log(1 + r)), LINE).value == pytest.approx(0.6)


def test_zipf_with_a_share_and_with_grades() -> None:
    grades = curves.graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
    for curve, expected in [(LINE, 0.6), (grades, 0.45)]:
        for k in (None, rs.discounts.frac(0.2), rs.discounts.frac(1), "o(n)"):
            assert limit("zipf", curve, k).value == pytest.approx(expected)
    assert "vanishing" in " ".join(limit("zipf", LINE, rs.discounts.frac(0.2)).assumptions)


def test_a_share_of_one_is_the_whole_list() -> None:
    for d in ("log2", rs.discounts.power(0.5)):
        assert limit(d, LINE, rs.discounts.frac(1)).value == limit(d, LINE).value


def test_levels_for_a_function() -> None:
    """The curve .1 + .8s says nothing on how its mean ½ comes about; the levels do."""
    shares = {2: 0.15, 1: 0.2, 0: 0.65}
    by_mean = limit(rs.discounts.power(0.5), lambda s: 0.1 + 0.8 * s, levels=shares)
    by_grade = curves.graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
    assert by_mean.value == pytest.approx(limit(rs.discounts.power(0.5), by_grade).value, rel=1e-9)
    with pytest.raises(rs.InputError, match="the same quantity"):
        limit("log2", lambda s: 0.1 + 0.7 * s, levels=shares)
    with pytest.raises(rs.InputError, match="knows its grades"):
        limit("log2", LINE, levels=shares)


@pytest.mark.parametrize(
    ("k", "kind", "share"),
    [
        (None, "whole", 1.0),
        ("o(n)", "sublinear", 0.0),
        ("o( n )", "sublinear", 0.0),
        (rs.discounts.frac(0.25), "share", 0.25),
        (3, "fixed", 0.0),
        (lambda n: n / 4, "share", 0.25),
        (lambda n: 2 * n, "whole", 1.0),
        (lambda n: n / math.log(n), "sublinear", 0.0),
        (lambda n: math.log(n), "sublinear", 0.0),
        (lambda _: 100, "fixed", 0.0),
        (lambda n: min(n, 100), "fixed", 0.0),
        (lambda n: n / 5 + n**0.5, "share", 0.2),
        (lambda n: int(1 + math.log(n) ** 0.5), "sublinear", 0.0),
        (lambda n: int(2 + math.log(math.log(n + 3))), "sublinear", 0.0),
        (np.sqrt, "sublinear", 0.0),
    ],
)
def test_how_cut_offs_grow(k: Any, kind: str, share: float) -> None:
    found = as_depth(k)
    assert (found.kind, found.share) == (kind, pytest.approx(share))
    assert found.proven != callable(k)


def test_cut_offs_that_make_no_sense() -> None:
    with pytest.raises(rs.InputError, match="unknown cut-off"):
        limit("log2", LINE, "O(n)")
    with pytest.raises(rs.InputError, match="cannot be estimated"):
        limit("log2", LINE, lambda n: n / math.log(math.log(n)) ** 0.1)
    # it may stop here, or go on growing too slowly to be seen
    with pytest.raises(rs.InputError, match="it is 2 from n = 1e\\+37"):
        limit("log2", LINE, lambda n: math.ceil(math.log(math.log(math.log(n)))))
    with pytest.raises(rs.InputError, match="fails at n = 1e\\+25: list index out of range"):
        limit("log2", LINE, lambda n: [10, 20][int(n) // 10**12])


@pytest.mark.parametrize(
    ("k", "beyond"),
    [
        (lambda n: n**0.01, True),
        (lambda n: n / math.log(n), True),
        (math.isqrt, True),
        (lambda n: math.log(n) ** 2, True),
        (lambda n: math.log(n) * math.log(math.log(n)), True),
        (lambda n: math.exp(math.log(n) ** 0.5), True),
        (math.log, False),
        (lambda n: math.ceil(0.05 * math.log(n)), False),
        (lambda n: 100 * math.log(n), False),
        (lambda n: math.log(n) - 10, False),
        (lambda n: max(1, math.log(n) - 25), False),  # its last exponent alone looks larger than 1
        (lambda n: max(100, math.log(n)), False),  # and of this one the trend
        (lambda n: max(1, int(0.0101 * math.log(n))), False),  # 1, 1, 3 by rounding
        (lambda n: math.log(n) + 50, False),
        (lambda n: len(str(n)), False),
        (lambda n: math.log(n) / math.log(math.log(n)), False),
        ("o(n)", False),
    ],
)
def test_which_cut_offs_grow_faster_than_the_logarithm(k: Any, beyond: bool) -> None:
    """Definition 3 needs that; what is near ln n does not count."""
    assert as_depth(k).beyond_log == beyond


def test_a_separation_says_that_a_cut_off_was_read_off() -> None:
    found = separation("log2", LINE, curves.linear(0.2, 0.5), lambda n: n**0.5)
    assert str(found).endswith("(Theorem 7, k beyond ln n; cut-off read off values, not proven)")
    assert "proves nothing" in found.explain()
    assert "proves nothing" not in separation("log2", LINE, curves.linear(0.2, 0.5)).explain()
    assert "tail read off" in str(limit(lambda r: 1 / np.sqrt(r), LINE, lambda n: n**0.5))


def test_output_is_plain() -> None:
    for d, k in [("log2", None), (FAST, None), (rs.discounts.power(0.3), rs.discounts.frac(0.4))]:
        found = limit(d, LINE, k)
        back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert back["value"] == found.value
        assert back["exists"] is found.exists
        assert found.theorem in found.explain()
        assert found.discount in str(found)


def test_a_limit_is_proven_only_where_the_cut_off_is_known_for_ever() -> None:
    """The discount is known here; how the cut-off goes on was read off finitely many values."""
    known = limit("log2", LINE, rs.discounts.frac(0.25))
    read = limit("log2", LINE, lambda n: n / 4)
    assert read.value == pytest.approx(known.value)
    assert (known.proven, read.proven) == (True, False)
    assert "proves nothing" in read.explain()
