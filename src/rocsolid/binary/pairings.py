"""Several classes as two-class problems: one class against the rest, or every two classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.engines.memory import summarise
from rocsolid.errors import OneClassError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.weighted_placements import WeightedPlacements

Scheme = Literal["ovr", "ovo"]
Average = Literal["macro", "weighted"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """The class number of each row, a column of scores for each class, and the classes' names."""

    code: NDArray[np.int64]
    score: tuple[NDArray[Any], ...]
    names: tuple[str, ...]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.code, minlength=len(self.names))

    def check(self) -> None:
        """Every class has a row: an AUC of a class without rows is not defined."""
        empty = np.flatnonzero(self.sizes == 0)
        if empty.size:
            raise OneClassError(
                f"there is no row of class {self.names[empty[0]]!r}, so its AUC is not defined",
                where="y_true",
                fix="leave that class's column of scores out, or give rows of it",
            )


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A two-class problem: ``positive`` class against the rows of ``others``, by one column."""

    name: str
    positive: int
    others: NDArray[np.bool_]  # by class
    weight: float

    def rows(self, data: ClassRows) -> tuple[NDArray[np.bool_], BinaryRows]:
        """Which rows take part, and these rows with two-class labels."""
        is_positive = data.code == self.positive
        part = is_positive | self.others[data.code]
        return part, BinaryRows(is_positive[part], data.score[self.positive][part])

    def summary(self, data: ClassRows) -> BinarySummary:
        """The fingerprint covers all rows: one of the rows taking part would single them out."""
        whole = Fingerprint.of(data.score[self.positive])
        return replace(summarise(self.rows(data)[1]), fingerprint=whole)


def one_vs_rest(data: ClassRows, average: Average) -> list[Problem]:
    """Each class against all others (Provost and Domingos 2000 weigh by the class's share)."""
    k = len(data.names)
    weights = np.full(k, 1 / k) if average == "macro" else data.sizes / data.sizes.sum()
    return [
        Problem(f"{name} v rest", c, np.arange(k) != c, float(weights[c]))
        for c, name in enumerate(data.names)
    ]


def one_vs_one(data: ClassRows, average: Average) -> list[Problem]:
    """Every two classes, by the column of either (Hand and Till 2001); weights by their rows."""
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
    """The two-class problems of a scheme, with their weights."""
    for name, value, known in (
        ("scheme", scheme, tuple(SCHEMES)),
        ("average", average, ("macro", "weighted")),
    ):
        one_of(value, known, name)
    data.check()
    return SCHEMES[scheme](data, "macro" if average == "macro" else "weighted")


def influences(data: ClassRows, parts: list[Problem]) -> list[NDArray[np.float64]]:
    """For each class, a matrix of rows × problems: how each row influences each two-class AUC.

    To first order, an AUC is a constant plus the sum over classes of its column's means. In a
    problem with m positives and n others, a positive's influence is its placement. A row of a class
    c among the others counts n_c/n of its placement: its class makes up that share of them.
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
