"""Every labeling that fits a released AUC, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.constraint import Constraint, constraint


def labelings(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> Iterator[NDArray[np.bool_]]:
    """Each labeling of the rows, in the caller's order, under which the scores have this AUC.

    The order is fixed: rows are compared from the highest score to the lowest (ties in the caller's
    order), and the labeling comes first that has a positive where another has a negative. `rank`
    and `unrank` count in the same order. Nothing is held but the path to the current labeling and
    the dead ends met, so the first of 10^80 labelings comes as soon as the first of three.

    The set of Whitehill 2019, sections 4 and 5; ties, rounding and known labels are derived here. A
    partial labeling is followed only if some number of positives left has a sum between the
    smallest and largest possible, in the right residue class; for untied scores without known
    labels that is exact. Dead ends that remain are remembered and met once.

    >>> [labels.astype(int).tolist() for labels in labelings("3/4", [0.2, 0.5, 0.9, 0.1])]
    [[1, 0, 1, 0]]
    """
    return _walk(constraint(auc, scores, n_pos, decimals, known))


def _walk(c: Constraint) -> Iterator[NDArray[np.bool_]]:
    fits = _Feasible(c)
    weights: list[int] = c.weights.tolist()
    m = len(weights)
    dead: set[tuple[int, int, int]] = set()
    chosen = np.zeros(m, dtype=bool)
    positives, total = [0] * (m + 1), [0] * (m + 1)
    labeling, untried = [False] * (m + 1), [2] * (m + 1)
    alive: list[list[tuple[int, int, int]]] = [[]] * (m + 1)
    alive[0] = fits.alive(0, 0, 0, [(k, t[0], t[-1]) for k, t in sorted(c.targets.items())])
    i = 0 if alive[0] else -1
    while i >= 0:
        if i == m:
            yield c.labeling(chosen)
            labeling[i], untried[i] = True, 0
        if untried[i]:
            untried[i] -= 1
            label = untried[i]  # 1 first, then 0
            a, s = positives[i] + label, total[i] + label * weights[i]
            left = fits.alive(i + 1, a, s, alive[i])
            if left and (i + 1, a, s) not in dead:
                chosen[i] = label
                i += 1
                positives[i], total[i], alive[i] = a, s, left
                labeling[i], untried[i] = False, 2
        else:
            if not labeling[i]:
                dead.add((i, positives[i], total[i]))
            elif i:
                labeling[i - 1] = True
            i -= 1


class _Feasible:
    """Which numbers of positives a partial labeling may still be completed to."""

    def __init__(self, c: Constraint) -> None:
        self._cum = [0, *np.cumsum(c.weights).tolist()]
        self._last = int(c.weights[-1]) if len(c.weights) else 0
        self._m = len(c.weights)
        # the divisor of all differences among the rows from i on; 0 where they are tied
        steps = np.gcd.accumulate((c.weights - self._last)[::-1])[::-1] if self._m else c.weights
        self._step: list[int] = [*steps.tolist(), 0]

    def alive(
        self, i: int, a: int, s: int, targets: list[tuple[int, int, int]]
    ) -> list[tuple[int, int, int]]:
        """Of the targets (positives, lowest and highest sum), those not ruled out."""
        cum, m, step = self._cum, self._m, self._step[i]
        left = []
        for target in targets:
            rest = target[0] - a
            if not 0 <= rest <= m - i:
                continue
            low = max(target[1] - s, cum[m] - cum[m - rest])
            high = min(target[2] - s, cum[i + rest] - cum[i])
            if step > 1:
                low += (rest * self._last - low) % step
            if low <= high:
                left.append(target)
        return left
