"""The limits beside a decision agree with it, or say that they are for one pair alone."""

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.results.card import against_best
from rocsolid.results.standing import standings

RNG = np.random.default_rng(2)
UNITS = RNG.random((3, 60)) * 0.6 + np.array([[0.25], [0.14], [0.0]])
ILL = np.arange(300) % 2
SCORES = {
    name: ILL * skill + noise
    for name, skill, noise in zip("abc", (1.3, 1.0, 0.6), RNG.normal(size=(3, 300)), strict=True)
}


def brief(answer: Any) -> str:
    return "\n".join(
        "  ".join(block.cells.heads) for block in answer.brief() if block.cells is not None
    )


def test_a_decision_over_units_stands_by_the_joint_interval() -> None:
    compared = rs.queries.compare(dict(zip("abc", UNITS, strict=True)))
    by_name = {pair.b: pair for pair in compared.pairs if pair.a == "a"}
    for rival in standings(compared):
        pair = by_name[rival.name]
        joint = pair.simultaneous
        assert rival.limits == (-joint.high, -joint.low)
        assert rival.limits != (-pair.interval.high, -pair.interval.low)
        assert (rival.state == "worse") == (rival.limits[1] < 0)
        assert "alone" not in against_best(compared)[rival.name][2]


def test_limits_of_one_pair_among_several_say_so() -> None:
    several = rs.compare(ILL, SCORES)
    assert all(detail.endswith("for this pair alone)") for *_, detail in
               against_best(several).values())  # fmt: skip
    two = rs.compare(ILL, {name: SCORES[name] for name in "ab"})
    unadjusted = rs.compare(ILL, SCORES, adjust="none")
    for compared in (two, unadjusted):
        assert all("alone" not in detail for *_, detail in against_best(compared).values())


def test_certified_limits_are_shown_where_they_decide() -> None:
    few = rs.compare(ILL, SCORES, cluster=np.arange(300) // 20, design="fixed")
    for rival in standings(few):
        assert rival.deciding == (rival.certified, "certified")
        assert rival.state == "open"
    assert all("certified)" in detail for *_, detail in against_best(few).values())


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"null": 0.02}, "(two-sided test against +0.02: p"),
        ({"null": -0.02, "alternative": "less"}, "(one-sided test against −0.02: p"),
        ({"alternative": "greater"}, "(one-sided: p"),
    ],
)
def test_the_verdict_names_the_null(how: dict[str, Any], words: str) -> None:
    table = {"ill": ILL, "a": SCORES["a"], "b": SCORES["b"]}
    assert words in " ".join(rs.compare(table, label="ill", scores=["a", "b"], **how).answer())


@pytest.mark.parametrize(
    ("scores", "head"), [("abc", "95 % each"), ("ab", "95 %")], ids=["several", "two"]
)
def test_the_head_of_differences_says_whether_they_hold_jointly(scores: str, head: str) -> None:
    table = {"ill": ILL, **SCORES}
    rows = rs.compare(table, label="ill", scores=list(scores))
    assert ("95 % each" in brief(rows)) == (head == "95 % each")
    assert "Intervals are for one pair at a time" in rows.to_markdown()
    units = rs.evaluate(rs.Sample(dict(zip(scores, UNITS[: len(scores)], strict=True))))
    assert "95 % all" in brief(units)
    assert "Intervals hold jointly" in units.to_markdown()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_differences_of_cluster_means_end_at_the_range(alternative: Any) -> None:
    cluster = [0] * 60 + [1, 2, 3]
    values = {"a": [1.0] * 61 + [0.0] * 2, "b": [0.0] * 20 + [1.0] * 43}
    sample = rs.Sample(values, cluster=cluster)
    (pair,) = sample.compare(alternative=alternative).pairs
    for limits in (pair.interval, pair.simultaneous):
        if limits is not None:
            assert -1.0 <= limits.low <= limits.high <= 1.0
            assert limits.range == (-1.0, 1.0)
