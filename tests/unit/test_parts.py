"""The core alone: a copy of the package without the folders of the other parts."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid import parts

SOURCE = Path(rs.__file__).parent
NAMES = """
import rocsolid as rs
for name in rs.__all__:
    getattr(rs, name)
for name in rs.results.__all__:
    getattr(rs.results, name)
from rocsolid import *
print(len(rs.__all__), len(rs.results.__all__))
for module, name in ((rs, "board"), (rs, "learners"), (rs.guarantees, "psi")):
    try:
        getattr(module, name)
    except AttributeError as error:
        print(error)
table = {"y": [0, 1, 0, 1], "q": [1, 1, 2, 2], "a": [1, 2, 3, 4], "b": [1, 2, 4, 3]}
try:
    rs.evaluate(table, label="y", scores=["a", "b"], qid="q", distinguish=True)
except rs.RocsolidError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("core")
    beside = {home.rpartition(".")[2] for home in parts.PARTS}

    def left_out(place: str, names: list[str]) -> set[str]:
        return beside if Path(place) == SOURCE else set()  # the bytecode comes along

    shutil.copytree(SOURCE, folder / "rocsolid", ignore=left_out)
    for name in beside:  # what Python leaves where a folder was
        (folder / "rocsolid" / name / "__pycache__").mkdir(parents=True)
    return folder


COMMANDS = """
import sys
from rocsolid.cli.app import run
for words in sys.argv[1:]:
    print(words.split()[0], run(words.split()), flush=True)
"""


def answer(core: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        env=os.environ | {"PYTHONPATH": str(core)},
        cwd=core,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_every_name_that_is_left_is_there(core: Path) -> None:
    sizes, board, learners, psi, distinguish = answer(core, "-c", NAMES).splitlines()
    of_parts = parts.modules(), parts.results()
    whole = rs.__all__, rs.results.__all__
    assert sizes == " ".join(str(len(w) - len(o)) for w, o in zip(whole, of_parts, strict=True))
    assert board == "module 'rocsolid' has no attribute 'board'"
    assert learners == "module 'rocsolid' has no attribute 'learners'"
    assert psi == "module 'rocsolid.guarantees' has no attribute 'psi'"
    assert distinguish.startswith("rocsolid.asymptotics is not in this installation.")


def test_the_command_line_lacks_the_verbs_of_the_parts(core: Path) -> None:
    (core / "t.csv").write_text("y,s\n" + "".join(f"{i % 2},{i % 7}\n" for i in range(40)))
    lacking = "board", "serve", "study", "schema board"
    text = answer(core, "-c", COMMANDS, "--help", *lacking, "evaluate t.csv --label y --score s")
    assert "│ evaluate " in text
    for words in lacking:
        assert f"│ {words} " not in text
        assert f"{words.split()[0]} 2\n" in text
    assert "this installation lacks the JSON of this verb: 'board'" in text
    assert "AUC" in text
    assert "evaluate 0\n" in text


def test_no_unit_test_of_the_core_needs_a_part() -> None:
    """`make core` therefore runs few of them without the parts; the documentation has all parts."""
    folder = Path(__file__).parent
    uses = re.compile(
        rf"^\s*(?:from|import) (?:{'|'.join(map(re.escape, parts.PARTS))})\b"
        rf"|^[^\"'\n]*\brs\.(?:{'|'.join(parts.modules())})\.",
        re.MULTILINE,
    )
    assert uses.search("import rocsolid.theory.study\n")
    assert not parts.modules() or uses.search("found = rs.board.read()\n")
    files = (file for file in folder.rglob("*.py") if folder / "docs" not in file.parents)
    assert [file.name for file in files if uses.search(file.read_text("utf-8"))] == []


@pytest.mark.skipif(not parts.modules(), reason="this is the core alone")
def test_the_table_names_all_that_the_parts_have() -> None:
    for name, home in parts.modules().items():
        assert getattr(rs, name) is importlib.import_module(home)
    for name, home in parts.results().items():
        assert getattr(rs.results, name) is getattr(importlib.import_module(home), name)
    for module, verb in parts.verbs().items():
        assert hasattr(importlib.import_module(module), verb.name)
    assert {home for home, _ in parts.present()} == set(parts.PARTS)
