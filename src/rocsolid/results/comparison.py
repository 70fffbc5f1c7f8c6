"""The result of a comparison: differences, tests, ranks and the winner's value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.remarks.muting import Checked
from rocsolid.results.card import measure_title
from rocsolid.results.deferred import ReadLater
from rocsolid.results.equivalence import (
    Equivalence,
    NonInferiority,
    at_floor,
    in_words,
    p_equals,
    p_text,
    telling,
)
from rocsolid.results.framed import Framed
from rocsolid.results.interval import Certified, Interval, WithLimits, percent
from rocsolid.results.json_schema import (
    AtFloor,
    Count,
    FloatOrNaN,
    IntervalLevel,
    Keywords,
    MeasureName,
    PValue,
    Rank,
    Warnings,
    ZeroToOne,
    holds,
)  # fmt: skip
from rocsolid.results.plain import Plain, aligned, one_line

DRAWS = 10_000  # of normal errors, for the ranks of three systems or more


@dataclass(frozen=True, slots=True)
class RankLimits(ReadLater, Plain):
    """The best and the worst possible rank of a system; 1 is the highest value."""

    low: Annotated[Rank, "The best rank; 1 is the highest value."]
    high: Annotated[Rank, "The worst place."]

    __repr__ = one_line

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class RankSet(RankLimits):
    """Ranks that hold for all systems together, and the ranks for this system alone.

    ``certified`` ranks follow from certified differences, for all systems together; ``None``
    without certified intervals.
    """

    single: Annotated[RankLimits, "The ranks for this system alone."]
    certified: Annotated[
        RankLimits | None, ("The joint ranks from certified differences; null without these.")
    ] = None
    _later = ("certified",)
    source = "Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91 (2024), 476-518"

    __repr__ = one_line


@dataclass(frozen=True, slots=True)
class NextRank(RankLimits):
    """The ranks of a system in a new sample, and how often it would rank first."""

    first: Annotated[
        ZeroToOne, ("The share of new samples in which the system has the highest value.")
    ]

    __repr__ = one_line


@dataclass(frozen=True, slots=True)
class Winner(Plain):
    """The highest value, with limits that are corrected for the selection of the highest.

    The limits hold at ``level`` for the true value of the winner, whichever system it is. ``of`` is
    what the value is, such as a lower limit.
    """

    name: Annotated[str, "Who has it."]
    value: Annotated[float, "The value of these rows."]
    low: Annotated[float, "The lower limit, corrected for the selection."]
    high: Annotated[float, "Its upper limit."]
    level: Annotated[IntervalLevel, "Its level."]
    decimals: int = 4
    of: str = "value"
    method: ClassVar[Annotated[str, "Its method."]] = "hybrid"
    source = "Andrews, Kitagawa and McCloskey, Quarterly Journal of Economics 139 (2024), 305-358"
    _json = "name value low high level method"

    __repr__ = one_line

    def __str__(self) -> str:
        value, low, high = (f"{end:.{self.decimals}f}" for end in (self.value, self.low, self.high))
        return (
            f"{self.name} has the highest {self.of}, {value}; corrected for picking the best: "
            f"[{low}, {high}] at {percent(self.level)}"
        )


_NAMED_RANKS = 12  # names whose ranks are written out
_SPELLED_OUT = 10  # pairs; more of them are only summed up in words


@dataclass(frozen=True, slots=True)
class Difference(ReadLater, Plain, WithLimits):
    """The difference a − b of two estimates, with its test and intervals for this pair alone.

    ``p_adjusted`` is for all pairs together. A statistic or p-value is NaN if the test is not
    possible; the warnings give the reason. A p-value from draws of which none is as extreme is
    ``at_floor``: it is only an upper limit.
    """

    a: Annotated[str, "The first of the pair."]
    b: Annotated[str, "The second."]
    difference: Annotated[float, "a − b."]
    std_error: Annotated[FloatOrNaN, "Its standard error; null if unknown."]
    interval: Interval
    statistic: Annotated[FloatOrNaN, "The test statistic; null if the test is not possible."]
    df: Annotated[
        float | None, "The degrees of freedom; null for a normal statistic or a permutation test."
    ]
    p_value: Annotated[PValue, "The p-value of this pair alone; null if the test is not possible."]
    p_adjusted: Annotated[PValue, "The p-value adjusted for all pairs."]
    method: Annotated[str, "The test."]
    certified: Certified
    p_at_floor: AtFloor = field(default=False, kw_only=True)
    p_adjusted_at_floor: Annotated[bool, "True if p_adjusted is only an upper limit."] = field(
        default=False, kw_only=True
    )
    _later = ("certified",)
    _json = (
        "a b difference std_error low=interval.low high=interval.high level=interval.level "
        "interval_method=interval.method "
        "statistic df p_value p_at_floor p_adjusted p_adjusted_at_floor method certified"
    )

    __repr__ = one_line

    def __str__(self) -> str:
        digits = self.interval.decimals
        text = f"{self.a} − {self.b}: {self.difference:+.{digits}f}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        p = p_equals(self.p_value, floor=self.p_at_floor)
        return text + f", {p}, adjusted {self._adjusted_text}"

    @property
    def proven(self) -> tuple[float, float] | None:
        """The certified limits."""
        return None if self.certified is None else (self.certified.low, self.certified.high)

    @property
    def _adjusted_text(self) -> str:
        """The adjusted p-value, formatted for a table."""
        return p_text(self.p_adjusted, floor=self.p_adjusted_at_floor)


NOTHING = "nothing to test, because no difference varies"


@dataclass(frozen=True, slots=True)
class Omnibus(Plain):
    """The χ² test that all values are equal; ``df`` is the rank of their covariance.

    ``method`` is "chi2", or a method of `OmnibusF` or `OmnibusDrawn`.
    """

    statistic: Annotated[FloatOrNaN, "The test statistic; null if the test is not possible."]
    df: Annotated[float, holds(minimum=0), "Degrees of freedom."]
    p_value: Annotated[PValue, "Its p-value."]
    method: Annotated[str, Literal["chi2"], "The name of the test."]

    @property
    def _described(self) -> str:
        """The name of the test, with its statistic if the name does not say it."""
        return self.method

    __repr__ = one_line

    def __str__(self) -> str:
        if math.isnan(self.statistic):
            return "unknown"
        return NOTHING if self.df == 0 else self._shown()

    def _shown(self) -> str:
        return f"χ² {self.statistic:.4g} on {self.df:g} df, {p_equals(self.p_value)}"


@dataclass(frozen=True, slots=True)
class OmnibusF(Omnibus):
    """The F test that all values are equal, on ``df`` and ``df2`` degrees of freedom.

    ``method`` is "hotelling", "anova-type", or "welch" for systems with different queries.
    """

    method: Annotated[str, Literal["hotelling", "anova-type", "welch"], "The name of the F test."]
    df2: Annotated[FloatOrNaN, "The second degrees of freedom; null if the test is not possible."]

    __repr__ = one_line

    def _shown(self) -> str:
        df = f"{self.df:.4g} and {self.df2:.4g} df"
        return f"F {self.statistic:.4g} on {df}, {p_equals(self.p_value)}"


_STATISTICS = {
    "heterogeneity": "Q",
    "max-t": "largest |t|",
    "curves": "distance of the two curves",
    "max-curves": "largest standardised distance of two curves",
}


@dataclass(frozen=True, slots=True)
class OmnibusDrawn(Omnibus):
    """A test whose p-value is counted among ``draws``; 0 stands for all exchanges.

    The statistic is the weighted sum of squares about the common value of independent samples
    ("heterogeneity"), the largest |t| of all pairs ("max-t"), the distance of two curves
    ("curves"), or the largest distance of all pairs of curves in standard deviations of the
    exchanges ("max-curves").
    """

    method: Annotated[
        str,
        Literal["heterogeneity", "max-t", "curves", "max-curves"],
        "heterogeneity of independent samples, max-t (the largest |t| of all pairs), curves "
        "(the distance of two), or max-curves (the largest standardised distance of all pairs).",
    ]
    draws: Annotated[Count, "Among how many draws the p-value was counted; 0 for all exchanges."]
    _json = "statistic df p_value method draws p_at_floor"

    @property
    def p_at_floor(self) -> AtFloor:
        return at_floor(self.p_value, self.draws)

    @property
    def _described(self) -> str:
        return f"{self.method} (the {_STATISTICS[self.method]})"

    __repr__ = one_line

    def _shown(self) -> str:
        name = _STATISTICS[self.method]
        return f"{name} {self.statistic:.4g}, {p_equals(self.p_value, floor=self.p_at_floor)}"


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(ReadLater, Plain, Framed, Checked):
    """Estimates by name, their covariance, every pair, and the test that all are equal.

    ``groups`` are the largest sets without a significantly different pair, for a two-sided test of
    equality. ``compared`` names what is compared: scores of the same rows, samples, or systems on
    queries. ``equivalence`` has the decision for each pair if a margin was requested. ``ranks`` has
    the possible ranks of each name, and ``winner`` the highest value with an interval corrected for
    the selection; they are missing if the test is about whole curves, or a variance is unknown.
    ``next_ranks`` has the ranks in a new sample of ``settings["next"]`` units.
    """

    measure: MeasureName
    compared: Annotated[
        Literal["scores", "samples", "systems"],
        ("The kind of things compared: scores, samples or systems."),
    ]
    estimates: Mapping[str, Any]  # Estimates, or what the measure has in their place
    covariance: Annotated[
        NDArray[np.float64], tuple[tuple[FloatOrNaN, ...], ...], "The covariance of the estimates."
    ]
    pairs: Annotated[tuple[Difference, ...], "Every pair."]
    groups: Annotated[
        tuple[tuple[str, ...], ...],
        "The largest sets without a significant difference; empty if not requested.",
    ]
    omnibus: Annotated[Omnibus, Omnibus | OmnibusF | OmnibusDrawn, "The test that all are equal."]
    level: IntervalLevel
    warnings: Warnings = ()
    settings: Keywords = field(default_factory=dict)
    equivalence: Annotated[
        tuple[Equivalence, ...], "The decision for each pair; empty without a margin."
    ] = ()
    ranks: Annotated[
        Mapping[str, RankSet], "The possible ranks of each, by name; empty if no test is known."
    ] = field(default_factory=dict)
    winner: Annotated[
        Winner | None,
        "The highest value, its interval corrected for the selection; null if no variance is "
        "known.",
    ] = None
    next_ranks: Annotated[
        Mapping[str, NextRank],
        "The ranks in a new sample, by name; empty unless its size is given.",
    ] = field(default_factory=dict)
    _later = ("estimates", "groups", "omnibus", "warnings", "ranks", "winner")
    _json = (
        "measure compared level estimates covariance pairs groups non_inferiority equivalence "
        "omnibus ranks possible_bests winner next_ranks warnings settings"
    )

    __repr__ = one_line

    @property
    def drawn(self) -> str:
        """The random draws behind the result, with the seed; empty without draws."""
        return f"{DRAWS:,} draws of normal errors for the ranks, seed 0" * (
            len(self.ranks) > 2 or bool(self.next_ranks)
        )

    def _records(self) -> list[dict[str, Any]]:
        return [pair.to_dict() for pair in self.pairs]

    def __str__(self) -> str:
        title = measure_title(self.measure)
        lines = [f"{title}, {len(self.estimates)} {self.compared}{self._sizes()}"]
        lines += _matrix(self)
        lines.append(
            f"Diagonal: {title}. Above: row − column, * where the adjusted p-value is "
            f"below {1 - self.level:.4g}. Below: adjusted p-values ({self.pairs[0].method}, "
            f"adjusted: {self.settings.get('adjust', 'none')})."
        )
        lines.append(f"All equal: {self.omnibus}.")
        lines += [*self.decided(), *self._told_apart()]
        lines += [f"Note: {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The explanation sentence by sentence: the best, each pair, the groups, the warnings."""
        highest = max(estimate.value for estimate in self.estimates.values())
        best = [name for name, estimate in self.estimates.items() if estimate.value == highest]
        digits = self.estimates[best[0]].interval.decimals
        verb = "has" if len(best) == 1 else "share"
        sentences = [
            f"Of {len(self.estimates)} {self.compared}, {' and '.join(best)} {verb} the highest "
            f"{measure_title(self.measure)} ({highest:.{digits}f})."
        ]
        if len(self.pairs) <= _SPELLED_OUT and not self.non_inferiority:
            sentences += [_difference_in_words(pair, self.level) for pair in self.pairs]
        return (*sentences, *self.decided(), *self._told_apart(), *self.warnings)

    def _sizes(self) -> str:
        if self.compared == "samples":
            return ""
        basis = next(iter(self.estimates.values())).basis
        if self.settings.get("paired", True):
            return f" on the same {basis}"
        return f" on {basis}, compared as if each had different rows"

    @property
    def non_inferiority(self) -> tuple[NonInferiority, ...]:
        """The decision for each pair; empty without a margin."""
        margin = self.settings.get("margin")
        if margin is None:
            return ()
        alone = len(self.pairs) == 1 or self.settings["adjust"] == "none"
        return tuple(
            NonInferiority(
                pair.a, pair.b, margin, 1.0 - self.level, pair.low, pair.p_adjusted,
                pair.interval.decimals, alone, pair.p_adjusted_at_floor,
            )
            for pair in self.pairs
        )  # fmt: skip

    @property
    def _hypothesis(self) -> str:
        """The hypothesis that a pair's p-value tests."""
        margin = self.settings.get("margin")
        if margin is None:
            return f"a − b = {self.settings.get('null', 0.0):g}"
        return f"a is below b by {margin:g} or more"

    def decided(self) -> list[str]:
        """The decisions as sentences; empty without a margin."""
        return in_words((*self.non_inferiority, *self.equivalence))

    def _told_apart(self) -> list[str]:
        """Sentences on groups without a significant difference and on ranks."""
        return [*self._alike(), *self._ranked(), *self._crowned()]

    @property
    def possible_bests(self) -> tuple[str, ...]:
        """The names that no other name is significantly better than, with all tests joint."""
        return tuple(name for name, rank in self.ranks.items() if rank.low == 1)

    def _ranked(self) -> list[str]:
        if len(self.ranks) < 3:
            return []
        order = sorted(self.ranks, key=lambda name: -self.estimates[name].value)
        level = percent(self.level)
        ranks = [f"{name} {self.ranks[name]}" for name in order]
        return [f"Possible ranks, jointly at {level}: {_first_of(ranks)}."]

    def _crowned(self) -> list[str]:
        """The corrected value of the highest of three or more, and the ranks in a new sample."""
        won = [] if self.winner is None or len(self.ranks) < 3 else [f"{self.winner}."]
        return [*won, *self.predicted()]

    def predicted(self) -> list[str]:
        """The ranks in a new sample, the likeliest winner first."""
        if not self.next_ranks:
            return []
        order = sorted(self.next_ranks.items(), key=lambda named: -named[1].first)
        likeliest = [f"{name} {rank} (first: {100 * rank.first:.0f} %)" for name, rank in order]
        unit = "queries" if self.compared == "systems" else "rows"
        return [
            f"Ranks in a new sample of {self.settings['next']:,} {unit}, each at "
            f"{percent(self.level)}: {_first_of(likeliest)}."
        ]

    def _alike(self) -> list[str]:
        if not self.groups:
            return []
        several = [", ".join(group) for group in self.groups if len(group) > 1]
        if not several:
            return ["Every pair is significantly different."]
        return [f"Not significantly different: {'; '.join(several)}."]


def _first_of(ranks: list[str]) -> str:
    more = f"; {len(ranks) - _NAMED_RANKS:,} more" if len(ranks) > _NAMED_RANKS else ""
    return ", ".join(ranks[:_NAMED_RANKS]) + more


def _matrix(comparison: Comparison) -> list[str]:
    names = list(comparison.estimates)
    estimates = comparison.estimates.items()
    cells = {(name, name): f"{each.value:.{each.interval.decimals}f} " for name, each in estimates}
    for pair in comparison.pairs:
        mark = "*" if pair.p_adjusted < 1 - comparison.level else " "
        cells[pair.a, pair.b] = f"{pair.difference:+.{pair.interval.decimals}f}{mark}"
        cells[pair.b, pair.a] = f"{pair._adjusted_text} "
    rows = [["", *(f"{name} " for name in names)]]
    rows += [[row, *(cells[row, column] for column in names)] for row in names]
    return aligned(rows)


def _difference_in_words(pair: Difference, level: float) -> str:
    better, worse = (pair.a, pair.b) if pair.difference >= 0 else (pair.b, pair.a)
    digits = pair.interval.decimals
    size = telling(abs(pair.difference), 0.0, digits)
    where = f"no {percent(level)} interval"
    if not pair.interval.vacuous:
        limits = " to ".join(telling(end, 0.0, digits) for end in (pair.low, pair.high))
        where = f"{percent(level)} interval of {pair.a} − {pair.b}: {limits}"
    if pair.difference == 0:
        return f"{pair.a} and {pair.b} are level ({where})."
    p = p_equals(pair.p_adjusted, floor=pair.p_adjusted_at_floor)
    return f"{better} is above {worse} by {size} ({where}; adjusted {p})."
