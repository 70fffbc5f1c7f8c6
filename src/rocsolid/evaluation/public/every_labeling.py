"""Proofs that a page makes no label certain, and the probability of the likeliest label."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.exposure_limits import JointExposure, Known, Limits, rounded_up
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.prior import PriorExposure
from rocsolid.evaluation.public.relabelled import (
    label_bits_of,
    labelings_of_units,
    relabelled,
    unit_of_row,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers

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
            return (
                f"All labelings were tried: {self.labelings:,} {gives} this very page, and "
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


TRIED = 1000
"""The limit on labelings that are published one by one, a few seconds of work."""

TRIED_TOGETHER = 100_000
"""The limit on labelings whose pages are computed together, as integers."""


def can_try(evaluation: EvaluationNumbers) -> bool:
    """Return whether the labels alone determine the page and the labelings are few.

    True for measures of rows with equal weights, without missing scores or resampled intervals.
    """
    most = TRIED_TOGETHER if in_integers(evaluation) else TRIED
    return label_bits_of(evaluation) <= math.log2(most) and all(
        part.rows is not None
        and part.rows.weight is None
        and part.kept is None
        and len(part.rows) == evaluation.n_rows
        and "resamples" not in part.overall.settings
        for part in evaluation.parts
    )


class EveryLabeling:
    """All labelings of the units with the class sizes, and the possible pages of each labeling."""

    def __init__(self, evaluation: EvaluationNumbers, choices: Sequence[Coarseness]) -> None:
        truth = evaluation.parts[0].in_memory.positive
        unit = unit_of_row(evaluation)
        self.labelings = labelings_of_units(np.bincount(unit), int(truth.sum()))
        alone = len(evaluation.parts) == 1  # so that there are no comparisons
        together = in_integers(evaluation) and (alone or len(self.labelings) > TRIED)
        self.pages: _OneByOne | _Together = (_Together if together else _OneByOne)(
            evaluation, self.labelings[:, unit]
        )
        true = np.zeros(self.labelings.shape[1], dtype=bool)
        true[unit] = truth
        self.mine = int(np.flatnonzero((self.labelings == true).all(axis=1))[0])
        self.choices = [page for page in choices if self.pages.knows(page)]

    def chosen(self, limits: Limits) -> tuple[Coarseness, Proof] | None:
        """Return the first page within the limits, as every labeling would choose it.

        A reader who has this rule can infer from a coarser page that the finer ones were refused,
        so labelings with a finer page are excluded before the next page is judged. The shares of
        positives in a group are the posterior of a reader who considers all labelings equally
        likely. The result is None if the true labels have no page.
        """
        left = np.arange(len(self.labelings))
        for coarseness in self.choices:
            keys, group, sizes, surest = self._groups(left, coarseness)
            holds = limits.holds(surest)
            holds[group[keys < 0]] = False
            mine = group[left == self.mine]
            if len(mine) and holds[mine[0]]:
                return coarseness, self._proof(surest, sizes, int(mine[0]), limits, by_rule=True)
            left = left[~holds[group]]
        return None

    def each(self, limits: Limits) -> Iterator[tuple[Coarseness, Proof]]:
        """Yield every page of the true labels, with a proof from its numbers alone."""
        for coarseness in self.choices:
            every = np.arange(len(self.labelings))
            keys, group, sizes, surest = self._groups(every, coarseness)
            if keys[self.mine] >= 0:
                mine = int(group[self.mine])
                yield coarseness, self._proof(surest, sizes, mine, limits, by_rule=False)

    def _groups(
        self, left: NDArray[np.intp], coarseness: Coarseness
    ) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """Group the labelings ``left`` by page; return sizes and label probabilities too."""
        keys = self.pages.keys(left, coarseness)
        group = np.unique(keys, return_inverse=True)[1].reshape(-1)
        sizes = np.bincount(group)
        positives = np.zeros((len(sizes), self.labelings.shape[1]))
        np.add.at(positives, group, self.labelings[left])
        share = positives / sizes[:, None]
        return keys, group, sizes, np.maximum(share, 1.0 - share)

    def _proof(
        self, surest: NDArray[np.float64], sizes: NDArray[np.intp], mine: int, limits: Limits,
        *, by_rule: bool,
    ) -> Proof:  # fmt: skip
        return Proof(
            "counted", int((surest[mine] == 1.0).sum()), len(self.choices), surest[mine], limits,
            by_rule=by_rule, labelings=int(sizes[mine]), posterior="exact",
        )  # fmt: skip


class _OneByOne:
    """Pages of labelings as published; two pages are equal if their JSON is."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.evaluations = [_relabelled(evaluation, labels) for labels in labelings]

    def knows(self, coarseness: Coarseness) -> bool:  # noqa: ARG002
        return True

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        made = (self.evaluations[at] for at in some.tolist())
        texts = ["" if one is None else Candidate(one, coarseness).text for one in made]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        return np.array([numbers[text] if text else -1 for text in texts], dtype=np.int64)


class _Together:
    """Pages of labelings as integers; pages with comparisons are excluded."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.pages = ManyPages(evaluation, labelings)

    def knows(self, coarseness: Coarseness) -> bool:
        return coarseness.scores == 1 or not coarseness.comparisons

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        return self.pages.keys(coarseness)[some]


def _relabelled(
    evaluation: EvaluationNumbers, labels: NDArray[np.bool_]
) -> EvaluationNumbers | None:
    try:
        return relabelled(evaluation, labels)
    except RocsolidError:
        return None
