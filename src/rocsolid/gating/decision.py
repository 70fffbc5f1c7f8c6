"""What `rocsolid.gate` returns: its numbers, and the forms in which they are read."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from rocsolid.answer.text_forms import TextForms
from rocsolid.gating.rulings import ORDER, GateNumbers
from rocsolid.report.blocks import MARKDOWN, Form, TextBlock
from rocsolid.visible import visible


class GateDecision(GateNumbers, TextForms):
    """The decision over all rules of a policy, and a ruling for each rule and segment.

    ``verdict`` is "pass", "fail" or "undecided"; ``rulings`` say why.
    """

    __slots__ = ()

    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:  # noqa: ARG002
        title = f"Gate {self.policy}: {self.verdict}"
        of = f"{self.source}: {self.rows:,} {self.unit}."
        yield TextBlock(title, self.cells(), (of, self.budget), self.warnings)

    def to_junit(self) -> str:
        """A JUnit report: a broken rule is a failure, an open one an error.

        What is undecided is no pass, and a skipped test counts as one on most servers.
        """
        suite = ElementTree.Element("testsuite", name=f"rocsolid gate {visible(self.policy)}")
        count = {one: sum(r.verdict == one for r in self.rulings) for one in ORDER}
        suite.attrib |= {
            "tests": str(len(self.rulings)),
            "failures": str(count["fail"]),
            "errors": str(count["undecided"]),
            "skipped": "0",
        }
        for one in self.rulings:
            where = f" [{one.segment}]" if one.by else ""
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=visible(self.policy),
                name=visible(f"rule {one.rule}: {one.text}{where}"),
            )
            if one.verdict != "pass":
                tag = "failure" if one.verdict == "fail" else "error"
                said = visible(one.why)
                ElementTree.SubElement(case, tag, type=one.verdict, message=said).text = said
        ElementTree.indent(suite)
        text = ElementTree.tostring(suite, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page with the rulings and what they rest on."""
        from rocsolid.gating.page import gate_page

        return gate_page(self, title=title, command=command)
