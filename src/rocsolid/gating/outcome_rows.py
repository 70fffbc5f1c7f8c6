"""The rows of a policy about ordered outcomes."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.options import compared_by
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import InputError
from rocsolid.gating.policy import Policy
from rocsolid.gating.quantity import DifferenceQuantity, PolicyData, Quantity, ScoreQuantity
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
        option = policy.option
        columns = Columns(
            option("label"), scores, policy.by, option("sample_weight"), option("cluster"), None,
            option("lower_is_better"), option("nan"), ordered=True,
        )  # fmt: skip
        table = InMemory(data, columns)
        table.check()
        self.source, self.rows, self.warnings = table.source, table.rows, table.warnings
        self.clusters = None if table.cluster is None else int(table.cluster.max()) + 1
        segments = table.segments
        self.segments = [] if segments is None else [segments.key(i) for i in range(len(segments))]
        self._options = Options(
            lower_is_better=columns.lower_is_better, nan=columns.nan,
            resampling=Resampling(seed=policy.seed), design=option("design"),
        )  # fmt: skip

        def ordered(scores: tuple[str, ...], segment: int | None) -> OrderedRows:
            return OrderedRows.of(table.ordered_rows(scores, segment))

        self._ordered = cache(ordered)

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
