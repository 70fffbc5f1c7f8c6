"""The way that the bisection halves, step by step."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from rocsolid.leaks.attacks import _Way


@pytest.mark.parametrize("n", [2, 3, 7, 12])
def test_the_way_goes_from_end_to_end_by_exchanges_of_neighbours(n: int) -> None:
    rng = np.random.default_rng(n)
    for source, target in (
        (rng.permutation(n), rng.permutation(n)),
        (np.arange(n), np.arange(n)[::-1]),
    ):
        way = _Way((source, Fraction(0)), (target, Fraction(1)))
        place = np.argsort(target)[source]
        turned = sum(int(place[i] > place[j]) for j in range(n) for i in range(j))
        assert way.length == turned
        orders = [way.order(k) for k in range(way.length + 1)]
        assert orders[0].tolist() == source.tolist()
        assert orders[-1].tolist() == target.tolist()
        for one, following in itertools.pairwise(orders):
            changed = np.flatnonzero(one != following)
            assert len(changed) == 2
            assert changed[1] == changed[0] + 1
            assert one[changed].tolist() == following[changed][::-1].tolist()
