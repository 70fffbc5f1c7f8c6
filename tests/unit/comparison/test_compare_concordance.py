from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(8)
N = 80
GRADE = RNG.integers(0, 4, N)
SCORES = {name: np.round(GRADE + RNG.normal(0, noise, N), 1) for name, noise in
          (("a", 1.0), ("b", 1.5), ("c", 3.0))}  # fmt: skip
CLUSTER = RNG.integers(0, 40, N)
WEIGHT = RNG.choice([0.5, 1.0, 2.0], N)


@pytest.mark.parametrize("adjust", ["holm", "max-t", "none"])
@pytest.mark.parametrize("more", [{}, {"cluster": CLUSTER}, {"sample_weight": WEIGHT}])
def test_two_outcomes_are_compared_as_aucs(adjust: str, more: dict) -> None:
    found = rs.compare(GRADE > 1, SCORES, measure="concordance", adjust=adjust, **more)
    auc = rs.compare(GRADE > 1, SCORES, adjust=adjust, **more)
    assert found.measure == "concordance"
    assert [pair.to_dict() for pair in found.pairs] == [pair.to_dict() for pair in auc.pairs]
    assert found.omnibus == auc.omnibus
    assert found.estimates["a"].value == auc.estimates["a"].value


@pytest.mark.parametrize("more", [{}, {"cluster": CLUSTER}, {"sample_weight": WEIGHT}])
def test_differences_and_their_variance(more: dict) -> None:
    found = rs.compare(GRADE, SCORES, measure="concordance", adjust="max-t", **more)
    each = {name: rs.concordance(GRADE, s, **more) for name, s in SCORES.items()}
    for at, (name, one) in enumerate(each.items()):
        assert found.estimates[name] == one
        assert found.covariance[at, at] == pytest.approx(one.std_error**2, rel=1e-10)
    pair = found.pairs[0]
    assert pair.difference == pytest.approx(each["a"].value - each["b"].value, abs=1e-15)
    # the difference by leaving out each unit in turn
    unit = more.get("cluster", np.arange(N))
    weight = more.get("sample_weight", np.ones(N))
    pulls = []
    for k in np.unique(unit):
        rest = unit != k
        kept = {"sample_weight": weight[rest]}
        without = [rs.concordance(GRADE[rest], SCORES[n][rest], **kept).value for n in "ab"]
        pulls.append(without[0] - without[1] - pair.difference)
    assert pair.std_error == pytest.approx(float(np.sum(np.square(pulls))) ** 0.5, rel=0.12)
    assert (pair.certified is None) == bool(more)


def test_certified_difference_is_that_of_two_intervals() -> None:
    found = rs.compare(GRADE, SCORES, measure="concordance").pairs[0]
    a, b = (rs.concordance(GRADE, SCORES[name], level=0.975).certified for name in "ab")
    assert found.certified is not None
    assert a is not None
    assert b is not None
    assert found.certified.low == pytest.approx(a.low - b.high, abs=1e-12)
    assert found.certified.high == pytest.approx(a.high - b.low, abs=1e-12)


def test_margin_missing_and_words() -> None:
    gap = SCORES["a"].copy()
    gap[0] = np.nan
    found = rs.compare(
        GRADE, {"a": gap, "b": SCORES["b"]}, measure="concordance", margin=0.05, nan="omit"
    )
    assert found.settings["margin"] == 0.05
    assert len(found.non_inferiority) == 1
    assert "1 row was left out" in found.warnings[0]
    assert "79 rows with 4 different outcomes" in str(found)
    few = rs.compare(GRADE, SCORES, measure="concordance", cluster=CLUSTER // 3)
    assert "Only 14 clusters" in few.warnings[-1]


@pytest.mark.parametrize("more", [{"test": "permutation"}, {"paired": False}, {"pos_label": 1}])
def test_what_is_for_two_classes_is_refused(more: dict) -> None:
    with pytest.raises(
        rs.UnsoundError, match="is not available for this measure of ordered outcomes"
    ):
        rs.compare(GRADE, SCORES, measure="concordance", **more)


@pytest.mark.slow
def test_false_alarms() -> None:
    """Two scores that are alike, 120 data sets: over 13 alarms at 5 % have a chance of .5 %."""
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(120):
        y = rng.normal(size=40)
        s = {name: y + rng.normal(size=40) for name in "ab"}
        alarms += rs.compare(y, s, measure="concordance").pairs[0].p_value < 0.05
    assert alarms <= 13
