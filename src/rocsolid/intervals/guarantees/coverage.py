from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, one_of, whole
from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.guarantees.checks import Limits, check_sizes, check_value
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits, mcdiarmid_limits
from rocsolid.results import Alternative, percent
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.stream import stream

Floats = NDArray[np.float64]
Class = Literal["positives", "negatives"]


class Distribution(Protocol):
    """The name, the AUC and the random rows of an assumed distribution."""

    @property
    def name(self) -> str:
        """A short description of the distribution."""

    @property
    def auc(self) -> float:
        """The true AUC, with ties counted one half."""

    def draw(self, random: np.random.Generator, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        """Draw the scores of independent positives and negatives."""


@dataclass(frozen=True, slots=True)
class Binormal:
    """Normal scores in both classes; see `binormal`."""

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
    """Return normal scores; ``spread`` is the positives' standard deviation over the negatives'.

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
    """Grades with a share of each class at every grade; see `ordinal`."""

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
    """Return grades from worst to best, with the share (or count) of each class at every grade.

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
    """Scores of which one class is ranked perfectly or entirely wrong; see `two_point`."""

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
    """Return scores that rank each row of class ``of`` above or below the whole other class.

    A row is on the correct side with probability ``auc``. If ``of`` is the smaller class, the
    variance of the AUC is the largest possible, A(1−A)/min(m, n).

    >>> two_point(0.9).name
    'two-point positives, AUC 0.9'
    """
    one_of(of, get_args(Class), "class")
    return TwoPoint(check_value(auc), of)


@dataclass(frozen=True, slots=True, eq=False)
class FromData:
    """Rows drawn with replacement from given rows; see `from_data`."""

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
    """Return a distribution that draws from the given rows; their AUC is the true AUC.

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


Progress = Callable[[int, int], None]
"""Called now and then with the number of repetitions that are done and of all there are."""

_FROM_SMALLER: dict[str, Callable[..., Limits]] = {
    "hoeffding-blocks": hoeffding_limits,
    "kl": kl_limits,
    "hinge": hinge_limits,
}
COVERAGE_METHODS = (*CALIBRATED, "mcdiarmid", *_FROM_SMALLER)
_MOST_ROWS = 50_000_000  # about two gigabytes
_STEPS = 50  # reports of progress


@dataclass(frozen=True, slots=True)
class MethodCoverage(Plain):
    """The simulated coverage and width of one method.

    ``coverage`` counts a repetition without an interval as a miss; ``refused`` is the share of such
    repetitions. ``std_error`` is √(p(1−p)/R), with one hit and one miss added to p. ``above`` and
    ``below`` are the shares of repetitions whose interval lies above and below the true AUC.
    """

    method: str
    coverage: float
    std_error: float
    mean_width: float
    above: float
    below: float
    refused: float


@dataclass(frozen=True, slots=True)
class Coverage(Plain):
    """The results of a simulation, one entry per method, and its settings."""

    methods: tuple[MethodCoverage, ...]
    distribution: str
    auc: float
    n_pos: int
    n_neg: int
    level: float
    alternative: Alternative
    repetitions: int
    seed: int
    _json = "distribution auc n_pos n_neg level alternative repetitions seed methods"

    def __getitem__(self, method: str) -> MethodCoverage:
        return next(each for each in self.methods if each.method == method)

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [
            f"{self.distribution}; {both_classes(self.n_pos, self.n_neg, ', ')}; "
            f"{percent(self.level)}, {self.repetitions:,} repetitions"
        ]
        for each in self.methods:
            lines.append(
                f"{each.method}: covers {each.coverage:.4f} (± {each.std_error:.4f}), mean width "
                f"{each.mean_width:.4f}, above {each.above:.4f}, below {each.below:.4f}"
                + (f", refused {each.refused:.4f}" if each.refused else "")
            )
        return "\n".join(lines)


def coverage(
    distribution: Distribution,
    n_pos: int,
    n_neg: int,
    methods: Sequence[str] = ("auto", "hinge"),
    level: float = 0.95,
    *,
    alternative: Alternative = "two-sided",
    repetitions: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Coverage:
    """Simulate data sets and count how often each interval contains the true AUC.

    ``distribution`` is your assumption: ``binormal``, ``ordinal``, ``two_point``, ``from_data``, or
    your own object with ``name``, ``auc`` and ``draw``. ``methods`` are calibrated methods of
    ``rs.auc(..., interval=)`` and the guarantees that need only the AUC and the class sizes. All
    methods receive the same data, and repetition i depends only on ``seed`` and i.

    >>> from rocsolid.intervals.guarantees.coverage import two_point
    >>> print(coverage(two_point(0.9), 30, 300, ("delong", "hinge"), repetitions=200))
    two-point positives, AUC 0.9; 30 positives, 300 negatives; 95 %, 200 repetitions
    delong: covers 0.8300 (± 0.0268), mean width 0.2044, above 0.1400, below 0.0150, refused 0.0150
    hinge: covers 0.9850 (± 0.0099), mean width 0.2521, above 0.0000, below 0.0150
    """
    m, n = check_sizes(n_pos, n_neg)
    if m + n > _MOST_ROWS:
        raise InputError(
            "too many rows to simulate", where="n_pos + n_neg", value=m + n,
            fix=f"simulate at most {_MOST_ROWS:,}",
        )  # fmt: skip
    if not 0.0 < level < 1.0:
        raise InputError("level must lie strictly between 0 and 1", value=level)
    for method in methods:
        if method not in COVERAGE_METHODS:
            raise InputError(
                "no method to simulate",
                value=method,
                fix=f"choose from {', '.join(COVERAGE_METHODS)}",
            )
    repeats = whole(repetitions, "repetitions")
    drawn = _simulated(distribution, m, n, repeats, whole(seed, "seed", 0), progress)
    auc = distribution.auc
    counts = tuple(_counted(method, drawn, auc, level, alternative) for method in methods)
    return Coverage(counts, distribution.name, auc, m, n, level, alternative, repeats, seed)


def _simulated(
    distribution: Distribution, m: int, n: int, repeats: int, seed: int, progress: Progress | None
) -> Moments:
    rows = np.empty((repeats, 3))
    for i in range(repeats):
        pos, neg = distribution.draw(stream(seed, i), m, n)
        moments = Placements.from_sorted(SortedClasses(np.sort(pos), np.sort(neg))).moments
        rows[i] = moments.auc, moments.var_pos, moments.var_neg
        if progress is not None and (i + 1) * _STEPS // repeats > i * _STEPS // repeats:
            progress(i + 1, repeats)
    sizes = (np.full(repeats, float(size)) for size in (m, n))
    return Moments(rows[:, 0], rows[:, 1], rows[:, 2], *sizes)


def _counted(
    method: str, drawn: Moments, auc: float, level: float, alternative: Alternative
) -> MethodCoverage:
    low, high = _limits(method, drawn, level, alternative)
    repeats = len(low)
    refused = np.isnan(low) | np.isnan(high)
    above, below = int(np.sum(low > auc)), int(np.sum(high < auc))
    missed = above + below + int(refused.sum())
    hits = repeats - missed
    smoothed = (hits + 1) / (repeats + 2)
    return MethodCoverage(
        method,
        hits / repeats,
        math.sqrt(smoothed * (1 - smoothed) / repeats),
        float(np.mean((high - low)[~refused])) if not refused.all() else math.nan,
        above / repeats,
        below / repeats,
        float(refused.mean()),
    )


def _limits(method: str, drawn: Moments, level: float, alternative: Alternative) -> Limits:
    if method in CALIBRATED:
        return CALIBRATED[method].limits(drawn, level, alternative)
    if method == "mcdiarmid":
        return mcdiarmid_limits(drawn.auc, drawn.n_pos, drawn.n_neg, 1.0 - level, alternative)
    smaller = np.minimum(drawn.n_pos, drawn.n_neg)
    return _FROM_SMALLER[method](drawn.auc, smaller, 1.0 - level, alternative)
