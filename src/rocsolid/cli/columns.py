"""The columns that verbs read, in groups: labels, scores, and how the rows were drawn.

Annotations are no text here (``from __future__``): a group elsewhere inherits them as they are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from rocsolid.cli.lists import COLUMNS, Label, LowerIsBetter, PosLabel, Score, Scores
from rocsolid.errors import InputError
from rocsolid.inputs import Rows, Table, pos_label_from_text, read_table, scores
from rocsolid.inputs import positives as positive_rows
from rocsolid.inputs.models import aligned_scores
from rocsolid.inputs.tables import comes_in_parts, distinct_labels, table_parts
from rocsolid.measures.folded import Order
from rocsolid.measures.within import Counts


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """The labels of a table."""

    label: Label
    pos_label: PosLabel = None

    def typed(self, column: Any) -> Any:
        """The positive label in the type of this column."""
        return None if self.pos_label is None else pos_label_from_text(self.pos_label, column)

    def positive(self, column: Any, rows: Rows) -> Any:
        """Which rows are positive."""
        return positive_rows(
            column, pos_label=self.typed(column), name=f"column {self.label!r}", rows=rows
        )


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class PilotOptions:
    """A table to plan from, in place of guesses.

    Parameters
    ----------
    table
        A file of rows that stand for those to come.
    """

    table: str | None = None
    label: Label | None = None
    scores: Scores | None = None
    pos_label: PosLabel = None

    @property
    def given(self) -> bool:
        return any(one is not None for one in (self.table, self.label, self.scores, self.pos_label))

    def read(self, count: int, incomplete: InputError) -> tuple[LabelOptions, Table]:
        """The labels and ``count`` scores of the table; ``incomplete`` where something lacks."""
        scores = self.scores or []
        if self.table is None or self.label is None or len(scores) != count:
            raise incomplete
        labels = LabelOptions(label=self.label, pos_label=self.pos_label)
        return labels, read_table(self.table, labels=[self.label], numbers=scores, keys=[])


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class NanOptions:
    """Rows without a score.

    Parameters
    ----------
    nan
        A missing score: an error, or leave the row out for every score (omit).
    """

    nan: Literal["raise", "omit"] = "raise"


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ScoreOptions(NanOptions, LabelOptions):
    """Labels and one score."""

    score: Score

    def read(self, table: str) -> dict[str, Any]:
        """The rows of a file, as keywords of what takes batches of rows; errors name its lines."""
        return self._rows(read_table(table, labels=[self.label], numbers=[self.score]))

    def parts(self, table: str) -> Iterator[dict[str, Any]]:
        """The same a part at a time, where the file's format allows.

        What a label means is decided by all of them: a part may lack the positive one.
        """
        if not comes_in_parts(table):
            yield self.read(table)
            return
        labels = distinct_labels(table, self.label, [self.score])
        for part in table_parts(table, labels=[self.label], numbers=[self.score]):
            yield self._rows(part, labels)

    def _rows(self, read: Table, others: Any = ()) -> dict[str, Any]:
        """Of a table, or of the part of one in which there are ``others`` among the labels."""
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
    """Labels and one score, high or low."""

    lower_is_better: LowerIsBetter = False


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class SampledOptions:
    """Scores, and how the rows were drawn.

    Parameters
    ----------
    sample_weight
        The column of weights: how much of the population a row stands for. A weight is not a count
        of equal rows.
    cluster
        The column that says which rows belong together, such as a patient's.
    """

    scores: Scores
    lower_is_better: LowerIsBetter = False
    sample_weight: str | None = None
    cluster: str | None = None


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class RowOptions(SampledOptions, LabelOptions):
    """Labels, scores, and how the rows were drawn.

    Parameters
    ----------
    design
        "fixed" declares that weights and cluster sizes were chosen without regard to the scores.
        Weighted or clustered rows have a certified interval only with it.
    """

    design: Literal["fixed"] | None = None


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class SegmentOptions(NanOptions):
    """Rows without a score, and segments.

    Parameters
    ----------
    by
        A column of segments: results for each of its values too. Repeat it for combinations.
    """

    by: Annotated[list[str] | None, Parameter(negative=())] = None


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The rows that have every score; ``by`` is the segment of each, ``omitted`` counts others."""

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
        """The rows of a file, checked; an error names its lines."""
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
    """The values of its columns as one name."""
    return ", ".join(map(str, values))


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ColumnOptions(SegmentOptions, RowOptions):
    """All columns that a table of scores may have.

    Parameters
    ----------
    frequency
        The column that says how many equal rows a row stands for, a whole number. The result is
        as if all were written out.
    """

    frequency: str | None = None


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class OutcomeOptions(SegmentOptions, SampledOptions):
    """All columns that a table of scores of an outcome may have.

    Parameters
    ----------
    outcome
        The column of outcomes: amounts, times, or grades numbered in their order.
    """

    outcome: str


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class FoldOptions:
    """Scores of a cross-validation.

    Parameters
    ----------
    fold
        The scores come from cross-validation: the column of the fold in which a row was held out.
    repeat
        With --fold: the column that numbers the repeats of the cross-validation. --cluster must
        then identify the original row.
    order
        With --fold: "progressive" declares that each model was fitted and chosen on earlier folds
        only. The certified interval then uses all folds.
    """

    fold: str | None = None
    repeat: str | None = None
    order: Order = "any"


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class GroupOptions:
    """Groups within which a score is to rank.

    Parameters
    ----------
    within
        A column of groups, such as a task or a user: also the value among rows of one group, and
        among rows of different ones.
    counts
        With --within: how a group counts, by its pairs (the default), by its rows, or all groups
        alike.
    """

    within: str | None = None
    counts: Counts | None = None
