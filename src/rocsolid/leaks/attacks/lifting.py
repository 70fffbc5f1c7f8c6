"""Rows moved from one end of a ranking to the other; made for a Ladder."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.attacks.bisection import scores_of
from rocsolid.leaks.attacks.host import Guess, Host

_STARTS = 10
_MOST_TOGETHER = 5


def lifting(ask: Host, rng: np.random.Generator) -> Guess:
    """Lift the rows from the bottom to the top in turn; keep a row there if the value rises.

    A positive row that passes k negatives raises the AUC by k/(n₀n₁), up to 1/n₁, and a negative
    row never does. Where positives are the larger class, rows are lowered from the top instead, by
    which a negative gains up to 1/n₀. So a step of a Ladder that is not above 1/min(n₀, n₁) can
    show single rows. What is left of the queries goes half into lifting a few random rows together,
    which shows through a larger step, and half into exchanging a row inside the guess with one
    outside, mostly near the border between them.
    """
    order, best = _start(ask, rng)
    up = 2 * ask.n_pos <= ask.n
    for row in (order[::-1] if up else order).tolist():
        if not ask.left:
            break
        order, best = _better(ask, _moved(order, [row], up), order, best)
    few = min(ask.n_pos, ask.n - ask.n_pos)
    while ask.left:
        if rng.integers(2):
            trial = order.copy()
            inside = max(0, ask.n_pos - 1 - int(rng.exponential(ask.n_pos / 3)))
            outside = min(ask.n - 1, ask.n_pos + int(rng.exponential(ask.n_pos / 2)))
            trial[[inside, outside]] = order[[outside, inside]]
        else:
            # not those at the end already, half as many as the smaller class has
            others = order[few // 2 :] if up else order[: ask.n - few // 2]
            together = min(len(others), int(rng.integers(2, _MOST_TOGETHER + 1)))
            trial = _moved(order, rng.choice(others, together, replace=False), up)
        order, best = _better(ask, trial, order, best)
    return Guess.of(scores_of(order))


def _start(ask: Host, rng: np.random.Generator) -> tuple[NDArray[np.intp], Fraction]:
    """A ranking that is heard to be above one half, as a Ladder says nothing below; of a ranking
    and its reverse, one mostly is."""
    order, best = rng.permutation(ask.n), Fraction(0)
    for start in range(_STARTS):
        if start:
            order = order[::-1] if start % 2 else rng.permutation(ask.n)
        best = max(best, ask(scores_of(order)))
        if best > Fraction(1, 2) or not ask.left:
            break
    return order, best


def _moved(
    order: NDArray[np.intp], rows: NDArray[np.intp] | list[int], up: bool
) -> NDArray[np.intp]:
    rest = order[~np.isin(order, rows)]
    return np.concatenate([rows, rest] if up else [rest, rows]).astype(np.intp)


def _better(
    ask: Host, trial: NDArray[np.intp], order: NDArray[np.intp], best: Fraction
) -> tuple[NDArray[np.intp], Fraction]:
    heard = ask(scores_of(trial))
    return (trial, heard) if heard > best else (order, best)
