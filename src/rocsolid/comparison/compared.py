"""What every test of a comparison starts from, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.design import Design
from rocsolid.comparison.spread import Apart, Covariation
from rocsolid.comparison.unseen import unseen
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.results.comparison import Omnibus
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.disagreement import Disagreement, disagreement
from rocsolid.summaries.parts import Parts, negligible
from rocsolid.summaries.side_by_side import side_by_side
from rocsolid.summaries.spread import Spread


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each pair: whether a − b is ``null``, and an interval for it.

    ``span`` is what a − b can be whatever the data; ``resamples`` and ``seed`` are for the methods
    that draw.
    """

    null: float
    alternative: Alternative
    level: float
    seed: int
    span: tuple[float, float] = (-1.0, 1.0)
    resamples: int = 2000
    design: Design = None


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Estimates by name, with the rows behind each and how they vary together.

    ``spread`` is ``None`` for a measure whose variance no formula gives. ``units`` are the numbers
    of independent rows or clusters behind each, ``smaller`` those of the smaller class, where they
    are known. Where an engine reduced the rows elsewhere there are none, and ``summaries`` of what
    they come to.
    """

    measure: BinaryMeasure
    estimates: dict[str, Any]  # Estimates, or what the measure has in their place
    rows: tuple[BinaryRows, ...]
    paired: bool
    spread: Covariation | None
    units: tuple[float, ...]
    smaller: tuple[float, ...] = ()
    summaries: tuple[BinarySummary, ...] = ()
    _apart: dict[int, Disagreement] = field(default_factory=dict, repr=False)
    _parts: dict[tuple[int, int], Parts] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        measure: BinaryMeasure,
        rows: dict[str, BinaryRows],
        estimates: dict[str, Estimate],
        paired: bool,
    ) -> Compared:
        """With the variances that follow from each row's influence."""
        parts = tuple(rows.values())
        half = len(parts) // 2
        first, second = side_by_side(
            lambda: [measure.influence(part) for part in parts[:half]],
            lambda: [measure.influence(part) for part in parts[half:]],
            sum(map(len, parts)),
        )
        influences = [one for one in first + second if one is not None]
        if len(influences) < len(parts):
            return cls(measure, estimates, parts, paired, None, (float("nan"),) * len(parts))
        if paired:
            spread = Spread.of(parts[0], influences, centred=not measure.of_rows)
            units, smaller = ((each,) * len(parts) for each in (spread.units, spread.smaller))
            return cls(measure, estimates, parts, True, spread, units, smaller)
        spreads = [
            Spread.of(part, [one], centred=not measure.of_rows)
            for part, one in zip(parts, influences, strict=True)
        ]
        own = [spread.own(0) for spread in spreads]
        apart = Apart(
            tuple(float(one.total[0, 0]) for one in own),
            tuple(one.df() for one in own),
            tuple(spread.cube(0) for spread in spreads),
        )
        units, smaller = (
            tuple(getattr(spread, name) for spread in spreads) for name in ("units", "smaller")
        )
        return cls(measure, estimates, parts, False, apart, units, smaller)

    @property
    def clusters(self) -> list[int | None]:
        """How many clusters the rows behind each estimate make, ``None`` where they make none."""
        if self.summaries:
            return [summary.clusters for summary in self.summaries]
        return [None if part.cluster is None else int(part.cluster.max()) + 1 for part in self.rows]

    @property
    def weighted(self) -> bool:
        if self.summaries:
            return any(summary.weighted for summary in self.summaries)
        weights = [part.weight for part in self.rows if part.weight is not None]
        return any(weight.min() < weight.max() for weight in weights)  # equal ones weigh nothing

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.estimates)

    @property
    def values(self) -> NDArray[np.float64]:
        return np.array([estimate.value for estimate in self.estimates.values()])

    @property
    def known(self) -> Covariation:
        """How the estimates vary together, or an error where no formula says."""
        if self.spread is None:
            raise UnsoundError(
                f"no formula gives the variance of {self.measure.name}",
                where="test",
                fix='use test="bootstrap", which measures it',
            )
        return self.spread

    def disagreement(self, seed: int) -> Disagreement:
        """How often two scores disagree about a pair of rows: counted once for all levels."""
        if seed not in self._apart:
            scores = [part.score for part in self.rows]
            self._apart[seed] = disagreement(self.rows[0].positive, scores, seed)
        return self._apart[seed]

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs in the order in which every list of pairs here is."""
        return list(combinations(range(len(self.estimates)), 2))

    def difference(self, i: int, j: int) -> float:
        return float(self.values[i] - self.values[j])

    def parts(self, i: int, j: int) -> Parts:
        """The variance of the difference of two estimates, by its independent parts."""
        if (i, j) not in self._parts:  # a pass over all rows, which a test asks for twice
            self._parts[i, j] = self.known.apart([(i, j)])
        return self._parts[i, j]

    def variance(self, i: int, j: int) -> float:
        """The variance of the difference of two estimates; exactly zero where rounding is all."""
        found = float(self.parts(i, j).total[0, 0])
        return 0.0 if found <= self.negligible else found

    @property
    def negligible(self) -> float:
        """The variance of a difference that rounding alone can leave."""
        return negligible(self.measure.span[1])

    def against_first(self) -> Parts:
        """The covariance of each estimate's difference from the first."""
        return self.known.apart([(i, 0) for i in range(1, len(self.estimates))])

    def unseen(self) -> NDArray[np.float64]:
        """What rows that the sample does not show add to the covariance of whole AUCs."""
        covariance = self.known.covariance()
        if not (self.smaller and self.measure.pairwise):
            return np.zeros_like(covariance)
        return unseen(self.values, covariance, np.array(self.smaller))


@dataclass(frozen=True, slots=True)
class Tested:
    """One pair's test. ``interval`` is ``None``, and the rest NaN, where the method gives none.

    The p-value was counted among so many ``draws``; of a formula, or of all exchanges, there are 0.
    """

    std_error: float
    statistic: float
    df: float | None
    p_value: float
    interval: Interval | None
    draws: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a test found: one entry a pair, and what the tests of all pairs together need.

    ``compared`` is what the test started from, with its own variances where it measured some.
    ``drawn`` has how extreme the statistic of each pair is in each exchange that all pairs share,
    and ``observed`` how extreme it is, on one scale for all. Without them the statistics are
    normal, with ``compared``'s variances, unless ``normal`` says that they are not. ``joint`` tests
    that all are equal. ``warnings`` say what a reader should know about the method.
    """

    tested: list[Tested]
    compared: Compared
    method: str
    joint: Callable[[Compared], tuple[Omnibus, list[str]]]
    drawn: NDArray[np.float64] | None = None
    observed: NDArray[np.float64] | None = None
    normal: bool = True
    warnings: tuple[str, ...] = ()


Test = Callable[[Compared, Question], Outcome]
"""A test of every pair at once (resampling methods share their resamples), in ``pairs`` order."""


def described(compared: Compared) -> dict[str, Any]:
    """What the settings of a result say about the rows."""
    clusters = compared.clusters
    return {"weighted": compared.weighted, "clusters": clusters[0] if compared.paired else clusters}
