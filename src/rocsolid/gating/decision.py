"""The result of `rocsolid.gate`: the decision, all rulings of a policy, and output formats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal
from xml.etree import ElementTree

from rocsolid._version import __version__
from rocsolid.answer.answer import TextForms
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.page_notes import interval_notes, without_methods
from rocsolid.evaluation.path_leaks import distinct, item_cells
from rocsolid.gating.rulings import ORDER, Ruling, Verdict, more_units
from rocsolid.leaks.page_leaks import Item
from rocsolid.pictures.lanes import rules_pictures
from rocsolid.remarks.remark import Remark
from rocsolid.report.blocks import BRIEF, MARKDOWN, PAGE, Form, TextBlock
from rocsolid.report.data import LeakReport, Page
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells
from rocsolid.results import Interval, percent
from rocsolid.results.card import Card, CardRow
from rocsolid.results.json_schema import Count, holds
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.standing import State
from rocsolid.visible import visible

_REASONS = 5  # printed without --more
_STATES: dict[Verdict, State] = {"pass": "better", "fail": "worse", "undecided": "open"}


def _row(ruling: Ruling) -> CardRow:
    low, high = (ruling.value if math.isnan(end) else end for end in (ruling.low, ruling.high))
    inner = None
    if ruling.interval is not None:
        inner = min(low, ruling.value), max(high, ruling.value)
    return CardRow(
        ruling.brief, ruling.value, ruling.shown, ruling.limits, inner,
        level=ruling.bars[0] if ruling.bars else None, state=_STATES[ruling.verdict],
        word=ruling.verdict,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class GateDecision(Plain, TextForms):
    """The decision on a policy, and a ruling for each rule and segment.

    ``verdict`` is "pass", "fail" or "undecided". ``rulings`` contains the reasons.
    """

    policy: Annotated[str, "The name of the policy."]
    source: Annotated[str, "The table or the judgements."]
    rows: Annotated[Count, "Rows or queries that were read."]
    unit: Annotated[str, Literal["rows", "queries"], "The unit of the sample."]
    level: Annotated[
        float, holds(minimum=0.5, maximum=1), "1 minus the probability of a wrong decision."
    ]
    tests: Annotated[Count, "One-sided tests that share the error of a fail."]
    rulings: Annotated[tuple[Ruling, ...], "A ruling for each rule and segment."]
    warnings: Annotated[
        tuple[Remark, ...],
        tuple[str, ...],
        "Warnings about the rows, such as a column that looks like cross-validation folds.",
    ] = ()
    clusters: Annotated[
        Count | None, "The number of clusters; null if the rows are independent."
    ] = None
    _json = "verdict policy source rows unit clusters level tests budget summary warnings rulings"

    @property
    def verdict(self) -> Verdict:
        """The decision over all rules: "fail" if any rule fails, else "undecided", else "pass"."""
        return next(verdict for verdict in ORDER if self._counts[verdict])

    @property
    def _counts(self) -> Counter[Verdict]:
        return Counter(ruling.verdict for ruling in self.rulings)

    @property
    def budget(self) -> str:
        """The error budget of the decision, in words."""
        error = 1.0 - self.level
        promise = (
            f"The decision is wrong with a probability of at most {percent(error)} (about "
            f"{percent(error)} for calibrated rules). A false pass: each rule is tested at "
            f"{percent(error)}, and all must pass. A false fail"
        )
        if self.tests > 1:
            share = f"{100.0 * error / self.tests:.3g} %"
            return f"{promise}: each of {self.tests} one-sided tests has {share}."
        return f"{promise}: the only test has {percent(error)}."

    @property
    def summary(self) -> str:
        """The decision as a sentence, with the number of rows that would decide open rules."""
        counts = self._counts
        parts = [f"{counts[verdict]} {verdict}" for verdict in ORDER if counts[verdict]]
        text = f"{self.verdict.upper()}: {', '.join(parts)} of {len(self.rulings)}."
        more = [ruling.more for ruling in self.rulings if ruling.verdict == "undecided"]
        if self.verdict == "undecided":
            if None in more:
                return f"{text} How many more {self.unit} decide every rule is not known."
            most = max(n for n in more if n is not None)
            size = more_units(most, self.unit, self.rows, self.clusters)
            text += f" About {size} would probably decide every open rule."
        return text

    @property
    def _reasons(self) -> tuple[str, ...]:
        rules: dict[str, list[str]] = {}
        for ruling in self.rulings:
            if ruling.undecided is not None:
                rules.setdefault(ruling.undecided, []).append(ruling.number_text)
        shown = []
        for why, numbers in rules.items():
            each = list(dict.fromkeys(numbers))
            subject = "Rule {} is" if len(each) == 1 else "Rules {} are"
            shown.append(f"{subject.format(', '.join(each))} undecided: {why}.")
        left = len(shown) - _REASONS
        return (*shown[:_REASONS], *([f"{left:,} more reasons with --more."] if left > 0 else ()))

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join([self.summary, *map(str, self.rulings), self.budget, *self.warnings])

    def answer(self) -> tuple[str, ...]:
        return (self.summary,)

    def blocks(self, form: Form = MARKDOWN) -> Iterator[TextBlock]:
        """Yield a table with a row for each ruling: the rule, the decision and the reason."""
        of = f"{self.source}: {self.rows:,} {self.unit}."
        if form.name == BRIEF.name:
            shown = tuple((ruling.verdict, ruling.brief, ruling.limits) for ruling in self.rulings)
            cells = Cells("", ("decision", "rule", "shown"), shown, names=2, sentences=True)
            yield TextBlock("", cells, self._reasons, self.warnings, (self.budget,))
            return
        if form.narrow:
            lines = tuple(
                (ruling.verdict, f"{ruling.rule}. {ruling.name}: {ruling.why}")
                for ruling in self.rulings
            )
            cells = Cells("", ("decision", "rule"), lines, names=2, sentences=True)
            yield TextBlock("", cells, (self.budget,), self.warnings)
            return
        # on a page, methods and source have their own sections
        used = self._intervals() if form is PAGE else []
        rows = tuple(
            (str(ruling.rule), ruling.text, ruling.segment or "all", ruling.verdict, ruling.shown,
             without_methods(ruling.why, used))
            for ruling in self.rulings
        )  # fmt: skip
        heads = ("rule", "asked", "where", "decision", "value", "why")
        caption, notes = (of, ()) if form.verdict else (self.summary, (of,))
        cells = Cells(caption, heads, rows, names=6, sentences=True)
        title = f"Gate {self.policy}: {self.verdict}"
        yield TextBlock(title, cells, (*notes, self.budget), self.warnings)

    def _card(self) -> Card:
        """A card with a row for each value on its own scale; failed and open rules come first."""
        rows = tuple(_row(ruling) for ruling in self._in_order if not math.isnan(ruling.value))
        others = len(self.rulings) - len(rows)
        basis = f"{self.source}: {self.rows:,} {self.unit}. Wrong with probability "
        basis += f"{percent(1.0 - self.level)} at most."
        large = self.verdict.upper()
        title = f"of {len(self.rulings):,} rulings of {self.policy}"
        return Card(title, self.answer(), rows, None, basis, others, apart=True, large=large)

    def _intervals(self) -> list[Interval]:
        return [ruling.interval for ruling in self.rulings if ruling.interval is not None]

    def _page(self, title: str, command: str) -> Page:
        return Page(
            title=title or f"Gate {self.policy}: {self.verdict}",
            lead=(),
            verdict=self.answer(),
            card=replace(self._card(), rows=tuple(map(_row, self._in_order)), more=0),
            large=tuple(map(Large, rules_pictures(self._in_order))),
            notes=tuple(interval_notes(distinct(self._intervals()))),
            facts=(
                ("Data", self.source),
                (self.unit.capitalize(), f"{self.rows:,}"),
                ("One-sided tests that share the error of a fail", f"{self.tests:,}"),
                ("rocsolid", __version__),
            ),
            command=command,
            leaks=self._leaks(),
        )

    @property
    def _in_order(self) -> list[Ruling]:
        return sorted(self.rulings, key=lambda ruling: ORDER.index(ruling.verdict))

    def _leaks(self) -> LeakReport:
        about = "labels" if self.unit == "rows" else "relevance grades"
        items: list[Item | Interval] = ["auc", "class sizes"] if self.unit == "rows" else []
        if any(ruling.by for ruling in self.rulings):
            items.append("segments")
        return LeakReport(
            public=False,
            banner="Private page: it shows values and limits, and no curve, threshold or rank. If "
            f"the {about} are not public, read below what the page reveals before you publish it.",
            verdict=f"{len(self.rulings):,} values with their limits: for someone with the scores "
            f"each is an equation in the {about}. The page does not count how many {about} follow "
            "from all values together. A rule with bits_at_most counts the bits of one AUC.",
            tables=(item_cells([*items, *distinct(self._intervals())]),),
            uncounted=("Other publications on the same rows.",),
        )

    def to_junit(self) -> str:
        """Return a JUnit report: a broken rule is a failure, and an open rule is an error."""
        counts = self._counts
        suite = ElementTree.Element("testsuite", name=f"rocsolid gate {visible(self.policy)}")
        suite.attrib |= {
            "tests": str(len(self.rulings)),
            "failures": str(counts["fail"]),
            "errors": str(counts["undecided"]),
            "skipped": "0",
        }
        for ruling in self.rulings:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=visible(self.policy),
                name=visible(f"rule {ruling.rule}: {ruling.name}"),
            )
            if ruling.verdict != "pass":
                tag = "failure" if ruling.verdict == "fail" else "error"
                why = visible(ruling.why)
                ElementTree.SubElement(case, tag, type=ruling.verdict, message=why).text = why
        ElementTree.indent(suite)
        text = ElementTree.tostring(suite, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
