"""The training rows, and bounds that several classes of scorers share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import plug_in
from rocsolid.certificates.certificate import rounded_down
from rocsolid.certificates.scores_of import scores_of
from rocsolid.dataclass import dataclass
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.theory.guarantees.pac_bayes import pac_bayes
from rocsolid.theory.guarantees.shatter import Linear, ScorerClass, UserClass
from rocsolid.theory.guarantees.trees import dictionary_size
from rocsolid.theory.guarantees.uniform import (
    UniformBound,
    pair_spread,
    uniform_blocks,
    uniform_freund,
    uniform_margin,
    uniform_rank_shatter,
    vote_spread,
)
from rocsolid.theory.learners.certificate.expanded import Expansion, chosen_columns
from rocsolid.weights import losses
from rocsolid.weights.losses import step_of_ramp as step
from rocsolid.weights.weight import Weight

_FLOATS = NDArray[np.float64]

ROOTS = tuple(2.0 ** (-j / 2) for j in range(13))
"""Margins as parts of the largest possible one, fixed before any row was seen."""


@dataclass(frozen=True, slots=True)
class Bound(Plain):
    """A lower limit from the training rows; ``value`` is the estimate from which it is subtracted.

    A ``randomised`` bound is not about the scorer but about one that draws its weights at random
    around it. ``chance`` is the value of a random ranking.
    """

    method: str
    value: float
    interval: Interval
    chance: float = 0.5
    randomised: bool = False
    _json = (
        "method value low verdict randomised assumptions=interval.assumptions "
        "source=interval.source"
    )

    @property
    def low(self) -> float:
        return self.interval.low

    @property
    def vacuous(self) -> bool:
        """True if the printed limit is the lowest possible value."""
        low = float(rounded_down(self.low, self.interval.decimals))
        return low <= self.interval.range[0]

    @property
    def verdict(self) -> str:
        """One of "vacuous", "not better than chance" and "better than chance"."""
        if self.vacuous:
            return "vacuous"
        return "better than chance" if self.low > self.chance else "not better than chance"

    __repr__ = one_line

    def __str__(self) -> str:
        low = rounded_down(self.low, self.interval.decimals)
        text = f"{self.method}: at least {low}, {self.verdict}"
        return f"{text}, of the randomised scorer" if self.randomised else text


Made = Callable[[float], Bound]
"""A function that returns a bound for a share of δ."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    pos: _FLOATS
    neg: _FLOATS

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.pos), len(self.neg)

    @property
    def features(self) -> int:
        return int(self.pos.shape[1])

    def linear(self, w: _FLOATS) -> SortedClasses:
        return SortedClasses(np.sort(self.pos @ w), np.sort(self.neg @ w))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    X: Any
    y: Any
    features: _FLOATS
    positive: NDArray[np.bool_]
    pos_label: Any
    radius: float | None
    chosen: tuple[int, ...] = ()
    unknown: str = ""
    marks: NDArray[np.bool_] | None = None
    imputed: bool = False

    def rows(
        self, mapped: _FLOATS | None = None, kept: NDArray[np.bool_] | None = None
    ) -> TrainingRows:
        table = self.features if mapped is None else mapped
        chosen = np.ones(len(table), dtype=np.bool_) if kept is None else kept
        return TrainingRows(table[chosen & self.positive], table[chosen & ~self.positive])

    def expanded(self, expansion: Expansion) -> TrainingSet:
        return replace(
            self,
            features=expansion.features,
            radius=expansion.radius(self.radius),
            chosen=expansion.chosen,
            unknown=expansion.unknown,
            marks=expansion.marks,
            imputed=expansion.imputed,
        )

    def scores(self, scorer: Any) -> _FLOATS:
        return np.asarray(scores_of(scorer, self.X, pos_label=self.pos_label), np.float64)

    def sorted(self, scores: _FLOATS, kept: NDArray[np.bool_] | None = None) -> SortedClasses:
        if kept is None:
            return SortedClasses.from_arrays(self.positive, scores)
        return SortedClasses.from_arrays(self.positive[kept], scores[kept])


def in_part(classes: SortedClasses, weight: Weight, width: float) -> float:
    """Return f_{W,ℓ} with the ramp ℓ: a pair counts in part if its scores differ by < ``width``."""
    return plug_in(classes, weight, losses.ramp(width))


NO_RADIUS = "it needs radius, a bound on ‖x‖ known before these rows"
_SPREAD_SHARE = 0.1  # of a bound's δ, for the spread of the pairs


Named = Iterator[tuple[str, Made | str]]
"""Each bound by name, or why it is missing."""


def linear_bounds(
    rows: TrainingRows,
    w: NDArray[np.float64],
    radius: float | None,
    chosen: tuple[int, ...] = (),
    unknown: str = "",
) -> Named:
    """Yield all bounds for linear functions of features, which are those of an `Expansion`."""
    value = Placements.from_sorted(rows.linear(w)).auc
    scorers = chosen_columns(chosen, rows.features) if chosen else Linear(rows.features)
    yield from count_bounds(value, rows.sizes, scorers)
    if unknown:
        yield "Rademacher margin", unknown
        yield "PAC-Bayes-kl", unknown
        return
    if radius is None:
        yield "Rademacher margin", NO_RADIUS
    else:
        yield "Rademacher margin", lambda d: _margin(rows, w, radius, d)
    yield "PAC-Bayes-kl", bayes_bound(rows, w)


def count_bounds(value: float, sizes: tuple[int, int], scorers: ScorerClass) -> Named:
    for name, bound in (
        ("rank-shatter", uniform_rank_shatter),
        ("Freund et al.", uniform_freund),
        ("block-VC", uniform_blocks),
    ):
        yield name, _counted(bound, value, sizes, scorers)


def blocks_bound(value: float, sizes: tuple[int, int], scorers: ScorerClass) -> Made:
    """Return the shortest of the counting bounds, which needs only the signs of k pairs."""
    return _counted(uniform_blocks, value, sizes, scorers)


def _counted(
    bound: Callable[..., UniformBound], value: float, sizes: tuple[int, int], scorers: ScorerClass
) -> Made:
    return lambda d: of_uniform(bound(value, *sizes, scorers, d, "greater"))


def margin_bound(
    classes: SortedClasses,
    sizes: tuple[int, int],
    spread: float,
    largest: float,
    log_choices: float = 0.0,
) -> Made:
    """Return the best of a fixed list of margins, for scores that differ by at most ``largest``."""

    def made(delta: float) -> Bound:
        bounds = [
            uniform_margin(
                in_part(classes, step(0, 1), largest * root), largest * root, *sizes, spread,
                delta / len(ROOTS), log_choices=log_choices,
            )
            for root in ROOTS
        ]  # fmt: skip
        # if all are vacuous, the nearest
        return of_uniform(max(bounds, key=lambda bound: bound.auc - bound.deviation))

    return made


def of_uniform(bound: UniformBound) -> Bound:
    return Bound(bound.interval.method, bound.auc, bound.interval)


def _margin(rows: TrainingRows, w: NDArray[np.float64], radius: float, delta: float) -> Bound:
    classes = rows.linear(w / np.linalg.norm(w))
    spread = pair_spread(rows.pos, rows.neg, 1.0, radius, _SPREAD_SHARE * delta)
    made = margin_bound(classes, rows.sizes, spread, 2.0 * radius)
    return made((1.0 - _SPREAD_SHARE) * delta)


_MOST_NUMBERS = 50_000_000  # pairs times features that PAC-Bayes looks at


def bayes_bound(rows: TrainingRows, w: NDArray[np.float64]) -> Made:
    """Return PAC-Bayes for noise on the weights, over as many pairs as take a few seconds."""
    pairs = min(1_000_000, max(1, _MOST_NUMBERS // rows.features))

    def made(delta: float) -> Bound:
        bound = pac_bayes(w, rows.pos, rows.neg, delta, max_pairs=pairs)
        return Bound(bound.interval.method, bound.auc, bound.interval, randomised=True)

    return made


LN_DOUBLE = 64 * math.log(2)
"""ln 2⁶⁴, the cost of a 64-bit number that the rows chose."""


def chosen_by_rows(scorers: ScorerClass, log_choices: float) -> UserClass:
    """Return the union of classes from which the rows chose, each with these sign patterns."""
    return UserClass(
        sign_patterns=lambda pairs: scorers.log_sign_patterns(pairs) + log_choices,
        symmetric=scorers.symmetric,
    )


def votes_of(features: int, n_rounds: int) -> UserClass:
    """Return the class of all Σ α_t·h_t of T rankers from the dictionary H.

    There are at most C(|H|, T) choices of T rankers, and for each the linear functions of T
    features.

    >>> round(votes_of(5, 2).log_sign_patterns(1000), 1)
    26.7
    """

    def choices(rows: int) -> float:
        size = dictionary_size(features, rows)
        rounds = min(n_rounds, size)
        return math.lgamma(size + 1) - math.lgamma(rounds + 1) - math.lgamma(size - rounds + 1)

    linear = Linear(n_rounds)
    return UserClass(
        rank_shatter=lambda m, n: choices(m + n) + linear.log_rank_shatter(m, n),
        sign_patterns=lambda pairs: choices(2 * pairs) + linear.log_sign_patterns(pairs),
        symmetric=True,
    )


def votes(scorer: Any, rows: TrainingRows) -> SortedClasses:
    """Return the sorted Σ α_t·h_t/Σ|α_t| of a scorer with ``rankers_`` and ``alpha_``."""
    size = float(np.abs(scorer.alpha_).sum())
    sides = []
    for part in (rows.pos, rows.neg):
        total = np.zeros(len(part))
        for ranker, alpha in zip(scorer.rankers_, scorer.alpha_, strict=True):
            total += alpha * ranker.values(part[:, ranker.feature])
        sides.append(np.sort(total / size if size else total))
    return SortedClasses(*sides)


def vote_bounds(scorer: Any, rows: TrainingRows, classes: SortedClasses) -> Named:
    scorers, sizes = votes_of(rows.features, int(scorer.n_rounds)), rows.sizes
    value = Placements.from_sorted(classes).auc
    yield "rank-shatter", _counted(uniform_rank_shatter, value, sizes, scorers)
    yield "block-VC", blocks_bound(value, sizes, scorers)
    spread = vote_spread(dictionary_size(rows.features, 2 * min(sizes)))
    yield "Rademacher margin", margin_bound(classes, sizes, spread, 1.0)
