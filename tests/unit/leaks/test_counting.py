"""The result of a count, its routes, and what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks import conjecture, count
from rocsolid.leaks.counting import subsets
from rocsolid.leaks.gaussian import gaussian_coefficient
from rocsolid.leaks.posterior import maximum_entropy


def test_plain_data_and_words():
    found = count("1387/1440", 77)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["count"] == "654344"
    assert data["by_n_pos"]["32"] == {
        "count": "327172",
        "log2": math.log2(327172),
        "method": "exact",
        "relative_error": 0.0,
    }
    assert data["support"] == [32, 45]
    assert "654,344 labelings of the 77 rows fit" in found.explain()
    assert str(found) == "654,344 labelings: 19.3 of 77 bits left, exact"


def test_bits_before_and_left():
    found = count("3/4", 4, n_pos=2)
    assert (found.entropy_before, found.entropy_left) == (math.log2(6), 0.0)
    assert found.surprise_bits == pytest.approx(math.log2(6))
    assert count("3/4", 4).entropy_before == pytest.approx(math.log2(14))
    known = count("1/2", 20, known={0: 0, 19: 1})
    assert known.n_known == 2
    assert known.entropy_before == pytest.approx(18)


def test_no_labeling_fits():
    found = count("7/11", 4)
    assert (found.count, found.log2, found.support, found.exact) == (0, -math.inf, (), True)
    assert str(found) == "no labeling fits"
    assert "decimals" in found.explain()
    assert json.loads(json.dumps(found.to_dict()))["log2"] is None


def test_scores_may_come_in_any_order_and_array():
    scores = [0.3, 0.1, 0.1, 0.9, 0.5, 0.4]
    first = count("0.8", scores).by_n_pos
    assert count("0.8", np.array(scores)[::-1]).by_n_pos == first
    assert count(0.8, 6, decimals=1).by_n_pos == count("0.8", range(6)).by_n_pos


@pytest.mark.parametrize(
    ("auc", "rows", "more", "method"),
    [
        ("9/10", 400, {"n_pos": 200}, "exact"),
        ("1/2", 3000, {"n_pos": 1500}, "numerical"),
        ("0.9", 3000, {"n_pos": 1500}, "numerical"),
        ("9/10", 60_000, {"n_pos": 30_000}, "asymptotic"),
        ("0.91", np.repeat(np.arange(100), 2), {}, "numerical"),
        ("1/2", np.zeros(1000), {"n_pos": 10}, "exact"),
        ("1/1", 10**6, {"n_pos": 1000}, "exact"),
    ],
)
def test_routes(auc, rows, more, method):
    found = count(auc, rows, **more)
    assert found.method == method
    assert found.exact == (found.count is not None) == (found.relative_error == 0)
    assert found.relative_error < 1e-8
    assert 0 <= found.log2 <= found.entropy_before


def test_routes_agree_where_they_meet():
    numerical = count("9/10", 3000, n_pos=100)
    assert numerical.log2 == pytest.approx(
        math.log2(gaussian_coefficient(2900, 100, 29000)), abs=1e-9
    )


def test_too_many_numbers_of_positives():
    with pytest.raises(RocsolidError, match="narrower range"):
        count("0.9", 30_000)


def test_bad_arguments():
    with pytest.raises(InputError, match="at least two rows"):
        count("1/2", 1)
    with pytest.raises(InputError, match="at most 20,000,000"):
        count("0.8", 3_000_000_000, n_pos=5)
    with pytest.raises(InputError, match="number of positives"):
        count("1/2", 5, n_pos=5)
    with pytest.raises(InputError, match="at least 2"):
        conjecture(1)


def test_conjecture_as_data_and_words():
    found = conjecture(40)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["below"][0]["auc"] == "1/4"
    assert data["rises_below"] == len(found.below) == 22
    assert not found.holds_below
    assert "perfect square" in found.explain()


def test_forced_rows_leave_the_question_small():
    weights = np.arange(10**6)
    top = int(weights[-400:].sum())
    question = subsets(weights, 400, top - 50, top - 50)
    assert len(question.weights) == 100
    assert question.count() == 204226  # the partitions of 50


def test_maximum_entropy_refuses_the_extremes():
    with pytest.raises(RocsolidError, match="strictly between"):
        maximum_entropy(np.arange(5), 2, 1)
    with pytest.raises(RocsolidError, match="strictly between"):
        maximum_entropy(np.zeros(5, dtype=np.int64), 2, 0)


@pytest.mark.parametrize(("k", "auc"), [(500, 0.999), (10, 0.9), (2000, 0.2), (3999, 0.6)])
def test_maximum_entropy_meets_both_means(k: int, auc: float):
    weights = np.arange(4000)
    total = k * (k - 1) // 2 + int(auc * k * (4000 - k))
    fit = maximum_entropy(weights, k, total)
    assert fit.p.sum() == pytest.approx(k, rel=1e-11)
    assert fit.p @ weights == pytest.approx(total, rel=1e-11)
