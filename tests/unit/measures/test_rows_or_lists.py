"""Average precision of flat arrays is scikit-learn's; of lists it is trec_eval's mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

import rocsolid as rs

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40).filter(
    lambda rows: len({positive for positive, _ in rows}) == 2
)


@settings(deadline=None)
@given(ROWS)
def test_flat_arrays_are_a_table_as_in_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    positive, score = map(np.array, zip(*rows, strict=True))
    expected = average_precision_score(positive, score)
    of_labels = [positive, positive.astype(int), positive * 2 - 1, positive.astype(float).tolist()]
    for labels in of_labels:
        result = rs.average_precision(labels, score)
        assert isinstance(result, rs.results.Estimate)
        assert result.value == pytest.approx(expected, abs=1e-12)
    graded = rs.average_precision(positive * 3 + 1, score, relevant=2)
    assert graded.value == pytest.approx(expected, abs=1e-12)
    same = rs.pr_auc(positive, score)
    assert (result.value, result.interval) == (same.value, same.interval)


Y, S = [1, 0, 0, 1, 0, 0, 1, 0, 0, 0], [3, 3, 2, 2, 1, 1, 1, 0, 0, 0]


def test_the_two_differ_under_ties() -> None:
    table, one_list = rs.average_precision(Y, S), rs.average_precision([Y], [S])
    assert table.value == pytest.approx(0.4762, abs=1e-4)
    assert one_list.value == pytest.approx(0.6143, abs=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        {"qid": [7] * 10},
        {"k": 10},
        {"ties": "average"},
        {"empty": 0},
        {"unjudged": "zero"},
        {"negative": "zero"},
        {"doc": list("abcdefghij"), "ties": "average"},
        {"interval": "items", "resamples": 10},
    ],
    ids=lambda options: next(iter(options)),
)
def test_a_keyword_of_lists_makes_a_list(options: dict[str, Any]) -> None:
    found = rs.average_precision(Y, S, **options)
    assert isinstance(found, rs.results.QueryEstimate)
    assert found.value == pytest.approx(rs.average_precision([Y], [S]).value, abs=1e-15)


def test_keywords_of_both_leave_a_table() -> None:
    found = rs.average_precision(
        Y, [-s for s in S], lower_is_better=True, level=0.9, interval="logit-t", qid=None, k=None
    )
    assert isinstance(found, rs.results.Estimate)
    assert found == rs.pr_auc(
        Y, [-s for s in S], lower_is_better=True, level=0.9, interval="logit-t"
    )
    gaps = rs.average_precision([*Y, 1], [*S, np.nan], nan="omit")
    assert gaps.value == rs.pr_auc(Y, S).value


def test_every_cut_off_of_a_list() -> None:
    found = rs.average_precision(Y, S, k=[1, 10])
    assert list(found) == [1, 10]


@pytest.mark.parametrize(
    ("labels", "options", "said"),
    [
        ([1, np.nan] * 5, {}, "relevance"),
        ([0] * 10, {}, "class"),
        (Y, {"levl": 0.9}, "use 'level'"),
        (["a", "b"] * 5, {}, "relevance"),
        (Y[:4], {}, "length|rows"),
    ],
)
def test_what_is_refused(labels: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(rs.RocsolidError, match=said):
        rs.average_precision(labels, S, **options)


def test_the_name_means_the_same_on_a_table() -> None:
    table = {"y": Y, "s": S, "q": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]}
    expected = average_precision_score(Y, S)
    for name in ("average_precision", "AP", "average_precision_score", "auprc"):
        (result,) = rs.evaluate(table, label="y", scores="s", measures=name).results
        assert result.measure == "pr_auc"
        assert result.value == pytest.approx(expected, abs=1e-12)
    lists = rs.evaluate(table, label="y", scores="s", qid="q", measures="average_precision")
    assert lists.results[0].value == pytest.approx(
        rs.average_precision(Y, S, qid=table["q"]).value, abs=1e-15
    )
    assert lists.results[0].value != pytest.approx(expected, abs=1e-3)
