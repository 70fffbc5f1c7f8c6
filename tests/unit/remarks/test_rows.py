"""Each check of rows: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

import pytest

import rocsolid as rs
from check_cases import S, T, Y, auc, codes, compare


def sensitivity(y: list[int], s: list[float]) -> rs.Estimate:
    return rs.evaluate(
        {"y": y, "s": s}, label="y", scores="s", measures="sensitivity(specificity=0.5)",
        interval="bootstrap-percentile",
    ).results[0].result  # fmt: skip


CASES = {
    "ROC001": (lambda: auc([0, 0, 1, 1], [1, 3, 2, 4]), auc),
    "ROC002": (lambda: auc(s=[None, *S[1:]], nan="omit"), lambda: auc(nan="omit")),
    "ROC003": (
        lambda: auc(sample_weight=[50.0] * 2 + [1.0] * 58),
        lambda: auc(sample_weight=[1.0, 2.0] * 30),
    ),
    "ROC004": (
        lambda: auc(cluster=[i // 6 for i in range(60)]),
        lambda: auc(cluster=list(range(60))),
    ),
    "ROC005": (lambda: auc(sample_weight=[1.0] + [1.0, 1.0] * 29 + [40.0]), auc),
    "ROC006": (
        lambda: auc(cluster=[0] * 20 + list(range(1, 41))),
        lambda: auc(cluster=list(range(60))),
    ),
    "ROC007": (
        lambda: auc(sample_weight=[20.0] * 8 + [1.0] * 52),
        lambda: auc(sample_weight=[1.0, 2.0] * 30),
    ),
    "ROC008": (
        lambda: auc(sample_weight=[1.0, 2.0] * 30),
        lambda: auc(sample_weight=[1.0, 2.0] * 30, design="fixed"),
    ),
    "ROC009": (lambda: auc(s=[i % 3 for i in range(60)]), auc),
    "ROC011": (lambda: auc(s=[-v for v in Y]), auc),
    "ROC012": (
        lambda: auc(
            [0] * 20 + [1] * 20,
            [*range(19), 20, 19, *range(21, 40)],
            interval="bootstrap-percentile",
        ),
        lambda: auc(interval="bootstrap-percentile"),
    ),
    "ROC013": (lambda: sensitivity([0] * 20 + [1] * 20, range(40)), lambda: sensitivity(Y, S)),
    "ROC014": (
        lambda: compare({"a": S, "b": [None, *T[1:]]}, nan="omit"),
        lambda: compare(nan="omit"),
    ),
    "ROC015": (
        lambda: rs.compare({"a": (Y, S), "b": (Y, [None, *T[1:]])}, nan="omit"),
        lambda: rs.compare({"a": (Y, S), "b": (Y, T)}, nan="omit"),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())
