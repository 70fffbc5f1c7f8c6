"""Measures of the top of a ranking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import share
from rocsolid.binary.area import rate_at
from rocsolid.binary.cumulative_gain import GainBlocks, GainTerm, bedroc_scale, exponential, falling
from rocsolid.binary.estimate import Options, Wording, uneven
from rocsolid.binary.inference import plain_certificate, plain_is_shorter_in_memory
from rocsolid.binary.rate_term import RateTerm
from rocsolid.binary.top_estimate import BAND, NAMES, TopValue, top_estimate
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import check_classes, row_influences, row_sums
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows, unclustered
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.completed_curve import Prevalence, bedroc_of, prevalence_limits
from rocsolid.intervals.guarantees.curve_point import precision_at_recall_of
from rocsolid.intervals.guarantees.weighted_best import gain_area_of
from rocsolid.measures.binary_measure import BinaryMeasure, Scored
from rocsolid.measures.picture import Picture
from rocsolid.measures.rate_at_rate import RateAtRate
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import Term, TermSums

_NAMED: dict[str, Prevalence] = {"rows": "rows", "classes": "classes"}


def _prevalence(value: str, text: str) -> Prevalence:
    try:
        prevalence = _NAMED.get(value) or float(value)
        prevalence_limits(prevalence, 1, 1, 0.5)
    except ValueError:
        raise InputError(
            "not a prevalence",
            where=text,
            value=value,
            fix="write prevalence=rows, prevalence=classes or a share such as 0.02",
        ) from None
    return prevalence


PREVALENCE = MeasureParameter(
    "prevalence",
    "the share of positives: estimated from the rows, fixed by the class sizes, or known",
    "prevalence=classes",
    _prevalence,
    default="rows",
)


@dataclass(frozen=True, slots=True)
class TopMeasure(BinaryMeasure):
    """A value that depends on the share of positives, and mostly on high-ranked rows.

    ``prevalence`` states whether that share is estimated; see `rocsolid.pr_auc`.
    """

    prevalence: Prevalence = field(default="rows", kw_only=True)

    intervals: ClassVar[tuple[str, ...]] = (*NAMES, BAND)
    bounds: ClassVar[tuple[str, ...]] = (BAND,)

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (PREVALENCE,)

    @property
    @abstractmethod
    def stem(self) -> str:
        """The name without brackets."""

    @property
    def options(self) -> tuple[str, ...]:
        """The settings in brackets before the prevalence."""
        return ()

    @property
    @abstractmethod
    def term(self) -> Term: ...

    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:  # noqa: ARG002
        """The value with the inputs of its intervals."""
        return self.top_value(row_sums(rows, self.term), rows)

    def top_value(self, sums: TermSums, rows: BinaryRows | None) -> TopValue:
        """The value from the sums of the term, with the rows if available."""
        top = self.ends(TopValue.of_sums(sums, self.prevalence, sums.trials[0]), sums)
        if rows is None:
            return top
        of_table = self.table_value(sums.details)
        return replace(top, influences=lambda: row_influences(rows, self.term), of_table=of_table)

    def ends(self, top: TopValue, sums: TermSums) -> TopValue:  # noqa: ARG002
        """The value with its range and trials."""
        return top

    @abstractmethod
    def table_value(self, details: Any) -> Callable[[ScoreCounts], float]:
        """The value as a function of a table of counts, for resamples of rows with such details."""

    @abstractmethod
    def worded(self, scored: Scored, options: Options) -> Estimate:
        """The estimate from available rows, or from the sums of a term."""

    @property
    def text(self) -> str:
        inside = list(self.options)
        if self.prevalence != "rows":
            of = self.prevalence
            inside.append(f"prevalence={of if isinstance(of, str) else format(of, 'g')}")
        return self.stem + (f"({', '.join(inside)})" if inside else "")

    @property
    def of_rows(self) -> bool:
        return self.prevalence == "rows"

    @property
    def of_ratio(self) -> bool:
        return isinstance(self.prevalence, str)

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:  # noqa: ARG002
        return n_pos * min(value, 1.0 - value)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        if scored.rows is not None:
            check_classes(scored.rows)
        return self.worded(scored, options)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        return self.found(unclustered(rows)).influences()

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        return self.found(unclustered(rows)).of_table


_MOST = 500.0


def _alpha(value: str, text: str) -> float:
    try:
        alpha = float(value)
    except ValueError:
        raise _refused(text) from None
    if not 0.0 < alpha <= _MOST:
        raise _refused(text)
    return alpha


ALPHA = MeasureParameter("alpha", "the rate at which the weight falls, at most 500", "20", _alpha)


@dataclass(frozen=True, slots=True)
class EarlyGain(TopMeasure):
    """The area under the gain curve (``alpha`` None), or BEDROC with its weight exp(−alpha·x).

    The gain curve is the share of positives among the top share x of rows; its area is π/2 +
    (1−π)·AUC with π the share of positives. BEDROC (Truchon and Bayly 2007) is between 0 and 1,
    with most weight on the top 1/alpha of the rows.

    >>> EarlyGain(20.0).name, EarlyGain(None).name
    ('bedroc(20)', 'gain')
    """

    alpha: float | None

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (PREVALENCE,) if self.alpha is None else (ALPHA, PREVALENCE)

    @property
    def words(self) -> str:
        if self.alpha is None:
            return "the area under the cumulative gain curve"
        return "an area under the gain curve with most weight at the top of the list"

    @property
    def picture(self) -> Picture:
        return "gain"

    @property
    def stem(self) -> str:
        return "gain" if self.alpha is None else "bedroc"

    @property
    def options(self) -> tuple[str, ...]:
        return () if self.alpha is None else (f"{self.alpha:g}",)

    def table_value(self, details: Any) -> Callable[[ScoreCounts], float]:  # noqa: ARG002
        alpha, (_, integral) = self.alpha, falling(self.alpha)

        def value(table: ScoreCounts) -> float:
            blocks = GainBlocks.of(table)
            mean = blocks.mean(integral)
            if alpha is None:
                return mean
            a, b, *_ = bedroc_scale(alpha, float(blocks.pos.sum()) / blocks.total)
            return min(max(a * mean - b, 0.0), 1.0)

        return value

    @property
    def term(self) -> GainTerm:
        return GainTerm(self.alpha, self.prevalence != "rows")

    def worded(self, scored: Scored, options: Options) -> Estimate:
        summary, chance, sums = scored.summary, 0.5, scored.sums(self.term)
        ranked: SortedClasses | RankedClasses | None = sums.ranked or summary.classes
        share = sums.weighs[0] / sum(sums.weighs)
        top = self.top_value(sums, scored.rows)
        meaning = "The area under the cumulative gain curve is {value}."
        if self.alpha is not None:
            a, b, *_ = bedroc_scale(self.alpha, share)
            chance = a * float(exponential(self.alpha)[1](np.ones(1))[0]) - b
            meaning = f"BEDROC with alpha {self.alpha:g} is {{value}}; a perfect score has 1."
        wording = Wording(self.name, meaning, chance, {"alpha": self.alpha})
        delta, certified, alpha = 1.0 - options.level, None, self.alpha
        side, prevalence = options.alternative, self.prevalence
        if ranked is not None and alpha is not None:
            certified = Deferred(
                lambda: bedroc_of(ranked, alpha, delta, side, prevalence=prevalence)
            )
        elif ranked is not None:
            certified = Deferred(
                lambda: gain_area_of(
                    lambda share: plain_certificate(summary, 1.0 - share, side),
                    summary.n_pos, summary.n_neg, delta, side, prevalence=prevalence,
                )
            )  # fmt: skip
        doubts = tuple(uneven(summary, certified is not None)) if top.of_auc else ()
        return top_estimate(
            scored.rows, summary, scored.omitted, top, certified, options, wording, doubts
        )

    def shorter_in_memory(self, summary: BinarySummary) -> bool:
        return self.alpha is None and plain_is_shorter_in_memory(summary)

    def ends(self, top: TopValue, sums: TermSums) -> TopValue:
        pos, neg = sums.weighs
        if self.alpha is not None:
            return top
        bottom = 0.5 * pos / (pos + neg)
        return replace(top, trials=min(sums.trials), bottom=bottom, top=1.0 - bottom, of_auc=True)


def parse(text: str, inside: str | None) -> EarlyGain:
    """Parse ``gain`` or ``bedroc(20)``.

    >>> parse("gain", None).name, parse("bedroc(80.5)", "80.5").name
    ('gain', 'bedroc(80.5)')
    """
    words, settings = settings_of(inside, text, ALPHA, PREVALENCE)
    rates = [ALPHA.read(word, text) for word in words]
    if "alpha" in settings:
        rates.append(settings.pop("alpha"))
    gain = text.strip().startswith("gain")
    known = isinstance(settings.get("prevalence", "rows"), float)
    if known or len(rates) != (0 if gain else 1):
        raise _refused(text)
    return EarlyGain(None if gain else rates[0], **settings)


def _refused(text: str) -> InputError:
    return InputError(
        "not a valid measure", where="measure", value=text, fix="write gain, or bedroc(20)"
    )


def _recall(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise _refused_predictive_value(text) from None


RECALL = MeasureParameter(
    "recall",
    "the recall at which to compute precision",
    "recall=0.8",
    _recall,
    aliases=("sensitivity", "sens", "se", "tpr"),
)


@dataclass(frozen=True, slots=True)
class PredictiveValue(RateAtRate):
    """The share of positives among the rows above the threshold with a given recall r.

    The value is πr/(πr + (1−π)f), with f the false-positive rate at which the completed ROC curve
    reaches r, and π the share of positives in the rows, or a known share.

    >>> PredictiveValue(0.8).name, PredictiveValue(0.9, prevalence=0.02).name
    ('precision(recall=0.8)', 'ppv(sensitivity=0.9, prevalence=0.02)')
    """

    recall: float
    prevalence: Prevalence = field(default="rows", kw_only=True)

    def __post_init__(self) -> None:
        if not 0.0 < self.recall < 1.0:
            raise InputError(
                "the recall must lie strictly between 0 and 1", where="recall", value=self.recall,
                fix=share(self.recall),
            )  # fmt: skip

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (RECALL, PREVALENCE)

    @property
    def text(self) -> str:
        if self.prevalence == "rows":
            return f"precision(recall={self.recall:g})"
        if self.prevalence == "classes":
            return f"precision(recall={self.recall:g}, prevalence=classes)"
        return f"ppv(sensitivity={self.recall:g}, prevalence={self.prevalence:g})"

    @property
    def of_rows(self) -> bool:
        return self.prevalence == "rows"

    @property
    def words(self) -> str:
        return (
            "the share of positives among the rows flagged at a given recall"
            if isinstance(self.prevalence, str)
            else "the precision at a given sensitivity and prevalence"
        )

    @property
    def picture(self) -> Picture:
        return "pr"

    @property
    def meaning(self) -> str:
        at = "" if isinstance(self.prevalence, str) else f" and a prevalence of {self.prevalence:g}"
        return f"At a recall of {self.recall:g}{at} {{percent}} of the flagged rows are positive."

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"recall": self.recall, "prevalence": self.prevalence}

    def share(self, table: ScoreCounts) -> float:
        """The share of positives in the population."""
        if not isinstance(self.prevalence, str):
            return self.prevalence
        return float(table.n_pos) / (float(table.n_pos) + float(table.n_neg))

    def guarantee(self, table: Callable[[], ScoreCounts], options: Options) -> Deferred[Interval]:
        return Deferred(
            lambda: precision_at_recall_of(
                table(), self.recall, 1.0 - options.level, options.alternative,
                prevalence=self.prevalence,
            )
        )  # fmt: skip

    def chance(self, table: ScoreCounts) -> float:
        return self.share(table)

    @property
    def term(self) -> RateTerm:
        return RateTerm("pos", self.recall, self.prevalence)

    def value(self, table: ScoreCounts) -> float:
        hits = self.share(table) * self.recall
        return hits / (hits + (1.0 - self.share(table)) * rate_at(table, self.recall))

    def height_of(self, value: float, share: float) -> float:
        share = share if isinstance(self.prevalence, str) else self.prevalence
        return 1.0 - share * self.recall * (1.0 - value) / (value * (1.0 - share))

    def at_height(
        self, height: NDArray[np.float64], share: float | NDArray[np.float64]
    ) -> NDArray[np.float64]:
        share = share if isinstance(self.prevalence, str) else self.prevalence
        hits = share * self.recall
        return np.asarray(hits / (hits + (1.0 - share) * (1.0 - height)))


def parse_predictive_value(text: str, inside: str | None) -> PredictiveValue:
    """Parse ``precision(recall=.8)`` or ``ppv(sensitivity=.9, prevalence=.02)``.

    >>> parse_predictive_value("", "recall=.8").name
    'precision(recall=0.8)'
    """
    words, settings = settings_of(inside, text, RECALL, PREVALENCE)
    if words or "recall" not in settings:
        raise _refused_predictive_value(text)
    return PredictiveValue(**settings)


def _refused_predictive_value(text: str) -> InputError:
    return InputError(
        "precision needs a recall or a cut",
        where="measure",
        value=text,
        fix="write precision(recall=.8), ppv(sensitivity=.9, prevalence=.02) or precision@5%",
    )
