"""Each check of values: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from check_cases import PAIRS, S, T, Y, auc, codes, draws, evaluate

CHANCES = np.random.default_rng(0).dirichlet([1, 1, 1], 42).tolist()
TWICE = {
    "y": Y, "s": S, "fold": [i // 20 for i in range(60)], "patient": [i % 30 for i in range(60)]
}  # fmt: skip
FOLDS_OF_PATIENTS = [i % 30 // 10 for i in range(60)]
CASES = {
    "ROC101": (
        lambda: rs.partial_auc(Y, S, fpr=(0, 0.1)),
        lambda: rs.partial_auc(Y, S, fpr=(0, 0.9)),
    ),
    "ROC102": (
        lambda: rs.partial_auc([1] * 20 + [0] * 20, list(range(40)), fpr=(0.0, 0.5)),
        lambda: rs.partial_auc([0] * 20 + [1] * 20, list(range(40)), fpr=(0.0, 0.5)),
    ),
    "ROC103": (
        lambda: rs.weighted_auc(Y, S, weight=lambda u: np.exp(-u)),
        lambda: rs.weighted_auc(Y, S, weight=rs.weights.power(2)),
    ),
    "ROC104": (lambda: rs.pr_auc(Y, S, sample_weight=[1.0, 2.0] * 30), lambda: rs.pr_auc(Y, S)),
    "ROC105": (
        lambda: evaluate({"y": Y, "s": [1, 2, 3, 3] * 15}, measures="precision@5"),
        lambda: evaluate({"y": Y, "s": list(range(60))}, measures="precision@5"),
    ),
    "ROC106": (
        lambda: evaluate(
            {"y": [1] * 5 + [0] * 55, "s": list(range(60, 0, -1))}, measures="precision@5"
        ),
        lambda: evaluate({"y": Y, "s": S}, measures="precision@5"),
    ),
    "ROC111": (
        lambda: rs.roc([0, 1, 0, 1], [1, 2, 3, 4]).best(),
        lambda: rs.roc([0, 0, 1, 1], [1, 2, 3, 4]).best(),
    ),
    "ROC112": (lambda: rs.roc(Y, S).best(), lambda: rs.roc(Y, S).at(threshold=30)),
    "ROC113": (
        lambda: rs.roc(Y, S, sample_weight=[1.0, 2.0] * 30).at(threshold=30),
        lambda: rs.roc(Y, S).at(threshold=30),
    ),
    "ROC114": (
        lambda: evaluate({"y": Y, "s": S, "c": PAIRS}, cluster="c").curves["s"].at(threshold=30),
        lambda: rs.roc(Y, S).at(threshold=30),
    ),
    "ROC115": (
        lambda: rs.multiclass_auc(
            ["a", "b", "c"] * 4, [[0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.2, 0.2, 0.6]] * 4
        ),
        lambda: rs.multiclass_auc(["a", "b", "c"] * 14, CHANCES),
    ),
    "ROC116": (
        lambda: rs.concordance([1, 2, 3, 4], [1, 3, 2, 4]),
        lambda: rs.concordance(list(range(60)), T),
    ),
    "ROC121": (
        lambda: rs.undo_label_noise(
            auc([0] * 20 + [1] * 20, list(range(40))), wrong_positives=0.02, wrong_negatives=0.02
        ),
        lambda: rs.undo_label_noise(auc(), wrong_positives=0.02, wrong_negatives=0.02),
    ),
    "ROC122": (lambda: rs.undo_label_noise(auc(), wrong_positives=0.1, wrong_negatives=0.05), auc),
    "ROC141": (
        lambda: (
            rs.guarantees.sequence()
            .add([0] * 300 + [1] * 300, list(range(600)))
            .add([1] * 900 + [0] * 900, list(range(1800)))
            .estimate
        ),
        lambda: rs.guarantees.sequence().add(Y, S).estimate,
    ),
    "ROC142": (
        lambda: rs.guarantees.sequence().add([0, 1], [1, 2]).estimate,
        lambda: rs.guarantees.sequence().add(Y, S).estimate,
    ),
    "ROC145": (
        lambda: rs.guarantees.sequence().add([0] * 30, S[:30]).add([1] * 30, S[30:]).estimate,
        lambda: rs.guarantees.sequence().add(Y[:30], S[:30]).add(Y[30:], S[30:]).estimate,
    ),
    "ROC131": (
        lambda: evaluate(
            {"y": Y[:24], "s": S[:24], "fold": [i // 8 for i in range(24)]}, fold="fold"
        ),
        lambda: evaluate(
            {"y": Y * 10, "s": draws(3, 600), "fold": [i // 200 for i in range(600)]}, fold="fold"
        ),
    ),
    "ROC132": (
        lambda: evaluate({"y": Y, "s": S, "fold": [0] * 40 + [1] * 10 + [2] * 10}, fold="fold"),
        lambda: evaluate({"y": Y, "s": S, "fold": [i // 20 for i in range(60)]}, fold="fold"),
    ),
    "ROC133": (
        lambda: evaluate(TWICE, fold="fold", cluster="patient"),
        lambda: evaluate({**TWICE, "fold": FOLDS_OF_PATIENTS}, fold="fold", cluster="patient"),
    ),
    "ROC134": (
        lambda: evaluate(TWICE, fold="fold", by="patient"),
        lambda: evaluate({**TWICE, "fold": FOLDS_OF_PATIENTS}, fold="fold", by="patient"),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())
