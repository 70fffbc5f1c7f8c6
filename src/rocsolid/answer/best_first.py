"""A comparison in the order in which people read it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from rocsolid.results.comparison import Comparison

Compared = TypeVar("Compared", bound=Comparison)


def best_first(found: Compared) -> Compared:
    """The highest value first, and first its pairs: what is left out of a long list is the rest.

    A pair stays a − b, as a margin and a one-sided test are about this difference.

    >>> from rocsolid.comparison.models import compare
    >>> y = [0, 0, 1, 1, 0, 1]
    >>> three = {"c": [3, 1, 2, 0, 4, 2], "b": [3, 1, 2, 5, 4, 6], "a": [1, 2, 3, 4, 0, 6]}
    >>> [(pair.a, pair.b) for pair in best_first(compare(y, three)).pairs]
    [('b', 'a'), ('c', 'a'), ('c', 'b')]
    """
    names = list(found.estimates)
    order = sorted(range(len(names)), key=lambda at: -found.estimates[names[at]].value)
    place = {names[at]: rank for rank, at in enumerate(order)}
    at = sorted(
        range(len(found.pairs)),
        key=lambda i: sorted((place[found.pairs[i].a], place[found.pairs[i].b])),
    )
    return replace(
        found,
        estimates={names[i]: found.estimates[names[i]] for i in order},
        covariance=found.covariance[np.ix_(order, order)],
        pairs=tuple(found.pairs[i] for i in at),
        equivalence=tuple(found.equivalence[i] for i in at) if found.equivalence else (),
    )
