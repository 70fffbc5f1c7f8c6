"""The AUC of several classes: each class against the rest, or every two classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.inference import plain_certificate
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes
from rocsolid.inputs.matrices import as_matrix, in_main_memory
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewRowsOfClass
from rocsolid.results import Alternative
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval, Valued
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.products import products
from rocsolid.summaries.weighted_placements import WeightedPlacements

Scheme = Literal["ovr", "ovo"]
Average = Literal["macro", "weighted"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    code: NDArray[np.int64]
    score: tuple[NDArray[Any], ...]
    names: tuple[str, ...]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.code, minlength=len(self.names))

    def check(self) -> None:
        """Reject classes without rows, whose AUC is undefined."""
        empty = np.flatnonzero(self.sizes == 0)
        if empty.size:
            raise OneClassError(
                f"there is no row of class {self.names[empty[0]]!r}, so it has no AUC",
                where="y_true",
                fix="leave that class's column of scores out, or give rows of it",
            )


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A two-class problem: the class ``positive`` against ``others``, by one column."""

    name: str
    positive: int
    others: NDArray[np.bool_]  # by class
    weight: float

    def rows(self, data: ClassRows) -> tuple[NDArray[np.bool_], BinaryRows]:
        is_positive = data.code == self.positive
        part = is_positive | self.others[data.code]
        return part, BinaryRows(is_positive[part], data.score[self.positive][part])

    def summary(self, data: ClassRows) -> BinarySummary:
        whole = Fingerprint.of(data.score[self.positive])
        return replace(summarise(self.rows(data)[1]), fingerprint=whole)


def one_vs_rest(data: ClassRows, average: Average) -> list[Problem]:
    """Each class against all others; weighted by shares (Provost and Domingos 2000)."""
    k = len(data.names)
    weights = np.full(k, 1 / k) if average == "macro" else data.sizes / data.sizes.sum()
    return [
        Problem(f"{name} v rest", c, np.arange(k) != c, float(weights[c]))
        for c, name in enumerate(data.names)
    ]


def one_vs_one(data: ClassRows, average: Average) -> list[Problem]:
    """Every two classes, by the column of either (Hand and Till 2001); weighted by rows."""
    k, sizes = len(data.names), data.sizes
    ordered = list(permutations(range(k), 2))
    share = np.array([1.0 if average == "macro" else float(sizes[i] + sizes[j])
                      for i, j in ordered])  # fmt: skip
    share /= share.sum()
    return [
        Problem(f"{data.names[i]} v {data.names[j]}", i, np.arange(k) == j, float(weight))
        for (i, j), weight in zip(ordered, share, strict=True)
    ]


SCHEMES: dict[str, Callable[[ClassRows, Average], list[Problem]]] = {
    "ovr": one_vs_rest,
    "ovo": one_vs_one,
}


def problems(data: ClassRows, scheme: str, average: str) -> list[Problem]:
    for name, value, known in (
        ("scheme", scheme, tuple(SCHEMES)),
        ("average", average, ("macro", "weighted")),
    ):
        one_of(value, known, name)
    data.check()
    return SCHEMES[scheme](data, "macro" if average == "macro" else "weighted")


def influences(data: ClassRows, parts: list[Problem]) -> list[NDArray[np.float64]]:
    """For each class a matrix, rows × problems, of influences on the two-class AUCs.

    In a problem with m positives and n others, a positive's influence is its placement. A row of a
    class c among the others has n_c/n times its placement, n_c/n being the share of its class.
    """
    sizes = data.sizes
    by_class = [np.zeros((size, len(parts))) for size in sizes.tolist()]
    for column, problem in enumerate(parts):
        part, rows = problem.rows(data)
        placement = WeightedPlacements.from_arrays(rows.positive, rows.score, None).placement
        code = data.code[part]
        by_class[problem.positive][:, column] = placement[code == problem.positive]
        n_others = sizes[problem.others].sum()
        for c in np.flatnonzero(problem.others).tolist():
            by_class[c][:, column] = sizes[c] / n_others * placement[code == c]
    return by_class


@dataclass(frozen=True, slots=True)
class MulticlassEstimate(Valued, Plain, Checked):
    """The weighted mean of two-class AUCs, with intervals.

    ``parts`` maps names to the two-class AUCs, each with two intervals, and ``weights`` to their
    shares of the mean. ``class_sizes`` counts the rows of each class.
    """

    value: float
    interval: Interval
    certified: Interval | None
    std_error: float | None
    measure: str
    parts: Mapping[str, Estimate]
    weights: Mapping[str, float]
    class_sizes: Mapping[str, int]
    warnings: tuple[Remark, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    _json = (
        "measure value low high level method assumptions=interval.assumptions certified "
        "std_error class_sizes weights parts warnings settings"
    )

    @property
    def basis(self) -> str:
        """The number of rows and classes."""
        return (
            f"{counted(sum(self.class_sizes.values()), 'row')} of {len(self.class_sizes)} classes"
        )

    __repr__ = one_line

    def __str__(self) -> str:
        certified = "" if self.certified is None else f"certified {self.certified}, "
        return f"{self.measure} {self.value:.4f}, {self.interval}, {certified}{self.basis}"

    def explain(self) -> str:
        """The result in plain words, with the class that is ranked worst."""
        worst = min(self.parts, key=lambda name: self.parts[name].value)
        certified = "" if self.certified is None else f", the certified interval {self.certified}"
        return " ".join(
            [
                f"Averaged over {len(self.parts)} comparisons of two classes, a row of one class "
                f"is scored above a row of the other {100 * self.value:.3g} % of the time. The "
                f"interval is {self.interval}{certified}.",
                f"Worst is {worst} with {self.parts[worst].value:.4f}.",
                *self.warnings,
            ]
        )


MOVER_SOURCE = (
    "Zou and Donner, Statistics in Medicine 27 (2008), 1693-1702, with the covariance of DeLong, "
    "DeLong and Clarke-Pearson 1988"
)
FEW = 10  # rows of a class below which the calibrated interval is unreliable


def multiclass_auc(
    y_true: Any,
    y_score: Any,
    *,
    scheme: Scheme = "ovr",
    average: Average = "macro",
    labels: Any = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> MulticlassEstimate:
    """Return the mean of two-class AUCs over classes ("ovr") or pairs of classes ("ovo").

    ``y_score`` has a column for each class: an array with the classes in sorted order (or in the
    order of ``labels``), or a mapping of classes to columns. "ovr" ranks each class against all
    other rows by its own column. "ovo" is Hand and Till's M: every two classes, by the column of
    either, which does not depend on class frequencies. ``average="weighted"`` weights by rows,
    whose shares are then taken as known.

    The calibrated interval is MOVER (Zou and Donner 2008): the distances from each two-class AUC to
    its "auto" limits are combined like standard errors. The correlations come from DeLong's
    placements, because a row takes part in several problems. The certified interval is the mean of
    the certified limits of all K problems at level 1−δ/K (union bound).

    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.4, .3, .3], [.3, .3, .4], [.1, .2, .7]]
    >>> result = multiclass_auc(y, p)
    >>> round(result.value, 4), {name: part.value for name, part in result.parts.items()}
    (0.9167, {'a v rest': 0.9375, 'b v rest': 0.8125, 'c v rest': 1.0})
    """
    data = class_rows(y_true, y_score, labels)
    return multiclass_estimate(data, scheme, average, Options(level=level, alternative=alternative))


def multiclass_estimate(
    data: ClassRows, scheme: Scheme, average: Average, options: Options
) -> MulticlassEstimate:
    parts = problems(data, scheme, average)
    summaries = [problem.summary(data) for problem in parts]
    each = {
        problem.name: estimate(summary, options)
        for problem, summary in zip(parts, summaries, strict=True)
    }
    weights = np.array([problem.weight for problem in parts])
    value = float(weights @ np.array([summary.auc for summary in summaries]))
    covariance = covariance_of(influences(data, parts))
    variance = float(weights @ covariance @ weights)
    return MulticlassEstimate(
        value,
        _mover(value, list(each.values()), weights, covariance, options),
        _certified(summaries, weights, options) if options.certified else None,
        None if math.isnan(variance) else math.sqrt(max(variance, 0.0)),
        f"auc({scheme}, {average})",
        each,
        {problem.name: problem.weight for problem in parts},
        dict(zip(data.names, data.sizes.tolist(), strict=True)),
        tuple(
            FewRowsOfClass(size, str(name))
            for name, size in zip(data.names, data.sizes.tolist(), strict=True)
            if size < FEW
        ),
        {
            "scheme": scheme, "average": average, "alternative": options.alternative,
            **({} if options.certified else {"certified": False}),
        },
    )  # fmt: skip


def class_rows(y_true: Any, y_score: Any, labels: Any = None) -> ClassRows:
    code, distinct = codes(y_true, "y_true")
    present = list(distinct.tolist())
    if isinstance(y_score, Mapping):
        if labels is not None:
            raise InputError(
                "a mapping names its classes already", where="labels", fix="leave labels out"
            )
        names, columns = list(y_score), list(y_score.values())
    else:
        matrix = as_matrix(y_score, "y_score")
        if matrix.ndim != 2:
            raise InputError(
                "y_score needs a column for each class",
                where="y_score",
                value=counted(matrix.ndim, "dimension"),
                fix="give an array of rows × classes, or a mapping of classes to columns",
            )
        names = present if labels is None else list(in_main_memory(labels, "labels"))
        columns = list(matrix.T)
    if len(names) != len(columns) or len(set(names)) < len(names):
        raise InputError(
            f"{counted(len(columns), 'column')} of scores for {len(set(names))} classes",
            where="y_score" if labels is None else "labels",
            value=names[:8],
            fix="give one column for each class; name them with labels= if a class has no row",
        )
    unknown = [label for label in present if label not in names]
    if unknown:
        raise InputError(
            "a class has rows and no column of scores", where="y_true", value=unknown[0]
        )
    if len(names) < 2:
        raise InputError("one class has no AUC", where="y_score", value=names)
    to_column = np.array([names.index(label) for label in present])
    scores = []
    for name, column in zip(names, columns, strict=True):
        score = valid_scores(column, name=f"the scores of class {name!r}")
        if len(score) != len(code):
            raise InputError(
                f"{counted(len(score), 'score')} for {counted(len(code), 'label')}",
                where=f"class {name!r}",
            )
        scores.append(score)
    return ClassRows(to_column[code], tuple(scores), tuple(str(name) for name in names))


def covariance_of(by_class: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The covariance of the two-class AUCs, summed over classes.

    The covariance is NaN for a class of one row.
    """
    problems = by_class[0].shape[1]
    total = np.zeros((problems, problems))
    for of_class in by_class:
        taking_part = np.flatnonzero(of_class.any(axis=0))
        where = np.ix_(taking_part, taking_part)
        if len(of_class) < 2:
            total[where] = np.nan
            continue
        centred = of_class[:, taking_part] - of_class[:, taking_part].mean(axis=0)
        total[where] += products(centred.T, centred.T) / (len(of_class) * (len(of_class) - 1))
    return total


def _mover(
    value: float,
    each: list[Estimate],
    weights: NDArray[np.float64],
    covariance: NDArray[np.float64],
    options: Options,
) -> Interval:
    """Return θ̂ ± √(dᵀRd), with d the weighted distances to the limits.

    Unknown correlations are 1.
    """
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = np.outer(spread, spread)
    known = scale > 0.0
    correlation = np.where(known, covariance / np.where(known, scale, 1.0), 1.0)
    aucs = np.array([estimate.value for estimate in each])
    reach = [
        math.sqrt(max(float(distance @ correlation @ distance), 0.0))
        for distance in (
            weights * (aucs - np.array([estimate.low for estimate in each])),
            weights * (np.array([estimate.high for estimate in each]) - aucs),
        )
    ]
    methods = ", ".join(dict.fromkeys(estimate.method for estimate in each))
    return Interval(
        0.0 if options.alternative == "less" else max(value - reach[0], 0.0),
        1.0 if options.alternative == "greater" else min(value + reach[1], 1.0),
        options.level,
        f"MOVER of {methods}",
        assumptions=("rows independent", *each[0].interval.assumptions[1:]),
        source=MOVER_SOURCE,
    )


def _certified(
    summaries: list[BinarySummary], weights: NDArray[np.float64], options: Options
) -> Interval:
    level = 1.0 - (1.0 - options.level) / len(summaries)
    each = [plain_certificate(summary, level, options.alternative) for summary in summaries]
    methods = ", ".join(dict.fromkeys(interval.method for interval in each))
    return replace(
        each[0],
        low=max(float(weights @ np.array([interval.low for interval in each])), 0.0),
        # from above, so that limits of 1 have a mean of exactly 1
        high=1.0
        - max(float(weights @ (1.0 - np.array([interval.high for interval in each]))), 0.0),
        level=options.level,
        method=f"mean of {methods}, Bonferroni",
        reads=frozenset().union(*(interval.reads for interval in each)),
    )
