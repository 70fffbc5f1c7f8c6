"""Find source code whose syntax shows known faults in computing the statistics of rocsolid."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.remarks.copies import (
    CopiedDelong,
    CopyRemark,
    GroupAucByHand,
    HanleyMcNeil,
    IdealOfRetrieved,
    NormalAboutResamples,
    OneClassPassedOver,
    RowsResampled,
    SeedInside,
)
from rocsolid.results.plain import Plain

SUFFIXES = (".py", ".ipynb")
_SKIPPED = {".git", ".venv", "venv", "node_modules", "site-packages", "__pycache__", ".tox"}
_AREA = re.compile(r"auc|auroc|average_precision", re.IGNORECASE)
_DRAWS = {"choice", "choices", "integers", "randint", "resample", "bootstrap"}
_UNITS = re.compile(r"cluster|patient|subject|group|user|case_id|block", re.IGNORECASE)
_NORMAL = (1.645, 1.96, 2.576)
_IGNORED = re.compile(r"#\s*noqa(?!:)|#\s*noqa:[^#]*\b(ROC\d+)\b", re.IGNORECASE)


_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Copy(Plain):
    """A known fault at a place in source code."""

    path: Annotated[str, "The file; for a notebook also the cell."]
    line: Annotated[int, "The line, from 1."]
    function: Annotated[str, "The function that contains the line; empty outside of functions."]
    remark: CopyRemark
    _json = "path line function code=remark.code severity=remark.severity text=remark instead"

    @property
    def instead(self) -> str:
        """The function to call."""
        return self.remark.instead

    def __str__(self) -> str:
        place = f" in {self.function}" if self.function else ""
        words = textwrap.fill(f"{self.remark} Call {self.instead}.", 76)
        return f"{self.path}:{self.line}: {self.remark.code}{place}\n{textwrap.indent(words, '  ')}"


@dataclass(frozen=True, slots=True)
class Linted(Plain):
    """The faults found in source code."""

    copies: Annotated[tuple[Copy, ...], "The faults, by file and line."]
    files: Annotated[int, "The number of files searched."]
    unread: Annotated[tuple[str, ...], "Files and cells that are not Python, with the reason."]
    _json = "copies files unread"


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """A function, or the code outside of all functions, without the functions inside."""

    node: ast.AST
    nodes: tuple[ast.AST, ...]

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "")

    def of(self, kind: type[_Node]) -> Iterator[_Node]:
        return (node for node in self.nodes if isinstance(node, kind))

    @property
    def loops(self) -> Iterator[ast.For | ast.While | ast.ListComp]:
        return (node for node in self.nodes if isinstance(node, ast.For | ast.While | ast.ListComp))

    def calls(self, name: Callable[[str], object]) -> list[ast.Call]:
        return [node for node in self.nodes if isinstance(node, ast.Call) and name(_called(node))]


def lint(*paths: str | Path) -> Linted:
    """Look for copied statistics in Python files, notebooks and folders of them."""
    files = [file for path in paths for file in _files(Path(path))]
    copies: list[Copy] = []
    unread: list[str] = []
    for file in files:
        try:
            sources = list(_sources(file))
        except (ValueError, KeyError, TypeError):
            unread.append(f"{file}: not a notebook")
            continue
        for where, source in sources:
            try:
                copies += _copies(where, source)
            except (SyntaxError, ValueError) as error:
                unread.append(f"{where}: {str(error).splitlines()[0]}")
    return Linted(tuple(copies), len(files), tuple(unread))


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        inside = (file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}"))
        return sorted(f for f in inside if not _SKIPPED & {*f.relative_to(path).parts})
    if not path.is_file():
        raise InputError("no such file", where="path", value=str(path), fix="name a file or folder")
    return [path]


def _sources(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the code of a file, or of each cell of a notebook."""
    text = file.read_text("utf-8", errors="replace")
    if file.suffix != ".ipynb":
        yield str(file), text
        return
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            if lines and not lines[0].startswith("%%"):  # another language, or a timed cell
                plain = ("" if line.lstrip()[:1] in {"%", "!"} else line for line in lines)
                yield f"{file} cell {number}", "\n".join(plain)


def _copies(where: str, source: str) -> Iterator[Copy]:
    lines = source.splitlines()
    scopes = list(_scopes(ast.parse(source)))
    areas = _of_areas(scopes)
    for scope in scopes:
        for line, kind in sorted(_faults(scope, areas), key=lambda fault: fault[0]):
            ignored = _IGNORED.search(lines[line - 1])
            if ignored is None or ignored[1] not in {None, kind.code}:
                yield Copy(where, line, scope.name, kind())


def _scopes(tree: ast.Module) -> Iterator[_Scope]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        top = waiting.pop(0)
        nodes: list[ast.AST] = []
        inside = deque(ast.iter_child_nodes(top))
        while inside:
            node = inside.popleft()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append(node)
            else:
                nodes.append(node)
                inside += ast.iter_child_nodes(node)
        yield _Scope(top, tuple(nodes))


def _of_areas(scopes: Iterable[_Scope]) -> frozenset[str]:
    """The functions that call a function of an area, directly or through another."""
    called = {scope.name: {_called(call) for call in scope.of(ast.Call)} for scope in scopes}
    names = {name for name, calls in called.items() if any(map(_AREA.search, calls))} - {""}
    while more := {name for name, calls in called.items() if name and calls & names} - names:
        names |= more
    return frozenset(names)


def _faults(scope: _Scope, areas: Collection[str]) -> Iterator[tuple[int, type[CopyRemark]]]:
    for find in (_delong, _hanley_mcneil, _group_mean, _ideal):
        yield from find(scope)
    yield from _resampling(scope, areas)


def _delong(scope: _Scope) -> Iterator[tuple[int, type[CopyRemark]]]:
    """Find two covariances of placements in a function named "delong" or with midranks."""
    covariances = scope.calls(lambda name: name == "cov")
    named = "delong" in scope.name.lower() or scope.calls(lambda name: "midrank" in name)
    if len(covariances) > 1 and named:
        yield _line(scope), CopiedDelong


def _hanley_mcneil(scope: _Scope) -> Iterator[tuple[int, type[CopyRemark]]]:
    """Find A / (2 − A) together with 2 A² / (1 + A), however the second is written."""
    quotients = [node for node in scope.of(ast.BinOp) if isinstance(node.op, ast.Div)]
    first = [node.lineno for node in quotients if _adds(2, ast.Sub, node.right)]
    if first and any(_adds(1, ast.Add, node.right) for node in quotients):
        yield min(first), HanleyMcNeil


def _resampling(scope: _Scope, areas: Collection[str]) -> Iterator[tuple[int, type[CopyRemark]]]:
    loop = next((loop for loop in scope.loops if _draws_an_area(loop, areas)), None)
    if loop is None:
        return
    faults: list[tuple[int, type[CopyRemark]]] = [
        (_passed_over(loop), OneClassPassedOver),
        (_normal(scope), NormalAboutResamples),
        (_seeded(scope), SeedInside),
    ]
    if not any(map(_UNITS.search, _words(scope.nodes))):
        faults.append((loop.lineno, RowsResampled))
    yield from ((line, kind) for line, kind in faults if line)


def _draws_an_area(loop: ast.AST, areas: Collection[str]) -> bool:
    inside = list(ast.walk(loop))
    names = [_called(node) for node in inside if isinstance(node, ast.Call)]
    words = (*names, *_words(inside))
    return any(name in _DRAWS for name in names) and any(
        word in areas or _AREA.search(word) for word in words
    )


def _passed_over(loop: ast.AST) -> int:
    """The line where a resample of one class, or its error, is skipped; 0 if none."""
    for node in ast.walk(loop):
        if isinstance(node, ast.If) and any(
            isinstance(call, ast.Call) and _called(call) in {"unique", "nunique", "sum", "set"}
            for call in ast.walk(node.test)
        ):
            if any(isinstance(inner, ast.Continue) for inner in node.body):
                return node.lineno
            if _takes_an_area(node.body):
                return node.lineno
        if isinstance(node, ast.ExceptHandler) and all(
            isinstance(inner, ast.Continue | ast.Pass) for inner in node.body
        ):
            return node.lineno
    return 0


def _normal(scope: _Scope) -> int:
    """The line of a mean ± a multiple of a standard deviation; 0 if none."""
    for node in scope.of(ast.BinOp):
        moved = node.right
        if isinstance(node.op, ast.Add | ast.Sub) and isinstance(moved, ast.BinOp):
            for part in (moved.left, moved.right):
                if isinstance(part, ast.Constant) and part.value in _NORMAL:
                    return node.lineno
    return 0


def _seeded(scope: _Scope) -> int:
    """The line inside a function that creates a generator from a literal seed; 0 if none."""
    if not scope.name:
        return 0
    for call in scope.calls(lambda name: name in {"seed", "default_rng", "RandomState", "Random"}):
        if call.args and isinstance(call.args[0], ast.Constant):
            return call.lineno
    return 0


def _group_mean(scope: _Scope) -> Iterator[tuple[int, type[CopyRemark]]]:
    """Find a function that is named for a group AUC and computes areas in a loop."""
    named = re.search(r"group_?auc|gauc|auc_by_(user|group)|user_auc", scope.name.lower())
    if named and _takes_an_area(scope.loops):
        yield _line(scope), GroupAucByHand


def _ideal(scope: _Scope) -> Iterator[tuple[int, type[CopyRemark]]]:
    """Find NDCG functions that sort the ranked grades themselves for the ideal order."""
    if "ndcg" not in scope.name.lower():
        return
    arguments = getattr(scope.node, "args", None)
    taken = {arg.arg for arg in arguments.args} if isinstance(arguments, ast.arguments) else set()
    for call in scope.calls(lambda name: name in {"sorted", "sort"}):
        if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id in taken:
            yield call.lineno, IdealOfRetrieved
            return


def _takes_an_area(nodes: Iterable[ast.AST]) -> bool:
    calls = (call for node in nodes for call in ast.walk(node) if isinstance(call, ast.Call))
    return any(_AREA.search(_called(call)) for call in calls)


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _line(scope: _Scope) -> int:
    return int(getattr(scope.node, "lineno", 1))


def _called(call: ast.Call) -> str:
    """The last part of a call's name: ``score`` for ``metrics.score(...)``."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _adds(constant: int, operation: type[ast.operator], node: ast.AST) -> bool:
    """Whether a node is ``constant`` plus or minus an expression."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, operation):
        return False
    sides = (node.left, node.right) if operation is ast.Add else (node.left,)
    return any(isinstance(side, ast.Constant) and side.value == constant for side in sides)
