"""The value of a measure on new rows, with its certified interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import Design, undeclared_design
from rocsolid.certificates.repeats import Hashes, row_hashes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.estimate import MeasuredQueries, averaged, measured
from rocsolid.graded.measure_name import measure as list_measure
from rocsolid.graded.profile import OURS
from rocsolid.inputs.arrays import scores as numbers
from rocsolid.inputs.binary import binary_rows, positives
from rocsolid.inputs.graded_rows import graded_rows, grades
from rocsolid.inputs.models import outcome_rows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import ResampledMeasure, Scored, ScoredRows, check_bound
from rocsolid.measures.concordance import (
    Concordance,
    OutcomeScore,
    of_outcomes,
    refuse_for_outcomes,
)
from rocsolid.measures.named import measure_of, of_lists
from rocsolid.parameters import Scale
from rocsolid.remarks.lists import QueriesOutsideCertificate
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import BelowDiagonal
from rocsolid.results import Alternative
from rocsolid.results.card import measure_title
from rocsolid.results.interval import Interval
from rocsolid.results.plain import attributes
from rocsolid.weights.weight import Weight

MEAN_BOUNDS = ("betting", "hinge", "kl", "hoeffding")


@dataclass(frozen=True, slots=True)
class CertificateQuestion:
    """A measure to certify and the bound; ``delta`` is the error probability of each candidate.

    ``joint_level`` is the level of all candidates. ``queries`` states whether rows have queries;
    otherwise precision and recall are those of rows.
    """

    measure: str | Weight | GradedMeasure
    bound: str
    joint_level: float
    candidates: int
    delta: float
    alternative: Alternative
    design: Design = None
    queries: bool = True

    @property
    def of_outcomes(self) -> Scale | None:
        return of_outcomes(self.measure)

    @property
    def of_lists(self) -> bool:
        return of_lists(self.measure, queries=self.queries)

    @property
    def level(self) -> float:
        """1 − delta, rounded up if necessary."""
        level = 1.0 - self.delta
        return level if 1.0 - level <= self.delta else math.nextafter(level, 1.0)

    @property
    def pairs(self) -> str | Weight:
        return self.measure if isinstance(self.measure, Weight) else str(self.measure)

    def check(self) -> None:
        if self.of_outcomes is not None:
            if self.bound != "auto":
                raise InputError(
                    "a measure of ordered outcomes has one guarantee",
                    where="bound",
                    value=self.bound,
                    fix="leave it out",
                )
        elif self.of_lists:
            if isinstance(self.measure, str):
                list_measure(self.measure)
            check_bound(self.bound, MEAN_BOUNDS)
        else:
            measure_of(self.pairs).check_bound(self.bound)


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A value with its certified interval; ``chance`` is that of a random ranking, if known."""

    measure: str
    value: float
    interval: Interval
    counts: Mapping[str, int]
    chance: float | None = None
    warnings: tuple[Remark, ...] = ()


def measured_on(question: CertificateQuestion, new: NewRows, score: NDArray[Any]) -> BoundedValue:
    if question.of_lists:
        return of_queries(question, new, score)
    if (scale := question.of_outcomes) is not None:
        return of_ordered(question, new, score, scale)
    keywords = attributes(new, "sample_weight cluster pos_label lower_is_better")
    return of_scored(question, ScoredRows(binary_rows(new.y, score, **keywords)))


def of_scored(question: CertificateQuestion, scored: Scored) -> BoundedValue:
    options = Options(question.bound, question.level, question.alternative, design=question.design)
    measure = measure_of(question.pairs)
    estimate, interval = measure.certified(scored, options)
    # the warnings of resampled measures are about their resamples
    warnings = () if isinstance(measure, ResampledMeasure) else estimate.warnings
    return BoundedValue(
        measure_title(estimate.measure),
        estimate.value,
        interval,
        {"n_pos": estimate.n_pos, "n_neg": estimate.n_neg},
        None if estimate.references else estimate.chance,
        tuple(text for text in warnings if isinstance(text, BelowDiagonal)),
    )


def of_ordered(
    question: CertificateQuestion, new: NewRows, score: NDArray[Any], scale: Scale
) -> BoundedValue:
    rows = outcome_rows(
        new.y, {"scores": score}, lower_is_better=new.lower_is_better, name="y",
        sample_weight=new.sample_weight, cluster=new.cluster,
    )  # fmt: skip
    return of_outcome_score(question, OutcomeScore(OrderedRows.of(rows), "scores"), scale)


def of_outcome_score(
    question: CertificateQuestion, sample: OutcomeScore, scale: Scale
) -> BoundedValue:
    options = Options(
        level=question.level, alternative=question.alternative, design=question.design
    )
    estimate = Concordance(scale).estimate(sample, options)
    if estimate.certified is None:
        facts = sample.rows.facts_of(sample.score)
        weighted = facts.weighted or facts.evened
        raise undeclared_design(weighted, facts.clusters is not None, question.bound)
    chance = 1.0 / math.factorial(estimate.outcomes) if scale == "vus" else 0.5
    return BoundedValue(
        estimate.measure,
        estimate.value,
        estimate.certified,
        {"n_rows": estimate.rows, "n_outcomes": estimate.outcomes},
        chance,
    )


def of_queries(question: CertificateQuestion, new: NewRows, score: NDArray[Any]) -> BoundedValue:
    rows = graded_rows(new.y, score, qid=new.qid, lower_is_better=new.lower_is_better)
    top = float(np.nanmax(rows.relevance, initial=1.0))
    measure = (
        question.measure
        if isinstance(question.measure, GradedMeasure)
        else list_measure(str(question.measure), replace(OURS, top=top))
    )
    return of_measured(question, measured(rows, [measure], OURS.ties)[0])


def of_measured(question: CertificateQuestion, queries: MeasuredQueries) -> BoundedValue:
    """The mean of measured queries with its guarantee."""
    bound = MEAN_BOUNDS[0] if question.bound == "auto" else question.bound
    measure = queries.of.measure
    if not math.isfinite(measure.range[1]):
        raise UnsoundError(
            f"{measure.name} has no upper bound, so no guarantee for its mean is known",
            where="measure",
            fix="certify a measure with values in [0, 1], such as ndcg",
        )
    estimate = averaged(queries, EstimateOptions(bound, question.level, question.alternative))
    warnings: tuple[Remark, ...] = ()
    if estimate.n_excluded:
        left_out = estimate.n_excluded, len(estimate.qids), estimate.lacking
        warnings = (QueriesOutsideCertificate(*left_out),)
    return BoundedValue(
        estimate.measure, estimate.value, estimate.interval, {"n_queries": estimate.n_queries},
        warnings=warnings,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class NewRows:
    """Rows to certify on, the keywords that describe them, and hashes of any features."""

    X: Any
    y: Any
    qid: Any
    sample_weight: Any
    cluster: Any
    pos_label: Any
    lower_is_better: bool
    hashes: Hashes | None

    def labels(self, y: Any, question: CertificateQuestion) -> NDArray[np.float64]:
        """Return labels or grades as numbers, so that equal labels have equal hashes."""
        if question.of_lists:
            return grades(y)
        if question.of_outcomes is not None:
            return numbers(y, name="y").astype(np.float64)
        return positives(y, pos_label=self.pos_label).astype(np.float64)


def new_rows(
    question: CertificateQuestion,
    X: Any,
    y: Any,
    qid: Any,
    sample_weight: Any,
    cluster: Any,
    pos_label: Any,
    lower_is_better: bool,
) -> NewRows:
    if y is None:
        raise InputError(
            "the labels of the rows are missing",
            where="y",
            fix="write certify(scorer, X, y), or certify(scores, y=y) for a column of scores",
        )
    if question.of_lists:
        for name, given in (("sample_weight", sample_weight), ("cluster", cluster)):
            if given is not None:
                raise UnsoundError(
                    f"no guarantee is known for a mean over queries with {name}",
                    where=name,
                    fix="leave it out; each query counts the same",
                )
        if qid is None:
            raise InputError(
                "a measure of ranked lists needs the query of each row",
                where="qid",
                fix="pass qid=; a single query can hardly be certified",
            )
    elif question.of_outcomes is not None:
        refuse_for_outcomes(qid=qid, pos_label=pos_label)
    elif qid is not None:
        raise InputError(
            "qid is for measures of ranked lists",
            where="qid",
            fix='use measure="ndcg@10" or similar ones, or cluster= for rows that belong together',
        )
    hashes = None if X is None else row_hashes(X)
    return NewRows(X, y, qid, sample_weight, cluster, pos_label, lower_is_better, hashes)
