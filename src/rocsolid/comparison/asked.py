"""How a comparison is requested: one reading of the keywords, for scores, samples and tables."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, TypedDict

from rocsolid.binary.design import Design, check_design
from rocsolid.binary.estimate import Options, check_asked
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.checks import nearest, whole
from rocsolid.comparison.adjust import ADJUSTMENTS
from rocsolid.comparison.bootstrap import bootstrap_bca, bootstrap_percentile
from rocsolid.comparison.compared import Question, Test
from rocsolid.comparison.delong import delong
from rocsolid.comparison.delong_t import delong_t
from rocsolid.comparison.permutation import permutation
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.comparison.venkatraman import venkatraman
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_margin_alone
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.named import measure_of
from rocsolid.results import Alternative
from rocsolid.weights import Weight

# public name -> one function
TESTS: dict[str, Test] = {
    "delong-t": delong_t,
    "delong": delong,
    "bootstrap": bootstrap_percentile,
    "bootstrap-percentile": bootstrap_percentile,
    "bootstrap-bca": bootstrap_bca,
    "permutation": permutation,
    CURVES: venkatraman,
}


class ComparisonKeywords(TypedDict, total=False):
    """The keywords of a comparison that do not depend on where its rows are."""

    measure: str | Weight | BinaryMeasure
    test: str
    adjust: str
    null: float
    margin: float | None
    level: float
    alternative: Alternative
    resamples: int
    seed: int
    design: Design


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """The keywords of `rocsolid.compare` that say what is compared and how, checked."""

    measure: BinaryMeasure
    test: str
    adjust: str
    question: Question
    margin: float | None
    pos_label: Any
    lower_is_better: bool
    nan: Literal["raise", "omit"]

    @classmethod
    def of(
        cls,
        *,
        measure: str | Weight | BinaryMeasure = "auc",
        test: str = "delong-t",
        adjust: str = "holm",
        null: float = 0.0,
        margin: float | None = None,
        level: float = 0.95,
        alternative: Alternative = "two-sided",
        resamples: int = 2000,
        seed: int = 0,
        design: Design = None,
        pos_label: Any = None,
        lower_is_better: bool = False,
        nan: Literal["raise", "omit"] = "raise",
    ) -> ComparisonQuestion:
        """Everything refused that can be refused before any row is read.

        >>> ComparisonQuestion.of(margin=0.05).question.alternative
        'greater'
        """
        chosen = measure_of(measure)
        for argument, value, known in (("test", test, TESTS), ("adjust", adjust, ADJUSTMENTS)):
            if value not in known:
                near = nearest(str(value), known)
                raise InputError(
                    f"unknown {'test' if argument == 'test' else 'adjustment'}",
                    where=argument,
                    value=value,
                    fix=f"{'' if near is None else f'did you mean {near!r}? '}"
                    f"use {', '.join(known)}",
                )
        check_asked(level, alternative)
        check_design(design)
        for argument, count, least in (("resamples", resamples, 1), ("seed", seed, 0)):
            whole(count, argument, least)
        null, alternative = _null(null, margin, alternative, chosen)
        question = Question(
            null, alternative, level, int(seed), chosen.span, int(resamples), design
        )
        return cls(chosen, test, adjust, question, margin, pos_label, lower_is_better, nan)

    @property
    def run(self) -> Test:
        return TESTS[self.test]

    @property
    def options(self) -> Options:
        """How each estimate is requested."""
        draws = Resampling(max(self.question.resamples, 2), self.question.seed)
        return Options(
            level=self.question.level,
            resampling=draws,
            pos_label=self.pos_label,
            lower_is_better=self.lower_is_better,
            nan=self.nan,
            design=self.question.design,
        )

    def settings(self, paired: bool, omitted: int) -> dict[str, Any]:
        """What a result says of how it was requested."""
        return {
            "test": self.test,
            "adjust": self.adjust,
            "paired": paired,
            "null": self.question.null,
            "alternative": self.question.alternative,
            "resamples": self.question.resamples,
            "seed": self.question.seed,
            "margin": self.margin,
            "design": self.question.design,
            "pos_label": self.pos_label,
            "lower_is_better": self.lower_is_better,
            "nan": self.nan,
            "omitted": omitted,
        }


def _null(
    null: float, margin: float | None, alternative: Alternative, measure: BinaryMeasure
) -> tuple[float, Alternative]:
    """What a − b is tested against and on which side; a margin of non-inferiority sets both."""
    reach = measure.span[1]
    if margin is not None:
        if not (isinstance(margin, Real) and 0.0 < margin < reach):
            raise InputError(
                f"the margin of non-inferiority must lie strictly between 0 and {reach:g}",
                where="margin",
                value=margin,
                fix="give the loss that would not matter, such as margin=0.03",
            )
        check_margin_alone(null, alternative)
        return -margin, "greater"
    if not (isinstance(null, Real) and -reach < null < reach):
        raise InputError(
            f"the null must lie strictly between {-reach:g} and {reach:g}",
            where="null",
            value=null,
        )
    return float(null), alternative
