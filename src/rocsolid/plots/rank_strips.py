"""The positives by the share of negatives below them: their average is the AUC."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from rocsolid.binary.roc import Roc
from rocsolid.plots.curves import Curves, named_curves
from rocsolid.plots.gives import COUNTS, exact_curves
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, look_of
from rocsolid.plots.words import shown

_ONE_BY_ONE = 60  # positives; more of them are counted in bars
_TALL = 0.62  # of a strip's room, the rest is for its words
_PLACES = 110  # across the picture; marks at the same place are piled


def ranks(result: Curves, ax: Axes | None = None) -> Axes:
    """One strip for each score: where its positives stand among the negatives.

    ``result`` is what `roc` takes. Up to 60 positives are marked one by one, those at about the
    same place piled up; more of them are counted in bars of a hundredth. The best stand on the
    left, each straight below its upward step of the ROC curve. A tied negative counts one half,
    which makes the average the AUC exactly.

    >>> import rocsolid as rs
    >>> bars = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = ranks(bars)
    >>> [text.get_text() for text in ax.texts]
    ['average 0.8333']
    """
    curves = named_curves(result, Roc)
    exact = [one for one in curves.values() if one.counts.n_pos <= _ONE_BY_ONE]
    gives = exact_curves(exact, "the ranks of positives") if exact else COUNTS
    with drawing(ax, 6.4, 1.3 + 0.75 * len(curves), gives) as axes:
        look = look_of(axes)
        for i, one in enumerate(curves.values()):
            _strip(axes, one, float(len(curves) - 1 - i), look.colour(i))
        axes.set_xlim(1.02, -0.02)
        axes.set_ylim(-0.1, float(len(curves)))
        names = [_named(name, one) for name, one in curves.items()]
        axes.set_yticks([len(curves) - 1 - i + _TALL / 2 for i in range(len(curves))], names)
        axes.tick_params(axis="y", length=0, labelcolor=look.ink)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("Share of negatives ranked below the positive")
        axes.set_title("Where the positives stand: their average is the AUC", loc="left")
    return axes


def _named(name: str, one: Roc) -> str:
    count = f"{one.counts.n_pos:,.6g}" if one.weighted else f"{int(one.counts.n_pos):,}"
    positives = f"{count} of weight" if one.weighted else f"{count} positives"
    return f"{shown(name, 24)}\n{positives}" if name else positives


def _strip(axes: Axes, one: Roc, bottom: float, tint: str) -> None:
    look = look_of(axes)
    if not one.weighted and one.counts.n_pos <= _ONE_BY_ONE:
        _marks(axes, one, bottom, tint)
    else:
        edges, mass = one.rank_histogram()
        axes.bar(
            edges[:-1], _TALL * mass / mass.max(), width=np.diff(edges), bottom=bottom,
            align="edge", color=tint, alpha=INTERVAL, linewidth=0,
        )  # fmt: skip
    axes.hlines(bottom, 0.0, 1.0, color=look.rule, linewidth=1.0, zorder=1)
    axes.vlines(one.auc, bottom, bottom + _TALL + 0.1, color=look.ink, linewidth=1.4, zorder=4)
    to_the_right = one.auc > 0.3  # the axis runs from 1 to 0
    axes.annotate(
        f"average {one.auc:.4f}", (one.auc, bottom + _TALL + 0.04),
        xytext=(4 if to_the_right else -4, 0), textcoords="offset points",
        ha="left" if to_the_right else "right", va="bottom", fontsize="small", fontweight="bold",
        color=look.ink,
    )  # fmt: skip


def _marks(axes: Axes, one: Roc, bottom: float, tint: str) -> None:
    """One dot for each positive at its exact rank; dots at about the same place are piled."""
    ranks = one.positive_ranks
    place = np.rint(ranks * _PLACES)
    _, at, count = np.unique(place, return_inverse=True, return_counts=True)
    order = np.zeros(len(ranks))
    for group in range(len(count)):
        order[at == group] = np.arange(count[group])
    lift = min(0.14, (_TALL - 0.1) / max(1, int(count.max()) - 1))
    axes.scatter(
        ranks, bottom + 0.07 + lift * order, s=26, color=tint, alpha=0.85, linewidths=0, zorder=3,
    )  # fmt: skip
