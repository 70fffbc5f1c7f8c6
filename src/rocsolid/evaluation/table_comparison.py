"""What `compare_table` returns: the comparisons of a table, as numbers and as tables of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.evaluation.best_first import best_first
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.evaluation.verdicts import verdict_of_comparison
from rocsolid.remarks.muting import shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NotCompared
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import Comparison, Interval, percent
from rocsolid.results.framed import Framed
from rocsolid.results.p_value import p_text
from rocsolid.results.plain import one_line
from rocsolid.results.telling import signed, telling


@dataclass(frozen=True, slots=True, eq=False)
class TableComparison(BlockPages, Framed):
    """The comparisons of a table: one of its scores, or one of the segments for each score.

    ``skipped`` says of a segment that could not be compared why not.
    """

    source: str
    label: str
    rows: int
    by: tuple[str, ...]
    comparisons: dict[str | None, Comparison]
    skipped: tuple[tuple[str, str, str], ...] = ()
    library: str = ""
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    __repr__ = one_line

    def __str__(self) -> str:
        parts = [
            str(comparison) if score is None else f"{score} by {', '.join(self.by)}: {comparison}"
            for score, comparison in self.comparisons.items()
        ]
        parts += [f"{score}, {name}: left out, {reason}." for score, name, reason in self.skipped]
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "source": self.source,
            "label": self.label,
            "rows": self.rows,
            "by": list(self.by),
            "comparisons": [
                {"score": score, **comparison.to_dict()}
                for score, comparison in self.comparisons.items()
            ],
            "skipped": [
                {"score": score, "segment": name, "reason": reason}
                for score, name, reason in self.skipped
            ],
        }

    def _records(self) -> Iterator[dict[str, Any]]:
        """Every pair; where segments are compared, of every score."""
        for score, comparison in self.comparisons.items():
            named = {} if score is None else {"score": score}
            yield from (named | pair.to_dict() for pair in comparison.pairs)

    def answer(self) -> tuple[str, ...]:
        """Of one comparison; of several, in how many pairs something was found."""
        found = list(self.comparisons.values())
        if len(found) == 1:
            return verdict_of_comparison(found[0])
        differ = [pair.p_adjusted < 1.0 - one.level for one in found for pair in one.pairs]
        return (f"{sum(differ):,} of {len(differ):,} pairs differ significantly.",)

    def _blocks(self, *, paper: bool) -> Iterator[TextBlock]:
        """For each comparison its values, its pairs and groups; then what is left out, and how."""
        of = f"{self.source}: {self.rows:,} rows, label {self.label}"
        for score, found in self.comparisons.items():
            comparison = best_first(found)
            title = of if score is None else f"{score} by {', '.join(self.by)}, {of}"
            yield TextBlock(title, value_cells(comparison), at_random(comparison))
            decided = (*comparison.decided(), *comparison.told_apart())
            how = (how_compared(comparison),) if paper else ()
            said = (*how, f"All equal: {comparison.omnibus}.", *decided)
            yield TextBlock("", pair_cells(comparison), said, comparison.warnings)
        yield TextBlock(notes=tuple(why_left_out(self)))
        if not paper:
            hows = dict.fromkeys(map(how_compared, self.comparisons.values()))
            yield TextBlock("Methods", said=tuple(hows))


def value_cells(comparison: Comparison) -> Cells:
    """What is compared: each estimate with its interval and class sizes."""
    title = "AUC" if comparison.measure == "auc" else comparison.measure
    rows = tuple(
        (
            name,
            number(one.value, one.interval.decimals),
            span(one.low, one.high, one.interval.decimals),
            f"{one.n_pos:,}",
            f"{one.n_neg:,}",
        )
        for name, one in comparison.estimates.items()
    )
    heads = (comparison.compared[:-1], title, percent(comparison.level), "positives", "negatives")
    return Cells(f"{len(rows)} {comparison.compared}, each by itself.", heads, rows)


def at_random(comparison: Comparison) -> tuple[str, ...]:
    """What chance alone gives, where it is the same for all."""
    chance = {one.chance for one in comparison.estimates.values()}
    if len(chance) > 1:
        return ()
    title = measure_title(comparison.measure)
    return (f"A score that ranks at random has a {title} of {number(chance.pop())}.",)


def pair_cells(
    comparison: Comparison, *, spare: int = 0, between: str = " to ", none: str = "none"
) -> Cells:
    """Every pair: the difference, both intervals, the p-value and the adjusted one.

    Limits have ``spare`` digits less than they could, where a line is short.
    """
    null = comparison.settings["null"]
    rows = tuple(
        (
            pair.a,
            pair.b,
            f"{pair.difference:+.{pair.interval.decimals}f}",
            _limits(pair.interval, null, spare, between),
            none if pair.certified is None else _limits(pair.certified, null, spare, between),
            p_text(pair.p_value, floor=pair.p_at_floor),
            pair.adjusted_text,
        )
        for pair in comparison.pairs
    )
    heads = ("a", "b", "a − b", percent(comparison.level), "certified", "p", "p adj.")
    return Cells("Differences, one pair at a time.", heads, rows, names=2)


def how_compared(comparison: Comparison) -> str:
    """What the p-values and the intervals say, and all methods by name."""
    settings = comparison.settings
    curves = settings["test"] == CURVES
    asked = "the ROC curves of a and b are equal" if curves else comparison.hypothesis
    proven = ", ".join(dict.fromkeys(p.certified.method for p in comparison.pairs if p.certified))
    alone = ", ".join(dict.fromkeys(one.interval.method for one in comparison.estimates.values()))
    return (
        f"p tests that {asked} ({settings['test']}, {settings['alternative']}); adjusted for all "
        f"pairs by {settings['adjust']}. Intervals are for one pair at a time; certified: "
        f"{proven or 'none known'}. Intervals of single values: {alone}. All equal: "
        f"{comparison.omnibus.method}."
    )


def why_left_out(found: TableComparison) -> tuple[Remark, ...]:
    """What could not be compared, a sentence each."""
    reasons = (NotCompared(reason).of(f"{score}, {name}") for score, name, reason in found.skipped)
    return shown(reasons, found.muted)


def _limits(interval: Interval, null: float, spare: int, between: str) -> str:
    """The limits, with digits that show on which side of the null they lie."""
    if interval.vacuous:
        return "none"
    ends = (interval.low, interval.high)
    return between.join(telling(end, null, interval.decimals - spare, signed) for end in ends)
