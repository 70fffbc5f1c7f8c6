from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals import guarantees
from rocsolid.intervals.guarantees import best, cuts, deviation, hinge, interval, matchings
from rocsolid.intervals.guarantees.best import METHODS
from rocsolid.intervals.guarantees.matchings import matchings_of

PLAIN = [m for m in METHODS if m not in ("cuts", "matchings", "e-value", "betting", "berry-esseen")]
PLACED = ["e-value", "betting"]


@pytest.mark.parametrize("method", PLAIN)
def test_every_method_gives_an_interval_and_a_deviation(method: str) -> None:
    found = interval(method, 0.8, 60, 90)
    assert found.method == ("hinge" if method == "best" else method)
    assert found.level == 0.95
    assert found.low < 0.8 < found.high
    assert found.source
    assert found.assumptions
    spread = deviation(method, 60, 90)
    assert spread.method == found.method
    assert float(spread) > 0
    assert spread.source
    assert spread.assumptions
    at = deviation(method, 60, 90, auc=0.8)
    assert float(at) == pytest.approx(max(0.8 - found.low, found.high - 0.8))
    assert float(at) <= float(spread) + 1e-15


@pytest.mark.parametrize("method", PLACED)
def test_methods_on_placements_need_them(method: str) -> None:
    values = np.array([0.5, 0.75, 1.0])
    found = interval(method, 0.75, 3, 40, placements=values)
    assert found.method == method
    with pytest.raises(UnsoundError, match="needs more than the AUC"):
        interval(method, 0.75, 3, 40)
    with pytest.raises(UnsoundError, match="has no deviation"):
        deviation(method, 3, 40)
    with pytest.raises(InputError, match="mean of the placements is not the AUC"):
        interval(method, 0.7, 3, 40, placements=values)


@pytest.mark.parametrize("method", [cuts, matchings])
def test_some_need_the_scores(method: Any) -> None:
    name = method.__name__
    scores = [3, 5, 4], [1, 4, 2, 2]
    auc = 10.5 / 12
    assert interval(name, auc, 3, 4, scores=scores) == method(*scores)
    with pytest.raises(UnsoundError, match="needs more than the AUC"):
        interval(name, auc, 3, 4)
    with pytest.raises(UnsoundError, match="has no deviation"):
        deviation(name, 3, 40)
    for wrong in ((0.9, 3, 4), (auc, 4, 3)):
        with pytest.raises(InputError, match="do not match the given AUC and class sizes"):
            interval(name, *wrong, scores=scores)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "not a list of scores"),
        ([1.0, np.nan], "a score is NaN"),
        (["high"], "not a list of scores.*high"),
    ],
)
def test_scores_that_are_none_are_refused(wrong: list[Any], message: str) -> None:
    for method in (cuts, matchings):
        with pytest.raises(InputError, match=rf"{message}.*neg_scores"):
            method([1, 2], wrong)


def test_matchings_do_not_jump_where_the_classes_grow() -> None:
    """By rook numbers up to 2,048 rows, and from below beyond: normal scores by their quantiles."""
    widths = []
    for rows in (2048, 2049):
        pos, neg = (ndtri((np.arange(size) + 0.5) / size) for size in (rows, 3000))
        found = matchings(pos + 1.8, neg)
        assert found.method == "matchings"
        widths.append(found.width)
    assert widths[1] == pytest.approx(widths[0], rel=0.01)


def test_more_rows_than_a_board_has_must_be_in_memory() -> None:
    with pytest.raises(UnsoundError, match=r"over 2,048 rows of the smaller class[\s\S]*hinge"):
        matchings_of(None, None, 0.8)


@pytest.mark.parametrize("sizes", [(1, 1), (3, 2), (2049, 2500)])
def test_best_goes_by_cuts_or_by_matchings_of_few(sizes: tuple[int, int]) -> None:
    scores = np.arange(sizes[0]), np.arange(sizes[1])
    auc = rs.auc(np.repeat([1, 0], sizes), np.concatenate(scores))
    method = cuts if min(sizes) >= 20 else matchings
    wanted = method(*scores)
    for found in (best(auc.value, *sizes, scores=scores), auc.certified):
        assert found is not None
        assert found.method == method.__name__
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), rel=1e-9)


def test_best_without_scores_is_an_honest_hinge() -> None:
    for sizes in ((200, 50_000), (3000, 4000)):
        found, plain = best(0.8, *sizes), hinge(0.8, *sizes)
        assert (found.low, found.high, found.method) == (plain.low, plain.high, "hinge")
        assert found.assumptions[-1].startswith("cuts are usually shorter")


def test_alternatives_and_facts_reach_the_method() -> None:
    assert interval("kl", 0.8, 60, 90, 0.1, "less").low == 0.0
    assert interval("chebyshev", 0.8, 60, 90, variance=0.0).width == 0.0
    with pytest.raises(InputError, match="hinge does not use variance"):
        interval("hinge", 0.8, 60, 90, variance=0.01)


@pytest.mark.parametrize("method", PLAIN)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auc": 1.2}, r"must lie in \[0, 1\]: 1.2"),
        ({"auc": float("nan")}, r"must lie in \[0, 1\]: nan"),
        ({"delta": 0}, r"delta must lie in \(0, 1\)"),
        ({"delta": 1}, r"delta must lie in \(0, 1\)"),
        ({"n_pos": 0}, "whole number of at least 1: 0 .n_pos"),
        ({"n_neg": -3}, "whole number of at least 1: -3 .n_neg"),
        ({"n_neg": 2.5}, "whole number of at least 1: 2.5"),
        ({"n_neg": "9"}, "whole number of at least 1: '9'"),
    ],
)
def test_invalid_requests_are_refused(method: str, change: dict, message: str) -> None:
    request = {"auc": 0.8, "n_pos": 60, "n_neg": 90, "delta": 0.05, **change}
    with pytest.raises(InputError, match=message):
        interval(method, **request)
    with pytest.raises(InputError, match=message):
        deviation(method, **request)


def test_bad_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'hoeffding-blocks'"):
        interval("hoefding-block", 0.8, 60, 90)
    with pytest.raises(InputError, match="did you mean 'hinge'"):
        deviation("Hinge", 60, 90)
    with pytest.raises(InputError, match="unknown alternative: 'both'"):
        interval("kl", 0.8, 60, 90, 0.05, "both")


def test_the_package_is_light_and_complete() -> None:
    assert all(hasattr(guarantees, name) for name in guarantees.__all__)
    code = "import sys, rocsolid.intervals.guarantees; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
