"""``rocsolid watch``: batches from files, a state between them, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import rocsolid as rs
from rocsolid.cli.app import run


def _batch(path: Path, seed: int, shift: float = 2.0) -> tuple[str, list[int], list[float]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 400)
    s = (y * shift + rng.normal(size=400)).round(3)
    path.write_text("y,s\n" + "".join(f"{a},{b}\n" for a, b in zip(y, s, strict=True)))
    return str(path), y.tolist(), s.tolist()


def _watch(file: str, state: Path, *more: str) -> int:
    return run(["watch", file, "--label", "y", "--score", "s", "--state", str(state), *more])


def test_the_state_makes_files_into_one_stream(tmp_path: Path, capsys) -> None:
    state, expected = tmp_path / "state.json", rs.guarantees.sequence()
    for seed in range(3):
        file, y, s = _batch(tmp_path / f"{seed}.csv", seed)
        expected = expected.add(y, s)
        assert _watch(file, state, "--json") == 0
        printed = json.loads(capsys.readouterr().out)
        assert (printed["value"], printed["low"], printed["high"]) == (
            expected.estimate.value, expected.low, expected.high,
        )  # fmt: skip
        assert printed["drifted"] is False
    assert json.loads(state.read_text()) == json.loads(json.dumps(expected.to_dict()))


def test_drift_is_a_finding_one_can_fail_on(tmp_path: Path, capsys) -> None:
    state = tmp_path / "state.json"
    for seed in range(4):
        assert _watch(_batch(tmp_path / "a.csv", seed)[0], state, "--fail-on-drift") == 0
    codes = [
        _watch(_batch(tmp_path / "b.csv", seed, shift=-2.0)[0], state, "--fail-on-drift")
        for seed in range(20, 30)
    ]
    assert codes == sorted(codes)  # once found, a drift stays found
    assert codes[-1] == 1
    assert "do not come from one distribution" in capsys.readouterr().out


def test_one_class_gives_no_value_yet(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,s\n1,0.5\n")
    assert _watch(str(file), tmp_path / "state.json") == 0
    assert capsys.readouterr().out == "No AUC yet after 1 batch: 1 positives, 0 negatives.\n"
    assert _watch(str(file), tmp_path / "state.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["value"] is None


def test_options_must_not_change_under_way(tmp_path: Path, capsys) -> None:
    file, state = _batch(tmp_path / "a.csv", 1)[0], tmp_path / "state.json"
    assert _watch(file, state) == 0
    before = state.read_text()
    assert _watch(file, state, "--level", "0.9") == 2
    assert "was begun with level=0.95" in capsys.readouterr().err
    state.write_text("not json")
    assert _watch(file, state) == 2
    assert "is not JSON" in capsys.readouterr().err
    state.write_text(before)
    assert _watch(file, Path(file)) == 2  # the state may not take the place of the table
