"""Proofs that a page makes no label certain, and the probability of the likeliest label."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import (
    labelings_of_units,
    labels_at_stake,
    relabelled,
    unit_of_row,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.half_tables import label_bits

SHARES = (0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Proof:
    """``exposed`` labels of the page's units are certain, or could be; 0 proves that none is.

    - "counted": every labeling was tried; so many ``labelings`` give the page by the same rule,
      and the number of certain labels is exact.
    - "drawn": so many ``labelings`` were drawn from all that give the page, and each unit has
      either label in some.
    - "exchanged": other labelings give the page, and each unit but the exposed ones has another
      label in one of them.
    - "bounded": no exchange of a positive and a negative among like rows changes any number.

    ``by_rule`` states whether every counted labeling leads to this very page by the selection rule;
    otherwise it gives the same numbers, but might lead to a finer page. ``pages`` is the number of
    candidate pages. ``surest`` has the probability of the likelier label of each unit, with all
    labelings equally likely beforehand; it is approximate if labels are "independent".
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
        """Combine the proofs for readers of the whole page and for readers of its values alone.

        More numbers can make a label less likely; a reader may ignore them.
        """
        if len(self.surest) != len(barer.surest):
            return self
        return replace(self, surest=np.maximum(self.surest, barer.surest))

    def sentences(self, units: int, names: str) -> list[str]:
        """The proof as sentences; ``names`` is the word for the units: rows or clusters."""
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
                "labeling was found that gives the page and changes them."
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
            f"{alone} for each of the {units:,} {names} another labeling was found that gives "
            "the page, to the last digit, with the other label there."
        )

    def _likely(self) -> str:
        if self.how == "counted":
            return f"The likeliest label has a probability of {self.likeliest:.3f}."
        if self.posterior == "drawn":
            return f"The likeliest label has a probability of at most {self.likeliest:.3f}."
        return (
            f"The likeliest label has a probability of about {self.likeliest:.3f}, with labels "
            f"treated as independent."
        )


TRIED = 1000
"""Up to this many labelings are published one after another, which takes a few seconds."""

TRIED_TOGETHER = 100_000
"""Up to this many labelings are tried if their pages are computed together, as integers."""


def can_try(evaluation: EvaluationNumbers) -> bool:
    """Whether the labels alone determine the page, and are few: this follows from the page.

    True for measures of rows of equal weight without missing scores or resampled intervals.
    """
    most = TRIED_TOGETHER if in_integers(evaluation) else TRIED
    bits = label_bits(labels_at_stake(evaluation), 0, [evaluation.parts[0].overall.n_pos])
    return bits <= math.log2(most) and all(
        part.rows is not None
        and part.rows.weight is None
        and part.kept is None
        and len(part.rows) == evaluation.n_rows
        and "resamples" not in part.overall.settings
        for part in evaluation.parts
    )


def every_labeling(
    evaluation: EvaluationNumbers, choices: Sequence[Coarseness], limits: Limits
) -> tuple[Coarseness, Proof] | None:
    """The first page within the exposure limits, among all labelings that choose this page.

    A reader who knows this rule learns from a coarser page that the finer pages were refused, so
    the labelings with a finer page are excluded before the next page is judged. The labelings of a
    group are therefore those that lead to this very output by this very rule, and their shares of
    positives are the posterior of a reader with a uniform prior. None if the true labels have no
    page.
    """
    truth = evaluation.parts[0].in_memory.positive
    unit = unit_of_row(evaluation)
    labelings = labelings_of_units(np.bincount(unit), int(truth.sum()))
    alone = len(evaluation.parts) == 1  # so that there are no comparisons
    together = in_integers(evaluation) and (alone or len(labelings) > TRIED)
    made = _Together if together else _OneByOne
    pages = made(evaluation, labelings[:, unit])
    true = np.zeros(labelings.shape[1], dtype=bool)
    true[unit] = truth
    choices = [one for one in choices if pages.knows(one)]
    left = np.arange(len(labelings))
    for coarseness in choices:
        keys = pages.keys(left, coarseness)
        group = np.unique(keys, return_inverse=True)[1].reshape(-1)
        sizes_of = np.bincount(group)
        positives = np.zeros((len(sizes_of), labelings.shape[1]))
        np.add.at(positives, group, labelings[left])
        share = positives / sizes_of[:, None]
        holds = limits.holds(np.maximum(share, 1.0 - share))
        holds[group[keys < 0]] = False
        mine = group[(labelings[left] == true).all(axis=1)]
        if len(mine) and holds[mine[0]]:
            found = int(mine[0])
            surest = np.maximum(share[found], 1.0 - share[found])
            return coarseness, Proof(
                "counted", int((surest == 1.0).sum()), len(choices), surest, limits, by_rule=True,
                labelings=int(sizes_of[found]), posterior="exact",
            )  # fmt: skip
        left = left[~holds[group]]
    return None


class _OneByOne:
    """Pages of labelings as published; two pages are equal if their JSON is."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.evaluations = [_relabelled(evaluation, labels) for labels in labelings]

    def knows(self, coarseness: Coarseness) -> bool:  # noqa: ARG002
        return True

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        texts = [_page(self.evaluations[at], coarseness) for at in some.tolist()]
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


def _page(evaluation: EvaluationNumbers | None, coarseness: Coarseness) -> str:
    if evaluation is None:
        return ""
    try:
        return json.dumps(without_audit(evaluation, coarseness).to_dict(), default=str)
    except RocsolidError:
        return ""
