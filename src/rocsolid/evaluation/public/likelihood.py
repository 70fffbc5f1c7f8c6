"""The probability of each label for a reader who has the scores and the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.draws import drawn
from rocsolid.evaluation.public.exact_readers import exact_readers
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.likely import LabelModel, label_model
from rocsolid.evaluation.public.many_pages import in_integers

_FLOATS = NDArray[np.float64]

_SCORES = 3  # scores that are sampled separately if a page has too many scores to sample together
_FEW = 1000  # sampled labelings for each of these scores
_NEARLY = 0.999  # probabilities above it are all but certain


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The largest probability of each unit's likelier label among the readers.

    A label can be less likely given more numbers, and a reader need not use them all.

    - "exact": counted over all labelings that give the page.
    - "drawn": an upper bound from ``labelings`` sampled labelings, in which the share was
      ``reached``.
    - "independent": approximate, from an attack that treats labels as independent.

    ``covered`` marks the units that have either label in some labeling of the whole page; None if
    no labeling was counted or sampled.
    """

    surest: _FLOATS
    how: Literal["exact", "drawn", "independent"]
    covered: NDArray[np.bool_] | None = None
    labelings: int = 0
    reached: float = 0.0

    def above(self, units: int, limits: Limits) -> float:
        """Return the number of labels above the limit, or 0 if only certain labels are limited."""
        if limits.posterior == 1.0:
            return 0.0
        return float(limits.above(self.surest).sum()) * _times(self.surest, units)

    @property
    def text(self) -> str:
        """The probability of the likeliest label, or its bound."""
        likeliest = float(self.surest.max())
        known = f"{likeliest:.3f}" if likeliest < _NEARLY else f"more than {_NEARLY}"
        if self.how == "exact":
            return f"{known}, counted exactly"
        if self.how == "drawn":
            return (
                f"at most {known}, a bound from {self.labelings:,} drawn labelings, in which the "
                f"largest share was {self.reached:.3f}"
            )
        return f"about {known}, reached by an attack that treats labels as independent"


def likelihood(page: Candidate, limits: Limits | None) -> Likelihood | None:
    """Compute the probabilities; None if far too many labels are above the limit, before sampling.

    A page with segments reveals at least as much as the same page without them.
    """
    coarseness = page.coarseness
    exact = exact_readers(page)
    if exact is not None and exact.covered is not None:
        return Likelihood(exact.surest, "exact", exact.covered)
    model = label_model(page)
    if limits is not None and _hopeless(model, page.published.n_units, limits):
        return None
    most = None if limits is None else limits.posterior
    draws = drawn(page, model, most=most) if in_integers(page.inside) else None
    if draws is not None:
        whole = coarseness.scores == 1 or not coarseness.comparisons
        return Likelihood(
            draws.posterior(None if exact is None or coarseness.scores > 1 else exact.surest),
            "drawn", draws.covered if whole else None, draws.count, draws.reached,
        )  # fmt: skip
    surest = _by_score(page, model)
    if exact is not None and len(surest) == len(exact.surest):
        surest = np.maximum(surest, exact.surest)
    if coarseness.segments:
        bare = replace(coarseness, segments=False)
        barer = likelihood(Candidate(page.evaluation, bare), limits)
        if barer is None:
            return None
        if len(barer.surest) == len(surest):
            surest = np.maximum(surest, barer.surest)
    return Likelihood(surest, "independent")


def _hopeless(model: LabelModel, units: int, limits: Limits) -> bool:
    far = 0.5 + limits.posterior / 2
    return int((model.surest > far).sum()) * _times(model.surest, units) > limits.exposed


def _times(surest: _FLOATS, units: int) -> float:
    return max(1.0, units / len(surest))


def _by_score(page: Candidate, model: LabelModel) -> _FLOATS:
    """Return the page model's probabilities, raised by samples for single scores."""
    inside, surest = page.inside, model.surest
    parts = inside.by_score
    if len(surest) < page.published.n_units or not in_integers(inside) or len(parts) < 2:
        return surest
    coarse = replace(page.coarseness, scores=1, comparisons=False)
    for part in parts[:_SCORES]:
        alone = Candidate(replace(inside, parts=(part,)), coarse)
        if (draws := drawn(alone, label_model(alone), wanted=_FEW)) is not None:
            surest = np.maximum(surest, draws.posterior(None))
    return surest
