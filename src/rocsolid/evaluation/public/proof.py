"""How it is known that a page makes no label certain, how many it might, and how likely one is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.evaluation.public.exposure_limits import Limits

SHARES = (0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Proof:
    """``exposed`` labels of the page's units are certain, or could be; none where it is 0.

    - "counted": every labeling was tried; so many ``labelings`` give the page by the same rule,
      and the number of certain labels is exact.
    - "drawn": so many ``labelings`` were drawn from all that give the page, and each unit has
      either label in some.
    - "exchanged": other labelings give the page, and each unit but the exposed ones has another
      label in one of them.
    - "bounded": no exchange of a positive and a negative among like rows changes any number.

    ``by_rule`` is whether every labeling that is counted gets this very page by the rule that
    chooses it; else it gives the same numbers, and might have got a finer page. ``pages`` is how
    many pages there were to choose from. ``surest`` has the probability of the likelier label of
    each unit, all labelings alike beforehand; by "independent" labels it is approximate.
    """

    how: Literal["counted", "drawn", "exchanged", "bounded"]
    exposed: int
    pages: int
    surest: NDArray[np.float64]
    limits: Limits
    by_rule: bool
    labelings: int = 0
    posterior: Literal["exact", "drawn", "independent"] = "independent"

    @property
    def likeliest(self) -> float:
        """The probability of the likeliest label, rounded up to the third decimal."""
        return min(1.0, math.ceil(float(self.surest.max()) * 1000 - 1e-9) / 1000)

    def with_readers_of(self, barer: Proof) -> Proof:
        """The proof for whoever reads the whole page, and for whoever reads its values alone.

        More numbers can leave a label less likely; a reader need not use them.
        """
        if len(self.surest) != len(barer.surest):
            return self
        return replace(self, surest=np.maximum(self.surest, barer.surest))

    def sentences(self, units: int, names: str) -> list[str]:
        """``names`` says what the units are: rows, or clusters."""
        return [self._certain(units, names), self._likely()]

    def _certain(self, units: int, names: str) -> str:
        if self.how == "counted":
            gives = "labeling gives" if self.labelings == 1 else "labelings give"
            return (
                f"All labelings were tried: {self.labelings:,} {gives} this very page, and "
                f"{self.exposed:,} of {units:,} labels are the same in all of them."
            )
        if self.exposed:
            return (
                f"{self.exposed:,} of {units:,} labels could be certain from this page: no other "
                "labeling that gives it was found in which they are different."
            )
        alone = (
            "No label is certain from this page:"
            if self.by_rule
            else "From its numbers alone, no label is certain:"
        )
        if self.how == "drawn":
            return (
                f"{alone} {self.labelings:,} labelings that give it, to the last digit, were "
                f"drawn, and each of the {units:,} {names} has either label in some of them."
            )
        if self.how == "bounded":
            return (
                f"{alone} every row can exchange its label with a row of the other class, and no "
                "number here would change."
            )
        return (
            f"{alone} for each of the {units:,} {names} another labeling was found that gives it, "
            "to the last digit, with the other label there."
        )

    def _likely(self) -> str:
        if self.how == "counted":
            return f"The likeliest label has a probability of {self.likeliest:.3f}."
        if self.posterior == "drawn":
            return f"The likeliest label has a probability of at most {self.likeliest:.3f}."
        return (
            f"The likeliest label has a probability of about {self.likeliest:.3f}, with labels "
            "taken as independent."
        )
