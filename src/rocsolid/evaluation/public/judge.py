"""Judge whether a page keeps labels uncertain and within the allowed probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rocsolid.evaluation.public.any_exchange import alone, any_exchange
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.likelihood import likelihood
from rocsolid.evaluation.public.lines import centres
from rocsolid.evaluation.public.proof import How, Proof
from rocsolid.evaluation.public.relabelled import labels_of
from rocsolid.evaluation.public.witnesses import CELLS, uncovered
from rocsolid.evaluation.segment_evidence import EvaluationNumbers

_MARGIN = 1.25  # the wanted distance from a rounding boundary, in exchanges
_STEPS = 400
_PAIRS = 1024
_TRIES = 2


def centred(page: Candidate) -> Iterator[Candidate]:
    """Yield the same page after exchanges that move values far from rounding boundaries.

    A few hundred exchanges change each value of a large table by less than its last decimal. The
    new page is verified to be the same; the caller checks whether all its numbers are far enough.
    """
    inside = page.inside
    plain = all(
        part.kept is None
        and part.in_memory.weight is None
        and (part.measure.pairwise or part.measure.of_table(part.in_memory) is not None)
        for part in inside.parts
    )
    if not plain or inside.segments is not None:
        return
    goal = centres(page, _MARGIN)
    if goal is None:
        return
    truth, _ = labels_of(inside)
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
        exchanged = page.relabelled(labels)
        if exchanged.text == page.text:
            yield exchanged


def judged(
    page: Candidate, limits: Limits, *, pages: int, finest: bool, always: bool = False
) -> Proof | None:
    """Return the proof that a page holds, or None; ``always`` also returns proofs for other pages.

    The counts and samples depend on the page and the scores. If the counts and samples determine
    the answer, all labelings that give the ``finest`` page lead to it by the same rule, because no
    page was refused before.
    """
    units = page.published.n_units
    allowed = units if always else limits.exposed
    if _lonely(page) > allowed:
        return None
    likely = likelihood(page, None if always else limits)
    if likely is None or likely.above(units, limits) > allowed:
        return None
    how: How = "drawn" if likely.how == "drawn" else "exact"
    proof = Proof(
        how, 0, pages, likely.surest, limits, by_rule=finest,
        labelings=likely.labelings, posterior=likely.how,
    )  # fmt: skip
    if likely.covered is not None and likely.covered.all():
        return proof if always or limits.holds(likely.surest) else None
    bounded, exposed = _certain(page, limits.exposed)
    if likely.covered is not None:
        exposed = min(exposed, int((~likely.covered).sum()))
    if exposed > allowed:
        return None
    how = "bounded" if bounded else "exchanged"
    return replace(proof, how=how, exposed=exposed, by_rule=False)


def _certain(page: Candidate, allowed: int) -> tuple[bool, int]:
    """Whether no exchange changes the page, and how many labels could be certain.

    The search for other labelings ends when at most ``allowed`` labels are left.
    """
    evaluation = page.evaluation
    exchangeable = _exchangeable(evaluation)
    if exchangeable and any_exchange(page):
        return True, _lonely(page)
    exposed = page.published.n_units
    if all(part.rows is not None for part in evaluation.parts):
        if exchangeable and any(map(any_exchange, centred(page))):
            return True, _lonely(page)
        if evaluation.n_rows * page.coarseness.scores <= CELLS:
            exposed = uncovered(page, allowed)
    return False, exposed


def _exchangeable(evaluation: EvaluationNumbers) -> bool:
    """Return whether rows change their labels one by one.

    Rows that share a label change it together, and this sharing depends on the labels.
    """
    return evaluation.copy_of is None and evaluation.cluster is None


def _lonely(page: Candidate) -> int:
    return alone(page) if _exchangeable(page.evaluation) else 0
