"""Each check of comparisons: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from check_cases import S, T, Y, codes, compare, draws, evaluate
from rocsolid.comparison.adjust import default_test
from rocsolid.comparison.compared import Question

CASES = {
    "ROC201": (
        lambda: compare({"a": S[:10], "b": T[:10]}, y=Y[:10], measure="partial_auc(fpr<=0.5)"),
        lambda: compare(measure="partial_auc(fpr<=0.5)"),
    ),
    "ROC202": (
        lambda: compare({"a": list(range(40)), "b": [*range(1, 40), 0]}, y=[0] * 20 + [1] * 20),
        compare,
    ),
    "ROC203": (lambda: compare(cluster=[i // 6 for i in range(60)]), compare),
    "ROC204": (lambda: compare(paired=False), compare),
    "ROC205": (
        lambda: compare({"a": S[:30], "b": T[:30]}, y=Y[:30], test="permutation", resamples=99),
        lambda: compare(test="permutation", resamples=99),
    ),
    "ROC206": (lambda: compare(test="venkatraman-curves", resamples=99), compare),
    "ROC208": (
        lambda: compare({"a": list(range(20)), "b": list(range(20))[::-1]}, y=[0] * 10 + [1] * 10),
        compare,
    ),
    "ROC209": (lambda: compare({"a": S, "b": S}), compare),
    "ROC210": (lambda: compare({"a": S, "b": S, "c": T}), compare),
    "ROC211": (
        lambda: compare({"a": list(range(40)), "b": [*range(1, 40), 0]}, y=[0] * 20 + [1] * 20),
        compare,
    ),
    "ROC213": (lambda: compare({"a": S, "b": S}), compare),
    "ROC214": (
        lambda: rs.queries.compare(
            {"a": [0.2, 0.4, 0.6], "b": [0.3, 0.6, 0.5]}, measure="RR", test="sign-flip"
        ),
        lambda: rs.queries.compare({"a": draws(1), "b": draws(1)}, measure="RR", test="sign-flip"),
    ),
    "ROC221": (
        lambda: rs.queries.compare({"a": [0.2, 0.4, 0.6], "b": [0.3, 0.6, 0.5]}, measure="RR"),
        lambda: rs.queries.compare({"a": draws(1), "b": draws(1)}, measure="RR"),
    ),
    "ROC222": (
        lambda: rs.queries.compare(
            {"a": [0.5] * 40, "b": [0.5] * 37 + [0.9, 0.8, 0.7]}, measure="RR", test="t"
        ),
        lambda: rs.queries.compare({"a": draws(1), "b": draws(1)}, measure="RR"),
    ),
    "ROC207": (
        lambda: evaluate(
            {"y": Y, "s": S, "t": T, "fold": [i // 20 for i in range(60)]},
            scores=["s", "t"],
            fold="fold",
        ),
        lambda: evaluate({"y": Y, "s": S, "fold": [i // 20 for i in range(60)]}, fold="fold"),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())


@pytest.mark.parametrize(("largest", "said"), [(None, ["ROC212"]), ([np.zeros(2)], [])])
def test_what_summaries_do_not_show_is_said(largest: Any, said: list[str]) -> None:
    """Whether few rows decide follows from the largest influence, which not every engine sends."""
    known = SimpleNamespace(largest=largest, strata=())
    compared = SimpleNamespace(
        redrawable=largest is None, known=known, variance_and_df=(None, None), pair_places=None
    )
    _, remarks = default_test(compared, Question(0.0, "two-sided", 0.95, 0))  # type: ignore[arg-type]
    assert [one.code for one in remarks] == said
