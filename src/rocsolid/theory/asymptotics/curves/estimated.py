"""Curves that were read off data, with a band."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.results import percent
from rocsolid.results.plain import one_line, written
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.curves.lists import RankedLists
from rocsolid.theory.asymptotics.curves.windows import Windows

_F = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EstimatedCurve(Curve):
    """A relevance curve from data. ``band`` holds at each s by itself, not everywhere at once.

    ``certified`` says whether its level holds at every number of items under the ``assumptions``.
    ``left_out`` queries had no relevant item.
    """

    limits: Callable[[_F], tuple[_F, _F]] = field(repr=False)
    level: float
    certified: bool
    assumptions: tuple[str, ...]
    source: str
    items: int
    queries: int
    left_out: int

    @property
    def estimated(self) -> bool:
        return True

    @property
    def top_noise(self) -> float | None:
        """None: that no error was seen at the top does not mean that there is none."""
        return None

    def band(self, s: ArrayLike) -> tuple[_F, _F]:
        """The limits for ȳ(s) at each s."""
        return self.limits(np.asarray(s, dtype=np.float64))

    __repr__ = one_line

    def __str__(self) -> str:
        low, high = self.band(np.ones(1))
        where = f"{self.items:,} items" + (
            f" of {self.queries:,} queries" if self.queries > 1 else ""
        )
        return (
            f"{self.name} curve from {where}: mean {self.levels.mean:.4g}, at the top "
            f"{self.top:.4g} [{low[0]:.4g}, {high[0]:.4g}] at {percent(self.level)}"
        )

    def to_dict(self) -> dict[str, Any]:
        found = Curve.to_dict(self)
        low, high = self.band(np.asarray(found["s"]))
        rest = written(self, "level certified assumptions source items queries left_out")
        return {**found, "low": low.tolist(), "high": high.tolist(), **rest}


def estimated(
    lists: RankedLists,
    found: Windows,
    *,
    name: str,
    function: Callable[[_F], _F],
    breaks: _F,
    limits: Callable[[_F], tuple[_F, _F]],
    level: float,
    assuming: str | None = None,
) -> EstimatedCurve:
    """The curve with a band made of windows; one that assumes more is not certified."""
    return EstimatedCurve(
        name, lists.levels, function, tuple(breaks.tolist()), limits=limits, level=level,
        certified=assuming is None,
        assumptions=found.assumptions if assuming is None else (*found.assumptions, assuming),
        source=found.source, items=lists.items, queries=lists.queries, left_out=lists.left_out,
    )  # fmt: skip


def step_function(edges: _F, values: _F) -> Callable[[_F], _F]:
    """values[i] on (edges[i], edges[i + 1]], and values[0] at 0.

    >>> step_function(np.array([0, 0.5, 1]), np.array([1.0, 2.0]))(np.array([0.5, 0.6]))
    array([1., 2.])
    """
    last = len(values) - 1

    def at(s: _F) -> _F:
        return np.asarray(values[np.clip(np.searchsorted(edges, s, side="left") - 1, 0, last)])

    return at
