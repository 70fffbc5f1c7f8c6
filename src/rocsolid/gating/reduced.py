"""Quantities of a policy from a source that is reduced where its rows are, such as by DuckDB."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.of_summaries import compared_elsewhere
from rocsolid.comparison.systems import Mean
from rocsolid.engines.capabilities import Feature
from rocsolid.engines.engine import Columns, Engine, Key, Segment
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.compare_table import needed_to_compare
from rocsolid.evaluation.evaluate_table import needed_to_evaluate
from rocsolid.gating.quantity import DifferenceQuantity, Quantity, ScoreQuantity, classes
from rocsolid.gating.rule import Rule
from rocsolid.inputs import BinaryRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.scored import ScoredElsewhere
from rocsolid.measures.whole_area import WholeArea

_PAIR = 2


def needed_to_rule(rule: Rule, columns: Columns, options: Options, *, paired: bool) -> set[Feature]:
    """What a rule needs of a source, to be decided as from its rows; ``paired`` compares scores.

    An engine pairs all scores at once, over all rows, and certifies a difference of rows that count
    alike by a wider limit than their rows do.
    """
    measure = measure_of(rule.measure)
    columns = columns if rule.segments else replace(columns, by=())
    several = len(columns.scores) > _PAIR if paired else bool(rule.segments) and not rule.score
    again = rule.condition == "bits_at_most" or (columns.nan == "omit" and several)
    if not paired:
        needed = needed_to_evaluate(columns, (measure,), options)
    else:
        needed = needed_to_compare(columns, measure, DEFAULT)
        alike = columns.weight is None and columns.cluster is None
        again |= bool(rule.segments) or (rule.evidence == "certified" and alike)
    return needed | {"rows"} if again else needed


class ReducedRows:
    """Summaries that an engine makes of rows with labels of two classes."""

    unit = "rows"

    def __init__(self, engine: Engine, options: Options) -> None:
        self._engine, self._options = engine, options
        self.source, self.rows, self.warnings = engine.source, engine.rows, engine.warnings
        self._by_key = cache(self._segments)
        by, scores = engine.columns.by, engine.columns.scores
        self._keys = list(self._by_key(scores[0])) if by else []
        self.segments = [dict(zip(by, key, strict=True)) for key in self._keys]
        self._whole = cache(self._all_rows)
        self._paired = cache(engine.paired)
        self.quantity = cache(self._quantity)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        part = self._part(score, segment)
        if part.summary is None:
            word = "negative" if part.n_pos else "positive"
            raise OneClassError(f"there is no {word} row")
        scored = ScoredElsewhere(self._engine, score, part)
        return ScoreQuantity(measure_of(measure), scored, self._options)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        assert segment is None
        assert measure_of(measure) == WholeArea()
        summaries = {
            name: ScoredElsewhere(self._engine, name, self._whole(name, complete=True)).summary
            for name in (a, b)
        }
        values = {name: Mean(one.auc) for name, one in summaries.items()}
        (spread, _), scores = self._paired(), self._engine.columns.scores
        compared = compared_elsewhere(spread, scores, summaries, values)
        options = self._options
        return DifferenceQuantity(
            compared, classes(summaries[a]), options.resampling, options.design
        )

    def span(self, measure: str) -> tuple[float, float]:
        return measure_of(measure).span

    def positives(self, score: str, segment: int | None) -> int:
        """Those that have the score, or every score where none is named."""
        if score or segment is not None:
            return self._part(score or self._engine.columns.scores[0], segment).n_pos
        return self._whole(self._engine.columns.scores[0], complete=True).n_pos

    def rows_with(self, score: str) -> BinaryRows:
        raise UnsoundError(f"the rows with {score} are not at hand")

    def close(self) -> None:
        self._engine.close()

    def _part(self, score: str, segment: int | None) -> Segment:
        if segment is None:
            return self._whole(score)
        return self._by_key(score)[self._keys[segment]]

    def _all_rows(self, score: str, *, complete: bool = False) -> Segment:
        return self._engine.summary(score, complete=complete)

    def _segments(self, score: str) -> dict[Key, Segment]:
        return {part.key: part for part in self._engine.segments(score)}
