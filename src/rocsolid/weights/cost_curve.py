"""A weight drawn by hand: what an error costs at each false-positive rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocsolid.errors import InputError
from rocsolid.weights.polyline import Polyline


@dataclass(frozen=True)
class CostCurve(Polyline):
    fpr: tuple[float, ...]
    cost: tuple[float, ...]

    def points(self) -> list[tuple[float, float]]:
        return list(zip(self.fpr, self.cost, strict=True))


def cost_curve(fpr: Sequence[float], cost: Sequence[float]) -> CostCurve:
    """Straight lines between costs at given false-positive rates, which run from 0 to 1.

    A rate that comes twice is a jump; without jumps the weight is Lipschitz. In Maurer and Pontil
    2020 this is W(u) with u = 1−FPR. Here false-positive rates below 5 % cost ten times as much:

    >>> w = cost_curve([0, 0.05, 0.05, 1], [10, 10, 1, 1])
    >>> w([0.5, 0.99]), round(w.l1_norm, 12)
    (array([ 1., 10.]), 1.45)
    """
    rates, costs = np.asarray(fpr, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    if rates.ndim != 1 or rates.shape != costs.shape or len(rates) < 2:
        raise InputError(
            "a cost curve needs as many costs as rates, at least two",
            value=(rates.shape, costs.shape),
        )
    if rates[0] != 0.0 or rates[-1] != 1.0 or not bool(np.all(np.diff(rates) >= 0)):
        raise InputError("the rates of a cost curve must ascend from 0 to 1", value=rates.tolist())
    if bool(np.any(rates[2:] == rates[:-2])):
        raise InputError("a rate may come twice, not three times", value=rates.tolist())
    if not bool(np.all((costs >= 0) & (costs < np.inf))) or not costs.any():
        raise InputError(
            "costs must be finite, not negative and not all zero", value=costs.tolist()
        )
    return CostCurve(tuple(rates.tolist()), tuple(costs.tolist()))
