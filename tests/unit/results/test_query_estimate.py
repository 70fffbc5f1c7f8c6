"""How an average over queries reads, counts and becomes JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from rocsolid.results import Interval, QueryEstimate


def estimate(**changes: Any) -> QueryEstimate:
    found: dict[str, Any] = {
        "value": 0.5,
        "interval": Interval(0.4, 0.6, 0.9, "t"),
        "certified": Interval(0.2, 0.8, 0.9, "betting", certified=True),
        "std_error": 0.05,
        "measure": "nDCG[linear,log2]@10",
        "per_query": np.array([0.25, 0.75, np.nan]),
        "qids": np.array(["q1", "q2", "q3"]),
        "empty": ("q3",),
        "missing": (),
        "tied": 0.0,
        "worst": 0.5,
        "best": 0.5,
        "judged": 1.0,
        "settings": {"empty": "exclude"},
    }
    return QueryEstimate(**{**found, **changes})


def test_one_line() -> None:
    assert str(estimate()) == (
        "nDCG[linear,log2]@10 0.5000, [0.4000, 0.6000] at 90 % (t), certified [0.2000, 0.8000] "
        "at 90 % (betting), 2 of 3 queries (as zeros 0.3333, as ones 0.6667)"
    )
    whole = estimate(per_query=np.array([0.25, 0.75, 0.5]), empty=(), certified=None)
    assert str(whole) == "nDCG[linear,log2]@10 0.5000, [0.4000, 0.6000] at 90 % (t), 3 queries"
    assert str(estimate(tied=0.123, worst=0.45, best=0.56)).endswith(
        "12.3 % tied: 0.4500 to 0.5600"
    )
    assert str(estimate(judged=0.0001)).endswith("less than 0.1 % judged")
    same = Interval(0.2, 0.8, 0.9, "betting", certified=True)
    assert str(estimate(interval=same, certified=same)).count("betting") == 1


def test_sentences() -> None:
    said = estimate(
        missing=tuple("abcdefg"), tied=0.5, worst=0.4, best=0.6, judged=0.25, warnings=("Mind.",)
    ).sentences()
    assert said[0] == "The mean over queries is 0.5000."
    assert said[1] == (
        "From 2 queries, the 90 % interval for the true mean is 0.4000 to 0.6000 (t); "
        "calibrated: about 90 % of ordinary data sets give an interval that contains it."
    )
    assert said[2] == (
        "From 2 queries, the 90 % certified interval for the mean over all queries of this kind "
        "is 0.2000 to 0.8000 (betting); at least 90 % of data sets give an interval "
        "that contains it, whatever the distribution."
    )
    assert "so the mean is over 2 of 3; counting them as 0 gives 0.3333, as 1 0.6667" in said[3]
    assert said[4] == (
        "7 queries have no document in the list and count as such: a, b, c, d, e and 2 more."
    )
    assert "50 % of the listed documents" in said[5]
    assert "0.4000 to 0.6000" in said[5]
    assert "25 % of the documents that the measure uses were judged" in said[6]
    assert said[-1] == "Mind."
    vacuous = estimate(interval=Interval(0.0, 1.0, 0.9, "t")).explain()
    assert "by t is uninformative" in vacuous


def test_counts_and_limits() -> None:
    found = estimate()
    assert (found.n_queries, found.n_excluded) == (2, 1)
    assert (found.low, found.high, found.level, found.method) == (0.4, 0.6, 0.9, "t")
    assert float(found) == 0.5
    assert found.as_zeros == pytest.approx(1 / 3)
    assert found.as_ones == pytest.approx(2 / 3)


def test_plain_data() -> None:
    found = json.loads(json.dumps(estimate(judged=float("nan")).to_dict(), allow_nan=False))
    assert found["qids"] == ["q1", "q2", "q3"]
    assert found["per_query"] == [0.25, 0.75, None]
    assert (found["n_queries"], found["empty"], found["judged"]) == (2, ["q3"], None)
    assert found["certified"]["method"] == "betting"
    numbers = estimate(qids=np.array([1, 2, 3]), empty=(np.int64(3),)).to_dict()
    json.dumps(numbers)
    assert numbers["empty"] == [3]
    with pytest.raises(AttributeError):
        estimate().value = 1.0  # type: ignore[misc]


def test_a_warning_with_the_words_of_another_does_not_hide_the_ties() -> None:
    """What was warned of is known by its numbers, never by words that another text may have."""
    found = estimate(tied=0.2, warnings=("Two runs share their score with a third one.",))
    assert any("20 % of the listed documents" in text for text in found.sentences())
