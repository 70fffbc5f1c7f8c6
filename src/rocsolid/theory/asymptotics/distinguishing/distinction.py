"""What `distinguish` found: a table, sentences, and plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.asymptotics.distinguishing.choice import Choice, chosen
from rocsolid.theory.asymptotics.distinguishing.measure_distinction import MeasureDistinction

SOURCE = (
    "Wang, Wang, Li, He, Liu and Chen, A theoretical analysis of NDCG type ranking measures (2013)"
)


@dataclass(frozen=True, slots=True)
class Distinction(Plain):
    """Two rankers, and each measure's power to separate them.

    ``lengths`` are the shortest, the median and the longest list. ``left_out`` queries had no
    relevant item. ``orders`` is the number of random orders that were drawn.
    """

    names: tuple[str, str]
    measures: tuple[MeasureDistinction, ...]
    queries: int
    left_out: int
    lengths: tuple[int, int, int]
    grades: tuple[float, ...]
    gain: str
    sizes: tuple[int, ...]
    orders: int
    seed: int
    _json = "names queries left_out lengths grades gain sizes orders seed about measures"
    _cites = ("Which discount separates rankers", "wang2013")

    def __iter__(self) -> Iterator[MeasureDistinction]:
        return iter(self.measures)

    def __getitem__(self, measure: str) -> MeasureDistinction:
        """By its name ("NDCG@10 with log2") or as people say it ("1/log(1+r) @10")."""
        for one in self.measures:
            if measure in (one.measure, one.spoken):
                return one
        raise KeyError(measure)

    def choose(self) -> Choice:
        """Which of these measures to use for these rankers on lists like these, and which not."""
        return chosen(self.data, self.names, self.measures)

    @property
    def data(self) -> str:
        """The lists in a few words."""
        low, middle, high = self.lengths
        length = f"{low:,}" if low == high else f"{low:,} to {high:,} (median {middle:,})"
        grades = ", ".join(f"{g:g}" for g in self.grades)
        lists = "one list" if self.queries == 1 else f"{self.queries:,} queries"
        return f"{lists} of {length} items, grades {grades}"

    @property
    def table(self) -> tuple[tuple[str, ...], ...]:
        """The heads, then a row of texts for each measure."""
        several = self.queries > 1
        head = ("measure", *self.names, "items for 95 %", *(["queries"] if several else []))
        head += ("theory", "verdict")
        return (head, *(_row(one, several) for one in self.measures))

    __repr__ = one_line

    def __str__(self) -> str:
        rows = self.table
        words = {0, len(rows[0]) - 2, len(rows[0]) - 1}
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if i in words else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([f"{self.names[0]} against {self.names[1]}: {self.data}", *lines])

    def explain(self) -> str:
        """Each measure in sentences, and what the probabilities are."""
        lines = [f"{self.names[0]} against {self.names[1]}: {self.data}."]
        lines += [str(one) for one in self.measures]
        lines.append(self.about)
        return "\n".join(lines)

    @property
    def about(self) -> str:
        """What the probabilities are about."""
        return (
            "Right means the sign that all data have. A probability is a share of "
            f"{self.orders:,} random orders, lowered (approximately) to what new data would show "
            "if the difference on all data is the true one; its 95 % "
            "limits are about more such orders. Other data would give other shares: two rankers "
            "that do not differ reach 95 % by chance in 2 to 4 of 100 cases."
        )

    def to_dict(self) -> dict[str, Any]:
        found = Plain.to_dict(self)
        return {"source": SOURCE, **found, "choice": self.choose().to_dict()}


def _row(one: MeasureDistinction, several: bool) -> tuple[str, ...]:
    return (
        one.spoken,
        f"{one.value_a:.4f}",
        f"{one.value_b:.4f}",
        _needed(one.reached),
        *([_needed(one.queries_reached)] if several else []),
        one.separation.theorem,
        one.verdict,
    )


def _needed(size: int | None) -> str:
    return "more" if size is None else f"{size:,}"
