"""What a policy came to, as numbers: a ruling for each rule and segment, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rocsolid.evaluation.evaluation_numbers import segment_text
from rocsolid.remarks.remark import Remark
from rocsolid.report.cells import Cells
from rocsolid.results import percent
from rocsolid.results.plain import one_line, plain, plain_segment, written

if TYPE_CHECKING:
    from rocsolid.results import Interval

Verdict = Literal["pass", "fail", "undecided"]
ORDER: tuple[Verdict, ...] = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One rule in one segment: decided, by which limits, and what would decide it.

    ``low`` and ``high`` are one-sided limits; ``needed`` says what they had to show. ``more`` is
    how many more rows or queries would probably decide; ``None`` where no number would, or none is
    needed. ``interval`` is one of the limits with its method.
    """

    rule: int
    text: str
    by: dict[str, Any] | None
    verdict: Verdict
    value: float
    low: float
    high: float
    needed: str
    why: str
    more: int | None = None
    shown: str = ""
    interval: Interval | None = None

    @property
    def segment(self) -> str:
        return segment_text(self.by).lstrip(", ")

    __repr__ = one_line

    def __str__(self) -> str:
        where = f" [{self.segment}]" if self.by else ""
        return f"{self.verdict.upper()} rule {self.rule}: {self.text}{where}: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        method = None if self.interval is None else self.interval.method
        names = "rule text verdict value low high needed why more_rows=more"
        return {**written(self, names), "by": plain_segment(self.by), "method": method}


@dataclass(frozen=True, slots=True, eq=False)
class GateNumbers:
    """All rulings of a policy. ``tests`` are the one-sided tests that share the error of a fail.

    ``warnings`` are about the rows, such as a column that looks like folds of a cross-validation.
    Pages and texts are made from it; `GateDecision` has them.
    """

    policy: str
    source: str
    rows: int
    unit: str
    level: float
    tests: int
    rulings: tuple[Ruling, ...]
    warnings: tuple[Remark, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """ "fail" if a rule is broken, else "undecided" if one is open, else "pass"."""
        found = {one.verdict for one in self.rulings}
        return next(one for one in ORDER if one in found)

    @property
    def budget(self) -> str:
        """The one error that all rules share, in words."""
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
        """The decision in a sentence, with what would decide it."""
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        names = "verdict policy source rows unit level tests budget summary warnings"
        return {**written(self, names), "rulings": [plain(one) for one in self.rulings]}

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
