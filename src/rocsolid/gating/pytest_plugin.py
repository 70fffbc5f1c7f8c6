"""A plugin for pytest: the fixture ``rocsolid_gate``, which fails a test unless a policy is met."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rocsolid.gating.decision import GateDecision


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--rocsolid-policy FILE``: what the fixture decides by, where a test names no policy."""
    parser.getgroup("rocsolid").addoption(
        "--rocsolid-policy", metavar="FILE", help="the policy of the fixture rocsolid_gate"
    )


@pytest.fixture
def rocsolid_gate(request: pytest.FixtureRequest) -> Callable[..., GateDecision]:
    """``rocsolid_gate(data)``: the decision, if it is a pass; otherwise the test fails.

    It then says why. ``policy`` and ``baseline`` are those of `rocsolid.gate`. What is undecided
    fails too.
    """

    def decided(data: Any = None, *, policy: Any = None, baseline: Any = None) -> GateDecision:
        from rocsolid.gating.gate import gate

        asked = request.config.getoption("--rocsolid-policy") if policy is None else policy
        if asked is None:
            pytest.fail("no policy: name one, or run pytest with --rocsolid-policy FILE")
        decision = gate(asked, data, baseline=baseline)
        if decision.verdict != "pass":
            pytest.fail(str(decision), pytrace=False)
        return decision

    return decided
