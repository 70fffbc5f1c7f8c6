"""The pictures of the theorem pages, computed while the site is built."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.evaluation.questions import chocolate_bars
from rocsolid.pictures.lists import NO_DATA
from rocsolid.pictures.theme import LIGHT, drawing, saved
from rocsolid.theory.asymptotics import curves, limit, predicted_ndcg
from rocsolid.theory.study.figures import figure_1, figure_3

FOLDER = "theorems"
DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
SIZES = (100, 200, 400, 1_000, 2_000, 4_000, 10_000, 20_000, 40_000, 100_000)


@functools.cache
def pictures() -> dict[str, bytes]:
    """What is in each file."""
    return {
        "fixed-score.svg": _lines(
            _fixed(), "rows, half of them positive", "ε at δ = .01", log_y=True
        ),
        "trained-score.svg": _lines(_trained(), "rows, half of them positive", "ε at δ = .01"),
        "whole-area.svg": _lines(
            _whole_area(), "rows of each class", "half-width at 95 %", log_y=True
        ),
        "long-lists.svg": _long_lists(),
        "labelings.svg": _labelings(),
        "path.svg": saved(rs.plots.roc(_chocolate(), band=None), "svg"),
    }


def _nothing() -> None:
    """What to do after each point: here nobody waits for a bar."""


def _fixed() -> dict[str, tuple[Sequence[float], Sequence[float]]]:
    table = next(part for _, part in figure_1(0.01, SIZES, _nothing).parts("positive_fraction"))
    named = {"chebyshev": "Chebyshev, σ² = 1/(4k)", "mcdiarmid": "Theorem 5 (McDiarmid)",
             "hinge": "hinge", "normal": "normal: no guarantee"}  # fmt: skip
    return {words: (SIZES, table.column(name)) for name, words in named.items()}


def _trained() -> dict[str, tuple[Sequence[float], Sequence[float]]]:
    table = next(part for _, part in figure_3(0.01, SIZES, _nothing).parts("positive_fraction"))
    named = {"Freund et al.": "Theorem 27 (Freund et al.)", "rank-shatter": "Corollary 18",
             "block-VC": "blocks"}  # fmt: skip
    return {words: (SIZES, table.column(name).clip(max=1)) for name, words in named.items()}


def _whole_area() -> dict[str, tuple[Sequence[float], Sequence[float]]]:
    g, one = rs.guarantees, rs.weights.step(0, 1)
    sizes = (1_000, 4_000, 10_000, 40_000, 100_000, 400_000, 1_000_000)
    named = {
        "Theorem 2": g.weighted_theorem_2,
        "DKW": g.weighted_dkw,
        "McDiarmid": g.weighted_mcdiarmid,
    }
    found = {
        words: (sizes, [bound(0.5, one, n, n).width / 2 for n in sizes])
        for words, bound in named.items()
    }
    return found | {"hinge": (sizes, [g.hinge(0.5, n, n).width / 2 for n in sizes])}


def _lines(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    across: str,
    up: str,
    *,
    log_y: bool = False,
) -> bytes:
    with drawing(None, 6.4, 3.6, NO_DATA) as ax:
        for i, (words, (x, y)) in enumerate(lines.items()):
            ax.plot(x, y, color=LIGHT.colour(i), linestyle=DASHES[i % 4], label=words)
        _finish(ax, across, up)
        if log_y:
            ax.set_yscale("log")
    return saved(ax, "svg")


def _finish(ax: Axes, across: str, up: str) -> None:
    ax.set_xscale("log")
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.legend()


def _long_lists() -> bytes:
    """What two rankers get from two discounts, and where that ends."""
    sizes = [10**k for k in range(1, 7)]
    rankers = {"good": curves.linear(0.1, 0.6), "weak": curves.linear(0.2, 0.5)}
    with drawing(None, 6.4, 3.6, NO_DATA) as ax:
        for i, (words, discount) in enumerate(
            {"1/log(1+r)": "log2", "r^−½": rs.discounts.power(0.5)}.items()
        ):
            for j, (name, curve) in enumerate(rankers.items()):
                y = [predicted_ndcg(discount, curve, n) for n in sizes]
                ax.plot(
                    sizes, y, color=LIGHT.colour(i), linestyle=DASHES[j], label=f"{words}, {name}"
                )
                end = limit(discount, curve).value
                ax.axhline(end, color=LIGHT.colour(i), linewidth=0.6, linestyle=DASHES[2])
        _finish(ax, "items in the list", "NDCG, predicted; thin: its limit")
    return saved(ax, "svg")


def _labelings() -> bytes:
    sizes = (76, 77, 78, 84, 92, 98, 106, 108)
    found = [rs.leaks.count("1387/1440", n).count for n in sizes]
    with drawing(None, 6.4, 3.0, NO_DATA) as ax:
        ax.plot(sizes, found, "o", color=LIGHT.colour(0))
        ax.set_yscale("log")
        ax.set_xlabel("rows n for which the AUC 1387/1440 is possible")
        ax.set_ylabel("labelings that fit")
    return saved(ax, "svg")


def _chocolate() -> Any:
    bars = chocolate_bars()
    return rs.roc(bars["good"], bars["score"])
