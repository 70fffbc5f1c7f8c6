"""The sentence that a report begins with, from results with known differences."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.page import page_of, worries
from rocsolid.evaluation.public.page import public_page


def table(rows: int = 400) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    y = (rng.random(rows) < 0.4).astype(int)
    base = y + rng.normal(size=rows)
    return {
        "y": y,
        "good": base,
        "twin": base + 0.05 * rng.normal(size=rows),
        "poor": rng.normal(size=rows),
        "reversed": -base,
    }


def verdict(*scores: str, **options: Any) -> tuple[str, ...]:
    return page_of(rs.evaluate(table(), label="y", scores=list(scores), **options)).verdict


def test_one_score_stands_beside_chance() -> None:
    assert verdict("good")[0].endswith("It ranks better than chance.")
    assert verdict("poor")[0].endswith("do not show that it is better than chance.")
    assert "worse than chance" in verdict("reversed")[0]
    assert re.match(r"good: AUC 0\.\d{4} \(95 % interval", verdict("good")[0])


def test_the_best_is_named_with_those_it_beats_and_those_it_does_not() -> None:
    """Whatever the order of the columns; p-values as the comparison has them."""
    for order in (("good", "twin", "poor"), ("poor", "twin", "good")):
        first, second = verdict(*order)
        best = max("good", "twin", key=lambda name: rs.auc(table()["y"], table()[name]).value)
        other = "twin" if best == "good" else "good"
        assert first.startswith(f"{best} has the highest AUC: ")
        (pair,) = (
            pair
            for pair in rs.compare(table()["y"], {n: table()[n] for n in order}).pairs
            if {pair.a, pair.b} == {"good", "twin"}
        )
        assert pair.p_adjusted > 0.05
        shown = f"{pair.p_adjusted:.2g}"
        assert second == (
            f"It is not significantly better than {other} (adjusted p = {shown}); it is "
            "significantly better than poor (adjusted p < 0.0001)."
        )


def test_better_than_all() -> None:
    assert verdict("good", "poor")[1] == ("It is significantly better than poor (p < 0.0001).")
    assert verdict("good", "poor", "reversed")[1] == ("It is significantly better than all others.")


def test_without_a_comparison_it_says_so() -> None:
    found = table(40)
    found["twin"] = np.where(np.arange(40) < 20, found["twin"], np.nan)
    found["good"] = np.where(np.arange(40) < 20, np.nan, found["good"])
    page = page_of(rs.evaluate(found, label="y", scores=["good", "twin"], nan="omit"))
    assert page.verdict[1] == "They are not compared with each other here."


@pytest.mark.slow
def test_a_public_verdict_is_made_of_rounded_numbers_alone() -> None:
    evaluation = rs.evaluate(table(4_000), label="y", scores=["good", "twin", "poor"])
    released = evaluation.public(max_posterior=1, max_exposed=4_000)
    page = public_page(released)
    shown = {row["value"] for row in page.rows}
    for number in re.findall(r"0\.\d+", " ".join(page.verdict)):
        assert float(number) in shown
    assert "rounded" in page.verdict[0]
    assert page.worries == ()


@pytest.mark.parametrize(("count", "shown"), [(0, 0), (1, 1), (3, 3), (4, 3), (9, 3)])
def test_no_more_than_three_worries(count: int, shown: int) -> None:
    said = worries([f"Warning {i}." for i in range(count)])
    assert len(said) == shown
    if count > shown:
        assert said[-1] == f"{count - 2} more warnings are under All numbers."
