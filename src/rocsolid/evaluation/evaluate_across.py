"""Scores in a table, judged across groups: positives of one against negatives of another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from rocsolid.binary.cross_group_auc import CrossGroupAuc, across_groups
from rocsolid.binary.estimate import Options
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.leaks.page_leaks import page
from rocsolid.remarks.muting import shown
from rocsolid.remarks.tables import NotCompared
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells
from rocsolid.report.text import number, span
from rocsolid.results import percent
from rocsolid.results.each_once import each_once
from rocsolid.results.framed import Framed, library_of
from rocsolid.results.plain import one_line, plain_key

_NAMED = 3  # scores with a sentence of their own


@dataclass(frozen=True, slots=True, eq=False)
class AcrossEvaluation(BlockPages, Framed):
    """For each score the AUC of every pair of groups, with intervals that hold together."""

    source: str
    label: str
    across: str
    rows: int
    results: tuple[tuple[str, CrossGroupAuc], ...]
    library: str = ""
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join(f"{score}:\n{found}" for score, found in self.results)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "rows": self.rows,
            "source": self.source,
            "label": self.label,
            "across": self.across,
            "results": [{"score": score, **found.to_dict()} for score, found in self.results],
        }

    def _records(self) -> Iterator[dict[str, Any]]:
        for score, found in self.results:
            for (g, h), one in found.estimates.items():
                pair = {"positives": plain_key(g), "negatives": plain_key(h)}
                yield {"score": score, **pair, **one.to_dict()}

    def answer(self) -> tuple[str, ...]:
        """Where each score ranks worst, and what is guaranteed of that."""
        said = []
        for score, found in self.results[:_NAMED]:
            (g, h), one = found.worst, found.estimates[found.worst]
            sure = found.lowest
            ends = f"{percent(found.level)} interval {span(one.low, one.high)}"
            least = "" if sure is None else f"; guaranteed at least {number(sure[0])}"
            said.append(
                f"{score} ranks worst for positives of {g} against negatives of {h}: AUC "
                f"{number(one.value)} ({ends} for all pairs together{least})."
            )
        more = len(self.results) - _NAMED
        return (*said, *([f"{more} more scores are in the table."] if more > 0 else []))

    def _blocks(self, *, paper: bool) -> Iterator[TextBlock]:
        caption = f"{self.source}: {self.rows:,} rows, label {self.label}, across {self.across}."
        level = percent(self.results[0][1].level)
        heads = ("score", "positives of", "negatives of", "AUC", level, "certified", "pos", "neg")
        cells = tuple(
            (
                score, str(g), str(h), number(one.value), span(one.low, one.high),
                "none" if (sure := one.certified) is None else span(sure.low, sure.high),
                f"{one.n_pos:,}", f"{one.n_neg:,}",
            )
            for score, found in self.results
            for (g, h), one in found.estimates.items()
        )  # fmt: skip
        warned = [
            (f"{score}, {g} against {h}", text)
            for score, found in self.results
            for (g, h), one in found.estimates.items()
            for text in one.warnings
        ]
        left_out = [
            NotCompared(why).of(f"{g} against {h}")
            for (g, h), why in self.results[0][1].skipped.items()
        ]
        held = f"All {level} intervals of a score hold together, and so do the certified ones."
        yield TextBlock("", Cells(caption, heads, cells, names=3), (held,))
        seen = () if paper else page(["auc", "class sizes"]).sentences
        yield TextBlock(notes=(*each_once(warned), *shown(left_out, self.muted), *seen))


def evaluate_across(data: Any, columns: Columns, across: str, options: Options) -> AcrossEvaluation:
    """`rocsolid.cross_group_auc` of each score column; ``across`` names the column of groups.

    >>> table = {"y": [0, 1, 0, 1], "s": [1, 3, 5, 7], "site": ["a", "a", "b", "b"]}
    >>> found = evaluate_across(table, Columns("y", ("s",)), "site", Options())
    >>> found.results[0][1].worst
    ('a', 'b')
    """
    engine = InMemory(data, replace(columns, by=(across,)))
    with closing(engine):
        engine.check()
        assert engine.segments is not None
        groups = tuple(engine.segments.key(i)[across] for i in range(len(engine.segments)))
        results = []
        for score in engine.columns.scores:
            rows, kept = engine.rows_of(score)
            code = engine.segments.code if kept is None else engine.segments.code[kept]
            results.append((score, across_groups(rows, code, groups, options)))
        return AcrossEvaluation(
            engine.source, columns.label, across, engine.rows, tuple(results), library_of(data)
        )
