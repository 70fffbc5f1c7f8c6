"""The counts and checks of rows before any other work of an engine.

An engine computes SQL aggregates for each label: `sums_by_label`. `check_rows` checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns, Key
from rocsolid.engines.memory import Scale, refuse_one_class
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import (
    FILL_OR_DROP,
    FILL_OR_OMIT,
    missing_text,
    of_bad_weights,
    of_huge_weights,
)
from rocsolid.inputs.arrays import column as column_of
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import TextLabel, every_score_missing, pos_label_from_text, positives
from rocsolid.inputs.models import no_complete_row
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.summaries.moments import NO_WEIGHTS, ClassWeights
from rocsolid.summaries.terms import Term


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


ONE = ClassWeights(1.0, 1.0, 1.0, 1, 1.0)


def _of_label(rows: Any, lightest: Any, least: Any, most: Any, total: Any) -> ClassWeights:
    return ClassWeights(float(least), float(most), float(total), int(rows), float(lightest))


@dataclass(frozen=True, slots=True)
class Group:
    """The sizes and weights of all rows, or of a segment.

    Rows without the score count only as ``omitted``. ``pos`` and ``neg`` are the weights of the
    classes.
    """

    key: Key
    n_pos: int
    n_neg: int
    omitted: int
    pos: ClassWeights = ONE
    neg: ClassWeights = ONE
    given: bool = field(default=False, kw_only=True)
    """True if the rows came with weights."""

    each: float = field(default=1.0, kw_only=True)
    """The weight of each row if all rows of the group have the same weight."""

    @classmethod
    def of(
        cls, key: Key, rows: int, pos: Sequence[Sequence[Any]], neg: Sequence[Sequence[Any]]
    ) -> Group:
        """Build from the number of rows, and the `statistics` of each label of each class."""
        n_pos, n_neg = (sum(int(label[0]) for label in side) for side in (pos, neg))
        sizes = n_pos, n_neg, rows - n_pos - n_neg
        if not any(len(label) > 1 for label in (*pos, *neg)):
            return cls(key, *sizes)
        of_pos, of_neg = (
            sum((_of_label(*label[1:]) for label in side if label[0]), NO_WEIGHTS)
            for side in (pos, neg)
        )
        return cls(key, *sizes, of_pos, of_neg, given=True)

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
            rows = self.pos.rows, self.neg.rows
            return [term.weighed(rows, self.unit) for term in terms]
        sizes = self.n_pos, self.n_neg
        return [term.weighed(sizes, 1.0 / self.each) for term in terms]


@dataclass(frozen=True, slots=True, eq=False)
class RowCounts:
    """The number of all rows, and the rows that have each score, or every score.

    ``sums`` are those of `sums_by_label`, ``positive`` marks the positive labels among them, and
    ``pos_label`` is in the type of the labels.
    """

    rows: int
    groups: dict[str, Group]
    complete: Group
    positive: NDArray[np.bool_]
    pos_label: Any
    sums: Mapping[str, Any]

    @property
    def all_scores(self) -> Group:
        """The rows that have every score; an error if there are none."""
        if not self.complete.size:
            raise no_complete_row(", ".join(f"column {name!r}" for name in self.groups))
        return self.complete

    def missing(self) -> dict[str, int]:
        return {name: group.omitted for name, group in self.groups.items() if group.omitted}


def statistics(kept: str, *, weighted: bool) -> list[str]:
    """Return SQL for statistics of the rows that satisfy ``kept``; see `Group.of`."""
    sums = [f"count(*) FILTER (WHERE {kept})"]
    if weighted:
        sums.append(f"count(*) FILTER (WHERE {kept} AND w > 0)")
        sums.append(f"coalesce(min(w) FILTER (WHERE {kept} AND w > 0), 1e308)")
        sums += [f"{of}(w) FILTER (WHERE {kept})" for of in ("min", "max", "sum")]
    return sums


def sums_by_label(columns: Columns, absent: Mapping[str, str]) -> dict[str, str]:
    """Return SQL for everything that is counted for each label, by name.

    ``absent`` has the condition for a missing value of each key ``b0``, … and ``c`` and of each
    score ``s0``, …, and for a bad weight ``w``.
    """
    weighted = columns.weight is not None
    sums = {"n": "count(*)"}
    sums |= {f"no_{name}": f"count(*) FILTER (WHERE {bad})" for name, bad in absent.items()}
    if weighted:
        sums |= {"total": "sum(w)", "largest": "max(w)"}
    kept = {f"s{i}": f"NOT {absent[f's{i}']}" for i in range(len(columns.scores))}
    kept["all"] = " AND ".join(kept.values())
    for name, rows in kept.items():
        each = statistics(rows, weighted=weighted)
        sums |= {f"{name}_{i}": statistic for i, statistic in enumerate(each)}
    return sums


MOST_LABELS = 10_000
"""The largest number of distinct values in a column of labels."""


class LocatedRows(Protocol):
    """Rows with the columns of `Columns.short`, which an engine counts and finds by SQL."""

    def by_label(self, sums: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the labels ``l`` in order, at most one too many, and the sums for each of them."""

    def where(self, name: str, bad: str) -> str:
        """Return the location of the rows whose column ``name`` is ``bad``."""

    def first(self, name: str, bad: str) -> Any:
        """Return a value that is ``bad``."""


def check_rows(rows: LocatedRows, columns: Columns, absent: Mapping[str, str]) -> RowCounts:
    """Check and count all rows; ``absent`` is as in `sums_by_label`.

    Missing scores are rejected unless omitted.
    """
    sums = rows.by_label(sums_by_label(columns, absent))

    def refuse(name: str, fix: str) -> None:
        refuse_missing(int(sums[f"no_{name}"].sum()), lambda: rows.where(name, absent[name]), fix)

    for name in columns.short:
        if name[0] in "lbc":
            refuse(name, FILL_OR_DROP)
    if columns.weight is not None:
        if sums["no_w"].any():
            value = rows.first("w", absent["w"])
            weight = float("nan") if value is None else value
            raise of_bad_weights(rows.where("w", absent["w"]), weight)
        if sum(sums["total"].tolist()) == np.inf:
            where = f"column {columns.weight!r}"
            raise of_huge_weights(where, value=float(sums["largest"].max()))
    labels, pos_label = sums["l"], columns.pos_label
    if len(labels) > MOST_LABELS:
        raise too_many_labels(columns.label)
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, labels)
    positive = positives(labels, pos_label=pos_label, name=f"column {columns.label!r}")
    groups = {}
    for i, name in enumerate(columns.scores):
        if columns.nan == "raise":
            refuse(f"s{i}", FILL_OR_OMIT)
        groups[name] = _group(sums, f"s{i}", positive)
        if not (groups[name].size or columns.ordered):
            raise every_score_missing(f"column {name!r}")
    complete = _group(sums, "all", positive)
    return RowCounts(int(sums["n"].sum()), groups, complete, positive, pos_label, sums)


def too_many_labels(column: str) -> InputError:
    return InputError(
        f"there are more than {MOST_LABELS:,} different labels",
        where=f"column {column!r}",
        fix="pass labels, then scores; or make a column of 0 and 1 of the labels first",
    )


def _group(sums: Mapping[str, Any], name: str, positive: NDArray[np.bool_]) -> Group:
    lines = list(zip(*(sums[each] for each in sums if each.startswith(f"{name}_")), strict=True))
    sides = (
        [line for line, yes in zip(lines, positive, strict=True) if yes == side]
        for side in (True, False)
    )
    return Group.of((), int(sums["n"].sum()), *sides)
