"""Limits on the information about single labels that a public page may reveal."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

MAX_POSTERIOR = 0.95

Known = Literal["exact", "drawn", "independent"]
"""A probability is exact, a bound from sampled labelings, or the result of an attack that treats
labels as independent."""


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


def rounded_up(probability: float) -> float:
    """Round a probability up to the third decimal."""
    return min(1.0, math.ceil(probability * 1000 - 1e-9) / 1000)


@dataclass(frozen=True, slots=True)
class JointExposure:
    """The inference of a reader of a page and of ``pages`` earlier publications about its rows.

    ``exposed`` of ``units`` labels are certain, or not shown to be uncertain, and ``above`` are
    likelier than the limit. ``how`` is the type of the ``likeliest`` label's probability.
    ``bits`` bounds the average bits of the earlier publications. ``known`` of ``names`` row names
    of the page occur in the ledger.
    """

    pages: int
    units: int
    bits: float
    exposed: int
    above: int
    likeliest: float
    how: Known
    known: int = 0
    names: int = 0

    def holds(self, limits: Limits) -> bool:
        likely = self.above <= limits.exposed or limits.posterior == 1.0
        return self.exposed <= limits.exposed and likely

    @property
    def clause(self) -> str:
        number = {
            "exact": f"a probability of {self.likeliest:.3f}",
            "drawn": f"a probability of at most {self.likeliest:.3f} (a bound from drawn "
            "labelings)",
            "independent": f"a probability of about {self.likeliest:.3f}, by an attack that "
            "treats labels as independent",
        }[self.how]
        certain = "no label is certain"
        if self.exposed:
            certain = f"{self.exposed:,} of {self.units:,} labels could be certain"
        earlier = "an earlier publication"
        if self.pages > 1:
            earlier = f"{self.pages:,} earlier publications"
        return (
            f"together with {earlier} about these rows in its ledger, {certain}, and the "
            f"likeliest label has {number}"
        )

    @property
    def names_known(self) -> str:
        """The number of the page's row names in the ledger, as a sentence."""
        return f"{self.known:,} of {self.names:,} row names occur in the ledger."
