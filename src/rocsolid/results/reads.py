"""Which part of the labels a number is computed from, and so can give away."""

from __future__ import annotations

from typing import Literal

Read = Literal[
    "sizes",
    "value",
    "variance",
    "covariance",
    "placements",
    "curve",
    "weights",
    "clusters",
    "folds",
    "rows",
]
"""Each is a function of the labels and what is known beside them (scores, weights, clusters).

``sizes`` of the classes; the ``value`` itself (or the values that are compared); the ``variance``
of the value as its two parts, and the ``covariance`` of the values compared; the ``placements`` of
the smaller class among the larger; the ``curve``, which is how many rows of each class each
distinct score has; how much of the ``weights`` and how many rows of the ``clusters`` each class
has; the value, its variance and the class sizes in each of the ``folds``; the ``rows`` one by one,
which is everything.
"""

Reads = frozenset[Read]

NOTHING: Reads = frozenset()
SIZES: Reads = frozenset({"sizes"})
VALUE: Reads = frozenset({"sizes", "value"})
VARIANCE: Reads = VALUE | {"variance"}
COVARIANCE: Reads = VALUE | {"covariance"}
PLACEMENTS: Reads = frozenset({"sizes", "placements"})
CURVE: Reads = frozenset({"curve"})
WEIGHTS: Reads = frozenset({"value", "weights"})
CLUSTERS: Reads = frozenset({"value", "clusters"})
FOLDS: Reads = VARIANCE | {"folds"}
ROWS: Reads = frozenset({"rows"})
