"""What a disclosure review says: the finding, the rounding that helps, and never more than that."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocsolid import leaks
from rocsolid.evaluation.disclosure import (
    ExposedRows,
    released_decimals,
    review_joint,
    review_plan,
    review_release,
    review_replay,
    roundings,
)
from rocsolid.evaluation.disclosure.release import judged
from rocsolid.report.document import Disclosure, render_disclosure

OUTPUT = (("Released", "AUC"),)
TINY = [0.2, 0.5, 0.9, 0.1]


def words(review: Disclosure) -> str:
    """Everything but the decision form, which may name what a reviewer may answer."""
    return render_disclosure(review).partition('<h2 id="decision">Decision</h2>')[0]


def test_roundings_are_the_counts_of_the_rounded_value() -> None:
    found = roundings("1387/1440", 76, n_pos=36)
    assert [digits for digits, _ in found] == [4, 3, 2, 1]
    for digits, coarser in found:
        value = f"{float(Fraction(1387, 1440)):.{digits}f}"
        assert coarser.count == leaks.count(value, 76, n_pos=36).count
    bits = [coarser.surprise_bits for _, coarser in found]
    assert bits == sorted(bits, reverse=True)


def test_only_coarser_roundings_are_tried() -> None:
    assert [digits for digits, _ in roundings("0.963", 30)] == [2, 1]
    assert [digits for digits, _ in roundings("0.96", 30, decimals=4)] == [3, 2, 1]
    assert roundings("0.9", 30) == []
    assert released_decimals(Fraction(3, 4)) is None


def test_a_release_that_tells_everything() -> None:
    found, exposed = leaks.count("3/4", TINY), leaks.exposure("3/4", TINY)
    rows = ExposedRows("row", tuple((str(one.row), 1.0, True) for one in exposed.most_exposed(2)))
    review = review_release(found, OUTPUT, exposure=exposed, rows=rows, limit=1.0)
    assert review.verdict.startswith("4 of 4 unknown labels are certain.")
    assert "above the limit of 1 bits" in review.verdict
    assert [row[1] for row in review.risk_tables[0].rows] == ["1 (certain)"] * 2


def test_a_release_that_tells_less_is_still_not_called_safe() -> None:
    found = leaks.count("0.83", 40, n_pos=20)
    exposed = leaks.exposure("0.83", np.arange(40), n_pos=20)
    review = review_release(found, OUTPUT, exposure=exposed, decimals=2, limit=20.0)
    assert "does not show that they are safe" in review.verdict
    assert "a choice, not a proof" in review.verdict
    assert review.mitigation[0].startswith("The value stays within the limit unchanged")


def test_the_rounding_that_is_recommended_keeps_the_limit() -> None:
    options = {"n_pos": 100}
    found, rounded = (
        leaks.count("4501/5000", 200, **options),
        roundings("4501/5000", 200, **options),
    )
    for limit in (None, 0.5, *[coarser.surprise_bits for _, coarser in rounded[1:]]):
        review = review_release(found, OUTPUT, rounded=rounded, limit=limit)
        most = found.surprise_bits / 2 if limit is None else limit
        best = [(digits, c) for digits, c in rounded if c.surprise_bits <= most]
        if best:
            assert f"to {best[0][0]} decimal" in review.mitigation[0]
        else:
            assert review.mitigation[0].startswith("Even rounding to one decimal does not")
    assert "within 10 % of the label bits" in review.mitigation[1]
    assert len(review.mitigation_tables[0].rows) == 4


def test_several_releases_that_tell_everything() -> None:
    found = leaks.joint([leaks.Release(TINY, "3/4"), leaks.Release([3, 1, 4, 0], "1/1")], n_pos=2)
    review = review_joint(found, OUTPUT, limit=0.5)
    assert found.verdict == "unique"
    assert found.explain() in review.verdict
    assert f"together reveal {found.entropy_before:.2f} of" in review.verdict
    assert review.mitigation[0] == "Release no further score on these labels."


def test_not_settled_counts_as_everything() -> None:
    rng = np.random.default_rng(0)
    told = [leaks.Release(rng.permutation(40), "0.5", 4) for _ in range(6)]
    found = leaks.joint(told, n_pos=20, max_work=1)
    assert found.verdict == "undetermined"
    review = review_joint(found, OUTPUT, limit=found.entropy_before - 0.5)
    assert f"together reveal at most {found.entropy_before:,.2f}" in review.verdict
    assert "above the limit" in review.verdict


def test_a_rounding_that_does_not_help_is_said_in_one_way() -> None:
    plan = leaks.plan(200, 100, 3, per_day=50, days=300)
    assert plan.enough_decimals is None
    said = words(review_plan(plan, limit=5.0))
    assert "Even rounding to one decimal does not keep the planned releases within that." in said
    assert "Even rounding to one decimal does not make the plan safe" in said
    assert "The most that all planned releases can reveal is above the limit of 5 bits" in said
    found = leaks.count("3/4", TINY)
    for limit, aim in (
        (None, "halve the bits revealed"),
        (0.0, "keep the bits revealed within 0 bits"),
    ):
        rounded = roundings("3/4", TINY)
        review = review_release(found, OUTPUT, rounded=rounded, limit=limit)
        assert review.mitigation[0].startswith(f"Even rounding to one decimal does not {aim}: ")
        unrounded = review_release(found, OUTPUT, limit=limit)
        assert unrounded.mitigation[0].startswith("A coarser rounding was not tried: ")


def test_the_limit_itself_is_kept() -> None:
    assert judged("The most", 3.0, 3.0) == [
        "The most is within the limit of 3 bits, which is a choice, not a proof."
    ]
    assert judged("The most", 3.1, 3.0) == ["The most is above the limit of 3 bits."]
    assert judged("The most", 3.1, None) == []


def test_a_plan_and_a_log() -> None:
    plan = leaks.plan(200, 100, None, per_day=1, days=3)
    text = words(review_plan(plan, limit=1e6))
    assert "the AUC, exact" in text
    assert f"A total budget of {plan.safe_releases:,} releases" in text
    log = {"time": ["2024-05-01"], "account": ["<i>"], "score": [0.75]}
    text = words(review_replay(leaks.replay(log, n=40, n_pos=20), "log.csv"))
    assert "&lt;i&gt;" in text
    assert "Releases with signs of probing (" not in text


def test_no_page_shows_a_label_or_says_safe() -> None:
    found, exposed = leaks.count("0.83", 40), leaks.exposure("0.83", np.arange(40))
    rows = ExposedRows(
        "row", tuple((str(o.row), o.probability, False) for o in exposed.most_exposed(3))
    )
    text = words(review_release(found, OUTPUT, exposure=exposed, rows=rows))
    assert "is safe" not in text.replace("are safe", "")
    (table,) = review_release(found, OUTPUT, exposure=exposed, rows=rows).risk_tables
    assert table.heads == ("row", "probability that a guess of its label is right")
