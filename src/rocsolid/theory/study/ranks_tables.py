"""The tables of a blog post of 2011: chocolate bars, a polynomial, and random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rocsolid.binary.roc import Roc, roc
from rocsolid.measures.whole_area import auc
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.stream import stream
from rocsolid.theory.study.tables_2005 import Cell, StudyTable

ITEMS = ("Milka", "Mars", "Lindt", "Ferrero-Rocher", "Kalev", "Laima", "Hershey's")
GOOD = (1, 0, 1, 1, 0, 0, 0)
SCORES = (8, 5, 3, 3, 1, -3, -5)
PUBLISHED_RANKS = (1.0, 0.75, 0.75)
PUBLISHED_PATH = "up, right, up, up, right, right, right"
TIED_SCORES = (8, 5, 3, 1, 1, -3, -5)
"""Ferrero-Rocher with Kalev's score, for a path with a diagonal."""
VECTORS = (((1, 0, 0, 0, 0), 1.0), ((0, 0, 1, 0, 0), 0.5), ((0, 0, 0, 0, 1), 0.0))
CHANGED = (*SCORES[:-1], -6)

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = SIZES[:4]
SPREAD = math.sqrt(4 / 45)
"""The standard deviation of x² for x uniform on [0, 1]."""


def bars() -> StudyTable:
    rows = tuple(zip(ITEMS, GOOD, SCORES, strict=True))
    return StudyTable("bars", "Seven chocolate bars by score", ("item", "good", "score"), rows)


def curve(scores: Sequence[int]) -> Roc:
    return roc(GOOD, scores)


def path(name: str, scores: Sequence[int]) -> StudyTable:
    roc_curve = curve(scores)
    moves = list(roc_curve.path)
    rows: list[tuple[Cell, ...]] = [(0, "start", 0.0, 0.0)]
    negatives = positives = 0
    for i, move in enumerate(moves, start=1):
        up, right = _steps(move)
        positives, negatives = positives + up, negatives + right
        rows.append(
            (i, move, negatives / roc_curve.counts.n_neg, positives / roc_curve.counts.n_pos)
        )
    title = "The path" if scores == SCORES else "The path with a tied pair"
    return StudyTable(name, title, ("step", "move", "negatives", "positives"), tuple(rows))


def _steps(move: str) -> tuple[int, int]:
    """Return the steps up and right of one move of a path.

    >>> _steps("right"), _steps("diagonal (2 up, 1 right)")
    ((0, 1), (2, 1))
    """
    if move in ("up", "right"):
        return int(move == "up"), int(move == "right")
    up, right = (int(word) for word in move.strip("diagonl ()").replace(",", "").split()[::2])
    return up, right


def positive_ranks() -> StudyTable:
    names = [item for item, good in zip(ITEMS, GOOD, strict=True) if good]
    ranks = curve(SCORES).positive_ranks.tolist()
    rows = tuple(zip(names, ranks, PUBLISHED_RANKS, strict=True))
    return StudyTable("ranks", "Ranks of the good bars", ("item", "rank", "published_rank"), rows)


def small_vectors() -> StudyTable:
    rows = tuple(
        (
            " ".join(map(str, labels)),
            float(roc(labels, range(len(labels), 0, -1)).positive_ranks[0]),
            published,
        )
        for labels, published in VECTORS
    )
    return StudyTable(
        "vectors",
        "One positive among four negatives, highest score first",
        ("labels", "rank", "published_rank"),
        rows,
    )


def area() -> StudyTable:
    roc_curve = curve(SCORES)
    pairs = auc(GOOD, SCORES).value
    under = float(np.sum(np.diff(roc_curve.fpr) * (roc_curve.tpr[1:] + roc_curve.tpr[:-1])) / 2)
    rows = (
        ("area under the path", under, 10 / 12),
        ("share of pairs in the right order", pairs, 10 / 12),
        ("mean of the positive ranks", float(roc_curve.positive_ranks.mean()), 10 / 12),
    )
    return StudyTable("area", "One number, three ways", ("way", "value", "published_value"), rows)


def polynomial() -> StudyTable:
    given, sorted_ = _polynomial(SCORES), _polynomial(sorted(SCORES))
    rows = tuple(
        (power, given[power], sorted_[power], power, _at(given, power), _at(sorted_, power))
        for power in range(len(SCORES))
    )
    columns = ("power", "coefficient", "coefficient_sorted", "z", "value", "value_sorted")
    return StudyTable("polynomial", "The polynomial of the scores in two orders", columns, rows)


def _polynomial(numbers: Sequence[int]) -> list[int]:
    """Return coefficients by power, lowest first, in exact integers.

    >>> _polynomial((2, 3))
    [6, 5, 1]
    """
    product = [1]
    for number in numbers:
        pairs = zip([*product, 0], [0, *product], strict=True)
        product = [number * low + high for low, high in pairs]
    return product


def _at(coefficients: Sequence[int], z: int) -> int:
    return sum(coefficient * z**power for power, coefficient in enumerate(coefficients))


def fingerprints() -> StudyTable:
    kinds = (("as given", SCORES), ("sorted", sorted(SCORES)), ("last score -6", CHANGED))
    rows = tuple((name, str(Fingerprint.of(np.array(scores)))) for name, scores in kinds)
    return StudyTable("fingerprints", "Fingerprints of the scores", ("scores", "fingerprint"), rows)


def monte_carlo(sizes: Sequence[int], seed: int, done: Callable[[], None]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for at, size in enumerate(sizes):
        first, again = (float(np.mean(stream(seed, 60, at).random(size) ** 2)) for _ in range(2))
        even = float(np.mean(((np.arange(size) + 0.5) / size) ** 2))
        rows.append(
            (size, first, again, abs(first - 1 / 3), SPREAD / math.sqrt(size), abs(even - 1 / 3))
        )
        done()
    return StudyTable(
        "monte_carlo",
        "The mean of x squared over N numbers in [0, 1], whose limit is 1/3",
        ("n", "mean", "mean_again", "error", "standard_error", "error_evenly_spaced"),
        tuple(rows),
    )
