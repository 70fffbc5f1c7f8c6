"""Every text in the package that names works by their years, docstrings left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import rocsolid

ROOT = Path(rocsolid.__file__).parent
YEAR = re.compile(r"(?<![\d._])(?:1[89]\d\d|20[0-2]\d)(?!\d)")
NO_WORK = re.compile(
    r"a blog: .*|CLEF TAR \d{4}|the \d{4} paper|figures of \d{4}|MQ\d{4}|AAAI \d{4}|\d{4}-\d\d-\d\d"
    r"|json-schema.org/draft/\d{4}-\d\d|www.w3.org/\d{4}/"
)
"""Years that are no year of a work, or not by its authors' names."""


def texts() -> Iterator[tuple[str, str]]:
    """Where a text stands, and the text; a place for a value is a dash."""
    for path in sorted(ROOT.rglob("*.py")):
        if not {"citations", "tour"} & set(path.parts):  # the tour's words are about documents
            tree = ast.parse(path.read_text())
            for line, text in _strings(tree):
                if YEAR.search(NO_WORK.sub("", text)):
                    yield f"{path.relative_to(ROOT)}:{line}", text


def _strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    apart = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(id(node.value))  # a docstring
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_cites":
            apart.update(map(id, ast.walk(node.value)))  # keys of the bibliography themselves
        if isinstance(node, ast.JoinedStr):
            apart.update(id(part) for part in node.values)
            parts = [p.value if isinstance(p, ast.Constant) else "—" for p in node.values]
            yield node.lineno, "".join(map(str, parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value
