"""Copies of statistics in source code: each fault where it stands, and none where it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.lint import lint
from rocsolid.remarks.copies import CopyRemark

DELONG = """
def quick_delong(scores, m):
    first = [compute_midrank(row[:m]) for row in scores]
    by_positive, by_negative = np.cov(first), np.cov(second)
    return by_positive / m + by_negative / n
"""
HANLEY = """
def limits(area, n_pos, n_neg):
    q1 = area / (2 - area)
    q2 = 2 * area**2 / (1 + area)
    return area * (1 - area) + (n_pos - 1) * (q1 - area**2) + (n_neg - 1) * (q2 - area**2)
"""
BOOTSTRAP = """
def resampled(y, s, times=1000):
    rng = np.random.default_rng(7)
    values = []
    for _ in range(times):
        rows = rng.integers(0, len(y), len(y))
        if len(np.unique(y[rows])) < 2:
            continue
        values.append(roc_auc_score(y[rows], s[rows]))
    return np.mean(values) - 1.96 * np.std(values)
"""
GROUPS = """
def user_auc(frame):
    return np.mean([roc_auc_score(part.y, part.s) for _, part in frame.groupby("user")])
"""
IDEAL = """
def ndcg_at_k(grades, k):
    return dcg(grades, k) / dcg(sorted(grades, reverse=True), k)
"""


def found(tmp_path: Path, source: str) -> list[tuple[int, str]]:
    (tmp_path / "code.py").write_text(source)
    return [(copy.line, copy.remark.code) for copy in lint(tmp_path).copies]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (DELONG, [(2, "ROC701")]),
        (HANLEY, [(3, "ROC706")]),
        (BOOTSTRAP, [(3, "ROC705"), (5, "ROC704"), (7, "ROC702"), (10, "ROC703")]),
        (GROUPS, [(2, "ROC707")]),
        (IDEAL, [(3, "ROC708")]),
    ],
    ids=["delong", "hanley", "bootstrap", "groups", "ideal"],
)
def test_each_fault_is_found_where_it_stands(
    tmp_path: Path, source: str, expected: list[tuple[int, str]]
) -> None:
    assert found(tmp_path, source) == expected


@pytest.mark.parametrize(
    ("source", "before", "after", "gone"),
    [
        (DELONG, "np.cov(second)", "second", "ROC701"),
        (DELONG, "compute_midrank", "np.sort", None),  # its name still says so
        (DELONG.replace("quick_delong", "f"), "compute_midrank", "np.sort", "ROC701"),
        (HANLEY, "(2 - area)", "(area - 2)", "ROC706"),
        (HANLEY, "(1 + area)", "(1 - area)", "ROC706"),
        (HANLEY, "(1 + area)", "(area + 1)", None),
        (BOOTSTRAP, "default_rng(7)", "default_rng(seed)", "ROC705"),
        (BOOTSTRAP, "continue", "rows = fix(rows)", "ROC702"),
        (BOOTSTRAP, "1.96", "width", "ROC703"),
        (BOOTSTRAP, "rng.integers(0, len(y), len(y))", "drawn(patients)", "ROC704"),
        (BOOTSTRAP, "y, s, times", "y, s, patient, times", "ROC704"),
        (GROUPS, "user_auc", "mean_of", "ROC707"),
        (IDEAL, "sorted(grades,", "sorted(judged,", "ROC708"),
        (IDEAL, "ndcg_at_k", "ratio", "ROC708"),
    ],
)
def test_what_is_not_there_is_not_found(
    tmp_path: Path, source: str, before: str, after: str, gone: str | None
) -> None:
    assert before in source
    codes = {code for _, code in found(tmp_path, source)}
    changed = {code for _, code in found(tmp_path, source.replace(before, after))}
    assert gone not in changed
    assert changed == codes if gone is None else changed < codes


def test_other_ways_to_pass_over_a_resample(tmp_path: Path) -> None:
    nested = BOOTSTRAP.replace(
        "< 2:\n            continue\n        values", "== 2:\n            values"
    )
    assert (7, "ROC702") in found(tmp_path, nested)
    caught = BOOTSTRAP.replace(
        "        if len(np.unique(y[rows])) < 2:\n            continue\n"
        "        values.append(roc_auc_score(y[rows], s[rows]))\n",
        "        try:\n            values.append(roc_auc_score(y[rows], s[rows]))\n"
        "        except ValueError:\n            pass\n",
    )
    assert (9, "ROC702") in found(tmp_path, caught)


def test_an_area_may_be_taken_by_another_function(tmp_path: Path) -> None:
    through = "def taken(y, s):\n    return roc_auc_score(y, s)\n"
    through += "def again(y, s):\n    return taken(y, s)\n"
    loop = "def drawn(y, s):\n    for _ in range(9):\n        rows = choice(y)\n        {}(y, s)\n"
    assert found(tmp_path, through + loop.format("again")) == [(6, "ROC704")]
    assert found(tmp_path, through + loop.format("other")) == []


def test_a_line_can_be_excused(tmp_path: Path) -> None:
    line = "    q1 = area / (2 - area)"
    for comment, kept in (("noqa", 0), ("noqa: ROC706", 0), ("noqa: E501", 1), ("noqa: ROC701", 1)):
        assert len(found(tmp_path, HANLEY.replace(line, f"{line}  # {comment}"))) == kept, comment


def test_notebooks_and_what_is_no_python(tmp_path: Path) -> None:
    code = [*(f"{line}\n" for line in HANLEY.splitlines()), "%time 1"]
    cells = [
        {"cell_type": "markdown", "source": ["a / (2 - a)"]},
        {"cell_type": "code", "source": code},
        {"cell_type": "code", "source": ["%%bash\n", "if then"]},
        {"cell_type": "code", "source": ["if then"]},
    ]
    (tmp_path / "book.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "odd.ipynb").write_text("[]")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "code.py").write_text(HANLEY)
    linted = lint(tmp_path)
    assert [(Path(copy.path).name, copy.line) for copy in linted.copies] == [
        ("book.ipynb cell 2", 3)
    ]
    assert [Path(path.split(":")[0]).name for path in linted.unread] == [
        "book.ipynb cell 4",
        "odd.ipynb",
    ]
    assert linted.files == 2


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(HANLEY)
    assert run(["lint", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith(f"{tmp_path / 'a.py'}:3: ROC706 in limits\n  Hanley and McNeil's")
    assert printed.endswith("1 place in 1 file.\n")
    assert run(["lint", str(tmp_path), "--mute", "ROC706"]) == 0
    assert capsys.readouterr().out == "0 places in 1 file.\n"
    assert run(["lint", str(tmp_path / "a.py"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["copies"][0] == {
        "path": str(tmp_path / "a.py"), "line": 3, "function": "limits", "code": "ROC706",
        "severity": "warning", "text": rs.checks["ROC706"].sentence,
        "instead": "rocsolid.instead.roc_auc_ci, or rocsolid.auc",
    }  # fmt: skip
    assert run(["lint", str(tmp_path / "none.py")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_what_is_recommended_exists() -> None:
    checks = [check for check in rs.checks if issubclass(check, CopyRemark)]
    assert [check.code for check in checks] == [f"ROC70{number}" for number in range(1, 9)]
    for check in checks:
        for call in check.instead.split(", or "):
            value = rs
            for name in call.partition("(")[0].split(".")[1:]:
                value = getattr(value, name)
            assert callable(value), check.code
