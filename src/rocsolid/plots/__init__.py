"""Pictures of results with matplotlib: a result and axes in, the axes out.

Every function takes ``ax``, the axes to draw on, and returns them. Without axes it makes a figure
of its own in the style of the reports, ``.figure`` of what is returned: show it, change it, or save
it (``rs.plots.roc(curve).figure.savefig("roc.svg")``; the same result gives the same file). Nothing
here goes through pyplot, so that no window opens and no state is left behind. matplotlib comes with
the extra ``plot`` and is imported with the first picture.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid.errors import require_matplotlib

if TYPE_CHECKING:
    from rocsolid.plots.cutoff_lines import cutoffs
    from rocsolid.plots.difference_matrix import comparison
    from rocsolid.plots.discount_lines import discounts
    from rocsolid.plots.forest_rows import forest
    from rocsolid.plots.funnel_points import funnel
    from rocsolid.plots.gain_curves import gain, lift
    from rocsolid.plots.place_lines import leaderboard
    from rocsolid.plots.precision_recall_curves import precision_recall
    from rocsolid.plots.rank_strips import ranks
    from rocsolid.plots.roc_curves import roc
    from rocsolid.plots.row_exposure import exposure
    from rocsolid.plots.size_curve import sample_size

# picture -> the module that draws it, which imports matplotlib
_HOMES = {
    "comparison": "rocsolid.plots.difference_matrix",
    "cutoffs": "rocsolid.plots.cutoff_lines",
    "discounts": "rocsolid.plots.discount_lines",
    "exposure": "rocsolid.plots.row_exposure",
    "forest": "rocsolid.plots.forest_rows",
    "funnel": "rocsolid.plots.funnel_points",
    "gain": "rocsolid.plots.gain_curves",
    "lift": "rocsolid.plots.gain_curves",
    "leaderboard": "rocsolid.plots.place_lines",
    "precision_recall": "rocsolid.plots.precision_recall_curves",
    "ranks": "rocsolid.plots.rank_strips",
    "roc": "rocsolid.plots.roc_curves",
    "sample_size": "rocsolid.plots.size_curve",
}

__all__ = [
    "comparison", "cutoffs", "discounts", "exposure", "forest", "funnel", "gain", "leaderboard",
    "lift", "precision_recall", "ranks", "roc", "sample_size",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocsolid.plots' has no attribute {name!r}")
    require_matplotlib(f"rocsolid.plots.{name}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
