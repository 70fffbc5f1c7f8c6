"""The number of labelings that fit a release, and its text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.leaks.gaussian import log2_ways
from rocsolid.results.card import Carded
from rocsolid.results.plain import written

Method = Literal["exact", "numerical", "asymptotic"]
_READABLE = 10**15  # nobody reads a number with more digits
_WORST_LAST: tuple[Method, ...] = ("exact", "numerical", "asymptotic")


@dataclass(frozen=True, slots=True)
class SizeCount:
    """The labelings with one number of positives; ``count`` is None if the count is not exact."""

    count: int | None
    log2: float
    method: Method
    relative_error: float


@dataclass(frozen=True, repr=False)
class LabelingCount(Carded):
    """The number of labelings that fit a release, and the bits that remain unknown.

    ``by_size`` maps each possible number of positives to a `SizeCount`. ``entropy_before`` is log₂
    of the number of labelings before the release. ``n_units`` is the number of labels where rows
    share labels; ``n_known`` of the labels are known.
    """

    by_size: Mapping[int, SizeCount]
    n: int
    n_known: int
    entropy_before: float
    n_units: int | None = None
    _cites = ("The count of labelings", "whitehill2019")

    @property
    def units(self) -> int:
        """The number of labels: one for each row, or for each unit of rows that share a label."""
        return self.n if self.n_units is None else self.n_units

    @property
    def exact(self) -> bool:
        return self.method == "exact"

    @property
    def method(self) -> Method:
        """The least exact of the methods that contributed to the total."""
        used = {size.method for size in self.by_size.values()}
        return max(used, key=_WORST_LAST.index, default="exact")

    @property
    def count(self) -> int | None:
        """The exact number of labelings; None if it was only approximated."""
        parts = [size.count for size in self.by_size.values()]
        return None if None in parts else sum(part for part in parts if part is not None)

    @property
    def by_n_pos(self) -> dict[int, int | None]:
        """The exact number of labelings by number of positives."""
        return {n_pos: size.count for n_pos, size in self.by_size.items()}

    @property
    def support(self) -> tuple[int, ...]:
        """The possible numbers of positives: the set N₁ of Whitehill 2019."""
        return tuple(self.by_size)

    @property
    def log2(self) -> float:
        """log₂ of the number of labelings, −∞ if none fits."""
        if self.count is not None:
            return log2_ways(self.count)
        most = max(size.log2 for size in self.by_size.values())
        return most + math.log2(sum(2 ** (size.log2 - most) for size in self.by_size.values()))

    @property
    def relative_error(self) -> float:
        """The relative error of the count: 0 if exact, a bound if numerical, else an estimate."""
        return sum(
            size.relative_error * 2 ** (size.log2 - self.log2) for size in self.by_size.values()
        )

    @property
    def entropy_left(self) -> float:
        """The bits that remain unknown if all labelings that fit are equally likely."""
        return self.log2

    @property
    def surprise_bits(self) -> float:
        """The bits that the release reveals."""
        return self.entropy_before - self.log2

    def __repr__(self) -> str:
        return f"LabelingCount({self})"

    def __str__(self) -> str:
        if not self.by_size:
            return "no labeling fits"
        how = self.method if self.exact else f"{self.method}, off by {self._error()}"
        bits = f"{_bits(self.log2)} of {_bits(self.entropy_before)} bits left"
        return f"{self._number()}: {bits}, {how}"

    def explain(self) -> str:
        """Return the result in words."""
        if not self.by_size:
            return (
                "No labeling of these rows has this AUC. Either the score was rounded (give "
                "decimals), or it belongs to other scores, another number of positives or other "
                "known labels."
            )
        lines = [
            f"{self._number()} of {self._of()} "
            + ("fits the release" if self.count == 1 else "fit the release")
            + (f", given {counted(self.n_known, 'known label')}." if self.n_known else "."),
            f"The release reveals {self.surprise_bits:,.2f} of the {self.entropy_before:,.2f} bits "
            f"that were unknown. {self.log2:,.2f} bits remain.",
            self._sizes(),
        ]
        if self.count == 1:
            lines.append("Every label is determined.")
        if self.method == "numerical":
            lines.append(f"Numerical: the number is right to a relative error of {self._error()}.")
        elif self.method == "asymptotic":
            lines.append(
                f"Asymptotic: the relative error of the number is estimated at {self._error()}."
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable, and counts are text."""
        sizes = "count log2 method relative_error"
        by_n_pos = {str(n): _count_json(size, sizes) for n, size in self.by_size.items()}
        names = (
            "count log2 exact method relative_error n units n_known entropy_before entropy_left "
            "surprise_bits support"
        )
        return {**_count_json(self, names), "by_n_pos": by_n_pos}

    def _of(self) -> str:
        rows = f"the {self.n:,} rows"
        return (
            rows
            if self.n_units is None
            else f"{counted(self.n_units, 'unit')}, {counted(self.n, 'row')} in all,"
        )

    def _number(self) -> str:
        if self.count is not None and self.count < _READABLE:
            return counted(self.count, "labeling")
        power = self.log2 * math.log10(2)
        mantissa = 10 ** (power % 1)
        return f"about {mantissa:.3f}·10^{int(power // 1)} labelings"

    def _sizes(self) -> str:
        if len(self.support) == 1:
            return f"The number of positives is {self.support[0]:,}."
        return (
            f"{len(self.support):,} numbers of positives are possible, from {self.support[0]:,} to "
            f"{self.support[-1]:,}."
        )

    def _error(self) -> str:
        return f"{self.relative_error:.1g}"


def number_text(counted: LabelingCount) -> str:
    """Return the number of labelings, or the power of two near a number too long to read."""
    if counted.count is not None and counted.count < _READABLE:
        return f"{counted.count:,}"
    return f"about 2^{counted.log2:,.1f}"


def _bits(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def _count_json(counted: LabelingCount | SizeCount, names: str) -> dict[str, Any]:
    count = None if counted.count is None else str(counted.count)
    return written(counted, names) | {"count": count}
