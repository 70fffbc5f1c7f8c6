"""The interval of one list from its resampled documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs


def one_list(n: int = 300, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    scores = rng.random(n).round(2)
    return (rng.random(n) < 0.1 + 0.5 * scores).astype(int), scores


def test_the_seed_decides() -> None:
    y, s = one_list()
    first = rs.ndcg(y, s, interval="items", resamples=200)
    again = rs.ndcg(y, s, interval="items", resamples=200)
    other = rs.ndcg(y, s, interval="items", resamples=200, seed=1)
    assert (first.low, first.high) == (again.low, again.high) != (other.low, other.high)
    assert first.low < first.value < first.high
    assert first.method == "bootstrap over items"
    assert not first.interval.certified
    assert first.certified is None
    assert "other queries are not covered" in first.interval.assumptions[0]
    assert first.settings["seed"] == 0
    assert any("documents of one query" in w for w in first.warnings)


def test_resamples_are_lists_like_any_other() -> None:
    """A resample is the list with documents repeated and left out, measured from scratch."""
    y, s = one_list(40)
    s[:3] = -np.inf
    result = rs.ndcg(y, s, k=5, interval="items", resamples=100)
    from rocsolid.summaries.stream import stream

    # the same draws by hand: places in the ranked list, worst of ties in any order
    ranked = np.argsort(-s, kind="stable")
    values = []
    for b in range(100):
        drawn = ranked[stream(0, b).integers(40, size=40)]
        values.append(rs.ndcg(y[drawn], s[drawn], k=5, empty=0).value)
    low, high = np.quantile(values, [0.025, 0.975])
    # tied documents stand in another order than in the code, so the draws agree in distribution
    assert (result.low, result.high) == pytest.approx((low, high), abs=0.15)
    assert result.std_error == pytest.approx(np.std(values, ddof=1), rel=0.4)


def test_without_ties_the_draws_are_the_same() -> None:
    from rocsolid.summaries.stream import stream

    rng = np.random.default_rng(2)
    y, s = rng.integers(0, 3, 50), rng.permutation(50).astype(float)
    ranked = np.argsort(-s)
    values = [
        rs.ndcg(y[drawn], s[drawn], k=7).value
        for drawn in (ranked[stream(4, b).integers(50, size=50)] for b in range(60))
    ]
    result = rs.ndcg(y, s, k=7, interval="items", resamples=60, seed=4)
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    one_sided = rs.ndcg(
        y, s, k=7, interval="items", resamples=60, seed=4, alternative="greater", level=0.9
    )
    assert one_sided.low == pytest.approx(np.quantile(values, 0.1))
    assert one_sided.high == 1.0


def test_broken_ties_and_unjudged_documents() -> None:
    y, s = one_list(100)
    graded = y.astype(float)
    graded[::7] = np.nan
    for ties in ("average", "input"):
        result = rs.ndcg(graded, s, interval="items", resamples=50, ties=ties)  # type: ignore[arg-type]
        assert result.low < result.value < result.high


def test_an_unbounded_measure() -> None:
    y, s = one_list()
    result = rs.dcg(y, s, k=20, interval="items", resamples=50, alternative="greater")
    assert result.high == np.inf
    assert result.low < result.value


@pytest.mark.parametrize(
    ("given_", "message"),
    [({"qid": [1, 2]}, "nothing about other queries"), ({"resamples": 1}, "at least 2: 1")],
)
def test_refused(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        rs.ndcg([1, 1], [1, 2], interval="items", **given_)


def test_resamples_that_are_all_alike_claim_no_certainty() -> None:
    for measure, grades in ((rs.success, [0, 1, 1, 1]), (rs.recall, [0, 1, 0, 1])):
        with pytest.raises(rs.UnsoundError, match="every resample has the same value"):
            measure(grades, [1, 2, 3, 4], interval="items", resamples=50)


def test_resamples_without_a_relevant_document_are_told() -> None:
    rare = rs.ndcg([1] + [0] * 20, list(range(21)), interval="items", resamples=200)
    assert "of 200 resamples without a relevant document" in rare.interval.assumptions[-1]
    y, s = one_list()
    assert len(rs.ndcg(y, s, interval="items", resamples=50).interval.assumptions) == 2
