"""Which labelings give the very same public page: all that fit are tried, where they are few."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import estimate
from rocsolid.binary.grouped_auc import grouped_auc
from rocsolid.engines.memory import summarise
from rocsolid.errors import RocsolidError
from rocsolid.evaluation.evaluation import Evaluation, ScoreResult
from rocsolid.evaluation.public.published import Published, without_audit
from rocsolid.leaks import labelings

TRIED = 500
"""Up to this many labelings are evaluated one after the other, a few seconds of work."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """How many labelings give the page, and for each row how many of them call it positive."""

    count: int
    positive: NDArray[np.int64]

    @property
    def certain(self) -> int:
        """The rows whose label is the same in all of them."""
        return int(np.count_nonzero((self.positive == 0) | (self.positive == self.count)))


def every_labeling(
    evaluation: Evaluation, published: Published, fits_auc: int | None
) -> Fitting | None:
    """Try every labeling with the published class sizes and first AUC; None if that is too many.

    ``fits_auc`` is how many there are, None if it is not known exactly. Only where labels alone
    make the page: AUCs of rows of equal weight, none missing, whose intervals are not resampled.
    """
    first, rows = published.overall[0], evaluation.parts[0].rows
    if rows is None or fits_auc is None or fits_auc > TRIED or not _can_try(evaluation):
        return None
    same = json.dumps(published.to_dict(), default=str)
    found = np.zeros(evaluation.n_rows, dtype=np.int64)
    count = 0
    # all that round to the published AUC are among these, which take a half either way
    for labels in labelings(first.text, rows.score, n_pos=first.n_pos):
        try:
            other = without_audit(relabelled(evaluation, labels))
        except RocsolidError:  # no such page, so it is not this one
            continue
        if json.dumps(other.to_dict(), default=str) == same:
            count += 1
            found += labels
    return Fitting(count, found)


def _can_try(evaluation: Evaluation) -> bool:
    return all(
        part.measure.pairwise
        and part.rows is not None
        and part.rows.weight is None
        and part.kept is None
        and len(part.rows) == evaluation.n_rows
        and "resamples" not in part.overall.settings
        for part in evaluation.parts
    )


def relabelled(evaluation: Evaluation, labels: NDArray[np.bool_]) -> Evaluation:
    """The same evaluation with other labels."""
    parts = []
    for part in evaluation.parts:
        assert part.rows is not None
        rows = replace(part.rows, positive=labels)
        overall = estimate(summarise(rows), evaluation.options, rows.omitted, rows)
        grouped = None
        if part.grouped is not None:
            grouped = grouped_auc(rows, part.grouped.groups, evaluation.options)
        parts.append(ScoreResult(part.score, part.measure, rows, overall, grouped, part.kept))
    return replace(evaluation, parts=tuple(parts))
