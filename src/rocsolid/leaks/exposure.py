"""The probability of each row's label, given a released AUC."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import RocsolidError, UnsoundError
from rocsolid.leaks.alternating_sum import exact_exposure, exact_steps
from rocsolid.leaks.approximate_exposure import approximate_exposure, forced
from rocsolid.leaks.constraint import (
    Constraint,
    UnitConstraint,
    constraint,
    expose_units,
    no_labeling,
    unit_constraint,
)
from rocsolid.leaks.gaussian import LabelUnits, shared_units
from rocsolid.results.plain import Plain


class ExposedRow(NamedTuple):
    """A row, its likelier label, and the probability of that label."""

    row: int
    label: int
    probability: float


def most_exposed(
    probability: NDArray[np.float64],
    known: Collection[int],
    k: int,
    among: NDArray[np.intp] | None = None,
) -> list[ExposedRow]:
    """Return the ``k`` rows of unknown label whose P(y = 1) is farthest from ½.

    ``among`` contains rows with separate labels; the default is all rows.

    >>> most_exposed(np.array([0.5, 0.9, 0.05, 1.0]), {3}, 2)
    [ExposedRow(row=2, label=0, probability=0.95), ExposedRow(row=1, label=1, probability=0.9)]
    """
    sure = np.maximum(probability, 1 - probability)
    sure[list(known)] = -1.0
    rows = np.arange(len(sure)) if among is None else among
    rows = rows[np.argsort(-sure[rows], kind="stable")]
    rows = rows[sure[rows] >= 0.0][: max(0, k)]
    return [ExposedRow(int(row), int(probability[row] > 0.5), float(sure[row])) for row in rows]


Method = Literal["exact", "numerical", "asymptotic"]

# each limit is a few seconds of work
EXACT_STEPS = 30_000_000
NUMERICAL_STEPS = 200_000
NUMERICAL_START = 5_000


@dataclass(frozen=True, eq=False)
class Exposure(Plain):
    """The probability of each row's label, with all labelings that fit the release equally likely.

    - ``probability``: P(y_i = 1) in the caller's order; 0 or 1 for known rows.
    - ``forced``: maps an unknown row to its label if every labeling that fits has that label. Only
      exact reasoning establishes a forced label.
    - ``forced_complete``: whether every other unknown row has both labels among the labelings.
    - ``method``: "exact" (integers), "numerical" (tilted Fourier inversion) or "asymptotic" (saddle
      point).
    - ``error``: the largest error of a probability; an estimate if the method is asymptotic.
    - ``n_pos``: the probability of each number of positives.
    - ``fractions``: the exact probabilities if the method is exact, else empty.
    - ``units``: the rows that share a label; None if no rows do.
    """

    probability: NDArray[np.float64]
    forced: Mapping[int, int]
    forced_complete: bool
    method: Method
    error: float
    n_pos: Mapping[int, float]
    fractions: tuple[Fraction, ...]
    known: frozenset[int]
    units: LabelUnits | None = None
    _json = "probability forced forced_complete method error n_pos known"
    _cites = ("The probability of each label", "whitehill2019")

    @property
    def labels(self) -> NDArray[np.intp]:
        """One row for each label: all rows, or the first row of each unit that shares a label."""
        return np.arange(len(self.probability)) if self.units is None else self.units.first_rows

    @property
    def bits(self) -> NDArray[np.float64]:
        """The entropy of each label by itself, in bits: 1 at probability ½, 0 where certain."""
        p = self.probability
        with np.errstate(divide="ignore", invalid="ignore"):
            bits = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
        return np.where((p <= 0) | (p >= 1), 0.0, bits)

    def most_exposed(self, k: int = 10) -> list[ExposedRow]:
        """Return the ``k`` unknown rows with the most certain labels, the most certain first."""
        return most_exposed(self.probability, self.known, k, self.labels)

    @property
    def unknown(self) -> int:
        """The number of unknown labels; rows that share a label count once."""
        return sum(row not in self.known for row in self.labels.tolist())

    @property
    def certain(self) -> int:
        """The number of unknown labels that are certain."""
        return sum(row in self.forced for row in self.labels.tolist())

    def explain(self) -> str:
        """Return the result in words."""
        unknown, certain = self.unknown, self.certain
        text = f"Of {unknown:,} unknown labels, {certain:,} are certain"
        text += "." if self.forced_complete else "; whether others are certain too is undecided."
        first = self.most_exposed(1)
        if first and certain < unknown:
            bits = self.bits[self.labels].sum() / unknown
            text += f" On average {bits:.3f} bits of each label remain unknown."
        if self.method == "exact":
            return f"{text} The probabilities are exact."
        kind = "up to" if self.method == "numerical" else "about"
        return f"{text} The probabilities are {self.method}, off by {kind} {self.error:.1g}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        return Plain.to_dict(self) | {
            "forced": {str(row): label for row, label in self.forced.items()},
            "n_pos": {str(size): share for size, share in self.n_pos.items()},
            "known": sorted(self.known),
            "units": len(self.labels),
        }


def exposure(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
    method: Method | Literal["auto"] = "auto",
    shares_label: Any = None,
    frequency: Any = None,
) -> Exposure:
    """Return P(y_i = 1 | release) for every row, with all labelings that fit equally likely.

    The default ``method`` is exact counting if that takes seconds, then tilted Fourier inversion,
    then the saddle point of the maximum-entropy model, in which labels are independent with logit P
    = λ + θ·rank, corrected for their dependence. Derived here. A reader who trusts the scores has a
    sharper prior than the uniform one and can infer more. ``shares_label``, ``frequency`` and all
    further arguments are those of `count`.

    >>> release = exposure("3/4", [0.2, 0.5, 0.9, 0.1])
    >>> release.probability, dict(release.forced), release.method
    (array([1., 0., 1., 0.]), {2: 1, 1: 0, 0: 1, 3: 0}, 'exact')
    >>> exposure("1/2", [1, 2, 3, 4, 5], n_pos=2).probability
    array([0.5, 0.5, 0. , 0.5, 0.5])
    """
    units = shared_units(len(scores), shares_label, frequency)
    if units is not None:
        return _of_units(unit_constraint(auc, scores, units, n_pos, decimals, known), auc, method)
    return _of_rows(constraint(auc, scores, n_pos, decimals, known), auc, method)


def _of_rows(c: Constraint, auc: object, method: Method | Literal["auto"]) -> Exposure:
    if not c.targets:
        raise no_labeling(auc)
    if method == "auto":
        return _auto(c, auc)
    if method == "exact":
        return _exact(c, auc)
    one_of(method, ("numerical", "asymptotic"), "method")
    return _approximate(c, auc, method)


def _of_units(question: UnitConstraint, auc: object, method: Method | Literal["auto"]) -> Exposure:
    alike, units = question.alike(), question.units
    if alike is None:
        one_of(method, ("auto", "exact"), "method")
        return _by_unit(question, auc)
    of_rows = _of_rows(alike, auc, method)
    size, before = int(question.rows[0]), question.known_positives
    fixed = int(question.labels.sum())
    sizes = {(k - fixed) * size + before: share for k, share in of_rows.n_pos.items()}
    return _spread(replace(of_rows, n_pos=sizes), units)


def _by_unit(question: UnitConstraint, auc: object) -> Exposure:
    """Return the exposure of units with unequal numbers of rows. A count is 0 only if no labeling
    fits.
    """
    exposed = expose_units(question)
    total = sum(exposed.total.values())
    if not total:
        raise no_labeling(auc)
    exact = exposed.error == 0.0
    fractions = [Fraction(int(label)) for label in question.labels]
    probability = question.labels.astype(np.float64)
    settled = {}
    for unit, positive, negative in zip(
        question.free.tolist(), exposed.positive, exposed.negative, strict=True
    ):
        if exact:
            fractions[unit] = Fraction(positive, total)
        probability[unit] = min(1.0, positive / total)
        if not positive or not negative:
            settled[unit] = int(not negative)
            probability[unit] = settled[unit]
    sizes = {
        k + question.known_positives: ways / total
        for k, ways in sorted(exposed.total.items())
        if ways
    }
    method: Method = "exact" if exact else "numerical"
    shown = tuple(fractions) if exact else ()
    by_unit = Exposure(
        *(probability, settled, True, method, 2 * exposed.error, sizes, shown),
        _rows(question.known),
    )
    return _spread(by_unit, question.units)


def _spread(by_unit: Exposure, units: LabelUnits) -> Exposure:
    rows = list(enumerate(units.of.tolist()))
    return replace(
        by_unit,
        probability=by_unit.probability[units.of],
        forced={row: by_unit.forced[unit] for row, unit in rows if unit in by_unit.forced},
        fractions=tuple(by_unit.fractions[unit] for _, unit in rows) if by_unit.fractions else (),
        known=frozenset(row for row, unit in rows if unit in by_unit.known),
        units=units,
    )


def _auto(c: Constraint, auc: object) -> Exposure:
    if exact_steps(c) <= EXACT_STEPS:
        return _exact(c, auc)
    sizes, m = len(c.targets), len(c.weights)
    if sizes * (NUMERICAL_START + m) <= NUMERICAL_STEPS:
        return _approximate(c, auc, "numerical")
    if sizes * (NUMERICAL_START + m) > 100 * NUMERICAL_STEPS:
        raise RocsolidError(
            "there are too many possible numbers of positives",
            where=f"{m:,} rows of unknown label",
            value=sizes,
            fix="give n_pos as one number or a few",
        )
    try:
        return _approximate(c, auc, "asymptotic")
    except UnsoundError:
        return _approximate(c, auc, "numerical")


def _exact(c: Constraint, auc: object) -> Exposure:
    counts = exact_exposure(c)
    if counts.total == 0:
        raise no_labeling(auc)
    fractions = [Fraction(int(label)) for label in c.labels]
    for row, count in zip(c.free.tolist(), counts.favourable, strict=True):
        fractions[row] = Fraction(count, counts.total)
    settled = {row: int(fractions[row]) for row in c.free.tolist() if fractions[row] in (0, 1)}
    sizes = {
        k + c.known_positives: ways / counts.total
        for k, ways in sorted(counts.by_free_positives.items())
        if ways
    }
    probability = np.array([float(share) for share in fractions])
    return Exposure(
        probability, settled, True, "exact", 0.0, sizes, tuple(fractions), _rows(c.known)
    )


def _approximate(
    c: Constraint, auc: object, method: Literal["numerical", "asymptotic"]
) -> Exposure:
    possible = forced(c)
    positive, negative = possible.may_be_positive, possible.may_be_negative
    if not (positive | negative).all():
        raise no_labeling(auc)
    approximate = approximate_exposure(c, method)
    p = np.where(positive, np.where(negative, approximate.probability, 1.0), 0.0)
    # a numerical probability that is away from 0 and 1 by more than its error shows both labels
    inside = (p > 10 * approximate.error) & (p < 1 - 10 * approximate.error)
    shown = possible.complete or (
        method == "numerical" and bool((inside | ~positive | ~negative).all())
    )
    sure = np.flatnonzero(positive != negative)
    settled = dict(zip(c.free[sure].tolist(), positive[sure].astype(int).tolist(), strict=True))
    probability = c.labels.astype(np.float64)
    probability[c.free] = p
    sizes = {k + c.known_positives: share for k, share in approximate.by_free_positives.items()}
    return Exposure(
        probability, settled, shown, method, approximate.error, sizes, (), _rows(c.known)
    )


def _rows(mask: NDArray[np.bool_]) -> frozenset[int]:
    return frozenset(np.flatnonzero(mask).tolist())
