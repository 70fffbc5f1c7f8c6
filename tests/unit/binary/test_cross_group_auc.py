from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(6)
N = 300
Y = RNG.integers(0, 2, N)
GROUP = RNG.choice(["east", "north", "west"], N)
SCORE = np.round(Y + RNG.normal(size=N) + 0.7 * (GROUP == "west"), 1)


@pytest.mark.parametrize(
    "more", [{}, {"sample_weight": RNG.choice([1.0, 2.0], N)}, {"cluster": RNG.integers(0, 60, N)},
             {"cluster": RNG.integers(0, 60, N), "design": "fixed"}],
)  # fmt: skip
def test_each_pair_is_an_auc_of_its_rows(more: dict) -> None:
    found = rs.cross_group_auc(Y, SCORE, GROUP, **more)
    assert len(found.estimates) == 9
    for (g, h), one in found.estimates.items():
        at = ((Y == 1) & (g == GROUP)) | ((Y == 0) & (h == GROUP))
        part = {k: v if isinstance(v, str) else v[at] for k, v in more.items()}
        plain = rs.auc(Y[at], SCORE[at], level=1 - 0.05 / 9, **part)
        for name in ("value", "low", "high", "std_error", "certified", "n_pos", "n_neg"):
            assert getattr(one, name) == getattr(plain, name)
    assert (found.lowest is None) == (found.estimates["east", "east"].certified is None)


def test_the_lowest_and_what_it_may_be() -> None:
    score = SCORE + 9.0 * (GROUP == "west") * (Y == 0)
    found = rs.cross_group_auc(Y, score, GROUP)
    assert found.worst == min(found.estimates, key=lambda pair: found.estimates[pair].value)
    assert found.worst[1] == "west"
    assert found.lowest is not None
    sure = [one.certified for one in found.estimates.values()]
    assert found.lowest == (min(c.low for c in sure), min(c.high for c in sure))
    assert {h for _, h in found.may_be_worst} == {"west"}
    assert found.worst in found.may_be_worst
    assert "Certified: the lowest AUC of the population lies between 0.0000" in found.explain()
    assert "positives \\ negatives" in str(found)
    data = json.loads(json.dumps(found.to_dict()))
    assert len(data["pairs"]) == 9
    assert data["pairs"][0]["positives"] == "east"


def test_missing_scores_and_missing_classes() -> None:
    y, score = Y.copy(), SCORE.copy()
    y[GROUP == "north"] = 0
    score[3] = np.nan
    found = rs.cross_group_auc(y, score, GROUP, nan="omit")
    rest = np.arange(N) != 3
    other = rs.cross_group_auc(y[rest], SCORE[rest], GROUP[rest])
    assert {pair: one.value for pair, one in found.estimates.items()} == {
        pair: one.value for pair, one in other.estimates.items()
    }
    assert {pair[0] for pair in found.skipped} == {"north"}
    assert len(found.estimates) == 6
    assert found.estimates["east", "north"].level == pytest.approx(1 - 0.05 / 6)
    assert found.warnings
    assert "north against east: left out" in str(found)


def test_refused() -> None:
    with pytest.raises(rs.InputError, match="2 to 40 groups"):
        rs.cross_group_auc(Y, SCORE, np.arange(N))
    with pytest.raises(rs.InputError, match="2 to 40 groups"):
        rs.cross_group_auc(Y, SCORE, np.zeros(N))
    with pytest.raises(rs.InputError, match="group has 2"):
        rs.cross_group_auc(Y, SCORE, ["a", "b"])
    with pytest.raises(rs.OneClassError, match="no pair of groups"):
        rs.cross_group_auc([1, 1], [1, 2], ["a", "b"])
