"""``rocsolid certify``, the table behind it and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.certificates import certify, certify_grid
from rocsolid.cli.app import run
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.questions import screening

DATA = {**screening(1_000), "q": [i // 10 for i in range(1_000)]}


def test_json_is_the_certificate(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["certify", str(table), "--label", "ill", "--json"]
    assert run([*base, "--score", "risk", "--level", "0.99"]) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = certify_grid({"risk": DATA["risk"]}, y=DATA["ill"], level=0.99)
    assert printed["certificates"]["risk"] == expected["risk"].to_dict()
    assert run([*base, "--score", "risk", "--score", "lab", "--candidates", "7",
                "--measure", "partial_auc(fpr<=0.1)", "--bound", "weighted-dkw"]) == 0  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert printed["best"] in ("risk", "lab")
    lab = certify(DATA["lab"], y=DATA["ill"], measure="partial_auc(fpr<=0.1)",
                  bound="weighted-dkw", candidates=7)  # fmt: skip
    assert printed["certificates"]["lab"]["low"] == lab.low
    assert run([*base, "--score", "risk", "--qid", "q", "--measure", "ndcg@5"]) == 0
    printed = json.loads(capsys.readouterr().out)
    lists = certify(DATA["risk"], y=DATA["ill"], qid=DATA["q"], measure="ndcg@5")
    assert printed["certificates"]["risk"]["low"] == lists.low


def test_text_fits_80_columns(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    command = ["certify", str(table), "--label", "ill", "--score", "risk", "--score", "lab"]
    assert run([*command, "--more"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split())
    for words in ("at least", "better than chance", "adds ln 2 = 0.69", "Assumptions: ",
                  "do not show which rows", "Fingerprint: scores"):  # fmt: skip
        assert words in said


def test_the_limit_can_be_a_gate(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["certify", str(table), "--label", "ill", "--score", "risk", "--fail-below"]
    low = certify(DATA["risk"], y=DATA["ill"]).low
    said = {}
    for bar, code in ((low - 0.01, 0), (low, 0), (low + 1e-7, 1), (low + 0.01, 1)):
        kept = "not reached" if code else "reached"
        assert run([*command, f"{bar!r}"]) == code
        said[bar] = " ".join(capsys.readouterr().out.split())
        words = re.search(r"was requested: ([a-z ]+), the certified limit is (\S+)\.", said[bar])
        assert words
        assert words[1] == kept
        assert (float(words[2]) >= bar) is not bool(code)  # the digits shown say the same
        assert run([*command, f"{bar!r}", "--json"]) == code
        found = json.loads(capsys.readouterr().out)
        assert (found["at_least"], found["reached"]) == (bar, not code)
        assert f": {kept}, " in found["decision"]
        again = certify_table(DATA, label="ill", scores="risk", at_least=bar)
        assert again.decision == found["decision"]
        assert again.decision in str(again)
        assert again.decision in again.to_html()
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"at_least": 0.5, "alternative": "less"}, "an upper limit"),
        ({"at_least": float("nan")}, "must be a number"),
        ({"at_least": True}, "must be a number"),
    ],
)
def test_a_bar_that_no_limit_can_reach_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        certify_table(DATA, label="ill", scores="risk", **asked)


def test_scores_alone_have_no_fingerprint_of_their_rows() -> None:
    found = certify_table(DATA, label="ill", scores="risk")
    one = found.grid.certificate
    assert (one.data, one.to_dict()["data_fingerprint"]) == ("", None)
    assert one.scores == one.to_dict()["scores_fingerprint"] == rs.auc(
        DATA["ill"], DATA["risk"]).fingerprint  # fmt: skip
    assert "Fingerprint of the features" not in found.to_html()


def test_the_page(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "c.html"
    assert run(["certify", str(table), "--label", "ill", "--score", "risk", "--html", str(page),
                "--independent"]) == 0  # fmt: skip
    html = page.read_text(encoding="utf-8")
    for words in ("Certificate: scores.csv", "whatever the distribution", "binomial tests",
                  "Hoeffding 1963", "Fingerprint of the scores", "Asserted"):  # fmt: skip
        assert words in html
    assert str(page) in capsys.readouterr().out.replace("\n", "")
    assert run(["certify", str(table), "--label", "ill", "--score", "risk",
                "--html", str(table)]) == 2  # fmt: skip
    found = certify_table(DATA, label="ill", scores=["risk", "lab"])
    assert str(found.grid).splitlines()[1].split()[0] == found.results[0].score
    two = found.to_html(title="Two")
    assert "All 2 limits hold jointly" in two
    assert two.count("Fingerprint of the scores of ") == 2
    one = certify(DATA["risk"], y=DATA["ill"])
    assert rs.certificate_page(one, title="One").count("<h1") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--score", "rsk"], "there is no column 'rsk'"),
        (["--score", "risk", "--measure", "ndcg@5"], "needs the query of each row"),
        (["--score", "risk", "--measure", "ndcg@5", "--qid", "q", "--pos-label", "1"], "grades"),
        (["--score", "risk", "--bound", "delong"], "no guarantee of this name"),
        (["--score", "risk", "--level", "2"], "level must lie strictly"),
    ],
)
def test_bad_input_ends_with_2(
    table: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["certify", str(table), "--label", "ill", *more]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_missing_score_names_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gap.csv"
    path.write_text("y,s\n0,1\n1,\n", encoding="utf-8")
    assert run(["certify", str(path), "--label", "y", "--score", "s"]) == 2
    assert "line 3" in capsys.readouterr().err
