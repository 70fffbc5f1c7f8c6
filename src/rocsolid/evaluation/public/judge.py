"""Whether a page may be published: how many labels are certain, or too likely, from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.evaluation.public.any_exchange import alone, any_exchange
from rocsolid.evaluation.public.centred import centred
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.drawn import Draws, drawn
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.label_units import unit_of_row
from rocsolid.evaluation.public.likely import LabelModel, label_model
from rocsolid.evaluation.public.many_pages import in_integers
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.public_numbers import PublicNumbers, restricted, without_audit
from rocsolid.evaluation.public.witnesses import CELLS, uncovered

_SCORES = 3  # of a page whose scores are too many to draw labelings for all together
_FEW = 1000  # labelings that are drawn for each of these


def judged(
    evaluation: EvaluationNumbers,
    coarseness: Coarseness,
    limits: Limits,
    *,
    pages: int,
    finest: bool,
) -> Proof | None:
    """The proof that a page holds, or None.

    The draws, and so the answer where they settle it, follow from the page and the scores. Then all
    labelings that give the ``finest`` page get it by the same rule, as nothing was refused before.
    """
    if _lonely(evaluation, coarseness) > limits.exposed:
        return None
    published = without_audit(evaluation, coarseness)
    likely = _likely(evaluation, coarseness, published, limits)
    if likely is None or _above(likely.surest, published.n_units, limits) > limits.exposed:
        return None
    if likely.draws is not None and likely.draws.covered.all():
        if not limits.holds(likely.surest):
            return None
        return Proof(
            "drawn", 0, pages, likely.surest, limits, by_rule=finest,
            labelings=likely.draws.count, posterior="drawn",
        )  # fmt: skip
    found = _certain(evaluation, coarseness, published, limits.exposed)
    if found is None:
        return None
    bounded, exposed = found
    if likely.draws is not None:
        exposed = min(exposed, int((~likely.draws.covered).sum()))
    return Proof(
        "bounded" if bounded else "exchanged", exposed, pages, likely.surest, limits,
        by_rule=False, posterior="independent" if likely.draws is None else "drawn",
    )  # fmt: skip


def likeliest(evaluation: EvaluationNumbers, coarseness: Coarseness) -> float:
    """The probability of the likeliest label of a page, whatever is allowed."""
    likely = _likely(evaluation, coarseness, without_audit(evaluation, coarseness), None)
    assert likely is not None
    return float(likely.surest.max())


@dataclass(frozen=True, eq=False)
class _Likely:
    """The probability of each row's likelier label, and draws if they are of the whole page."""

    surest: NDArray[np.float64]
    draws: Draws | None


def _likely(
    evaluation: EvaluationNumbers,
    coarseness: Coarseness,
    published: PublicNumbers,
    limits: Limits | None,
) -> _Likely | None:
    """None where far too many labels are likelier than the limit, so that nothing need be drawn."""
    inside = restricted(evaluation, coarseness)
    unit = unit_of_row(evaluation)
    model = label_model(inside, published, unit)
    if limits is not None and _hopeless(model, published.n_units, limits):
        return None
    draws = drawn(inside, coarseness, published, model, unit) if in_integers(inside) else None
    if draws is None:
        return _Likely(_by_score(inside, coarseness, published, model, unit), None)
    whole = coarseness.scores == 1 or not coarseness.comparisons
    return _Likely(draws.posterior, draws if whole else None)


def _hopeless(model: LabelModel, units: int, limits: Limits) -> bool:
    far = 0.5 + limits.posterior / 2
    return int((model.surest > far).sum()) * _times(model.surest, units) > limits.exposed


def _times(surest: NDArray[np.float64], units: int) -> float:
    return max(1.0, units / len(surest))


def _above(surest: NDArray[np.float64], units: int, limits: Limits) -> float:
    if limits.posterior == 1.0:
        return 0.0  # those that may be certain are looked for one by one
    return float(limits.above(surest).sum()) * _times(surest, units)


def _by_score(
    inside: EvaluationNumbers,
    coarseness: Coarseness,
    published: PublicNumbers,
    model: LabelModel,
    unit: NDArray[np.intp],
) -> NDArray[np.float64]:
    """By the model of the whole page, or by draws for single scores where that is more."""
    surest = model.surest
    parts = by_score(inside)
    if len(surest) < published.n_units or not in_integers(inside) or len(parts) < 2:
        return surest
    for part in parts[:_SCORES]:
        alone = replace(inside, parts=(part,))
        page = replace(
            published,
            results=tuple(r for r in published.results if r.score == part.score),
            curves=tuple(c for c in published.curves if c[0] == part.score),
            pairs=(),
        )
        coarse = replace(coarseness, scores=1, comparisons=False)
        model = label_model(alone, page, unit)
        draws = drawn(alone, coarse, page, model, unit, wanted=_FEW)
        if draws is not None:
            surest = np.maximum(surest, draws.posterior)
    return surest


def _certain(
    evaluation: EvaluationNumbers, coarseness: Coarseness, published: PublicNumbers, allowed: int
) -> tuple[bool, int] | None:
    """Whether no exchange changes the page, and how many labels could be certain."""
    lonely = _lonely(evaluation, coarseness)
    exchangeable = _exchangeable(evaluation)
    if exchangeable and any_exchange(evaluation, coarseness, published):
        return True, lonely
    exposed = published.n_units
    if all(part.rows is not None for part in evaluation.parts):
        for other in centred(evaluation, coarseness, published) if exchangeable else ():
            if any_exchange(other, coarseness, published):
                return True, lonely
        if evaluation.n_rows * coarseness.scores <= CELLS:
            exposed = uncovered(evaluation, coarseness, published, allowed)
    return (False, exposed) if exposed <= allowed else None


def _exchangeable(evaluation: EvaluationNumbers) -> bool:
    """Whether rows change their labels one by one.

    Rows that share a label change it together, and that they share it follows from the labels.
    """
    return evaluation.copy_of is None and evaluation.cluster is None


def _lonely(evaluation: EvaluationNumbers, coarseness: Coarseness) -> int:
    return alone(evaluation, coarseness) if _exchangeable(evaluation) else 0
