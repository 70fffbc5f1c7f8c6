"""The rounded limits of a page for many labelings at once, to choose among them quickly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import auto_name
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.evaluation.public.rounded import RoundedResult, from_sizes
from rocsolid.intervals.calibrated.table import METHODS
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.runs import run_begins

_BLOCK = 1 << 20  # cells at once


@dataclass(frozen=True, slots=True, eq=False)
class PublicLimits:
    """One calibrated interval of a page: rows in ascending order, with the ends of their ties."""

    rows: NDArray[np.intp]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    result: RoundedResult
    name: str
    level: float
    alternative: str

    def kept(self, labels: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which labelings (one a row) give the limits that are published."""
        moments = self.moments(labels)
        unit = 10.0**-self.result.decimals
        low, high = METHODS[self.name].limits(moments, self.level, self.alternative)  # type: ignore[arg-type]
        interval = self.result.interval
        same = np.floor(low / unit) == np.rint(interval.low / unit)
        same &= np.ceil(high / unit) == np.rint(interval.high / unit)
        if self.name == "auto":
            same &= auto_name(moments) == interval.method
        return np.asarray(same)

    def moments(self, labels: NDArray[np.bool_]) -> Moments:
        """As `Placements.moments`, for each labeling (one a row)."""
        is_pos = labels[:, self.rows]
        seen = np.zeros((len(labels), len(self.rows) + 1), dtype=np.int64)
        np.cumsum(is_pos, axis=1, out=seen[:, 1:])
        below, through = seen[:, self.begin], seen[:, self.end]
        m = seen[:, -1].astype(np.float64)
        n = len(self.rows) - m
        doubled = below + through
        beaten = np.where(is_pos, self.begin + self.end - doubled, 0).astype(np.float64)
        lost = np.where(is_pos, 0, 2 * m[:, None] - doubled).astype(np.float64)
        wins = beaten.sum(axis=1)
        return Moments(
            wins / (2 * m * n),
            _variance(m, wins, (beaten * beaten).sum(axis=1), 2 * n),
            _variance(n, wins, (lost * lost).sum(axis=1), 2 * m),
            m,
            n,
        )


def _variance(
    count: NDArray[np.float64],
    total: NDArray[np.float64],
    squares: NDArray[np.float64],
    scale: NDArray[np.float64],
) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            (count * squares - total * total) / (count * count * (count - 1.0) * scale * scale)
        )


def calibrated_limits(
    evaluation: EvaluationNumbers, published: PublicNumbers
) -> list[PublicLimits]:
    """Those over all rows that are a function of the moments; the others are left out."""
    results = {result.score: result for result in published.overall if result.measure == "auc"}
    options = evaluation.options
    return [
        _of(part, results[part.score], options.interval, options.level, options.alternative)
        for part in _plain(evaluation)
        if options.interval in METHODS
    ]


def _plain(evaluation: EvaluationNumbers) -> Iterator[ScoreResult]:
    for part in evaluation.parts:
        if part.measure.pairwise and from_sizes(part.overall, "auc"):
            yield part


def _of(
    part: ScoreResult, result: RoundedResult, name: str, level: float, alternative: str
) -> PublicLimits:
    score = part.in_memory.score
    order = np.argsort(score)
    new = run_begins(score[order])
    run = np.cumsum(new) - 1
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], len(score))
    at = np.arange(len(score)) if part.kept is None else np.flatnonzero(part.kept)
    return PublicLimits(at[order], begin[run], end[run], result, name, level, alternative)


def keeps(limits: list[PublicLimits], labels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which labelings (one a row) keep all of them."""
    good = np.ones(len(labels), dtype=bool)
    size = max(1, _BLOCK // max(1, labels.shape[1]))
    for start in range(0, len(labels), size):
        block = slice(start, start + size)
        for one in limits:
            left = np.flatnonzero(good[block])
            if len(left):
                good[start + left] = one.kept(labels[block][left])
    return good
