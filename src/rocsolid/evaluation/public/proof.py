"""Proofs that a page makes no label certain, and the probability of the likeliest label."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.exposure_limits import JointExposure, Known, Limits, rounded_up
from rocsolid.evaluation.public.prior import PriorExposure

SHARES = (0.8, 0.9, 0.95, 0.99, 0.999)


How = Literal["counted", "exact", "drawn", "exchanged", "bounded"]
_KNOWN: tuple[Known, ...] = get_args(Known)


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that at most ``exposed`` labels of the page's units are certain; 0 proves that none
    is.

    - "counted": every labeling was tried; ``labelings`` of them produce the page by the same rule,
      and the number of certain labels is exact.
    - "exact": all labelings that produce the page were counted; each unit is positive in some of
      them and negative in others.
    - "drawn": ``labelings`` were sampled from all labelings that produce the page; each unit is
      positive in some of them and negative in others.
    - "exchanged": other labelings produce the page, and each unit except the exposed units has a
      different label in one of them.
    - "bounded": no exchange of a positive and a negative among similar rows changes any number.

    ``by_rule`` is whether the selection rule leads every counted labeling to this page; otherwise
    a labeling has the same numbers, but might lead to a finer page. ``pages`` is the number of
    candidate pages. ``surest`` is the probability of each unit's likelier label, with all
    labelings equally likely beforehand. ``posterior`` is whether that probability is exact, a
    bound from sampled labelings, or approximate because labels are treated as independent.
    ``together`` is the judgement with the earlier publications in a ledger, and ``prior`` that of a
    reader with a prior.
    """

    how: How
    exposed: int
    pages: int
    surest: NDArray[np.float64]
    limits: Limits
    by_rule: bool
    labelings: int = 0
    posterior: Known = "independent"
    together: JointExposure | None = None
    prior: PriorExposure | None = None

    @property
    def likeliest(self) -> float:
        """The probability of the likeliest label, rounded up to the third decimal."""
        return rounded_up(float(self.surest.max()))

    @property
    def worst(self) -> tuple[float, Known]:
        """The likeliest label's probability, also with a ledger's earlier publications, and its
        type.
        """
        alone = self.likeliest, self.posterior
        if self.together is None or self.together.likeliest <= self.likeliest:
            return alone
        return self.together.likeliest, self.together.how

    @property
    def random(self) -> bool:
        exact = self.posterior == "exact" and (self.prior is None or self.prior.how == "exact")
        return not (self.how in ("counted", "exact") and exact)

    @property
    def holds(self) -> bool:
        likely = self.limits.posterior == 1.0 or bool(self.limits.holds(self.surest))
        alone = self.exposed <= self.limits.exposed and likely
        joint = self.together is None or self.together.holds(self.limits)
        return alone and joint and (self.prior is None or self.prior.holds)

    def with_readers_of(self, barer: Proof) -> Proof:
        """Combine the proofs for readers of the whole page and for readers of its values alone.

        More numbers can make a label less likely; a reader may ignore them.
        """
        if len(self.surest) != len(barer.surest):
            return self
        posterior = max(self.posterior, barer.posterior, key=_KNOWN.index)
        return replace(self, surest=np.maximum(self.surest, barer.surest), posterior=posterior)

    def sentences(self, units: int, names: str) -> list[str]:
        """Return the proof as sentences; ``names`` is the word for the units: rows or clusters."""
        together: tuple[str, ...] = ()
        if self.together is not None:
            clause = self.together.clause
            joint = [f"{clause[0].upper()}{clause[1:]}."] if self.together.pages else []
            together = (*joint, self.together.names_known)
        prior = () if self.prior is None else (self.prior.sentence,)
        return [self._certain(units, names), self._likely(), *together, *prior]

    def _certain(self, units: int, names: str) -> str:
        if self.how == "counted":
            gives = "labeling gives" if self.labelings == 1 else "labelings give"
            fit = " that fit its ledger" if self.together and self.together.pages else ""
            return (
                f"All labelings{fit} were tried: {self.labelings:,} {gives} this very page, and "
                f"{self.exposed:,} of {units:,} labels are the same in all of them."
            )
        if self.exposed:
            return (
                f"{self.exposed:,} of {units:,} labels could be certain from this page: no other "
                "labeling was found that gives the page and changes them."
            )
        alone = (
            "No label is certain from this page:"
            if self.by_rule
            else "From its numbers alone, no label is certain:"
        )
        if self.how == "exact":
            return (
                f"{alone} all labelings that give it were counted, and each of the {units:,} "
                f"{names} has either label in some of them."
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
            f"{alone} for each of the {units:,} {names} another labeling was found that gives "
            "the page, to the last digit, with the other label there."
        )

    def _likely(self) -> str:
        if self.posterior == "exact":
            return f"The likeliest label has a probability of {self.likeliest:.3f}."
        if self.posterior == "drawn":
            drawn = " by these draws"
            if self.how != "drawn":
                drawn = f": {self.labelings:,} labelings were drawn" if self.labelings else ""
            return (
                f"The likeliest label has a probability of at most {self.likeliest:.3f} "
                f"(a bound{drawn})."
            )
        return (
            "An attack that treats labels as independent reaches a probability of about "
            f"{self.likeliest:.3f} for the likeliest label."
        )
