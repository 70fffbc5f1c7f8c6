"""The commands on the pages: those with their output are run, all others can be read.

A ``console`` block is a session: lines after ``$ `` are commands, the rest is what they print
(``...`` for any text, white space as it comes). The blocks of a page run in their order, in one
folder that is empty at first. ``$ cat FILE`` shows a file that the page makes up; it is written.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from rocsolid.cli.app import app, run
from rocsolid.cli.demo import as_csv
from rocsolid.evaluation.questions import screening

ROOT = Path(__file__).parents[3]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]
SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def sessions(text: str) -> list[tuple[str, str]]:
    """Every command with the text below it, over all blocks of a page."""
    found: list[tuple[str, str]] = []
    for block in SESSION.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


WITH_SESSIONS = [page for page in PAGES if "```console" in page.read_text("utf-8")]


@pytest.mark.parametrize("page", WITH_SESSIONS, ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    check = doctest.OutputChecker()
    for command, printed in sessions(page.read_text("utf-8")):
        program, *arguments = shlex.split(command)
        if program == "cat":
            (tmp_path / arguments[0]).write_text(printed, "utf-8")
            continue
        assert program == "rocsolid", command
        code = run(arguments)
        output = capsys.readouterr()
        assert code == (2 if output.err else 0), command
        got = output.out + output.err
        assert check.check_output(printed, got, FLAGS), f"$ {command}\n{got}"


README = (ROOT / "README.md").read_text("utf-8")
(START,) = re.findall(r"^\| goal \| add to `rocsolid (.*)` \|$", README, re.MULTILINE)
GOALS = re.findall(r"^\| [^|]* \| `(--[^`]*)`[^|]*\|$", README, re.MULTILINE)


def test_every_goal_of_the_readme_runs_on_the_table_of_the_demonstration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(as_csv(screening()), "utf-8")
    assert len(GOALS) == len(re.findall(r"^\|.*\| `--", README, re.MULTILINE)) >= 7
    for goal in GOALS:
        assert run(shlex.split(f"{START} {goal}")) == 0, goal
        output = capsys.readouterr()
        assert output.out, goal
        assert not output.err, goal


def commands(text: str) -> list[str]:
    """Every line that starts with the program, in any block, with its continued lines."""
    text = re.sub(r" ?\\\n\s*", " ", text)
    found = re.findall(r"^(?: {4}|)(?:\$ )?(rocsolid [a-z-]+ .*)$", text, re.MULTILINE)
    return [line.partition("  #")[0] for line in found if "..." not in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_has_options_that_exist(page: Path) -> None:
    for line in commands(page.read_text("utf-8")):
        app.parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)


def test_a_command_that_does_not_exist_is_noticed() -> None:
    (line,) = commands("    $ rocsolid evaluate a.csv --label y --score s --certain  # no\n")
    with pytest.raises(Exception, match="--certain"):
        app.parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
