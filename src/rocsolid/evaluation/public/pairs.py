"""Which scores differ significantly, with p-values by class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.comparison.by_measure import compared_by
from rocsolid.comparison.choice import needs_bootstrap
from rocsolid.comparison.compared import Outcome
from rocsolid.comparison.holm import holm_steps
from rocsolid.comparison.student import p_value, t_test
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.page_comparison import asked_on_page, too_long
from rocsolid.measures.scored import ScoredRows

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
        """How many pairs are significantly different."""
        return sum(p.startswith("below") for _, _, p in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "measure": self.measure,
            "pairs": [{"a": a, "b": b, "p_adjusted": p} for a, b, p in self.pairs],
        }


def rounded_pairs(evaluation: EvaluationNumbers) -> tuple[RoundedPairs, ...]:
    """The tests of the private page, as far as they are published: DeLong's, adjusted by Holm.

    The pairs stand in the order of the columns: any other would say something about the values.
    Where some rows lack a score there are none: they would be of other rows, whose class sizes are
    not published. The private page makes none where it would take too long; neither does this.
    """
    if any(part.kept is not None or part.rows is None for part in evaluation.parts):
        return ()
    by_measure: dict[str, list[ScoreResult]] = {}
    for part in evaluation.parts:
        by_measure.setdefault(part.measure.name, []).append(part)
    alpha = 1.0 - evaluation.options.level
    rounded = []
    for measure, parts in by_measure.items():
        if len(parts) < 2 or too_long(len(parts), evaluation.n_rows):
            continue
        try:
            outcome = _tested(measure, parts, evaluation)
        except (OneClassError, UnsoundError):
            continue
        if outcome is None:
            continue
        names = outcome.compared.names
        p_values = holm_steps(np.array([pair.p_value for pair in outcome.tested])).tolist()
        classes = tuple(
            (names[i], names[j], _class(p, alpha))
            for (i, j), p in zip(outcome.compared.pairs(), p_values, strict=True)
        )
        rounded.append(RoundedPairs(measure, alpha, classes))
    return tuple(rounded)


def classes_stay(evaluation: EvaluationNumbers, published: RoundedPairs) -> bool:
    """Whether no exchange of the labels of a positive and a negative changes a class.

    The difference of two AUCs moves by less than 2(1/m + 1/n). With D the differences of the
    placements of the m positives among n negatives, one is replaced and each other one moves by
    2/n at most, so that Σ(D − mean)² changes by at most 8(m − 1)/n + 5. Where that is a tenth of
    the variance or less, a fifth more or less is allowed for it and what the test adds to it, and
    between half and all of the degrees of freedom that a normal variable has.
    """
    parts = [part for part in evaluation.parts if part.measure.name == published.measure]
    outcome = _tested(published.measure, parts, evaluation)
    if outcome is None:
        return False
    m, n = parts[0].overall.n_pos, parts[0].overall.n_neg
    if min(m, n) < 2:
        return False
    reach, spread = 2 / m + 2 / n, (8 / n + 5 / (m - 1)) / m + (8 / m + 5 / (n - 1)) / n
    ends: list[list[float]] = [[], []]
    for (i, j), tested in zip(outcome.compared.pairs(), outcome.tested, strict=True):
        apart = abs(outcome.compared.difference(i, j))
        if not tested.std_error or tested.std_error**2 < 10 * spread:
            return False
        least = max(0.0, apart - reach) / (tested.std_error * math.sqrt(1.2))
        most = (apart + reach) / (tested.std_error * math.sqrt(0.8))
        ends[0].append(p_value(least, None if tested.df is None else tested.df / 2, "two-sided"))
        ends[1].append(p_value(most, None, "two-sided"))
    classes = [
        [_class(p, published.alpha) for p in holm_steps(np.array(end)).tolist()] for end in ends
    ]
    return classes[0] == classes[1]


def _tested(
    measure: str, parts: list[ScoreResult], evaluation: EvaluationNumbers
) -> Outcome | None:
    """Student's t of each pair; ``None`` where a few rows decide a difference, so that it fails."""
    comparison = asked_on_page(measure, evaluation.options)
    samples = {part.score: ScoredRows(part.in_memory) for part in parts}
    estimates = {part.score: part.overall for part in parts}
    compared = compared_by(comparison.measure, samples, comparison.options, estimates=estimates)
    if needs_bootstrap(compared, comparison.question):
        return None
    return t_test(compared, comparison.question)


def _class(p: float, alpha: float) -> str:
    if math.isnan(p):
        return "no test holds"
    for limit in (*(limit for limit in _CLASSES if limit < alpha), alpha):
        if p < limit:
            return f"below {limit:.4g}"
    return f"{alpha:.4g} or more"
