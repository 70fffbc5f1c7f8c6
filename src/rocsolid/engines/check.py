"""The checks of labels, keys, weights and scores before any other work of an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns, Key
from rocsolid.engines.memory import Scale, refuse_one_class
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_DROP, FILL_OR_OMIT, missing_text
from rocsolid.inputs.arrays import column as column_of
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.summaries.moments import ClassWeights
from rocsolid.summaries.terms import Term

Sizes = tuple[int, int, int]
"""The number of positives and negatives with a score, and of rows without the score."""


@dataclass(frozen=True, slots=True, eq=False)
class RowCounts:
    """The number of rows for each label (or class), and the number of missing values.

    ``missing`` counts missing labels, keys and scores. ``where`` returns the location of the rows
    without a value, for error messages.
    """

    source: str
    rows: NDArray[np.int64]
    missing: Mapping[str, NDArray[np.int64]]
    where: Callable[[str], str]

    def check_keys(self, columns: Columns) -> None:
        refuse_empty(int(self.rows.sum()), self.source)
        for name in (columns.label, *columns.wanted.keys):
            self._refuse_missing(name, FILL_OR_DROP)

    def sizes(self, columns: Columns, positive: NDArray[np.bool_]) -> dict[str, Sizes]:
        """Return the class sizes for each score; missing scores are rejected unless omitted.

        ``positive`` marks the positive labels.
        """
        sizes = {}
        for name in columns.scores:
            if columns.nan == "raise":
                self._refuse_missing(name, FILL_OR_OMIT)
            kept = self.rows - self.missing[name]
            if not kept.any():
                raise InputError(
                    "every score is missing, so no row is left", where=f"column {name!r}"
                )
            omitted = int(self.missing[name].sum())
            sizes[name] = int(kept[positive].sum()), int(kept[~positive].sum()), omitted
        return sizes

    def _refuse_missing(self, name: str, fix: str) -> None:
        refuse_missing(int(self.missing[name].sum()), lambda: self.where(name), fix)


def refuse_empty(rows: int, source: str) -> None:
    if not rows:
        raise InputError("there are no rows", where=source, fix="pass at least one row")


def refuse_missing(count: int, where: Callable[[], str], fix: str = FILL_OR_DROP) -> None:
    if count:
        raise InputError(missing_text(count), where=where(), fix=fix)


def not_numbers(
    value: Any,
    name: str,
    kind: str,
    rows: Rows = ARRAY_ROWS,
    where: Callable[[], str] | None = None,
) -> InputError:
    """Return the error for a column without numbers; ``value`` is a column with one row.

    ``where`` returns the location of such values, and replaces ``rows``.
    """
    called = f"column {name!r}"
    try:
        valid_scores(column_of(value, called), name=called, rows=rows)
    except InputError as error:
        named = where() if where is not None and error.value is not None else error.where
        return InputError(error.what, where=named, value=error.value, fix=error.fix)
    return InputError("scores must be numbers", where=called, value=kind, fix="convert them first")


ONE = ClassWeights(1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Group:
    """The sizes and weights of all rows, or of a segment.

    Rows without the score count only as ``omitted``. ``pos`` and ``neg`` are the weights of the
    classes. ``weighing`` rows have a weight above 0.
    """

    key: Key
    n_pos: int
    n_neg: int
    omitted: int
    pos: ClassWeights = ONE
    neg: ClassWeights = ONE
    weighing: int = 0
    given: bool = field(default=False, kw_only=True)
    """True if the rows came with weights."""

    each: float = field(default=1.0, kw_only=True)
    """The weight of each row if all rows of the group have the same weight."""

    @property
    def size(self) -> int:
        return self.n_pos + self.n_neg

    @property
    def has_both(self) -> bool:
        return min(self.n_pos, self.n_neg) > 0 and self.lighter > 0

    def check(self) -> None:
        refuse_one_class(self.n_pos, self.n_neg, self.pos.most > 0, self.neg.most > 0)

    @property
    def least(self) -> float:
        return min(self.pos.least, self.neg.least)

    @property
    def most(self) -> float:
        return max(self.pos.most, self.neg.most)

    @property
    def lighter(self) -> float:
        """The smaller of the two classes' largest weights."""
        return min(self.pos.most, self.neg.most)

    @property
    def weighted(self) -> bool:
        """Return whether weights differ; equal weights do not change results."""
        return self.least < self.most

    @property
    def evened(self) -> bool:
        """Return whether weights were given and are all equal."""
        return self.given and not self.weighted

    @property
    def weighs(self) -> tuple[float, float]:
        """Return the total weight of each class, or its size where weights do not differ."""
        return (self.pos.sum, self.neg.sum) if self.weighted else (self.n_pos, self.n_neg)

    @property
    def scale(self) -> Scale:
        return Scale.of(self.pos.most, self.neg.most)

    @property
    def unit(self) -> float:
        return self.scale.common if self.weighted else 1.0

    @property
    def totals(self) -> tuple[float, float]:
        pos, neg = self.weighs
        return float(pos) * self.unit, float(neg) * self.unit

    def weighed(self, terms: Sequence[Term]) -> list[Term]:
        if self.weighted:
            return [term.weighed(self.weighing, self.unit) for term in terms]
        return [term.weighed(self.size, 1.0 / self.each) for term in terms]
