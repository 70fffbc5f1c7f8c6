"""Which search settles a system of linear rows: by its size and by how much is left open."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.evidence import Line
from rocsolid.leaks.fincke_pohst import enumerate_box
from rocsolid.leaks.meet_in_middle import SearchOutcome, meet_in_middle
from rocsolid.leaks.posterior import joint_posterior
from rocsolid.leaks.system import System, system

_WIDTH = 36
_TRIES = 12


def window(question: System, probability: NDArray[np.float64], work: int) -> SearchOutcome:
    """Draw labels near the posterior, mend the sums, then solve a window of labels exactly.

    Finds labelings, never proves that there are none or no others. The draws are seeded, so the
    answer is always the same.

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
    found: dict[bytes, NDArray[np.bool_]] = {}
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
                found[whole.tobytes()] = whole
        if len(found) >= 2 or not tried.complete:
            break
    return SearchOutcome(tuple(found.values())[:2], False, spent)


def _mend(y: NDArray[np.bool_], w: NDArray[np.float64], target: NDArray[np.float64]) -> None:
    """Flip the label that brings the sums nearest to their targets, while one does."""
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
_FEW = math.log(100)  # where fewer labelings than this are expected, the lattice is the faster


def settle(question: System, work: int) -> SearchOutcome:
    """Try the searches in turn until one covers everything or two labelings are found."""
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


def _settled(found: SearchOutcome) -> bool:
    return found.complete or len(found.labelings) >= 2


def _better(old: SearchOutcome, new: SearchOutcome) -> SearchOutcome:
    """The new answer, with the labelings and the work of both."""
    if new.complete:
        return SearchOutcome(new.labelings, True, old.work + new.work, new.count, new.positive)
    distinct = {y.tobytes(): y for y in (*old.labelings, *new.labelings)}
    return SearchOutcome(tuple(distinct.values())[:2], False, old.work + new.work)
