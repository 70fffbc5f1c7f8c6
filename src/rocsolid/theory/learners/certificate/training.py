"""What the training rows themselves prove of the scorer that was fitted on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area
from rocsolid.certificates.scores_of import first_is_positive, name_of
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs import check_lengths, positives
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.results import percent
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.theory.guarantees import (
    Linear,
    gaussian_linear,
    weighted_corollary_4,
    weighted_uniform_curve,
)
from rocsolid.theory.learners.certificate.training_rows import (
    NO_RADIUS,
    Bound,
    Made,
    TrainingRows,
    in_part,
    linear_bounds,
    vote_bounds,
    votes,
)
from rocsolid.weights import losses, ramp, step

_COMPLEXITY_SHARE = 0.1  # of a bound's δ, for the complexity of the class
_SIDE = 0.5  # of the region is given up to the sloping sides of the weight
_WIDTH = 0.5  # of the radius: the scores' distance from which on a pair counts in full


def area_bounds(
    rows: TrainingRows, w: NDArray[np.float64], region: Region, radius: float | None
) -> Iterator[tuple[str, Made | str]]:
    """Each bound by name, or why it cannot be had, for rows with false-positive rates in a region.

    Corollary 4 is about weights of norm 1, which every linear scorer can be given without a change
    of its ranking: then G(H) ≤ √(E Σ‖xᵢ‖²), bounded through the radius. The region's step lies
    above a weight with sloping sides, and that is what the training rows are measured by.
    """
    direction = w / np.linalg.norm(w)
    classes, whole = rows.linear(direction), step(*region.fpr)

    def dichotomies(delta: float) -> Bound:
        value = curve_area(classes, whole)
        certified = weighted_uniform_curve(
            value, *rows.sizes, whole, Linear(rows.features), delta, "greater"
        )
        return Bound(certified.interval.method, value, certified.interval, region.diagonal)

    yield "weighted-uniform, dichotomies", dichotomies
    if radius is None:
        yield "weighted-corollary-4", NO_RADIUS
        return

    def corollary_4(delta: float) -> Bound:
        (a, b), width = region.fpr, _WIDTH * radius
        sides = (a > 0.0) + (b < 1.0)
        between = ramp(a, b, max(sides, 1) / (_SIDE * (b - a)), side="below") if sides else whole
        value = in_part(classes, between, width)
        complexity = gaussian_linear(
            1.0, np.concatenate([rows.pos, rows.neg]), radius, _COMPLEXITY_SHARE * delta
        )
        certified = weighted_corollary_4(
            value, *rows.sizes, between, between, whole, losses.ramp(width), complexity, delta
        )
        return Bound(certified.interval.method, value, certified.interval, region.diagonal)

    yield "weighted-corollary-4", corollary_4


@dataclass(frozen=True, slots=True)
class TrainingBounds(Plain):
    """Bounds from the rows a scorer was fitted on; all hold at once at the level.

    ``value`` is the measure on these rows. Each bound has an equal share of 1 − ``level``, so that
    the best of them may be picked. ``left_out`` says which bounds need something that is not known,
    and what.
    """

    measure: str
    value: float
    scorer: str
    level: float
    bounds: tuple[Bound, ...]
    left_out: Mapping[str, str]

    @property
    def best(self) -> Bound:
        """The one with the best lower limit for the scorer itself."""
        own = [bound for bound in self.bounds if not bound.randomised]
        return max(own, key=lambda bound: bound.low)

    def __getitem__(self, method: str) -> Bound:
        for bound in self.bounds:
            if bound.method == method:
                return bound
        raise KeyError(method)

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [
            f"{self.measure} {self.value:.4f} on the rows that {self.scorer} was fitted on; lower "
            f"limits that hold together with probability {percent(self.level)}:"
        ]
        lines += [str(bound) for bound in self.bounds]
        lines += [f"{method}: left out, {reason}" for method, reason in self.left_out.items()]
        return "\n".join(lines)


def training_bounds(
    scorer: Any,
    X: Any,
    y: Any,
    *,
    level: float = 0.95,
    radius: float | None = None,
    pos_label: Any = None,
) -> TrainingBounds:
    """Lower limits for the AUC of a scorer from the very rows it was fitted on.

    They hold for all scorers of a class at once, so also for the one that training picked, and
    need no new rows. The price is high: at ordinary sizes most of them are vacuous. `certify` on
    rows that were kept aside is far tighter. X must be the features that the
    scorer's own class is about; scale them by constants that were fixed beforehand.

    - A **linear** scorer (``coef_``): the rank-shatter coefficient (Agarwal et al. 2005, Corollary
      18) and the shatter coefficient (their Theorem 27), sign patterns on blocks of pairs, margins,
      and PAC-Bayes, which is about the scorer with noise on its weights.
    - **RankBoost** with thresholds: the same counts for T rankers out of a dictionary H, at a price
      of about T·ln|H|, and margins of votes, whose price does not grow with T.
    - **PartialAUCScorer**: dichotomies for the completed curve, and Corollary 4 of Maurer and
      Pontil 2020 for norm 1, both for its own region.

    ``radius`` is an R with ‖x‖ ≤ R for every row there can be, known beforehand (√d for d features
    in [0, 1]); margins and Corollary 4 rest on it and are left out without one.

    >>> from types import SimpleNamespace
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(4000) % 2
    >>> X = rng.uniform(size=(4000, 2)) / 2 + y[:, None] * [0.5, 0.2]
    >>> scorer = SimpleNamespace(coef_=np.array([1.0, 0.4]), decision_function=lambda X: X[:, 0])
    >>> print(training_bounds(scorer, X, y, radius=2**0.5))
    AUC 0.9991 on the rows that SimpleNamespace was fitted on; lower limits that hold together with
    probability 95 %:
    rank-shatter: at least 0.5676, better than chance
    Freund et al.: at least 0.5513, better than chance
    block-VC: at least 0.8855, better than chance
    Rademacher margin: at least 0.8063, better than chance
    PAC-Bayes-kl: at least 0.9834, better than chance, of the randomised scorer
    """
    rows = _rows(X, y, pos_label)
    w, region = _weights(scorer, rows, pos_label), _region(scorer)
    if w is not None:
        scores = rows.linear(w)
        value = _auc(scores) if region is None else curve_area(scores, step(*region.fpr))
        bounds = (
            linear_bounds(rows, w, radius)
            if region is None
            else area_bounds(rows, w, region, radius)
        )
    elif hasattr(scorer, "rankers_"):
        scores = votes(scorer, rows)
        value, bounds = _auc(scores), vote_bounds(scorer, rows, scores)
    else:
        raise UnsoundError(
            f"no training-set bound is known for {name_of(scorer)}",
            where="scorer",
            fix="use certify on rows that it was not fitted on; bounds are known for linear "
            "scorers (with coef_), RankBoost and PartialAUCScorer",
        )
    made, left_out = [], {}
    for method, bound in bounds:
        if isinstance(bound, str):
            left_out[method] = bound
        else:
            made.append(bound)
    share = check_level(level) / len(made)
    return TrainingBounds(
        "AUC" if region is None else f"partial_auc({region})",
        value,
        name_of(scorer),
        float(level),
        tuple(bound(share) for bound in made),
        left_out,
    )


def _rows(X: Any, y: Any, pos_label: Any) -> TrainingRows:
    features = np.asarray(
        X.toarray() if hasattr(X, "toarray") else in_main_memory(X, "X"), np.float64
    )
    positive = positives(y, pos_label=pos_label)
    if features.ndim != 2:
        raise InputError("not a table with one row a case", where="X", value=features.shape)
    check_lengths({"X": len(features), "y": len(positive)})
    if positive.all() or not positive.any():
        raise OneClassError("there is one class only, so there is no pair to order", where="y")
    return TrainingRows(features[positive], features[~positive])


def _weights(scorer: Any, rows: TrainingRows, pos_label: Any) -> NDArray[np.float64] | None:
    """The weights of a linear scorer, for scores that are higher for the positive class."""
    if not hasattr(scorer, "coef_"):
        return None
    coefficients = scorer.coef_
    if hasattr(coefficients, "toarray"):
        coefficients = coefficients.toarray()
    w = np.asarray(coefficients, dtype=np.float64).ravel()
    if len(w) != rows.features:
        raise InputError(
            f"{name_of(scorer)} has {len(w)} weights, and X has {rows.features} features",
            where="X",
            fix="pass the features that the linear scorer itself sees, and two classes",
        )
    if not np.any(w):
        raise InputError("the weights are all zero, so they rank nothing", where="scorer")
    if not (np.isfinite(rows.pos).all() and np.isfinite(rows.neg).all()):
        raise InputError(
            "a feature is missing or infinite, so the scores are not linear", where="X",
            fix="use rows without missing values",
        )  # fmt: skip
    return -w if first_is_positive(scorer, pos_label) else w


def _region(scorer: Any) -> Region | None:
    """The region of rates that a scorer was trained for; ``None`` if it has none."""
    fpr = getattr(scorer, "fpr", None)
    return None if fpr is None else Region.of(fpr=fpr)


def _auc(classes: SortedClasses) -> float:
    return Placements.from_sorted(classes).auc
