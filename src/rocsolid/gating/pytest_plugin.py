"""A pytest plugin with the fixture ``rocsolid_gate``, which fails a test unless a policy passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rocsolid.gating.decision import GateDecision


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("rocsolid").addoption(
        "--rocsolid-policy", metavar="FILE", help="the policy of the fixture rocsolid_gate"
    )


@pytest.fixture
def rocsolid_gate(request: pytest.FixtureRequest) -> Callable[..., GateDecision]:
    """Return a function that decides a policy and fails the test unless the decision is a pass.

    ``rocsolid_gate(data)`` returns the decision. ``policy`` and ``baseline`` are as in
    `rocsolid.gate`. An undecided policy also fails, and the failure message contains the reasons.
    """

    def decided(data: Any = None, *, policy: Any = None, baseline: Any = None) -> GateDecision:
        from rocsolid.gating.gate import gate

        terms = request.config.getoption("--rocsolid-policy") if policy is None else policy
        if terms is None:
            pytest.fail("no policy: name one, or run pytest with --rocsolid-policy FILE")
        decision = gate(terms, data, baseline=baseline)
        if decision.verdict != "pass":
            pytest.fail(str(decision), pytrace=False)
        return decision

    return decided
