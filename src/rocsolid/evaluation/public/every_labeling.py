"""Which page each labeling of a few units gets, where all of them can be tried."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.label_units import labelings_of_units, labels_at_stake, unit_of_row
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import relabelled
from rocsolid.leaks.label_bits import label_bits

TRIED = 1000
"""Up to this many labelings are published one after the other, a few seconds of work."""

TRIED_TOGETHER = 100_000
"""And up to this many where their pages are made together, as integers."""


def can_try(evaluation: EvaluationNumbers) -> bool:
    """Whether labels alone make the page, and there are few: it follows from what is published.

    Measures of rows of equal weight, none missing, whose intervals are not resampled.
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
    """The first of the pages that exposes no more than is allowed, as every labeling chooses it.

    Whoever knows this rule learns from a coarser page that the finer ones were refused, so those
    labelings that got a finer page are ruled out before the next one is judged. So the labelings
    of a group are those that get this very output by this very rule, and their shares of positives
    are the posterior of a reader to whom all were alike. None where the true labels get no page.
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
    """Pages of labelings as they are published; two are the same if their JSON is."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.evaluations = [_relabelled(evaluation, labels) for labels in labelings]

    def knows(self, coarseness: Coarseness) -> bool:  # noqa: ARG002
        return True

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        texts = [_page(self.evaluations[at], coarseness) for at in some.tolist()]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        return np.array([numbers[text] if text else -1 for text in texts], dtype=np.int64)


class _Together:
    """Pages of labelings as integers; those with comparisons are not among them."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.pages = ManyPages(evaluation, labelings)

    def knows(self, coarseness: Coarseness) -> bool:
        return coarseness.scores == 1 or not coarseness.comparisons

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        return self.pages.keys(coarseness)[some]


def _relabelled(
    evaluation: EvaluationNumbers, labels: NDArray[np.bool_]
) -> EvaluationNumbers | None:
    """The evaluation from which every page is made; None where there is none."""
    try:
        return relabelled(evaluation, labels)
    except RocsolidError:
        return None


def _page(evaluation: EvaluationNumbers | None, coarseness: Coarseness) -> str:
    """What is published; empty where there is no such page."""
    if evaluation is None:
        return ""
    try:
        return json.dumps(without_audit(evaluation, coarseness).to_dict(), default=str)
    except RocsolidError:
        return ""
