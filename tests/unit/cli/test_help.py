"""``--help`` fits a screen and names every option; ``--help all`` explains every one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from cyclopts import App, Parameter

from rocsolid.cli.app import FURTHER, FURTHER_GROUPS, app, run
from rocsolid.cli.lists import SENTENCES
from rocsolid.parameters import PARAMETERS, Column

LINES, COLUMNS = 60, 80


def verbs(of: App = app, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    names = [name for name in of.resolved_commands() if not name.startswith("-")]
    for name in names:
        yield from verbs(of[name], (*path, name))
    if not names:
        yield path


VERBS = tuple(verbs())


def options(verb: tuple[str, ...]) -> set[str]:
    arguments = app[verb[0]] if len(verb) == 1 else app[verb[0]][verb[1]]
    every = arguments.assemble_argument_collection()
    return {name for one in every for name in one.names[:1] if name.startswith("--")}


def helped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    assert run([*words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_help_fits_a_screen_and_names_every_option(
    verb: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(capsys, monkeypatch, *verb, "--help")
    assert len(text.splitlines()) <= LINES
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert options(verb) <= set(re.findall(r"--[a-z-]+", text))


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_all_options_are_explained_on_request(
    verb: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(capsys, monkeypatch, *verb, "--help", "all")
    rows = set(re.findall(r"^│ [* ]* *(?:[A-Z-]+ )?(--[a-z-]+)", text, re.MULTILINE))
    assert options(verb) <= rows
    assert "--help all" not in text


def test_an_option_that_names_a_column_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(capsys, monkeypatch, "evaluate", "--help", "all")
    shown = set(re.findall(r"--([a-z-]+) COLUMN", text.partition("Arguments")[2]))
    columns = {name for name, each in PARAMETERS.items() if each.type is Column}
    typed = {PARAMETERS[name].typed.removeprefix("--") for name in columns}
    if hasattr(Parameter(), "metavar"):  # the lowest cyclopts names no value of an option
        assert shown <= typed
        assert typed - shown <= {"outcome"}  # of another verb
    else:
        assert not shown


def test_an_option_that_few_need_is_one_of_some_verb() -> None:
    assert set().union(*map(options, VERBS)) >= FURTHER
    assert {"Larger than memory", "With --qid"} == FURTHER_GROUPS


@pytest.mark.parametrize("full", [[], ["all"]])
@pytest.mark.parametrize("verb", sorted({verb[0] for verb in VERBS if len(verb) > 1}))
def test_a_verb_with_verbs_lists_them(
    verb: str, full: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(capsys, monkeypatch, verb, "--help", *full)
    assert text.startswith(f"Usage: rocsolid {verb} COMMAND")
    assert {path[1] for path in VERBS if path[0] == verb} <= set(text.split())


@pytest.mark.parametrize("words", [["-h"], ["--help"], ["a.csv", "--label", "y", "-h", "all"]])
def test_help_goes_first(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(capsys, monkeypatch, "evaluate", *words)
    assert text.startswith("Usage: rocsolid evaluate TABLE")
    assert ("--help all" in text) == (words[-1] != "all")


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["--help", "all"]])
def test_the_list_of_verbs_has_the_first_sentence_of_each(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {name: " ".join(verb.help.split("\n\n")[0].split())
             for name, verb in app.resolved_commands().items() if name[0] != "-"}  # fmt: skip
    assert first == SENTENCES
    text = " ".join(re.sub("[│╭╮╰╯─]", " ", helped(capsys, monkeypatch, *words)).split())
    assert all(f" {verb} {sentence} " in text for verb, sentence in SENTENCES.items())


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_the_list_of_verbs_and_the_version_load_no_verb(word: str) -> None:
    probe = (
        "import sys\nfrom rocsolid.cli.app import run\n"
        f"assert run([{word!r}]) == 0\nprint(*sorted(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    loaded = set(result.stdout.splitlines()[-1].split())
    assert not loaded & {"numpy", "scipy", "rocsolid.inputs", "rocsolid.report"}
    assert {name for name in loaded if re.match(r"rocsolid\..*cli\.", name)} == {
        "rocsolid.cli.app", "rocsolid.cli.lists", "rocsolid.cli.removed",
    }  # fmt: skip
