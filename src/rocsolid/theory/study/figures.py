"""Figures 1, 2 and 3 of Agarwal et al. 2005, recomputed, with tighter bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import SupportsFloat

from rocsolid.intervals.guarantees import deviation
from rocsolid.theory.guarantees import (
    Linear,
    UserClass,
    uniform_blocks,
    uniform_freund,
    uniform_rank_shatter,
)
from rocsolid.theory.study.tables_2005 import StudyTable

FRACTIONS = (0.5, 0.25, 0.1, 0.05)
"""m/(m+n) of the panels: the paper's own values are not given in its text."""

# every size is a multiple of 20, so that each fraction of it is whole
SIZES = (
    *(20, 40, 60, 80, 100, 140, 200, 300, 400, 600, 800, 1_000, 1_400, 2_000, 3_000, 4_000),
    *(6_000, 8_000, 10_000, 14_000, 20_000, 30_000, 40_000, 60_000, 80_000, 100_000),
)
LARGE_SIZES = (
    *(200, 400, 600, 1_000, 2_000, 4_000, 6_000, 10_000, 20_000, 40_000, 60_000, 100_000),
    *(200_000, 400_000, 600_000, 1_000_000),
)
FIXED_SCORER = ("chebyshev", "mcdiarmid", "hoeffding-blocks", "kl", "hinge", "normal")
LINE = ("Freund et al.", "rank-shatter", "block-VC")

# r = 3 in the paper: w > 0, w < 0 and w = 0
_LINEAR_1 = UserClass(rank_shatter=lambda _m, _n: math.log(3))


def figure_1(delta: float, sizes: Sequence[int], done: Callable[[], None]) -> StudyTable:
    """Return ε of a fixed scorer by sample size, for each bound and several m/(m+n).

    Chebyshev and the normal approximation use σ² ≤ 1/(4·min(m, n)), as the paper does; kl and hinge
    are the largest over all AUCs.
    """
    title = f"Figure 1: deviation of the AUC of a fixed scorer, delta = {delta:g}"
    bounds = {name: partial(deviation, name, delta=delta) for name in FIXED_SCORER}
    return _by_size("figure_1", title, bounds, sizes, done)


def _by_size(
    name: str,
    title: str,
    bounds: Mapping[str, Callable[[int, int], SupportsFloat]],
    sizes: Sequence[int],
    done: Callable[[], None],
) -> StudyTable:
    rows = []
    for fraction in FRACTIONS:
        for size in sizes:
            m = round(fraction * size)
            deviations = (float(bound(m, size - m)) for bound in bounds.values())
            rows.append((fraction, size, m, size - m, *deviations))
            done()
    return StudyTable(
        name, title, ("positive_fraction", "n", "n_pos", "n_neg", *bounds), tuple(rows)
    )


def figure_2(steps: int) -> StudyTable:
    """Return 1/(ρ(1−ρ)), the ratio of the rows that AUC and error rate need (section 3.2)."""
    fractions = [i / steps for i in range(1, steps)]
    rows = tuple((fraction, 1 / (fraction * (1 - fraction))) for fraction in fractions)
    return StudyTable(
        "figure_2", "Figure 2: sample size of the AUC over that of the error rate",
        ("positive_fraction", "factor"), rows,
    )  # fmt: skip


def figure_3(delta: float, sizes: Sequence[int], done: Callable[[], None]) -> StudyTable:
    title = f"Figure 3: deviation of all linear scorers on R at once, delta = {delta:g}"
    bounds = (
        partial(uniform_freund, 0.5, scorers=Linear(1), delta=delta),
        partial(uniform_rank_shatter, 0.5, scorers=_LINEAR_1, delta=delta),
        partial(uniform_blocks, 0.5, scorers=Linear(1), delta=delta),
    )
    return _by_size("figure_3", title, dict(zip(LINE, bounds, strict=True)), sizes, done)
