"""A large table's labels a few exchanges on, where its values are far from the next number."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.lines import centres
from rocsolid.evaluation.public.public_numbers import PublicNumbers, restricted, without_audit
from rocsolid.evaluation.public.relabelled import labels_of, relabelled

_MARGIN = 1.25  # exchanges that a value should be away from where it rounds otherwise
_STEPS = 400
_PAIRS = 1024
_TRIES = 2


def centred(
    evaluation: EvaluationNumbers, coarseness: Coarseness, published: PublicNumbers
) -> Iterator[EvaluationNumbers]:
    """The evaluation with a few labels exchanged: the same page, values away from the next number.

    A few hundred exchanges move each value of a large table by less than its last decimal. The page
    is made anew and is the same; whether all its numbers are far enough is for the caller to ask.
    """
    inside = restricted(evaluation, coarseness)
    plain = all(
        part.kept is None
        and part.in_memory.weight is None
        and (part.measure.pairwise or part.measure.of_table(part.in_memory) is not None)
        for part in inside.parts
    )
    if not plain or inside.segments is not None:
        return
    goal = centres(inside, published, _MARGIN)
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
