"""Guesses of how scores are distributed, with the true AUC of each known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, one_of
from rocsolid.errors import InputError
from rocsolid.inputs.tensors import in_main_memory
from rocsolid.intervals.guarantees.checks import check_value
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses

Floats = NDArray[np.float64]
Class = Literal["positives", "negatives"]


class Distribution(Protocol):
    """What the simulation needs of a guess: its name, its AUC, and rows of both classes."""

    @property
    def name(self) -> str:
        """What it is, in a few words."""

    @property
    def auc(self) -> float:
        """The true AUC, ties one half."""

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        """The scores of independent positives and negatives."""


@dataclass(frozen=True, slots=True)
class Binormal:
    """Normal scores in both classes; make it with ``binormal``."""

    auc: float
    spread: float

    @property
    def name(self) -> str:
        return f"binormal, AUC {self.auc:g}, standard deviations {self.spread:g} and 1"

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        from scipy.special import ndtri

        shift = float(ndtri(self.auc)) * float(np.hypot(1.0, self.spread))
        return shift + self.spread * random.standard_normal(n_pos), random.standard_normal(n_neg)


def binormal(auc: float, spread: float = 1.0) -> Binormal:
    """Normal scores, the positives' standard deviation ``spread`` times the negatives'.

    >>> binormal(0.9, spread=2).name
    'binormal, AUC 0.9, standard deviations 2 and 1'
    """
    if not (is_number(auc) and 0.0 < auc < 1.0):
        raise InputError("no two normal distributions have this AUC", where="auc", value=auc)
    if not (is_number(spread) and 0.0 < spread < np.inf):
        raise InputError("not a positive number", where="spread", value=spread)
    return Binormal(float(auc), float(spread))


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A few grades with a share of each class at every grade; make it with ``ordinal``."""

    positives: tuple[float, ...]
    negatives: tuple[float, ...]

    @property
    def name(self) -> str:
        return f"{len(self.positives)} grades, AUC {self.auc:.6g}"

    @property
    def auc(self) -> float:
        below = np.cumsum(self.negatives) - np.asarray(self.negatives) / 2
        return float(np.dot(self.positives, below))

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        return _grades(random, self.positives, n_pos), _grades(random, self.negatives, n_neg)


def ordinal(positives: Sequence[float], negatives: Sequence[float]) -> Ordinal:
    """Grades from worst to best, with the share of each class at every grade.

    Counts do as well as shares: both are divided by their sums.

    >>> ordinal([1, 3, 6], [5, 3, 2]).auc
    0.76
    """
    classes = []
    for name, given in (("positives", positives), ("negatives", negatives)):
        shares = np.asarray(given, dtype=np.float64)
        if shares.ndim != 1 or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
            raise InputError("not a list of shares", where=name, value=given)
        classes.append(tuple((shares / shares.sum()).tolist()))
    if len(classes[0]) != len(classes[1]):
        raise InputError(
            "both classes need a share for each grade",
            value=(len(classes[0]), len(classes[1])),
            fix="write 0 for a grade that a class does not have",
        )
    return Ordinal(*classes)


@dataclass(frozen=True, slots=True)
class TwoPoint:
    """One class is placed perfectly or entirely wrong; make it with ``two_point``."""

    auc: float
    of: Class

    @property
    def name(self) -> str:
        return f"two-point {self.of}, AUC {self.auc:g}"

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        if self.of == "positives":
            return np.where(random.random(n_pos) < self.auc, 2.0, -1.0), random.random(n_neg)
        return random.random(n_pos), np.where(random.random(n_neg) < self.auc, -1.0, 2.0)


def two_point(auc: float, of: Class = "positives") -> TwoPoint:
    """Each of the ``of`` is on the right side of the whole other class with probability ``auc``.

    If the smaller class is so, no distribution has an AUC of larger variance: A(1−A)/min(m, n).

    >>> two_point(0.9).name
    'two-point positives, AUC 0.9'
    """
    one_of(of, get_args(Class), "class")
    return TwoPoint(check_value(auc), of)


@dataclass(frozen=True, slots=True, eq=False)
class FromData:
    """Rows drawn with replacement from rows at hand; make it with ``from_data``."""

    positives: Floats
    negatives: Floats
    auc: float

    @property
    def name(self) -> str:
        return (
            f"rows drawn from {len(self.positives):,} positives and {len(self.negatives):,} "
            f"negatives, AUC {self.auc:.6g}"
        )

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        return random.choice(self.positives, n_pos), random.choice(self.negatives, n_neg)


def from_data(pos_scores: ArrayLike, neg_scores: ArrayLike) -> FromData:
    """The rows at hand taken for the whole population; their AUC is then the true one.

    >>> from_data([3, 2, 2], [1, 2]).auc
    0.8333333333333334
    """
    pos, neg = _sorted(pos_scores, "pos_scores"), _sorted(neg_scores, "neg_scores")
    return FromData(pos, neg, Placements.from_sorted(SortedClasses(pos, neg)).auc)


def _sorted(given: ArrayLike, name: str) -> Floats:
    scores: Floats = np.sort(np.asarray(in_main_memory(given, name), dtype=np.float64))
    if scores.ndim != 1 or scores.size == 0 or not np.isfinite(scores).all():
        raise InputError("not a list of finite scores", where=name, value=given)
    return scores


def _grades(random: np.random.Generator, shares: tuple[float, ...], size: int) -> Floats:
    return random.choice(len(shares), size, p=shares).astype(np.float64)
