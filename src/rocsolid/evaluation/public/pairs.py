"""Which scores are told apart, with p-values by class and differences of published values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocsolid.evaluation.evaluation import Evaluation
from rocsolid.evaluation.page_comparison import page_comparisons

_CLASSES = (0.001, 0.01)


@dataclass(frozen=True, slots=True)
class RoundedPairs:
    """For each pair of scores the class of its adjusted p-value, "below 0.01" for example."""

    measure: str
    alpha: float
    pairs: tuple[tuple[str, str, str], ...]

    @property
    def bits(self) -> float:
        """log₂ of the forms: each pair is in one of five classes, or none is tested."""
        return math.log2((len(_CLASSES) + 3) ** len(self.pairs) + 1)

    @property
    def apart(self) -> int:
        """How many pairs are told apart."""
        return sum(p.startswith("below") for _, _, p in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "measure": self.measure,
            "pairs": [{"a": a, "b": b, "p_adjusted": p} for a, b, p in self.pairs],
        }


def rounded_pairs(evaluation: Evaluation) -> tuple[RoundedPairs, ...]:
    """The comparisons of the private page, as far as they are published.

    The pairs stand in the order of the columns: any other would say something about the values.
    Where some rows lack a score there are none: they would be of other rows, whose class sizes are
    not published.
    """
    if any(part.kept is not None or part.rows is None for part in evaluation.parts):
        return ()
    order = {part.score: i for i, part in enumerate(evaluation.parts)}
    alpha = 1.0 - evaluation.options.level
    found = []
    for one in page_comparisons(evaluation)[0]:
        pairs = []
        for pair in one.pairs:
            a, b = sorted((pair.a, pair.b), key=order.__getitem__)
            pairs.append((a, b, _class(pair.p_adjusted, alpha)))
        pairs.sort(key=lambda pair: (order[pair[0]], order[pair[1]]))
        if pairs:
            found.append(RoundedPairs(one.measure, alpha, tuple(pairs)))
    return tuple(found)


def _class(p: float, alpha: float) -> str:
    if math.isnan(p):
        return "no test holds"
    for limit in (*(limit for limit in _CLASSES if limit < alpha), alpha):
        if p < limit:
            return f"below {limit:.4g}"
    return f"{alpha:.4g} or more"
