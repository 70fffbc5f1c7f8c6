"""Pilots: the covariance of two values from a few rows, and the rows to label first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.arrays import reverse
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.models import model_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import value_of
from rocsolid.measures.named import measure_of
from rocsolid.measures.whole_area import WholeArea
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.plans import LittleGained
from rocsolid.remarks.remark import Remark
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.products import dot
from rocsolid.summaries.spread import Spread
from rocsolid.weights.weight import Weight


def pulls(measure: BinaryMeasure, rows: BinaryRows) -> NDArray[np.float64]:
    """Return the influence of each row, or raise an error for a measure without influences."""
    influence = measure.influence(rows)
    if influence is None:
        raise InputError(
            "this measure has no formula for the influence of a row",
            where="measure",
            value=measure.name,
            fix="plan for pr_auc or auc, for example",
        )
    return influence


_FLOATS = NDArray[np.float64]
_LITTLE = 1.5  # a smaller gain can be lost to a wrong guess of the chances


@dataclass(frozen=True, slots=True, eq=False)
class LabelPlan(Plain, Checked):
    """The rows to label, each drawn independently with its ``inclusion_probability``.

    ``label_me`` marks the drawn rows. ``drawn`` is their number, which varies around ``budget``.
    ``gain`` is the variance under equal probabilities divided by the variance under these
    probabilities, if the guessed chances are right.
    """

    measure: str
    scores: tuple[str, ...]
    budget: int
    rows: int
    drawn: int
    floor: float
    gain: float
    seed: int
    inclusion_probability: _FLOATS
    label_me: NDArray[np.bool_]
    warnings: tuple[Remark, ...] = ()
    source: str = "expected squared influence of each row's label; Poisson sampling"
    _json: ClassVar[str] = "measure scores budget rows drawn floor gain seed warnings source"

    __repr__ = one_line

    def __str__(self) -> str:
        of = " less ".join(self.scores)
        return (
            f"{self.drawn:,} of {self.rows:,} rows to label (budget {self.budget:,}): the variance "
            f"of {self.measure} of {of} should be {self.gain:.2f} times smaller than with equal "
            "probabilities"
        )

    @property
    def weight(self) -> _FLOATS:
        """The value 1/probability, the ``sample_weight`` of the drawn rows."""
        return np.asarray(1.0 / self.inclusion_probability)


def labels(
    scores: Mapping[str, Any],
    *,
    chance: Any,
    budget: int,
    measure: str = "pr_auc",
    floor: float = 0.2,
    lower_is_better: bool = False,
    seed: int = 0,
) -> LabelPlan:
    """Choose unlabelled rows to label, to estimate a measure or a difference of two scores.

    ``scores`` has one score, or two scores to compare. ``chance`` is a guess of the probability
    that each row is positive, such as a calibrated score; a wrong guess costs precision and adds no
    bias. A row's inclusion probability grows with the influence of its label on the value and is at
    least ``floor`` times the equal probability. ``budget`` is the expected number of labels.
    Evaluate the labelled rows with ``sample_weight`` 1/probability.

    >>> rng = np.random.default_rng(0)
    >>> s = rng.normal(-4, 2, 20_000)
    >>> print(labels({"a": s}, chance=1 / (1 + np.exp(-s)), budget=2000))
    1,973 of 20,000 rows to label (budget 2,000): the variance of pr_auc of a should be 4.85 times
    smaller than with equal probabilities
    """
    chosen = measure_of(measure)
    if not isinstance(scores, Mapping) or not 1 <= len(scores) <= 2:
        raise InputError("one named score, or two to compare", where="scores",
                         fix='give a mapping such as {"a": scores}')  # fmt: skip
    by_name = {str(name): valid_scores(s, name=f"score {name!r}") for name, s in scores.items()}
    p = valid_scores(chance, name="chance").astype(np.float64)
    n = len(p)
    for name, score in by_name.items():
        if len(score) != n:
            raise InputError("a score and chance differ in length", where=f"score {name!r}",
                             value=len(score), fix=f"give {counted(n, 'score')}")  # fmt: skip
    if n == 0 or not (p.min() >= 0.0 and p.max() <= 1.0 and 0.0 < p.sum() < n):
        raise InputError(
            "chances must be probabilities, not all 0 or all 1", where="chance",
            value=None if n == 0 else [float(p.min()), float(p.max())],
            fix="calibrate a score on a few labelled rows",
        )  # fmt: skip
    if whole(budget, "budget") >= n:
        raise InputError("the budget is enough for every row", where="budget", value=budget,
                         fix=f"label all {n} rows, or give a smaller budget")  # fmt: skip
    if not is_number(floor) or not 0.0 < floor <= 1.0:
        raise InputError("a floor must lie above 0 and at most at 1", where="floor", value=floor,
                         fix="give a share such as 0.2")  # fmt: skip
    columns = [reverse(s) if lower_is_better else s for s in by_name.values()]
    squares = _expected_squares(chosen, columns, p)
    alike = budget / n
    drawn_with = _scaled(np.sqrt(squares), float(budget), floor * alike)
    total = float(squares.sum())
    gain = total / alike / dot(squares, 1.0 / drawn_with) if total > 0.0 else 1.0
    warnings: tuple[Remark, ...] = ()
    if gain < _LITTLE:
        warnings = (LittleGained(),)
    take = np.random.default_rng(seed).random(n) < drawn_with
    return LabelPlan(
        chosen.name, tuple(by_name), budget, n, int(np.count_nonzero(take)), floor, gain, seed,
        drawn_with, take, warnings,
    )  # fmt: skip


def _expected_squares(
    measure: BinaryMeasure, columns: list[NDArray[Any]], chance: _FLOATS
) -> _FLOATS:
    """Return the expected squared influence of each row, over both classes."""
    n = len(chance)
    positive = np.arange(2 * n) < n
    weight = np.concatenate([chance, 1.0 - chance])
    each = [
        pulls(measure, BinaryRows(positive, np.concatenate([column, column]), weight))
        for column in columns
    ]
    spread = Spread.of(
        BinaryRows(positive, np.arange(2 * n), weight), each, centred=not measure.of_rows
    )
    pos, neg = (part[0] - part[1] if len(columns) == 2 else part[0]
                for part in (spread.pos, spread.neg))  # fmt: skip
    squares = np.zeros(n)
    for pull, share in ((pos, chance), (neg, 1.0 - chance)):  # a share of 0 has no influence
        squares += np.divide(pull**2, share, out=np.zeros(n), where=share > 0.0)
    return squares


def _scaled(size: _FLOATS, total: float, least: float) -> _FLOATS:
    """Return probabilities proportional to ``size``, within limits, with the sum ``total``."""
    top = float(size.max())
    size = np.maximum(size, 1e-9 * top) if top > 0.0 else np.ones(len(size))
    low, high = 0.0, 1.0 / float(size.min())
    for _ in range(200):
        middle = (low + high) / 2.0
        if np.clip(middle * size, least, 1.0).sum() < total:
            low = middle
        else:
            high = middle
    return np.asarray(np.clip(high * size, least, 1.0))


_AUC = WholeArea()


@dataclass(frozen=True, slots=True, eq=False)
class Pilot(Carded):
    """The values of two scores on the same rows, and their covariance with more rows.

    ``pos`` and ``neg`` are the contributions of one positive and one negative to the covariance
    (for the AUC, the covariances of the placements, DeLong et al. 1988), so that a plan can use any
    class ratio. ``clusters`` is the number of independent units if rows form clusters. If a cluster
    contains both classes (``mixed``), the covariance holds only at the class ratio of the pilot.
    ``df`` are the degrees of freedom of the difference (Welch's, or the clusters less 1).
    """

    names: tuple[str, str]
    measure: BinaryMeasure
    rows: tuple[BinaryRows, BinaryRows]
    values: tuple[float, float]
    pos: _FLOATS
    neg: _FLOATS
    n_pos: int
    n_neg: int
    clusters: int | None = None
    mixed: bool = False
    df: float = math.nan

    __repr__ = one_line

    def __str__(self) -> str:
        spread = np.sqrt(np.diag(self.covariance(self.n_pos, self.n_neg)))
        each = ", ".join(
            f"{name} {value:.4f} (standard error {error:.4f})"
            for name, value, error in zip(self.names, self.values, spread, strict=True)
        )
        of = "" if self.measure.pairwise else f", {self.measure.name}"
        rows = both_classes(self.n_pos, self.n_neg)
        if self.clusters is not None:
            rows += f" in {counted(self.clusters, 'cluster')}"
        return f"pilot of {rows}{of}: {each}"

    @classmethod
    def of(
        cls, names: tuple[str, str], measure: BinaryMeasure, rows: tuple[BinaryRows, BinaryRows]
    ) -> Pilot:
        a, b = (pulls(measure, each) for each in rows)
        sizes = [int(np.count_nonzero(of)) for of in (rows[0].positive, ~rows[0].positive)]
        spread = Spread.of(rows[0], [a, b], centred=not measure.of_rows)
        parts = spread.by_class().covariances
        pos, neg = (size * part for size, part in zip(sizes, parts, strict=True))
        df = spread.each(np.array([[0], [1]])).df().item()
        values = value_of(measure, rows[0], a), value_of(measure, rows[1], b)
        cluster, mixed = rows[0].cluster, False
        if cluster is not None:
            positives = np.bincount(cluster, rows[0].positive)
            mixed = bool(np.any((positives > 0.0) & (positives < np.bincount(cluster))))
        count = None if cluster is None else int(cluster.max()) + 1
        return cls(names, measure, rows, values, pos, neg, sizes[0], sizes[1], count, mixed, df)

    @property
    def aucs(self) -> tuple[float, float]:
        if self.measure.pairwise:
            return self.values
        a, b = self.rows
        return value_of(_AUC, a), value_of(_AUC, b)

    def at(self, prevalence: float) -> Pilot:
        """Return the pilot with its classes weighted to another share of positives."""
        now = self.n_pos / (self.n_pos + self.n_neg)
        if not self.measure.of_ratio or math.isclose(prevalence, now, rel_tol=1e-9):
            return self
        positive = self.rows[0].positive
        weight = np.where(positive, prevalence / now, (1.0 - prevalence) / (1.0 - now))
        a, b = (replace(rows, weight=weight) for rows in self.rows)
        return Pilot.of(self.names, self.measure, (a, b))

    def covariance(self, n_pos: float, n_neg: float) -> _FLOATS:
        """Return the covariance matrix of the two values at these class sizes."""
        return np.asarray(self.pos / n_pos + self.neg / n_neg)

    def difference(self, level: float) -> dict[str, float]:
        """Return the difference a − b of the pilot itself, with the limits of its t interval."""
        from scipy.special import stdtrit

        a, b = self.values
        (var_a, covariance), (_, var_b) = self.covariance(self.n_pos, self.n_neg).tolist()
        error = math.sqrt(max(var_a + var_b - 2.0 * covariance, 0.0))
        half = float(stdtrit(self.df, 0.5 + level / 2.0)) * error if error > 0.0 else 0.0
        span = self.measure.span[1]
        low, high = max(a - b - half, -span), min(a - b + half, span)
        return {"difference": a - b, "low": low, "high": high, "level": level}

    def clusters_of(self, n_pos: float, n_neg: float) -> float | None:
        """Return the expected number of clusters at these class sizes, if rows form clusters."""
        cluster, positive = self.rows[0].cluster, self.rows[0].positive
        if self.clusters is None or cluster is None:
            return None
        if self.mixed:
            return self.clusters * (n_pos + n_neg) / (self.n_pos + self.n_neg)
        of_pos = len(np.unique(cluster[positive]))
        return of_pos * n_pos / self.n_pos + (self.clusters - of_pos) * n_neg / self.n_neg


def pilot(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    measure: str | Weight | BinaryMeasure = "auc",
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> Pilot:
    """Estimate the variances and covariance of two scores' values, to plan a larger comparison.

    The estimates use the influence of each row, and for the AUC they are DeLong's. ``measure`` is
    as in `rocsolid.compare`; it needs an influence formula. A cut at a number of rows, such as
    "precision@100", is an error, because among more rows the best 100 are a smaller share: plan for
    a share, such as "precision@5%". A small pilot yields an uncertain plan. ``cluster`` marks rows
    that belong together, such as those of a patient. Variances are then computed from whole
    clusters, and plans count similar clusters.

    >>> y = [0, 0, 0, 0, 1, 1, 1]
    >>> found = pilot(y, {"a": [1, 2, 4, 5, 3, 6, 7], "b": [1, 5, 3, 4, 2, 6, 7]})
    >>> print(found.aucs, found.covariance(30, 40).round(5).tolist())
    (0.8333333333333334, 0.75) [[0.0037, 0.00463], [0.00463, 0.00694]]
    """
    chosen = measure_of(measure)
    scored = model_rows(
        y_true, scores, cluster=cluster, pos_label=pos_label, lower_is_better=lower_is_better,
        nan=nan,
    )  # fmt: skip
    if len(scored.rows) != 2:
        raise InputError(
            "a pilot has two scores", where="scores", value=list(scored.rows), fix="name two"
        )
    (name_a, a), (name_b, b) = scored.rows.items()
    n_pos = int(np.count_nonzero(a.positive))
    n_neg = len(a) - n_pos
    if chosen.of_so_many:
        raise InputError(
            "a fixed number of best rows is a smaller share of more rows",
            where="measure",
            value=chosen.name,
            fix=f"cut off a share of the rows, such as {chosen.name.partition('@')[0]}@5%",
        )
    if min(n_pos, n_neg) < 2:
        raise UnsoundError(
            "a pilot needs at least two rows of each class",
            where=both_classes(n_pos, n_neg, ", "),
            fix="add rows, or give the AUCs and a correlation instead",
        )
    result = Pilot.of((name_a, name_b), chosen, (a, b))
    if not np.isfinite(result.covariance(n_pos, n_neg)).all():
        raise UnsoundError(
            "a pilot needs at least two clusters with rows of each class",
            where="cluster",
            value=result.clusters,
            fix="add clusters, or give the AUCs and a correlation instead",
        )
    return result
