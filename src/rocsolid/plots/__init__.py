"""Pictures of results with matplotlib: a result and axes in, the axes out.

Every function takes ``ax``, the axes to draw on, and returns them. Without axes it makes a figure
of its own in the style of the reports, ``.figure`` of what is returned: show it, change it, or save
it (``rs.plots.roc(curve).figure.savefig("roc.svg")``; the same result gives the same file). Nothing
here goes through pyplot, so that no window opens and no state is left behind. matplotlib comes with
the extra ``plot`` and is imported with the first picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.errors import require_matplotlib
from rocsolid.public_names import install_lookup

if TYPE_CHECKING:
    from rocsolid.plots.on_axes import (
        comparison,
        cutoffs,
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
    "comparison", "cutoffs", "differences", "discounts", "exposure", "folds", "forest", "funnel",
    "gain", "gate", "leaderboard", "lift", "precision_recall", "ranks", "roc", "sample_size",
    "watch",
]  # fmt: skip
install_lookup(
    __name__, dict.fromkeys(__all__, "rocsolid.plots.on_axes"), require=require_matplotlib
)


def __dir__() -> list[str]:
    return sorted(__all__)
