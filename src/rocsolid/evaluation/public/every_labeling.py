"""Which page each labeling of a few rows gets, where all of them can be tried."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.label_units import label_units, labels_at_stake, subsets
from rocsolid.evaluation.public.lines import areas
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.public_numbers import PublicNumbers, restricted, without_audit
from rocsolid.evaluation.public.relabelled import labels_of, relabelled
from rocsolid.leaks.label_bits import label_bits

_MARGIN = 1.25  # exchanges that an AUC should be away from where it rounds otherwise
_STEPS = 400
_PAIRS = 1024
_TRIES = 2


def centred(
    evaluation: EvaluationNumbers, coarseness: Coarseness, published: PublicNumbers
) -> Iterator[EvaluationNumbers]:
    """The evaluation with a few labels exchanged: the same page, AUCs away from the next number.

    A few hundred exchanges move each AUC of a large table by less than its last decimal. The page
    is made anew and is the same; whether all its numbers are far enough is for the caller to ask.
    """
    inside = restricted(evaluation, coarseness)
    plain = all(
        part.measure.pairwise and part.kept is None and not part.overall.settings["weighted"]
        for part in inside.parts
    )
    if not plain or inside.segments is not None:
        return
    goal = areas(inside, published, _MARGIN)
    if goal is None:
        return
    truth, _ = labels_of(inside)
    text = json.dumps(published.to_dict(), default=str)
    for seed in range(_TRIES):
        random = np.random.default_rng(seed)
        pos, neg = (random.permutation(np.flatnonzero(truth == wanted)) for wanted in (True, False))
        labels, sums = truth.copy(), goal.weights @ truth
        for _ in range(_STEPS):
            down, up = random.choice(pos, _PAIRS), random.choice(neg, _PAIRS)
            fresh = labels[down] & ~labels[up]
            down, up = down[fresh], up[fresh]
            if not len(down):
                break
            change = goal.weights[:, up] - goal.weights[:, down]
            beyond = goal.beyond(sums[:, None] + change)
            best = int(np.argmin(beyond))
            labels[down[best]], labels[up[best]] = False, True
            sums = sums + change[:, best]
            if beyond[best] == 0.0:
                break
        other = relabelled(evaluation, labels)
        try:
            same = json.dumps(without_audit(other, coarseness).to_dict(), default=str) == text
        except RocsolidError:
            continue
        if same:
            yield other


TRIED = 1000
"""Up to this many labelings are published one after the other, a few seconds of work."""


def can_try(evaluation: EvaluationNumbers) -> bool:
    """Whether labels alone make the page, and there are few: it follows from what is published.

    Measures of rows of equal weight, none missing, whose intervals are not resampled.
    """
    first = evaluation.parts[0].overall
    free = labels_at_stake(evaluation)
    return label_bits(free, 0, [first.n_pos]) <= math.log2(TRIED) and all(
        part.rows is not None
        and part.rows.weight is None
        and part.kept is None
        and len(part.rows) == evaluation.n_rows
        and "resamples" not in part.overall.settings
        for part in evaluation.parts
    )


def every_labeling(
    evaluation: EvaluationNumbers, choices: Sequence[Coarseness], allowed: int
) -> tuple[Coarseness, Proof] | None:
    """The first of the pages that exposes no more than is allowed, as every labeling chooses it.

    Whoever knows this rule learns from a coarser page that the finer ones were refused, so those
    labelings that got a finer page are ruled out before the next one is judged. None where the
    true labels get no page.
    """
    truth = evaluation.parts[0].in_memory.positive
    units = label_units(evaluation)
    one_row = slice(None) if units is None else np.unique(units.of, return_index=True)[1]
    left = list(_labelings(evaluation, int(truth.sum())))
    for coarseness in choices:
        groups: dict[str, list[_Labeling]] = defaultdict(list)
        for one in left:
            groups[_page(one[1], coarseness)].append(one)
        left = []
        for text, group in groups.items():
            labels = np.array([labels for labels, _ in group])[:, one_row]
            same = int((labels.all(axis=0) | ~labels.any(axis=0)).sum())
            if text and same <= allowed:
                if (labels == truth[one_row]).all(axis=1).any():
                    return coarseness, Proof("counted", same, len(choices), len(group))
            else:
                left += group
    return None


_Labeling = tuple[NDArray[np.bool_], EvaluationNumbers | None]


def _labelings(evaluation: EvaluationNumbers, n_pos: int) -> Iterator[_Labeling]:
    """Each with its evaluation, from which every page is made; None where there is none."""
    units = label_units(evaluation)
    of = np.arange(evaluation.n_rows) if units is None else units.of
    for chosen in subsets(np.bincount(of), n_pos):
        labels = chosen[of]
        try:
            yield labels, relabelled(evaluation, labels)
        except RocsolidError:
            yield labels, None


def _page(evaluation: EvaluationNumbers | None, coarseness: Coarseness) -> str:
    """What is published; empty where there is no such page."""
    if evaluation is None:
        return ""
    try:
        return json.dumps(without_audit(evaluation, coarseness).to_dict(), default=str)
    except RocsolidError:
        return ""
