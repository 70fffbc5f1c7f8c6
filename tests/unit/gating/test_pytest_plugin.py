"""The fixture fails a test unless the policy is met, and says why."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace

import pytest

from rocsolid.gating.pytest_plugin import rocsolid_gate

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
PLUGIN = "rocsolid.gating.pytest_plugin"
TEST = """
import pytest

DATA = {"y": [0, 1] * 100, "s": [i % 2 + i * 7 % 10 / 6 for i in range(200)]}

def rule(**asked):
    return {"label": "y", "rule": [{"score": "s", **asked}]}

def test_ships(rocsolid_gate):
    assert rocsolid_gate(DATA).verdict == "pass"

def test_broken(rocsolid_gate):
    rocsolid_gate(DATA, policy=rule(at_least=0.999))

def test_open(rocsolid_gate):
    rocsolid_gate(DATA, policy=rule(at_least=0.95))
"""


@pytest.mark.slow
def test_the_fixture_in_a_session_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TEST)
    (tmp_path / "policy.toml").write_text('label = "y"\n[[rule]]\nscore = "s"\nat_least = 0.6\n')
    installed = any(one.value == PLUGIN for one in entry_points(group="pytest11"))
    loaded = [] if installed else ["-p", PLUGIN]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *loaded,
         "--rocsolid-policy", "policy.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert found.returncode == 1, found.stderr
    for said in ("1 passed", "2 failed", "FAIL rule 1", "UNDECIDED rule 1"):
        assert said in found.stdout


def test_without_a_policy_the_fixture_fails() -> None:
    config = SimpleNamespace(getoption=lambda _: None)
    decided = rocsolid_gate.__wrapped__(SimpleNamespace(config=config))  # type: ignore[attr-defined]
    with pytest.raises(pytest.fail.Exception, match="no policy"):
        decided({})


def test_the_package_declares_it() -> None:
    project = tomllib.loads(PROJECT.read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"rocsolid": PLUGIN}
