"""The rows of a policy about ordered outcomes."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.options import compared_by
from rocsolid.errors import InputError
from rocsolid.gating.policy import Policy
from rocsolid.gating.quantity import DifferenceQuantity, PolicyData, Quantity, ScoreQuantity
from rocsolid.inputs.folds import segments_of
from rocsolid.inputs.models import outcome_rows
from rocsolid.inputs.tables import read_table
from rocsolid.measures.concordance import (
    Concordance,
    OutcomeScore,
    of_outcomes,
    refuse_for_outcomes,
)
from rocsolid.parameters import Scale

_TWO_CLASSES = ("fold", "repeat", "frequency", "pos_label")


class OutcomeRows(PolicyData):
    """Rows with ordered outcomes, which are read into memory."""

    unit = "rows"

    def __init__(self, policy: Policy, data: Any, scores: tuple[str, ...]) -> None:
        _check(policy)
        option = self._option = policy.option
        columns = {"sample_weight": option("sample_weight"), "cluster": option("cluster")}
        label, weight, cluster = option("label"), *columns.values()
        table = self._table = read_table(
            data, numbers=[label, *scores, *filter(None, [weight])],
            keys=[*policy.by, *filter(None, [cluster])],
        )  # fmt: skip
        self._label, self._columns = label, columns
        self.source, self.rows, self.warnings = table.source, len(table), table.warnings
        self.clusters = None if cluster is None else len(np.unique(table[cluster]))
        segments = segments_of(table, policy.by) if policy.by else None
        self._code = None if segments is None else segments.code
        self.segments = [] if segments is None else [segments.key(i) for i in range(len(segments))]
        self._options = Options(
            lower_is_better=option("lower_is_better"), nan=option("nan"),
            resampling=Resampling(seed=policy.seed), design=option("design"),
        )  # fmt: skip
        self._ordered = cache(self._read)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        estimated = partial(self._ordered((score,), segment).estimate, score, scale_of(measure))
        return ScoreQuantity(estimated, self._options)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        rows = self._ordered((a, b), segment)
        pair = {name: OutcomeScore(rows, name) for name in (a, b)}
        compared = compared_by(Concordance(scale_of(measure)), pair, self._options)
        return DifferenceQuantity.of(compared, self._options)

    def range(self, measure: str) -> tuple[float, float]:  # noqa: ARG002
        return Concordance.range

    def _read(self, scores: tuple[str, ...], segment: int | None) -> OrderedRows:
        inside: NDArray[np.bool_] | slice = slice(None)
        if segment is not None:
            assert self._code is not None
            inside = self._code == segment
        table = self._table
        of_rows = {
            key: None if name is None else table[name][inside]
            for key, name in self._columns.items()
        }
        return OrderedRows.of(
            outcome_rows(
                table[self._label][inside], {name: table[name][inside] for name in scores},
                lower_is_better=self._options.lower_is_better, nan=self._options.nan,
                word="column", name=f"column {self._label!r}", rows=table.rows, **of_rows,
            )
        )  # fmt: skip


def scale_of(measure: str) -> Scale:
    scale = of_outcomes(measure)
    assert scale is not None
    return scale


def _check(policy: Policy) -> None:
    refuse_for_outcomes(**{key: policy.option(key) for key in _TWO_CLASSES})
    for rule in policy.rules:
        if not rule.estimated or rule.alarm:
            raise InputError(
                f"{rule.condition} requires labels of two classes",
                where=f"rule {rule.number}",
                fix="leave the rule out, or write a policy of its own for it",
            )
        if of_outcomes(rule.measure) is None:
            raise InputError(
                f"{rule.measure} is for labels of two classes, and other rules are about ordered "
                "outcomes",
                where=f"rule {rule.number}",
                fix="write a policy for each kind of label",
            )
