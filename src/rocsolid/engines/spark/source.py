"""The columns of a Spark dataframe that are asked about, under short names, and their types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.engines.engine import Columns
from rocsolid.inputs import TextLabel, pos_label_from_text, refusals
from rocsolid.inputs.rows import Rows

NAME = "the Spark dataframe"
MISSING, OTHER = -9, 7
"""Codes beside 1, 0 and -1 for a label that is missing, and for one that is neither."""

_WHOLE = ("byte", "short", "integer", "long")
_REAL = ("float", "double")


class SomeRow(Rows):
    """Rows of a dataframe have no number to be named by."""

    __slots__ = ()

    def name(self, positions: Any) -> str:  # noqa: ARG002
        return f"in {NAME}"


SOME_ROW = SomeRow()


@dataclass(frozen=True, slots=True)
class Source:
    """A dataframe with the columns y (a code), s0, s1 … (as they are), w, c, b0, b1 …"""

    frame: Any
    columns: Columns
    types: dict[str, str]

    @classmethod
    def of(cls, frame: Any, columns: Columns) -> Source:
        """Check that the columns are there, each once, before anything runs."""
        wanted = columns.wanted
        wanted.check(list(frame.columns), NAME)
        found = {field.name: field.dataType.typeName() for field in frame.schema.fields}
        types = {name: found[name] for name in wanted.names}
        for name in (*wanted.labels, *wanted.keys):
            if types[name] in ("array", "struct", "map", "variant"):
                raise refusals.of_lists(f"column {name!r}", types[name])
        return cls(frame, columns, types)

    def projected(self) -> Any:
        """The narrow table that every job reads."""

        named = [self._code().alias("y")]
        named += [column(name).alias(f"s{i}") for i, name in enumerate(self.columns.scores)]
        named += [self._key(name).alias(f"b{i}") for i, name in enumerate(self.columns.by)]
        if self.columns.weight is not None:
            weight = column(self.columns.weight)
            if self.types[self.columns.weight] == "boolean":
                weight = weight.cast("int")
            named.append(weight.cast("double").alias("w"))
        if self.columns.cluster is not None:
            named.append(self._key(self.columns.cluster).alias("c"))
        return self.frame.select(*named)

    @property
    def keys(self) -> list[str]:
        """The short names of the segment columns."""
        return [f"b{i}" for i in range(len(self.columns.by))]

    @property
    def pos_label(self) -> Any:
        """The positive label, in the type of the labels where it was typed on a command line."""
        wanted, label = self.columns.pos_label, self.columns.label
        if not isinstance(wanted, TextLabel):
            return wanted
        if self.types[label] == "boolean":
            return pos_label_from_text(wanted, [True])
        return pos_label_from_text(wanted, [0] if self.is_number(label) else ["0"])

    def is_number(self, name: str) -> bool:
        return self.types[name] in (*_WHOLE, *_REAL, "boolean")

    def is_whole(self, name: str) -> bool:
        return self.types[name] in (*_WHOLE, "boolean")

    def oriented(self, score: str, as_float: bool) -> Any:
        """The score in the direction in which higher is better, and with one spelling of zero.

        As `rocsolid.inputs.reverse` has it: the complement of integers (of a byte for booleans),
        the negative of floats.
        """
        from pyspark.sql import functions as F

        value = column_of(self.columns.scores.index(score))
        low = self.columns.lower_is_better
        if self.types[score] == "boolean":
            value = value.cast("int")
            if not as_float:
                return (255 - value if low else value).cast("long")
        elif self.is_whole(score) and not as_float:
            value = value.cast("long")
            return F.bitwise_not(value) if low else value
        value = value.cast("double")
        return (-value if low else value) + F.lit(0.0)

    def _code(self) -> Any:
        """1 for a positive row; without a pos_label 0 and -1 have codes of their own."""
        from pyspark.sql import functions as F

        label, kind = column(self.columns.label), self.types[self.columns.label]
        missing = _is_missing(label, kind)
        if kind == "boolean":
            label = label.cast("int")
        if self.columns.pos_label is not None:
            code = F.when(self._is_positive(label, kind), 1).otherwise(0)
        elif self.is_number(self.columns.label):
            code = F.when(label == 1, 1).when(label == 0, 0).when(label == -1, -1).otherwise(OTHER)
        else:
            code = F.lit(OTHER)
        return F.when(missing, MISSING).otherwise(code).cast("byte")

    def _is_positive(self, label: Any, kind: str) -> Any:
        """Text equals text and numbers equal numbers; nothing else does."""
        from pyspark.sql import functions as F

        wanted, number_label = self.pos_label, self.is_number(self.columns.label)
        wanted = wanted.item() if hasattr(wanted, "item") else wanted
        text, number = isinstance(wanted, str), isinstance(wanted, bool | int | float)
        if text != (kind in ("string", "char", "varchar")):
            return F.lit(False)
        if number != (number_label or kind == "decimal"):
            return F.lit(False)
        if text:
            return label == F.lit(str(wanted))
        return label == F.lit(int(wanted) if isinstance(wanted, bool) else wanted)

    def _key(self, name: str) -> Any:
        from pyspark.sql import functions as F

        key = column(name)
        return key + F.lit(0.0) if self.types[name] in _REAL else key


def column(name: str) -> Any:
    """A column by its name, dots and all."""
    from pyspark.sql import functions as F

    return F.col("`" + name.replace("`", "``") + "`")


def column_of(index: int) -> Any:
    from pyspark.sql import functions as F

    return F.col(f"s{index}")


def _is_missing(value: Any, kind: str) -> Any:
    from pyspark.sql import functions as F

    return value.isNull() | F.isnan(value) if kind in _REAL else value.isNull()


def score_is_missing(source: Source, score: str) -> Any:
    """Whether the score of a projected row is null or NaN."""
    return _is_missing(column_of(source.columns.scores.index(score)), source.types[score])


def key_is_missing(name: str, kind: str) -> Any:
    """Whether a key of a projected row, by its short name, is null or NaN."""
    return _is_missing(column(name), kind)
