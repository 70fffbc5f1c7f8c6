"""Discriminative power: the share of significantly different pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.queries.compare_queries import compare
from rocsolid.comparison.sign_flip import Systems
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.matrices import Range
from rocsolid.intervals.means.tail import SAME
from rocsolid.results import percent
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain, one_line, plain, written
from rocsolid.summaries.stream import stream


@dataclass(frozen=True, slots=True, eq=False)
class DiscriminativePower(Plain):
    """The number of significantly different pairs of systems, and the typical significant
    difference.

    ``p_values`` contains the adjusted p-values of all pairs, smallest first. ``needed`` is the
    median over pairs of the smallest significant difference.
    """

    measure: str
    told_apart: int
    pairs: int
    needed: float
    level: float
    p_values: NDArray[np.float64]
    settings: Mapping[str, Any] = field(default_factory=dict)
    _json = "measure share told_apart pairs needed level p_values settings"
    _cites = ("Discriminative power", "sakai2006")

    @property
    def share(self) -> float:
        return self.told_apart / self.pairs

    __repr__ = one_line

    def __str__(self) -> str:
        needed = (
            f", with differences from about {self.needed:.4f} on"
            if np.isfinite(self.needed)
            else "; no pair of systems shows any variance, so the needed difference is unknown"
        )
        return (
            f"{self.measure}: {100 * self.share:.1f} % of {self.pairs:,} pairs significantly "
            f"different at {percent(1 - self.level)} ({self.settings['test']}, adjusted: "
            f"{self.settings['adjust']}){needed}"
        )


def discriminative_power(
    values: Mapping[str, Any],
    *,
    measure: str = "mean",
    range: Range = (0.0, 1.0),
    test: str = DEFAULT,
    adjust: str = "tukey",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> DiscriminativePower:
    """Return the share of all pairs of systems whose adjusted p-value is below 1 − level.

    The method is from Sakai (SIGIR 2006, 525-532), with ``test`` in place of the bootstrap test.
    The default adjustment is the randomised Tukey test of Carterette (2012). Compare measures only
    on the same systems and queries. Discriminative power is how often a measure decides, not
    whether it decides correctly: a constant bias towards some systems also raises it.

    >>> rng = np.random.default_rng(0)
    >>> systems = {f"s{i}": np.clip(rng.normal(0.4 + 0.05 * i, 0.1, 50), 0, 1) for i in range(4)}
    >>> print(discriminative_power(systems, measure="nDCG"))
    nDCG: 50.0 % of 6 pairs significantly different at 5 % (t, adjusted: tukey), with
    differences from about 0.0542 on
    """
    comparison = compare(
        values, measure=measure, range=range, test=test, adjust=adjust, level=level,
        resamples=resamples, seed=seed,
    )  # fmt: skip
    p_values = np.sort(np.array([pair.p_adjusted for pair in comparison.pairs]))
    widths = [
        (p.simultaneous or p.interval).width / 2.0 for p in comparison.pairs if p.std_error > 0.0
    ]
    return DiscriminativePower(
        measure,
        int(np.count_nonzero(p_values < 1.0 - level)),
        len(comparison.pairs),
        float(np.median(widths)) if widths else float("nan"),
        level,
        p_values,
        comparison.settings,
    )


@dataclass(frozen=True, slots=True, eq=False)
class SwapRate(Carded):
    """Swaps by the size of the difference on the first set of queries.

    Bin i contains the ``seen[i]`` differences in [edges[i], edges[i+1]), of which ``swapped[i]``
    had the opposite sign on the second set. ``size`` is the number of queries in each set.
    """

    measure: str
    edges: NDArray[np.float64]
    seen: NDArray[np.int64]
    swapped: NDArray[np.int64]
    size: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    _cites = ("The swap rate", "voorhees2002")

    @property
    def rates(self) -> NDArray[np.float64]:
        """Return the share of swaps in each bin, NaN in an empty bin."""
        known = np.where(self.seen > 0, self.seen, 1)
        return np.where(self.seen > 0, self.swapped / known, np.nan)

    @property
    def rate(self) -> float:
        """The share of swaps among all differences."""
        return float(self.swapped.sum() / self.seen.sum())

    def needed(self, rate: float = 0.05) -> float:
        """Return the smallest edge above which no swap rate exceeds ``rate``; NaN without one."""
        too_many = np.flatnonzero(np.nan_to_num(self.rates, nan=0.0) > rate)
        first = int(too_many[-1]) + 1 if too_many.size else 0
        return float(self.edges[first]) if self.seen[first:].any() else math.nan

    __repr__ = one_line

    def __str__(self) -> str:
        needed = self.needed()
        enough = "no difference seen is" if math.isnan(needed) else f"from {needed:.3g} on it is"
        return (
            f"{self.measure}: two sets of {self.size:,} queries order two systems differently in "
            f"{100 * self.rate:.1f} % of cases; {enough} at most 5 %"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        rest = written(self, "edges seen swapped size settings")
        return {**written(self, "measure rate"), "needed": plain(self.needed()), **rest}


def swap_rate(
    values: Mapping[str, Any],
    *,
    measure: str = "mean",
    range: Range = (0.0, 1.0),
    size: int | None = None,
    bin_width: float = 0.01,
    bins: int = 21,
    splits: int = 1000,
    seed: int = 0,
) -> SwapRate:
    """Return the swap rates over random pairs of disjoint query sets.

    The method is from Voorhees and Buckley (SIGIR 2002, 316-323). Each of ``splits`` splits draws
    two disjoint sets of ``size`` queries, by default half of all queries. A pair is swapped if its
    differences on the two sets have opposite signs. The difference on the first set determines the
    bin; the last bin has no upper end. Larger sets have fewer swaps.

    >>> rng = np.random.default_rng(0)
    >>> systems = {f"s{i}": np.clip(rng.normal(0.4 + 0.05 * i, 0.1, 50), 0, 1) for i in range(4)}
    >>> print(swap_rate(systems, measure="nDCG", splits=200))
    nDCG: two sets of 25 queries order two systems differently in 1.4 % of cases; from 0.01 on it is
    at most 5 %
    """
    systems = Systems.of(values, range=range)
    total = systems.queries[0]
    half = total // 2 if size is None else size
    if isinstance(half, bool) or not isinstance(half, int) or not 1 <= half <= total // 2:
        raise InputError(
            f"two disjoint sets need from 1 to {total // 2} of the {total} queries each",
            where="size",
            value=half,
        )
    for name, value in (("splits", splits), ("bins", bins)):
        whole(value, name)
    if not (isinstance(bin_width, Real) and 0.0 < bin_width < math.inf):
        raise InputError("bin_width must be positive", where="bin_width", value=bin_width)
    matrix = systems.matrix
    i, j = np.array(systems.pairs()).T
    rounding = SAME * float(np.abs(matrix).max())
    seen, swapped = np.zeros(bins, dtype=np.int64), np.zeros(bins, dtype=np.int64)
    generator = stream(seed, 3)
    for _ in np.arange(splits):
        order = generator.permutation(total)
        first, second = (
            matrix[:, half_of].mean(axis=1) for half_of in (order[:half], order[half : 2 * half])
        )
        here, there = first[i] - first[j], second[i] - second[j]
        # an edge counts as reached if only rounding separates it
        bin_of = np.minimum((np.abs(here) + rounding) // bin_width, bins - 1).astype(np.intp)
        signs = np.where(np.abs(here) <= rounding, 0, here) * np.where(
            np.abs(there) <= rounding, 0, there
        )
        seen += np.bincount(bin_of, minlength=bins)
        swapped += np.bincount(bin_of[signs < 0.0], minlength=bins)
    edges = np.append(np.arange(bins) * bin_width, np.inf)
    settings = {"systems": len(matrix), "queries": total, "splits": splits, "seed": seed}
    return SwapRate(measure, edges, seen, swapped, half, settings)
