"""Posterior probabilities of the labels by maximum entropy: approximate, at any size."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import RocsolidError
from rocsolid.leaks.evidence import Line
from rocsolid.leaks.lattice import Box, SearchOutcome, System, box, meet_in_middle, system
from rocsolid.summaries.products import dot

_RIDGE = 1e-8
_STEPS = 200


@dataclass(frozen=True)
class Posterior:
    """Independent labels whose mean sums are the released sums."""

    probability: NDArray[np.float64]
    log_count: float
    """The natural logarithm of the number of labelings, to a normal approximation."""


def joint_posterior(question: System) -> Posterior:
    """Fit P(y_i = 1) = σ(θ·w_i), a logistic model in the rows' weights, with matching means.

    θ minimises Σ ln(1 + e^{θ·w_i}) − θ·t + ½Σ v_r·θ_r² by damped Newton steps, where t is the
    middle of each row's interval and v = width²/12. The model treats labels as independent, so no
    label appears certain. The count is e^H·Π(integers in the interval)/√det(2π·covariance).

    >>> joint_posterior(System(np.ones((1, 4), np.int64), (1,), (1,))).probability.round(6)
    array([0.25, 0.25, 0.25, 0.25])
    """
    free, rows = question.free, len(question.low)
    if rows == 0 or free == 0:
        return Posterior(np.full(free, 0.5), free * math.log(2))
    weights = question.weights.astype(np.float64)
    low, high = np.array(question.low, float), np.array(question.high, float)
    scale = np.sqrt((weights**2).sum(axis=1)) + (weights == 0).all(axis=1)
    w, target = weights / scale[:, None], (low + high) / 2 / scale
    ridge = ((high - low) / scale) ** 2 / 12 + _RIDGE

    def loss(theta: NDArray[np.float64]) -> float:
        fit = float(np.logaddexp(0, theta @ w).sum() - theta @ target)
        return fit + float((ridge * theta**2).sum() / 2)

    theta = np.zeros(rows)
    value = loss(theta)
    for _ in range(_STEPS):
        p = _sigmoid(theta @ w)
        gradient = w @ p - target + ridge * theta
        hessian = (w * (p * (1 - p))) @ w.T + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        drop, size = float(gradient @ step), 1.0
        if drop < 1e-14:
            break
        while size > 1e-10 and loss(theta - size * step) > value - size * drop / 4:
            size /= 2
        theta = theta - size * step
        value = loss(theta)
    p = _sigmoid(theta @ w)
    entropy = float(-(_xlogx(p) + _xlogx(1 - p)).sum())
    covariance = (weights * (p * (1 - p))) @ weights.T
    # the spread of a row is at least one integer
    covariance += np.diag((high - low + 1) ** 2 / 12)
    logdet = float(np.linalg.slogdet(2 * math.pi * covariance)[1])
    width = float(np.log(high - low + 1).sum())
    return Posterior(p, entropy + width - logdet / 2)


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-np.logaddexp(0, -x))


def _xlogx(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0.0)


_WIDTH = 36
_TRIES = 12


def window(question: System, probability: NDArray[np.float64], work: int) -> SearchOutcome:
    """Sample labels near the posterior, repair the sums, then solve a window of labels exactly.

    The search finds labelings and never proves that there are no others. The random numbers have a
    fixed seed.

    >>> two = window(System(np.arange(1, 61)[None], (900,), (900,)), np.full(60, 0.5), 10**6)
    >>> [int(y @ np.arange(1, 61)) for y in two.labelings], two.complete
    ([900, 900], False)
    """
    rng = np.random.default_rng(0)
    free = question.free
    spread = np.sqrt((question.weights.astype(np.float64) ** 2).sum(axis=1)) + 1e-300
    w = (question.weights / spread[:, None]).T
    middle = (np.array(question.low, float) + np.array(question.high, float)) / 2 / spread
    lines = [
        Line(row, low, high)
        for row, low, high in zip(question.weights, question.low, question.high, strict=True)
    ]
    labelings: dict[bytes, NDArray[np.bool_]] = {}
    spent = 0
    for _ in range(_TRIES):
        y = rng.random(free) < probability
        _mend(y, w, middle)
        is_open = np.zeros(free, dtype=bool)
        is_open[rng.permutation(free)[:_WIDTH]] = True
        fixed = y & ~is_open
        part = system(lines, fixed, ~is_open)
        if part is None:
            continue
        tried = meet_in_middle(part, work - spent)
        spent += tried.work
        for labels in tried.labelings:
            whole = fixed.copy()
            whole[is_open] = labels
            if question.fits(whole[None])[0]:
                labelings[whole.tobytes()] = whole
        if len(labelings) >= 2 or not tried.complete:
            break
    return SearchOutcome(tuple(labelings.values())[:2], False, spent)


def _mend(y: NDArray[np.bool_], w: NDArray[np.float64], target: NDArray[np.float64]) -> None:
    """Repeatedly flip the label that moves the sums nearest to their targets."""
    squares = (w**2).sum(axis=1)
    off = y @ w - target
    for _ in range(len(y)):
        sign = np.where(y, -1.0, 1.0)
        change = 2 * sign * (w @ off) + squares
        best = int(np.argmin(change))
        if change[best] >= 0:
            return
        off += sign[best] * w[best]
        y[best] = not y[best]


_LATTICE_LABELS = 256
_MEET_LABELS = 44
_FEW = math.log(100)  # the lattice is faster if fewer labelings are expected


def search_labelings(question: System, work: int) -> SearchOutcome:
    """Run the searches in turn until one covers all labelings or two labelings are known."""
    if work <= 0:
        return SearchOutcome((), False, 0)
    expected = joint_posterior(question)
    many = expected.log_count > _FEW
    meet = question.free <= _MEET_LABELS
    best = SearchOutcome((), False, 0)
    if many:
        if meet:
            best = _better(best, meet_in_middle(question, work))
        if not _settled(best):
            best = _better(best, window(question, expected.probability, work // 2))
    if question.free <= _LATTICE_LABELS and not _settled(best):
        best = _better(best, enumerate_box(question, work - best.work))
    if meet and not many and not _settled(best):
        best = _better(best, meet_in_middle(question, work - best.work))
    return best


def _settled(outcome: SearchOutcome) -> bool:
    return outcome.complete or len(outcome.labelings) >= 2


def _better(old: SearchOutcome, new: SearchOutcome) -> SearchOutcome:
    if new.complete:
        return SearchOutcome(new.labelings, True, old.work + new.work, new.count, new.positive)
    distinct = {y.tobytes(): y for y in (*old.labelings, *new.labelings)}
    return SearchOutcome(tuple(distinct.values())[:2], False, old.work + new.work)


_CHUNK = 2048
_MOST_LISTED = 1000
_MARGIN = 1e-6
_MOST_SKEW = 1e8  # beyond this limit, rounding errors of 10⁻¹⁶ could exceed the margin


def enumerate_box(question: System, work: int) -> SearchOutcome:
    """Find the labelings that fit; ``complete`` proves that there are no others.

    The points of the shifted lattice with ‖x‖² ≤ D, D the number of coordinates, are enumerated
    level by level (Fincke and Pohst 1985). A branch whose projection w has ‖w‖² > ‖w‖₁ contains no
    point of the box, because ⟨x, w⟩ = ‖w‖² and |x_i| ≤ 1 (Ritter 1997). The search runs in double
    precision with a margin of 10⁻⁶, and stops where rounding errors could approach it. Integer
    arithmetic verifies each labeling.

    >>> question = System(np.array([[1, 2, 3]]), (3,), (3,))
    >>> outcome = enumerate_box(question, 1000)
    >>> outcome.complete, outcome.count, outcome.positive
    (True, 2, (1, 1, 1))
    """
    if not question.free:
        return SearchOutcome((np.zeros(0, dtype=bool),), True, 1, 1, ())
    region = box(question)
    if region is None:
        return SearchOutcome((), True, 1, 0, (0,) * question.free)
    points, complete, nodes = _points(region, question, work)
    kept = tuple(points[:2])
    if not complete:
        return SearchOutcome(kept, False, nodes)
    ones = np.array(points, dtype=np.int64).reshape(len(points), question.free).sum(axis=0)
    return SearchOutcome(kept, True, nodes, len(points), tuple(ones.tolist()))


def _points(region: Box, question: System, work: int) -> tuple[list[NDArray[np.bool_]], bool, int]:
    """Return the labelings, whether the search was complete, and its number of nodes."""
    basis, start = region.basis, region.start
    levels, size = basis.shape
    if not levels:
        return _verified(start[None], question), True, 1
    directions, triangle = np.linalg.qr(basis.T)
    lengths = np.diag(triangle)
    directions, lengths = directions * np.sign(lengths), np.abs(lengths)
    skew = float((np.sqrt((basis**2).sum(axis=1)) / lengths).max())
    offset = start - directions @ (directions.T @ start)
    if offset @ offset > 4 * size and skew * float(np.abs(start).max()) < 1e5 * _MOST_SKEW:
        return [], True, 1  # too far from the box, rounding errors included
    # a batch: the next level, the points so far, their projections and the squared norms
    stack = [(levels - 1, start[None], offset[None], np.array([offset @ offset]))]
    labelings: list[NDArray[np.bool_]] = []
    nodes = 0
    while stack:
        level, points, shadows, norms = stack.pop()
        if skew * float(np.abs(points).max()) > _MOST_SKEW:
            return labelings, False, nodes
        coordinates = points @ directions[:, level]
        room = np.sqrt(np.maximum(size * (1 + _MARGIN) - norms, 0.0))
        first = np.ceil((-room - coordinates) / lengths[level])
        many = np.maximum(np.floor((room - coordinates) / lengths[level]) - first + 1, 0).astype(
            np.int64
        )
        nodes += int(many.sum())
        if nodes > work:
            return labelings, False, nodes
        parent = np.repeat(np.arange(len(points)), many)
        nth = np.arange(len(parent)) - np.repeat(np.cumsum(many) - many, many)
        steps = first[parent] + nth
        along = coordinates[parent] + steps * lengths[level]
        norms = norms[parent] + along**2
        shadows = shadows[parent] + along[:, None] * directions[:, level]
        alive = norms <= np.abs(shadows).sum(axis=1) + _MARGIN * size
        norms, shadows = norms[alive], shadows[alive]
        points = points[parent[alive]] + steps[alive][:, None] * basis[level]
        if level == 0:
            labelings += _verified(points, question)
            if len(labelings) > _MOST_LISTED:
                return labelings, False, nodes
            continue
        farthest = np.argsort(-norms, kind="stable")
        for chunk in np.array_split(farthest, -(-len(farthest) // _CHUNK) or 1):
            if len(chunk):
                stack.append((level - 1, points[chunk], shadows[chunk], norms[chunk]))
    return labelings, True, nodes


def _verified(points: NDArray[np.float64], question: System) -> list[NDArray[np.bool_]]:
    signs = np.rint(points[:, : question.free])
    inside = (np.abs(signs) == 1).all(axis=1)
    labelings = signs[inside] > 0
    return list(labelings[question.fits(labelings)])


_Floats = NDArray[np.float64]
_MAXIMUM_ENTROPY_STEPS = 500


@dataclass(frozen=True, slots=True)
class MaxEnt:
    """logit P(yᵢ = 1) = ``lam`` + ``theta``·(wᵢ − ``centre``).

    ``p`` is P(yᵢ = 1) for each row, ``log_partition`` is Σ ln(1 + e^(lam + theta·(wᵢ − centre))).
    """

    lam: float
    theta: float
    centre: int
    p: _Floats
    log_partition: float

    def log_density(self, k: int, total: float) -> float:
        """Return ln of the probability of each single choice of ``k`` rows with sum ``total``."""
        return self.lam * k + self.theta * (total - k * self.centre) - self.log_partition


def maximum_entropy(
    weights: NDArray[np.int64], k: int, total: float, sizes: NDArray[np.int64] | None = None
) -> MaxEnt:
    """Fit the law of largest entropy with Σp = ``k`` and Σp·w = ``total``.

    All labelings with given k and sum are equally likely. Newton's method minimises the convex dual
    ln Z(λ, θ) − λk − θ·total. ``sizes`` is the number of rows with each weight. The sum must be
    strictly between the smallest and the largest sum.

    >>> fit = maximum_entropy(np.array([0, 1, 2, 3]), 2, 3)
    >>> fit.p, round(fit.theta, 12)
    (array([0.5, 0.5, 0.5, 0.5]), 0.0)
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    rows = float(size.sum())
    mean = dot(size, weights) / rows
    spread = math.sqrt(dot(size, (weights - mean) ** 2) / rows)
    if not (0 < k < rows and spread > 0 and _attainable(weights, size, k, total)):
        raise RocsolidError(
            "no independent labels have these means",
            where=f"{k} of {int(rows)} rows with sum {total}",
            fix="the sum must lie strictly between the smallest and the largest",
        )
    x = (weights - mean) / spread
    aim = np.array([k, (total - k * mean) / spread])

    def dual(point: _Floats) -> tuple[float, _Floats]:
        logit = point[0] + point[1] * x
        return dot(size, np.logaddexp(0.0, logit)) - float(point @ aim), logit

    point = np.array([math.log(k / (rows - k)), 0.0])
    value, logit = dual(point)
    for _ in range(_MAXIMUM_ENTROPY_STEPS):
        p = _logistic(logit)
        slope = np.array([dot(size, p), dot(size, p * x)]) - aim
        w = size * p * (1.0 - p)
        wx = w * x
        a, b, c = w.sum(), wx.sum(), dot(wx, x)
        determinant = a * c - b * b
        if not determinant > 0.0:
            break
        step = np.array([b * slope[1] - c * slope[0], b * slope[0] - a * slope[1]]) / determinant
        gain = -float(slope @ step)  # Newton's decrement, squared
        if gain < 1e-24 * rows:
            break
        share = 1.0
        while True:
            tried = point + share * step
            new_value, new_logit = dual(tried)
            if new_value <= value - 0.25 * share * gain or share < 1e-12:
                break
            # near the optimum, rounding hides the gain; the full step is right there
            if gain < 1e-9 * (1.0 + abs(value)) and share == 1.0:
                break
            share /= 2.0
        point, value, logit = tried, new_value, new_logit
    theta = float(point[1] / spread)
    centre = round(mean)
    lam = float(point[0] + theta * (centre - mean))
    logit = (lam + theta * (weights - centre)).astype(np.float64)
    log_partition = math.fsum(size * np.logaddexp(0.0, logit))
    return MaxEnt(lam, theta, centre, _logistic(logit), log_partition)


def _attainable(weights: NDArray[np.int64], size: _Floats, k: int, total: float) -> bool:
    order = np.argsort(weights)
    through = np.cumsum(size[order])
    chosen = np.diff(np.minimum(through, k), prepend=0.0)
    lightest = dot(chosen, weights[order])
    left_out = np.diff(np.minimum(through, through[-1] - k), prepend=0.0)
    heaviest = dot(size[order] - left_out, weights[order])
    return lightest < total < heaviest


def _logistic(logit: _Floats) -> _Floats:
    small = np.exp(-np.abs(logit))
    return np.where(logit >= 0, 1.0, small) / (1.0 + small)
