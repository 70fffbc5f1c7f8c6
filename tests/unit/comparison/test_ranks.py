"""Places from tests of all pairs, in combination with what else a comparison takes."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.results.comparison import Comparison

Scores = dict[str, NDArray[np.float64]]


def board(size: int = 600, *, ahead: float = 1.0) -> tuple[NDArray[np.bool_], Scores]:
    """One good score, three that are near to each other, one that says nothing."""
    rng = np.random.default_rng(3)
    y = rng.random(size) < 0.4
    base = rng.normal(size=size)
    scores = {f"near{k}": base + y + 0.3 * rng.normal(size=size) for k in range(3)}
    return y, {"best": base + (1.0 + ahead) * y, **scores, "coin": rng.normal(size=size)}


def places(found: Comparison) -> dict[str, str]:
    return {name: str(one) for name, one in found.ranks.items()}


def test_ties_share_places() -> None:
    y, scores = board()
    found = rs.compare(y, scores)
    assert places(found) == {
        "best": "1", "near0": "2–4", "near1": "2–4", "near2": "2–4", "coin": "5",
    }  # fmt: skip
    assert found.possible_bests == ("best",)
    assert "Possible ranks, jointly at 95 %: best 1, near" in str(found)
    assert found.ranks["best"].certified is not None
    assert found.ranks["best"].certified.low == 1
    assert found.ranks["coin"].certified is not None
    assert found.ranks["coin"].certified.low > 1
    assert found.winner is not None
    assert found.winner.name == "best"


def test_against_a_plain_step_down() -> None:
    """All ordered pairs on their joint normal distribution, one after the other, with other draws.

    Near the critical value two sets of draws may differ; here no statistic lies near it.
    """
    y, scores = board(ahead=0.2)
    found = rs.compare(y, scores)
    names = list(scores)
    t = {(p.a, p.b): p.statistic for p in found.pairs}
    t |= {(b, a): -x for (a, b), x in t.items()}
    noise = np.random.default_rng(1).multivariate_normal(
        np.zeros(len(names)), found.covariance, size=20_000
    )
    cov = {(a, b): found.covariance[i, j] for i, a in enumerate(names) for j, b in enumerate(names)}
    left, proven = set(permutations(names, 2)), set()
    while True:
        farthest = np.max(
            [
                (noise[:, names.index(a)] - noise[:, names.index(b)])
                / np.sqrt(cov[a, a] + cov[b, b] - 2 * cov[a, b])
                for a, b in left
            ],
            axis=0,
        )
        now = {pair for pair in left if t[pair] > np.quantile(farthest, 0.95)}
        if not now:
            break
        proven |= now
        left -= now
    for name, one in found.ranks.items():
        assert one.low == 1 + sum(b == name for _, b in proven)
        assert one.high == len(names) - sum(a == name for a, _ in proven)


@pytest.mark.parametrize("options", [{"margin": 0.02}, {"null": 0.05, "alternative": "greater"}])
def test_places_ask_their_own_question(options: dict[str, object]) -> None:
    y, scores = board()
    assert places(rs.compare(y, scores, **options)) == places(rs.compare(y, scores))


def test_designs_and_tests() -> None:
    y, scores = board(150)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, size=150)
    cluster = np.arange(150) // 2
    for options in (
        {"sample_weight": weight}, {"cluster": cluster},
        {"sample_weight": weight, "cluster": cluster}, {"paired": False}, {"test": "delong"},
        {"test": "bootstrap", "resamples": 100}, {"test": "permutation", "resamples": 200},
        {"measure": "partial_auc(fpr<=0.2)"}, {"measure": "pr_auc"},
    ):  # fmt: skip
        found = rs.compare(y, scores, **options)
        assert found.ranks["best"].low == 1, options
        assert found.ranks["coin"].high == 5, options
        assert found.ranks["coin"].low > 1, options
        assert (found.ranks["best"].certified is None) == (found.pairs[0].certified is None)
        json.dumps(found.to_dict(), allow_nan=False)
    curves = rs.compare(y, scores, test="venkatraman-curves", resamples=100)
    assert not curves.ranks
    assert curves.winner is None


def test_equal_scores_share_a_place() -> None:
    y, scores = board(200)
    one = scores["near0"]
    found = rs.compare(y, {"a": one, "twin": one, "coin": scores["coin"]})
    assert places(found) == {"a": "1–2", "twin": "1–2", "coin": "3"}
    assert found.winner is not None
    assert found.winner.low < found.winner.value < found.winner.high


def test_queries_of_runs() -> None:
    rng = np.random.default_rng(4)
    hard = rng.random(80)
    values = {"up": 0.3 + 0.6 * hard, "a": 0.6 * hard + 0.05 * rng.random(80),
              "b": 0.6 * hard + 0.05 * rng.random(80)}  # fmt: skip
    found = rs.queries.compare(values)
    assert places(found) == {"up": "1", "a": "2–3", "b": "2–3"}
    assert found.ranks["up"].certified is not None
    assert str(found.ranks["up"].certified) == "1"


def test_a_lead_that_is_small_is_corrected_more() -> None:
    rng = np.random.default_rng(2)
    values = {f"{k}": rng.random(50) for k in range(8)}
    won = rs.queries.compare(values).winner
    assert won is not None
    assert won.value - won.low > 1.2 * (won.high - won.value)
    far = rs.compare(*board(ahead=1.5))
    assert far.winner is not None
    own = far.estimates[far.winner.name]
    assert far.winner.high - far.winner.low == pytest.approx(own.high - own.low, rel=0.15)


def test_what_the_next_queries_would_order() -> None:
    y, scores = board()
    found = rs.compare(y, scores)
    few, many = rs.next_ranks(found, 20), rs.next_ranks(found, 10**9)
    assert sum(one.first for one in few.values()) == pytest.approx(1.0)
    assert few["near0"].high - few["near0"].low >= many["near0"].high - many["near0"].low
    assert (many["best"].low, many["best"].high) == (1, 1)
    with pytest.raises(InputError, match="size"):
        rs.next_ranks(found, 0)


def test_forms() -> None:
    y, scores = board()
    table = {"y": y.astype(int), **scores}
    page = rs.evaluate(table, label="y", scores=list(scores)).to_html()
    assert "Possible ranks of each score" in page
    assert page.count("2–4") >= 3
    ax = rs.plots.leaderboard(rs.compare(y, scores))
    assert [text.get_text() for text in ax.texts][0::4] == ["1", "5"]
    with pytest.raises(InputError, match="no places"):
        rs.plots.leaderboard(rs.auc(y, scores["best"]))
