"""The top of the list in other software and in a paper.

RDKit 2026.9.1 (Python 3.11): rdkit.ML.Scoring.Scoring.CalcBEDROC([(0, y), ...], 1, alpha), the rows
from the best down. It takes rows in the order given; for ties its values are averaged here over all
orders, 12 of them. Davis and Goadrich, "The relationship between precision-recall and ROC curves"
(ICML 2006), print the points between A, 5 true and 5 false positives, and B, 10 and 30, of 20
positives and 2,000 negatives, to three digits; the fractions are theirs written out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.special import ndtri

import rocsolid as rs

AT = np.arange(24)
LABEL = ((7 * AT * AT + 3 * AT) % 5 < 2).astype(int)
SCORE = (5 * AT * AT + 2 * AT) % 11 + 2 * LABEL - AT / 100


def measured(y: object, s: object, name: str) -> float:
    return rs.evaluate({"y": y, "s": s}, label="y", scores="s", measures=[name]).results[0].value


@pytest.mark.parametrize(
    ("alpha", "bedroc"),
    [(5, 0.4719986756041053), (20, 0.6811957792574936), (80.5, 0.9662396244596025)],
)
def test_bedroc_of_rdkit(alpha: float, bedroc: float) -> None:
    assert measured(LABEL, SCORE, f"bedroc({alpha})") == pytest.approx(bedroc, abs=1e-14)


def test_bedroc_of_rdkit_averaged_over_the_orders_of_ties() -> None:
    y, s = [1, 0, 1, 0, 0, 1, 0, 0, 1, 0], [9, 8, 8, 8, 6, 5, 5, 3, 2, 1]
    assert measured(y, s, "bedroc(20)") == pytest.approx(0.9099917538528673, abs=1e-14)


def test_the_points_of_davis_and_goadrich() -> None:
    sizes = [5, 5, 5, 25, 10, 1970]
    y, s = np.repeat([1, 0, 1, 0, 1, 0], sizes), np.repeat([3, 3, 2, 2, 1, 1], sizes)
    for hits, precision in ((5, 0.500), (6, 0.375), (7, 0.318), (8, 0.286), (9, 0.265), (10, 0.25)):
        found = measured(y, s, f"precision(recall={hits / 20})")
        assert round(found, 3) == precision
        assert found == pytest.approx(hits / (hits + 5 + 5 * (hits - 5)), abs=1e-14)


def uniforms_of_r(seed: int) -> Iterator[float]:
    """What ``runif`` of R returns after ``set.seed``: the Mersenne Twister, scrambled seeds."""
    words = []
    for _ in range(675):
        seed = (69069 * seed + 1) % 2**32
        words.append(seed)
    twister = np.random.MT19937()
    twister.state = {"bit_generator": "MT19937", "state": {"key": words[51:], "pos": 624}}
    while True:
        yield float(twister.random_raw()) * 2.3283064365386963e-10


def normal_of_r(uniforms: Iterator[float]) -> float:
    """What ``rnorm`` of R returns: the quantile at 53 bits from two uniform numbers."""
    whole = int(2**27 * next(uniforms))
    return float(ndtri((whole + next(uniforms)) / 2**27))


def test_the_integral_of_keilwagen_and_others() -> None:
    """Numbers in the tests of PRROC, the authors' R package (Grau, Grosse and Keilwagen 2015)."""
    uniforms = uniforms_of_r(101)
    ill = [0.3 + 0.7 * next(uniforms) for _ in range(100)]
    well = [0.6 * next(uniforms) for _ in range(100)]
    measure, label = "pr_auc(davis-goadrich)", np.repeat([1, 0], 100)
    assert measured(label, [*ill, *well], measure) == pytest.approx(0.901869384113, abs=1e-12)
    assert measured(label, -label, measure) == pytest.approx(0.3068528194, abs=1e-10)
    assert measured(label, np.ones(200), measure) == 0.5
    uniforms = uniforms_of_r(113)
    score = [shift + normal_of_r(uniforms) for shift in (2, 0) for _ in range(100)]
    soft = [0.5 * (high + next(uniforms)) for high in (1, 0) for _ in range(100)]
    weight = np.concatenate([soft, 1.0 - np.array(soft)])
    value = rs.pr_auc(
        np.repeat([1, 0], 200), score * 2, kind="davis-goadrich", sample_weight=weight
    )
    assert value.value == pytest.approx(0.7053830324, abs=1e-10)
