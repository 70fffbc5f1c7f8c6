"""Pictures of results with matplotlib.

Every function accepts a result and ``ax``, the axes to draw on, and returns the axes. Without axes
it creates a figure in the style of the reports: ``rs.plots.roc(curve).figure.savefig("roc.svg")``
saves the figure, and the same result always gives the same file. The functions do not use pyplot,
so they open no windows and change no global state. matplotlib comes with the extra ``plot`` and is
imported with the first picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.errors import require_matplotlib
from rocsolid.public_names import install_lookup

if TYPE_CHECKING:
    from rocsolid.plots.on_axes import (
        comparison,
        cutoffs,
        decision,
        differences,
        discounts,
        exposure,
        folds,
        forest,
        funnel,
        gain,
        gate,
        leaderboard,
        lift,
        precision_recall,
        ranks,
        roc,
        sample_size,
        watch,
    )

__all__ = [
    "comparison", "cutoffs", "decision", "differences", "discounts", "exposure", "folds", "forest",
    "funnel", "gain", "gate", "leaderboard", "lift", "precision_recall", "ranks", "roc",
    "sample_size", "watch",
]  # fmt: skip
install_lookup(
    __name__, dict.fromkeys(__all__, "rocsolid.plots.on_axes"), require=require_matplotlib
)


def __dir__() -> list[str]:
    return sorted(__all__)
