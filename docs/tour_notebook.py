"""The tour as a notebook with what its cells print: ``python docs/tour_notebook.py``.

It is kept in the repository, to be read, and run, where nothing is built. A test makes it again
and compares.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import os
import re
import shlex
import tempfile
from pathlib import Path
from typing import Any

from rocsolid.cli.app import run

PAGE = Path(__file__).with_name("tour.md")
FILE = PAGE.with_suffix(".ipynb")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def notebook() -> dict[str, Any]:
    """Every example of the page as a cell, run in its order in an empty folder."""
    text = re.sub(r"<!--.*?-->\n*", "", PAGE.read_text("utf-8"), flags=re.DOTALL)
    names: dict[str, Any] = {}
    cells, words = [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in BLOCK.finditer(text):
            made = _cells(block[1], block[2], names)
            if made:
                cells += [_words(text[words : block.start()]), *made]
                words = block.end()
        dumped = json.dumps([*cells, _words(text[words:])]).replace(os.path.realpath(folder), ".")
    numbered = [cell | {"id": f"cell-{i}"} for i, cell in enumerate(json.loads(dumped))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": numbered,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip()}


def _cells(kind: str, block: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    if kind == "console":
        commands = [part.partition("\n")[0] for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
        return [_cell(f"!{command}", _command(command)) for command in commands]
    if kind != "python":
        return []
    lines = [example.source for example in doctest.DocTestParser().get_examples(block)]
    return [_cell("".join(lines).rstrip(), _python("".join(lines), names))]


def _command(command: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        run(shlex.split(command)[1:])
    return printed.getvalue()


def _python(source: str, names: dict[str, Any]) -> str:
    """What the lines print; each value that stands by itself is shown, as in a session."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for node in ast.parse(source).body:
            statement = ast.Interactive([node])
            exec(compile(statement, "<cell>", "single"), names)
    return printed.getvalue()


def _cell(source: str, printed: str) -> dict[str, Any]:
    shown = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "source": source,
            "outputs": shown}  # fmt: skip


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    FILE.write_text(json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n", "utf-8")
