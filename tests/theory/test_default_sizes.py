"""False alarms of the default tests where a z test, a χ² or Holm's t find too much.

The designs are those of `benchmarks/size_study.py`, with fewer repeats. A check fails when it finds
so much that a binomial with the ceiling would do so with a chance below 1e-6; with fewer than 40
checks the file raises a false alarm with a chance below 4e-5 over the seeds, which are fixed. Where
it is said that DeLong's test finds more, that holds the design to what it is meant to show.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import bdtrc

import rocsolid as rs
from rocsolid.comparison.adjust import adjusted
from rocsolid.comparison.compared import Question, t_test
from rocsolid.comparison.sign_flip import Systems

ALARM = 1e-6
SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "size_study.py"
    spec = importlib.util.spec_from_file_location("size_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["size_study"] = module
    spec.loader.exec_module(module)
    return module


def too_many(share: float, repeats: int, ceiling: float) -> bool:
    count = round(share * repeats)
    return count > 0 and bool(bdtrc(count - 1, repeats, ceiling) < ALARM)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "repeats", "ceiling", "plain"),
    [
        ("alike, 5 + 500, 0.7", 600, 0.05, 0.06),
        ("alike, 10 + 1000, 0.8", 400, 0.05, 0.0),
        ("alike, 50 + 50, 0.8", 600, 0.055, 0.0),
        pytest.param("some positives lost, 12 + 400, 0.9", 400, 0.05, 0.15, marks=SLOW),
        pytest.param("some positives lost, 50 + 500, 0.97", 300, 0.05, 0.12, marks=SLOW),
        pytest.param("mirrored exponentials, 12 + 400, 0.95", 400, 0.05, 0.15, marks=SLOW),
        ("crossing, 30 + 300, 0.95", 400, 0.05, 0.07),
        ("clusters, 150 patients, 8 ill", 1600, 0.05, 0.0),
        ("two samples, 5 + 50 and 50 + 50, 0.8", 500, 0.05, 0.07),
    ],
)
def test_two_scores(
    study: ModuleType, title: str, repeats: int, ceiling: float, plain: float
) -> None:
    design = dict(study.null_designs())[title]
    of_delong, of_t, of_default = design(np.random.default_rng(1), repeats)
    sets = repeats // 4 if "clusters" in title else repeats
    assert not too_many(of_t, sets, ceiling)
    assert not too_many(of_default, sets, ceiling)
    assert of_delong >= plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "m", "n", "aucs", "repeats", "least"),
    [
        pytest.param(5, 20, 200, 0.8, 400, 0.01, marks=SLOW),
        pytest.param(20, 20, 200, 0.8, 100, 0.0, marks=SLOW),
        pytest.param(20, 5, 500, 0.8, 60, 0.0, marks=SLOW),
        (4, 60, 90, 0.8, 1500, 0.038),
    ],
)
def test_many_scores(
    study: ModuleType, k: int, m: int, n: int, aucs: float, repeats: int, least: float
) -> None:
    """Not above 5 %; and with plenty of rows not far below it, so that no degree is given away."""
    _, of_f, of_default = study.many(np.random.default_rng(2), repeats, (m, n), (aucs,) * k)
    assert not too_many(of_f, repeats, 0.05)
    assert not too_many(of_default, repeats, 0.05)
    assert of_f >= least


@pytest.mark.parametrize("name", ["two of a kind", "twenty", "five positives"])
def test_equal_scores_of_all_kinds(name: str) -> None:
    """Twenty copies of one score, and copies among others: p is 1, or that of those that differ."""
    rng = np.random.default_rng(3)
    y = np.arange(120) < (5 if name == "five positives" else 20)
    one, other = rng.normal(size=120) + y, rng.normal(size=120) + y
    copies = {str(i): one for i in range(20)}
    if name == "two of a kind":
        found = rs.compare(y, {"a": one, "again": np.exp(one), "b": other}).omnibus
        assert found.p_value == pytest.approx(rs.compare(y, {"a": one, "b": other}).omnibus.p_value)
        return
    result = rs.compare(y, copies)
    assert result.omnibus.p_value == 1.0
    assert all(pair.p_value == 1.0 for pair in result.pairs)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_two_scores_have_one_p_value(weighted: bool, clustered: bool, ties: bool) -> None:
    """The pair's p-value, its interval, and the test that all are equal say the same."""
    rng = np.random.default_rng(4)
    y = np.arange(90) < 30
    scores = {name: rng.normal(size=90) + 1.2 * y for name in "ab"}
    if ties:
        scores = {name: score.round() for name, score in scores.items()}
    result = rs.compare(
        y, scores, sample_weight=rng.exponential(size=90) if weighted else None,
        cluster=np.arange(90) % 25 if clustered else None,
    )  # fmt: skip
    (pair,) = result.pairs
    assert result.omnibus.p_value == pytest.approx(pair.p_value, rel=1e-9)
    edge = rs.compare(
        y, scores, level=1.0 - pair.p_value,
        sample_weight=None if not weighted else rng.exponential(size=90),
    ) if not weighted and not clustered and pair.p_value < 0.5 else None  # fmt: skip
    if edge is not None:
        assert min(abs(edge.pairs[0].low), abs(edge.pairs[0].high)) < 1e-9
    if clustered:
        assert pair.df is not None
        assert pair.df <= 24.0


@pytest.mark.slow
def test_ranks_are_swapped_and_not_standings(study: ModuleType) -> None:
    """Exchangeable scores at 5 + 50 rows: swapped standings gave 9 % and 18 %."""
    found, of_curves = study.exchanged(np.random.default_rng(5), 500, (5, 50), 1.0)
    assert not too_many(found, 500, 0.065)
    assert not too_many(of_curves, 500, 0.05)


@pytest.mark.slow
def test_simultaneous_intervals_hold_together() -> None:
    """Ten differences of five alike systems: all ten cover in 95 %, at their level .75 for one."""
    rng, repeats = np.random.default_rng(6), 400
    for adjust, least in (("holm", 0.93), ("max-t", 0.92)):
        held = 0
        for _ in range(repeats):
            values = {name: np.clip(rng.normal(0.5, 0.1, 30), 0.0, 1.0) for name in "abcde"}
            systems = Systems.of(values, range=(0.0, 1.0))
            question = Question(0.0, "two-sided", 0.95, 0, resamples=199)
            reach = adjusted(adjust, t_test(systems, question), question).reach
            held += bool(np.all(np.abs(systems.differences) <= reach))
        assert held / repeats > least, adjust
        assert held < repeats, "no wider than needed by far"


@pytest.mark.slow
@pytest.mark.parametrize(("k", "queries", "rare"), [(2, 15, 1), (5, 15, 2), (5, 15, 1)])
def test_systems_that_rarely_win(study: ModuleType, k: int, queries: int, rare: int) -> None:
    """A plain t with Holm's adjustment finds 20 to 37 %; the default and the test of all do not."""
    kind = "one wins rarely" if rare == 1 else "half win rarely"
    plain, default, joint = study.families(np.random.default_rng(7), 150, kind, k, queries)
    assert plain > 0.1
    assert not too_many(default, 150, 0.05)
    assert not too_many(joint, 150, 0.05)
