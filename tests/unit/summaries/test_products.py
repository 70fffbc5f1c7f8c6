"""Sums over rows: exact to rounding, and the same bits under any number of threads of BLAS."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.summaries.products import dot, products

SHAPES = [(0, 0, 4), (1, 1, 0), (1, 1, 9), (2, 3, 5000), (1, 400, 70), (400, 1, 70), (16, 16, 300),
          (17, 16, 300), (65, 65, 3000), (3000, 3, 130), (5, 700, 1)]  # fmt: skip


def exact(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(
        sum(Fraction(x) * Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
    )


@pytest.mark.parametrize("size", [0, 1, 7, 8191, 20_000])
def test_a_dot_product_is_exact_to_rounding(size: int) -> None:
    a, b = np.random.default_rng(size).normal(size=(2, size))
    assert math.isclose(
        dot(a, b), exact(a, b), abs_tol=1e-15 * math.fsum(np.abs(a * b)), rel_tol=1e-15
    )


def test_a_dot_product_takes_counts_and_views() -> None:
    counts, shares = np.array([3, 0, 4, 9])[::2], np.array([0.5, 9.0, 0.25, 9.0])[::2]
    assert dot(counts, shares) == 2.5
    assert dot(counts > 3, counts) == 4.0


@pytest.mark.parametrize(("first", "second", "length"), SHAPES)
def test_products_of_any_shape(first: int, second: int, length: int) -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(size=(first, length)), random.normal(size=(second, length))
    sums = products(a, b)
    assert sums.shape == (first, second)
    np.testing.assert_allclose(
        sums, np.array([[math.fsum(x * y) for y in b] for x in a]).reshape(sums.shape),
        rtol=0, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(products(a.copy(order="F"), b), sums, rtol=0, atol=1e-12)


def test_products_of_a_matrix_with_itself_are_symmetric() -> None:
    for rows in (3, 70):
        a = np.random.default_rng(0).normal(size=(rows, 2000))
        sums = products(a, a)
        assert np.array_equal(sums, sums.T)


NUMBERS = """
import numpy as np
import rocsolid as rs

random = np.random.default_rng(0)
rows = 100_000
y = random.random(rows) < 0.3
base = random.normal(size=rows) + y
scores = {name: base + random.normal(size=rows) * noise for name, noise in
          (("a", 0.5), ("b", 0.6), ("c", 1.5))}
a = scores["a"]
weight, cluster = random.gamma(2.0, size=rows), random.integers(0, rows // 5, size=rows)
some = slice(0, 15_000)
fewer = {name: score[some] for name, score in scores.items()}
table = {"y": y, "a": a, "fold": random.integers(0, 5, size=rows)}
measures = rs.auc, rs.pr_auc, rs.partial_auc
designs = {}, {"sample_weight": weight}, {"cluster": cluster}
results = (
    *(measure(y, a, **design, **({"fpr": (0, 0.1)} if measure is rs.partial_auc else {}))
      for measure in measures for design in designs),
    rs.weighted_auc(y, a, weight=rs.weights.exponential(2.0)),
    rs.concordance(base[some], a[some], sample_weight=weight[some]),
    rs.evaluate(table, label="y", scores="a", fold="fold", measures=["auc", "pr_auc"]),
    rs.compare(y, scores, sample_weight=weight),
    rs.compare(y, scores, cluster=cluster),
    rs.compare(y[some], fewer, measure="pr_auc", adjust="max-t"),
    rs.compare(y, scores, measure="partial_auc(fpr<=0.1)"),
)

def numbers(held):
    if isinstance(held, float):
        yield held.hex()
    elif isinstance(held, dict):
        for name, inner in held.items():
            yield from (f"{name} {number}" for number in numbers(inner))
    elif isinstance(held, list | tuple):
        for inner in held:
            yield from numbers(inner)

for result in results:
    print(type(result).__name__, *numbers(result.to_dict()), sep="\\n")
"""


@pytest.mark.slow
def test_public_numbers_have_the_same_bits_under_any_number_of_threads() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", NUMBERS], capture_output=True, text=True, check=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
        ).stdout.splitlines()
        for threads in ("1", "2", "8")
    ]  # fmt: skip
    assert len(runs[0]) > 300
    assert runs[0] == runs[1]
    assert runs[0] == runs[2]
