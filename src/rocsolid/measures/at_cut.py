"""Precision, recall and lift of the top k rows, or of the top share of rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from rocsolid.binary.cumulative_gain import GainBlocks
from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.top_cut import AtTheCut, CutTerm, Of, of_hits
from rocsolid.binary.top_estimate import NAMES, TopValue, top_estimate
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.measure_parameters import settings_of
from rocsolid.intervals.guarantees.curve_point import (
    lift_at_share_of,
    precision_at_share_of,
    recall_at_share_of,
)
from rocsolid.measures.binary_measure import Scored
from rocsolid.measures.picture import Picture
from rocsolid.measures.top_measure import PREVALENCE, TopMeasure
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import PositivesRunOut, TiedAtCut
from rocsolid.results import Estimate
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import TermSums

_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%?)")
_SAID: dict[Of, str] = {
    "precision": "Of the best {cut} {{percent}} are positive.",
    "recall": "The best {cut} hold {{percent}} of the positives.",
    "lift": "The best {cut} hold {{value}} times as many positives as rows picked at random.",
    "enrichment": "The best {cut} hold {{value}} times as many positives as rows picked at random.",
}


_WORDS: dict[Of, str] = {
    "precision": "the share of positives among the best rows: a number, or a share of all rows",
    "recall": "the share of all positives that are among the best rows",
    "lift": "precision among the best rows over the share of positives in all rows",
    "enrichment": "the lift, by its name in drug discovery",
}

_RUN_OUT = 0.8
"""If the precision and the recall of the best rows both exceed this, nominal 95 % intervals held in
as few as 68 % of simulated samples, because the cut lies where the local rate drops."""

_BOUNDS = {
    "precision": precision_at_share_of,
    "recall": recall_at_share_of,
    "lift": lift_at_share_of,
    "enrichment": lift_at_share_of,
}


@dataclass(frozen=True, slots=True)
class AtCut(TopMeasure):
    """A measure of the best ``cut`` rows, or of the best ``cut`` per cent of rows with ``share``.

    The value is the mean over all orders of rows that are tied at the cut, and results report the
    range over orders. A share that is not a whole number of rows counts the last row in part, and
    weighted rows count with their weights.

    >>> AtCut("precision", 5.0, True).name, AtCut("recall", 100.0, False).name
    ('precision@5%', 'recall@100')
    """

    of: Of
    cut: float
    share: bool
    intervals: ClassVar[tuple[str, ...]] = (*NAMES, "mean-tails")
    bounds: ClassVar[tuple[str, ...]] = ("mean-tails",)

    def __post_init__(self) -> None:
        if not 0.0 < self.cut < (100.0 if self.share else np.inf):
            raise InputError(
                "a cut must be above 0 and below 100 %", where=self.of, value=f"{self.cut:g}"
            )

    @property
    def words(self) -> str:
        return _WORDS[self.of]

    @property
    def picture(self) -> Picture:
        return "pr" if self.of == "precision" else "gain"

    @property
    def stem(self) -> str:
        return f"{self.of}@{self.cut:g}{'%' if self.share else ''}"

    @property
    def range(self) -> tuple[float, float]:
        if self.of in ("precision", "recall"):
            return 0.0, 1.0
        return 0.0, 100.0 / self.cut if self.share else np.inf

    @property
    def of_so_many(self) -> bool:
        return not self.share

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:
        """Positives above the cut, or the number that is missing from the best value."""
        total = n_pos + n_neg
        count = self.count(total)
        hits = value * count
        if self.of != "precision":
            hits = value * n_pos * (1.0 if self.of == "recall" else count / total)
        return min(hits, min(count, n_pos) - hits)

    def range_in(self, rows: BinaryRows) -> tuple[float, float]:
        bottom, top = self.range
        if np.isfinite(top):
            return bottom, top
        total = float(len(rows) if rows.weight is None else rows.weight.sum())
        return bottom, total / self.count(total)

    def count(self, total: float) -> float:
        """The number of rows above the cut."""
        if self.share:
            return total * self.cut / 100.0
        if not self.cut < total:
            raise UnsoundError(
                f"there are no {self.cut:g} rows to cut off",
                where="measure",
                value=self.name,
                fix=f"these rows count {total:g}: take a smaller k, or a share such as 5 %",
            )
        return self.cut

    @property
    def term(self) -> CutTerm:
        return CutTerm(self.of, self.cut, self.share, self.prevalence != "rows")

    def ends(self, top: TopValue, sums: TermSums) -> TopValue:
        cut: AtTheCut = sums.details
        share = self.count(cut.total) / cut.total
        if self.of == "precision":
            return replace(top, trials=sums.reached)
        return replace(
            top, trials=min(sums.reached, sums.trials[0]),
            reach=min(cut.count / cut.positives, 1.0),
            top=1.0 if self.of == "recall" else 1.0 / share,
        )  # fmt: skip

    def table_value(self, details: AtTheCut) -> Callable[[ScoreCounts], float]:
        share = details.count / details.total  # the share in each resample too

        def value(table: ScoreCounts) -> float:
            part = GainBlocks.of(table)
            hits, size = part.hits(share * part.total), float(part.pos.sum())
            return of_hits(self.of, hits, share, size, part.total)

        return value

    def worded(self, scored: Scored, options: Options) -> Estimate:
        sums, summary = scored.sums(self.term), scored.summary
        cut: AtTheCut = sums.details
        top = self.top_value(sums, scored.rows)
        share = cut.count / cut.total
        low, high = (
            of_hits(self.of, hits, share, cut.positives, cut.total)
            for hits in (cut.fewest, cut.most)
        )
        warnings: tuple[Remark, ...] = ()
        if high - low > 1e-12 * high:
            warnings = (TiedAtCut(cut.tied, cut.drawn, low, high),)
        hits = cut.hits
        run_out = self.of == "precision" and min(hits / cut.count, hits / cut.positives) >= _RUN_OUT
        if run_out:
            warnings += (PositivesRunOut(hits, cut.positives),)
        chance = {"precision": cut.positives / cut.total, "recall": share}.get(self.of, 1.0)
        rows = f"{self.cut:g} % of the rows" if self.share else f"{self.cut:g} rows"
        wording = Wording(
            self.name, _SAID[self.of].format(cut=rows), chance,
            {"cut": cut.count, "ties_allow": [low, high]},
        )  # fmt: skip
        table, certified = cut.table, None
        if summary.squared_shares is None and table is not None:
            certified = Deferred(
                lambda: _BOUNDS[self.of](
                    table, share, 1.0 - options.level, options.alternative,
                    prevalence=self.prevalence,
                )
            )  # fmt: skip
        return top_estimate(
            scored.rows, summary, scored.omitted, top, certified, options, wording, warnings,
            rely=run_out,
        )  # fmt: skip


def parse(text: str, inside: str | None) -> AtCut:
    """Parse ``precision@5%``, ``recall@100`` or ``lift@10%(prevalence=classes)``.

    >>> parse("enrichment@0.5%", None).name
    'enrichment@0.5%'
    """
    words, settings = settings_of(inside, text, PREVALENCE)
    kind, _, rest = text.partition("@")
    cut = _NUMBER.fullmatch(rest.partition("(")[0].strip())
    whole = cut is not None and (cut[2] == "%" or float(cut[1]).is_integer())
    if words or cut is None or not whole or not isinstance(settings.get("prevalence", "rows"), str):
        raise InputError(
            "not a valid measure",
            where="measure",
            value=text,
            fix=f"write {kind.strip()}@100 or {kind.strip()}@5%",
        )
    of: dict[str, Of] = {str(each): each for each in _SAID}
    return AtCut(of[kind.strip()], float(cut[1]), cut[2] == "%", **settings)
