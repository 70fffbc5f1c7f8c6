"""Advice that can be followed where it is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import InputError
from rocsolid.cli.app import run
from rocsolid.leaks import replay


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (f"{i % 2},{i % 7},{i % 5}\n" for i in range(40))
    Path("t.csv").write_text("y,a,b\n" + "".join(lines))
    Path("p.toml").write_text('label = "y"\n[[rule]]\nscore = "a"\nat_lest = 0.5\n')


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("curve t.csv --label y --score a --at-specificity 90", "write 0.9 for 90 %."),
        ("curve t.csv --label y --score a --at-specificity -1", "write a share such as 0.9."),
        ("evaluate t.csv --label y --score a,b", "2 columns: pass each name separately"),
        ("measures auc", "rocsolid measures takes no 'auc'. Fix: leave it out. See"),
        ("gate p.toml t.csv", "did you mean at_least?"),
        ("gate t.csv", "Fix: pass the policy before the table; rocsolid gate --init writes"),
        ("evaluate t.csv", "name the columns of a table with --label and --score."),
        ("leak count t.csv --auc 1 --score a --label y", "no option --label. See"),
        ("leak count --auc 0.75 --label y", "no option --label. See"),
        ("leak count --auc 0.75 --label=y", "no option --label. See"),
        ("leak count --auc 0.75", "pass a table with --score, or --n rows"),
        ("concordance t.csv --label y --score a", "no option --label. See"),
        ("plan power --auc 0.7 --n_poss 5", "--n_poss. Did you mean --n-pos?"),
        ("evaluate t.csv --lable y --score a", "--lable. Did you mean --label?"),
    ],
)
def test_the_command_line(command: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command.split()) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_no_message_is_as_long_as_a_name_may_be() -> None:
    error = InputError("w" * 10**6, where="x" * 10**6, value="y" * 10**6, fix="z" * 10**6)
    assert len(str(error)) < 10_000
    assert "(998,000 characters)" in str(error)


def test_keywords_and_numbers() -> None:
    asked: dict[str, Any] = {"label": "y", "scores": "s", "measure": "auc"}
    with pytest.raises(InputError, match="use 'measures'"):
        rs.evaluate({"y": [0, 1], "s": [1, 2]}, **asked)
    rs.leaks.Release([3, 2, 1], 1 + 2e-16, measure="ndcg")
    with pytest.raises(InputError, match="Fix: give a number from 0 to 1"):
        rs.leaks.Release([3, 2, 1], 1.01, measure="ndcg")
    log = {
        "time": ["2024-05-31 14:00:00"],
        "account": ["a"],
        "score": [0.5],
        "submission": ["x.csv"],
    }
    with pytest.raises(InputError, match=r"'x\.csv' \(submissions\)\. Fix: give the scores"):
        replay(log, n=4, n_pos=2, submissions={"y.csv": np.arange(4.0)})


def test_all_names_can_be_imported_without_scikit_learn() -> None:
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'sklearn' else found(name, *more)\n"
        "from rocsolid import *\n"
        "print(auc([0, 1], [1, 2]).value)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
