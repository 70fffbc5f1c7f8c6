"""The measures that separate two rankers, and a recommendation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.asymptotics.distinguishing.at_size import CREDITED, MeasureDistinction, half_of
from rocsolid.theory.asymptotics.limit import SOURCE


@dataclass(frozen=True, slots=True)
class Choice(Plain):
    """Measures to ``use``, best first, to ``avoid``, and the ``rest``, by their spoken names.

    The rest need more items or the mean over queries, or do not separate the rankers yet.
    ``evidence`` has a line for each measure. ``disagree`` states that the measures to use do not
    agree on the better ranker.
    """

    use: tuple[str, ...]
    avoid: tuple[str, ...]
    rest: tuple[str, ...]
    disagree: bool
    words: str
    evidence: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.words, *(f"- {line}" for line in self.evidence)])


def chosen(data: str, names: tuple[str, str], measures: Sequence[MeasureDistinction]) -> Choice:
    """Recommend measures that separate with few items; reject those that longer lists do not help.

    A recommended measure needs at most twice the items of the best one, and by theory continues to
    separate. Measures that separate only by averaging over queries follow.
    """
    separates = [measure for measure in measures if measure.verdict == "separates"]
    ready = sorted((measure for measure in separates if not _stuck(measure)), key=_needs)
    use = [measure for measure in ready if (measure.reached or 0) <= 2 * (ready[0].reached or 0)]
    averaged = [measure for measure in separates if _stuck(measure)]
    avoid = [
        measure
        for measure in measures
        if _stuck(measure)
        and (
            measure.verdict == "cannot"
            or (measure.verdict != "equal" and measure not in averaged and use)
        )
    ]
    rest = [measure for measure in measures if measure not in use and measure not in avoid]
    sentences = [f"Your data are {data}; the rankers are {names[0]} and {names[1]}."]
    if use:
        sentences.append(f"Use {_listed(use)}.")
    if averaged:
        sentences.append(
            f"{'Also' if use else 'Only'} {_listed(averaged, 'and')} will do, as your queries are "
            "averaged: longer lists would not show more."
        )
    good = (*use, *averaged)
    ahead = {measure.ahead for measure in good}
    if len(ahead) > 1:
        sides = [
            f"{name} by {_listed([measure for measure in good if measure.ahead == name], 'and')}"
            for name in names
        ]
        sentences.append(
            f"But they do not agree on which ranker is better: {'; '.join(sides)}. Decide by the "
            "ranks that your readers look at."
        )
    if ahead:
        sentences.append(
            "A difference appears more certain than it is if it was used to choose the measure: "
            "compare on other data."
        )
    else:
        sentences.append(_nothing(measures))
    if avoid:
        sentences.append(f"Avoid {_listed(avoid, 'and')}.")
    return Choice(
        use=tuple(measure.spoken for measure in use),
        avoid=tuple(measure.spoken for measure in avoid),
        rest=tuple(measure.spoken for measure in rest),
        disagree=len(ahead) > 1,
        words=" ".join(sentences),
        evidence=tuple(str(measure) for measure in (*use, *rest, *avoid)),
    )


def _stuck(measure: MeasureDistinction) -> bool:
    return measure.separation.verdict == "no"


def _needs(measure: MeasureDistinction) -> tuple[int, float]:
    right = [point.agrees.value for point in measure.items if point.overlap <= CREDITED]
    return measure.reached or 0, -sum(right)


def _listed(measures: Sequence[MeasureDistinction], word: str = "or") -> str:
    names = [measure.spoken for measure in measures]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _nothing(measures: Sequence[MeasureDistinction]) -> str:
    known = [
        (min(shares), measure)
        for measure in measures
        if not measure.equal and (shares := _at_half(measure))
    ]
    if not known:
        return "None of the measures shows a difference."
    best, measure = max(known, key=lambda pair: pair[0])
    half = (
        "half of the items and with half of the queries" if measure.queries else "half of the items"
    )
    more = "more queries" if measure.verdict == "more queries" else "more queries or longer lists"
    return (
        f"None of the measures has the right sign 95 times in 100 with {half}, so none can be "
        f"recommended. The nearest is {measure.spoken} with {100 * best:.0f} %. Use {more} before "
        "you choose."
    )


def _at_half(measure: MeasureDistinction) -> list[float]:
    halves = [half_of(points) for points in (measure.items, measure.queries)]
    return [half.on_new_data.value for half in halves if half and half.on_new_data]


@dataclass(frozen=True, slots=True)
class Distinction(Plain):
    """Two rankers, and each measure's power to separate them.

    ``lengths`` are the lengths of the shortest, the median and the longest list. ``left_out``
    counts queries without a relevant item. ``orders`` is the number of random orders.
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
        """Return a measure by its name ("NDCG@10 with log2") or spoken name ("1/log(1+r) @10")."""
        for each in self.measures:
            if measure in (each.measure, each.spoken):
                return each
        raise KeyError(measure)

    def choose(self) -> Choice:
        """Recommend which of these measures to use for these rankers on such lists."""
        return chosen(self.data, self.names, self.measures)

    @property
    def data(self) -> str:
        low, middle, high = self.lengths
        length = f"{low:,}" if low == high else f"{low:,} to {high:,} (median {middle:,})"
        grades = ", ".join(f"{g:g}" for g in self.grades)
        lists = "one list" if self.queries == 1 else f"{self.queries:,} queries"
        return f"{lists} of {length} items, grades {grades}"

    @property
    def table(self) -> tuple[tuple[str, ...], ...]:
        """The column heads, then a row of texts for each measure."""
        several = self.queries > 1
        proven = any(measure.proven is not None for measure in self.measures)
        head = ("measure", *self.names, "items for 95 %", *(["queries"] if several else []))
        head += (*(["proven items"] if proven else []), "theory", "verdict")
        return (head, *(_row(measure, several, proven) for measure in self.measures))

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
        """Return each measure in sentences, and the meaning of the probabilities."""
        lines = [f"{self.names[0]} against {self.names[1]}: {self.data}."]
        lines += [str(measure) for measure in self.measures]
        lines.append(self.about)
        return "\n".join(lines)

    @property
    def about(self) -> str:
        return (
            f"The right sign is the sign of all data. A probability is a share of {self.orders:,} "
            "random orders, lowered (approximately) to what new data would show if the difference "
            "on all data is the true one; its 95 % limits are for more such orders. Other data "
            "would show other shares: two rankers that do not differ reach 95 % by chance in 2 to "
            "4 of 100 cases."
        )

    def to_dict(self) -> dict[str, Any]:
        return {"source": SOURCE, **Plain.to_dict(self), "choice": self.choose().to_dict()}


def _row(measure: MeasureDistinction, several: bool, proven: bool) -> tuple[str, ...]:
    return (
        measure.spoken,
        f"{measure.value_a:.4f}",
        f"{measure.value_b:.4f}",
        _needed(measure.reached),
        *([_needed(measure.queries_reached)] if several else []),
        *(["" if measure.proven is None else f"{measure.proven:,}"] if proven else []),
        measure.separation.theorem,
        measure.verdict,
    )


def _needed(size: int | None) -> str:
    return "more" if size is None else f"{size:,}"
