"""A page that may be published: an evaluation at a coarseness."""

from __future__ import annotations

import json
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.public_numbers import PublicNumbers, restricted, without_audit
from rocsolid.evaluation.public.relabelled import relabelled, unit_of_row
from rocsolid.evaluation.public.segments import RoundedResult
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult


class Candidate:
    """A page before its audit; its numbers are computed on first access."""

    def __init__(self, evaluation: EvaluationNumbers, coarseness: Coarseness) -> None:
        self.evaluation, self.coarseness = evaluation, coarseness

    @cached_property
    def inside(self) -> EvaluationNumbers:
        """The part of the evaluation that the page publishes."""
        return restricted(self.evaluation, self.coarseness)

    @cached_property
    def published(self) -> PublicNumbers:
        return without_audit(self.evaluation, self.coarseness)

    @cached_property
    def text(self) -> str:
        """The page as JSON; empty if a method is not defined for these labels."""
        try:
            return json.dumps(self.published.to_dict(), default=str)
        except RocsolidError:
            return ""

    @cached_property
    def unit(self) -> NDArray[np.intp]:
        return unit_of_row(self.evaluation)

    @cached_property
    def results(self) -> dict[tuple[str, str, str], RoundedResult]:
        """The published results by score, measure and segment."""
        return {(one.score, one.measure, str(one.by)): one for one in self.published.results}

    def result(self, part: ScoreResult, group: int | None = None) -> RoundedResult:
        """The published result of a score and measure, over all rows or in a segment."""
        segments = self.inside.segments
        by = None if group is None or segments is None else segments.key(group)
        return self.results[part.score, part.measure.name, str(by)]

    def relabelled(self, labels: NDArray[np.bool_]) -> Candidate:
        """Return the same page for other labels."""
        return Candidate(relabelled(self.evaluation, labels), self.coarseness)
