"""Each check of lists: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

import pytest

import rocsolid as rs
from check_cases import PAIRS, S, Y, codes, draws

CASES = {
    "ROC316": (
        lambda: rs.certify(S, y=[1, 0, 1, 0, 0, 0] * 10, qid=PAIRS, measure="ndcg"),
        lambda: rs.certify(S, y=Y, qid=PAIRS, measure="ndcg"),
    ),
    "ROC301": (
        lambda: rs.queries.average([0.5], measure="RR"),
        lambda: rs.queries.average(draws(1), measure="RR"),
    ),
    "ROC302": (
        lambda: rs.queries.average([0.5] * 3, measure="RR"),
        lambda: rs.queries.average(draws(1), measure="RR"),
    ),
    "ROC303": (
        lambda: rs.queries.average([0.2, 0.5, 0.9], measure="RR"),
        lambda: rs.queries.average(draws(1), measure="RR"),
    ),
    "ROC304": (
        lambda: rs.queries.average([1.0] * 38 + [0.0, 0.5], measure="RR"),
        lambda: rs.queries.average(draws(1), measure="RR"),
    ),
    "ROC305": (lambda: rs.ndcg(Y, S, interval="items"), lambda: rs.ndcg(Y, S, qid=PAIRS)),
    "ROC306": (lambda: rs.ndcg(Y * 20, list(range(1200))), lambda: rs.ndcg(Y, S, qid=PAIRS)),
    "ROC307": (
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1]),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
    ),
    "ROC308": (
        lambda: rs.ndcg([1, 0, 1], [3, None, 1], qid=[1, 1, 1], nan="omit"),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
    ),
    "ROC309": (
        lambda: rs.ndcg([3, 0, 1, 2], [4, 3, 2, 1], qid=[1, 1, 2, 2]),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
    ),
    "ROC310": (
        lambda: rs.rbp([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
    ),
    "ROC311": (
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1], rank=[3, 2, 1]),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1], rank=[1, 2, 3]),
    ),
    "ROC312": (
        lambda: rs.ndcg([1, 0, 0, 1], [1, 1, 1, 1], qid=[1, 1, 1, 1]),
        lambda: rs.ndcg([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())
