"""The data behind a policy: labelled rows, engine summaries, or ranked lists."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.of_summaries import compared_elsewhere
from rocsolid.comparison.options import compared_by
from rocsolid.comparison.sign_flip import Mean
from rocsolid.engines.engine import Columns, Engine, Key, Reading, Segment
from rocsolid.engines.in_memory import InMemory, collected, open_engine
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.evaluation.compare_table import comparison_needs_rows
from rocsolid.evaluation.evaluate_table import evaluation_needs_rows
from rocsolid.evaluation.folds import FoldColumns
from rocsolid.evaluation.sample import Sample
from rocsolid.gating.policy import Policy, Rule
from rocsolid.gating.quantity import (
    BinaryData,
    DifferenceQuantity,
    FoldedRows,
    PolicyData,
    Quantity,
    ScoreQuantity,
)
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.delimited import listed
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredElsewhere, ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.terms import PlacementTerm

if TYPE_CHECKING:
    from rocsolid.answer.answer import Answer


_PAIR = 2


def rule_needs_rows(rule: Rule, columns: Columns, options: Options, *, paired: bool) -> bool:
    """An engine pairs all scores at once, over all rows. For unweighted, unclustered rows, its
    certified limit of a difference is wider than the limit from the rows.
    """
    measure = measure_of(rule.measure)
    columns = columns if rule.segments else replace(columns, by=())
    several = len(columns.scores) > _PAIR if paired else bool(rule.segments) and not rule.score
    if rule.condition == "bits_at_most" or (columns.nan == "omit" and several):
        return True
    if not paired:
        return evaluation_needs_rows(columns, (measure,), options)
    alike = columns.weight is None and columns.cluster is None
    if rule.segments or (rule.evidence == "certified" and alike):
        return True
    return comparison_needs_rows(columns, measure, DEFAULT)


class ReducedRows(BinaryData):
    def __init__(self, engine: Engine, options: Options, measures: Iterable[BinaryMeasure]) -> None:
        self._engine, self._options = engine, options
        self._terms = tuple(
            {measure.term: None for measure in measures if measure.term is not None}
        )
        self.source, self.rows, self.warnings = engine.source, engine.rows, engine.warnings
        self._by_key = cache(self._segments)
        by, scores = engine.columns.by, engine.columns.scores
        self._keys = list(self._by_key(scores[0])) if by else []
        self.segments = [dict(zip(by, key, strict=True)) for key in self._keys]
        self._whole = cache(self._all_rows)
        self._paired = cache(engine.paired)

    @cached_property
    def clusters(self) -> int | None:  # type: ignore[override]
        columns = self._engine.columns
        if columns.cluster is None:
            return None
        with suppress(OneClassError):
            whole = self._whole(columns.scores[0]).summary
            return None if whole is None else whole.clusters
        return None

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        part = self._part(score, segment)
        if part.summary is None:
            word = "negative" if part.n_pos else "positive"
            raise OneClassError(f"there is no {word} row", fix=f"add {word} rows")
        scored = ScoredElsewhere(self._engine, score, part)
        return ScoreQuantity(partial(measure_of(measure).estimate, scored), self._options)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        assert segment is None
        of_rows, options = measure_of(measure), self._options
        samples: dict[str, Scored] = {
            name: ScoredElsewhere(
                self._engine, name, self._whole(name, complete=True), complete=True
            )
            for name in (a, b)
        }
        values = {
            name: of_rows.estimate(scored, replace(options, certified=False))
            for name, scored in samples.items()
        }
        scores = self._engine.columns.scores
        spread, _ = self._paired(of_rows.term or PlacementTerm())
        compared = compared_elsewhere(of_rows, spread, scores, samples, values)
        return DifferenceQuantity.of(compared, options)

    def shorter_in_memory(self, measure: str, score: str, segment: int | None) -> bool:
        summary = self._part(score, segment).summary
        return summary is not None and measure_of(measure).shorter_in_memory(summary)

    def positives(self, score: str, segment: int | None) -> int:
        if score or segment is not None:
            return self._part(score or self._engine.columns.scores[0], segment).n_pos
        return self._whole(self._engine.columns.scores[0], complete=True).n_pos

    def rows_with(self, score: str) -> BinaryRows:
        raise UnsoundError(f"the rows with {score} are not available")

    def close(self) -> None:
        self._engine.close()

    def _part(self, score: str, segment: int | None) -> Segment:
        if segment is None:
            return self._whole(score)
        return self._by_key(score)[self._keys[segment]]

    def _all_rows(self, score: str, *, complete: bool = False) -> Segment:
        return self._engine.summary(score, complete=complete, terms=self._terms)

    def _segments(self, score: str) -> dict[Key, Segment]:
        return {part.key: part for part in self._engine.segments(score, self._terms)}


def labelled(
    policy: Policy, data: Any, scores: tuple[str, ...], paired: Container[int], reading: Reading
) -> BinaryData:
    """Read labelled rows, or use an engine's summaries if they are enough for every rule.

    ``paired`` contains the numbers of the rules that compare two scores. A class without a row
    leaves rules open and is not an error.
    """
    option = policy.option
    columns = Columns(
        option("label"), scores, policy.by, option("sample_weight"), option("cluster"),
        option("pos_label"), option("lower_is_better"), option("nan"), option("frequency"),
    )  # fmt: skip
    options = Options(
        lower_is_better=columns.lower_is_better,
        nan=columns.nan,
        resampling=Resampling(seed=policy.seed),
        design=option("design"),
    )
    if option("fold"):
        folded = FoldColumns(option("fold"), option("repeat"), option("order"))
        with _named_in(policy.rules, scores):
            return FoldedRows(data, columns, folded, options)
    with ExitStack() as opened, _named_in(policy.rules, scores):
        engine = opened.enter_context(closing(open_engine(data, columns, reading)))
        with suppress(OneClassError):
            engine.check()
        for rule in policy.rules:
            needs_rows = rule_needs_rows(rule, columns, options, paired=rule.number in paired)
            if needs_rows and not isinstance(engine, InMemory):
                with _placed(rule):
                    engine = collected(engine)
        opened.pop_all()
    options = replace(options, pos_label=engine.pos_label)
    if isinstance(engine, InMemory):
        return LabelledRows(engine, options)
    return ReducedRows(engine, options, [measure_of(rule.measure) for rule in policy.rules])


class LabelledRows(BinaryData):
    def __init__(self, table: InMemory, options: Options) -> None:
        self.source, self.rows, self._table = table.source, table.rows, table
        self.warnings, self._options = table.warnings, options
        self.clusters = None if table.cluster is None else int(table.cluster.max()) + 1
        segments = table.segments
        self.segments = (
            [] if segments is None else [segments.key(at) for at in range(len(segments))]
        )
        # cached because several rules may need the same rows
        self._scored = cache(table.rows_of)
        self._grouped = cache(self._groups)
        self._part = cache(self._rows_of)

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        (scored,) = self._part((score,), segment)
        estimated = partial(measure_of(measure).estimate, _both(scored))
        return ScoreQuantity(estimated, self._options)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        pair = dict(zip((a, b), map(_both, self._part((a, b), segment)), strict=True))
        options = replace(self._options, certified=False)
        return DifferenceQuantity.of(compared_by(measure_of(measure), pair, options), options)

    def positives(self, score: str, segment: int | None) -> int:
        scores = (score,) if score else self._table.columns.scores
        return int(np.count_nonzero(self._part(scores, segment)[0].rows.positive))

    def rows_with(self, score: str) -> BinaryRows:
        return self._part((score,), None)[0].rows

    def _rows_of(self, scores: tuple[str, ...], segment: int | None) -> tuple[ScoredRows, ...]:
        every = [self._scored(score) for score in scores]
        mask = self._mask(scores)
        if mask is None and len(scores) > 1:  # reuse the cached rows of each score
            return tuple(self._part((score,), segment)[0] for score in scores)
        if segment is None and len(scores) == 1:
            return (ScoredRows(every[0][0]),)
        whole = np.arange(self.rows) if mask is None else np.flatnonzero(mask)
        if segment is not None:
            whole = whole[self._grouped(scores).rows(segment)]
        if mask is None:
            return (ScoredRows(every[0][0].subset(whole)),)
        left_out = int(np.count_nonzero(~mask)) if segment is None else 0
        return tuple(
            ScoredRows(
                rows.subset(whole if kept is None else (np.cumsum(kept) - 1)[whole], left_out)
            )
            for rows, kept in every
        )

    def _mask(self, scores: tuple[str, ...]) -> NDArray[np.bool_] | None:
        kept = [kept for _, kept in map(self._scored, scores) if kept is not None]
        return np.logical_and.reduce(kept) if kept else None

    def _groups(self, scores: tuple[str, ...]) -> Groups:
        groups = self._table.groups_of(self._mask(scores))
        assert groups is not None
        return groups


class JudgedLists(PolicyData):
    """The values of each measure by query, from a table or from run files.

    Values by another kind of unit are used as given.
    """

    def __init__(
        self, policy: Policy, data: Any, scores: tuple[str, ...], reading: Reading
    ) -> None:
        measures = tuple(dict.fromkeys(rule.measure for rule in policy.rules))
        self.segments, self.unit = [], "queries"
        self._means: dict[str, UnitMean] = {}
        parts: Mapping[tuple[str, int | None], Mapping[str, QueryEstimate]]
        if isinstance(data, Sample):
            check_scores(scores, data)
            self.source, self.rows, self.unit = data.source, data.units, data.plural
            self.warnings, self._means = data.warnings, {data.measure: data.mean}
            parts = {(data.measure, None): data.estimates()}
        elif policy.runs:
            runs = _runs(policy, scores, measures)
            self.source, self.rows = runs.qrels, len(runs.queries)
            parts = {(measured.asked, None): measured.estimates for measured in runs.measures}
        else:
            table = _table(policy, data, scores, measures, reading)
            self.source, self.rows = table.source, table.queries
            parts = {(measured.asked, None): measured.estimates for measured in table.measures}
            if table.segments is not None:
                self.segments = [table.segments.key(at) for at in range(len(table.segments))]
                parts |= {
                    (measured.asked, measured.segment): measured.estimates
                    for measured in table.parts
                }
        self._parts = parts

    def _quantity(self, measure: str, score: str, segment: int | None) -> Quantity:
        values, mean = self._values(measure, score, segment)
        return ScoreQuantity(partial(mean.estimate, values), EstimateOptions(), self.unit)

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Quantity:
        first, mean = self._values(measure, a, segment)
        second, _ = self._values(measure, b, segment)
        means = {a: Mean(float(first.mean())), b: Mean(float(second.mean()))}
        pair = {a: first, b: second}
        compared = compared_by(mean, pair, EstimateOptions(), estimates=means)
        return DifferenceQuantity(compared, f"{len(first):,} {self.unit}", Resampling(10_000))

    def range(self, measure: str) -> tuple[float, float]:
        _, mean = self._values(measure, next(iter(self._parts[measure, None])), None)
        return mean.ends

    def _values(
        self, measure: str, score: str, segment: int | None
    ) -> tuple[NDArray[np.float64], UnitMean]:
        estimate = self._parts[measure, segment].get(score)
        if estimate is None:
            raise OneClassError("no query has a value", fix="add queries with relevant documents")
        low, high = estimate.interval.range
        limits = (low, high) if np.isfinite(high - low) else None
        mean = self._means.get(measure) or UnitMean(measure, limits)
        return estimate.per_query[~np.isnan(estimate.per_query)], mean


def check_scores(scores: tuple[str, ...], sample: Sample) -> None:
    for score in scores:
        if score not in sample.values:
            raise InputError(
                "no score has this name", where="rule", value=score,
                fix=f"the scores are {listed(list(sample.values))}",
            )  # fmt: skip


def _table(
    policy: Policy, data: Any, scores: tuple[str, ...], measures: tuple[str, ...], reading: Reading
) -> Answer:
    from rocsolid.evaluation.evaluate_queries import evaluate_queries

    option = policy.option
    read: dict[str, Any] = {name: option(name) for name in ("lower_is_better", "nan")}
    with _named_in(policy.rules, scores):
        return evaluate_queries(
            data,
            Columns(option("label"), scores, policy.by, **read),
            option("qid"),
            measures,
            options=EstimateOptions(**read),
            reading=reading,
            profile=option("profile"),
            how={"adjust": "none"},
        )


def _runs(policy: Policy, scores: tuple[str, ...], measures: tuple[str, ...]) -> Answer:
    from rocsolid.evaluation.runs import evaluate_runs

    for rule in policy.rules:
        for name in (rule.score, rule.other):
            if name in scores and name not in policy.runs:
                raise InputError(
                    "no run has this name",
                    where=f"rule {rule.number}",
                    value=name,
                    fix=f"the runs are {listed(list(policy.runs))}",
                )
    return evaluate_runs(
        str(policy.folder / policy.option("qrels")),
        {name: str(policy.folder / policy.runs[name]) for name in scores},
        measures,
        profile=policy.option("profile"),
        adjust="none",
    )


def _both(scored: ScoredRows) -> ScoredRows:
    for of_class, word in ((scored.rows.positive, "positive"), (~scored.rows.positive, "negative")):
        if not of_class.any():
            raise OneClassError(f"there is no {word} row", fix=f"add {word} rows")
    return scored


@contextmanager
def _placed(rule: Rule) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        place = f"rule {rule.number}, {error.where}"
        raise InputError(error.what, where=place, fix=error.fix) from None


@contextmanager
def _named_in(rules: tuple[Rule, ...], scores: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        for rule in rules:
            for name in (rule.score, rule.other):
                if name in scores and error.what.startswith(f"there is no column {name!r};"):
                    place = f"rule {rule.number}, {error.where}"
                    raise InputError(error.what, where=place, fix=error.fix) from None
        raise
