"""How a comparison is requested: one reading of the keywords, for scores, samples and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack

from rocsolid.arguments import nearest, whole
from rocsolid.binary.design import check_design
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.adjust import ADJUSTMENTS
from rocsolid.comparison.bootstrap import bootstrap_bca, bootstrap_percentile
from rocsolid.comparison.bootstrap_t import METHOD as BOOTSTRAP_T
from rocsolid.comparison.bootstrap_t import bootstrap_t
from rocsolid.comparison.build import DEFAULT, Request
from rocsolid.comparison.compared import Test
from rocsolid.comparison.delong import delong
from rocsolid.comparison.keywords import OF_ROWS, ComparisonKeywords
from rocsolid.comparison.permutation import permutation
from rocsolid.comparison.question import Question, null_and_side
from rocsolid.comparison.student import t_test
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.comparison.venkatraman import venkatraman
from rocsolid.errors import InputError
from rocsolid.intervals.estimate_options import check_sided_level
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.named import measure_of
from rocsolid.results.plain import attributes

# public name -> one function; the data decide what the default is
TESTS: dict[str, Test | None] = {
    DEFAULT: None,
    "delong-t": t_test,
    BOOTSTRAP_T: bootstrap_t,
    "delong": delong,
    "bootstrap": bootstrap_percentile,
    "bootstrap-percentile": bootstrap_percentile,
    "bootstrap-bca": bootstrap_bca,
    "permutation": permutation,
    CURVES: venkatraman,
}
_ADJUSTMENTS = (DEFAULT, *(name for name in ADJUSTMENTS if name != "tukey"))


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
    def of(cls, **given: Unpack[ComparisonKeywords]) -> ComparisonQuestion:
        """Everything refused that can be refused before any row is read.

        >>> ComparisonQuestion.of(margin=0.05).question.alternative
        'greater'
        """
        for name in given.keys() - OF_ROWS.keys():
            raise TypeError(f"a comparison has no keyword {name!r}")
        how: ComparisonKeywords = {**OF_ROWS, **given}
        chosen = measure_of(how["measure"])
        test, adjust, level, margin = how["test"], how["adjust"], how["level"], how["margin"]
        for argument, value, known in (
            ("test", test, tuple(TESTS)),
            ("adjust", adjust, _ADJUSTMENTS),
        ):
            if value not in known:
                near = nearest(str(value), known)
                raise InputError(
                    f"unknown {'test' if argument == 'test' else 'adjustment'}",
                    where=argument,
                    value=value,
                    fix=f"{'' if near is None else f'did you mean {near!r}? '}"
                    f"use {', '.join(known)}",
                )
        check_sided_level(level, how["alternative"])
        check_design(how["design"])
        resamples, seed = whole(how["resamples"], "resamples", 1), whole(how["seed"], "seed", 0)
        null, alternative = null_and_side(how["null"], margin, how["alternative"], chosen.span[1])
        question = Question(null, alternative, level, seed, chosen.span, resamples, how["design"])
        return cls(
            chosen, test, adjust, question, margin,
            how["pos_label"], how["lower_is_better"], how["nan"],
        )  # fmt: skip

    @property
    def request(self) -> Request:
        return Request(TESTS[self.test], self.adjust, self.question, self.margin)

    @property
    def options(self) -> Options:
        """How each estimate is requested."""
        draws = Resampling(max(self.question.resamples, 2), self.question.seed)
        return Options(
            level=self.question.level, resampling=draws, pos_label=self.pos_label,
            lower_is_better=self.lower_is_better, nan=self.nan, design=self.question.design,
        )  # fmt: skip

    def settings(self, paired: bool, omitted: int) -> dict[str, Any]:
        """What a result says of how it was requested."""
        return {
            **attributes(self, "test adjust"),
            "paired": paired,
            **attributes(self.question, "null alternative resamples seed"),
            "margin": self.margin,
            "design": self.question.design,
            **attributes(self, "pos_label lower_is_better nan"),
            "omitted": omitted,
        }
