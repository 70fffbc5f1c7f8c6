"""Rows with an ordered or continuous outcome, and scores that should go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from rocsolid.errors import OneClassError
from rocsolid.inputs.arrays import missing_values
from rocsolid.inputs.models import AlignedScores, aligned_scores
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import scores as valid_scores


def outcome_rows(
    outcome: Any,
    scores: Mapping[str, Any],
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    word: str = "score",
    name: str = "outcome",
    rows: Rows = ARRAY_ROWS,
) -> AlignedScores:
    """Outcomes, scores, weights and cluster keys, validated; at least two outcomes differ.

    Outcomes are compared exactly, in their own type, like scores. A missing one is an error.

    >>> outcome_rows([1.5, 3, 3], {"a": [1, 2, 3]}).scores
    {'a': array([1, 2, 3])}
    """
    truth = valid_scores(outcome, name=name, nan="allow", rows=rows)
    if truth.dtype.kind == "f" and np.isnan(truth).any():
        raise missing_values(name, np.isnan(truth), rows)
    aligned = aligned_scores(
        truth, scores, sample_weight=sample_weight, cluster=cluster,
        lower_is_better=lower_is_better, nan=nan, word=word, truth_name=name, rows=rows,
    )  # fmt: skip
    weight = aligned.weight
    seen = aligned.truth if weight is None else aligned.truth[weight > 0.0]
    if not (seen != seen[:1]).any():
        raise OneClassError(
            "all outcomes are the same, so no pair of rows can be ordered",
            where=name,
            value=seen[0] if len(seen) else "no row of a weight above zero",
            fix="collect rows of different outcomes",
        )
    if weight is not None and weight.min() == weight.max():
        # equal weights weigh nothing: the exact way is open
        return replace(aligned, weight=None, evened=True)
    return aligned
