"""Thousands of scores of the same rows, each sorted once, with joint inference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer, AnswerKind, TextForms
from rocsolid.answer.card import card_of_entries
from rocsolid.answer.entry import Entry, Later
from rocsolid.answer.frame import values_drawn
from rocsolid.answer.tables import warnings_of
from rocsolid.arguments import whole
from rocsolid.binary.estimate import Options, auc_estimate, estimate
from rocsolid.binary.inference import asked_interval
from rocsolid.comparison.together import SOURCE, FarthestDraws
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import check_classes, summarise
from rocsolid.errors import OneClassError
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.inputs.models import ScoreColumns
from rocsolid.intervals.calibrated.auto import auto, auto_p_values, hull_share
from rocsolid.intervals.calibrated.standard_error import degrees_of_freedom
from rocsolid.intervals.estimate_options import leader, on_logits, picked, won_between
from rocsolid.measures.whole_area import WholeArea
from rocsolid.pictures.lanes import MOST
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.report.text import Bar, Cells, number
from rocsolid.results.card import Card
from rocsolid.results.comparison import Winner
from rocsolid.results.equivalence import p_equals, p_text
from rocsolid.results.estimate import JointEstimate, extended
from rocsolid.results.framed import library_of
from rocsolid.results.interval import Interval, percent
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import negligible
from rocsolid.summaries.weighted_placements import PlacedRows

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 21  # influences worked on together
_NEAR = 32  # scores whose covariance with the winner is computed together


@dataclass(frozen=True, slots=True, eq=False)
class ScoredOnce:
    summary: BinarySummary
    interval: Interval
    omitted: int


@dataclass(frozen=True, slots=True, eq=False)
class ManyNumbers:
    """``level_of_each`` is the level at which the interval of a score alone is simultaneous."""

    names: tuple[str, ...]
    values: _FLOATS
    std_errors: _FLOATS
    low: _FLOATS
    high: _FLOATS
    simultaneous_low: _FLOATS
    simultaneous_high: _FLOATS
    p_values: _FLOATS
    winner: Winner | None
    rows: int
    level: float
    level_of_each: float
    resamples: int
    seed: int
    scored: tuple[ScoredOnce, ...]
    options: Options

    @property
    def scores(self) -> int:
        """The number of scores."""
        return len(self.names)

    @property
    def best(self) -> str:
        """The score with the highest value."""
        return self.names[leader(self.values)]

    @property
    def significant(self) -> int:
        return int(np.count_nonzero(self.p_values < 1.0 - self.level))

    @property
    def ordered(self) -> tuple[int, ...]:
        """The positions of the scores, the clearest first."""
        away = np.abs(self.values - 0.5)
        return tuple(np.lexsort((-away, self.p_values)).tolist())

    @property
    def results(self) -> tuple[Entry, ...]:
        return tuple(self.entry(place) for place in range(self.scores))

    def entry(self, place: int) -> Entry:
        own = self.scored[place]
        alone = auc_estimate(own.summary, own.interval, None, self.options, own.omitted, cut=False)
        simultaneous = replace(
            own.interval,
            low=float(self.simultaneous_low[place]),
            high=float(self.simultaneous_high[place]),
            method="max-t",
            source=f"{own.interval.source}; {SOURCE}",
            drawn=f"{self.resamples:,} draws of normal errors, seed {self.seed}",
        )
        joint = extended(
            JointEstimate, alone, certified=None, fingerprint="", simultaneous=simultaneous,
            p_adjusted=float(self.p_values[place]),
        )  # fmt: skip
        return Entry(self.names[place], "auc", None, joint)


def many(
    y_true: Any,
    scores: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Answer:
    """Compute the AUC of many scores of the same rows, and test which rank better than chance.

    ``scores`` are columns: a matrix with one row per label, a dataframe, or a mapping of names.
    Each score is sorted once, and memory beyond the scores does not grow with their number. The
    answer has ``values``, ``std_errors``, ``low`` and ``high``, as in `rocsolid.auc` for each
    score; ``p_values`` of the tests that the AUC is one half, adjusted for all scores;
    ``simultaneous_low`` and ``simultaneous_high``, limits that hold jointly; the ``best`` score,
    and as ``winner`` its value with an interval corrected for the selection. ``results`` has an
    estimate for each score.

    The p-values and limits are those of the largest statistic (max-t): ``resamples`` draws of
    normal errors with the covariance of the AUCs, by Gaussian multipliers of each row's influence
    from ``seed``. A score's own p-value is the error at which its default interval excludes one
    half. ``nan="omit"`` leaves out rows that lack a score for that score alone. Nothing is
    certified.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = np.arange(400) % 2
    >>> found = many(y, rng.normal(size=(400, 50)) + np.outer(y, np.arange(50) == 7))
    >>> found.best, found.significant, found.p_values.argmin()
    ('7', 1, np.int64(7))
    >>> print(found.winner)
    7 has the highest value, 0.7...; corrected for picking the best: [0.7..., 0.8...] at
    95 %
    """
    draws = FarthestDraws(whole(resamples, "resamples", 1), whole(seed, "seed", 0))
    options = Options(level=level, pos_label=pos_label, lower_is_better=lower_is_better, nan=nan)
    reading = _Reading(ScoreColumns.of(scores), y_true, sample_weight, cluster, options)
    scored: list[ScoredOnce] = []
    for block, influences in reading.blocks():
        scored += block
        draws.add(reading.spread(influences).strata)
    moments = Moments.stacked([each.summary.calibrated_moments for each in scored])
    p_values, level_of_each = draws.together(auto_p_values(moments), level)
    errors = (each.summary.std_error for each in scored)
    numbers = ManyNumbers(
        reading.columns.names,
        np.asarray(moments.auc),
        np.array([np.nan if error is None else error for error in errors]),
        np.array([each.interval.low for each in scored]),
        np.array([each.interval.high for each in scored]),
        *auto(moments, level_of_each, "two-sided"),
        p_values,
        _winner(reading, moments, level) if len(scored) > 1 else None,
        len(reading.rows),
        level,
        level_of_each,
        resamples,
        seed,
        tuple(scored),
        options,
    )
    library = library_of(scores)
    return Answer(MANY, "scores", Later(numbers, "results"), basis=numbers, library=library)


class _Reading:
    def __init__(
        self, columns: ScoreColumns, y_true: Any, weight: Any, cluster: Any, options: Options
    ) -> None:
        self.columns, self.options = columns, options
        self._read = partial(
            binary_rows, y_true, sample_weight=weight, cluster=cluster,
            pos_label=options.pos_label, lower_is_better=options.lower_is_better, nan=options.nan,
        )  # fmt: skip
        self.rows = binary_rows(
            y_true, np.zeros(len(y_true)), sample_weight=weight, cluster=cluster,
            pos_label=options.pos_label,
        )  # fmt: skip
        check_classes(self.rows)

    def blocks(self) -> Iterator[tuple[list[ScoredOnce], list[_FLOATS]]]:
        count, width = len(self.columns.names), max(1, _CELLS // len(self.rows))
        for start in range(0, count, width):
            places = range(start, min(start + width, count))
            given = self.columns.between(places.start, places.stop)
            each = [self.scored(*one) for one in zip(places, given, strict=True)]
            yield [scored for scored, _ in each], [influence for _, influence in each]

    def influences(self, places: Sequence[int]) -> list[_FLOATS]:
        return [self.scored(at, self.columns.between(at, at + 1)[0])[1] for at in places]

    def spread(self, influences: Sequence[_FLOATS]) -> Spread:
        return Spread.of(self.rows, influences)

    def scored(self, place: int, values: Any) -> tuple[ScoredOnce, _FLOATS]:
        """One score, and the influence of every row on its AUC, from one sort of plain rows."""
        name = f"score {self.columns.names[place]!r}"
        rows = self._read(values, name=name)
        try:
            check_classes(rows)
        except OneClassError as error:
            raise OneClassError(error.what, where=name, fix="leave this score out") from None
        if rows.weight is None and rows.cluster is None and not rows.evened:
            ranked = PlacedRows.of(rows.positive, rows.score)
            influence, sums = ranked.placement(), ranked.placements()
            summary = BinarySummary(
                sums.n_pos, sums.n_neg, sums.tied_pairs, sums.moments, Fingerprint(1),
                ratio=sums.ratio,
            )  # fmt: skip
            may_be_cut = bool(hull_share(summary.moments) > 0.0)  # to its certificate
        else:
            influence, summary = WholeArea().influence(rows), _sums_of(summarise(rows))
            may_be_cut = False
        interval = (
            estimate(summarise(rows), self.options).interval
            if may_be_cut
            else asked_interval(summary, "auto", self.options.level, "two-sided")
        )
        if rows.omitted:
            present = ~np.isnan(valid_scores(values, name=name, nan="allow"))
            influence = self._everywhere(influence, rows, present, summary.auc)
        return ScoredOnce(summary, interval, rows.omitted), influence

    def _everywhere(
        self, influence: _FLOATS, rows: BinaryRows, present: NDArray[np.bool_], auc: float
    ) -> _FLOATS:
        of_rows = np.full(len(self.rows), auc)
        for positive in (True, False):
            here = rows.positive == positive
            weights = [
                float(np.count_nonzero(some)) if each.weight is None else each.weight[some].sum()
                for each, some in ((self.rows, self.rows.positive == positive), (rows, here))
            ]
            some = present & (self.rows.positive == positive)
            of_rows[some] += (influence[here] - auc) * (weights[0] / weights[1])
        return of_rows


def _sums_of(summary: BinarySummary) -> BinarySummary:
    return BinarySummary(
        summary.n_pos, summary.n_neg, summary.ties, summary.moments, Fingerprint(1),
        summary.ratio, squared_shares=summary.squared_shares, weighted=summary.weighted,
        evened=summary.evened, clusters=summary.clusters,
    )  # fmt: skip


def _winner(reading: _Reading, moments: Moments, level: float) -> Winner | None:
    """The covariances of the winner with scores far behind it stay at 0, because these scores
    cannot narrow the range in which the winner wins, at any correlation.
    """
    values, variance = (np.asarray(part) for part in (moments.auc, moments.variance))
    best = leader(values)
    if not variance[best] > negligible(1.0):
        return None
    scaled, slope = on_logits(values)
    ratio = np.sqrt(np.nan_to_num(variance) * slope**2 / (variance[best] * slope[best] ** 2))
    behind = scaled[best] - scaled
    lowest = behind / (1.0 + ratio)  # the winner could win until it falls by as much, or less far
    highest = np.divide(behind, ratio - 1.0, out=np.full_like(behind, np.inf), where=ratio > 1.0)
    shared, known = np.zeros(len(values)), [best]
    shared[best] = variance[best]
    order = np.argsort(np.minimum(lowest, highest), kind="stable")
    order = order[order != best]
    for start in range(0, len(order), _NEAR):
        low, high = won_between(scaled[known], (shared * slope * slope[best])[known], 0)
        some = order[start : start + _NEAR]
        some = some[(lowest[some] < scaled[best] - low) | (highest[some] < high - scaled[best])]
        if len(some):
            spread = reading.spread(reading.influences([best, *some.tolist()]))
            shared[some] = spread.covariance()[0, 1:]
            known += some.tolist()
    df = np.nanmin(degrees_of_freedom(moments))
    return picked(reading.columns.names, values, shared, df, level, logits=True, range=(0.0, 1.0))


_SHOWN, _ON_PAGE, _ON_CARD = 5, 500, 12  # scores in the text, on a page, and on a card


def _text(answer: Answer) -> Iterator[str]:
    numbers: ManyNumbers = answer.basis
    yield from _verdict(answer)
    for place in numbers.ordered[:_SHOWN]:
        entry = numbers.entry(place)
        limits = f"[{entry.simultaneous.low:.4f}, {entry.simultaneous.high:.4f}]"
        p = p_equals(entry.p_adjusted)
        yield f"{entry.score}: AUC {entry.value:.4f}, {limits} with all others, adjusted {p}"
    if numbers.scores > _SHOWN:
        yield f"{numbers.scores - _SHOWN:,} more are in .results."
    yield _how(numbers)


def _verdict(answer: Answer) -> tuple[str, ...]:
    numbers: ManyNumbers = answer.basis
    value = number(float(numbers.values.max()))
    share = f"{numbers.significant:,} of {counted(numbers.scores, 'score')}"
    significant = f"{share} differ significantly from chance, jointly at {percent(numbers.level)}."
    won = () if numbers.winner is None else (f"{numbers.winner}.",)
    return (f"{numbers.best} has the highest AUC: {value}.", significant, *won)


def _how(numbers: ManyNumbers) -> str:
    return (
        f"Adjusted for all scores by max-t ({numbers.resamples:,} draws, seed {numbers.seed}); "
        f"the joint limits equal each score's limits at {percent(numbers.level_of_each)}."
    )


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    numbers: ManyNumbers = answer.basis
    most = min(numbers.scores, _ON_PAGE if form.rows is None else form.rows)
    entries = [numbers.entry(place) for place in numbers.ordered[:most]]
    level = percent(numbers.level)
    rows = tuple(
        (
            entry.score, number(entry.value), *(
                f"{number(limits.low)} – {number(limits.high)}"
                for limits in (entry.interval, entry.simultaneous)
            ),
            p_text(entry.p_adjusted),
        )
        for entry in entries
    )  # fmt: skip
    caption = f"{counted(numbers.scores, 'score')} of {counted(numbers.rows, 'row')}."
    cells = Cells(caption, ("score", "AUC", level, f"{level} all", "p adj."), rows)
    bars = tuple(
        Bar(entry.value, (entry.low, entry.high), (entry.simultaneous.low, entry.simultaneous.high))
        for entry in entries
    )
    sentences = () if form.verdict else _verdict(answer)
    yield TextBlock(
        "", cells, sentences, warnings_of(entries, most=3), (_how(numbers),), bars, 0.5,
        numbers.scores - most,
    )  # fmt: skip


def _page(answer: Answer, title: str, command: str) -> Page:
    numbers: ManyNumbers = answer.basis
    drawn = {one.score: one for one in map(numbers.entry, numbers.ordered[:MOST])}
    best = max(drawn.values(), key=lambda entry: entry.value)
    large = (values_drawn(drawn, "AUC", chance=best.chance),)
    return replace(TextForms._page(answer, title, command), large=large)


def _card(answer: Answer) -> Card:
    numbers: ManyNumbers = answer.basis
    best = np.argsort(-numbers.values, kind="stable")[:_ON_CARD].tolist()
    entries = [numbers.entry(place) for place in best]
    source = f"{counted(numbers.rows, 'row')}, {counted(numbers.scores, 'score')}"
    card = card_of_entries(entries, _verdict(answer), source)
    return replace(card, more=numbers.scores - len(entries))


MANY = AnswerKind(
    "scores rows level level_of_each resamples seed best winner results", _blocks, _verdict, _page,
    text=_text, card=_card,
)  # fmt: skip
