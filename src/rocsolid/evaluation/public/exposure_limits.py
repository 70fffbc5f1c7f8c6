"""Limits on the information about single labels that a public page may reveal."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

MAX_POSTERIOR = 0.95


@dataclass(frozen=True, slots=True)
class Limits:
    """At most ``exposed`` labels may be certain, or likelier than ``posterior``."""

    exposed: int = 0
    posterior: float = MAX_POSTERIOR

    @classmethod
    def checked(cls, max_exposed: int, max_posterior: float) -> Limits:
        whole = isinstance(max_exposed, Integral) and not isinstance(max_exposed, bool)
        if not whole or max_exposed < 0:
            raise InputError(
                "max_exposed must be a whole number of labels, 0 or more", value=max_exposed
            )
        real = isinstance(max_posterior, Real) and not isinstance(max_posterior, bool)
        if not (real and 0.5 < max_posterior <= 1.0):
            raise InputError(
                "max_posterior must be a probability above one half and at most 1",
                value=max_posterior,
                fix="use 0.95, or 1 to limit certain labels alone",
            )
        return cls(int(max_exposed), float(max_posterior))

    def above(self, posterior: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return the mask of exposed labels, from the probability of the likelier label."""
        return (posterior > self.posterior) | (posterior >= 1.0)

    def holds(self, posterior: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(self.above(posterior).sum(axis=-1) <= self.exposed)
