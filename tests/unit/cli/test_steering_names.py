"""Names out of someone's table cannot steer the terminal, nor forge a line, in any form."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from rocsolid.cli.app import run
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.visible import visible

HOSTILE = "a\x1b[2K\rb\x00\u202e99.0\u2066\tc\nd\x9b31m\x7f"
SEEN = r"a\x1b[2K\rb\x00\u202e99.0\u2066\tc\nd\x9b31m\x7f"
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def table(tmp_path: Path) -> str:
    y = [0, 1] * 20
    data = {
        "ill": y,
        HOSTILE: [(7 * i) % 23 + 3 * v for i, v in enumerate(y)],
        "b": [(5 * i) % 19 for i in range(40)],
        "grade": [i % 3 for i in range(40)],
        "site": [HOSTILE if i < 20 else "x" for i in range(40)],
        "q": [f"{HOSTILE}{i // 5}" for i in range(40)],
    }
    file = tmp_path / "rows.csv"
    pd.DataFrame(data).to_csv(file, index=False)
    return str(file)


SLOW = pytest.param("public", marks=pytest.mark.slow)
"""A public page takes seconds."""
BOTH = ["--score", HOSTILE, "--score", "b"]
VERBS = {
    "evaluate": ["evaluate", "--label", "ill", *BOTH, "--by", "site"],
    "queries": ["evaluate", "--label", "grade", *BOTH, "--qid", "q", "--by", "site"],
    "compare": ["compare", "--label", "ill", *BOTH, "--by", "site"],
    "curve": ["curve", "--label", "ill", "--score", HOSTILE, "--at-specificity", "0.8"],
    "public": ["evaluate", "--label", "ill", *BOTH, "--public", "--max-posterior", "1"],
}


def printed(verb: str, table: str, form: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    first, *rest = VERBS[verb]
    assert run([first, table, *rest, *form]) == 0
    captured = capsys.readouterr()
    assert not STEERING.search(captured.err)
    return captured.out


@pytest.mark.parametrize("verb", ["evaluate", "queries", "compare", "curve", SLOW])
def test_the_terminal(verb: str, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(verb, table, [], capsys)
    assert not STEERING.search(out)
    assert SEEN[-7:] in re.sub(r"\s", "", out)  # a long name may be folded, or lack its middle


@pytest.mark.parametrize("verb", ["evaluate", "queries", "compare", SLOW])
@pytest.mark.parametrize("form", ["--markdown", "--latex"])
def test_texts(verb: str, form: str, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(verb, table, [form], capsys)
    assert not STEERING.search(out)
    shown = {"--markdown": SEEN.replace("\\", "\\\\").replace("[", "\\["),
             "--latex": SEEN.replace("\\", r"\textbackslash{}")}[form]  # fmt: skip
    assert shown in out


@pytest.mark.parametrize("verb", ["evaluate", "queries", "compare", "curve", SLOW])
def test_json_holds_the_name_and_steers_nothing(
    verb: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(verb, table, ["--json"], capsys)
    assert not STEERING.search(out)
    assert any(HOSTILE in text for text in _texts(json.loads(out)))


def _texts(data: object) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, dict):
        return [one for item in data.items() for part in item for one in _texts(part)]
    return [one for item in data for one in _texts(item)] if isinstance(data, list) else []


def test_errors(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = [
        ["evaluate", table, "--label", "ill", "--score", "no" + HOSTILE],
        ["evaluate", table + HOSTILE.replace("\x00", ""), "--label", "ill", "--score", "b"],
        ["evaluate", table, "--label", "site", "--score", "b"],
        ["evaluate", table, "--label", "ill", "--score", "b", "--by", HOSTILE + "?"],
        ["evaluate", table, "--label", "ill", "--score", "site"],
        ["evaluate", table, "--lab" + HOSTILE, "ill"],
    ]
    for command in hostile:
        assert run(command) == 2
        assert not STEERING.search(capsys.readouterr().err)
    text = str(InputError(HOSTILE, where=HOSTILE, value=HOSTILE, fix=HOSTILE))
    assert "\n" not in text
    assert not STEERING.search(text)


def test_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress_bar(HOSTILE) as bar:
        assert bar is not None
        bar(1, 2)
    assert HOSTILE not in capsys.readouterr().err


def test_what_is_written_out() -> None:
    assert visible(HOSTILE) == SEEN
    assert visible("naïve 漢字 👩‍🔬 ‍عربى") == "naïve 漢字 👩‍🔬 ‍عربى"
