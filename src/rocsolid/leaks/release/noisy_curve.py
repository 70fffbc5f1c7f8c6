"""A ROC curve with differentially private labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, get_args

import numpy as np

from rocsolid.arguments import one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import binary_rows
from rocsolid.leaks.release.budget import Neighbours, rho_of_epsilon
from rocsolid.leaks.release.defence import discrete_laplace
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class PrivateCurve(Plain):
    """Points of a ROC curve from noisy counts, and the privacy cost of all of them together.

    A point counts the rows with scores of at least its threshold. ``auc`` is the area under the
    points; it costs nothing more.
    """

    thresholds: tuple[float, ...]
    fpr: tuple[float, ...]
    tpr: tuple[float, ...]
    epsilon: float
    neighbours: Neighbours
    _json = "thresholds fpr tpr auc epsilon rho neighbours"
    _cites = ("The private ROC curve", "stoddard2014", "canonne2020")

    @property
    def auc(self) -> float:
        fpr, tpr = np.array([0.0, *self.fpr]), np.array([0.0, *self.tpr])
        return float(np.diff(fpr) @ (tpr[1:] + tpr[:-1]) / 2.0)

    @property
    def rho(self) -> float:
        """The cost in zero-concentrated differential privacy."""
        return rho_of_epsilon(self.epsilon)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"ROC curve of {len(self.tpr):,} points, AUC {self.auc:.4f}, {self.epsilon:g}-private "
            f"labels ({self.neighbours})"
        )


def private_curve(
    y_true: Any,
    y_score: Any,
    *,
    epsilon: float,
    bins: int = 20,
    neighbours: Neighbours = "flip",
    pos_label: Any = None,
) -> PrivateCurve:
    """Return a ROC curve with ε-differential privacy of the labels; the scores are public.

    The rows are divided by score into at most ``bins`` bins of about equal size, which do not
    depend on labels. Each bin's number of positives gets discrete Laplace noise and is cut to the
    rows of the bin; the rates are sums of bins, so they rise (Stoddard, Chen and Machanavajjhala
    2014, for secret labels alone).

    ``neighbours`` defines the label sets between which the promise holds, as in `Laplace`. One
    changed label ("flip") moves one count by 1, and two exchanged labels ("swap") move two, so the
    noise has the scale 1/ε or 2/ε. More bins have more points and more noise.

    >>> import numpy as np
    >>> y = np.arange(20_000) % 2
    >>> curve = private_curve(y, y + np.random.default_rng(0).normal(size=20_000), epsilon=1)
    >>> len(curve.tpr), round(curve.auc, 2)
    (20, 0.76)
    """
    rho_of_epsilon(epsilon)
    one_of(neighbours, get_args(Neighbours), "neighbours")
    rows = binary_rows(y_true, y_score, pos_label=pos_label)
    distinct, code = np.unique(rows.score, return_inverse=True)
    distinct, code = distinct[::-1], len(distinct) - 1 - code
    below = np.cumsum(np.bincount(code)) - np.bincount(code)  # rows with higher scores
    bin_of_score = below * min(whole(bins, "bins"), len(code)) // len(code)
    used, bin_of_score = np.unique(bin_of_score, return_inverse=True)
    sizes = np.bincount(bin_of_score[code], minlength=len(used))
    positives = np.bincount(bin_of_score[code[rows.positive]], minlength=len(used))
    scale = Fraction(1 if neighbours == "flip" else 2) / Fraction(epsilon)
    noisy = [
        min(max(int(count) + discrete_laplace(scale), 0), int(size))
        for count, size in zip(positives, sizes, strict=True)
    ]
    hits = np.cumsum(noisy)
    false = np.cumsum(sizes) - hits
    last = np.append(np.flatnonzero(np.diff(bin_of_score)), len(distinct) - 1)
    return PrivateCurve(
        tuple(distinct[last].astype(float).tolist()),
        tuple((false / max(false[-1], 1)).tolist()),
        tuple((hits / max(hits[-1], 1)).tolist()),
        float(epsilon),
        neighbours,
    )
