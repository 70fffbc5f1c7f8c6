"""The positives by the share of negatives below them: their average is the AUC.

The scale runs from 1 to 0, so that it lines up with the false-positive rate above it: a positive
ranked above a share r of the negatives is the upward step of the curve at 1 - r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocsolid.binary.roc import Roc
from rocsolid.pictures.axis import Axis, Tick
from rocsolid.pictures.curves import Curves, named_curves
from rocsolid.pictures.disclosed import COUNTS, exact_curves
from rocsolid.pictures.marks import (
    BarsMark,
    DotsMark,
    FloatArray,
    IntervalMark,
    LabelMark,
    Mark,
    Picture,
    Series,
)
from rocsolid.pictures.words import shown

_ONE_BY_ONE = 60  # positives; more of them are counted in bars
_TALL, _WORDS, _TOP = 8 / 13, 10 / 13, 12 / 13  # of a strip's room: marks, words, average
_PLACES = 110  # across the picture; marks at the same place are piled
_AVERAGE, _LETTER = 146 / 340, 9.6 / 340
"""Widths of "average 0.1234" and of a letter in the largest size, that of narrow screens."""


@dataclass(frozen=True, slots=True, eq=False)
class RankStrip:
    """The ranks of a score's positives, one by one or as edges with the counts between them."""

    name: str
    mean: float
    words: str
    ranks: FloatArray | tuple[FloatArray, FloatArray]
    tint: int = 0


def strips_picture(strips: Sequence[RankStrip], title: str, *, inside: bool = False) -> Picture:
    """A strip for each score over one scale; its name ``inside`` of it, where there is room."""
    series = []
    for i, strip in enumerate(strips):
        bottom = float(len(strips) - 1 - i)
        marks = [
            _shape(strip, bottom),
            IntervalMark(bottom, 0.0, 1.0, "base"),
            IntervalMark(strip.mean, bottom, bottom + _TOP, "mean", upright=True),
            *_words(strip, bottom, inside),
        ]
        series.append(Series("", tuple(marks), strip.tint, order=i))
    means = "; ".join(f"{strip.name}: {strip.words}" for strip in strips)
    side = 0.0 if inside else 0.02
    return Picture(
        title,
        f"The positives by the share of negatives that they are ranked above. {means}.",
        Axis(1.0 + side, -side, title="Share of negatives ranked below the positive"),
        Axis(-0.1, float(len(strips)), rows=True),
        tuple(series),
        inches=(6.4, 1.3 + 0.75 * len(strips)),
    )


def ranks_picture(result: Curves) -> Picture:
    """One strip for each score: where its positives stand among the negatives.

    ``result`` is what `roc` takes. Up to 60 positives are marked one by one, those at about the
    same place piled up; more of them are counted in bars of a hundredth. The best stand on the
    left, each straight below its upward step of the ROC curve. A tied negative counts one half,
    which makes the average the AUC exactly.

    >>> import rocsolid as rs
    >>> bars = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = rs.plots.ranks(bars)
    >>> [text.get_text() for text in ax.texts]
    ['average 0.8333']
    """
    curves = named_curves(result, Roc)
    exact = [one for one in curves.values() if one.counts.n_pos <= _ONE_BY_ONE]
    strips = [_strip(name, one, i) for i, (name, one) in enumerate(curves.items())]
    picture = strips_picture(strips, "Where the positives stand: their average is the AUC")
    ticks = tuple(
        Tick(len(curves) - 1 - i + _TALL / 2, _counted(name, one))
        for i, (name, one) in enumerate(curves.items())
    )
    gives = exact_curves(exact, "the ranks of positives") if exact else COUNTS
    return replace(picture, y=replace(picture.y, named=ticks), discloses=gives)


def _strip(name: str, curve: Roc, tint: int) -> RankStrip:
    few = not curve.weighted and curve.counts.n_pos <= _ONE_BY_ONE
    ranks = curve.positive_ranks if few else curve.rank_histogram()
    return RankStrip(name, curve.auc, f"average {curve.auc:.4f}", ranks, tint)


def _counted(name: str, one: Roc) -> str:
    count = f"{one.counts.n_pos:,.6g}" if one.weighted else f"{int(one.counts.n_pos):,}"
    positives = f"{count} of weight" if one.weighted else f"{count} positives"
    return f"{shown(name, 24)}\n{positives}" if name else positives


def _shape(strip: RankStrip, bottom: float) -> BarsMark | DotsMark:
    """Bars whose area is the count, or dots at the exact ranks, piled at about the same place."""
    if isinstance(strip.ranks, tuple):
        edges, counts = strip.ranks
        density = counts / np.diff(edges)
        return BarsMark(edges, _TALL * density / density.max(), bottom, tint=strip.tint)
    _, at, count = np.unique(
        np.rint(strip.ranks * _PLACES), return_inverse=True, return_counts=True
    )
    order = np.zeros(len(strip.ranks))
    for group in range(len(count)):
        order[at == group] = np.arange(count[group])
    lift = min(0.14, (_TALL - 0.1) / max(1, int(count.max()) - 1))
    return DotsMark(strip.ranks, bottom + 0.07 + lift * order, "mark", strip.tint)


def _words(strip: RankStrip, bottom: float, inside: bool) -> list[Mark]:
    """The average beside its line, and the name where it has room."""
    right = strip.mean > 0.45  # the scale runs from 1 to 0
    average = LabelMark(
        strip.mean,
        bottom + _WORDS,
        strip.words,
        "tick strong",
        "start" if right else "end",
        "bottom",
        (5.0 if right else -5.0, 0.0),
    )
    if not inside:
        return [average]
    room_left = 1.0 - strip.mean - (0.0 if right else _AVERAGE)
    room_right = strip.mean - (_AVERAGE if right else 0.0)
    text = shown(strip.name, int(max(room_left, room_right) / _LETTER))
    at_right = room_right >= room_left
    return [average, LabelMark(0.0 if at_right else 1.0, bottom + _WORDS, text,
                           anchor="end" if at_right else "start", level="bottom")]  # fmt: skip
