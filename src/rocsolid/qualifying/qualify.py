"""``rs.qualify``: run the tests of all requirements, and the record of the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from rocsolid.answer.answer import Answer, AnswerKind, TextForms
from rocsolid.arguments import one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.qualifying.installation import machine, software
from rocsolid.qualifying.requirement import (
    ENUMERATION,
    INSTALLATION,
    SIMULATION,
    Observation,
    QualificationRun,
    RequirementOutcome,
    Verdict,
)
from rocsolid.qualifying.requirements import REQUIREMENTS
from rocsolid.qualifying.simulated import FALSE_ALARM, Simulated
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import LeakReport, Note, Page
from rocsolid.report.text import Cells
from rocsolid.results import percent
from rocsolid.results.card import Card
from rocsolid.results.json_schema import holds
from rocsolid.results.plain import Plain

_NOTHING = LeakReport(
    public=True,
    banner="Qualification record: it describes an installation, not data.",
    verdict="All data in this record are built in, so the record reveals no label.",
)
_OWN = (ENUMERATION, SIMULATION, INSTALLATION)
_OTHERS = "other programs, papers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification(Plain):
    """The record of a qualification: outcomes, and the installation on which they were obtained."""

    outcomes: Annotated[
        tuple[RequirementOutcome, ...], holds(minItems=1), "Each requirement with its tests."
    ]
    requirements_in_all: Annotated[int, "The number of requirements, including those not selected."]
    seed: Annotated[int, "The seed of the random tables and samples."]
    false_alarm: Annotated[
        float, "The probability at most that a correct installation fails a simulation."
    ]
    software: Annotated[Mapping[str, str], Mapping[str, str], "The versions of the software."]
    machine: Annotated[Mapping[str, str], Mapping[str, str], "The machine and its settings."]
    date: Annotated[str, "The date and time in UTC."]
    _json = (
        "passed summary requirements=outcomes requirements_in_all seed false_alarm software "
        "machine date"
    )

    @property
    def passed(self) -> bool:
        """Whether no requirement failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the requirements that failed."""
        return self._with("fail")

    def _with(self, verdict: Verdict) -> tuple[str, ...]:
        return tuple(each.requirement for each in self.outcomes if each.verdict == verdict)

    @property
    def summary(self) -> str:
        """The verdict in a sentence."""
        held, not_run = self._with("pass"), self._with("not run")
        of = f"{len(self.outcomes)} requirements"
        if self.failed:
            return f"FAIL: {len(self.failed)} of {of} failed: {', '.join(self.failed)}."
        verdict = "PASS"
        if not_run:
            verdict += f", except that {' and '.join(not_run)} were not tested"
        text = f"{verdict}: {len(held)} of {of} hold on this installation"
        left = self.requirements_in_all - len(self.outcomes)
        return f"{text}." + (f" {left} were not selected." if left else "")

    @property
    def observations(self) -> tuple[tuple[RequirementOutcome, Observation], ...]:
        return tuple(
            (each, observation) for each in self.outcomes for observation in each.observations
        )


def qualify(*requirements: str, seed: int = 0) -> Answer:
    """Test whether this installation computes what the documentation says.

    The tests compare with numbers of other software, count pairs, orders and labelings one by one,
    simulate the coverage of intervals, and compare the installed files with their record. They need
    no network and less than two minutes on one core. ``requirements`` selects requirements by name;
    the default is all. ``seed`` determines the random tables and samples. The simulations have
    binomial limits: together they fail on a correct installation with a probability of at most 1 %.

    The result has ``passed``, ``failed`` and ``outcomes``, and ``to_html()`` is a record for a
    regulated study. A requirement whose test could not be run, such as the hashes of an editable
    installation, is listed as not tested.

    >>> record = qualify("auc", "labelings")
    >>> record.passed, record.summary
    (True, 'PASS: 2 of 2 requirements hold on this installation. 22 were not selected.')
    >>> first = record.outcomes[0].observations[0]
    >>> first.source, first.expected, first.got
    ('pROC 1.18.0', '0.671717171717', '0.671717171717')
    """
    seed = whole(seed, "seed", least=0)
    names = [each.name for each in REQUIREMENTS]
    chosen = {one_of(name, names, "requirements") for name in requirements}
    simulations = [test for each in REQUIREMENTS for test in each.tests
                   if isinstance(test, Simulated)]  # fmt: skip
    run = QualificationRun(seed, FALSE_ALARM / len(simulations))
    outcomes = tuple(each.outcome(run) for each in REQUIREMENTS
                     if not chosen or each.name in chosen)  # fmt: skip
    record = Qualification(
        outcomes=outcomes, requirements_in_all=len(REQUIREMENTS), seed=seed,
        false_alarm=FALSE_ALARM, software=software(), machine=machine(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip
    return Answer(QUALIFICATION, f"rocsolid {record.software['rocsolid']}", basis=record)


def _verdict(answer: Answer) -> tuple[str, ...]:
    return (answer.basis.summary,)


def _text(answer: Answer) -> Iterator[str]:
    yield answer.basis.summary
    for outcome, observation in answer.basis.observations:
        if observation.verdict != "pass":
            yield (
                f"{outcome.requirement}, {observation.test}: expected {observation.expected}, "
                f"got {observation.got} ({observation.verdict})"
            )


def _kind(observation: Observation) -> str:
    return observation.source if observation.source in _OWN else _OTHERS


def _counts(observations: Iterable[tuple[RequirementOutcome, Observation]]) -> Cells:
    listed = [observation for _, observation in observations]
    every = Counter(map(_kind, listed))
    passed = Counter(_kind(observation) for observation in listed if observation.verdict == "pass")
    rows = tuple((kind, str(every[kind]), str(passed[kind]))
                 for kind in (_OTHERS, *_OWN) if every[kind])  # fmt: skip
    return Cells("Tests by the origin of the expected result.", ("origin", "tests", "passed"), rows)


def _every(
    caption: str,
    observations: Iterable[tuple[RequirementOutcome, Observation]],
    *,
    narrow: bool = False,
) -> Cells:
    table: list[tuple[str, ...]] = [
        ("requirement", "verdict", "source", "test", "expected", "got"),
        *((outcome.requirement, each.verdict, each.source, each.test, each.expected, each.got)
          for outcome, each in observations),
    ]  # fmt: skip
    if narrow:  # the test says more than its source
        table = [(*row[:2], *row[3:]) for row in table]
    return Cells(caption, table[0], tuple(table[1:]), names=len(table[0]), sentences=True)


def _chance(record: Qualification) -> str:
    return (
        f"A correct installation fails with a probability of at most {percent(record.false_alarm)} "
        f"(seed {record.seed})."
    )


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    record: Qualification = answer.basis
    opening = () if form.verdict else _verdict(answer)
    counts = _counts(record.observations)
    yield TextBlock("", replace(counts, caption="") if form.narrow else counts, opening)
    others = [each for each in record.observations if each[1].verdict != "pass"]
    if others:
        yield TextBlock("", _every("Tests that did not pass.", others, narrow=form.narrow))
    if form.narrow:
        yield TextBlock(said=(_chance(record), _versions(record.software)))
        return
    rows = tuple(
        (each.requirement, each.verdict, _tested(each), f"{each.text} {each.formula}",
         each.reference)
        for each in record.outcomes
    )  # fmt: skip
    heads = ("requirement", "verdict", "passed", "formula", "reference")
    cells = Cells(f"Requirements. {_chance(record)}", heads, rows, names=5, sentences=True)
    yield TextBlock("", cells)
    yield TextBlock("Tests", _every("Every test.", record.observations))
    facts = (*record.software.items(), *record.machine.items(), ("date", record.date))
    cells = Cells("Software and machine.", ("item", "value"), facts, names=2, sentences=True)
    yield TextBlock("Installation", cells)


def _tested(outcome: RequirementOutcome) -> str:
    passed = sum(observation.verdict == "pass" for observation in outcome.observations)
    return f"{passed} of {len(outcome.observations)}"


def _versions(versions: Mapping[str, str]) -> str:
    shown = ("rocsolid", "Python", "numpy", "scipy", "BLAS of numpy")
    return f"{', '.join(f'{name} {versions[name]}' for name in shown)}."


def _page(answer: Answer, title: str, command: str) -> Page:
    record: Qualification = answer.basis
    page = TextForms._page(answer, title or f"Qualification of {answer.source}", command)
    notes = tuple(Note(each.requirement, f"{each.text} {each.formula}", source=each.reference)
                  for each in record.outcomes)  # fmt: skip
    lead = f"Tested on {record.date[:10]} with {_versions(record.software)}"
    return replace(page, lead=(lead,), notes=notes, leaks=_NOTHING)


def _card(answer: Answer) -> Card:
    record: Qualification = answer.basis
    return Card(sentences=_verdict(answer), basis=_versions(record.software), exact=False)


def _records(answer: Answer) -> Iterator[dict[str, Any]]:
    for outcome, observation in answer.basis.observations:
        yield {"requirement": outcome.requirement, **observation.to_dict()}


QUALIFICATION = AnswerKind(
    Qualification._json, _blocks, _verdict, _page, records=_records, text=_text, card=_card
)
