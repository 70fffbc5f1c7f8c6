"""A verb's own flag decides as the rule of a policy that asks the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rocsolid.cli.app import run


def table(path: Path, seed: int, shift: float, rows: int = 60) -> str:
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3 == 0
    s = (shift * y + rng.normal(size=rows)).round(2)
    path.write_text("y,s\n" + "".join(f"{a:d},{b}\n" for a, b in zip(y, s, strict=True)))
    return str(path)


def ruled(folder: Path, rule: str, data: str) -> int:
    """The exit code of a policy of one rule; 3 is undecided."""
    policy = folder / "policy.toml"
    policy.write_text(f'label = "y"\n[[rule]]\nscore = "s"\n{rule}\n')
    return run(["gate", str(policy), data])


@pytest.mark.parametrize("seed", range(6))
def test_a_certificate_reaches_what_the_rule_passes(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    data = table(tmp_path / "t.csv", seed, 1.5)
    asked = ["certify", data, "--label", "y", "--score", "s", "--json"]
    assert run(asked) == 0
    limit = json.loads(capsys.readouterr().out)["certificates"]["s"]["low"]
    for bar, passes in ((limit - 1e-6, True), (limit + 1e-6, False)):
        flag = run([*asked, "--fail-below", str(bar)])
        rule = ruled(tmp_path, f'at_least = {bar}\nevidence = "certified"', data)
        assert (flag == 0) == (rule == 0) == passes
        assert flag == (0 if passes else 1)
        assert rule in (0, 1, 3)


@pytest.mark.parametrize("seed", range(6))
def test_bits_are_the_same_bits(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    data = table(tmp_path / "t.csv", seed, 1.5)
    run(["evaluate", data, "--label", "y", "--score", "s", "--json"])
    value = json.loads(capsys.readouterr().out)["results"][0]["value"]
    asked = ["leak", "count", data, "--score", "s", "--auc", f"{value:.4f}", "--n-pos", "20"]
    run([*asked, "--json"])
    bits = json.loads(capsys.readouterr().out)["surprise_bits"]
    assert bits > 1.0
    for bar, passes in ((bits + 1e-6, True), (bits - 1e-6, False)):
        flag = run([*asked, "--fail-above", str(bar)])
        rule = ruled(tmp_path, f"bits_at_most = {bar}", data)
        assert flag == rule == (0 if passes else 1)


def test_a_drift_is_found_by_both_at_once(tmp_path: Path) -> None:
    state, found = tmp_path / "state.json", []
    for seed in range(30):
        data = table(tmp_path / "t.csv", seed, 2.0 if seed < 6 else -2.0, rows=300)
        rule = None
        if state.exists():
            rule = ruled(tmp_path, f'no_drift_against = "{state}"', data)
        flag = run(
            ["watch", data, "--label", "y", "--score", "s", "--state", str(state),
             "--fail-on-drift"]
        )  # fmt: skip
        if rule is not None:
            assert rule == flag
            found.append(flag)
        if flag:
            break
    assert found[-1] == 1
    assert found[:5] == [0] * 5
