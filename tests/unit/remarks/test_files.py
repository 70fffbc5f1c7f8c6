"""Each check of run files: files in which it appears, and like ones in which it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rocsolid.evaluation.runs import evaluate_runs

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = "q1 Q0 a 1 2.0 r\nq1 Q0 b 2 1.0 r\nq2 Q0 a 1 1.0 r\n"
CASES = {  # each with what is added to the judgements and to the run
    "ROC601": ("q3 0 a 1\n", ""),
    "ROC602": ("q3 0 a 0\n", "q3 Q0 a 1 1.0 r\n"),
    "ROC603": ("q2 0 c 0\n", "q2 Q0 c 2 1.0 r\n"),
    "ROC604": ("q2 0 c 0\n", "q2 Q0 c 2 0.9999999999 r\n"),
    "ROC605": ("q2 0 c 0\n", "q2 Q0 c 2 9.0 r\n"),
    "ROC606": ("", "q2 Q0 a 1 1.0 r\n"),
    "ROC607": ("q2 0 a 2\n", ""),
    "ROC608": ("q1 0 c -1\n", ""),
}


def runs(folder: Path, qrels: str, run: str) -> Any:
    (folder / "q.txt").write_text(QRELS + qrels)
    (folder / "r.run").write_text(RUN + run)
    return evaluate_runs(folder / "q.txt", [folder / "r.run"], duplicates="first", negative="zero")


def audit(folder: Path, qrels: str, run: str) -> Any:
    return runs(folder, qrels, run).audits["r"]


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str, tmp_path: Path) -> None:
    assert code in {one.code for one in audit(tmp_path, *CASES[code]).checks}
    assert not audit(tmp_path, "", "").checks


def test_queries_that_nobody_judged_are_told_unless_muted(tmp_path: Path) -> None:
    found = runs(tmp_path, "", "q9 Q0 a 1 1.0 r\n")
    assert "1 query of the run not judged, not used." in found.to_markdown()
    assert "not judged, not used" not in found.without("ROC315").to_markdown()
    assert "not judged, not used" not in runs(tmp_path, "", "").to_markdown()


def test_an_audit_is_muted_with_its_runs(tmp_path: Path) -> None:
    found = runs(tmp_path, *CASES["ROC601"])
    assert "not in the run" in found.to_markdown()
    assert "not in the run" not in found.without("ROC601").to_markdown()
