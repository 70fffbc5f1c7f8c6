"""The probability of each label given the scores and the page, with independent labels.

The model has the greatest entropy among all distributions of independent labels that fit the page
on average: a logistic model in the page's sums over labels. The model depends on the page and the
scores alone, so that every reader can compute it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.lines import Line, curve_lines, rank_sum_ends, size_lines
from rocsolid.evaluation.public.relabelled import Area, Blocks
from rocsolid.evaluation.public.segments import RoundedResult, shown_segments
from rocsolid.evaluation.segment_evidence import ScoreResult
from rocsolid.leaks.ranks import doubled_ranks

_FLOATS = NDArray[np.float64]

_ROWS = 20_000  # the most rows in the fit, which uses every second, third, ... of more rows
_STEPS = 300
_ROUNDS = 8  # fits of a measure's tangent
_DAMPED = 0.7


@dataclass(frozen=True, eq=False)
class LabelModel:
    """A logistic model: the ``probability`` of a positive label has odds e^(tilt·weights) times
    its prior odds, and the expected sums are between ``low`` and ``high``.

    ``units`` are the units of the fit.
    """

    units: NDArray[np.intp]
    probability: _FLOATS
    weights: _FLOATS
    low: _FLOATS
    high: _FLOATS
    tilt: _FLOATS

    @property
    def surest(self) -> _FLOATS:
        return np.maximum(self.probability, 1.0 - self.probability)


def label_model(page: Candidate, logit: _FLOATS | None = None) -> LabelModel:
    """Fit the model to the class sizes, the AUCs and the curves.

    The fit minimises Σ ln(1 + e^(θ·w)) − Σ (θ⁺·low − θ⁻·high), the dual of the greatest entropy
    with low ≤ E(w) ≤ high. The prior of each unit has the log-odds ``logit``, 0 by default: the
    model is then the nearest to the prior in relative entropy. Measures that are not sums over
    rows are linearised at the fit. Limits of intervals and p-values are ignored; segments count as
    if each had the overall share of positives.
    """
    lines, curved, unit = list(_lines(page)), list(_curved(page)), page.unit
    if not curved:
        return model_of_lines(lines, unit, logit)
    share = np.full(len(unit), lines[0][1] / len(unit))
    for round_ in range(_ROUNDS):
        tangents = (measure.tangent(share) for measure in curved)
        model = model_of_lines([*lines, *tangents], unit, logit)
        nearest = np.searchsorted(model.units, np.arange(unit.max() + 1), side="right") - 1
        fitted = model.probability[np.maximum(nearest, 0)][unit]
        share += (fitted - share) * (1.0 if round_ == _ROUNDS - 1 else _DAMPED)
    return model


@dataclass(frozen=True, eq=False)
class _Curved:
    """A published measure that is not a sum over rows, linearised at the expected labels."""

    part: ScoreResult
    blocks: Blocks
    area: Area
    low: float
    high: float

    def tangent(self, share: _FLOATS) -> Line:
        mine = share[self.part.at]
        gradient = self.blocks.gradient(self.area, mine)
        here = float(gradient @ mine) - self.blocks.value(self.area, mine)
        return self.part.on_table(gradient), self.low + here, self.high + here


def _curved(page: Candidate) -> Iterator[_Curved]:
    for scored in page.inside.parts:
        if scored.rows is None or scored.rows.weight is not None:
            continue
        area = scored.measure.of_table(scored.rows)
        if area is None:
            continue
        result = page.result(scored)
        half = 0.5 * 10.0**-result.decimals
        blocks = Blocks(scored.rows.score.astype(np.float64))
        yield _Curved(scored, blocks, area, result.value - half, result.value + half)


def model_of_lines(
    rows: list[Line], unit: NDArray[np.intp], logit: _FLOATS | None = None
) -> LabelModel:
    """Fit the model to sums over positive rows; the first line counts the positives."""
    weights = np.array([line for line, _, _ in rows])
    low, high = (np.array([line[at] for line in rows], dtype=np.float64) for at in (1, 2))
    units = int(unit.max()) + 1
    sums = np.array([np.bincount(unit, line, units) for line in weights])
    thin = max(1, units // _ROWS)
    order = np.argsort(sums[-1] if len(sums) < 2 else sums[1], kind="stable")
    some = np.unique(np.concatenate((order[::thin], order[:1], order[-1:])))
    times = units / len(some)
    sums = sums[:, some]
    before = np.zeros(len(some)) if logit is None else logit[some]
    tilt = _fitted(sums, low / times, high / times, before)
    return LabelModel(some, _sigmoid(before + tilt @ sums), sums, low, high, tilt)


def _fitted(weights: _FLOATS, low: _FLOATS, high: _FLOATS, before: _FLOATS) -> _FLOATS:
    from scipy.optimize import minimize

    lines = len(low)
    # the first line is the number of positives: centre the others on it and scale them
    base = weights[0]
    middle = weights @ base / (base @ base)
    middle[0] = 0.0
    plain = weights - middle[:, None] * base
    scale = np.sqrt((plain**2).sum(axis=1)) + 1e-12
    plain = plain / scale[:, None]
    at = low[0]
    least, most = (low - middle * at) / scale, (high - middle * at) / scale

    def loss(both: _FLOATS) -> tuple[float, _FLOATS]:
        up, down = both[:lines], both[lines:]
        logit = before + (up - down) @ plain
        mean = plain @ _sigmoid(logit)
        value = float(np.logaddexp(0.0, logit).sum() - up @ least + down @ most)
        ridge = 1e-9 * both
        return value + float(ridge @ both) / 2, np.concatenate((mean - least, most - mean)) + ridge

    start = np.zeros(2 * lines)
    solution = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * (2 * lines),
        options={"maxiter": _STEPS, "ftol": 1e-13, "gtol": 1e-8},
    ).x  # fmt: skip
    tilt = (solution[:lines] - solution[lines:]) / scale
    tilt[0] -= tilt[1:] @ middle[1:]
    return np.asarray(tilt)


def _lines(page: Candidate) -> Iterator[Line]:
    """Yield the page's numbers as sums over positives, the number of positives first."""
    yield from size_lines(page.inside)
    for scored in page.inside.by_score:
        if (result := page.results.get((scored.score, "auc", "None"))) is not None:
            yield from _area(scored, result)
    yield from curve_lines(page)
    yield from _segments(page)


def _area(scored: ScoreResult, result: RoundedResult) -> Iterator[Line]:
    m, n = scored.sizes
    half = Fraction(1, 2 * 10**result.decimals)
    value = Fraction(result.text)
    low, high = max(Fraction(0), value - half), min(Fraction(1), value + half)
    if scored.rows is None:  # the scores are not available: assume no ties
        ranks = 2 * np.arange(1, m + n + 1)
    elif scored.rows.weight is not None:
        yield from _weighted(scored, float(low), float(high))
        return
    else:
        ranks = doubled_ranks(scored.rows.score)
    yield scored.on_table(ranks.astype(np.float64)), *rank_sum_ends(m, n, low, high)


def _weighted(scored: ScoreResult, low: float, high: float) -> Iterator[Line]:
    """Yield Σ w·(F − t) over the positives, where F is the mean share of all weight below a row.

    With a share π of positives, the AUC is (mean F of the positives − π/2)/(1 − π).
    """
    rows = scored.in_memory
    assert rows.weight is not None
    pi = scored.overall.n_pos / len(rows)
    distinct, run = np.unique(rows.score, return_inverse=True)
    by_run = np.bincount(run, rows.weight, len(distinct))
    below = ((np.cumsum(by_run) - by_run / 2) / rows.weight.sum())[run]
    far = float(len(rows) * rows.weight.max())
    for auc, least, most in ((low, 0.0, far), (high, -far, 0.0)):
        target = pi / 2 + (1 - pi) * auc
        yield scored.on_table(rows.weight * (below - target)), least, most


def _segments(page: Candidate) -> Iterator[Line]:
    """Yield AUCs of segments without published class sizes, with the overall share of positives."""
    shown = shown_segments(page.inside)
    for scored, group in product(page.inside.parts, shown):
        if scored.measure.name != "auc" or scored.rows is None or scored.grouped is None:
            continue
        if scored.rows.weight is not None:
            continue
        result, rows = page.result(scored, group), scored.grouped.groups.rows(group)
        m = len(rows) * (scored.sizes[0] / sum(scored.sizes))
        n = len(rows) - m
        ranks = doubled_ranks(scored.rows.score[rows]).astype(np.float64)
        half = 0.5 * 10.0**-result.decimals
        far = 4.0 * len(rows) ** 2
        for auc, low, high in (
            (max(0.0, result.value - half), 0.0, far),
            (min(1.0, result.value + half), -far, 0.0),
        ):
            weights = np.zeros(len(scored.rows))
            weights[rows] = ranks - (m + 1) - 2 * n * auc
            yield scored.on_table(weights), low, high


def _sigmoid(x: _FLOATS) -> _FLOATS:
    return np.exp(-np.logaddexp(0.0, -x))
