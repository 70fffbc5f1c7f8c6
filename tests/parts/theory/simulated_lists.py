"""Lists drawn from relevance curves, and their NDCG in a few plain lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.discount import as_discount
from rocsolid.theory.asymptotics.curves.curve import Curve

_F = NDArray[np.float64]


def draw_list(curve: Curve, n: int, rng: np.random.Generator) -> _F:
    """The gains of one list of n items, best score first."""
    s = np.sort(rng.random(n))[::-1]
    if not curve.by_grade:
        return (rng.random(n) < curve.mean(s)).astype(np.float64)
    shares = np.cumsum([share(s) for share in curve.by_grade], axis=0)
    place = (rng.random(n) > shares).sum(axis=0)
    return np.append(np.asarray(curve.levels.grades), 0.0)[place]


def draw_pair(a: Curve, b: Curve, n: int, rng: np.random.Generator) -> tuple[_F, _F, _F]:
    """The relative ranks of n items by two rankers, independent of each other, and labels 0 and 1.

    Pr(Y = 1 | s, t) = ȳ_a(s) + ȳ_b(t) − p has the two curves as its means over t and over s.
    """
    s, t = rng.random((2, n))
    chance = a.mean(s) + b.mean(t) - a.levels.mean
    assert chance.min() >= 0.0
    assert chance.max() <= 1.0
    return s, t, (rng.random(n) < chance).astype(np.float64)


def ndcg_of(gains: _F, discount: object, k: int | None = None) -> float:
    """NDCG of one list, best score first."""
    weight = as_discount(discount).values(len(gains))
    if k is not None:
        weight[k:] = 0.0
    return float(gains @ weight / (np.sort(gains)[::-1] @ weight))
