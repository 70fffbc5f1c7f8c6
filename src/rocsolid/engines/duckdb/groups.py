"""The rows of a segment, or of everything, as numbers: sizes and the range of the weights."""

from __future__ import annotations

from dataclasses import dataclass, field

from rocsolid.engines.duckdb.checked import CheckedSource, Score
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.engine import Key
from rocsolid.engines.memory import refuse_one_class
from rocsolid.engines.scale import Scale
from rocsolid.inputs import column, plain
from rocsolid.summaries.class_weights import ClassWeights


@dataclass(frozen=True, slots=True)
class Group:
    """What is known of a group before its rows are sorted, for the rows that have the score.

    ``least`` and ``most`` are the smallest and the largest weight; ``least_pos``, ``most_pos`` and
    ``sum_pos`` those of the positives and their sum, and so for the negatives.
    """

    key: Key
    n_pos: int
    n_neg: int
    omitted: int
    least: float = 1.0
    most: float = 1.0
    most_pos: float = 1.0
    most_neg: float = 1.0
    sum_pos: float = 1.0
    sum_neg: float = 1.0
    least_pos: float = 1.0
    least_neg: float = 1.0
    given: bool = field(default=False, kw_only=True)
    """Whether the rows came with weights."""

    @property
    def size(self) -> int:
        return self.n_pos + self.n_neg

    @property
    def has_both(self) -> bool:
        """Whether each class has a row and weight."""
        return min(self.n_pos, self.n_neg) > 0 and min(self.most_pos, self.most_neg) > 0

    def check(self) -> None:
        """Both classes have a row and weight, or there is no AUC: an error as from memory."""
        refuse_one_class(self.n_pos, self.n_neg, self.most_pos > 0, self.most_neg > 0)

    @property
    def evened(self) -> bool:
        """Whether weights were given, and all are equal."""
        return self.given and not self.weighted

    @property
    def weighted(self) -> bool:
        """Whether weights make a difference: equal ones weigh nothing."""
        return self.least < self.most

    @property
    def weights(self) -> tuple[ClassWeights, ClassWeights]:
        """Of the positives and of the negatives."""
        return (
            ClassWeights(self.least_pos, self.most_pos, self.sum_pos),
            ClassWeights(self.least_neg, self.most_neg, self.sum_neg),
        )

    @property
    def scale(self) -> Scale:
        """The unit for the weights of each class."""
        return Scale.of(self.most_pos, self.most_neg)


def whole(db: Limited, table: CheckedSource, score: Score) -> Group:
    """All rows as one group."""
    if not table.weighted:
        return Group((), *table.sizes[score.column])
    (found,) = db.rows(f"SELECT {_statistics(table, score)} FROM ({table.query})")
    return _group((), found)


def groups(db: Limited, table: CheckedSource, score: Score) -> list[Group]:
    """Every combination of the segment columns' values that occurs, in ascending order."""
    keys = ", ".join(table.keys)
    rows = db.arrow(
        f"SELECT {keys}, {_statistics(table, score)} FROM ({table.query})"
        f" GROUP BY {keys} ORDER BY {keys}"
    )
    # keys as they are read into memory, whatever DuckDB's own Python types are
    named = [map(plain, column(rows[name], name)) for name in table.keys]
    numbers = (rows[i].to_pylist() for i in range(len(named), rows.num_columns))
    return [
        _group(key, row)
        for key, row in zip(zip(*named, strict=True), zip(*numbers, strict=True), strict=True)
    ]


def _statistics(table: CheckedSource, score: Score) -> str:
    kept = f"NOT {score.missing}"
    columns = [
        f"count(*) FILTER (WHERE {kept} AND p = 1)",
        f"count(*) FILTER (WHERE {kept} AND p = 0)",
        f"count(*) FILTER (WHERE {score.missing})",
    ]
    if table.weighted:
        columns += [
            f"min(w) FILTER (WHERE {kept})",
            f"max(w) FILTER (WHERE {kept})",
            f"max(w) FILTER (WHERE {kept} AND p = 1)",
            f"max(w) FILTER (WHERE {kept} AND p = 0)",
            f"sum(w) FILTER (WHERE {kept} AND p = 1)",
            f"sum(w) FILTER (WHERE {kept} AND p = 0)",
            f"min(w) FILTER (WHERE {kept} AND p = 1)",
            f"min(w) FILTER (WHERE {kept} AND p = 0)",
        ]
    return ", ".join(columns)


def _group(key: Key, found: tuple[int, ...]) -> Group:
    counts, weights = found[:3], [0.0 if weight is None else weight for weight in found[3:]]
    return Group(key, *counts, *weights, given=bool(weights))
