"""How many rows make the difference to the best or the worst value."""

from __future__ import annotations

import math

import pytest

from rocsolid.measures.named import measure_of


@pytest.mark.parametrize(
    ("measure", "value", "expected"),
    [
        ("auc", 0.9, 4.0),  # of 40 positives and 960 negatives
        ("partial_auc(fpr<=0.02)", 0.015, 4.8),  # 19.2 negatives, a quarter of the area missing
        ("pr_auc", 0.7, 12.0),
        ("precision@5%", 0.6, 10.0),  # 30 of the best 50, and 10 positives more
        ("precision@2%", 0.9, 2.0),  # 18 of 20
        ("precision@2%", 0.1, 2.0),
        ("recall@5%", 0.75, 10.0),
        ("recall@2%", 0.45, 2.0),  # 18 of the 20 that there can be
        ("lift@2%", 22.5, 2.0),  # the same 18: .9 over .04
        ("sensitivity(specificity=0.9)", 0.8, 8.0),
        ("specificity(sensitivity=0.9)", 0.8, 4.0),  # positives below the threshold
        ("precision(recall=0.5)", 0.8, 5.0),  # 20 positives and 5 negatives above it
        ("ppv(sensitivity=0.5, prevalence=0.1)", 1 / 1.9, 20.0),  # .05 of the negatives
        ("net_benefit@0.2", 0.1, math.inf),
    ],
)
def test_by_hand(measure: str, value: float, expected: float) -> None:
    assert measure_of(measure).misplaced(value, 40, 960) == pytest.approx(expected)
