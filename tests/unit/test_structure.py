"""How the package is built: what may import what, and what classes are called."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import rocsolid

SOURCE = Path(rocsolid.__file__).parent
SHARED_NAMES = {
    "Gain",  # what a grade is worth in rs.gains; what guesses can win in rs.leaks
}
"""Classes of two modules that go by one name; at most five, each public in one of them."""


def modules(root: Path) -> dict[str, ast.Module]:
    """Every module of a package, by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.Module, known: Collection[str]) -> Iterator[str]:
    """What a module imports anywhere: at its top, inside functions, and for type checks alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            for inner in (f"{node.module}.{alias.name}" for alias in node.names):
                yield inner if inner in known else node.module


def imports(root: Path) -> dict[str, set[str]]:
    """Each module of a package with those of the same package that it imports.

    To import ``a.b.c`` is to import ``a`` and ``a.b`` first, unless one stands inside them.
    """
    trees = modules(root)
    return {name: {one for target in imported(tree, trees)
                   for one in {target} | above(target) - above(name)} & (trees.keys() - {name})
            for name, tree in trees.items()}  # fmt: skip


def above(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts))}


def circles(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Sets of modules each of which reaches all others of its set."""
    left = dict(graph)
    while ends := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in ends}
    reach = {name: reached(left, name) for name in left}
    rings = {frozenset(a for a in reach[name] if name in reach[a]) for name in left}
    return {ring for ring in rings if len(ring) > 1}


def reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        new = (graph[waiting.pop()] & graph.keys()) - seen
        seen |= new
        waiting += new
    return seen


def test_no_modules_import_each_other() -> None:
    """Not inside functions either, nor for types alone: what is read below needs nothing above."""
    assert circles(imports(SOURCE)) == set()


def test_a_circle_is_found_wherever_the_import_stands(tmp_path: Path) -> None:
    package = tmp_path / "house"
    (package / "public").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "page": "from house import result",
        "result": "def to_html():\n    from house.report import render",
        "report": "if TYPE_CHECKING:\n    import house.page",
        "above": "from house.page import page_of",
        "below": "import os",
        "public.__init__": "from house.public.ladder import publish",
        "public.ladder": "from house.tables import rows",
        "public.rounded": "",
        "tables": "from house.public.rounded import outward",
    }.items():
        (package / f"{name.replace('.', '/')}.py").write_text(text)
    assert circles(imports(package)) == {
        frozenset({"house.page", "house.result", "house.report"}),
        frozenset({"house.public", "house.public.ladder", "house.tables"}),
    }


def test_a_class_name_is_used_once() -> None:
    """Elsewhere it would be another thing, and whoever reads it has to look up which."""
    defined = Counter(
        node.name
        for tree in modules(SOURCE).values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in defined.items() if times > 1} == SHARED_NAMES
    assert len(SHARED_NAMES) <= 5
