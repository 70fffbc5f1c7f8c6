"""The rows of two samples, each class together, on a scale that both share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.standing import coded, standing
from rocsolid.inputs import BinaryRows

_FLOATS = NDArray[np.float64]
_Class = tuple[NDArray[np.intp], _FLOATS]


class Pooled:
    """Codes of the standings and weights of all positives, then of all negatives.

    ``sizes`` are (the first sample's rows, all rows) of each class.
    """

    def __init__(self, first: BinaryRows, second: BinaryRows) -> None:
        codes, self.size = coded(standing(first), standing(second))
        weights = [np.ones(len(r)) if r.weight is None else r.weight for r in (first, second)]
        self._classes: list[_Class] = []
        sizes = []
        for positive in (True, False):
            places = [np.flatnonzero(sample.positive == positive) for sample in (first, second)]
            self._classes.append(
                (
                    np.concatenate([code[k] for code, k in zip(codes, places, strict=True)]),
                    np.concatenate([weight[k] for weight, k in zip(weights, places, strict=True)]),
                )
            )
            sizes.append((len(places[0]), len(places[0]) + len(places[1])))
        self.sizes = (sizes[0], sizes[1])

    def samples(self, orders: list[NDArray[np.intp]]) -> list[tuple[_Class, _Class]]:
        """Both samples' positives and negatives after an exchange: codes and weights.

        ``orders`` has for each class an order of its pooled rows a row, the first sample's in
        front; so has what comes back.
        """
        parts = [
            np.split(order, [first], axis=1)
            for order, (first, _) in zip(orders, self.sizes, strict=True)
        ]
        (pos, u), (neg, v) = self._classes
        return [
            ((pos[of_pos], u[of_pos]), (neg[of_neg], v[of_neg]))
            for of_pos, of_neg in zip(*parts, strict=True)
        ]
