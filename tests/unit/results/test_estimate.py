"""What an estimate says of its intervals in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import rocsolid as rs
from rocsolid.results import Estimate, Interval
from rocsolid.results.interval import SHORTER

CALIBRATED = Interval(0.5, 0.9, 0.9, "auto")
CERTIFIED = Interval(0.4, 0.95, 0.9, "hinge", certified=True)
USE = "The certified interval is shorter here, so use it."


def estimate(calibrated: Interval = CALIBRATED, certified: Interval | None = CERTIFIED) -> Estimate:
    return Estimate(0.7, calibrated, certified, 0.1, 5, 6, 0)


def test_a_level_is_a_share_of_data_sets_and_no_chance_of_these_limits() -> None:
    _, first, second, *_ = estimate().sentences()
    assert first == (
        "From 5 positives and 6 negatives, the 90 % interval for the value in the whole population "
        "is 0.5000 to 0.9000 (auto); calibrated: about 90 % of ordinary data sets give "
        "an interval that contains it."
    )
    assert second == (
        "From the same data, the 90 % certified interval for the value in the whole population "
        "is 0.4000 to 0.9500 (hinge); at least 90 % of data sets give an interval that "
        "contains it, whatever the distribution."
    )


def test_a_shorter_certified_interval_is_recommended() -> None:
    short = replace(CERTIFIED, low=0.55, high=0.85)
    assert USE in estimate(certified=short).sentences()
    assert USE not in estimate().sentences()
    assert USE not in estimate(CERTIFIED).sentences()  # one and the same
    assert USE not in estimate(certified=None).sentences()


def test_tables_say_it_too() -> None:
    table = {"y": [0, 1] * 4, "s": [3, 1, 4, 1, 5, 9, 2, 6]}
    wide = rs.evaluate(table, label="y", scores="s", interval="hanley-mcneil")
    (one,) = wide.results
    assert one.certified is not None
    tight = replace(one.result, certified=replace(one.certified, low=0.5, high=0.6))
    found = replace(wide, results=(replace(one, result=tight),))
    assert SHORTER not in wide.to_markdown()
    assert SHORTER in found.to_markdown()
    assert SHORTER in found.to_latex()


def test_a_limit_away_from_chance_does_not_speak_of_it() -> None:
    y = np.arange(60) % 2
    score = y + np.random.default_rng(1).normal(size=60) / 2
    said = "A random ranking (one half) is not ruled out."
    for sign, silent in ((1, "less"), (-1, "greater")):
        assert said not in rs.auc(y, sign * score, alternative=silent).explain()
        assert said not in rs.auc(y, sign * score).explain()
    noise = np.random.default_rng(2).normal(size=60)
    for alternative in ("two-sided", "greater" if rs.auc(y, noise).value > 0.5 else "less"):
        assert said in rs.auc(y, noise, alternative=alternative).explain()
