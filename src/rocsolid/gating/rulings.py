"""What a policy came to, as numbers: a ruling for each rule and segment, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from rocsolid.answer.entry import segment_text
from rocsolid.remarks.remark import Remark
from rocsolid.report.cells import Cells
from rocsolid.results import Interval, percent
from rocsolid.results.kinds import Count, FloatOrNaN, Rank, SegmentOrAll, holds
from rocsolid.results.plain import Plain, one_line

Verdict = Literal["pass", "fail", "undecided"]
ORDER: tuple[Verdict, ...] = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class Ruling(Plain):
    """One rule in one segment: decided, by which limits, and what would decide it.

    ``interval`` is one of the limits with its method.
    """

    rule: Annotated[Rank, "The number of the rule in the policy."]
    text: Annotated[str, "The rule in words."]
    by: Annotated[dict[str, Any] | None, SegmentOrAll]
    verdict: Annotated[Verdict, "What was decided."]
    value: Annotated[
        FloatOrNaN, "The estimate, the difference, or the fact; null where there is none."
    ]
    low: Annotated[FloatOrNaN, "The one-sided lower limit that was used; null where none was."]
    high: Annotated[FloatOrNaN, "The one-sided upper limit that was used; null where none was."]
    needed: Annotated[str, "What the limits had to show."]
    why: Annotated[str, "The ruling as a sentence."]
    more: Annotated[
        int | None,
        holds(minimum=1),
        "How many more rows or queries would probably decide; null where nothing is open, or no "
        "number would.",
    ] = None
    shown: str = ""
    interval: Interval | None = None
    _json = "rule text verdict value low high needed why more_rows=more by method"

    @property
    def method(self) -> str | None:
        """The method of a limit; null where none was used."""
        return None if self.interval is None else self.interval.method

    @property
    def segment(self) -> str:
        return segment_text(self.by).lstrip(", ")

    __repr__ = one_line

    def __str__(self) -> str:
        where = f" [{self.segment}]" if self.by else ""
        return f"{self.verdict.upper()} rule {self.rule}: {self.text}{where}: {self.why}"


@dataclass(frozen=True, slots=True, eq=False)
class GateNumbers(Plain):
    """All rulings of a policy. Pages and texts are made from it; `GateDecision` has them."""

    policy: Annotated[str, "The name of the policy."]
    source: Annotated[str, "The table or the judgements."]
    rows: Annotated[Count, "Rows or queries that were read."]
    unit: Annotated[str, Literal["rows", "queries"], "What the sample is made of."]
    level: Annotated[
        float, holds(minimum=0.5, maximum=1), "1 less the probability of a wrong decision."
    ]
    tests: Annotated[Count, "One-sided tests that share the error of a fail."]
    rulings: Annotated[tuple[Ruling, ...], "One for each rule and segment."]
    warnings: Annotated[
        tuple[Remark, ...],
        tuple[str, ...],
        "About the rows, such as a column that looks like folds of a cross-validation.",
    ] = ()
    _json = "verdict policy source rows unit level tests budget summary warnings rulings"

    @property
    def verdict(self) -> Verdict:
        """The decision over all rules: "fail" if one is broken, else "undecided", else "pass"."""
        found = {one.verdict for one in self.rulings}
        return next(one for one in ORDER if one in found)

    @property
    def budget(self) -> str:
        """What the error budget promises."""
        error = 1.0 - self.level
        said = (
            f"The decision is wrong with a probability of at most {percent(error)} (about that "
            "where a rule is calibrated). A pass while some rule does not hold: each rule is shown "
            f"at {percent(error)} by itself, and all must be. A fail while all rules hold"
        )
        if self.tests > 1:
            share = f"{100.0 * error / self.tests:.3g} %"
            return f"{said}: each of {self.tests} one-sided tests has {share}."
        return f"{said}: the one test has it all."

    @property
    def summary(self) -> str:
        """The decision as a sentence, with what would decide it."""
        count = {one: sum(r.verdict == one for r in self.rulings) for one in ORDER}
        parts = [f"{n} {one}" for one, n in count.items() if n]
        text = f"{self.verdict.upper()}: {', '.join(parts)} of {len(self.rulings)}."
        more = [one.more for one in self.rulings if one.verdict == "undecided"]
        if self.verdict == "undecided":
            if None in more:
                return f"{text} More {self.unit} need not decide every rule; see why."
            most = max(n for n in more if n is not None)
            text += f" About {most:,} more {self.unit} would probably decide every open rule."
        return text

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join([self.summary, *map(str, self.rulings), self.budget, *self.warnings])

    def cells(self) -> Cells:
        """A row for each ruling: what was asked, decided and why."""
        rows = tuple(
            (str(one.rule), one.text, one.segment or "all", one.verdict, one.shown, one.why)
            for one in self.rulings
        )
        heads = ("rule", "asked", "where", "decision", "value", "why")
        return Cells(self.summary, heads, rows, names=6, sentences=True)

    def intervals(self) -> Iterator[Interval]:
        """The limits that were used, where a rule has some."""
        yield from (one.interval for one in self.rulings if one.interval is not None)


def number(value: float, decimals: int = 4) -> str:
    """A value for people; none where nothing was found."""
    return "" if math.isnan(value) else f"{value:.{decimals}f}"
