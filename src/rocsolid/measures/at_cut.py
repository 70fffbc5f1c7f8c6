"""Precision, recall and lift among the best k rows, or the best share of them, as measures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.cumulative_gain import GainBlocks, blocks_of, cut_influences, effective
from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.top_estimate import NAMES, TopValue, top_estimate
from rocsolid.engines.engine import Feature
from rocsolid.engines.memory import score_counts
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
from rocsolid.results import Estimate, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts

Of = Literal["precision", "recall", "lift", "enrichment"]
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%?)")
_SAID: dict[Of, str] = {
    "precision": "Of the best {cut} {{percent}} are positive.",
    "recall": "The best {cut} hold {{percent}} of the positives.",
    "lift": "The best {cut} hold {{value}} times as many positives as rows picked at random.",
    "enrichment": "The best {cut} hold {{value}} times as many positives as rows picked at random.",
}


_WORDS: dict[Of, str] = {
    "precision": "the share of positives among the best rows: so many, or a share of all",
    "recall": "the share of all positives that are among the best rows",
    "lift": "precision among the best rows over the share of positives in all",
    "enrichment": "the same as the lift, by its name in drug discovery",
}

_RUN_OUT = 0.8
"""Where the precision and the recall of the best rows are both above this, intervals of nominal
95 % held in as few as 68 % of simulated samples: the cut falls where the local rate drops."""

_BOUNDS = {
    "precision": precision_at_share_of,
    "recall": recall_at_share_of,
    "lift": lift_at_share_of,
    "enrichment": lift_at_share_of,
}


@dataclass(frozen=True, slots=True)
class AtCut(TopMeasure):
    """What the best ``cut`` rows hold, or that share of all rows where ``share``.

    Rows that are tied at the cut stand in any order: the value is the mean over all orders, and
    results say what the orders allow. A share that is no whole number of rows takes the last one in
    part, and under weights a row counts with its weight.

    >>> AtCut("precision", 5.0, True).name, AtCut("recall", 100.0, False).name
    ('precision@5%', 'recall@100')
    """

    of: Of
    cut: float
    share: bool
    intervals: ClassVar[tuple[str, ...]] = (*NAMES, "mean-tails")
    bounds: ClassVar[tuple[str, ...]] = ("mean-tails",)
    reads: ClassVar[Feature] = "rows"
    reads_by_segment: ClassVar[Feature] = "rows"
    reads_clusters: ClassVar[Feature] = "rows"

    def __post_init__(self) -> None:
        if not 0.0 < self.cut < (100.0 if self.share else np.inf):
            raise InputError(
                "a cut lies above 0, and below 100 %", where=self.of, value=f"{self.cut:g}"
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
        """Positives above the cut, or how many more there could be."""
        total = n_pos + n_neg
        count = self.count(total)
        hits = value * count
        if self.of != "precision":
            hits = value * n_pos * (1.0 if self.of == "recall" else count / total)
        return min(hits, min(count, n_pos) - hits)

    def range_in(self, rows: BinaryRows) -> tuple[float, float]:
        bottom, top = self.range
        total = blocks_of(rows)[0].total
        return bottom, top if np.isfinite(top) else total / self.count(total)

    def count(self, total: float) -> float:
        """How many rows are above the cut."""
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

    def guarantee(
        self, summary: BinarySummary, blocks: GainBlocks, options: Options
    ) -> Deferred[Interval] | None:
        """Limits for the value at the same share of the population."""
        classes, bound = summary.classes, _BOUNDS[self.of]
        if classes is None:
            return None
        return Deferred(
            lambda: bound(
                ScoreCounts.from_sorted(classes), self.count(blocks.total) / blocks.total,
                1.0 - options.level, options.alternative, prevalence=self.prevalence,
            )
        )  # fmt: skip

    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:  # noqa: ARG002
        blocks = GainBlocks.of(score_counts(rows))
        total, positives = blocks.total, float(blocks.pos.sum())
        share = self.count(total) / total  # resamples have as large a share of their rows

        def value(table: ScoreCounts) -> float:
            part = GainBlocks.of(table)
            hits, size = part.hits(share * part.total), float(part.pos.sum())
            return self._of_hits(hits, share, size, part.total)

        def influences() -> NDArray[np.float64]:
            slope, _ = cut_influences(rows, share * total)
            known = np.where(rows.positive, positives, total - positives)
            if self.of == "precision":
                return np.asarray(known * (slope - now * share) / (share * total))
            recall = now if self.of == "recall" else now * share
            influence = known * (slope - recall * rows.positive) / positives
            return np.asarray(influence if self.of == "recall" else influence / share)

        now = value(score_counts(rows))
        taken = blocks.taken(share * total)
        trials = effective(rows, taken[blocks_of(rows)[1]])
        reach = 1.0
        if self.of != "precision":
            trials = min(trials, effective(rows, rows.positive.astype(np.float64)))
            reach = min(share * total / positives, 1.0)
        top = 1.0 if self.of in ("precision", "recall") else 1.0 / share
        return TopValue(
            now, trials, influences, value, self.prevalence, top=top, reach=reach,
        )  # fmt: skip

    def worded(self, scored: Scored, options: Options) -> Estimate:
        rows = scored.rows
        if rows is None:
            raise UnsoundError(
                f"{self.name} looks at rows, which are not available here",
                where="measure",
                value=self.name,
                fix="evaluate in memory",
            )
        blocks = blocks_of(rows)[0]
        total, positives = blocks.total, float(blocks.pos.sum())
        count = self.count(total)
        fewest, most, tied, drawn = blocks.tied_range(count)
        low, high = (self._of_hits(h, count / total, positives, total) for h in (fewest, most))
        warnings: tuple[Remark, ...] = ()
        if high - low > 1e-12 * high:
            warnings = (TiedAtCut(tied, drawn, low, high),)
        hits = blocks.hits(count)
        run_out = self.of == "precision" and min(hits / count, hits / positives) >= _RUN_OUT
        if run_out:
            warnings += (PositivesRunOut(hits, positives),)
        chance = {"precision": positives / total, "recall": count / total}.get(self.of, 1.0)
        cut = f"{self.cut:g} % of the rows" if self.share else f"{self.cut:g} rows"
        wording = Wording(
            self.name, _SAID[self.of].format(cut=cut), chance,
            {"cut": count, "ties_allow": [low, high]},
        )  # fmt: skip
        summary = scored.summary
        certified = self.guarantee(summary, blocks, options)
        return top_estimate(
            rows,
            summary,
            scored.omitted,
            self.found(rows),
            certified,
            options,
            wording,
            warnings,
            rely=run_out,
        )

    def _of_hits(self, hits: float, share: float, positives: float, total: float) -> float:
        if self.of == "precision":
            return hits / (share * total)
        if self.of == "recall":
            return hits / positives
        return hits * total / (positives * (share * total))


def parse(text: str, inside: str | None) -> AtCut:
    """From ``precision@5%``, ``recall@100`` or ``lift@10%(prevalence=classes)``.

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
