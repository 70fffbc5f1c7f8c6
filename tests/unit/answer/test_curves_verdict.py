"""What a test of whole curves decides: whether they differ, and not which score is better."""

from __future__ import annotations

import numpy as np

import rocsolid as rs

RNG = np.random.default_rng(6)
Y = np.arange(200) % 2
GOOD = 2.0 * Y + RNG.normal(size=200)
ALIKE = 2.0 * Y + RNG.normal(size=200)
WORTHLESS = RNG.normal(size=200)


def _compared(**scores: np.ndarray) -> rs.results.Answer:
    table = {"y": Y, **scores}
    return rs.compare(table, list(scores), label="y", test="venkatraman-curves", resamples=400)


def test_the_verdict_names_the_best_score_and_both_kinds_of_others() -> None:
    said = " ".join(_compared(worthless=WORTHLESS, good=GOOD, alike=ALIKE).opening())
    best, other = ("good", "alike") if "good has the highest" in said else ("alike", "good")
    assert f"The ROC curve of {best} differs significantly from that of worthless (adjusted" in said
    assert f", and does not differ significantly from that of {other} (adjusted" in said


def test_equal_curves_are_not_said_to_differ() -> None:
    said = " ".join(_compared(good=GOOD, alike=ALIKE).opening())
    assert "does not differ significantly from that of" in said


def test_no_score_is_called_better_and_no_interval_is_drawn() -> None:
    page = _compared(worthless=WORTHLESS, good=GOOD).to_html()
    assert "significantly lower" not in page
    assert "1.0000 to +1.0000" not in page
    assert "differs significantly from that of worthless" in page


def test_a_multiple_of_the_smallest_p_value_is_an_upper_limit_too() -> None:
    scores = {"good": GOOD, "worthless": WORTHLESS, "other": RNG.normal(size=200)}
    pairs = rs.compare(Y, scores, test="permutation", resamples=200).pairs
    by_name = {(pair.a, pair.b): pair for pair in pairs}
    pair = by_name["good", "worthless"]
    assert pair.p_at_floor
    assert pair.p_adjusted > pair.p_value
    assert pair.p_adjusted_at_floor
    assert not by_name["worthless", "other"].p_adjusted_at_floor
