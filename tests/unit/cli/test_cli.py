"""The command line, run in this process; a few runs as a user would start it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rocsolid as rs
from bad_files import BAD_FILES, BadFile
from rocsolid.cli.app import app, run
from rocsolid.evaluation.questions import screening

DATA = screening(1_500)


def test_json_is_the_evaluation(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--by", "hospital", "--json"])  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert code == 0
    expected = rs.evaluate(table, label="ill", scores=["risk", "lab"], by="hospital").to_dict()
    assert printed == json.loads(json.dumps(expected))


def test_the_table_fits_80_columns_and_says_what_matters(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["evaluate", str(table), "--label", "ill", "--score", "points", "--score", "risk",
                "--by", "hospital", "--more"]) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "North" in out
    assert "are tied" in out
    assert "certified" in out


def test_measures_other_than_the_auc(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    asked = ["auc", "partial_auc(0.01<=fpr<=0.1, scale=mcclish)"]
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--by", "hospital",
             "--measure", asked[0], "--measure", asked[1]]  # fmt: skip
    assert run([*words, "--more"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert [line.strip() for line in out.splitlines() if line.strip() in asked] == asked
    assert {"AUC", "value"} <= set(out.split())
    assert run([*words, "--json"]) == 0
    expected = rs.evaluate(table, label="ill", scores="risk", measures=asked, by="hospital")
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(expected.to_dict()))
    assert {result["measure"] for result in printed["results"]} == set(asked)


def test_a_measure_that_is_none(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--measure",
                "partial_auc(fpr<0.1)"]) == 2  # fmt: skip
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "partial_auc(fpr<=0.05)" in captured.err


def test_options_reach_the_evaluation(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.DataFrame(DATA)
    frame["ill"] = frame["ill"].map({0: "no", 1: "yes"})
    frame["risk"] = -frame["risk"]
    frame["w"], frame["pair"] = range(1, 1_501), [i // 2 for i in range(1_500)]
    frame.loc[3, "risk"] = None
    frame.to_csv(table, index=False)
    page = tmp_path / "out.html"
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--pos-label", "yes",
                "--lower-is-better", "--nan", "omit", "--sample-weight", "w", "--cluster", "pair",
                "--interval", "logit-t", "--level", "0.9", "--alternative", "greater", "--json",
                "--html", str(page)]) == 0  # fmt: skip
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["value"] > 0.5
    assert (result["high"], result["level"], result["method"]) == (1.0, 0.9, "logit-t")
    assert result["settings"]["omitted"] == 1
    assert result["settings"]["clusters"] == 750
    assert result["settings"]["weighted"] is True
    assert "<!doctype html>" in page.read_text(encoding="utf-8")


def test_standard_input(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(table.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run(["evaluate", "-", "--label", "ill", "--score", "risk", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 1_500


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda case: case.name)
def test_bad_files_end_with_2_and_write_nothing(
    case: BadFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = case.write(tmp_path), tmp_path / "page.html"
    assert run(["evaluate", str(path), *case.arguments(), "--json", "--html", str(page)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("rocsolid: ")
    for words in case.says:
        assert words in captured.err
    assert "Traceback" not in captured.err
    assert not page.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["evaluate"], "the option --label is missing"),
        (["evaluate", "x.csv", "--lable", "y", "--score", "s"], "--label"),
        (["evalute", "x.csv"], "evaluate"),
        (["evaluate", "x.csv", "--label", "y", "--score", "s", "--htlm", "p"], "no option --htlm"),
        (["compare", "x.csv", "--label", "y", "--score", "s", "--htlm", "p"], "no option --htlm"),
        (["runs", "q.txt", "a.run", "--htlm", "p.html"], "no option --htlm"),
        (["evaluate", "x.csv", "--label", "y", "--score", "s", "--level", "high"], "high"),
        (["evaluate", "x.csv", "--label", "y", "--score", "s", "--nan", "drop"], "omit"),
        (["evaluate", "nowhere.csv", "--label", "y", "--score", "s"], "nowhere.csv"),
    ],
)
def test_bad_words_end_with_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err


def test_a_page_that_cannot_be_written(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = table.parent / "missing" / "page.html"
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--html",
                str(page)]) == 2  # fmt: skip
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot be written" in captured.err


def test_every_verb_has_help_with_a_runnable_example(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("evaluate", "demo"):
        assert run([verb, "--help"]) == 0
        assert f"rocsolid {verb}" in capsys.readouterr().out
    assert run(["--version"]) == 0
    assert app.version is not None


def test_the_demonstration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "report.html"
    assert run(["demo", "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert "up, right, up, up, right, right, right" in out
    assert "5/6" in out
    assert f"Report: {page}" in out
    assert page.stat().st_size > 10_000
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_the_demonstration_gives_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, file = tmp_path / "report.html", tmp_path / "scores.csv"
    assert run(["demo", "--html", str(page), "--table", str(file)]) == 0
    assert capsys.readouterr().out.rstrip().endswith(str(file))
    read = rs.evaluate(file, label="ill", scores="risk")
    assert read.results[0] == rs.evaluate(screening(), label="ill", scores="risk").results[0]


def test_as_a_user_starts_it(table: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rocsolid", "evaluate", str(table), "--label", "ill", "--score",
         "risky"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert "use 'risk', the nearest name" in done.stderr


ODD_NAMES = "y,a,site\n" + "".join(
    f"{i % 2},{(7 * i) % 11},{name}\n" for name in ("b[red]", ":smile:", "õun") for i in range(20)
)


@pytest.fixture
def odd_names(tmp_path: Path) -> Path:
    path = tmp_path / "odd.csv"
    path.write_text(ODD_NAMES, encoding="utf-8")
    return path


def by_site(path: Path, *more: str) -> list[str]:
    return ["evaluate", str(path), "--label", "y", "--score", "a", "--by", "site", *more]


def in_a_process(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "rocsolid", *arguments], **options)


def test_names_are_text_and_no_markup(odd_names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(by_site(odd_names)) == 0
    out = capsys.readouterr().out
    for name in ("b[red]", ":smile:", "õun"):
        assert name in out


@pytest.mark.parametrize("columns", ["20", "40"])
def test_a_narrow_terminal_cuts_no_number(
    odd_names: Path,
    columns: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = []
    for width in ("85", columns):  # 85: the whole table, and no room for bars
        monkeypatch.setenv("COLUMNS", width)
        assert run(by_site(odd_names)) == 0
        out = capsys.readouterr().out
        assert "…" not in out
        tables.append(out[out.index("\nsite") :].splitlines()[:5])
    assert tables[0] == tables[1]
    assert len(tables[0]) == 5


def test_an_interval_that_is_a_guarantee_is_called_one(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--more"]
    assert run([*words, "--interval", "kl"]) == 0
    out = capsys.readouterr().out
    assert "Intervals: kl, " in out
    assert ": certified, holds whatever the distribution (assumes: rows independent; " in out
    assert run(words) == 0
    assert (
        "Intervals: auto (logit-t and hull): calibrated, contains the truth about 95 times in 100"
        in capsys.readouterr().out
    )


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin1", "utf-8"])
def test_any_name_in_any_encoding(odd_names: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = in_a_process(by_site(odd_names), capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"0.5" in done.stdout
    done = in_a_process(by_site(odd_names, "--json"), capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    results = json.loads(done.stdout.decode(encoding))["results"]
    assert {"site": "õun"} in [result["by"] for result in results]


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_reader_that_has_had_enough(table: Path, json_too: list[str]) -> None:
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--by", "lab", *json_too]
    read, write = os.pipe()
    os.close(read)
    try:
        done = in_a_process(words, stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error(table: Path) -> None:
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--json"]
    with open("/dev/full", "wb") as full:
        done = in_a_process(words, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith(b"rocsolid: the output cannot be written")
    assert b"Traceback" not in done.stderr


def test_no_standard_input_at_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["evaluate", "-", "--label", "y", "--score", "s"]) == 2
    assert "nothing came in" in capsys.readouterr().err


def test_where_a_page_may_not_go(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--html"]
    before = table.read_bytes()
    assert run([*words, str(table)]) == 2
    assert "overwrite a file that the command uses" in capsys.readouterr().err
    assert table.read_bytes() == before
    assert run([*words, str(tmp_path)]) == 2
    assert "folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [table]


def test_a_page_behind_a_link_and_into_a_pipe(table: Path, tmp_path: Path) -> None:
    words = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--html"]
    link, page, pipe = tmp_path / "link.html", tmp_path / "page.html", tmp_path / "pipe"
    link.symlink_to(page)
    assert run([*words, str(link)]) == 0
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert run([*words, str(pipe)]) == 0
        assert reader.stdout is not None
        assert reader.stdout.read().startswith(b"<!doctype html>")
    assert pipe.is_fifo()
