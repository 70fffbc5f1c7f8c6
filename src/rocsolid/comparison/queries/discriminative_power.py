"""Discriminative power: the share of significantly different pairs of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.queries.of_values import compare
from rocsolid.inputs.query_values import Range
from rocsolid.results import percent
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True, eq=False)
class DiscriminativePower(Plain):
    """How many of the pairs of systems differ significantly, and what it takes.

    ``p_values`` are the adjusted ones of all pairs, smallest first: the curve of achieved
    significance levels. ``needed`` is the difference that is significant, in the median over pairs.
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
            else "; no pair of systems shows any variance, so nothing is known of the difference "
            "that it takes"
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
    """The share of all pairs of systems whose adjusted p-value is below 1 − level.

    Sakai, SIGIR 2006, 525-532, with the bootstrap test in place of which stands the one named here;
    the default is the randomised Tukey test of Carterette 2012, which looks at all pairs at once.
    Compare measures on the same systems and queries only. It says how often a measure is decided,
    not whether it decides rightly: a constant bias towards some systems raises it too.

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
