"""An option means one thing: its words are the same in every verb, and stand once in the source."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from cyclopts import App

import rocsolid
from rocsolid import parts
from rocsolid.cli.app import app, run
from rocsolid.cli.removed import REMOVED

SOURCE = Path(rocsolid.__file__).parent
MEANINGS = {
    "--auc": 3,  # expected in a plan, released in a leak, printed
    "--cluster": 2,  # rows that depend on each other, and rows that share a label
    "--decimals": 2,  # of values as written, of a server
    "--difference": 2,  # of two values of a pilot, of means over queries
    "--frequency": 2,  # equal rows of a table, and of a leak
    "--margin": 2,  # of a test, and of what is watched
    "--measure": 4,  # one, several, those that a leak audit takes, and what is to be released
    "--memory": 2,  # of reading, and of what a sketch keeps
    "--n-pos": 2,  # a number, or what is known of it
    "--profile": 2,  # of a tool, and of a log
    "--rows": 2,  # shown in a leak audit, labelled in a plan
    "--score": 2,  # one, or several
    "--table": 3,  # what the demonstration writes, what a plan reads, units in a leak plan
    "--test": 3,  # of rows, of queries, of a plan
    "--value": 2,  # expected in a plan, released in a leak
    "--vs": 2,  # the profile to arrive at, the AUC of another score
}
"""Options with more than one meaning, and how many."""
if parts.verbs():
    MEANINGS["--host"] = 2  # a person, or an address
    MEANINGS["--out"] = 2  # a sketch, or a study's folder
WORDS_FOR_CHANCE = {"--alpha", "--delta", "--ratio", "--positive-fraction", "--expected-auc"}


def verbs(of: App = app, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], App]]:
    names = [name for name in of.resolved_commands() if not name.startswith("-")]
    for name in names:
        yield from verbs(of[name], (*path, name))
    if not names:
        yield path, of


def declared(source: str) -> Iterator[str]:
    """The texts of options in a module: in docstrings below "Parameters", as ``help``, declared."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            _, _, below = (ast.get_docstring(node) or "").partition("Parameters\n----------\n")
            for text in re.findall(r"^\w+\n((?: {4}.*\n?)+)", below, re.MULTILINE):
                yield " ".join(text.split())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = [k.value for k in node.keywords if k.arg == "help"]
            given = named or node.args[2:3] if node.func.id == "Parameter" else node.args[:1]
            if node.func.id in ("Parameter", "_help"):
                yield from (" ".join(v.value.split()) for v in given if isinstance(v, ast.Constant))


def test_an_option_has_the_same_words_in_every_verb() -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    for _, verb in verbs():
        for argument in verb.assemble_argument_collection(parse_docstring=True):
            for name in argument.names:
                if name.startswith("--"):
                    texts[name].add(argument.parameter.help or "")
    assert all(all(of) for of in texts.values())
    assert {name: len(of) for name, of in texts.items() if len(of) > 1} == MEANINGS
    assert not WORDS_FOR_CHANCE & texts.keys()


def test_no_text_stands_twice_in_the_source() -> None:
    count = Counter(
        text
        for file in (SOURCE / "parameters.py", *sorted(SOURCE.glob("**/cli/**/*.py")))
        for text in declared(file.read_text("utf-8"))
    )
    assert sum(count.values()) > 120
    assert [text for text, times in count.items() if times > 1] == []


def test_texts_are_found_wherever_they_stand() -> None:
    source = '''
A = Annotated[str, _help("One " "text.")]
B = Parameter(negative=(), help="Another.")
C = Parameter("d", "group", "A fourth.", str)
def verb():
    """Does.

    Parameters
    ----------
    x
        A third,
        of two lines.
    """
'''
    assert sorted(declared(source)) == [
        "A fourth.",
        "A third, of two lines.",
        "Another.",
        "One text.",
    ]


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("curve a.csv --label y --score s --alternative less", "--alternative"),
        ("sketch make a.csv --label y --score s --out o --lower-is-better", "--lower-is-better"),
        ("compare a.csv --label y --score s --plot r.svg", "--plot"),
        ("certify a.csv --label y --score s --nan omit", "--nan"),
        ("plan power --auc 0.8 --power 0.9 --alpha 0.05", "--alpha"),
        ("watch a.csv --label y --score s --state w --resamples 9", "--resamples"),
    ],
)
def test_an_option_of_another_verb_is_refused_by_name(
    command: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    said = capsys.readouterr().err
    assert wrong in said
    assert "--help" in said


@pytest.mark.parametrize("removed", REMOVED)
def test_what_was_removed_says_what_to_do_instead(
    removed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *path, last = removed.split()
    option = last if last.startswith("--") else ""
    verb = path if option else [*path, last]
    having = places_of_ours()
    lacking = [of for of in having if list(of[: len(verb)]) == verb and option not in having[of]]
    assert lacking if option else tuple(verb) not in having
    for of in lacking or [tuple(verb)]:
        if of[0] in OTHER_PARTS or of in {("schema",), ("checks",)}:
            continue
        assert run([*of, *([f"{option}=1"] if option else [])]) == 2
        said = capsys.readouterr().err
        assert f"{option or ' '.join(verb)} was removed. Fix: {REMOVED[removed]}." in said


OTHER_PARTS = {"board", "serve", "study", "learn"}
VERBS, PLACES, OPTIONS = 30, 409, 123
"""Of the core at most: verbs, pairs of a verb with an option of it, and options."""


def places(of: App = app) -> dict[tuple[str, ...], set[str]]:
    """The options of each verb; one with a second name is one option."""
    return {
        path: {
            argument.names[0]
            for argument in verb.assemble_argument_collection()
            if argument.names and argument.names[0].startswith("--")
        }
        for path, verb in verbs(of)
    }


@cache
def places_of_ours() -> dict[tuple[str, ...], set[str]]:
    return places()


def test_the_surface_does_not_grow() -> None:
    """A new option must be worth its place, or takes the place of another."""
    core = {path: names for path, names in places_of_ours().items() if path[0] not in OTHER_PARTS}
    counts = len(core), sum(map(len, core.values())), len(set().union(*core.values()))
    assert all(count <= most for count, most in zip(counts, (VERBS, PLACES, OPTIONS), strict=True))


def test_a_place_is_an_option_of_a_verb() -> None:
    house = App()

    @house.command
    def build(*, storeys: int = 1, roof: bool = False) -> None: ...

    @house.command
    def paint(*, roof: bool = False) -> None: ...

    assert places(house) == {("build",): {"--storeys", "--roof"}, ("paint",): {"--roof"}}
