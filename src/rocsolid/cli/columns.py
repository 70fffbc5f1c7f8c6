"""The columns of tables as groups of options.

There is no ``from __future__`` here, because groups elsewhere inherit the annotations.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from rocsolid.cli.lists import COLUMNS, Label, LowerIsBetter, PosLabel, Score, Scores, option
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs import Rows, Table, pos_label_from_text, read_table, scores
from rocsolid.inputs import positives as positive_rows
from rocsolid.inputs.models import aligned_scores
from rocsolid.inputs.tables import comes_in_parts, distinct_labels, table_parts
from rocsolid.parameters import Counts, Design, Nan, Order


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """The labels of a table."""

    label: Label
    pos_label: PosLabel = None

    def typed(self, column: Any) -> Any:
        return None if self.pos_label is None else pos_label_from_text(self.pos_label, column)

    def positive(self, column: Any, rows: Rows) -> Any:
        """Return which rows are positive."""
        return positive_rows(
            column, pos_label=self.typed(column), name=f"column {self.label!r}", rows=rows
        )


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class PilotOptions:
    """A table for planning, which replaces guesses.

    Parameters
    ----------
    table
        A file of rows that stand for those to come.
    """

    table: str | None = None
    label: Label | None = None
    scores: Scores | None = None
    cluster: Annotated[str | None, option("cluster")] = None
    pos_label: PosLabel = None

    @property
    def given(self) -> bool:
        columns = (self.table, self.label, self.scores, self.cluster, self.pos_label)
        return any(column is not None for column in columns)

    def read(self, count: int, incomplete: InputError) -> tuple[LabelOptions, Table]:
        scores = self.scores or []
        if self.table is None or self.label is None or len(scores) != count:
            raise incomplete
        labels = LabelOptions(label=self.label, pos_label=self.pos_label)
        keys = [] if self.cluster is None else [self.cluster]
        return labels, read_table(self.table, labels=[self.label], numbers=scores, keys=keys)


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class NanOptions:
    """Rows without a score."""

    nan: Annotated[Nan, option("nan")] = "raise"


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ScoreOptions(NanOptions, LabelOptions):
    """Labels and one score."""

    score: Score

    def read(self, table: str) -> dict[str, Any]:
        return self._rows(read_table(table, labels=[self.label], numbers=[self.score]))

    def parts(self, table: str) -> Iterator[dict[str, Any]]:
        if not comes_in_parts(table):
            yield self.read(table)
            return
        labels = distinct_labels(table, self.label, [self.score])
        for part in table_parts(table, labels=[self.label], numbers=[self.score]):
            yield self._rows(part, labels)

    def _rows(self, read: Table, others: Any = ()) -> dict[str, Any]:
        label = read[self.label]
        missing: Literal["raise", "allow"] = "raise" if self.nan == "raise" else "allow"
        known = np.concatenate([others, label]) if len(others) else label
        return {
            "y_true": self.positive(known, read.rows)[len(known) - len(label) :],
            "y_score": scores(
                read[self.score], name=f"column {self.score!r}", nan=missing, rows=read.rows
            ),
            "nan": self.nan,
        }


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class DirectedOptions(ScoreOptions):
    """Labels and one score, with its direction."""

    lower_is_better: LowerIsBetter = False


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class CurveOptions(NanOptions, LabelOptions):
    """Labels, scores, high or low, and clusters."""

    scores: Scores
    cluster: Annotated[str | None, option("cluster")] = None
    lower_is_better: LowerIsBetter = False


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class SampledOptions:
    """Scores, and the sampling of the rows."""

    scores: Scores
    lower_is_better: LowerIsBetter = False
    sample_weight: Annotated[str | None, option("sample_weight")] = None
    cluster: Annotated[str | None, option("cluster")] = None
    design: Annotated[Design, option("design")] = None


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class RowOptions(SampledOptions, LabelOptions):
    """Labels, scores, and the sampling of the rows."""


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class SegmentOptions(NanOptions):
    """Rows without a score, and segments."""

    by: Annotated[list[str] | None, option("by", negative=())] = None


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows with every score and their segments ``by``. ``omitted`` counts the other rows."""

    positive: NDArray[np.bool_]
    scores: tuple[NDArray[Any], ...]
    by: tuple[str, ...] | None
    omitted: int


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class WatchedOptions(SegmentOptions, LabelOptions):
    """Labels, one or two scores, and segments."""

    scores: Scores
    lower_is_better: LowerIsBetter = False

    def read(self, table: str) -> Batch:
        keys = self.by or []
        read = read_table(table, labels=[self.label], numbers=self.scores, keys=keys)
        aligned = aligned_scores(
            np.arange(len(read)), {name: read[name] for name in self.scores}, nan=self.nan,
            word="column", rows=read.rows,
        )  # fmt: skip
        positive = self.positive(read[self.label], read.rows)[aligned.truth]
        columns = [np.asarray(read[name])[aligned.truth].tolist() for name in keys]
        by = tuple(named_segment(key) for key in zip(*columns, strict=True)) if keys else None
        return Batch(positive, tuple(aligned.scores.values()), by, aligned.omitted)


def named_segment(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ColumnOptions(SegmentOptions, RowOptions):
    frequency: Annotated[str | None, option("frequency")] = None


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class TableOrLogOptions(ColumnOptions):
    label: Label = None  # type: ignore[assignment]
    scores: Scores = None  # type: ignore[assignment]

    @property
    def of_logs(self) -> bool:
        """Whether the files are logs; a table needs both a label and a score."""
        for name, column in (("--label", self.label), ("--score", self.scores)):
            if not column and (self.label or self.scores):
                raise InputError(f"the option {name} is missing", fix="name the column")
        return not self.label


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class OutcomeOptions(SegmentOptions, SampledOptions):
    outcome: Annotated[str, option("outcome")]


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class FoldOptions:
    """Scores of a cross-validation."""

    fold: Annotated[str | None, option("fold")] = None
    repeat: Annotated[str | None, option("repeat")] = None
    order: Annotated[Order, option("order")] = "any"


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class GroupOptions:
    """Groups within which a score ranks."""

    within: Annotated[str | None, option("within")] = None
    counts: Annotated[Counts | None, option("counts")] = None
