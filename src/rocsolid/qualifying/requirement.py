"""A requirement on the installed package, its tests, and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Protocol
from zlib import crc32

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.results.json_schema import holds
from rocsolid.results.plain import Plain

Verdict = Literal["pass", "fail", "not run"]
ENUMERATION, SIMULATION, INSTALLATION = "enumeration", "simulation", "installation"
_LONGEST = 200  # letters of an error


@dataclass(frozen=True, slots=True)
class QualificationRun:
    """The seed of a qualification, and the false-alarm probability of each simulation."""

    seed: int
    false_alarm: float

    def generator(self, test: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, crc32(test.encode())])


@dataclass(frozen=True, slots=True)
class Observation(Plain):
    """An expected result of a test, and the result on this installation."""

    test: Annotated[str, "The test: a call, or a sentence."]
    source: Annotated[
        str,
        "The origin of the expected result: other software, a publication, enumeration, "
        "simulation or installation.",
    ]
    expected: Annotated[str, "The expected result."]
    got: Annotated[str, "The result on this installation."]
    verdict: Annotated[Verdict, "pass, fail or not run."]


class RequiredTest(Protocol):
    """A test of a requirement."""

    def __call__(self, run: QualificationRun, /) -> Iterable[Observation]: ...


@dataclass(frozen=True, slots=True)
class Requirement:
    """A property that the installed package must have, and its tests.

    ``reference`` names the literature, or a page of the documentation.
    """

    name: str
    text: str
    formula: str
    reference: str
    tests: tuple[RequiredTest, ...]

    def outcome(self, run: QualificationRun) -> RequirementOutcome:
        observations = tuple(each for test in self.tests for each in _observed(test, run))
        return RequirementOutcome(self.name, self.text, self.formula, self.reference, observations)


def _observed(test: RequiredTest, run: QualificationRun) -> Iterator[Observation]:
    try:
        yield from test(run)
    except Exception as error:  # whatever is broken, the other requirements are still tested
        name = getattr(test, "test", "") or getattr(test, "__name__", type(test).__name__)
        got = f"{type(error).__name__}: {error}"
        yield Observation(name, INSTALLATION, "no error", got[:_LONGEST], "fail")


@dataclass(frozen=True, slots=True)
class RequirementOutcome(Plain):
    """A requirement with the observations of its tests."""

    requirement: Annotated[str, "The name of the requirement."]
    text: Annotated[str, "The requirement."]
    formula: Annotated[str, "The formula under test."]
    reference: Annotated[str, "The literature or the page with the formula."]
    observations: Annotated[tuple[Observation, ...], holds(minItems=1), "The results of the tests."]
    _json = "requirement text formula reference verdict observations"

    @property
    def verdict(self) -> Verdict:
        """fail if a test fails, else not run if a test was not run, else pass."""
        verdicts = {each.verdict for each in self.observations}
        order: tuple[Verdict, ...] = ("fail", "not run")
        return next((verdict for verdict in order if verdict in verdicts), "pass")


def judged(passed: bool) -> Verdict:
    """Convert a comparison to a verdict."""
    return "pass" if passed else "fail"
